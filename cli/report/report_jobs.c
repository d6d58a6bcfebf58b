/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: the jobs of a replay as evalys reads them. */
#include "cli/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hosts.h"
#include "cli/chart/jobscsv.h"

/* Numbers before what follows them: n2 comes before n10. */
static int compare_names(const void *a, const void *b)
{
	char *const *x = a, *const *y = b;

	return strverscmp(*x, *y);
}

/* A waiting job has no node, though sacct has a word there. */
static bool has_run(const struct lw_run_job *job)
{
	return job->start_s != LW_RUN_NONE && job->end_s != LW_RUN_NONE;
}

/* All nodes that a job of the run was on, each once, in order. */
static void find_nodes(const struct lw_run *run, struct lw_hosts *nodes)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < run->job_count; i++)
		if (has_run(&run->jobs[i]))
			(void)lw_hosts_add(nodes, run->jobs[i].node_list);
	if (nodes->count)
		qsort(nodes->names, nodes->count, sizeof(*nodes->names), compare_names);
	for (uint32_t i = 0; i < nodes->count; i++) {
		if (kept && strcmp(nodes->names[kept - 1], nodes->names[i]) == 0)
			free(nodes->names[i]);
		else
			nodes->names[kept++] = nodes->names[i];
	}
	nodes->count = kept;
}

/* Where each host of LIST stands among NODES. */
static void add_places(const struct lw_hosts *nodes, const char *list, struct lw_strbuf *sb)
{
	struct lw_hosts hosts;

	lw_hosts_init(&hosts);
	(void)lw_hosts_add(&hosts, list);
	if (hosts.count)
		qsort(hosts.names, hosts.count, sizeof(*hosts.names), compare_names);
	for (uint32_t i = 0; i < hosts.count; i++) {
		char **found = bsearch(&hosts.names[i], nodes->names, nodes->count,
				       sizeof(*nodes->names), compare_names);

		if (found)
			lw_strbuf_add(sb, "%s%zu", i ? " " : "", (size_t)(found - nodes->names));
	}
	lw_hosts_fini(&hosts);
}

static void add_job(const struct lw_report *report, uint32_t run, const struct lw_run_job *job,
		    const struct lw_hosts *nodes, struct lw_strbuf *sb)
{
	int64_t zero_s = report->stats[run].first_submit_s;
	struct lw_strbuf allocated = LW_STRBUF_INIT;
	struct lw_jobscsv_job row = {
		.id = job->id,
		.workload = report->runs[run].workload ? report->runs[run].workload : "",
		.submit_s = job->submit_s - zero_s,
		.start_s = job->start_s - zero_s,
		.end_s = job->end_s - zero_s,
		.limit_s = job->limit_s,
		.requested = (uint32_t)job->nodes,
		.success = strcmp(job->state, "COMPLETED") == 0,
	};

	add_places(nodes, job->node_list, &allocated);
	row.allocated = lw_strbuf_text(&allocated);
	lw_jobscsv_add(sb, &row);
	lw_strbuf_fini(&allocated);
}

void lw_report_jobs_csv(const struct lw_report *report, uint32_t run, struct lw_strbuf *sb)
{
	const struct lw_run *r = &report->runs[run];
	struct lw_hosts nodes;

	lw_hosts_init(&nodes);
	find_nodes(r, &nodes);
	lw_jobscsv_head(sb);
	for (uint32_t i = 0; i < r->job_count; i++)
		if (has_run(&r->jobs[i]))
			add_job(report, run, &r->jobs[i], &nodes, sb);
	lw_hosts_fini(&nodes);
}
