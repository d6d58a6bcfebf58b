/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the files that slurmctld's plugin keeps, as one table: make one, and read it back. */
#include "property/keepers.h"

#include "slurm/agent/settings.h"
#include "slurm/keep/promise.h"
#include "slurm/keep/since.h"
#include "slurm/read/learn.h"

#include <errno.h>
#include <stdlib.h>

/* ---- promises ---- */

static int make_promises(const char *path, uint32_t entries)
{
	struct lw_promises *promises = NULL;
	struct lw_error err;
	int rc = lw_promises_create(path, KEEPER_NOW_S, NULL, &promises);

	for (uint32_t i = 1; !rc && i <= entries; i++) {
		const struct lw_promise promise = { .job_id = i * 7,
						    .made_s = KEEPER_NOW_S + i,
						    .start_s = KEEPER_NOW_S + 100 + i,
						    .latest_s = KEEPER_NOW_S + 900 + i,
						    .nodes = i };

		rc = lw_promises_make(promises, &promise);
	}
	if (!rc)
		rc = lw_promises_save(promises, &err);
	lw_promises_destroy(promises);
	return rc;
}

static int64_t load_promises(const char *path, const struct lw_log *log)
{
	struct lw_promise_totals totals;
	struct lw_promises *promises;
	int64_t entries;
	int rc = lw_promises_create(path, KEEPER_NOW_S, log, &promises);

	if (rc)
		return rc;
	lw_promises_totals(promises, &totals);
	entries = lw_promises_count(promises);
	/* totals without their promises would be half a file */
	entries = (uint64_t)entries == totals.made ? entries : -EUCLEAN;
	lw_promises_destroy(promises);
	return entries;
}

/* ---- ages ---- */

static int make_since(const char *path, uint32_t entries)
{
	struct lw_since *since = NULL;
	struct lw_error err;
	int rc = lw_since_create(path, KEEPER_NOW_S, NULL, &since);

	for (uint32_t i = 1; !rc && i <= entries; i++) {
		lw_since_runs(since, i * 7, KEEPER_NOW_S - i, false);
		lw_since_of(since, i * 7, KEEPER_NOW_S + i, true);
	}
	if (!rc)
		rc = lw_since_save(since, &err);
	lw_since_destroy(since);
	return rc;
}

static int64_t load_since(const char *path, const struct lw_log *log)
{
	struct lw_since *since;
	int64_t entries;
	int rc = lw_since_create(path, KEEPER_NOW_S, log, &since);

	if (rc)
		return rc;
	entries = lw_since_count(since);
	lw_since_destroy(since);
	return entries;
}

/* ---- history ---- */

static int make_history(const char *path, uint32_t entries)
{
	struct lw_learn *learn = NULL;
	struct lw_error err;
	int rc = lw_learn_create(path, KEEPER_NOW_S, NULL, &learn);

	if (!rc)
		lw_learn_begin(learn, KEEPER_NOW_S);
	for (uint32_t i = 1; !rc && i <= entries; i++) {
		const struct lw_finished job = { .job_id = i * 7,
						 .user_id = i % 100,
						 .partition = "gpu",
						 .width = 1 + i % 8,
						 .nodes = 1,
						 .limit_s = 3600 * (1 + i % 5),
						 .start_s = KEEPER_NOW_S - 100000 + i,
						 .end_s = KEEPER_NOW_S - 90000 + i };

		rc = lw_learn_note(learn, &job);
	}
	if (!rc)
		lw_learn_teach(learn); /* those of them that the file has not */
	if (!rc)
		rc = lw_learn_save(learn, KEEPER_NOW_S, true, &err);
	lw_learn_destroy(learn);
	return rc;
}

static int64_t load_history(const char *path, const struct lw_log *log)
{
	struct lw_history_stats stats;
	struct lw_learn *learn;
	int rc = lw_learn_create(path, KEEPER_NOW_S, log, &learn);

	if (rc)
		return rc;
	lw_history_stats(lw_learn_history(learn), &stats);
	lw_learn_destroy(learn);
	return stats.keys || !stats.jobs ? (int64_t)stats.jobs : -EUCLEAN;
}

/* ---- settings in force: one entry, whatever is asked for ---- */

static int make_settings(const char *path, uint32_t entries)
{
	struct lw_settings settings = { 0 };
	struct lw_error err;
	int rc;

	(void)entries;
	lw_settings_default(&settings);
	rc = lw_settings_keep(&settings, path, &err);
	lw_settings_fini(&settings);
	return rc;
}

static int64_t load_settings(const char *path, const struct lw_log *log)
{
	struct lw_settings settings;
	struct lw_error err;
	int rc = lw_settings_recall(path, &settings, &err);

	if (rc) {
		lw_log_error(log, "%s", err.text);
		return rc;
	}
	lw_settings_fini(&settings);
	return 1;
}

const struct keeper keepers[] = {
	{ "promises", make_promises, load_promises, false },
	{ "since", make_since, load_since, false },
	{ "history", make_history, load_history, false },
	{ "settings", make_settings, load_settings, true },
};
const unsigned keeper_count = sizeof(keepers) / sizeof(keepers[0]);
