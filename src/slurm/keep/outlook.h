/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is said of each job that waits, and what its start then teaches. */
#ifndef LW_SLURM_OUTLOOK_H
#define LW_SLURM_OUTLOOK_H

#include "base/error.h"
#include "base/log.h"
#include "base/why.h"
#include "planner/model/params.h"
#include "planner/model/plan.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A word for each job (base/why.h), which is written where its user reads it (keep/marking.h) at
 * most once in LW_OUTLOOK_EVERY_S, and only when it says something else, or is older than
 * LW_OUTLOOK_RENEW_S. What starts teach is kept in StateSaveLocation (predictor/outlook.h).
 */
struct lw_outlooks;
struct lw_outlook;

#define LW_OUTLOOK_EVERY_S 60
#define LW_OUTLOOK_RENEW_S 600
/* Of more jobs nothing is said: memory is bounded to some 170 bytes each, and the word. */
#define LW_OUTLOOK_JOBS_MAX 20000
/* So many words are written in one cycle, with the locks held; the others in the next. */
#define LW_OUTLOOK_WORDS_MAX 500
/* So many names of partitions are known; hints on others are not made. */
#define LW_OUTLOOK_PARTS_MAX 1000
/* Hints are of the moment: older ones are not shown. */
#define LW_OUTLOOK_HINT_S 300

/*
 * Load what was learned from PATH, which is copied. A damaged file is reported, set aside and
 * started afresh. 0 or -ENOMEM. LOG is borrowed.
 */
int lw_outlooks_create(const char *path, int64_t now_s, const struct lw_log *log,
		       struct lw_outlooks **ret_outlooks);
/* Does not save. */
void lw_outlooks_destroy(struct lw_outlooks *outlooks);
/* Write the file when it is time, or AT_ONCE. 0, or -errno with ERR. */
int lw_outlooks_save(struct lw_outlooks *outlooks, int64_t now_s, bool at_once,
		     struct lw_error *err);

/* What a cycle has, for lw_outlooks_cycle(). */
struct lw_outlook_cycle {
	const struct lw_policy_params *params;
	const struct lw_snapshot *snap;
	const struct lw_plan *plan;
	bool guards;      /* deadlines are accepted, and jobs are told whether theirs is */
	bool hide_others; /* who may not see others' jobs is told no id of theirs */
	/* the latest start that JOB_ID was promised, or 0 */
	int64_t (*latest_s)(void *arg, uint32_t job_id);
	void *arg;
};

/*
 * Learn from the jobs of the snapshot that have started, and prepare words for those that wait
 * for room. Needs no locks. -ENOMEM: less is said.
 */
int lw_outlooks_cycle(struct lw_outlooks *outlooks, const struct lw_outlook_cycle *cycle);

/*
 * The next job of which is to be found out what would let it start now: of those that wait for
 * room in PLAN, one after the other, cycle after cycle; NULL if all of them were asked for
 * lately.
 */
const struct lw_decision *lw_outlooks_ask(struct lw_outlooks *outlooks,
					  const struct lw_plan *plan, int64_t now_s);
/*
 * Which jobs will most likely be asked for first after the next plan: what is to be read of Slurm
 * for the questions is read of these. Their ids to IDS[MOST]; how many.
 */
uint32_t lw_outlooks_next(const struct lw_outlooks *outlooks, const struct lw_plan *plan,
			  uint32_t *ids, uint32_t most);
/* The number that a hint on partition NAME has as its value; 0: it can have none. */
uint32_t lw_outlooks_part(struct lw_outlooks *outlooks, const char *name);
/* The answer: HINTS up to the first of kind NONE. */
void lw_outlooks_hint(struct lw_outlooks *outlooks, uint32_t job_id,
		      const struct lw_hint hints[LW_WHY_HINTS], int64_t now_s);

/*
 * Hand each word that was prepared to WRITE, and NULL for those that are to be taken off. False:
 * the job is gone. Then nothing is prepared any more. How many there were.
 */
typedef bool (*lw_outlooks_write_f)(void *arg, uint32_t job_id, const char *word);
uint32_t lw_outlooks_write(struct lw_outlooks *outlooks, lw_outlooks_write_f write, void *arg);
/* The same of all words there are: take them off. */
void lw_outlooks_clear(struct lw_outlooks *outlooks, lw_outlooks_write_f write, void *arg);

uint32_t lw_outlooks_count(const struct lw_outlooks *outlooks);
/* Valid as long as OUTLOOKS. */
const struct lw_outlook *lw_outlooks_learned(const struct lw_outlooks *outlooks);

#endif
