/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what users submit when many jobs wait. */
#include "lab/questions/behaviour.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLASS_JOBS 10

struct row {
	uint32_t user;
	uint8_t class;
	double run_s, size;
};

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	return a->run_s < b->run_s ? -1 : a->run_s > b->run_s;
}

/* Where the queues of the thirds end. */
static int find_bounds(const uint32_t *queue, uint32_t count, uint32_t upto[LW_QUEUES])
{
	double *sorted = calloc((size_t)count + 1, sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		sorted[i] = queue[i];
	lw_dist_sort(sorted, count);
	for (uint32_t c = 0; count && c < LW_QUEUES; c++)
		upto[c] = (uint32_t)lw_dist_quantile(sorted, count, (c + 1.0) / LW_QUEUES);
	free(sorted);
	return 0;
}

static uint8_t class_of(uint32_t queue, const uint32_t upto[LW_QUEUES])
{
	return queue <= upto[LW_QUEUE_SHORT]    ? LW_QUEUE_SHORT
	       : queue <= upto[LW_QUEUE_MIDDLE] ? LW_QUEUE_MIDDLE
						: LW_QUEUE_LONG;
}

/* What one user sent in one class: ROWS are by run time. */
struct sent {
	uint32_t jobs;
	double median_s, size;
};

static struct sent sent_of(const struct row *rows, uint32_t count, uint8_t class)
{
	struct sent sent = { 0 };
	uint32_t first = 0;

	while (first < count && rows[first].class != class)
		first++;
	for (uint32_t i = first; i < count && rows[i].class == class; i++) {
		sent.jobs++;
		sent.size += rows[i].size;
	}
	if (!sent.jobs)
		return sent;
	sent.size /= sent.jobs;
	/* half a second for none, which has no ratio */
	sent.median_s = fmax(rows[first + (sent.jobs - 1) / 2].run_s, 0.5);
	return sent;
}

static void compare_users(struct lw_behaviour *behaviour, const struct row *rows, uint32_t count)
{
	double run = 0, size = 0;
	uint32_t sized = 0;

	for (uint32_t i = 0, end; i < count; i = end) {
		struct sent few, many;

		for (end = i + 1; end < count && rows[end].user == rows[i].user; end++)
			;
		few = sent_of(&rows[i], end - i, LW_QUEUE_SHORT);
		many = sent_of(&rows[i], end - i, LW_QUEUE_LONG);
		if (few.jobs < CLASS_JOBS || many.jobs < CLASS_JOBS)
			continue;
		behaviour->users++;
		run += log(many.median_s / few.median_s);
		if (few.size > 0 && many.size > 0) {
			size += log(many.size / few.size);
			sized++;
		}
	}
	behaviour->run_ratio = behaviour->users ? exp(run / behaviour->users) : NAN;
	behaviour->size_ratio = sized ? exp(size / sized) : NAN;
}

static int behaviour_fill(const struct lw_joblog *log, const struct lw_size_bounds *bounds,
			  const uint32_t *queue, struct lw_behaviour *behaviour)
{
	struct row *rows = calloc((size_t)log->count + 1, sizeof(*rows));
	uint8_t *group = calloc((size_t)log->count + 1, 1);
	uint32_t count = 0;
	int rc = rows && group ? find_bounds(queue, log->count, behaviour->upto) : -ENOMEM;

	for (uint32_t i = 0; !rc && i < log->count; i++) {
		const struct lw_joblog_job *job = &log->jobs[i];

		group[i] = class_of(queue[i], behaviour->upto);
		if (job->user != LW_JOBLOG_NOBODY)
			rows[count++] = (struct row){ job->user, group[i], (double)job->run_s,
						      job->size };
	}
	if (!rc)
		rc = lw_slices_of(log, bounds, group, LW_QUEUES, behaviour->queue);
	if (!rc && count)
		qsort(rows, count, sizeof(*rows), compare_rows);
	if (!rc)
		compare_users(behaviour, rows, count);
	free(rows);
	free(group);
	return rc;
}

int lw_behaviour_of(const struct lw_joblog *log, const struct lw_size_bounds *bounds,
		    const uint32_t *queue, struct lw_behaviour *ret_behaviour)
{
	struct lw_behaviour behaviour = { .known = queue != NULL,
					  .run_ratio = NAN,
					  .size_ratio = NAN };
	int rc = queue ? behaviour_fill(log, bounds, queue, &behaviour) : 0;

	if (!rc)
		*ret_behaviour = behaviour;
	return rc;
}
