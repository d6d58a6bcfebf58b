/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway live: what sdiag says, and how Leeway keeps its promises. */
#include "cli/live/live.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* ---- sdiag ---- */

/* What is told, by how its line begins; whatever a release adds is left out. */
static bool is_told(const char *name)
{
	static const char *const told[] = {
		"Server thread count", "Agent queue size",  "Jobs submitted",
		"Jobs started",        "Jobs completed",    "Jobs canceled",
		"Jobs failed",         "Jobs pending",      "Jobs running",
		"Last cycle:",         "Max cycle",         "Mean cycle",
		"Last queue length",   "Cycles per minute", "Total backfilled jobs",
		"Last depth cycle:",   "Depth Mean:",       "Queue length mean",
		"Last table size",
	};

	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
		if (strncmp(name, told[i], strlen(told[i])) == 0)
			return true;
	return false;
}

static int add_metric(struct live *live, const char *part, const char *line, size_t len)
{
	const char *colon = memchr(line, ':', len), *end = line + len, *value;
	size_t part_len = strcspn(part, "(:\n");
	struct lw_live_metric metric;

	if (!colon || live->metric_count >= LIVE_METRIC_ROWS)
		return 0;
	while (part_len && part[part_len - 1] == ' ')
		part_len--;
	for (value = colon + 1; value < end && (*value == ' ' || *value == '\t');)
		value++;
	if (lw_grow((void **)&live->metrics, &live->metric_room, live->metric_count + 1,
		    sizeof(*live->metrics)))
		return -ENOMEM;
	metric.part = strndup(part, part_len);
	metric.name = strndup(line, (size_t)(colon - line));
	metric.value = strndup(value, (size_t)(end - value));
	live->metrics[live->metric_count++] = metric;
	return metric.part && metric.name && metric.value ? 0 : -ENOMEM;
}

int lw_live_add_metrics(struct live *live, const char *text, struct lw_error *err)
{
	static const char *const parts[] = { "Main schedule statistics", "Backfilling stats" };
	const char *part = "";
	int rc = 0;

	for (; *text && !rc; text += strcspn(text, "\n"), text += *text == '\n') {
		const char *line = text + strspn(text, "\t ");
		size_t len = strcspn(line, "\n");

		for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
			if (strncmp(line, parts[i], strlen(parts[i])) == 0)
				part = line;
		if (strncmp(line, "Remote Procedure Call", 21) == 0)
			break;
		if (is_told(line))
			rc = add_metric(live, part, line, len);
	}
	if (rc)
		return lw_error_set(err, rc, "out of memory");
	return live->metric_count ? 0
				  : lw_error_set(err, -EIO,
						 "nothing that sdiag printed can be read: is it "
						 "Slurm's?");
}

/* ---- promises ---- */

static int take(void *arg, const struct lw_promise *promise)
{
	struct live *live = arg;

	if (lw_grow((void **)&live->promises, &live->promise_room, live->promise_count + 1,
		    sizeof(*live->promises)))
		return -ENOMEM;
	live->promises[live->promise_count++] = *promise;
	return 0;
}

static int by_latest(const void *a, const void *b)
{
	const struct lw_promise *x = a, *y = b;

	if (x->latest_s != y->latest_s)
		return x->latest_s < y->latest_s ? -1 : 1;
	return x->job_id < y->job_id ? -1 : x->job_id > y->job_id;
}

static int read_file(struct live *live, const char *path, struct lw_error *err)
{
	const struct lw_promise_taker taker = { take, live };

	return lw_promise_read(path, &taker, &live->totals, err);
}

int lw_live_read_promises(struct live *live, struct lw_error *err)
{
	struct lw_error why = { "" };
	char path[PATH_MAX];
	int rc;

	snprintf(path, sizeof(path), "%s/leeway_promises", live->state_dir);
	rc = read_file(live, path, &why);
	if (rc == -ENOMEM)
		return lw_error_set(err, rc, "out of memory");
	if (live->promise_count)
		qsort(live->promises, live->promise_count, sizeof(*live->promises), by_latest);
	if (!rc)
		return 0;
	live->promise_count = 0;
	live->no_promises = strdup(why.text);
	return live->no_promises ? 0 : lw_error_set(err, -ENOMEM, "out of memory");
}
