/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the jobs of a run as CSV, by the columns that Batsim writes and evalys reads. */
#include "cli/chart/jobscsv.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/chart/chart.h"

void lw_jobscsv_head(struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "job_id,workload_name,submission_time,requested_number_of_resources,"
			  "requested_time,success,starting_time,execution_time,finish_time,"
			  "waiting_time,turnaround_time,stretch,allocated_resources\n");
}

void lw_jobscsv_add(struct lw_strbuf *sb, const struct lw_jobscsv_job *job)
{
	int64_t run_s = job->end_s - job->start_s, stay_s = job->end_s - job->submit_s;

	lw_chart_add_field(sb, job->id);
	lw_strbuf_add(sb, ",");
	lw_chart_add_field(sb, job->workload);
	lw_strbuf_add(sb, ",%" PRId64 ",%" PRIu32 ",", job->submit_s, job->requested);
	if (job->limit_s >= 0)
		lw_strbuf_add(sb, "%" PRId64, job->limit_s);
	lw_strbuf_add(sb, ",%d,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",",
		      job->success, job->start_s, run_s, job->end_s, job->start_s - job->submit_s,
		      stay_s);
	if (run_s > 0)
		lw_strbuf_add(sb, "%.6g", (double)stay_s / (double)run_s);
	lw_strbuf_add(sb, ",%s\n", job->allocated);
}

static bool is_taken(const struct lw_jobnames *names, const char *name)
{
	for (uint32_t i = 0; i < names->count; i++)
		if (strcmp(names->names[i], name) == 0)
			return true;
	return false;
}

int lw_jobnames_next(struct lw_jobnames *names, const char *label, struct lw_error *err)
{
	char word[64], *name = names->names[names->count];

	for (size_t i = 0; i < sizeof(word); i++) {
		word[i] = isalnum((unsigned char)label[i]) || label[i] == '.' ? label[i] : '-';
		if (!label[i] || i == sizeof(word) - 1) {
			word[i] = '\0';
			break;
		}
	}
	snprintf(name, sizeof(names->names[0]), "%s", word);
	for (int n = 2; is_taken(names, name); n++)
		snprintf(name, sizeof(names->names[0]), "%s-%d", word, n);
	names->count++;
	if (snprintf(names->path, PATH_MAX, "%s/jobs-%s.csv", names->dir, name) >= PATH_MAX)
		return lw_error_set(err, -ENAMETOOLONG, "%s: path too long", names->dir);
	return 0;
}
