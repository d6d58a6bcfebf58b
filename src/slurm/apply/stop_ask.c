/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: ask one job to stop. */
#include "slurm/apply/stop_ask.h"

#include "base/words.h"
#include "predictor/predict.h"
#include "slurm/keep/marking.h"
#include "slurm/query/request.h"

/* Users are not told of each other's jobs where Slurm hides them. */
void lw_stop_mark(job_record_t *job, const struct lw_stop *stop)
{
	struct lw_stop told = *stop;
	char word[LW_STOP_WORD_MAX];

	if (slurm_conf.private_data & PRIVATE_DATA_JOBS)
		told.for_job = 0;
	lw_stop_word(&told, word);
	lw_marking_stop(job, word);
}

/* Would the end of the job let another one start? Of arrays, that of any task may. */
struct stop_ask_wait {
	uint32_t job_id, array_id;
};

static int stop_ask_is_for(void *x, void *key)
{
	const depend_spec_t *depend = x;
	const struct stop_ask_wait *wait = key;

	return depend->depend_type != SLURM_DEPEND_AFTER &&
	       (depend->job_id == wait->job_id || depend->job_id == wait->array_id);
}

static int stop_ask_depends(void *x, void *key)
{
	const job_record_t *job = x;

	return IS_JOB_PENDING(job) && job->details && job->details->depend_list &&
	       list_find_first(job->details->depend_list, stop_ask_is_for, key) != NULL;
}

static bool stop_ask_is_depended_on(const job_record_t *job)
{
	struct stop_ask_wait wait = { lw_slurm_job_id(job), job->array_job_id };

	if (!wait.array_id)
		wait.array_id = wait.job_id;
	return list_find_first(job_list, stop_ask_depends, &wait) != NULL;
}

/*
 * How long such jobs run, for nine of ten. Of one that may need all of its limit, or more than
 * one limit, a second run tells nothing.
 */
static int64_t stop_ask_expect(const struct lw_history *history, const job_record_t *job,
			       int64_t now_s)
{
	struct lw_history_key key = { .user = job->user_id,
				      .partition = LW_HISTORY_NOBODY,
				      .width = lw_job_width(job),
				      .now_s = now_s };
	int64_t expect_s;

	/* of a job that runs at several sizes it says nothing: they take different times */
	if (!history || job->time_limit == NO_VAL || lw_words_has(job->comment, LW_SIZE_COMMENT))
		return 0;
	if (job->part_ptr && job->part_ptr->name)
		key.partition = lw_history_name_id(job->part_ptr->name);
	key.limit_s = lw_job_limit_s(job, job->part_ptr);
	expect_s = lw_predict_quantile(history, &key, 0, 0.9);
	return expect_s < key.limit_s / 10 * 9 ? expect_s : 0;
}

void lw_stop_describe(const job_record_t *job, struct lw_stop_case *ret_case)
{
	*ret_case = (struct lw_stop_case){
		.job_id = lw_slurm_job_id(job),
		.user = job->user_id,
		.restarts = job->restart_cnt,
		.nodes = job->node_cnt,
		.all_nodes = (uint32_t)node_record_count,
		.name = job->name,
		.comment = job->comment,
		.qos = job->qos_ptr ? job->qos_ptr->name : NULL,
		.partition = job->part_ptr ? job->part_ptr->name : NULL,
		.start_s = job->start_time,
		.limit_s = lw_job_limit_s(job, job->part_ptr),
		.deadline_s = job->deadline == NO_VAL ? 0 : job->deadline,
		.signal_s = job->warn_time,
		.kill_wait_s = slurm_conf.kill_wait,
		.signalled = job->warn_signal,
		.sent = job->warn_flags & WARN_SENT,
		.batch = job->batch_flag,
		.requeues = job->details->requeue,
		.het = job->het_job_id,
		.federated = job->fed_details,
		.cron = job->bit_flags & (CRON_JOB | EXPEDITED_REQUEUE),
		.buffer = job->burst_buffer && job->burst_buffer[0],
		.reserved = job->resv_name && job->resv_name[0],
		.licences = LW_REQUEUE_LOSES_LICENCES && job->licenses && job->licenses[0],
	};
}

void lw_stop_describe_more(const job_record_t *job, const struct lw_history *history,
			   int64_t now_s, struct lw_stop_case *it)
{
	it->depended = job->warn_signal && stop_ask_is_depended_on(job);
	it->expect_s = stop_ask_expect(history, job, now_s);
}

static enum lw_stop_answer stop_ask_send(job_record_t *job, enum lw_stop_way way)
{
	if (way == LW_STOP_BY_SIGNAL) {
		send_job_warn_signal(job, true);
		return LW_STOP_ASKS;
	}
	return job_requeue_internal(0, job, false, 0) ? LW_STOP_FAILS : LW_STOP_ASKS;
}

/* Neither is to go first once it has grown. */
static void stop_ask_size(struct lw_stop *stop, const job_record_t *job)
{
	const job_record_t *other = stop->for_job ? find_job_record(stop->for_job) : NULL;

	stop->size = lw_job_size(job);
	if (other)
		stop->for_size = lw_job_size(other);
}

/* Without memory for the entry the job is not asked. */
enum lw_stop_answer lw_stop_ask(struct lw_stops *stops, const struct lw_stop_rules *rules,
				job_record_t *job, const struct lw_stop_case *it, int64_t now_s)
{
	enum lw_stop_way way;
	enum lw_stop_answer answer = lw_stops_judge(stops, rules, it, now_s, &way);
	struct lw_stop *stop;

	if (answer != LW_STOP_ASKS)
		return answer;
	stop = lw_stops_ask(stops, rules, it, way, now_s);
	if (!stop)
		return LW_STOP_FULL;
	stop_ask_size(stop, job);
	answer = stop_ask_send(job, way);
	if (answer == LW_STOP_ASKS)
		lw_stop_mark(job, stop);
	else
		lw_stops_withdraw(stops, stop);
	return answer;
}
