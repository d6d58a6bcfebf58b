/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: names and contents of the files in a directory of GPU records. */
#ifndef LW_RECORD_FILES_H
#define LW_RECORD_FILES_H

#include "record/record.h"

/* Only for the files of this folder; file.h explains what the files are. */

/* The folder that has a folder for each job with a record. */
#define LW_FILES_JOBS "jobs"

/* Names within the directory: "77.n1.0.part", "jobs/77/77.n1.gpu". */
struct lw_files {
	char **name;
	uint32_t count;
};

/* DIR/FMT... into PATH[PATH_MAX]. 0 or -ENAMETOOLONG. */
int lw_files_path(char *path, const char *dir, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

bool lw_files_ends_in(const char *text, const char *tail);
/* The job of the file NAME; 0: it is no record. */
uint32_t lw_files_job(const char *name);
/* Is NAME in its job's folder? */
bool lw_files_is_final(const char *name);

/* Add a copy of NAME. 0 or -ENOMEM. */
int lw_files_add(struct lw_files *files, const char *name);
void lw_files_fini(struct lw_files *files);

enum lw_files_kind {
	LW_FILES_ALL,
	LW_FILES_PARTS, /* of steps that run, or were killed: no folder is read */
	/* records that an earlier release left beside the parts; a bounded number at a time */
	LW_FILES_FLAT,
};
#define LW_FILES_FLAT_MAX 128

struct lw_files_wanted {
	uint32_t job_id;  /* 0: all jobs */
	const char *node; /* NULL: all nodes */
	enum lw_files_kind kind;
};

/*
 * The records in DIR that are WANTED, sorted by job and name. This reads the directory, which
 * has the parts, and the folder of the job, or of all jobs for job 0. FILES starts empty; finish
 * it in any case. -errno.
 */
int lw_files_list(const char *dir, const struct lw_files_wanted *wanted, struct lw_files *files);
/* The same for JOB_ID's folder alone. */
int lw_files_list_folder(const char *dir, uint32_t job_id, struct lw_files *files);

/* A file that no other user made, into *ret_text for free(). 0 or -errno. */
int lw_files_read(const char *path, char **ret_text, size_t *ret_size);

/*
 * Does a step write the part at PATH? A step holds a lock on its part as long as it lives, and
 * no other process can hold it (access.h). 1, 0, or -EACCES if this user may not know.
 */
int lw_files_is_locked(const char *path);

/*
 * Read one record. IDLE_ONLY: -EBUSY for a part that a living step writes. -EACCES: another
 * user's. -EPERM: a user may have made it. -EBADMSG also if the content belongs to another name.
 */
int lw_files_load(const char *dir, const char *name, bool idle_only,
		  struct lw_record **ret_record, struct lw_error *err);
/* The same for its first line alone: it has the user, and shows whether the format is known. */
int lw_files_check(const char *dir, const char *name, struct lw_error *err);

#endif
