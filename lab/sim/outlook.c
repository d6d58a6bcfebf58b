/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how often jobs of a trace start by what would have been said of them. */
#include "lab/sim/outlook.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SPELL_S 86400

int lw_sim_outlook_init(struct lw_sim_outlook *outlook, uint32_t job_count,
			const struct lw_policy_params *params)
{
	memset(outlook, 0, sizeof(*outlook));
	outlook->params = *params;
	outlook->job_count = job_count;
	outlook->learned = malloc(sizeof(*outlook->learned));
	outlook->samples =
		calloc((size_t)job_count * LW_OUTLOOK_AGES + 1, sizeof(*outlook->samples));
	outlook->stages = calloc((size_t)job_count + 1, sizeof(*outlook->stages));
	if (!outlook->learned || !outlook->samples || !outlook->stages) {
		lw_sim_outlook_fini(outlook);
		return -ENOMEM;
	}
	lw_outlook_init(outlook->learned);
	return 0;
}

void lw_sim_outlook_fini(struct lw_sim_outlook *outlook)
{
	free(outlook->learned);
	free(outlook->samples);
	free(outlook->stages);
	outlook->learned = NULL;
	outlook->samples = NULL;
	outlook->stages = NULL;
	lw_ahead_fini(&outlook->ahead);
}

/* Has one reached an age at which it is said of anew? */
static bool is_due(const struct lw_sim_outlook *outlook, const struct lw_snapshot *snap,
		   const struct lw_sim_job *job, uint32_t index)
{
	return job->stops == 0 &&
	       lw_outlook_stage(snap->now_s - job->submit_s) > outlook->stages[index];
}

static void say_of(struct lw_sim_outlook *outlook, const struct lw_snapshot *snap,
		   const struct lw_sim_job *job, uint32_t index, uint32_t place)
{
	const struct lw_waiting *waiting = &snap->waiting[place];
	bool promised = job->latest_s != LW_NO_TIME && job->latest_s > snap->now_s;
	struct lw_outlook_case seen = {
		.base_s = promised ? job->latest_s - snap->now_s
				   : lw_ahead_before_s(&outlook->ahead, place),
		.promised = promised,
		.age_s = snap->now_s - job->submit_s,
		.share = lw_ahead_share(&outlook->ahead, &waiting->request),
		.queue = snap->queue.count,
	};
	struct lw_outlook_sample *sample = &outlook->samples[index * (size_t)LW_OUTLOOK_AGES];

	sample[outlook->stages[index]++] = lw_outlook_say(outlook->learned, &seen, snap->now_s);
}

int lw_sim_outlook_look(struct lw_sim_outlook *outlook, const struct lw_snapshot *snap,
			const struct lw_sim_job *jobs, const uint32_t *job_of)
{
	bool made = false;

	for (uint32_t i = 0; i < snap->queue.count; i++) {
		uint32_t place = snap->queue.order[i], index = job_of[place];

		for (uint32_t k = 0; k < outlook->stages[index]; k++)
			lw_outlook_waits(outlook->learned,
					 &outlook->samples[index * (size_t)LW_OUTLOOK_AGES + k],
					 snap->now_s);
		if (!is_due(outlook, snap, &jobs[index], index))
			continue;
		if (!made && lw_ahead_make(&outlook->ahead, snap, &outlook->params))
			return -ENOMEM;
		made = true;
		if (outlook->stages[index] < LW_OUTLOOK_AGES)
			say_of(outlook, snap, &jobs[index], index, place);
	}
	return 0;
}

/* Figures of one queue hold or miss together: a day without any parts two queues. */
static void count_row(struct lw_sim_outlook_row *row, const struct lw_outlook_sample *sample,
		      int64_t now_s)
{
	int64_t wait_s = now_s - sample->at_s;
	bool wide = lw_outlook_is_wide(sample->low_s, sample->p90_s);

	if (!row->count || now_s - row->last_s >= SPELL_S)
		row->spells++;
	row->last_s = now_s;
	row->count++;
	row->by_p50 += wait_s <= sample->p50_s;
	row->by_p90 += wait_s <= sample->p90_s;
	row->wide += wide;
	row->told_by_p90 += !wide && wait_s <= sample->p90_s;
	row->wait_s += (double)wait_s;
	row->p50_s += sample->p50_s;
	row->p90_s += sample->p90_s;
}

void lw_sim_outlook_started(struct lw_sim_outlook *outlook, uint32_t index, int64_t now_s)
{
	for (uint32_t i = 0; i < outlook->stages[index]; i++) {
		const struct lw_outlook_sample *sample =
			&outlook->samples[index * (size_t)LW_OUTLOOK_AGES + i];

		if (sample->known) {
			count_row(&outlook->rows[sample->queue], sample, now_s);
			count_row(&outlook->ages[sample->age], sample, now_s);
			count_row(&outlook->all, sample, now_s);
		}
		lw_outlook_learn(outlook->learned, sample, now_s);
	}
	outlook->stages[index] = 0;
}
