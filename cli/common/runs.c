/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a user's own jobs by accounting, and how long they ran. */
#include "cli/common/runs.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/grow.h"
#include "cli/common/options.h"
#include "cli/common/slurmcall.h"
#include "cli/common/tools.h"

#define SINCE_S (30 * 86400)

int lw_runs_add(struct lw_runs *runs, int64_t ran_s)
{
	if (lw_grow((void **)&runs->ran_s, &runs->room, runs->count + 1, sizeof(*runs->ran_s)))
		return -ENOMEM;
	runs->ran_s[runs->count++] = ran_s;
	return 0;
}

static int by_time(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

void lw_runs_sort(struct lw_runs *runs)
{
	if (runs->count)
		qsort(runs->ran_s, runs->count, sizeof(*runs->ran_s), by_time);
}

int64_t lw_runs_ended_by(const struct lw_runs *runs, uint32_t percent)
{
	uint64_t place = ((uint64_t)runs->count * percent + 99) / 100;

	return runs->ran_s[place ? place - 1 : 0];
}

void lw_runs_fini(struct lw_runs *runs)
{
	free(runs->ran_s);
	*runs = (struct lw_runs){ .count = 0 };
}

const char *lw_runs_limit(int64_t limit_s, char buf[LW_RUNS_LIMIT_TEXT])
{
	int hours = (int)(limit_s / 3600 % 24), minutes = (int)(limit_s / 60 % 60);
	int seconds = (int)(limit_s % 60);

	if (limit_s < 0)
		snprintf(buf, LW_RUNS_LIMIT_TEXT, "-");
	else if (limit_s < 86400)
		snprintf(buf, LW_RUNS_LIMIT_TEXT, "%d:%02d:%02d", hours, minutes, seconds);
	else
		snprintf(buf, LW_RUNS_LIMIT_TEXT, "%" PRId64 "-%02d:%02d:%02d", limit_s / 86400,
			 hours, minutes, seconds);
	return buf;
}

static int runs_options(const char *usage, struct lw_runs_request *ret_request, int argc,
			char **argv, struct lw_error *err)
{
	struct lw_runs_request request = { .since_s = SINCE_S };
	const struct lw_option options[] = {
#include "cli/common/runs_options.def"
	};
	int rc = lw_options_read(options, &request, argc, argv, err);

	if (!rc && request.since_s < 1)
		rc = lw_error_set(err, -EINVAL, "--since: at least a second");
	if (!rc && argc != optind)
		rc = lw_options_word("job name", argc, argv, &request.name, err);
	*ret_request = request;
	return rc;
}

int lw_runs_command(const char *name, const char *usage,
		    int (*run)(const struct lw_runs_request *, struct lw_error *), int argc,
		    char **argv)
{
	struct lw_runs_request request;
	struct lw_error err = { "" };
	int rc = runs_options(usage, &request, argc, argv, &err);

	if (rc)
		return lw_options_refused(name, rc, &err);
	rc = run(&request, &err);
	return lw_tools_ended(name, rc == -EINVAL ? -EIO : rc, &err);
}

int lw_runs_ask(const struct lw_runs_request *request, struct lw_rows *rows, struct lw_error *err)
{
	const char *user = request->user ? request->user : lw_tools_user_name(geteuid());
	char since[48];
	const char *options[] = { "-S", since, "-u", user, NULL };

	snprintf(since, sizeof(since), "now-%" PRId64 "seconds", request->since_s);
	lw_slurm_environment();
	return lw_rows_ask(rows, "", options, err);
}
