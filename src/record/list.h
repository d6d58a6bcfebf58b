/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: all records of a job, or of every job, from one or more directories. */
#ifndef LW_RECORD_LIST_H
#define LW_RECORD_LIST_H

#include "record/record.h"

/* What there is of a job's last run: finished and growing files, merged to one a node. */
struct lw_record_list {
	struct lw_record **records; /* sorted by node */
	uint32_t count;
	uint32_t unread;    /* files that could not be read */
	uint32_t forbidden; /* files that are another user's */
	bool live;       /* a living step writes one of them */
};

void lw_record_list_fini(struct lw_record_list *list);

/*
 * Read the records of JOB_ID in the DIRS. Files that cannot be read are skipped and counted, and
 * so is a directory unless none can be read; ERR then names them, as far as it has room, and is
 * as it was otherwise. -ENOENT when there is no record, -EACCES when it is another user's,
 * -errno.
 */
int lw_record_list_read(const char *const *dirs, uint32_t dir_count, uint32_t job_id,
			struct lw_record_list *ret_list, struct lw_error *err);

/*
 * LIST may be taken by leaving it zeroed; it may have no records, where all are another user's.
 * Not 0 ends the visit.
 */
typedef int (*lw_record_visit_f)(void *arg, uint32_t job_id, struct lw_record_list *list);

/* Which jobs are visited. */
struct lw_record_search {
	const char *const *dirs;
	uint32_t dir_count;
	uint32_t job_id; /* 0: every job, in order */
	bool live_only;  /* those alone of which a living step writes a record */
};

/*
 * Call VISIT for each job of SEARCH. ERR is as for lw_record_list_read().
 * VISIT's result, or -errno. How many jobs were another user's is in ERR, too.
 */
int lw_record_visit(const struct lw_record_search *search, lw_record_visit_f visit, void *arg,
		    struct lw_error *err);

#endif
