/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how alike the jobs of a user are. */
#include "lab/questions/repeat.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/questions/dist.h"

#define USER_JOBS 10
#define ALIKE     1.1

struct row {
	uint32_t user, size, place;
	int64_t time_s; /* its run time, or its limit */
};

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	if (a->time_s != b->time_s)
		return a->time_s < b->time_s ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

static int compare_places(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

/* The largest groups of one user so far, largest first. */
struct best {
	uint32_t jobs[LW_REPEAT_GROUPS];
};

static void best_add(struct best *best, uint32_t jobs)
{
	for (uint32_t i = 0; i < LW_REPEAT_GROUPS; i++) {
		uint32_t less = best->jobs[i];

		if (jobs <= less)
			continue;
		best->jobs[i] = jobs;
		jobs = less;
	}
}

static struct best best_of(const struct row *rows, uint32_t count, double alike)
{
	struct best best = { { 0 } };

	for (uint32_t i = 0, k; i < count; i = k) {
		for (k = i + 1; k < count && rows[k].size == rows[i].size &&
				(double)rows[k].time_s <= alike * (double)rows[i].time_s;
		     k++)
			;
		best_add(&best, k - i);
	}
	return best;
}

/* ROWS are by user. Where the jobs of the user of ROWS[AT] end. */
static uint32_t user_end(const struct row *rows, uint32_t count, uint32_t at)
{
	uint32_t end = at + 1;

	while (end < count && rows[end].user == rows[at].user)
		end++;
	return end;
}

/* Sums over users, and then shares. */
struct groups {
	uint32_t users, jobs;
	double top[LW_REPEAT_GROUPS], mean[LW_REPEAT_GROUPS];
};

static void groups_add(struct groups *groups, const struct row *rows, uint32_t count,
		       double alike)
{
	struct best best = best_of(rows, count, alike);
	double sum = 0;

	groups->users++;
	groups->jobs += count;
	for (uint32_t i = 0; i < LW_REPEAT_GROUPS; i++) {
		sum += best.jobs[i];
		groups->top[i] += sum;
		groups->mean[i] += sum / count;
	}
}

static struct groups groups_of(struct row *rows, uint32_t count, double alike)
{
	struct groups groups = { 0 };

	if (count)
		qsort(rows, count, sizeof(*rows), compare_rows);
	for (uint32_t i = 0, end; i < count; i = end) {
		end = user_end(rows, count, i);
		if (end - i >= USER_JOBS)
			groups_add(&groups, &rows[i], end - i, alike);
	}
	for (uint32_t i = 0; i < LW_REPEAT_GROUPS; i++) {
		groups.top[i] = lw_share(groups.top[i], groups.jobs);
		groups.mean[i] = lw_share(groups.mean[i], groups.users);
	}
	return groups;
}

/* Each job beside the one that its user sent before. ROWS are by user, then in order. */
static void repeat_steps(struct lw_repeat *repeat, const struct lw_joblog *log,
			 const struct row *rows, uint32_t count)
{
	double steps = 0, same = 0, near = 0;

	for (uint32_t i = 1; i < count; i++) {
		const struct lw_joblog_job *job = &log->jobs[rows[i].place];
		const struct lw_joblog_job *before = &log->jobs[rows[i - 1].place];

		if (job->user != before->user)
			continue;
		steps++;
		same += job->size == before->size && job->limit_s == before->limit_s;
		near += job->run_s <= 2 * before->run_s && 2 * job->run_s >= before->run_s;
	}
	repeat->same_request = lw_share(same, steps);
	repeat->near_run = lw_share(near, steps);
}

/* The jobs that have a user, and a limit if that is asked for. */
static uint32_t list_rows(const struct lw_joblog *log, bool by_limit, struct row *rows)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < log->count; i++) {
		const struct lw_joblog_job *job = &log->jobs[i];

		if (job->user == LW_JOBLOG_NOBODY || (by_limit && job->limit_s < 1))
			continue;
		rows[count++] = (struct row){ job->user, job->size, i,
					      by_limit ? job->limit_s : job->run_s };
	}
	return count;
}

int lw_repeat_of(const struct lw_joblog *log, struct lw_repeat *ret_repeat)
{
	struct row *rows = calloc((size_t)log->count + 1, sizeof(*rows));
	struct lw_repeat repeat = { 0 };
	struct groups groups;
	uint32_t count;

	if (!rows)
		return -ENOMEM;
	groups = groups_of(rows, list_rows(log, true, rows), 1);
	memcpy(repeat.request, groups.top, sizeof(repeat.request));
	count = list_rows(log, false, rows);
	groups = groups_of(rows, count, ALIKE);
	repeat.users = groups.users;
	repeat.jobs = groups.jobs;
	memcpy(repeat.top, groups.top, sizeof(repeat.top));
	memcpy(repeat.mean, groups.mean, sizeof(repeat.mean));
	if (count)
		qsort(rows, count, sizeof(*rows), compare_places);
	repeat_steps(&repeat, log, rows, count);
	free(rows);
	*ret_repeat = repeat;
	return 0;
}
