/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: the jobs that sacct knows. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/common/sacct.h"
#include "lab/analyse/input.h"
#include "record/summary.h"
#include "tagger/tag.h"

/* The columns we read; they are found by name, so more may be there, in any order. */
enum column {
	COL_ID,
	COL_SUBMIT,
	COL_START,
	COL_END,
	COL_STATE,
	COL_NODES,
	COL_CPUS,
	COL_ALLOC,
	COL_USER, /* from here on they may be missing */
	COL_ACCOUNT,
	COL_PARTITION,
	COL_NAME,
	COL_LIMIT,
	COL_COMMENT,
	COLUMNS,
};

static const char *const column_names[COLUMNS] = {
	"JobID|JobIDRaw",
	"Submit",
	"Start",
	"End",
	"State",
	"NNodes|AllocNodes|ReqNodes",
	"NCPUS|AllocCPUS|ReqCPUS",
	"AllocTRES",
	"User|UID",
	"Account",
	"Partition",
	"JobName",
	"TimelimitRaw|Timelimit",
	"AdminComment",
};

/* What sizes come to in each unit, until it is known which one counts. */
struct sizes {
	uint32_t cores, gpus, nodes;
};

struct reader {
	struct lw_ana_input *input;
	struct lw_sacct sacct;
	int at[COLUMNS];
	struct sizes *sizes;
	uint32_t size_room;
};

static int find_columns(struct reader *reader, struct lw_error *err)
{
	for (int c = 0; c < COLUMNS; c++) {
		reader->at[c] = lw_sacct_column(&reader->sacct, column_names[c]);
		if (reader->at[c] < 0 && c < COL_USER)
			return lw_error_set(
				err, -EINVAL,
				"%s:1: no column %.*s: print it with sacct --allusers "
				"--allocations --parsable2 --format=JobID,User,Account,"
				"Partition,JobName,Submit,Start,End,State,NNodes,NCPUS,"
				"AllocTRES,TimelimitRaw,AdminComment",
				reader->sacct.path, (int)strcspn(column_names[c], "|"),
				column_names[c]);
	}
	return 0;
}

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

static const char *text_of(const struct reader *reader, char *const *fields, enum column column)
{
	return reader->at[column] < 0 ? "" : fields[reader->at[column]];
}

static int read_count(const struct reader *reader, char *const *fields, enum column column,
		      uint32_t *ret_count, struct lw_error *err)
{
	int64_t count = 0;
	int rc = lw_sacct_count(text_of(reader, fields, column),
				reader->sacct.names[reader->at[column]], &count, err);

	if (!rc)
		*ret_count = (uint32_t)count;
	return rc;
}

static int read_sizes(const struct reader *reader, char *const *fields, struct sizes *sizes,
		      struct lw_error *err)
{
	const char *alloc = text_of(reader, fields, COL_ALLOC);
	int rc = read_count(reader, fields, COL_CPUS, &sizes->cores, err);

	if (!rc)
		rc = read_count(reader, fields, COL_NODES, &sizes->nodes, err);
	if (!rc)
		rc = lw_sacct_check_tres(alloc, "AllocTRES", err);
	if (!rc)
		sizes->gpus = (uint32_t)lw_sacct_gpus(alloc);
	return rc;
}

