/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a user's own jobs by accounting, and how long they ran: for advice on what to ask for.
 */
#ifndef LW_CLI_COMMON_RUNS_H
#define LW_CLI_COMMON_RUNS_H

#include "base/error.h"
#include "cli/common/rows.h"

#include <stdint.h>

/* Of fewer runs nothing is advised. */
#define LW_RUNS_LEAST 3
/* Room for a limit as --time takes it. */
#define LW_RUNS_LIMIT_TEXT 32

/* How long each run took. Zeroed there is none. */
struct lw_runs {
	int64_t *ran_s;
	uint32_t count, room;
};

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

/*
 * The command NAME with these options: reads them, and calls RUN. --help prints USAGE before them.
 * Its exit code: what Slurm's commands refuse, -EINVAL of RUN, is no wrong usage of ours.
 */
int lw_runs_command(const char *name, const char *usage,
		    int (*run)(const struct lw_runs_request *, struct lw_error *), int argc,
		    char **argv);

/*
 * Ask sacct for the jobs of REQUEST; in ROWS are the columns, the command and what takes a row.
 * Jobs come in order of submission. Otherwise as lw_rows_ask().
 */
int lw_runs_ask(const struct lw_runs_request *request, struct lw_rows *rows,
		struct lw_error *err);

#endif
