/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a trial foresees of run times. */
#include "lab/sim/foresee.h"

#include "predictor/survival.h"

/* Of how many jobs out of ten a believed run time should not be too short. */
#define BELIEVED_QUANTILE 0.9

/* What it asked for: what the machine makes of it is not known to a user's history. */
static uint32_t foresee_width(const struct lw_sim_job *job)
{
	const struct lw_request *req = &job->request;
	uint64_t cpus = (uint64_t)req->nodes_min * req->cpus_per_node;

	if (cpus > UINT32_MAX)
		return UINT32_MAX;
	return cpus > req->cpus_total ? (uint32_t)cpus : req->cpus_total;
}

struct lw_history_key lw_foresee_key(const struct lw_sim_job *job, int64_t now_s)
{
	return (struct lw_history_key){
		.user = job->user,
		.partition = job->partition,
		.limit_s = lw_sim_job_asked_s(job),
		.width = foresee_width(job),
		.now_s = now_s,
	};
}

/* A limit is not predicted. */
static bool is_noisy(const struct lw_foresee *foresee)
{
	return foresee->noise.sigma > 0 && foresee->runtime != LW_PREDICT_USER;
}

static int64_t find_last2(const struct lw_foresee *foresee, const struct lw_sim_job *job,
			  int64_t elapsed_s)
{
	struct lw_history_key key = lw_foresee_key(job, 0);
	int64_t last_s, before_s;

	lw_predict_recent(foresee->history, &key, &last_s, &before_s);
	return lw_predict_last2(last_s, before_s, job->limit_s, elapsed_s);
}

/* How long it runs: a planner expects of no job to outrun its limit. */
static int64_t foresee_exact_s(const struct lw_sim_job *job)
{
	return job->run_s < job->limit_s ? job->run_s : job->limit_s;
}

int64_t lw_foresee_mean(void *arg, const struct lw_sim_job *job, int64_t now_s)
{
	const struct lw_foresee *foresee = arg;
	struct lw_history_key key = lw_foresee_key(job, now_s);
	int64_t expected_s = job->limit_s;

	switch (foresee->runtime) {
	case LW_PREDICT_USER:
		break;
	case LW_PREDICT_EXACT:
		expected_s = foresee_exact_s(job);
		break;
	case LW_PREDICT_LAST2:
		expected_s = find_last2(foresee, job, 0);
		break;
	case LW_PREDICT_HISTORY:
		expected_s = lw_predict_mean(foresee->history, &key, 0);
		break;
	}
	if (is_noisy(foresee))
		expected_s = lw_noise_time(expected_s, lw_noise_factor(&foresee->noise, &key),
					   job->limit_s);
	/* of one that was preempted what is left */
	expected_s = lw_sim_job_left_s(job, expected_s);
	return expected_s < 1 ? 1 : expected_s;
}

/*
 * Of a job that runs, what is left is wrong; but where it is too short, it is for an eighth of
 * the time so far at least, so that a job outruns its time some dozens of times at most.
 */
static int64_t noisy_left_s(const struct lw_foresee *foresee, const struct lw_history_key *key,
			    int64_t elapsed_s, int64_t believed_s, int64_t limit_s)
{
	int64_t left_s = believed_s - elapsed_s, least_s = elapsed_s ? elapsed_s / 8 + 60 : 1;
	int64_t noisy_s =
		lw_noise_time(left_s, lw_noise_factor(&foresee->noise, key), limit_s - elapsed_s);

	if (least_s > left_s)
		least_s = left_s;
	return noisy_s > least_s ? noisy_s : least_s;
}

