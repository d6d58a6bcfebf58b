/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: all records of a job, or of every job, from one or more directories. */
#ifndef LW_RECORD_LIST_H
#define LW_RECORD_LIST_H

#include "record/record.h"

/* The records of a job's last run: finished and growing files, merged to one for each node. */
struct lw_record_list {
	struct lw_record **records; /* sorted by node */
	uint32_t count;
	uint32_t unread;    /* files that could not be read */
	uint32_t forbidden; /* files of another user */
	bool live;       /* a living step writes one of them */
};

void lw_record_list_fini(struct lw_record_list *list);

/*
 * Read the records of JOB_ID in DIRS. Unreadable files are skipped and counted; so are
 * directories, unless none can be read. ERR then names them, as far as it has room, and is
 * unchanged otherwise. -ENOENT if there is no record, -EACCES if it is another user's, -errno.
 */
int lw_record_list_read(const char *const *dirs, uint32_t dir_count, uint32_t job_id,
			struct lw_record_list *ret_list, struct lw_error *err);

/*
 * LIST may be taken by leaving it zeroed. It has no records if all are another user's. A result
 * other than 0 ends the visit.
 */
typedef int (*lw_record_visit_f)(void *arg, uint32_t job_id, struct lw_record_list *list);

/* Which jobs are visited. */
struct lw_record_search {
	const char *const *dirs;
	uint32_t dir_count;
	uint32_t job_id; /* 0: all jobs, in order */
	bool live_only;  /* only jobs with a record that a living step writes */
};

/*
 * Call VISIT for each job of SEARCH. ERR is as for lw_record_list_read(), and also says how many
 * jobs were another user's. VISIT's result, or -errno.
 */
int lw_record_visit(const struct lw_record_search *search, lw_record_visit_f visit, void *arg,
		    struct lw_error *err);

#endif
