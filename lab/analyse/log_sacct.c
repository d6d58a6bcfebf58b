/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: the jobs that sacct knows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/common/rows.h"
#include "lab/analyse/input.h"
#include "record/summary.h"
#include "tagger/tag.h"

/* More may be there, in any order. */
static const enum lw_column needs[] = { LW_COL_JOB,  LW_COL_SUBMIT, LW_COL_START,
					LW_COL_END,  LW_COL_STATE,  LW_COL_NODES,
					LW_COL_CPUS, LW_COL_TRES,   LW_COL_END_OF_LIST };
static const enum lw_column uses[] = { LW_COL_USER,       LW_COL_ACCOUNT, LW_COL_PARTITION,
				       LW_COL_NAME,       LW_COL_LIMIT,   LW_COL_COMMENT,
				       LW_COL_ELAPSED,    LW_COL_END_OF_LIST };

/* What sizes come to in each unit, until it is known which one counts. */
struct sizes {
	uint32_t cores, gpus, nodes;
};

struct reader {
	struct lw_ana_input *input;
	struct sizes *sizes;
	uint32_t size_room;
};

static enum lw_outcome outcome_of(const char *state)
{
	static const struct {
		const char *state;
		enum lw_outcome outcome;
	} all[] = {
		{ "COMPLETED", LW_OUTCOME_COMPLETED },  { "CANCELLED", LW_OUTCOME_CANCELLED },
		{ "PREEMPTED", LW_OUTCOME_CANCELLED },  { "TIMEOUT", LW_OUTCOME_TIMEOUT },
		{ "DEADLINE", LW_OUTCOME_TIMEOUT },     { "FAILED", LW_OUTCOME_FAILED },
		{ "NODE_FAIL", LW_OUTCOME_FAILED },     { "BOOT_FAIL", LW_OUTCOME_FAILED },
		{ "OUT_OF_MEMORY", LW_OUTCOME_FAILED }, { "OUT_OF_ME", LW_OUTCOME_FAILED },
		{ "REVOKED", LW_OUTCOME_CANCELLED },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (strncmp(state, all[i].state, strlen(all[i].state)) == 0)
			return all[i].outcome;
	return LW_OUTCOME_UNKNOWN;
}

static int read_sizes(const struct lw_row *row, struct sizes *sizes, struct lw_error *err)
{
	int64_t cores = 0, nodes = 0, gpus = 0;
	int rc = lw_row_value(row, LW_COL_CPUS, &cores, err);

	if (!rc)
		rc = lw_row_value(row, LW_COL_NODES, &nodes, err);
	if (!rc)
		rc = lw_row_value(row, LW_COL_TRES, &gpus, err);
	*sizes = (struct sizes){ (uint32_t)cores, (uint32_t)gpus, (uint32_t)nodes };
	return rc;
}

static int read_people(struct lw_ana_input *input, const struct lw_row *row,
		       struct lw_joblog_job *job)
{
	int rc = lw_ana_input_number(input, LW_BY_USER, row->user, &job->user);

	if (!rc)
		rc = lw_ana_input_number(input, LW_BY_ACCOUNT, row->account, &job->account);
	if (!rc)
		rc = lw_ana_input_number(input, LW_BY_NAME, row->name, &job->name);
	if (!rc)
		rc = lw_ana_input_number(input, LW_BY_PARTITION, row->partition, &job->partition);
	return rc;
}

static void read_comment(const char *comment, struct lw_joblog_job *job)
{
	struct lw_summary_word word;
	struct lw_tag tag;

	if (!lw_tag_decode(comment, &tag))
		job->kind = tag.class == LW_TAG_NONE ? LW_JOBLOG_OTHER : LW_JOBLOG_DEEP;
	if (!lw_summary_decode(comment, &word) && word.has_util && word.util_mean <= 100)
		job->util_percent = (uint8_t)word.util_mean;
}

/* Submission, wait, run and limit. *RET_RAN: it had nodes, and has ended. */
static int read_times(struct lw_ana_input *input, const struct lw_row *row,
		      struct lw_joblog_job *job, bool *ret_ran, struct lw_error *err)
{
	struct lw_row_times times;
	int rc = lw_row_times(row, &times, err);

