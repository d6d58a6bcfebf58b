/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how much of the machine is held, and how many jobs wait, over time. */
#include "lab/questions/load.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/questions/dist.h"

#define BUSY_SHARE  0.8
#define KNOWN_SHARE 0.99

/* A change of what is held, or of the jobs that wait. */
struct event {
	int64_t at_s;
	int64_t held; /* units more */
	int32_t waiting;
};

static int compare_events(const void *left, const void *right)
{
	const struct event *a = left, *b = right;

	/* events of one time only change sums, so their order does not matter */
	return a->at_s < b->at_s ? -1 : a->at_s > b->at_s;
}

static bool knows_waits(const struct lw_joblog *log)
{
	uint32_t known = 0;

	for (uint32_t i = 0; i < log->count; i++)
		known += log->jobs[i].wait_s >= 0;
	return log->count && known >= KNOWN_SHARE * log->count;
}

static uint32_t load_list(const struct lw_joblog *log, struct event *events)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < log->count; i++) {
		const struct lw_joblog_job *job = &log->jobs[i];
		int64_t start_s = job->submit_s + job->wait_s;

		if (job->wait_s < 0)
			continue;
		events[count++] = (struct event){ job->submit_s, 0, 1 };
		events[count++] = (struct event){ start_s, job->size, -1 };
		events[count++] = (struct event){ start_s + job->run_s, -(int64_t)job->size, 0 };
	}
	if (count)
		qsort(events, count, sizeof(*events), compare_events);
	return count;
}

static double find_peak(const struct event *events, uint32_t count)
{
	int64_t held = 0, peak = 0;

	for (uint32_t i = 0; i < count; i++) {
		held += events[i].held;
		/* all of one time first */
		if (i + 1 == count || events[i + 1].at_s != events[i].at_s)
			peak = held > peak ? held : peak;
	}
	return (double)peak;
}

/* Sums over the span of the log. */
struct sweep {
	struct lw_load *load;
	int64_t first_s, last_s;
	double held_s, above_s, waiting_s, held_waiting_s, slack_s, queue_s;
};

/* From FROM_S to TO_S nothing changed: add VALUE x time to the periods. */
static void spread(const struct sweep *sweep, double *periods, int64_t from_s, int64_t to_s,
		   double value)
{
	double period_s = sweep->load->period_s;
	double from = (double)(from_s - sweep->first_s), to = (double)(to_s - sweep->first_s);

	for (uint32_t i = (uint32_t)(from / period_s); i < LW_LOAD_PERIODS; i++) {
		double start = fmax(from, i * period_s), end = fmin(to, (i + 1) * period_s);

		if (i * period_s >= to)
			return;
		if (end > start)
			periods[i] += value * (end - start) / period_s;
	}
}

static void sweep_stretch(struct sweep *sweep, int64_t from_s, int64_t to_s, double held,
			  double queue)
{
	struct lw_load *load = sweep->load;
	double length_s;

	from_s = from_s > sweep->first_s ? from_s : sweep->first_s;
	to_s = to_s < sweep->last_s ? to_s : sweep->last_s;
	if (from_s >= to_s)
		return;
	length_s = (double)(to_s - from_s);
	sweep->held_s += held * length_s;
	sweep->queue_s += queue * length_s;
	if (held > load->machine)
		sweep->above_s += length_s;
	if (queue > 0) {
		sweep->waiting_s += length_s;
		sweep->held_waiting_s += held * length_s;
		if (held < BUSY_SHARE * load->machine)
			sweep->slack_s += length_s;
	}
	spread(sweep, load->use, from_s, to_s, load->machine > 0 ? held / load->machine : 0);
	spread(sweep, load->queue, from_s, to_s, queue);
}

static void load_sweep(struct sweep *sweep, const struct event *events, uint32_t count)
{
	struct lw_load *load = sweep->load;
	int64_t held = 0, queue = 0;

	for (uint32_t i = 0; i < count; i++) {
		held += events[i].held;
		queue += events[i].waiting;
		if (i + 1 < count && events[i + 1].at_s == events[i].at_s)
			continue;
		if (queue > load->queue_most)
			load->queue_most = (uint32_t)queue;
		if (i + 1 < count)
			sweep_stretch(sweep, events[i].at_s, events[i + 1].at_s, (double)held,
				      (double)queue);
	}
}

