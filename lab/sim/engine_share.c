/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs of a run that share GPUs: which joins which, how fast they are, which goes. */

/*
 * The planner does not know of it: it gives whole GPUs. A job that finds none may join a tenant,
 * on its GPU, CPUs and memory, and is in no record of the snapshot. When the first tenant goes,
 * its record becomes that of the second. The remaining run of a job is counted by its speed.
 */
#include "lab/sim/engine_share.h"

#include "base/grow.h"
#include "lab/sim/engine_state.h"
#include "lab/sim/expect.h"
#include "lab/sim/reciperun.h"
#include "planner/model/snapshot_step.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How two fare is read so often, every ten seconds as the recorder does, and then decided. */
#define LOOK_READINGS 3
#define LOOK_AFTER_S  (10 * LOOK_READINGS)
/* Each reading is off by a normal share of this. */
#define LOOK_NOISE    0.1
/* No job is sent away more often. */
#define PARTED_MAX    8

int lw_seats_init(struct lw_seats *seats, const struct lw_sharing *sharing,
		  struct lw_sharing_found *found, uint32_t job_count)
{
	memset(seats, 0, sizeof(*seats));
	if (!sharing || sharing->rule.mode == LW_SHARE_OFF)
		return 0;
	seats->sharing = sharing;
	seats->found = found;
	lw_rng_init(&seats->rng, 1);
	seats->tenants = calloc((size_t)job_count + 1, sizeof(*seats->tenants));
	if (!seats->tenants)
		return -ENOMEM;
	for (uint32_t i = 0; i < job_count; i++)
		seats->tenants[i].seat = LW_SEAT_NONE;
	return 0;
}

void lw_seats_fini(struct lw_seats *seats)
{
	lw_share_pairs_fini(&seats->seen);
	free(seats->tenants);
	free(seats->seats);
	memset(seats, 0, sizeof(*seats));
}

static const struct lw_sharing_kind *kind_of(const struct lw_engine *run, uint32_t index)
{
	return lw_sharing_find(run->seats.sharing->table, run->jobs[index].application);
}

/* One GPU of one node, and it is known what kind of job it is. */
static bool may_share(const struct lw_engine *run, uint32_t index)
{
	const struct lw_request *req = &run->jobs[index].request;

	return run->seats.sharing && !run->seats.tenants[index].alone &&
	       lw_sharing_wants_one(req) && kind_of(run, index);
}

/* A free seat, or a new one. */
static int find_seat(struct lw_seats *seats, uint32_t *ret_seat)
{
	for (uint32_t i = 0; i < seats->count; i++) {
		if (!seats->seats[i].count) {
			*ret_seat = i;
			return 0;
		}
	}
	if (lw_grow((void **)&seats->seats, &seats->room, seats->count + 1,
		    sizeof(*seats->seats)))
		return -ENOMEM;
	*ret_seat = seats->count++;
	return 0;
}

int lw_engine_seat(struct lw_engine *run, uint32_t index)
{
	const struct lw_sim_job *job = &run->jobs[index];
	int64_t run_s = job->run_s < job->limit_s ? job->run_s : job->limit_s;
	uint32_t seat;

	if (!may_share(run, index))
		return 0;
	if (find_seat(&run->seats, &seat))
		return -ENOMEM;
	run->seats.seats[seat] =
		(struct lw_seat){ .job = { index }, .count = 1, .look_s = INT64_MAX };
	run->seats.tenants[index] = (struct lw_tenant){
		.seat = seat,
		.rate = 1000,
		.left_s = (double)lw_sim_job_left_s(job, run_s),
		.since_s = job->start_s,
	};
	return 0;
}