	*ret_ran = false;
	if (!rc)
		rc = lw_row_value(row, LW_COL_LIMIT, &job->limit_s, err);
	if (rc)
		return rc;
	job->submit_s = times.submit_s;
	if (times.end_s == LW_SACCT_NONE) {
		input->unfinished++;
		return 0;
	}
	if (times.start_s == LW_SACCT_NONE) {
		input->never_ran++;
		return 0;
	}
	input->shifted += times.shifted;
	*ret_ran = true;
	job->run_s = times.end_s - times.start_s;
	/* a requeued job begins before its record says that it was submitted */
	job->wait_s = times.start_s > job->submit_s ? times.start_s - job->submit_s : 0;
	if (job->limit_s < 1)
		job->limit_s = LW_JOBLOG_UNKNOWN;
	return 0;
}

static int read_row(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct lw_joblog_job job = { .hour = LW_JOBLOG_NO_CLOCK,
				     .weekday = LW_JOBLOG_NO_CLOCK,
				     .kind = LW_JOBLOG_UNTAGGED,
				     .util_percent = UINT8_MAX };
	struct reader *reader = to;
	uint32_t place = reader->input->log.count;
	struct sizes sizes;
	bool ran;
	int rc = read_times(reader->input, row, &job, &ran, err);

	if (!rc)
		rc = read_sizes(row, &sizes, err);
	if (rc || !ran)
		return rc;
	job.outcome = (uint8_t)outcome_of(row->state);
	read_comment(row->comment, &job);
	/* where it stands before they are sorted, for its sizes */
	job.size = place;
	if (lw_grow((void **)&reader->sizes, &reader->size_room, place + 1,
		    sizeof(*reader->sizes)) ||
	    read_people(reader->input, row, &job) || lw_ana_input_add(reader->input, &job))
		return -ENOMEM;
	reader->sizes[place] = sizes;
	return 0;
}

static int compare_jobs(const void *left, const void *right)
{
	const struct lw_joblog_job *a = left, *b = right;

	if (a->submit_s != b->submit_s)
		return a->submit_s < b->submit_s ? -1 : 1;
	return a->size < b->size ? -1 : a->size > b->size;
}

static void set_sizes(struct reader *reader, const struct lw_ana_options *options)
{
	struct lw_joblog *log = &reader->input->log;
	uint32_t with_gpus = 0;

	for (uint32_t i = 0; i < log->count; i++)
		with_gpus += reader->sizes[i].gpus > 0;
	log->unit = options->has_unit            ? options->unit
		    : with_gpus > log->count / 2 ? LW_JOBLOG_GPUS
						 : LW_JOBLOG_CORES;
	for (uint32_t i = 0; i < log->count; i++) {
		const struct sizes *sizes = &reader->sizes[log->jobs[i].size];

		log->jobs[i].size = log->unit == LW_JOBLOG_GPUS    ? sizes->gpus
				    : log->unit == LW_JOBLOG_CORES ? sizes->cores
								   : sizes->nodes;
	}
}

/* Only the jobs at the places that are asked for, in order of submission. */
static void cut_places(struct lw_joblog *log, const struct lw_ana_options *options)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < log->count; i++)
		if (i + 1 >= options->first_job && (!options->last_job || i < options->last_job))
			log->jobs[kept++] = log->jobs[i];
	log->count = kept;
}

int lw_ana_read_sacct(struct lw_ana_input *input, int fd, const struct lw_ana_options *options,
		      struct lw_error *err)
{
	struct reader reader = { .input = input };
	struct lw_rows rows = { .needs = needs,
				.uses = uses,
				.lenient = options->lenient,
				.take = read_row,
				.to = &reader };
	struct lw_joblog *log = &input->log;
	int rc = fd < 0 ? lw_rows_of_file(&rows, input->path, err)
			: lw_rows_of_fd(&rows, fd, input->path, err);

	input->bad = rows.bad;
	input->bad_line = rows.first_bad_line;
	input->first_bad = rows.first_bad;
	if (!rc && log->count) {
		int64_t began_s;

		qsort(log->jobs, log->count, sizeof(*log->jobs), compare_jobs);
		set_sizes(&reader, options);
		cut_places(log, options);
		began_s = log->count ? log->jobs[0].submit_s : 0;
		for (uint32_t i = 0; i < log->count; i++)
			log->jobs[i].submit_s -= began_s;
		lw_ana_input_clock(input, began_s);
	}
	free(reader.sizes);
	return rc;
}
