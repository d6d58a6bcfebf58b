/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how far a job says that it is, and what that tells, for users and for programs. */
#ifndef LW_CLI_COMMON_PROGRESS_H
#define LW_CLI_COMMON_PROGRESS_H

#include <jansson.h>

#include "base/error.h"
#include "base/pace.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

/* Zeroed it says nothing. Times are seconds since the epoch, 0 where they are not known. */
struct lw_progress {
	struct lw_pace pace;
	bool reports;
	int64_t done_s;  /* by that it has done all, if it goes on so */
	int64_t limit_s; /* its time limit ends it */
};

/* By the COMMENT (may be NULL) of a job that runs since START_S; below 0: not known. */
void lw_progress_read(const char *comment, int64_t start_s, int64_t now_s,
		      struct lw_progress *ret_progress);
/* The same of JOB, "12" or "12_3", of which squeue is asked; what that does not tell is left out.
 */
void lw_progress_ask(const char *job, int64_t start_s, int64_t now_s,
		     struct lw_progress *ret_progress);

/* Add "1200 of 5000, 14:02; at that rate done 16:30", or nothing, to LINE. */
void lw_progress_tell(const struct lw_progress *progress, int64_t now_s, struct lw_strbuf *line);
/* The same as "1200 of 5000, 12.5 a minute, 5h04m left"; NOW_S 0: nothing is left, it has ended.
 */
void lw_progress_tell_rate(const struct lw_progress *progress, int64_t now_s,
			   struct lw_strbuf *line);
/* Its members progress_step and so on, or none, into O. */
void lw_progress_set(json_t *o, const struct lw_progress *progress);

/* Of jobs that run. Zeroed there is none. */
struct lw_progresses {
	struct lw_progress_of *items; /* with progress.reports */
	uint32_t count, room;
	int64_t now_s;
};

/*
 * By squeue in BIN ("": of PATH): WHICH is "-u" and a user in VALUE, or "-j" and a job. What that
 * does not tell is left out; -ENOMEM.
 */
int lw_progresses_ask(const char *bin, const char *which, const char *value, int64_t now_s,
		      struct lw_progresses *ret_all);
/* Of JOB, as squeue and sacct name it, NULL: of the first; NULL: none runs that says it. */
const struct lw_progress *lw_progresses_find(const struct lw_progresses *all, const char *job);
void lw_progresses_fini(struct lw_progresses *all);

#endif