/* It goes on at RATE: its end is another one. */
static int set_rate(struct lw_engine *run, uint32_t index, uint32_t rate, int64_t now_s)
{
	struct lw_tenant *tenant = &run->seats.tenants[index];
	struct lw_sim_job *job = &run->jobs[index];
	int64_t limit_s = job->start_s + lw_sim_job_left_s(job, job->limit_s);

	tenant->left_s -= (double)(now_s - tenant->since_s) * tenant->rate / 1000;
	if (tenant->left_s < 0)
		tenant->left_s = 0;
	tenant->since_s = now_s;
	tenant->rate = rate ? rate : 1;
	job->ends_s = now_s + (int64_t)ceil(tenant->left_s * 1000 / tenant->rate - 1e-6);
	if (job->ends_s > limit_s)
		job->ends_s = limit_s;
	if (job->cancel_after_s && job->ends_s > job->submit_s + job->cancel_after_s)
		job->ends_s = job->submit_s + job->cancel_after_s;
	lw_agenda_stop(&run->agenda, index);
	return lw_agenda_start(&run->agenda, index);
}

bool lw_engine_unseat(struct lw_engine *run, struct lw_sim_job *job,
		      struct lw_sim_job **ret_heir)
{
	struct lw_tenant *tenant = run->seats.sharing ? &run->seats.tenants[job - run->jobs] : NULL;
	struct lw_seat *seat;
	bool first;

	*ret_heir = NULL;
	if (!tenant || tenant->seat == LW_SEAT_NONE)
		return false;
	seat = &run->seats.seats[tenant->seat];
	tenant->seat = LW_SEAT_NONE;
	first = &run->jobs[seat->job[0]] == job;
	if (first)
		seat->job[0] = seat->job[1];
	if (--seat->count) {
		int64_t together_s = run->snap->now_s -
				     run->seats.tenants[seat->job[0]].since_s;

		run->seats.found->saved_s += (double)together_s;
		*ret_heir = &run->jobs[seat->job[0]];
	}
	seat->look_s = INT64_MAX;
	if (!first)
		job->guest_s = run->snap->now_s - job->start_s;
	return !first;
}

/* ---- joining ---- */

/* A job that may join, in order of joining. */
struct hopeful {
	uint32_t index;
	int64_t mean_s; /* 0: by their places alone */
	uint32_t place;
};

