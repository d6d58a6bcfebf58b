/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what finished jobs taught of run times, by user, partition and limit. */
#ifndef LW_PREDICTOR_HISTORY_H
#define LW_PREDICTOR_HISTORY_H

#include "base/error.h"
#include "base/strbuf.h"
#include "predictor/calibration.h"
#include "predictor/habit.h"
#include "predictor/speed.h"
#include "predictor/window.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A history keeps, for every key, the last LW_WINDOW_SAMPLES run times of the jobs that have it.
 * A job has up to four keys, from the most general: its limit, its partition with the limit, its
 * user, its user with the limit. (The requested limit is a class and no estimate: Tsafrir, Using
 * inaccurate estimates accurately, JSSPP 2010.) The samples of a user with a limit know the
 * job's width, so that the last ones of a width can be picked without keys of their own.
 * predict.h uses it.
 *
 * Memory: at most keys_max keys of 2.1 KiB each, and 8 bytes of hash table a key; so 17 MiB for
 * the default. A further key replaces the key that has not learned for longest. Two bounds keep
 * users from displacing each other's keys. At most an eighth may be keys that one user alone
 * taught (base/quota.h): a further one replaces the user's own. If more than half are keys of
 * limits that several users taught (or from a file, which names no user of a limit), in a full
 * table the oldest of these goes. So two users leave a quarter of the default to all others.
 * Adding a job costs O(keys of a job x LW_WINDOW_SAMPLES), whatever the history holds; finding a
 * key is O(1) expected.
 *
 * Before a job is learned, its run time is compared with what was known of it at its start, so
 * that the history knows how far its own predictions can be trusted (calibration.h). If users
 * send hundreds of like jobs, these push each other out of the windows; for exact results then,
 * a caller keeps the estimate of each running job.
 *
 * Pure: no clock, no file. The same jobs in the same order make the same history. Reading never
 * changes it, so readers may share it as long as no job is added.
 */

#define LW_HISTORY_KEYS_DEFAULT 8192
#define LW_HISTORY_KEYS_MAX	1048576
/* In place of an unknown user or partition: there is no key of that kind then. */
#define LW_HISTORY_NOBODY UINT32_MAX
/* Longer run times and limits count as this long: ten years. */
#define LW_HISTORY_TIME_MAX_S INT64_C(315360000)
/* Ends beyond it on either side of 0 count as this: 34,000 years. */
#define LW_HISTORY_CLOCK_MAX_S (INT64_C(1) << 40)

struct lw_history;

/* A job before its end. */
struct lw_history_key {
	uint32_t user;	    /* any number that the caller has for a name, such as the uid; or
			     * unknown, see above */
	uint32_t partition; /* likewise */
	int64_t limit_s;    /* the hard limit; below 1 counts as 1 */
	uint32_t width;	    /* how many CPUs it asks for; 0: not known */
	int64_t now_s;	    /* the time of the question, on the clock of the ends; 0: not
			     * known */
};

struct lw_history_job {
	uint32_t user;
	uint32_t partition;
	int64_t limit_s;
	int64_t run_s; /* how long it held its nodes; below 0 counts as 0 */
	/* how long all of its work takes on its GPUs, if that is something else; 0: run_s */
	int64_t work_s;
	int64_t end_s; /* on the caller's clock; jobs are added in order of ends */
	/*
	 * It did not end by itself at run_s but would have run longer: killed at its limit, or
	 * by a node failure, or preempted. For a job cancelled by its user the caller decides; a
	 * planner of nodes wants to know when they come free, so false.
	 */
	bool killed_at_limit;
	uint32_t width; /* as in struct lw_history_key */
	uint32_t tag;   /* as in struct lw_habit_key; used if gpu or gpu_type is known */
	uint32_t nodes; /* that it held; 0: not known. Traffic is learned only for several
			 * nodes */
	struct lw_gpu_use gpu;
	const char *gpu_type; /* lent for the call; NULL: none, several, or not known */
	uint32_t gpus;        /* that it held */
	uint32_t name;        /* lw_history_name_id() of its name, or LW_SPEED_NO_NAME */
	/*
	 * Lent for the call: the result of lw_predict_estimate() at its start. NULL: not known;
	 * it is computed from what the windows still have of that time.
	 */
	const struct lw_estimate *estimate;
};