/* Of a job that has run for all it asked for, a history knows nothing: then it is the limit. */
int64_t lw_foresee_believe(void *arg, const struct lw_sim_job *job, int64_t elapsed_s,
			   int64_t now_s)
{
	const struct lw_foresee *foresee = arg;
	struct lw_history_key key = lw_foresee_key(job, now_s);
	int64_t believed_s = job->limit_s;

	if (foresee->runtime == LW_PREDICT_EXACT)
		believed_s = job->run_s;
	else if (foresee->runtime == LW_PREDICT_LAST2)
		believed_s = find_last2(foresee, job, elapsed_s);
	else if (foresee->runtime == LW_PREDICT_HISTORY && elapsed_s < key.limit_s)
		believed_s =
			lw_predict_quantile(foresee->history, &key, elapsed_s, BELIEVED_QUANTILE);
	if (is_noisy(foresee) && believed_s > elapsed_s && elapsed_s < job->limit_s)
		believed_s = elapsed_s +
			     noisy_left_s(foresee, &key, elapsed_s, believed_s, job->limit_s);
	return believed_s > elapsed_s ? believed_s : elapsed_s + 1;
}

/* What of that lies in the last LW_TAIL_S before the limit, in ms; 1 stands for nothing. */
int64_t lw_foresee_tail(void *arg, const struct lw_sim_job *job, int64_t now_s)
{
	const struct lw_foresee *foresee = arg;
	int64_t limit_s = lw_sim_job_left_s(job, job->limit_s), tail_ms;
	int64_t after_s = limit_s > LW_TAIL_S ? limit_s - LW_TAIL_S : 0;
	struct lw_history_key key = lw_foresee_key(job, now_s);

	if (foresee->runtime == LW_PREDICT_HISTORY)
		tail_ms = lw_predict_tail_ms(foresee->history, &key);
	else
		tail_ms = 1000 * (lw_foresee_mean(arg, job, now_s) - after_s);
	if (is_noisy(foresee) && foresee->runtime == LW_PREDICT_HISTORY)
		tail_ms = lw_noise_time(tail_ms, lw_noise_factor(&foresee->noise, &key),
					1000 * (limit_s - after_s));
	return tail_ms < 1 ? 1 : tail_ms;
}

int64_t lw_foresee_fresh_until(void *arg, const struct lw_sim_job *job, int64_t now_s)
{
	const struct lw_foresee *foresee = arg;
	struct lw_history_key key = lw_foresee_key(job, now_s);

	return lw_predict_fresh_until(foresee->history, &key);
}

int64_t lw_foresee_rank(void *arg, const struct lw_sim_job *job, uint32_t alike, int64_t now_s)
{
	const struct lw_foresee *foresee = arg;
	struct lw_history_key key = lw_foresee_key(job, now_s);
	int64_t rank_s = lw_predict_rank(foresee->history, &key, alike);

	if (!is_noisy(foresee))
		return rank_s;
	return lw_noise_time(rank_s, lw_noise_factor(&foresee->noise, &key), job->limit_s);
}

int64_t lw_foresee_attained(void *arg, const struct lw_sim_job *job)
{
	const struct lw_foresee *foresee = arg;
	struct lw_history_key key = lw_foresee_key(job, 0);

	return lw_predict_attained(foresee->history, &key);
}

static uint64_t exact_survival(const struct lw_sim_job *job, int64_t elapsed_s)
{
	double chances[LW_SURVIVAL_POINTS];

	for (unsigned point = 0; point < LW_SURVIVAL_POINTS; point++)
		chances[point] = elapsed_s + lw_survival_after_s(point) < foresee_exact_s(job);
	return lw_survival_pack(chances);
}

/* Where run times are as the users say, placement learns of them all the same. */
uint64_t lw_foresee_survival(void *arg, const struct lw_sim_job *job, int64_t elapsed_s,
			     int64_t now_s)
{
	const struct lw_foresee *foresee = arg;
	struct lw_history_key key = lw_foresee_key(job, now_s);
	uint64_t survival =
		foresee->runtime == LW_PREDICT_EXACT
			? exact_survival(job, elapsed_s)
			: lw_predict_survival_points(foresee->history, &key, elapsed_s);

	if (!(foresee->noise.sigma > 0))
		return survival;
	return lw_noise_survival(survival, lw_noise_factor(&foresee->noise, &key));
}