static int by_mean(const void *a, const void *b)
{
	const struct hopeful *x = a, *y = b;

	if (x->mean_s != y->mean_s)
		return x->mean_s < y->mean_s ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static uint32_t list_hopefuls(const struct lw_engine *run, struct hopeful *list)
{
	const struct lw_queue *queue = &run->snap->queue;
	uint32_t count = 0;

	for (uint32_t i = 0; i < queue->count; i++) {
		uint32_t waiting = queue->order[i], index = run->job_of[waiting];
		const struct lw_class *class = &queue->classes[queue->class_of[waiting]];

		if (run->snap->waiting[waiting].readiness == LW_READY && may_share(run, index))
			list[count++] = (struct hopeful){
				.index = index,
				.mean_s = run->seats.sharing->shortest ? class->expected.mean_s : 0,
				.place = i,
			};
	}
	qsort(list, count, sizeof(*list), by_mean);
	return count;
}

/* By its hard limit, if it starts now. */
static int64_t latest_end_s(const struct lw_engine *run, uint32_t index)
{
	const struct lw_sim_job *job = &run->jobs[index];

	return run->snap->now_s + lw_sim_job_left_s(job, job->limit_s);
}

/* A job that holds a GPU for longer than its elder may takes it from a job with a promise. */
static bool breaks_promises(const struct lw_engine *run, uint32_t elder, uint32_t index)
{
	const struct lw_sim_job *job = &run->jobs[elder];
	const struct lw_snapshot *snap = run->snap;

	if (latest_end_s(run, index) <= job->start_s + job->held_s)
		return false;
	for (uint32_t i = 0; i < snap->queue.count; i++) {
		uint32_t waiting = snap->queue.order[i];

		if (run->job_of[waiting] != index &&
		    snap->waiting[waiting].promise_s != LW_NO_TIME)
			return true;
	}
	return false;
}

/*
 * MPS serves one user at a time, so that the plan on a cluster never puts two users together.
 * Published ways, and what a table of all pairs would give, know no users.
 */
static bool are_apart(const struct lw_engine *run, uint32_t elder, uint32_t index)
{
	const struct lw_sharing *sharing = run->seats.sharing;

	return sharing->rule.mode == LW_SHARE_MPS && sharing->way == LW_SHARING_RULE &&
	       run->jobs[elder].user != run->jobs[index].user;
}

/* The tenant with the least cost; of equal ones the first. */
static uint32_t find_elder(struct lw_engine *run, uint32_t index)
{
	const struct lw_sharing_kind *kind = kind_of(run, index);
	uint32_t best = LW_SEAT_NONE, least = UINT32_MAX, cost = 0;

	for (uint32_t i = 0; i < run->seats.count; i++) {
		const struct lw_seat *seat = &run->seats.seats[i];

		if (seat->count != 1 || run->jobs[seat->job[0]].start_s > run->snap->now_s ||
		    are_apart(run, seat->job[0], index) ||
		    breaks_promises(run, seat->job[0], index) ||
		    !lw_sharing_may_join(run->seats.sharing, &run->seats.seen,
					 kind_of(run, seat->job[0]), kind, &cost))
			continue;
		if (best == LW_SEAT_NONE || cost < least) {
			best = i;
			least = cost;
		}
	}
	return best;
}

static int leave_queue(struct lw_engine *run, uint32_t index)
{
	struct lw_sim_job *job = &run->jobs[index];
	uint32_t place;

	if (!lw_engine_find(run, index, &place) || lw_snapshot_remove_waiting(run->snap, place))
		return -ENOMEM;
	job->start_s = run->snap->now_s;
	job->ends_s = 0;
	job->shared = true;
	job->guest_s = 0;
	if (!job->stops)
		job->first_start_s = job->start_s;
	run->kinds[job->class_number].runs++;
	lw_expect_rank(run, job->class_number);
	if (run->hooks->started)
		run->hooks->started(run->hooks->arg, job);
	return lw_agenda_start(&run->agenda, index);
}

static int join(struct lw_engine *run, uint32_t index, uint32_t number)
{
	uint32_t elder = run->seats.seats[number].job[0], rates[2];
	struct lw_seat *seat = &run->seats.seats[number];
	const struct lw_alloc one = { .res = run->snap->nodes[0].total };
	int64_t now_s = run->snap->now_s;
	int rc;

	if (!lw_sharing_has_memory(run->seats.sharing, kind_of(run, elder), kind_of(run, index))) {
		run->seats.found->out_of_memory++;
		run->seats.tenants[index].alone = true;
		return 0;
	}
	rc = leave_queue(run, index);
	/* with recipes all nodes are of one type */
	lw_reciperun_start(&run->jobs[index], run->snap, &one, 1);
	if (!rc)
		rc = lw_engine_seat(run, index);
	if (rc)
		return rc;
	/* it got a seat of its own, like a job that starts */
	seat = &run->seats.seats[number];
	run->seats.seats[run->seats.tenants[index].seat].count = 0;
	run->seats.tenants[index].seat = number;
	seat->job[seat->count++] = index;
	seat->look_s = now_s + LOOK_AFTER_S;
	run->jobs[elder].shared = true;
	if (run->hooks->joined)
		run->hooks->joined(run->hooks->arg, &run->jobs[elder], &run->jobs[index]);
	run->seats.found->joined++;
	lw_sharing_rates(run->seats.sharing, kind_of(run, elder), kind_of(run, index), &rates[0],
			 &rates[1]);
	rc = set_rate(run, elder, rates[0], now_s);
	if (!rc)
		rc = set_rate(run, index, rates[1], now_s);
	return rc ? rc : lw_engine_become(run, index, LW_CHAIN_RUNNING, now_s);
}

int lw_engine_join(struct lw_engine *run)
{
	struct hopeful *list;
	uint32_t count;
	int rc = 0;

	if (!run->seats.sharing || !run->snap->queue.count)
		return 0;
	list = calloc(run->snap->queue.count, sizeof(*list));
	if (!list)
		return -ENOMEM;
	count = list_hopefuls(run, list);
	for (uint32_t i = 0; !rc && i < count; i++) {
		uint32_t seat = find_elder(run, list[i].index);

		if (seat != LW_SEAT_NONE)
			rc = join(run, list[i].index, seat);
	}
	free(list);
	return rc;
}

/* ---- how tenants fare ---- */

/* The mean of all readings. */
static uint32_t reading_of(struct lw_seats *seats, uint32_t rate)
{
	double off = 0, seen;

	for (int i = 0; i < LOOK_READINGS; i++)
		off += LOOK_NOISE * lw_rng_normal(&seats->rng);
	seen = rate * (1 + off / LOOK_READINGS);
	return seen < 0 ? 0 : seen > 1000 ? 1000 : (uint32_t)(seen + 0.5);
}

/* Together they are slower than in turns, or one of them than it should be. */
static bool should_part(const struct lw_sharing *sharing, const uint32_t rates[2])
{
	uint32_t slower = rates[0] < rates[1] ? rates[0] : rates[1];

	return (sharing->way == LW_SHARING_TRIAL && rates[0] + rates[1] < 1000) ||
	       slower < sharing->part_below;
}

static int look_at(struct lw_engine *run, struct lw_seat *seat, int64_t now_s)
{
	struct lw_seats *seats = &run->seats;
	uint32_t elder = seat->job[0], newcomer = seat->job[1];
	uint32_t rates[] = { reading_of(seats, seats->tenants[elder].rate),
			     reading_of(seats, seats->tenants[newcomer].rate) };
	struct lw_sim_job *job = &run->jobs[newcomer];
	int64_t done_s = job->done_s;
	int rc = lw_share_pairs_add(&seats->seen, kind_of(run, elder)->number,
				    kind_of(run, newcomer)->number, rates[0], rates[1]);

	seat->look_s = INT64_MAX;
	if (rc || !should_part(seats->sharing, rates))
		return rc;
	seats->found->parted++;
	rc = lw_engine_stop(run, newcomer, now_s);
	/* what it did is lost */
	job->done_s = done_s;
	seats->tenants[newcomer].alone = job->stops >= PARTED_MAX;
	return rc;
}

int lw_engine_look_at_seats(struct lw_engine *run, int64_t now_s)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && run->seats.sharing && i < run->seats.count; i++)
		if (run->seats.seats[i].count == 2 && run->seats.seats[i].look_s <= now_s)
			rc = look_at(run, &run->seats.seats[i], now_s);
	return rc;
}

int64_t lw_engine_seats_next_s(const struct lw_engine *run)
{
	int64_t next_s = INT64_MAX;

	for (uint32_t i = 0; run->seats.sharing && i < run->seats.count; i++) {
		const struct lw_seat *seat = &run->seats.seats[i];

		if (seat->count == 2 && seat->look_s < next_s)
			next_s = seat->look_s;
	}
	return next_s;
}

int lw_engine_inherit(struct lw_engine *run, struct lw_sim_job *heir,
		      const struct lw_running *record, const struct lw_alloc *allocs)
{
	struct lw_running running = *record;
	struct lw_error err;
	int rc = 0;

	running.job_id = heir->id;
	running.user_id = heir->user;
	running.account = lw_engine_account(run, heir);
	running.start_s = heir->start_s;
	running.end_s = heir->start_s + heir->held_s;
	if (record->alloc_count) {
		heir->guest_s = run->snap->now_s - heir->start_s;
		rc = lw_snapshot_insert_running(run->snap, &running, allocs, record->alloc_count,
						&err);
	}
	return rc ? -ENOMEM
		  : set_rate(run, (uint32_t)(heir - run->jobs), 1000, run->snap->now_s);
}