enum lw_history_level {
	LW_HISTORY_LIMIT,
	LW_HISTORY_PARTITION, /* and limit */
	LW_HISTORY_USER,
	LW_HISTORY_USER_LIMIT,
	LW_HISTORY_LEVELS,
};

/* 1 <= KEYS_MAX <= LW_HISTORY_KEYS_MAX; 0: the default. 0, -EINVAL or -ENOMEM. */
int lw_history_create(uint32_t keys_max, struct lw_history **ret_history);
void lw_history_destroy(struct lw_history *history);

/* Learn one ended job. After -ENOMEM the history is usable, with a part of the job missing. */
int lw_history_add(struct lw_history *history, const struct lw_history_job *job);

/* How often predictions came true. Valid as long as the history. */
const struct lw_calibration *lw_history_calibration(const struct lw_history *history);

/* What users' jobs use of their GPUs. Valid as long as the history. */
const struct lw_habits *lw_history_habits(const struct lw_history *history);

/* How much longer jobs run on one type of GPU than on another. Valid as long as the history. */
const struct lw_speeds *lw_history_speeds(const struct lw_history *history);

/* lw_habits_communicate() for a gang of USER with TAG and LIMIT_S. */
bool lw_history_communicates(const struct lw_history *history, uint32_t user, uint32_t tag,
			     int64_t limit_s, bool tagged);

/* lw_habits_memory_mib() for jobs of USER with TAG and LIMIT_S. */
uint32_t lw_history_memory_mib(const struct lw_history *history, uint32_t user, uint32_t tag,
			       int64_t limit_s);

/* The window of KEY at LEVEL, or NULL if there is none. Valid until the next change. */
const struct lw_window *lw_history_window(const struct lw_history *history,
					  const struct lw_history_key *key,
					  enum lw_history_level level);

/* Jobs learned, keys held, keys displaced by newer ones. */
struct lw_history_stats {
	uint64_t jobs;
	uint64_t evicted;
	uint32_t keys;
};
void lw_history_stats(const struct lw_history *history, struct lw_history_stats *ret_stats);

/* A number for a name without one, such as a partition's: the same on every machine. */
uint32_t lw_history_name_id(const char *name);

/* One key and what it learned. */
struct lw_history_view {
	enum lw_history_level level;
	uint32_t who;	 /* user or partition; 0 if the level has none */
	int64_t limit_s; /* 0 if the level has none */
	const struct lw_window *window;
};

/*
 * Go through the keys, in order of their last learning. *CURSOR starts at 0 and belongs to this
 * function. False at the end. Valid until the next change.
 */
bool lw_history_next(const struct lw_history *history, uint32_t *cursor,
		     struct lw_history_view *ret_view);

/*
 * The history as text, the same bytes for the same history, for base/savefile
 * (doc/dev/format-history.txt). -ENOMEM is also kept in OUT.
 */
#define LW_HISTORY_FILE_KIND	"history"
/* 1 had no widths, 2 no use of GPUs, 3 no traffic, 4 nothing of GPM, 5 no speeds of types */
#define LW_HISTORY_FILE_VERSION 6
int lw_history_print(const struct lw_history *history, struct lw_strbuf *out);
/*
 * Read it back; any bytes are safe. KEYS_MAX as for create: beyond it, newer keys displace older
 * ones. -EBADMSG with ERR naming the line; -EINVAL, -ENOMEM.
 */
int lw_history_parse(const char *text, size_t size, uint32_t keys_max,
		     struct lw_history **ret_history, struct lw_error *err);

#endif
