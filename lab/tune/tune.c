/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway tune: try settings on one half of a log, and judge them on the other. */
#include "lab/tune/tune.h"

#include "lab/questions/dist.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WEEK_S INT64_C(604800)
#define DAY_S  INT64_C(86400)
/* The log is cut into at least so many pieces. */
#define PIECES 8
/* A candidate may not have a 99th percentile of waits that is longer by more. */
#define P99_MOST 1.1

static const struct {
	const char *settings, *words;
} tried[] = {
	{ "", "as it is" },
#define LW_CANDIDATE(settings, words) { settings, words },
#include "lab/tune/candidates.def"
};

#define TRIED (sizeof(tried) / sizeof(tried[0]))

_Static_assert(TRIED <= LW_TUNE_MOST, "too many candidates");

/* ---- the halves ---- */

struct halves {
	struct lw_tune *tune;
	const struct lw_sample *sample; /* its weeks, if any, are the pieces that count */
	int64_t first_s, piece_s;
	uint32_t next; /* the candidate that ends next */
	double *waits; /* room for those of all jobs */
};

static int64_t halves_piece_s(int64_t span_s)
{
	if (span_s >= PIECES * WEEK_S)
		return WEEK_S;
	if (span_s >= PIECES * DAY_S)
		return DAY_S;
	return span_s / PIECES + 1;
}

/* LW_TUNE_HALVES: the job does not count. */
static enum lw_tune_half halves_half_of(const struct halves *halves, const struct lw_sim_job *job)
{
	int64_t piece = (job->submit_s - halves->first_s) / halves->piece_s;

	if (halves->sample->weeks) {
		uint32_t week = lw_sample_week(halves->sample, job->submit_s);

		if (week == halves->sample->weeks)
			return LW_TUNE_HALVES;
		piece = week;
	}
	return piece % 2 ? LW_TUNE_ODD : LW_TUNE_EVEN;
}

/* BASE_WAIT_S: NULL for the base. */
static void halves_judge(struct halves *halves, const struct lw_simrun *run,
			 const int64_t *base_wait_s, enum lw_tune_half half,
			 struct lw_tune_part *part)
{
	double sum = 0;
	uint32_t longer = 0;

	for (uint32_t i = 0; i < run->job_count; i++) {
		int64_t wait_s = lw_harm_wait_s(&run->jobs[i]);

		if (wait_s == LW_NO_TIME || halves_half_of(halves, &run->jobs[i]) != half)
			continue;
		halves->waits[part->jobs++] = (double)wait_s;
		sum += (double)wait_s;
		longer += base_wait_s && base_wait_s[i] != LW_NO_TIME &&
			  wait_s - base_wait_s[i] > LW_HARM_S;
	}
	if (!part->jobs)
		return;
	lw_dist_sort(halves->waits, part->jobs);
	part->wait_s = sum / part->jobs;
	part->p99_s = lw_dist_quantile(halves->waits, part->jobs, 0.99);
	part->longer = (double)longer / part->jobs;
}

static int halves_ended(void *arg, struct lw_simrun *run, const int64_t *base_wait_s)
{
	struct halves *halves = arg;
	struct lw_tune_candidate *candidate = &halves->tune->candidates[halves->next++];

	for (int half = 0; half < LW_TUNE_HALVES; half++)
		halves_judge(halves, run, base_wait_s, (enum lw_tune_half)half,
			     &candidate->part[half]);
	lw_simrun_fini(run);
	return 0;
}

/* ---- runs ---- */

static int tune_base(const struct lw_tune_request *request, struct lw_simbase *base,
		     struct lw_error *err)
{
	*base = (struct lw_simbase){ .sets = request->sets, .set_count = request->set_count };
	return lw_simsettings_site(&base->settings, request->config, err);
}

static int tune_parse(const struct lw_simbase *base, const char *text, struct lw_simrun *run,
		      struct lw_error *err)
{
	struct lw_simsettings settings;

	return lw_simspec_parse(base, text, &settings, &run->spec, err);
}

static int tune_try_all(struct lw_tune *tune, const struct lw_simtrace *trace,
			const struct lw_simbase *base, const struct lw_tune_request *request,
			struct lw_error *err)
{
	const struct lw_tracejobs *jobs = &trace->jobs;
	int64_t first_s = jobs->jobs[0].submit_s;
	int64_t span_s = jobs->jobs[jobs->count - 1].submit_s - first_s;
	struct halves halves = { .tune = tune,
				 .sample = request->sample,
				 .first_s = first_s,
				 .piece_s = halves_piece_s(span_s) };
	struct lw_simrepeat once = {
		.seed = 1, .at_once = request->at_once, .ended = halves_ended, .arg = &halves
	};
	struct lw_simrun *runs = calloc(TRIED, sizeof(*runs));
	int rc = 0;

