/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a history that learns, kept in a file. */
#ifndef LW_TESTS_LEARNING_H
#define LW_TESTS_LEARNING_H

#include "slurm/read/learn.h"
#include "unit/scratch.h"

#include <stdio.h>

#define NOW       100000
#define LIMIT     3600
#define FILE_NAME "leeway_history"

static struct lw_learn *learn;
static char path[192];
static char last_error[512], last_warning[512];

static inline void keep(void *arg, enum lw_log_level level, const char *line)
{
	(void)arg;
	if (level == LW_LOG_ERROR)
		snprintf(last_error, sizeof(last_error), "%s", line);
	else if (level == LW_LOG_WARN)
		snprintf(last_warning, sizeof(last_warning), "%s", line);
}

static const struct lw_log test_log = { .write = keep, .level = LW_LOG_INFO };

static inline void open_it(void)
{
	ck_assert_int_eq(lw_learn_create(path, NOW, &test_log, &learn), 0);
}

static inline void make(void)
{
	scratch_setup();
	snprintf(path, sizeof(path), "%s", scratch_path(FILE_NAME));
	last_error[0] = last_warning[0] = '\0';
	open_it();
}

static inline void destroy(void)
{
	lw_learn_destroy(learn);
	scratch_teardown();
}

static inline void reopen(void)
{
	lw_learn_destroy(learn);
	learn = NULL;
	open_it();
}

static inline struct lw_finished ended(uint32_t job_id, int64_t end_s, int64_t run_s)
{
	return (struct lw_finished){ .job_id = job_id,
				     .user_id = 7,
				     .partition = "gpu",
				     .limit_s = LIMIT,
				     .start_s = end_s - run_s,
				     .end_s = end_s };
}

static inline void note(struct lw_finished job)
{
	ck_assert_int_eq(lw_learn_note(learn, &job), 0);
}

static inline void save(int64_t now_s, bool at_once)
{
	struct lw_error err;

	ck_assert_int_eq(lw_learn_save(learn, now_s, at_once, &err), 0);
}

/* How many jobs it has learned. */
static inline uint64_t learned(void)
{
	struct lw_history_stats stats;

	lw_history_stats(lw_learn_history(learn), &stats);
	return stats.jobs;
}

#endif
