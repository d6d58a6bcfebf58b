/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: run times of jobs that share a GPU, as long as they are expected to be beside others.
 */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/read/stretch.h"

#include "planner/model/snapshot_step.h"

#define ALONE 1000u

static int64_t stretch_stretched(int64_t time_s, uint32_t stretch)
{
	return time_s > INT64_MAX / 8000 ? time_s : time_s * stretch / ALONE;
}

static uint32_t stretch_of(const struct lw_reading *reading, uint32_t job_id)
{
	uint32_t most = ALONE;

	for (uint32_t i = 0; i < reading->stretch_count; i++) {
		const struct lw_stretch *one = &reading->stretches[i];

		if (one->job_id == job_id && one->thousandths > most)
			most = one->thousandths;
	}
	return most;
}

/* Lengthen what is left of it: it is not known how long the jobs were together so far. */
static void stretch_running(struct lw_reading *reading, uint32_t index)
{
	const struct lw_running *job = &reading->snap.running[index];
	int64_t had_s = reading->snap.now_s - job->start_s;
	uint32_t stretch = job->job_id ? stretch_of(reading, job->job_id) : ALONE;

	if (stretch > ALONE && had_s >= 0 && job->expect_s > had_s)
		lw_snapshot_expect_running(
			&reading->snap, index,
			had_s + stretch_stretched(job->expect_s - had_s, stretch), job->survival);
}

static void stretch_class(struct lw_reading *reading, uint32_t number)
{
	const struct lw_class *class = &reading->snap.queue.classes[number];
	uint32_t last = class->members[class->member_count - 1];
	struct lw_expectation expected = reading->snap.waiting[last].expected;
	uint32_t stretch = reading->tickets[last].stretch;

	if (stretch <= ALONE || !expected.mean_s)
		return;
	expected.mean_s = stretch_stretched(expected.mean_s, stretch);
	if (expected.mean_s > class->limit_s)
		expected.mean_s = class->limit_s;
	lw_snapshot_expect_jobs(&reading->snap, number, &expected);
}

void lw_reading_stretch(struct lw_reading *reading)
{
	const struct lw_queue *queue = &reading->snap.queue;

	for (uint32_t i = 0; reading->stretch_count && i < reading->snap.running_count; i++)
		stretch_running(reading, i);
	for (uint32_t i = 0; i < queue->active_count; i++)
		stretch_class(reading, queue->active[i]);
}
