/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: the jobs of a trace. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lab/analyse/input.h"
#include "measure/swf.h"

#define STATUS_FAILED    0
#define STATUS_COMPLETED 1
#define STATUS_CANCELLED 5

static enum lw_outcome outcome_of(const struct lw_swf_job *job)
{
	switch (job->status) {
	case STATUS_COMPLETED:
		return LW_OUTCOME_COMPLETED;
	case STATUS_FAILED:
		return LW_OUTCOME_FAILED;
	case STATUS_CANCELLED:
		return LW_OUTCOME_CANCELLED;
	default:
		return LW_OUTCOME_UNKNOWN;
	}
}

static int swf_number(struct lw_ana_input *input, enum lw_people_by by, int32_t number,
		      const char *name, uint32_t *ret_number)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%" PRId32, number);
	return lw_ana_input_number(input, by, number < 0 ? "" : name ? name : digits, ret_number);
}

/* A trace that knows no partitions may know queues. */
static int swf_people(struct lw_ana_input *input, const struct lw_swf_job *from,
		      const struct lw_ana_header *header, struct lw_joblog_job *job)
{
	bool has_partition = from->partition >= 0;
	int32_t number = has_partition ? from->partition : from->queue;
	const struct lw_ana_names *names = has_partition ? &header->partitions : &header->queues;
	int rc = swf_number(input, LW_BY_USER, from->user, NULL, &job->user);

	if (!rc)
		rc = swf_number(input, LW_BY_ACCOUNT, from->group, NULL, &job->account);
	if (!rc)
		rc = swf_number(input, LW_BY_NAME, from->application, NULL, &job->name);
	if (!rc)
		rc = swf_number(input, LW_BY_PARTITION, number, lw_ana_header_name(names, number),
				&job->partition);
	return rc;
}

static int swf_take(struct lw_ana_input *input, const struct lw_swf_job *from,
		    const struct lw_ana_header *header)
{
	int32_t size = from->procs > 0 ? from->procs : from->requested_procs;
	struct lw_joblog_job job = { .submit_s = from->submit_s,
				     .wait_s = from->wait_s,
				     .run_s = from->run_s,
				     .limit_s = from->requested_s > 0 ? from->requested_s
								      : LW_JOBLOG_UNKNOWN,
				     .size = (uint32_t)(size > 0 ? size : 0),
				     .hour = LW_JOBLOG_NO_CLOCK,
				     .weekday = LW_JOBLOG_NO_CLOCK,
				     .outcome = (uint8_t)outcome_of(from),
				     .kind = LW_JOBLOG_UNTAGGED,
				     .util_percent = UINT8_MAX };

	if (size <= 0 || from->run_s < 0) {
		input->unknown++;
		return 0;
	}
	if (from->status == STATUS_CANCELLED && !from->run_s) {
		input->never_ran++;
		return 0;
	}
	if (swf_people(input, from, header, &job) || lw_ana_input_add(input, &job))
		return -ENOMEM;
	return 0;
}

/* The zone of the machine, for as long as its hours are told. */
static void set_clock(struct lw_ana_input *input, const struct lw_ana_header *header,
		      int64_t began_s)
{
	char *was = getenv("TZ") ? strdup(getenv("TZ")) : NULL;

	setenv("TZ", *header->zone ? header->zone : "UTC", 1);
	tzset();
	lw_ana_input_clock(input, began_s);
	if (was)
		setenv("TZ", was, 1);
	else
		unsetenv("TZ");
	tzset();
	free(was);
}

/* The file beside NAME.swf[.gz], NAME.gpu.csv.gz or NAME.gpu.csv. */
static bool find_side(const char *path, char *ret_path, size_t size)
{
	const char *end = strstr(path, ".swf");
	static const char *const endings[] = { ".gpu.csv.gz", ".gpu.csv" };

	for (const char *more = end; more; more = strstr(more + 1, ".swf"))
		end = more;
	for (size_t i = 0; end && i < sizeof(endings) / sizeof(endings[0]); i++) {
		int len = snprintf(ret_path, size, "%.*s%s", (int)(end - path), path, endings[i]);

		if (len > 0 && (size_t)len < size && access(ret_path, R_OK) == 0)
			return true;
	}
	*ret_path = '\0';
	return false;
}

static int take_side(struct lw_ana_input *input, const int64_t *numbers,
		     const struct lw_ana_options *options, struct lw_error *err)
{
	if (options->side)
		snprintf(input->side, sizeof(input->side), "%s", options->side);
	else if (!find_side(input->path, input->side, sizeof(input->side)))
		return 0;
	return lw_ana_read_side(input, input->side, numbers, err);
}

/* A processor is a GPU where a file tells of them, a node where all are nodes, or else a core. */
static void set_unit(struct lw_ana_input *input, const struct lw_swf *swf,
		     const struct lw_ana_options *options)
{
	struct lw_joblog *log = &input->log;

	log->unit =
		options->has_unit ? options->unit
		: *input->side    ? LW_JOBLOG_GPUS
		: swf->max_nodes > 0 && swf->max_nodes == swf->max_procs && swf->max_nodes > 100
			? LW_JOBLOG_NODES
			: LW_JOBLOG_CORES;
	log->machine = swf->max_procs > 0 ? (uint64_t)swf->max_procs : 0;
}

static int swf_fill(struct lw_ana_input *input, const struct lw_swf *swf,
		    const struct lw_ana_header *header, const struct lw_ana_options *options,
		    struct lw_error *err)
{
	int64_t *numbers = calloc((size_t)swf->job_count + 1, sizeof(*numbers));
	int rc = numbers ? 0 : -ENOMEM;

	for (uint32_t i = 0; !rc && i < swf->job_count; i++) {
		uint32_t count = input->log.count;

		if (i + 1 < options->first_job || (options->last_job && i >= options->last_job))
			continue;
		rc = swf_take(input, &swf->jobs[i], header);
		if (input->log.count > count)
			numbers[count] = swf->jobs[i].number;
	}
	if (rc)
		lw_error_set(err, rc, "out of memory");
	else
		rc = take_side(input, numbers, options, err);
	free(numbers);
	return rc;
}

int lw_ana_read_swf(struct lw_ana_input *input, struct lw_lines *lines,
		    const struct lw_ana_options *options, struct lw_error *err)
{
	struct lw_ana_header header;
	struct lw_swf swf;
	int rc = lw_ana_header_read(&header, lines);

	if (rc)
		return lw_error_set(err, rc, "out of memory");
	input->form = ANA_TRACE;
	rc = lw_swf_parse(&swf, lines, input->path, options->lenient, err);
	if (rc) {
		lw_ana_header_fini(&header);
		return rc;
	}
	input->bad = swf.skipped;
	input->bad_line = swf.bad_line;
	input->first_bad = swf.bad;
	rc = swf_fill(input, &swf, &header, options, err);
	if (!rc) {
		set_unit(input, &swf, options);
		if (swf.unix_start_s > 0)
			set_clock(input, &header, swf.unix_start_s);
	}
	lw_swf_fini(&swf);
	lw_ana_header_fini(&header);
	return rc;
}
