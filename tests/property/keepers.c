/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the files that slurmctld's plugin keeps, as one table: make one, and read it back. */
#include "property/keepers.h"

#include "base/io.h"
#include "base/promise_ended.h"
#include "base/savefile.h"
#include "slurm/agent/settings.h"
#include "slurm/keep/failures.h"
#include "slurm/keep/promise.h"
#include "slurm/keep/since.h"
#include "slurm/keep/stops.h"
#include "slurm/keep/suspects.h"
#include "slurm/read/learn.h"
#include "slurm/read/sharebook.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- promises that ended: a file beside that of the promises ---- */

static void promises_of(const char *ended_path, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%.*s", (int)(strlen(ended_path) - strlen("_ended")),
		 ended_path);
}

/* How many the file at PATH tells of; none, where there is none. */
static int64_t count_ended(const char *path)
{
	struct lw_promise_ring ring = { 0 };
	struct lw_error err;
	char *text;
	size_t size;
	int rc = lw_savefile_read(path, LW_PROMISE_ENDED_KIND, LW_PROMISE_ENDED_VERSION, &text,
				  &size, &err);

	if (rc)
		return rc == -ENOENT ? 0 : rc;
	rc = lw_promise_ring_parse(&ring, text, size, path, &err);
	free(text);
	return rc ? rc : (int64_t)ring.count;
}

static int make_ended(const char *path, uint32_t entries)
{
	struct lw_promises *promises = NULL;
	struct lw_error err;
	int64_t have = count_ended(path);
	char main_path[PATH_MAX];
	int rc = have < 0 ? (int)have : 0;

	promises_of(path, main_path);
	if (!rc)
		rc = lw_promises_create(main_path, KEEPER_NOW_S, NULL, &promises);
	for (uint32_t i = (uint32_t)have + 1; !rc && i <= entries; i++) {
		const struct lw_promise promise = { .job_id = i * 7,
						    .made_s = KEEPER_NOW_S + i,
						    .start_s = KEEPER_NOW_S + 100 + i,
						    .latest_s = KEEPER_NOW_S + 900 + i,
						    .nodes = i };

		rc = lw_promises_make(promises, &promise);
		lw_promises_started(promises, promise.job_id, promise.start_s + i % 2000);
	}
	if (!rc)
		rc = lw_promises_save(promises, &err);
	lw_promises_destroy(promises);
	return rc;
}

static int64_t load_ended(const char *path, const struct lw_log *log)
{
	struct lw_promises *promises;
	char main_path[PATH_MAX];
	int rc;

	promises_of(path, main_path);
	rc = lw_promises_create(main_path, KEEPER_NOW_S, log, &promises);
	if (rc)
		return rc;
	lw_promises_destroy(promises);
	return count_ended(path);
}

/* ---- ages ---- */