static int read_people(struct reader *reader, char *const *fields, struct lw_joblog_job *job)
{
	struct lw_ana_input *input = reader->input;
	int rc = lw_ana_input_number(input, LW_BY_USER, text_of(reader, fields, COL_USER),
				     &job->user);

	if (!rc)
		rc = lw_ana_input_number(input, LW_BY_ACCOUNT,
					 text_of(reader, fields, COL_ACCOUNT), &job->account);
	if (!rc)
		rc = lw_ana_input_number(input, LW_BY_NAME, text_of(reader, fields, COL_NAME),
					 &job->name);
	if (!rc)
		rc = lw_ana_input_number(input, LW_BY_PARTITION,
					 text_of(reader, fields, COL_PARTITION), &job->partition);
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
static int read_times(struct reader *reader, char *const *fields, struct lw_joblog_job *job,
		      bool *ret_ran, struct lw_error *err)
{
	int64_t start_s, end_s;
	int rc =
		lw_sacct_time(text_of(reader, fields, COL_SUBMIT), "Submit", &job->submit_s, err);

	*ret_ran = false;
	if (!rc)
		rc = lw_sacct_time(text_of(reader, fields, COL_START), "Start", &start_s, err);
	if (!rc)
		rc = lw_sacct_time(text_of(reader, fields, COL_END), "End", &end_s, err);
	if (!rc)
		rc = lw_sacct_limit(text_of(reader, fields, COL_LIMIT), &job->limit_s, err);
	if (rc)
		return rc;
	if (job->submit_s == LW_SACCT_NONE)
		return lw_error_set(err, -EINVAL, "job %s has no Submit time",
				    text_of(reader, fields, COL_ID));
	if (end_s == LW_SACCT_NONE) {
		reader->input->unfinished++;
		return 0;
	}
	if (start_s == LW_SACCT_NONE || !*text_of(reader, fields, COL_ALLOC)) {
		reader->input->never_ran++;
		return 0;
	}
	if (end_s < start_s)
		return lw_error_set(err, -EINVAL, "job %s ends before it starts",
				    text_of(reader, fields, COL_ID));
	*ret_ran = true;
	job->run_s = end_s - start_s;
	/* a requeued job begins before its record says that it was submitted */
	job->wait_s = start_s > job->submit_s ? start_s - job->submit_s : 0;
	if (job->limit_s < 1)
		job->limit_s = LW_JOBLOG_UNKNOWN;
	return 0;
}

static int read_row(struct reader *reader, char *const *fields, struct lw_error *err)
{
	struct lw_joblog_job job = { .hour = LW_JOBLOG_NO_CLOCK,
				     .weekday = LW_JOBLOG_NO_CLOCK,
				     .kind = LW_JOBLOG_UNTAGGED,
				     .util_percent = UINT8_MAX };
	uint32_t place = reader->input->log.count;
	struct sizes sizes;
	bool ran;
	int rc;

	if (lw_sacct_is_step(text_of(reader, fields, COL_ID)))
		return 0;
	rc = read_times(reader, fields, &job, &ran, err);
	if (!rc)
		rc = read_sizes(reader, fields, &sizes, err);
	if (rc || !ran)
		return rc;
	job.outcome = (uint8_t)outcome_of(text_of(reader, fields, COL_STATE));
	read_comment(text_of(reader, fields, COL_COMMENT), &job);
	/* where it stands before they are sorted, for its sizes */
	job.size = place;
	if (lw_grow((void **)&reader->sizes, &reader->size_room, place + 1,
		    sizeof(*reader->sizes)) ||
	    read_people(reader, fields, &job) || lw_ana_input_add(reader->input, &job))
		return lw_error_set(err, -ENOMEM, "out of memory");
	reader->sizes[place] = sizes;
	return 0;
}

static int read_rows(struct reader *reader, bool lenient, struct lw_error *err)
{
	struct lw_ana_input *input = reader->input;
	char **fields;
	int rc = find_columns(reader, err);

	if (rc)
		return rc;
	while ((rc = lw_sacct_next(&reader->sacct, &fields, err))) {
		if (rc > 0)
			rc = read_row(reader, fields, err);
		if (rc == -EINVAL && lenient) {
			if (!input->bad++) {
				input->bad_line = reader->sacct.line;
				input->first_bad = *err;
			}
			rc = 0;
		}
		if (rc)
			return lw_error_prefix(err, rc, "%s:%" PRIu32 ": ", reader->sacct.path,
					       reader->sacct.line);
	}
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
	struct lw_joblog *log = &input->log;
	int rc = fd < 0 ? lw_sacct_open(&reader.sacct, input->path, err)
			: lw_sacct_of_fd(&reader.sacct, fd, input->path, err);

	if (rc)
		return rc;
	rc = read_rows(&reader, options->lenient, err);
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
	lw_sacct_fini(&reader.sacct);
	return rc;
}
