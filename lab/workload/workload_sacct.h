/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a workload of the jobs that sacct knows. */
#ifndef LW_LAB_WORKLOAD_WORKLOAD_SACCT_H
#define LW_LAB_WORKLOAD_WORKLOAD_SACCT_H

#include "base/error.h"
#include "measure/workload.h"

#include <stdint.h>

/* What had to be done to the rows, for the user to know. */
struct lw_workload_sacct_notes {
	uint32_t running;   /* left out: they have not ended */
	uint32_t unlimited; /* without a limit: given one day, or as long as they ran */
	uint32_t longer;    /* outlived their limit by more than a minute: cut there */
	uint32_t doubles;   /* jobs that have the JobID of another one */
	uint32_t shifted;   /* their end is not what End says: local time was set back */
	uint32_t cut;       /* arrays of which sacct cut the list of tasks off, */
	uint32_t cut_tasks; /* and how many tasks they have at least */
	const char *lacks[4]; /* missing columns, as sentences */
	uint32_t lack_count;
	uint32_t bad;       /* left out, when read leniently: rows that say nothing sane */
	struct lw_error first_bad; /* the line of the first, and why */
};

/* How to read it. */
enum {
	LW_SACCT_FIXED_CANCELS = 1,
	LW_SACCT_LENIENT = 2,
};

/*
 * Read what sacct printed into PATH (columns by name, parted by "|"): a job that ran becomes one
 * that runs so long, a job cancelled while it waited one that is cancelled so long after
 * submission. With FIXED_CANCELS in HOW a job cancelled while it ran is one, too, which else would
 * run to its limit: its user did not look at when it started. With LENIENT bad rows are left out
 * and counted. Submissions count from the first one.
 * *RET_WORKLOAD is sorted, and the caller's to finish. -EINVAL with file and line, -ENODATA for no
 * job, -ENOMEM, -errno of the file.
 */
int lw_workload_of_sacct(const char *path, unsigned how, struct lw_workload *ret_workload,
			 struct lw_workload_sacct_notes *ret_notes, struct lw_error *err);
/* The same of the open file FD, from where it is; PATH is its name in messages. */
int lw_workload_of_sacct_fd(const char *path, int fd, unsigned how,
			    struct lw_workload *ret_workload,
			    struct lw_workload_sacct_notes *ret_notes, struct lw_error *err);

#endif
