/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how much longer users' jobs run on one type of GPU than on another: the answer. */
/*
 * With n(g,t) runs of kind g on type t and their mean logarithm m(g,t), the times D(t) of a level
 * make
 *
 *   sum n(g,t) (m(g,t) - A(g) - D(t))^2 + k sum (D(t) - P(t))^2
 *
 * the least, P being the level above and A(g) what kind of job it is. A(g) is eliminated, and a
 * system of as many equations as there are types is left, symmetric and definite. k is the noise
 * of a run over the variance of levels about the one above.
 */
#include "predictor/speed.h"

#include "base/search.h"

#include <math.h>
#include <string.h>

/* How far a level lies from the one above, as a variance of logarithms: 0.4 squared. */
#define APART 0.16
/* What is thought of the noise before runs tell, 0.3 squared, and how many runs that is worth. */
#define NOISE      0.09
#define NOISE_RUNS 2

struct system {
	double a[LW_SPEED_TYPES_MAX][LW_SPEED_TYPES_MAX], b[LW_SPEED_TYPES_MAX];
	double runs[LW_SPEED_TYPES_MAX]; /* by type: what the level's jobs ran on */
	double logs; /* sum over the runs */
	double squares, spread_runs;
	uint32_t entries;
};

static void speed_ask_add_entry(struct system *system, const struct lw_speed_site *site,
				const struct lw_speed *speed)
{
	double n[LW_SPEED_TYPES_MAX], all = 0, sum = 0;

	for (uint32_t t = 0; t < site->types.count; t++) {
		n[t] = site->number[t] < 0 ? 0 : speed->runs[site->number[t]];
		all += n[t];
		if (n[t] > 0)
			sum += n[t] * speed->mean[site->number[t]] / LW_SPEED_ONE;
	}
	if (all <= 0)
		return;
	for (uint32_t t = 0; t < site->types.count; t++) {
		if (n[t] <= 0)
			continue;
		for (uint32_t u = 0; u < site->types.count; u++)
			system->a[t][u] += (t == u ? n[t] : 0) - n[t] * n[u] / all;
		system->b[t] +=
			n[t] * (speed->mean[site->number[t]] / (double)LW_SPEED_ONE - sum / all);
		system->runs[t] += n[t];
	}
	system->logs += sum;
	system->squares += (double)speed->spread / LW_SPEED_ONE * speed->spread_runs;
	system->spread_runs += speed->spread_runs;
	system->entries++;
}

/* Solve by Cholesky's method; A is overwritten. The ridge keeps it definite. */
static void speed_ask_solve(double a[][LW_SPEED_TYPES_MAX], double *b, uint32_t n)
{
	for (uint32_t j = 0; j < n; j++) {
		for (uint32_t k = 0; k < j; k++)
			for (uint32_t i = j; i < n; i++)
				a[i][j] -= a[i][k] * a[j][k];
		a[j][j] = sqrt(a[j][j]);
		for (uint32_t i = j + 1; i < n; i++)
			a[i][j] /= a[j][j];
	}
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < i; k++)
			b[i] -= a[i][k] * b[k];
		b[i] /= a[i][i];
	}
	for (uint32_t i = n; i-- > 0;) {
		for (uint32_t k = i + 1; k < n; k++)
			b[i] -= a[k][i] * b[k];
		b[i] /= a[i][i];
	}
}

/* TIME is the level above, and becomes this one. */
static void speed_ask_draw_level(struct system *system, uint32_t types, double *time)
{
	double noise =
		(NOISE * NOISE_RUNS + system->squares) / (NOISE_RUNS + system->spread_runs);
	double ridge = (noise + 1e-6) / APART;

	for (uint32_t t = 0; t < types; t++) {
		system->a[t][t] += ridge;
		system->b[t] += ridge * time[t];
	}
	speed_ask_solve(system->a, system->b, types);
	memcpy(time, system->b, types * sizeof(*time));
}

/* Types of unknown speed are as fast as the mean of the others. */
static void speed_ask_take_published(const struct lw_speed_types *types, double *time)
{
	double sum = 0, known = 0;

	for (uint32_t t = 0; t < types->count; t++)
		if (types->speed[t] > 0) {
			sum -= log(types->speed[t]);
			known++;
		}
	for (uint32_t t = 0; t < types->count; t++)
		time[t] = types->speed[t] > 0 ? -log(types->speed[t])
					      : sum / (known > 0 ? known : 1);
}

void lw_speeds_site(const struct lw_speeds *speeds, const struct lw_speed_types *types,
		    struct lw_speed_site *ret_site)
{
	struct lw_speed_site site = { .types = *types };
	struct system system = { .entries = 0 };

