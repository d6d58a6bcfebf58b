/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a workload of the jobs that sacct knows. */
#include "lab/workload/workload_sacct.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/common/run.h"

#define DAY_S    86400
#define MINUTE_S 60

/* Users in order of appearance: the place is the number. */
struct names {
	const char **names;
	uint32_t count, room;
};

static int number_of(struct names *names, const char *name, uint32_t *ret_number)
{
	for (uint32_t i = 0; i < names->count; i++) {
		if (strcmp(names->names[i], name) == 0) {
			*ret_number = i;
			return 0;
		}
	}
	if (lw_grow((void **)&names->names, &names->room, names->count + 1,
		    sizeof(*names->names)))
		return -ENOMEM;
	names->names[names->count] = name;
	*ret_number = names->count++;
	return 0;
}

static uint32_t divide_up(int64_t a, uint32_t b, int64_t most)
{
	return (uint32_t)lw_workload_cap((a + b - 1) / b, most);
}

static void set_shape(const struct lw_run_job *from, struct lw_workload_job *job)
{
	int64_t cpus = from->asked_cpus ? from->asked_cpus : from->cpus;
	int64_t gpus = from->asked_gpus ? from->asked_gpus : from->gpus;
	int64_t mem_mib = from->asked_cpus ? from->asked_mem_mib : from->mem_mib;

	job->nodes = 1;
	if (from->nodes > 0)
		job->nodes = (uint32_t)lw_workload_cap(from->nodes, LW_WORKLOAD_NODES_MAX);
	job->cpus_per_node = cpus > 0 ? divide_up(cpus, job->nodes, LW_WORKLOAD_CPUS_MAX) : 1;
	job->gpus_per_node = divide_up(gpus, job->nodes, LW_WORKLOAD_GPUS_MAX);
	job->mem_mib_per_node = divide_up(mem_mib, job->nodes, UINT32_MAX);
	job->kind = !job->gpus_per_node ? LW_WORKLOAD_HPC
		    : job->nodes > 1    ? LW_WORKLOAD_GANG
					: LW_WORKLOAD_TRAIN1;
}

static void set_times(const struct lw_run_job *from, struct lw_workload_job *job,
		      struct lw_workload_sacct_notes *notes)
{
	job->submit_s = from->submit_s;
	job->cancel_s = LW_WORKLOAD_NEVER;
	job->limit_s = from->limit_s;
	if (from->start_s == LW_RUN_NONE) {
		/* how long it would have run is not known, and does not matter */
		job->cancel_s = from->end_s > from->submit_s ? from->end_s - from->submit_s : 1;
		job->run_s = MINUTE_S;
	} else {
		job->run_s = lw_workload_cap(from->end_s - from->start_s, LW_WORKLOAD_TIME_MAX_S);
	}
	job->cancel_s = lw_workload_cap(job->cancel_s, LW_WORKLOAD_TIME_MAX_S);
	if (job->limit_s < MINUTE_S) {
		notes->unlimited++;
		job->limit_s = (job->run_s > DAY_S ? job->run_s : DAY_S) / MINUTE_S * MINUTE_S +
			       MINUTE_S;
	}
	job->limit_s = lw_workload_cap(job->limit_s, LW_WORKLOAD_TIME_MAX_S);
	if (job->run_s > job->limit_s + MINUTE_S)
		notes->longer++;
}

/* How long it would have run is not known: the cancellation ends it, whenever it starts. */
static void fix_cancel(const struct lw_run_job *from, struct lw_workload_job *job)
{
	int64_t after_s = from->end_s > from->submit_s ? from->end_s - from->submit_s : 1;

	if (from->start_s == LW_RUN_NONE || strcmp(from->state, "CANCELLED") != 0)
		return;
	job->cancel_s = lw_workload_cap(after_s, LW_WORKLOAD_TIME_MAX_S);
	job->run_s = job->limit_s;
}

/* Only what lw-workload(5) allows: no option of sbatch, for one. */
static void set_name(const char *from, struct lw_workload_job *job)
{
	size_t n = 0;

	for (; from[n] && n < LW_WORKLOAD_NAME_MAX - 1; n++) {
		bool fine = isalnum((unsigned char)from[n]) || strchr("._-", from[n]);

		job->name[n] = fine ? from[n] : '_';
	}
	if (job->name[0] == '-')
		job->name[0] = '_';
	if (!n)
		snprintf(job->name, sizeof(job->name), "job");
}

