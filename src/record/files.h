/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: names and content of the files in a directory of GPU records. */
#ifndef LW_RECORD_FILES_H
#define LW_RECORD_FILES_H

#include "record/record.h"

/* For file.c, list.c and jobend.c alone; file.h says what the files are. */

struct lw_files {
	char **name;
	uint32_t count;
};

/* DIR/FMT... into PATH[PATH_MAX]. 0 or -ENAMETOOLONG. */
int lw_files_path(char *path, const char *dir, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

bool lw_files_ends_in(const char *text, const char *tail);

/* Add a copy of NAME. 0 or -ENOMEM. */
int lw_files_add(struct lw_files *files, const char *name);
void lw_files_fini(struct lw_files *files);

/*
 * The records in DIR of a job, of a job on NODE when that is not NULL, or of all jobs for
 * job 0; sorted by job and name. FILES starts empty and is to be given up in any case.
 * -errno.
 */
int lw_files_list(const char *dir, uint32_t job_id, const char *node, struct lw_files *files);

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