	halves.waits = calloc((size_t)jobs->count + 1, sizeof(*halves.waits));
	if (!runs || !halves.waits)
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	for (uint32_t i = 0; !rc && i < TRIED; i++) {
		tune->candidates[i].settings = tried[i].settings;
		tune->candidates[i].words = tried[i].words;
		rc = tune_parse(base, tried[i].settings, &runs[i], err);
	}
	if (!rc)
		rc = lw_simruns_do(runs, TRIED, trace, &once, err);
	for (uint32_t i = 0; runs && i < TRIED; i++)
		lw_simrun_fini(&runs[i]);
	tune->count = TRIED;
	tune->pieces = request->sample->weeks ? request->sample->weeks
					      : (uint32_t)(span_s / halves.piece_s) + 1;
	tune->piece_s = request->sample->weeks ? WEEK_S : halves.piece_s;
	tune->of_weeks = request->sample->weeks ? request->sample->of_weeks : 0;
	free(halves.waits);
	free(runs);
	return rc;
}

static double tune_spread(const struct lw_simrun *run)
{
	return lw_share(run->sd.value[LW_FIGURE_WAIT], run->mean.value[LW_FIGURE_WAIT]);
}

/* How far what is advised is off from one shake to the next. */
static int tune_shake(struct lw_tune *tune, const struct lw_simtrace *trace,
		      const struct lw_simbase *base, uint32_t at_once, struct lw_error *err)
{
	struct lw_simrepeat repeat = { .shakes = LW_TUNE_SHAKES,
				       .shake_by_s = LW_TUNE_SHAKE_S,
				       .seed = 1,
				       .at_once = at_once };
	struct lw_simrun runs[2] = { { .job_count = 0 } };
	double ratio, spread;
	int rc = tune_parse(base, "", &runs[0], err);

	if (!rc)
		rc = tune_parse(base, tune->candidates[tune->advised].settings, &runs[1], err);
	if (!rc)
		rc = lw_simruns_do(runs, 2, trace, &repeat, err);
	ratio = lw_share(runs[1].mean.value[LW_FIGURE_WAIT], runs[0].mean.value[LW_FIGURE_WAIT]);
	spread = 2 * hypot(tune_spread(&runs[0]), tune_spread(&runs[1]));
	tune->least = ratio * (spread < 1 ? 1 - spread : 0);
	tune->most = ratio * (1 + spread);
	for (int i = 0; i < 2; i++)
		lw_simrun_fini(&runs[i]);
	return rc;
}

/* ---- the choice ---- */

double lw_tune_by_base(const struct lw_tune *tune, uint32_t i, enum lw_tune_half half)
{
	return lw_share(tune->candidates[i].part[half].wait_s,
			tune->candidates[0].part[half].wait_s);
}

static bool tune_harms(const struct lw_tune *tune, uint32_t i, enum lw_tune_half half,
		       double most)
{
	const struct lw_tune_part *part = &tune->candidates[i].part[half];

	return part->longer > most ||
	       part->p99_s > P99_MOST * tune->candidates[0].part[half].p99_s + 60;
}

/* The candidate of the shortest mean wait in HALF that harms nothing there; of equals the first. */
static uint32_t tune_choose(const struct lw_tune *tune, enum lw_tune_half half)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < tune->count; i++)
		if (!tune->candidates[i].harms[half] &&
		    tune->candidates[i].part[half].wait_s <
			    tune->candidates[best].part[half].wait_s)
			best = i;
	return best;
}

/* Is what ONE half chose no worse, and without harm, on the other? */
static bool tune_holds(const struct lw_tune *tune, enum lw_tune_half one)
{
	enum lw_tune_half other = one == LW_TUNE_EVEN ? LW_TUNE_ODD : LW_TUNE_EVEN;
	uint32_t i = tune->chosen[one];

	return i && !tune->candidates[i].harms[other] && lw_tune_by_base(tune, i, other) < 1;
}

static double tune_gain(const struct lw_tune *tune, uint32_t i)
{
	return lw_tune_by_base(tune, i, LW_TUNE_EVEN) + lw_tune_by_base(tune, i, LW_TUNE_ODD);
}

static void tune_advise(struct lw_tune *tune, double harm)
{
	for (uint32_t i = 1; i < tune->count; i++)
		for (int half = 0; half < LW_TUNE_HALVES; half++)
			tune->candidates[i].harms[half] =
				tune_harms(tune, i, (enum lw_tune_half)half, harm);
	tune->advised = 0;
	for (int half = 0; half < LW_TUNE_HALVES; half++)
		tune->chosen[half] = tune_choose(tune, (enum lw_tune_half)half);
	for (int half = 0; half < LW_TUNE_HALVES; half++)
		if (tune_holds(tune, (enum lw_tune_half)half) &&
		    (!tune->advised ||
		     tune_gain(tune, tune->chosen[half]) < tune_gain(tune, tune->advised)))
			tune->advised = tune->chosen[half];
}

int lw_tune_do(struct lw_tune *tune, const struct lw_simtrace *trace,
	       const struct lw_tune_request *request, struct lw_error *err)
{
	struct lw_simbase base;
	int rc = tune_base(request, &base, err);

	memset(tune, 0, sizeof(*tune));
	if (!rc)
		rc = tune_try_all(tune, trace, &base, request, err);
	if (rc)
		return rc;
	tune_advise(tune, request->harm);
	if (tune->advised)
		rc = tune_shake(tune, trace, &base, request->at_once, err);
	/* it may be chance */
	if (!rc && !(tune->most < 1))
		tune->advised = 0;
	return rc;
}