static int add_job(const struct lw_run_job *from, bool fixed_cancels, struct names *users,
		   struct lw_workload *workload, struct lw_workload_sacct_notes *notes)
{
	struct lw_workload_job job = { .array = LW_WORKLOAD_NEVER };

	if (from->end_s == LW_RUN_NONE) {
		notes->running++;
		return 0;
	}
	set_shape(from, &job);
	set_times(from, &job, notes);
	if (fixed_cancels)
		fix_cancel(from, &job);
	set_name(from->name, &job);
	if (number_of(users, from->user, &job.user))
		return -ENOMEM;
	notes->cut += from->tasks_cut;
	notes->cut_tasks += from->tasks_cut ? from->tasks : 0;
	for (uint32_t i = 0; i < from->tasks; i++) {
		if (lw_workload_add(workload, &job))
			return -ENOMEM;
	}
	return 0;
}

/* Where a row belongs: its job or array, which task of it, and which row it is. */
struct place {
	unsigned long job, task;
	uint32_t row;
};

/* "326", "326_31", "326_[7-9]", which is the rest that never started. */
static struct place place_of(const char *id, uint32_t row)
{
	struct place place = { .row = row };
	char *end;

	place.job = strtoul(id, &end, 10);
	if (*end == '_')
		place.task = strtoul(end + (end[1] == '[' ? 2 : 1), NULL, 10);
	return place;
}

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* The last task of an array has the id of the array, lower than those of the others. */
static struct place *in_order(const struct lw_run *run)
{
	struct place *places = calloc((size_t)run->job_count + 1, sizeof(*places));

	for (uint32_t i = 0; places && i < run->job_count; i++)
		places[i] = place_of(run->jobs[i].id, i);
	if (places)
		qsort(places, run->job_count, sizeof(*places), compare_places);
	return places;
}

static int import_fill(const struct lw_run *run, bool fixed_cancels, struct lw_workload *workload,
		       struct lw_workload_sacct_notes *notes)
{
	struct place *places = in_order(run);
	struct names users = { 0 };
	int rc = places ? 0 : -ENOMEM;

	for (uint32_t i = 0; !rc && i < run->job_count; i++)
		rc = add_job(&run->jobs[places[i].row], fixed_cancels, &users, workload, notes);
	free(users.names);
	free(places);
	if (!rc)
		rc = lw_workload_sort(workload);
	for (uint32_t i = workload->job_count; !rc && i > 0; i--) {
		struct lw_workload_job *job = &workload->jobs[i - 1];

		job->submit_s = lw_workload_cap(job->submit_s - workload->jobs[0].submit_s,
						LW_WORKLOAD_TIME_MAX_S);
	}
	return rc;
}

int lw_workload_of_sacct(const char *path, unsigned how, struct lw_workload *ret_workload,
			 struct lw_workload_sacct_notes *ret_notes, struct lw_error *err)
{
	return lw_workload_of_sacct_fd(path, -1, how, ret_workload, ret_notes, err);
}

int lw_workload_of_sacct_fd(const char *path, int fd, unsigned how,
			    struct lw_workload *ret_workload,
			    struct lw_workload_sacct_notes *ret_notes, struct lw_error *err)
{
	struct lw_workload_sacct_notes notes = { 0 };
	struct lw_workload workload = { 0 };
	struct lw_run run = { .lenient = how & LW_SACCT_LENIENT };
	int rc = lw_run_load_sacct_fd(&run, fd, path, err);

	notes.bad = run.bad_rows;
	notes.doubles = run.doubles;
	notes.shifted = run.shifted;
	notes.first_bad = run.bad;
	memcpy(notes.lacks, run.lacks, sizeof(notes.lacks));
	notes.lack_count = run.lack_count;
	if (!rc && import_fill(&run, how & LW_SACCT_FIXED_CANCELS, &workload, &notes))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	if (!rc && !workload.job_count && notes.bad)
		rc = lw_error_set(err, -ENODATA,
				  "%s: no job that has ended: %" PRIu32
				  " bad lines skipped, the first is line %s",
				  path, notes.bad, notes.first_bad.text);
	else if (!rc && !workload.job_count)
		rc = lw_error_set(err, -ENODATA, "%s: no job that has ended", path);
	lw_run_fini(&run);
	if (rc) {
		lw_workload_fini(&workload);
		return rc;
	}
	*ret_workload = workload;
	*ret_notes = notes;
	return 0;
}
