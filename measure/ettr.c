/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the effective training time ratio: which part of the allocated GPU time was productive.
 */
#include "measure/ettr.h"

#include <stddef.h>
#include <string.h>

/* Clocks differ by less. */
#define ETTR_SKEW_S 60

static bool ettr_begins(const char *state, const char *const *states)
{
	for (; *states; states++)
		if (strncmp(state, *states, strlen(*states)) == 0)
			return true;
	return false;
}

bool lw_ettr_is_interrupted(const char *state)
{
	static const char *const states[] = { "REQUEUE",       "NODE_FAIL",
					      "PREEMPTED",     "BOOT_FAIL",
					      "RECONFIG_FAIL", "LAUNCH_FAILED",
					      "SPECIAL_EXIT",  NULL };

	return ettr_begins(state, states);
}

bool lw_ettr_has_left(const char *state)
{
	static const char *const states[] = { "RESIZING", "STOPPED", NULL };

	return lw_ettr_is_interrupted(state) || ettr_begins(state, states);
}

static double ettr_within(double value, double most)
{
	return value < 0 ? 0 : value > most ? most : value;
}

/* The job's user writes the word, and it stays when the job is requeued: is it of this run? */
static bool ettr_is_of(const struct lw_ettr_attempt *run)
{
	return run->has_pace && run->pace.since_s >= run->start_s - ETTR_SKEW_S &&
	       run->pace.at_s >= run->pace.since_s && run->pace.at_s <= run->end_s + ETTR_SKEW_S;
}

/*
 * How long the run went on after the step at which the next one began, at its own rate. False:
 * not known.
 */
static bool ettr_repeated(const struct lw_ettr_attempt *run, const struct lw_ettr_attempt *next,
			  double *ret_s)
{
	const struct lw_pace *pace = &run->pace;
	double rate, saved_s;

	if (!next || !ettr_is_of(run) || !ettr_is_of(next) || pace->step <= pace->from ||
	    pace->at_s <= pace->since_s)
		return false;
	rate = (double)(pace->step - pace->from) / (double)(pace->at_s - pace->since_s);
	saved_s = (double)pace->at_s + ((double)next->pace.from - (double)pace->step) / rate;
	*ret_s = ettr_within((double)run->end_s - saved_s, (double)(run->end_s - run->start_s));
	return true;
}

void lw_ettr_add(struct lw_ettr *ettr, const struct lw_ettr_attempt *attempt,
		 const struct lw_ettr_attempt *next)
{
	double gpus = (double)attempt->gpus, ran_s = (double)(attempt->end_s - attempt->start_s);
	double lost_s = 0, restart_s = 0;

	if (attempt->gpus <= 0 || ran_s <= 0)
		return;
	ettr->runs++;
	ettr->interrupted += attempt->interrupted;
	ettr->allocated_s += gpus * ran_s;
	ettr->recorded_s += attempt->recorded ? gpus * ran_s : 0;
	if (attempt->interrupted && !ettr_repeated(attempt, next, &lost_s)) {
		ettr->doubt_s += gpus * ran_s;
		return;
	}
	ettr->repeated_s += gpus * lost_s;
	if (attempt->restart && ettr_is_of(attempt))
		restart_s = ettr_within((double)(attempt->pace.since_s - attempt->start_s),
					ran_s - lost_s);
	ettr->restart_s += gpus * restart_s;
	/* GPUs are idle while a program begins: that counts once */
	if (attempt->recorded && !attempt->interrupted)
		ettr->idle_s += ettr_within(attempt->idle_s - gpus * restart_s,
					    gpus * (ran_s - restart_s));
}

double lw_ettr_share(const struct lw_ettr *ettr, double part)
{
	return ettr->allocated_s > 0 ? part / ettr->allocated_s : -1;
}

double lw_ettr_most(const struct lw_ettr *ettr)
{
	double lost_s = ettr->repeated_s + ettr->restart_s + ettr->idle_s;

	return lw_ettr_share(ettr, ettr->allocated_s - lost_s);
}

double lw_ettr_least(const struct lw_ettr *ettr)
{
	double lost_s = ettr->repeated_s + ettr->restart_s + ettr->idle_s + ettr->doubt_s;

	return lw_ettr_share(ettr, ettr->allocated_s - lost_s);
}