	for (uint32_t t = 0; t < types->count; t++)
		site.number[t] = lw_speeds_type(speeds, types->name[t]);
	speed_ask_take_published(types, site.time);
	for (uint32_t i = 0; i < speeds->count; i++)
		speed_ask_add_entry(&system, &site, &speeds->entries[i]);
	if (system.entries)
		speed_ask_draw_level(&system, types->count, site.time);
	site.entries = system.entries;
	*ret_site = site;
}

enum level { USER, TAG, NAME, OWN, LEVELS };

/* The most special level at which an entry of the user's tells of KEY. */
static enum level speed_ask_level_of(const struct lw_speed_key *key,
				     const struct lw_speed_key *theirs)
{
	bool named = key->name != LW_SPEED_NO_NAME && theirs->name == key->name;

	if (theirs->tag == key->tag && theirs->name == key->name && theirs->gpus == key->gpus)
		return OWN;
	return named ? NAME : theirs->tag == key->tag ? TAG : USER;
}

static bool speed_ask_is_of_level(const struct lw_speed_key *key,
				  const struct lw_speed_key *theirs, enum level level)
{
	enum level most = speed_ask_level_of(key, theirs);

	/* a job of the same name need not have the same tag */
	return level == TAG ? theirs->tag == key->tag : most >= level;
}

static uint32_t speed_ask_first_of_user(const struct lw_speeds *speeds, uint32_t user)
{
	uint32_t at;

	LW_SEARCH(at, speeds->count, speeds->entries[at].key.user < user);
	return at;
}

static void speed_ask_fill_levels(const struct lw_speeds *speeds,
				  const struct lw_speed_site *site,
				  const struct lw_speed_key *key, struct system *levels)
{
	memset(levels, 0, LEVELS * sizeof(*levels));
	for (uint32_t i = speed_ask_first_of_user(speeds, key->user);
	     i < speeds->count && speeds->entries[i].key.user == key->user; i++)
		for (int level = 0; level < LEVELS; level++)
			if (speed_ask_is_of_level(key, &speeds->entries[i].key,
						  (enum level)level))
				speed_ask_add_entry(&levels[level], site, &speeds->entries[i]);
}

/* Relative to what those ran on; to all types alike where none ever ran. */
static void speed_ask_set_apart(const double *time, const double *runs, uint32_t types,
				struct lw_speed_answer *answer)
{
	double sum = 0, all = 0;

	for (uint32_t t = 0; t < types; t++)
		all += runs[t];
	for (uint32_t t = 0; t < types; t++)
		sum += all > 0 ? time[t] * runs[t] / all : time[t] / types;
	for (uint32_t t = 0; t < types; t++)
		answer->time[t] = exp(time[t] - sum);
	answer->level_runs = (uint32_t)all;
}

/* With normal logarithms the mean of run times is above the median; within reason. */
static double speed_ask_mean_run_s(const struct system *own)
{
	double runs = 0, spread = own->spread_runs > 0 ? own->squares / own->spread_runs : 0;

	for (uint32_t t = 0; t < LW_SPEED_TYPES_MAX; t++)
		runs += own->runs[t];
	return runs > 0 ? exp(own->logs / runs + fmin(spread, 1) / 2) : 0;
}

void lw_speeds_ask(const struct lw_speeds *speeds, const struct lw_speed_site *site,
		   const struct lw_speed_key *key, struct lw_speed_answer *ret_answer)
{
	struct system levels[LEVELS];
	struct lw_speed_answer answer = { .level_runs = 0 };
	double time[LW_SPEED_TYPES_MAX], runs[LW_SPEED_TYPES_MAX] = { 0 };
	uint32_t types = site->types.count;

	memcpy(time, site->time, sizeof(time));
	speed_ask_fill_levels(speeds, site, key, levels);
	answer.run_s = speed_ask_mean_run_s(&levels[OWN]);
	for (uint32_t t = 0; t < types; t++)
		answer.runs[t] = (uint32_t)levels[OWN].runs[t];
	for (int level = 0; level < LEVELS; level++) {
		uint32_t below = 0;

		/* the same runs must not count twice */
		for (int next = level + 1; next < LEVELS; next++)
			below = levels[next].entries > below ? levels[next].entries : below;
		if (!levels[level].entries || levels[level].entries == below)
			continue;
		memcpy(runs, levels[level].runs, sizeof(runs));
		/* what all jobs taught is this user's alone */
		if (levels[level].entries == site->entries)
			speed_ask_take_published(&site->types, time);
		speed_ask_draw_level(&levels[level], types, time);
	}
	speed_ask_set_apart(time, runs, types, &answer);
	*ret_answer = answer;
}
