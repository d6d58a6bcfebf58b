/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a user's own jobs by accounting, and how long they ran: for advice on what to ask for.
 */
#ifndef LW_CLI_COMMON_RUNS_H
#define LW_CLI_COMMON_RUNS_H

#include "base/error.h"

#include <stdint.h>

/* Of fewer runs nothing is advised. */
#define LW_RUNS_LEAST 3
/* Room for a limit as --time takes it. */
#define LW_RUNS_LIMIT_TEXT  32
#define LW_RUNS_COLUMNS_MAX 16

/* How long each run took. Zeroed there is none. */
struct lw_runs {
	int64_t *ran_s;
	uint32_t count, room;
};

/* How long, in s, the column ElapsedRaw says. -EINVAL: that cannot be read. */
int lw_runs_read(const char *elapsed, int64_t *ret_ran_s);
/* Add a run. -ENOMEM. */
int lw_runs_add(struct lw_runs *runs, int64_t ran_s);
void lw_runs_sort(struct lw_runs *runs);
/* Of sorted runs, of which there are some: by when, in s, so many of a hundred had ended. */
int64_t lw_runs_ended_by(const struct lw_runs *runs, uint32_t percent);
void lw_runs_fini(struct lw_runs *runs);

/* LIMIT_S as --time takes it, "-" where it is below 0, in BUF, which is returned. */
const char *lw_runs_limit(int64_t limit_s, char buf[LW_RUNS_LIMIT_TEXT]);

/* What a user asks for: [NAME] [--user U] [--since TIME] [--json[=FILE]] */
struct lw_runs_request {
	const char *user; /* by name or number; NULL: the calling user */
	const char *json; /* where to; NULL: as text */
	const char *name; /* jobs of this alone; NULL: all */
	int64_t since_s;  /* jobs of so long */
};

/* Read the options of ARGV: as lw_options_read(). */
int lw_runs_options(struct lw_runs_request *ret_request, int argc, char **argv,
		    struct lw_error *err);

/* The question to sacct, and the function that takes the answer. */
struct lw_runs_asked {
	const char *command; /* which asks, for what it tells on standard error */
	const struct lw_runs_request *request;
	const char *const *columns; /* the first is JobID; NULL ends them */
	/*
	 * Take the row of a job, FIELDS in the order of the columns, in order of submission.
	 * -EINVAL: a value cannot be read, and the row is counted as such; -ENOMEM.
	 */
	int (*add)(void *to, char *const *fields);
	void *to;
};

/*
 * Ask it. Rows that cannot be read are told of. -EIO: it failed, nothing can be read; -EINVAL:
 * there is no header line, or a column is not there; -ENOMEM; all with ERR.
 */
int lw_runs_ask(const struct lw_runs_asked *asked, struct lw_error *err);

#endif
