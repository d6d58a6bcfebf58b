/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how well run times are predicted, measured on line over a trace. */
#include "lab/history/accuracy.h"

#include <errno.h>
#include <stdlib.h>

#include "measure/learnable.h"
#include "predictor/predict.h"

const int64_t lw_accuracy_elapsed_s[LW_ACCURACY_ELAPSED] = { 0, 600, 1800, 3600, 7200 };
const double lw_accuracy_quantiles[LW_ACCURACY_QUANTILES] = { 0.5, 0.8, 0.9, 0.95 };

#define MEDIAN_AT 0 /* their places in lw_accuracy_quantiles */
#define Q90_AT	  2

/* Something that happens to a job: it ends, or it has run an elapsed time. */
struct event {
	int64_t at_s;
	uint32_t job;
	int32_t elapsed; /* -1: it ends */
};

struct cycle {
	struct lw_history_job *jobs;
	struct lw_estimate **estimates; /* by job: while it runs */
	struct event *events;
	uint32_t event_count;
	uint32_t ended;
	struct lw_history *history;
	struct lw_accuracy *accuracy;
};

const char *lw_accuracy_name(enum lw_accuracy_by by)
{
	static const char *const names[] = { "limit", "last2", "median", "mean", "q90" };

	return (unsigned)by < LW_ACCURACY_PREDICTORS ? names[by] : "?";
}

/*
 * Of what happens in a second: what ended now is known now, but for a job that ran for less
 * than a second, which is predicted before it is learned.
 */
static int turn_of(const struct event *event, const struct lw_history_job *jobs)
{
	if (!jobs[event->job].run_s)
		return 1;
	return event->elapsed < 0 ? 0 : 2;
}

static int compare_events(const void *left, const void *right, void *jobs)
{
	const struct event *a = left, *b = right;
	int x = turn_of(a, jobs), y = turn_of(b, jobs);

	if (a->at_s != b->at_s)
		return a->at_s < b->at_s ? -1 : 1;
	if (x != y)
		return x - y;
	if (a->job != b->job)
		return a->job < b->job ? -1 : 1;
	/* its start before its end, which is -1 */
	return b->elapsed - a->elapsed;
}

static int64_t scored_run_s(const struct lw_history_job *job)
{
	return job->run_s < job->limit_s ? job->run_s : job->limit_s;
}

static void list_events(struct cycle *cycle, uint32_t job_count)
{
	for (uint32_t i = 0; i < job_count; i++) {
		const struct lw_history_job *job = &cycle->jobs[i];

		cycle->events[cycle->event_count++] = (struct event){ job->end_s, i, -1 };
		for (int k = 0; k < LW_ACCURACY_ELAPSED; k++) {
			int64_t elapsed_s = lw_accuracy_elapsed_s[k];

			if (elapsed_s && scored_run_s(job) <= elapsed_s)
				continue;
			cycle->events[cycle->event_count++] =
				(struct event){ job->end_s - job->run_s + elapsed_s, i, k };
		}
	}
	qsort_r(cycle->events, cycle->event_count, sizeof(cycle->events[0]), compare_events,
		cycle->jobs);
}

static void score(struct lw_accuracy_score *ret_score, int64_t predicted_s, int64_t run_s)
{
	double p = predicted_s > 1 ? (double)predicted_s : 1, a = run_s > 1 ? (double)run_s : 1;

	ret_score->accuracy += p < a ? p / a : a / p;
	ret_score->under += predicted_s < run_s;
	ret_score->mean_abs_s += p < a ? a - p : p - a;
}

/* Of JOB when it has run ELAPSED_S. */
static struct lw_history_key key_of(const struct lw_history_job *job, int64_t elapsed_s)
{
	return (struct lw_history_key){
		.user = job->user,
		.partition = job->partition,
		.limit_s = job->limit_s,
		.width = job->width,
		.now_s = job->end_s - job->run_s + elapsed_s,
	};
}

static void predict(struct cycle *cycle, const struct event *event)
{
	const struct lw_history_job *job = &cycle->jobs[event->job];
	struct lw_accuracy_row *row = &cycle->accuracy->rows[event->elapsed];
	int64_t elapsed_s = lw_accuracy_elapsed_s[event->elapsed], run_s = scored_run_s(job);
	const struct lw_history_key key = key_of(job, elapsed_s);
	int64_t guesses_s[LW_ACCURACY_PREDICTORS], quantiles_s[LW_ACCURACY_QUANTILES];
	int64_t last_s, before_s;

	for (int i = 0; i < LW_ACCURACY_QUANTILES; i++) {
		quantiles_s[i] = lw_predict_quantile(cycle->history, &key, elapsed_s,
						     lw_accuracy_quantiles[i]);
		row->holds[i] += run_s <= quantiles_s[i];
	}
	lw_predict_recent(cycle->history, &key, &last_s, &before_s);
	guesses_s[LW_ACCURACY_LIMIT] = job->limit_s;
	guesses_s[LW_ACCURACY_LAST2] =
		lw_predict_last2(last_s, before_s, job->limit_s, elapsed_s);
	guesses_s[LW_ACCURACY_MEDIAN] = quantiles_s[MEDIAN_AT];
	guesses_s[LW_ACCURACY_MEAN] = lw_predict_mean(cycle->history, &key, elapsed_s);
	guesses_s[LW_ACCURACY_Q90] = quantiles_s[Q90_AT];
	for (int i = 0; i < LW_ACCURACY_PREDICTORS; i++)
		score(&row->scores[i], guesses_s[i], run_s);
	row->jobs++;
}