static int make_since(const char *path, uint32_t entries)
{
	struct lw_since *since = NULL;
	struct lw_error err;
	int rc = lw_since_create(path, KEEPER_NOW_S, NULL, &since);

	for (uint32_t i = 1; !rc && i <= entries; i++) {
		lw_since_runs(since, i * 7, 1, KEEPER_NOW_S - i, false);
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

/* ---- lost nodes ---- */

static int make_failures(const char *path, uint32_t entries)
{
	struct lw_failures *failures = NULL;
	struct lw_error err;
	int rc = lw_failures_create(path, KEEPER_NOW_S, NULL, &failures);

	for (uint32_t i = 1; !rc && i <= entries; i++)
		if (!lw_failures_note(failures, i * 7, i % 100, KEEPER_NOW_S - i, "n1"))
			rc = -ENOMEM;
	if (!rc)
		rc = lw_failures_save(failures, &err);
	lw_failures_destroy(failures);
	return rc;
}

static int64_t load_failures(const char *path, const struct lw_log *log)
{
	struct lw_failures *failures;
	int64_t entries;
	int rc = lw_failures_create(path, KEEPER_NOW_S, log, &failures);

	if (rc)
		return rc;
	entries = lw_failures_count(failures);
	lw_failures_destroy(failures);
	return entries;
}

/* ---- suspect nodes ---- */

static int make_suspects(const char *path, uint32_t entries)
{
	struct lw_suspects *suspects = NULL;
	struct lw_error err;
	char node[16];
	int rc = lw_suspects_create(path, KEEPER_NOW_S, NULL, &suspects);

	for (uint32_t i = 1; !rc && i <= entries; i++) {
		snprintf(node, sizeof(node), "n%u", i);
		lw_suspects_note(suspects, node, 7, KEEPER_NOW_S - 1000 - i);
		lw_suspects_note(suspects, node, 8, KEEPER_NOW_S - i);
	}
	if (!rc)
		rc = lw_suspects_save(suspects, &err);
	lw_suspects_destroy(suspects);
	return rc;
}

static int64_t load_suspects(const char *path, const struct lw_log *log)
{
	struct lw_suspects *suspects;
	int64_t entries;
	int rc = lw_suspects_create(path, KEEPER_NOW_S, log, &suspects);

	if (rc)
		return rc;
	entries = lw_suspects_count(suspects);
	lw_suspects_destroy(suspects);
	return entries;
}

/* ---- stopped jobs ---- */

static int make_stops(const char *path, uint32_t entries)
{
	struct lw_stop_rules rules = { .back_s = 100, .share = 1.0 };
	struct lw_stops *stops = NULL;
	struct lw_error err;
	int rc = lw_stops_create(path, KEEPER_NOW_S, NULL, &stops);

	for (uint32_t i = 1; !rc && i <= entries; i++) {
		const struct lw_stop_case it = { .job_id = i * 7, .user = i % 100, .name = "a b" };

		if (!lw_stops_ask(stops, &rules, &it, LW_STOP_BY_SIGNAL, KEEPER_NOW_S - i))
			rc = -ENOMEM;
	}
	if (!rc)
		rc = lw_stops_save(stops, &err);
	lw_stops_destroy(stops);
	return rc;
}

static int64_t load_stops(const char *path, const struct lw_log *log)
{
	struct lw_stops *stops;
	int64_t entries;
	int rc = lw_stops_create(path, KEEPER_NOW_S, log, &stops);

	if (rc)
		return rc;
	entries = lw_stops_count(stops);
	lw_stops_destroy(stops);
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

/* ---- what jobs use of a GPU, as slurmctld keeps it and job_submit reads it ---- */

static int note_uses(struct lw_sharebook *book, uint32_t entries)
{
	int rc = 0;

	lw_sharebook_begin(book);
	for (uint32_t i = 1; !rc && i <= entries; i++) {
		const struct lw_finished job = {
			.job_id = i * 7,
			.user_id = 1000 + i % 100,
			.partition = "gpu",
			.name = "train",
			.admin_comment = "leeway:gpu=n:1,util:20/20,mem:2000/2000M",
		};
		const struct lw_history_job lesson = {
			.tag = i / 100,
			.gpu = { .has_util = true, .util_percent = i % 100 },
			.end_s = KEEPER_NOW_S + i,
		};

		rc = lw_sharebook_note(book, &job, &lesson);
	}
	lw_sharebook_teach(book);
	return rc;
}

static struct lw_sharebook_terms share_terms(const char *path)
{
	return (struct lw_sharebook_terms){ .path = path, .where = "partition:gpu" };
}

static int make_share(const char *path, uint32_t entries)
{
	const struct lw_sharebook_terms terms = share_terms(path);
	struct lw_sharebook *book = NULL;
	struct lw_error err;
	int rc = lw_sharebook_create(&terms, KEEPER_NOW_S, NULL, &book);

	if (!rc)
		rc = note_uses(book, entries);
	if (!rc)
		rc = lw_sharebook_save(book, &err);
	lw_sharebook_destroy(book);
	return rc;
}

/* As slurmctld reads it, and then, where it has left it there, as job_submit does. */
static int64_t load_share(const char *path, const struct lw_log *log)
{
	const struct lw_sharebook_terms terms = share_terms(path);
	struct lw_share_known known = { 0 };
	struct lw_sharebook *book;
	struct lw_error err;
	int64_t entries;
	char *text;
	size_t size;
	int rc = lw_sharebook_create(&terms, KEEPER_NOW_S, log, &book);

	if (rc)
		return rc;
	lw_sharebook_destroy(book);
	rc = lw_savefile_read(path, LW_SHARE_FILE_KIND, LW_SHARE_FILE_VERSION, &text, &size,
			      &err);
	if (rc)
		return rc == -ENOENT ? 0 : rc;
	rc = lw_share_known_parse(text, size, &known, &err);
	entries = known.count;
	lw_share_known_fini(&known);
	free(text);
	return rc ? rc : entries;
}

const struct keeper keepers[] = {
	{ "promises", "promises", make_promises, load_promises, .files = 1 },
	{ "last_ended", LW_PROMISE_ENDED_KIND, make_ended, load_ended, /* beside "last" */
	  .most = LW_PROMISE_ENDED_MAX, .files = 2 },
	{ "failures", "failures", make_failures, load_failures, .most = LW_FAILURES_MAX,
	  .files = 1 },
	{ "suspects", LW_SUSPECTS_KIND, make_suspects, load_suspects, .most = LW_SUSPECTS_MAX,
	  .files = 1 },
	{ "stops", LW_STOP_FILE_KIND, make_stops, load_stops, .most = LW_STOPS_MAX, .files = 1 },
	{ "since", "since", make_since, load_since, .files = 1 },
	{ "guarded", "guarded", keeper_make_guarded, keeper_load_guarded, .files = 1 },
	{ "outlook", "outlook", keeper_make_outlook, keeper_load_outlook, .files = 1 },
	{ "history", "history", make_history, load_history, .files = 1 },
	{ "share", LW_SHARE_FILE_KIND, make_share, load_share, .files = 1 },
	{ "settings", "settings", make_settings, load_settings, true, .most = 1, .files = 1 },
	/* folders of jobs and of users' lists, and the lock */
	{ "77.n1.gpu", "record", keeper_make_record, keeper_load_record, .files = 3,
	  .written = "jobs/77/77.n1.gpu", .lines = true },
};
const unsigned keeper_count = sizeof(keepers) / sizeof(keepers[0]);
