/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway report: energy of the jobs, by account and by user. */
#include "cli/report/report_energy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/output.h"

/* So many of each run have a row; JSON has all. */
#define SHOWN 10

/* One account, or one user. */
struct share {
	const char *name; /* the job's */
	double gpu_j, node_j;
	uint32_t jobs, metered;
};

struct shares {
	struct share *items;
	uint32_t count;
};

static double run_s(const struct lw_run_job *job)
{
	return job->start_s == LW_RUN_NONE || job->end_s == LW_RUN_NONE
		       ? 0
		       : (double)(job->end_s - job->start_s);
}

static void add_job(struct share *share, const struct lw_run_job *job, double cpu_w)
{
	if (job->start_s == LW_RUN_NONE)
		return;
	share->jobs++;
	share->metered += job->energy_known;
	share->gpu_j += job->energy_j;
	share->node_j += cpu_w * (double)job->cpus * run_s(job);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct share *)a)->name, ((const struct share *)b)->name);
}

static double all_j(const struct share *share)
{
	return share->gpu_j + share->node_j;
}

/* The greatest first. */
static int compare_energy(const void *a, const void *b)
{
	double x = all_j(a), y = all_j(b);

	return x != y ? (x < y ? 1 : -1) : compare_names(a, b);
}

/* Neighbours of one name become one. */
static void join_names(struct shares *shares)
{
	uint32_t kept = 0;

	for (uint32_t i = 1; i < shares->count; i++) {
		struct share *last = &shares->items[kept], *next = &shares->items[i];

		if (strcmp(last->name, next->name) != 0) {
			shares->items[++kept] = *next;
			continue;
		}
		last->gpu_j += next->gpu_j;
		last->node_j += next->node_j;
		last->jobs += next->jobs;
		last->metered += next->metered;
	}
	shares->count = shares->count ? kept + 1 : 0;
}

/* Without memory there are none. */
static struct shares list_shares(const struct lw_run *run, bool by_account, double cpu_w)
{
	struct shares shares = { calloc(run->job_count + 1, sizeof(*shares.items)), 0 };

	for (uint32_t i = 0; shares.items && i < run->job_count; i++) {
		const struct lw_run_job *job = &run->jobs[i];
		const char *name = by_account ? job->account : job->user;

		if (!*name || job->start_s == LW_RUN_NONE)
			continue;
		shares.items[shares.count].name = name;
		add_job(&shares.items[shares.count++], job, cpu_w);
	}
	if (!shares.count)
		return shares;
	qsort(shares.items, shares.count, sizeof(*shares.items), compare_names);
	join_names(&shares);
	qsort(shares.items, shares.count, sizeof(*shares.items), compare_energy);
	return shares;
}

static struct share total_of(const struct lw_run *run, double cpu_w)
{
	struct share total = { .name = "" };

	for (uint32_t i = 0; i < run->job_count; i++)
		add_job(&total, &run->jobs[i], cpu_w);
	return total;
}

/* ---- rows ---- */

static double energy_of(const struct shares *shares, const char *name)
{
	for (uint32_t i = 0; i < shares->count; i++)
		if (strcmp(shares->items[i].name, name) == 0)
			return all_j(&shares->items[i]);
	return -1;
}

/* Is NAME among those of a run before number RUN that had a row? */
static bool is_shown(const struct shares *all, uint32_t run, const char *name)
{
	for (uint32_t k = 0; k < run; k++)
		for (uint32_t i = 0; i < all[k].count && i < SHOWN; i++)
			if (strcmp(all[k].items[i].name, name) == 0)
				return true;
	return false;
}

static void add_names(struct lw_report_rows *rows, const struct shares *all)
{
	for (uint32_t k = 0; k < rows->report->count; k++)
		for (uint32_t i = 0; i < all[k].count && i < SHOWN; i++) {
			const char *name = all[k].items[i].name;
			double joules[LW_REPORT_RUNS_MAX];

			if (is_shown(all, k, name))
				continue;
			for (uint32_t r = 0; r < rows->report->count; r++)
				joules[r] = energy_of(&all[r], name);
			lw_report_add_row(rows, name, LW_REPORT_JOULES, joules);
		}
}

static void add_shares(struct lw_report_rows *rows, bool by_account)
{
	const struct lw_report *report = rows->report;
	struct shares all[LW_REPORT_RUNS_MAX];
	uint32_t names = 0;

	for (uint32_t i = 0; i < report->count; i++) {
		all[i] = list_shares(&report->runs[i], by_account, report->cpu_w);
		names += all[i].count;
	}
	if (names) {
		lw_report_add_part(rows,
				   by_account ? "Energy by account, GPUs and share of nodes"
					      : "Energy by user, GPUs and share of nodes",
				   true);
		add_names(rows, all);
	}
	for (uint32_t i = 0; i < report->count; i++)
		free(all[i].items);
}

void lw_report_energy_rows(struct lw_report_rows *rows)
{
	const struct lw_report *report = rows->report;
	double gpu_j[LW_REPORT_RUNS_MAX], node_j[LW_REPORT_RUNS_MAX];
	bool known = false;

	for (uint32_t i = 0; i < report->count; i++) {
		struct share total = total_of(&report->runs[i], report->cpu_w);

		gpu_j[i] = total.metered ? total.gpu_j : -1;
		node_j[i] = total.node_j;
		known = known || total.metered;
	}
	if (!known)
		return;
	lw_report_add_part(rows, "Energy", true);
	lw_report_add_row(rows, "GPUs, as recorded", LW_REPORT_JOULES, gpu_j);
	lw_report_add_row(rows, "share of nodes", LW_REPORT_JOULES, node_j);
	add_shares(rows, true);
	add_shares(rows, false);
}

/* ---- JSON ---- */

static json_t *make_share(const struct share *share)
{
	return json_pack("{s:i, s:i, s:o, s:f}", "jobs", (int)share->jobs, "metered",
			 (int)share->metered, "energy_j",
			 share->metered ? json_real(share->gpu_j) : json_null(), "node_energy_j",
			 share->node_j);
}

static json_t *make_shares(const struct lw_run *run, bool by_account, double cpu_w)
{
	struct shares shares = list_shares(run, by_account, cpu_w);
	json_t *list = json_array();

	for (uint32_t i = 0; i < shares.count; i++) {
		json_t *o = make_share(&shares.items[i]);

		json_object_set_new(o, by_account ? "account" : "user",
				    lw_output_string(shares.items[i].name));
		json_array_append_new(list, o);
	}
	free(shares.items);
	return list;
}

json_t *lw_report_energy_json(const struct lw_run *run, double cpu_w)
{
	struct share total = total_of(run, cpu_w);
	json_t *o;

	if (!total.metered)
		return json_null();
	o = make_share(&total);
	json_object_set_new(o, "accounts", make_shares(run, true, cpu_w));
	json_object_set_new(o, "users", make_shares(run, false, cpu_w));
	return o;
}
