/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how fair a replay, or a real cluster, was: finish-time fairness from sacct's rows. */
#include "cli/report/runstat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The owner of a job, and the place of its number. */
struct owner {
	const char *name;
	uint32_t *number;
};

static int compare_owners(const void *a, const void *b)
{
	const struct owner *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Equal names get equal numbers; without a name there is none. */
static void number_owners(struct owner *owners, uint32_t count)
{
	uint32_t number = 0;

	qsort(owners, count, sizeof(*owners), compare_owners);
	for (uint32_t i = 0; i < count; i++) {
		if (i && strcmp(owners[i].name, owners[i - 1].name) != 0)
			number++;
		*owners[i].number = *owners[i].name ? number : LW_FAIRNESS_UNKNOWN;
	}
}

/* Of the machine's GPUs or CPUs, whichever is more. */
static double share_of(const struct lw_run *run, const struct lw_run_job *job)
{
	double gpus = (double)(run->nodes * run->gpus_per_node);
	double cpus = (double)(run->nodes * run->cpus_per_node);
	double of_gpus = gpus > 0 ? (double)job->gpus / gpus : 0;
	double of_cpus = cpus > 0 ? (double)job->cpus / cpus : 0;

	return of_gpus > of_cpus ? of_gpus : of_cpus;
}

/* The jobs that ran to an end; of a machine that is not known, none. */
static uint32_t list_ended(const struct lw_run *run, struct lw_fairness_job *jobs,
			   struct owner *users, struct owner *accounts)
{
	uint32_t n = 0;

	for (uint32_t i = 0; run->nodes > 0 && i < run->job_count; i++) {
		const struct lw_run_job *job = &run->jobs[i];

		if (job->start_s == LW_RUN_NONE || job->end_s == LW_RUN_NONE)
			continue;
		jobs[n] = (struct lw_fairness_job){
			.since_s = job->submit_s,
			.start_s = job->start_s,
			.end_s = job->end_s,
			.share = share_of(run, job),
		};
		users[n] = (struct owner){ job->user, &jobs[n].user };
		accounts[n] = (struct owner){ job->account, &jobs[n].account };
		n++;
	}
	return n;
}

int lw_runfair_compute(const struct lw_run *run, struct lw_fairness *ret_fairness)
{
	size_t room = (size_t)run->job_count + 1;
	struct lw_fairness_job *jobs = calloc(room, sizeof(*jobs));
	struct owner *users = calloc(room, sizeof(*users));
	struct owner *accounts = calloc(room, sizeof(*accounts));
	int rc = -ENOMEM;

	if (jobs && users && accounts) {
		uint32_t n = list_ended(run, jobs, users, accounts);

		number_owners(users, n);
		number_owners(accounts, n);
		rc = lw_fairness_compute(jobs, n, ret_fairness);
	}
	free(jobs);
	free(users);
	free(accounts);
	return rc;
}
