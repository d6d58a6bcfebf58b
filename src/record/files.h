/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: names and content of the files in a directory of GPU records. */
#ifndef LW_RECORD_FILES_H
#define LW_RECORD_FILES_H

#include "record/record.h"

/* For the files of this folder alone; file.h says what the files are. */

/* The folder with a folder for each job that has a record. */
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
/* The job that a file called NAME is of; 0: it is no record. */
uint32_t lw_files_job(const char *name);
/* Whether NAME is in its job's folder. */
bool lw_files_is_final(const char *name);

/* Add a copy of NAME. 0 or -ENOMEM. */
int lw_files_add(struct lw_files *files, const char *name);
void lw_files_fini(struct lw_files *files);

enum lw_files_kind {
	LW_FILES_ALL,
	LW_FILES_PARTS, /* of steps that run, or were killed: no folder is looked into */
	/* records that an earlier release left beside the parts; so many at a time */
	LW_FILES_FLAT,
};
#define LW_FILES_FLAT_MAX 128

struct lw_files_wanted {
	uint32_t job_id;  /* 0: of every job */
	const char *node; /* NULL: of every node */
	enum lw_files_kind kind;
};

/*
 * The records in DIR that are WANTED, sorted by job and name. What is looked at is the directory,
 * where the parts are, and the folder of the job, or of every job for job 0. FILES starts empty
 * and is to be given up in any case. -errno.
 */
int lw_files_list(const char *dir, const struct lw_files_wanted *wanted, struct lw_files *files);
/* The same of JOB_ID's folder alone. */
int lw_files_list_folder(const char *dir, uint32_t job_id, struct lw_files *files);

/* A file of ours, which no other user made, into *ret_text for free(). 0 or -errno. */
int lw_files_read(const char *path, char **ret_text, size_t *ret_size);

/*
 * Whether a step writes the part at PATH: it holds a lock on it as long as it lives. Nobody
 * else can hold it (access.h). 1, 0, or -EACCES when we may not know.
 */
int lw_files_is_locked(const char *path);

/*
 * Read one record. IDLE_ONLY: -EBUSY for a part that a living step writes. -EACCES: another
 * user's. -EPERM: a user may have made it up. -EBADMSG also for what another name belongs to.
 */
int lw_files_load(const char *dir, const char *name, bool idle_only,
		  struct lw_record **ret_record, struct lw_error *err);
/* The same, but of its first line alone, which tells whose it is and whether we know its form. */
int lw_files_check(const char *dir, const char *name, struct lw_error *err);

#endif