static void load_asked(const struct lw_joblog *log, struct lw_load *load)
{
	double area_s = 0, span_s = load->period_s * LW_LOAD_PERIODS;

	for (uint32_t i = 0; i < log->count; i++) {
		const struct lw_joblog_job *job = &log->jobs[i];
		double at = (double)(job->submit_s - log->jobs[0].submit_s) / load->period_s;
		uint32_t period = at < LW_LOAD_PERIODS ? (uint32_t)at : LW_LOAD_PERIODS - 1;

		area_s += lw_joblog_area_s(job);
		load->asked[period] += lw_joblog_area_s(job) / load->period_s;
	}
	for (uint32_t p = 0; p < LW_LOAD_PERIODS; p++)
		load->asked[p] = lw_share(load->asked[p], load->machine);
	load->offered = lw_share(area_s, load->machine * span_s);
}

/*
 * A job submitted before T that has not started by then waits. A job that starts at its
 * submission belongs to T itself.
 */
static void load_queues(const struct lw_joblog *log, const double *starts, uint32_t start_count,
			uint32_t *queue)
{
	uint32_t known = 0; /* submitted before, with a wait that is known */

	for (uint32_t i = 0, k; i < log->count; i = k) {
		int64_t at_s = log->jobs[i].submit_s;
		uint32_t at_once = 0, more = 0, started;

		for (k = i; k < log->count && log->jobs[k].submit_s == at_s; k++) {
			more += log->jobs[k].wait_s >= 0;
			at_once += log->jobs[k].wait_s == 0;
		}
		started = lw_dist_rank(starts, start_count, (double)at_s) - at_once;
		for (uint32_t j = i; j < k; j++)
			queue[j] = known - started;
		known += more;
	}
}

static void load_finish(struct sweep *sweep)
{
	struct lw_load *load = sweep->load;
	double span_s = (double)(sweep->last_s - sweep->first_s);

	load->utilisation = lw_share(sweep->held_s, load->machine * span_s);
	load->above_share = lw_share(sweep->above_s, span_s);
	load->waiting_share = lw_share(sweep->waiting_s, span_s);
	load->use_waiting = lw_share(sweep->held_waiting_s, load->machine * sweep->waiting_s);
	load->slack_share = lw_share(sweep->slack_s, sweep->waiting_s);
	load->queue_mean = lw_share(sweep->queue_s, span_s);
}

static int load_fill(const struct lw_joblog *log, struct lw_load *load, uint32_t *queue)
{
	struct event *events = calloc(3 * (size_t)log->count + 1, sizeof(*events));
	double *starts = calloc((size_t)log->count + 1, sizeof(*starts));
	struct sweep sweep = { .load = load,
			       .first_s = log->jobs[0].submit_s,
			       .last_s = log->jobs[log->count - 1].submit_s };
	uint32_t count, start_count = 0;
	int rc = events && starts ? 0 : -ENOMEM;

	if (!rc) {
		count = load_list(log, events);
		load->peak = find_peak(events, count);
		load->machine_is_peak = !log->machine;
		if (load->machine_is_peak)
			load->machine = load->peak;
		load_sweep(&sweep, events, count);
		load_finish(&sweep);
		for (uint32_t i = 0; i < log->count; i++)
			if (log->jobs[i].wait_s >= 0)
				starts[start_count++] =
					(double)(log->jobs[i].submit_s + log->jobs[i].wait_s);
		lw_dist_sort(starts, start_count);
		load_queues(log, starts, start_count, queue);
	}
	free(events);
	free(starts);
	return rc;
}

int lw_load_of(const struct lw_joblog *log, struct lw_load *ret_load, uint32_t *ret_queue)
{
	struct lw_load load = { .machine = (double)log->machine,
				.peak = NAN,
				.offered = NAN,
				.utilisation = NAN,
				.above_share = NAN,
				.waiting_share = NAN,
				.use_waiting = NAN,
				.slack_share = NAN,
				.queue_mean = NAN };
	int64_t span_s =
		log->count ? log->jobs[log->count - 1].submit_s - log->jobs[0].submit_s : 0;
	int rc = 0;

	load.period_s = (double)(span_s > 0 ? span_s : 1) / LW_LOAD_PERIODS;
	load.has_waits = knows_waits(log);
	if (load.has_waits)
		rc = load_fill(log, &load, ret_queue);
	if (!rc && log->count)
		load_asked(log, &load);
	if (!rc)
		*ret_load = load;
	return rc;
}
