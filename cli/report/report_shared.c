/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: which jobs shared a GPU, and what it cost. */
/*
 * If jobs on a GPU do not disturb each other, the GPU is as busy as they are alone, added up. So
 * the SM activity of a GPU with several tenants, as a share of the sum of their activities
 * alone, says how much of their speed they kept. A job's activity alone is the mean of its
 * user's jobs of that name that shared nothing, or its own while no other job was there.
 */
#include "cli/report/report_shared.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/common/output.h"

/* The SM activity of jobs like JOB that had their GPUs alone; NAN: there are none. */
static double alone_of(const struct lw_run *run, const struct lw_run_job *job)
{
	double sum = 0;
	uint32_t count = 0;

	for (uint32_t i = 0; i < run->job_count; i++) {
		const struct lw_run_job *other = &run->jobs[i];

		if (other->use.shared || !other->use.has_sm ||
		    strcmp(other->user, job->user) != 0 || strcmp(other->name, job->name) != 0)
			continue;
		sum += other->use.sm_percent;
		count++;
	}
	if (count)
		return sum / count;
	return job->use.has_sm ? job->use.sm_percent : NAN;
}

static const struct lw_run_job *find_raw(const struct lw_run *run, uint32_t job_id)
{
	char id[16];

	snprintf(id, sizeof(id), "%" PRIu32, job_id);
	for (uint32_t i = 0; i < run->job_count; i++)
		if (!strcmp(run->jobs[i].raw_id, id))
			return &run->jobs[i];
	return NULL;
}

/*
 * The activities of JOB and of the jobs with it, each alone, added up; NAN if one is not known.
 */
static double sum_alone(const struct lw_run *run, const struct lw_run_job *job)
{
	double sum = alone_of(run, job);

	for (uint32_t i = 0; i < job->use.with_count; i++) {
		const struct lw_run_job *other = find_raw(run, job->use.with[i]);

		sum += other ? alone_of(run, other) : NAN;
	}
	return sum;
}

/* How much of their speed the tenants kept; NAN: not known. */
static double kept_of(const struct lw_run *run, const struct lw_run_job *job)
{
	double alone;

	/* first, since all jobs are looked at for what each is alone */
	if (!job->use.has_dsm || !job->use.with_count)
		return NAN;
	alone = sum_alone(run, job);
	return alone > 0 ? job->use.dsm_percent / alone : NAN;
}

struct sums {
	uint32_t shared, met, known;
	double alone, together, kept, least;
};

static struct sums sums_of(const struct lw_run *run)
{
	struct sums sums = { .least = INFINITY };

	for (uint32_t i = 0; i < run->job_count; i++) {
		const struct lw_run_job *job = &run->jobs[i];
		double kept = kept_of(run, job);

		sums.shared += job->use.shared > 0;
		sums.met += job->use.shared && job->use.with_count;
		if (!job->use.shared || isnan(kept))
			continue;
		sums.known++;
		sums.alone += sum_alone(run, job);
		sums.together += job->use.dsm_percent;
		sums.kept += kept;
		sums.least = kept < sums.least ? kept : sums.least;
	}
	return sums;
}

enum { SHARED, MET, ALONE, TOGETHER, KEPT, LEAST, ROWS };

void lw_report_shared_rows(struct lw_report_rows *rows)
{
	const struct lw_report *report = rows->report;
	static const char *const names[ROWS] = {
		[SHARED] = "jobs that could share a GPU",
		[MET] = "and did with others",
		[ALONE] = "SM of these alone, added up",
		[TOGETHER] = "SM of the GPU together",
		[KEPT] = "speed kept, mean",
		[LEAST] = "speed kept, least",
	};
	double values[ROWS][LW_REPORT_RUNS_MAX];
	bool any = false;

	for (uint32_t i = 0; i < report->count; i++) {
		struct sums sums = sums_of(&report->runs[i]);
		double known = sums.known ? sums.known : NAN;

		any = any || sums.shared;
		values[SHARED][i] = sums.shared;
		values[MET][i] = sums.met;
		values[ALONE][i] = sums.alone / known;
		values[TOGETHER][i] = sums.together / known;
		values[KEPT][i] = 100 * sums.kept / known;
		values[LEAST][i] = sums.known ? 100 * sums.least : NAN;
	}
	if (!any)
		return;
	lw_report_add_part(rows, "Shared GPUs", false);
	for (int r = 0; r < ROWS; r++)
		lw_report_add_row(rows, names[r],
				  r >= ALONE ? LW_REPORT_PERCENT : LW_REPORT_COUNT, values[r]);
}

static json_t *number_or_null(double value)
{
	return isnan(value) ? json_null() : json_real(value);
}

static json_t *make_job(const struct lw_run *run, const struct lw_run_job *job)
{
	json_t *with = json_array();

	for (uint32_t i = 0; i < job->use.with_count; i++)
		json_array_append_new(with, json_integer((json_int_t)job->use.with[i]));
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "job", lw_output_string(job->id),
			 "with", with, "sm_alone", number_or_null(alone_of(run, job)),
			 "sm_alone_all", number_or_null(sum_alone(run, job)), "sm_together",
			 number_or_null(job->use.has_dsm ? job->use.dsm_percent : NAN), "kept",
			 number_or_null(kept_of(run, job)));
}

json_t *lw_report_shared_json(const struct lw_run *run)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < run->job_count; i++)
		if (run->jobs[i].use.shared)
			json_array_append_new(list, make_job(run, &run->jobs[i]));
	return list;
}
