/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how alike the jobs of a user are. */
#include "analyse/repeat.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/dist.h"

#define USER_JOBS 10
#define ALIKE     1.1

struct row {
	uint32_t user, size, place;
	int64_t run_s;
};

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	if (a->run_s != b->run_s)
		return a->run_s < b->run_s ? -1 : 1;
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

static struct best best_of(const struct row *rows, uint32_t count)
{
	struct best best = { { 0 } };

	for (uint32_t i = 0, k; i < count; i = k) {
		for (k = i + 1; k < count && rows[k].size == rows[i].size &&
				(double)rows[k].run_s <= ALIKE * (double)rows[i].run_s;
		     k++)
			;
		best_add(&best, k - i);
	}
	return best;
}

static void repeat_user(struct lw_repeat *repeat, const struct row *rows, uint32_t count)
{
	struct best best = best_of(rows, count);
	double sum = 0;

	repeat->users++;
	repeat->jobs += count;
	for (uint32_t i = 0; i < LW_REPEAT_GROUPS; i++) {
		sum += best.jobs[i];
		repeat->top[i] += sum;
		repeat->mean[i] += sum / count;
	}
}

/* ROWS are by user. Where the jobs of the user of ROWS[AT] end. */
static uint32_t user_end(const struct row *rows, uint32_t count, uint32_t at)
{
	uint32_t end = at + 1;

	while (end < count && rows[end].user == rows[at].user)
		end++;
	return end;
}

static void repeat_groups(struct lw_repeat *repeat, const struct row *rows, uint32_t count)
{
	for (uint32_t i = 0, end; i < count; i = end) {
		end = user_end(rows, count, i);
		if (end - i >= USER_JOBS)
			repeat_user(repeat, &rows[i], end - i);
	}
	for (uint32_t i = 0; i < LW_REPEAT_GROUPS; i++) {
		repeat->top[i] = lw_share(repeat->top[i], repeat->jobs);
		repeat->mean[i] = lw_share(repeat->mean[i], repeat->users);
	}
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

int lw_repeat_of(const struct lw_joblog *log, struct lw_repeat *ret_repeat)
{
	struct row *rows = calloc((size_t)log->count + 1, sizeof(*rows));
	struct lw_repeat repeat = { 0 };
	uint32_t count = 0;

	if (!rows)
		return -ENOMEM;
	for (uint32_t i = 0; i < log->count; i++) {
		const struct lw_joblog_job *job = &log->jobs[i];

		if (job->user != LW_JOBLOG_NOBODY)
			rows[count++] = (struct row){ job->user, job->size, i, job->run_s };
	}
	if (count)
		qsort(rows, count, sizeof(*rows), compare_rows);
	repeat_groups(&repeat, rows, count);
	if (count)
		qsort(rows, count, sizeof(*rows), compare_places);
	repeat_steps(&repeat, log, rows, count);
	free(rows);
	*ret_repeat = repeat;
	return 0;
}