static int accuracy_start(struct cycle *cycle, uint32_t job)
{
	const struct lw_history_key key = key_of(&cycle->jobs[job], 0);

	cycle->estimates[job] = malloc(sizeof(**cycle->estimates));
	if (!cycle->estimates[job])
		return -ENOMEM;
	lw_predict_estimate(cycle->history, &key, cycle->estimates[job]);
	return 0;
}

static int accuracy_end(struct cycle *cycle, uint32_t job)
{
	int rc;

	cycle->jobs[job].estimate = cycle->estimates[job];
	rc = lw_history_add(cycle->history, &cycle->jobs[job]);
	cycle->jobs[job].estimate = NULL;
	free(cycle->estimates[job]);
	cycle->estimates[job] = NULL;
	cycle->ended++;
	return rc;
}

static int run_events(struct cycle *cycle)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < cycle->event_count; i++) {
		const struct event *event = &cycle->events[i];

		if (event->elapsed < 0)
			rc = accuracy_end(cycle, event->job);
		else if (event->elapsed == 0)
			rc = accuracy_start(cycle, event->job);
		if (event->elapsed >= 0 && cycle->ended >= LW_ACCURACY_WARM_UP)
			predict(cycle, event);
	}
	return rc;
}

/* Sums become means. */
static void accuracy_settle(struct lw_accuracy_row *row)
{
	if (!row->jobs)
		return;
	for (int i = 0; i < LW_ACCURACY_PREDICTORS; i++) {
		row->scores[i].accuracy /= row->jobs;
		row->scores[i].under /= row->jobs;
		row->scores[i].mean_abs_s /= row->jobs;
	}
	for (int i = 0; i < LW_ACCURACY_QUANTILES; i++)
		row->holds[i] /= row->jobs;
}

static int accuracy_measure(struct cycle *cycle, uint32_t keys_max)
{
	uint32_t jobs = cycle->accuracy->jobs;
	int rc = lw_history_create(keys_max, &cycle->history);

	if (rc)
		return rc;
	cycle->events = calloc((size_t)jobs * (LW_ACCURACY_ELAPSED + 1), sizeof(*cycle->events));
	cycle->estimates = calloc(jobs, sizeof(*cycle->estimates));
	if (!cycle->events || !cycle->estimates)
		return -ENOMEM;
	list_events(cycle, jobs);
	rc = run_events(cycle);
	for (int k = 0; k < LW_ACCURACY_ELAPSED; k++)
		accuracy_settle(&cycle->accuracy->rows[k]);
	lw_history_stats(cycle->history, &cycle->accuracy->history);
	return rc;
}

int lw_accuracy_measure(const struct lw_swf *swf, bool users_are_groups, uint32_t keys_max,
			struct lw_accuracy *ret_accuracy, struct lw_error *err)
{
	struct lw_history_job *jobs = calloc((size_t)swf->job_count + 1, sizeof(*jobs));
	struct lw_accuracy accuracy = { 0 };
	struct cycle cycle = { .jobs = jobs, .accuracy = &accuracy };
	int rc;

	if (!jobs)
		return lw_error_set(err, -ENOMEM, "out of memory");
	for (uint32_t i = 0; i < swf->job_count; i++)
		accuracy.jobs += lw_swf_learnable(&swf->jobs[i], users_are_groups,
						  &jobs[accuracy.jobs]);
	accuracy.left_out = swf->job_count - accuracy.jobs;
	if (accuracy.jobs)
		rc = accuracy_measure(&cycle, keys_max);
	else
		rc = lw_error_set(err, -ENODATA, "no job has a time limit to predict within");
	if (rc == -ENOMEM)
		lw_error_set(err, rc, "out of memory");
	if (!rc)
		*ret_accuracy = accuracy;
	for (uint32_t i = 0; cycle.estimates && i < accuracy.jobs; i++)
		free(cycle.estimates[i]);
	lw_history_destroy(cycle.history);
	free(cycle.estimates);
	free(cycle.events);
	free(jobs);
	return rc;
}
