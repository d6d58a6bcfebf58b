/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what users are told of each waiting job, and what its start teaches. */
#ifndef LW_SLURM_OUTLOOK_H
#define LW_SLURM_OUTLOOK_H

#include "base/error.h"
#include "base/log.h"
#include "base/why.h"
#include "planner/model/params.h"
#include "planner/model/plan.h"
#include "planner/model/statement.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A word for each job (base/why.h) is written where its user reads it (keep/marking.h). It is
 * written at most once in LW_OUTLOOK_EVERY_S, and only if it has changed or is older than
 * LW_OUTLOOK_RENEW_S. What starts teach is kept in StateSaveLocation (predictor/outlook.h).
 */
struct lw_outlooks;
struct lw_outlook;

#define LW_OUTLOOK_EVERY_S 60
#define LW_OUTLOOK_RENEW_S 600
/* Further jobs get no word: memory is bounded to some 170 bytes a job, and the word. */
#define LW_OUTLOOK_JOBS_MAX 20000
/* The most words written in one cycle, with the locks held; the others follow in the next. */
#define LW_OUTLOOK_WORDS_MAX 500
/* The most names of partitions; there are no hints on others. */
#define LW_OUTLOOK_PARTS_MAX 1000
/* Hints are of the moment: they are asked for again, and those not found again are not published.
 */
#define LW_OUTLOOK_HINT_S 120

/*
 * Load what was learned from PATH, which is copied. A damaged file is reported and set aside,
 * and learning starts afresh. 0 or -ENOMEM. LOG is borrowed.
 */
int lw_outlooks_create(const char *path, int64_t now_s, const struct lw_log *log,
		       struct lw_outlooks **ret_outlooks);
/* Does not save. */
void lw_outlooks_destroy(struct lw_outlooks *outlooks);
/* Write the file if it is time, or AT_ONCE. 0, or -errno with ERR. */
int lw_outlooks_save(struct lw_outlooks *outlooks, int64_t now_s, bool at_once,
		     struct lw_error *err);

/* The input of lw_outlooks_cycle(). */
struct lw_outlook_cycle {
	const struct lw_policy_params *params;
	const struct lw_snapshot *snap;
	const struct lw_plan *plan;
	bool guards;      /* deadlines are accepted, and users are told so */
	bool hide_others; /* words must not contain ids of other users' jobs */
	bool zoned;       /* words have the cluster's zone: zone_min */
	int16_t zone_min; /* as in base/why.h */
	/* what is shown of JOB_ID beside its word, or NULL; NULL: nothing is, of any job */
	const struct lw_statement *(*shown)(void *arg, uint32_t job_id);
	/* add to ABOUT, which has snapshot and decision, what neither has; NULL: there is none */
	void (*ask)(void *arg, struct lw_statement_case *about);
	void *arg;
};

/*
 * Learn from the jobs of the snapshot that have started, and prepare words for jobs that wait
 * for room. Needs no locks. -ENOMEM: fewer words.
 */
int lw_outlooks_cycle(struct lw_outlooks *outlooks, const struct lw_outlook_cycle *cycle);

/*
 * The next job to find hints for, before the words on PLAN are prepared: by turns one that shows
 * hints of an earlier plan, and one after the other of the jobs that wait for room in PLAN, cycle
 * after cycle; NULL if all had their turn lately.
 */
const struct lw_decision *lw_outlooks_ask(struct lw_outlooks *outlooks,
					  const struct lw_plan *plan, int64_t now_s);
/*
 * The jobs for which hints will most likely be searched after the next plan, so that the reading
 * can prepare for them. Their ids go to IDS[MOST]; returns how many.
 */
uint32_t lw_outlooks_next(struct lw_outlooks *outlooks, const struct lw_plan *plan, uint32_t *ids,
			  uint32_t most);
/* The value of a hint on partition NAME; 0: there can be none. */
uint32_t lw_outlooks_part(struct lw_outlooks *outlooks, const char *name);
/* The hints of JOB_ID: HINTS up to the first of kind NONE. */
void lw_outlooks_hint(struct lw_outlooks *outlooks, uint32_t job_id,
		      const struct lw_hint hints[LW_WHY_HINTS], int64_t now_s);
/* HINT was refused: the next words of the job do not have it. */
void lw_outlooks_unhint(struct lw_outlooks *outlooks, uint32_t job_id,
			const struct lw_hint *hint);

/*
 * Pass each prepared word to WRITE, and NULL for words to be removed. False: the job is gone.
 * Afterwards nothing is prepared. Returns how many there were.
 */
typedef bool (*lw_outlooks_write_f)(void *arg, uint32_t job_id, const char *word);
uint32_t lw_outlooks_write(struct lw_outlooks *outlooks, lw_outlooks_write_f write, void *arg);
/* Remove all words in the same way. */
void lw_outlooks_clear(struct lw_outlooks *outlooks, lw_outlooks_write_f write, void *arg);

uint32_t lw_outlooks_count(const struct lw_outlooks *outlooks);
/* Valid as long as OUTLOOKS. */
const struct lw_outlook *lw_outlooks_learned(const struct lw_outlooks *outlooks);

#endif
