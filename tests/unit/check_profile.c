/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of planner/time/profile: the earliest start against a search tick by tick. */
#include "planner/time/profile.h"

#include "property/prng.h"
#include "unit/unit.h"

#include <errno.h>

#define NODES_MAX 160
#define CPUS      4
#define TICK_S    3000 /* so that jobs take minutes to days */
#define LAST      1000
#define JOBS      24

/* What is free, tick by tick. */
static uint32_t plain[NODES_MAX][LAST];
static bool closed[NODES_MAX][LAST]; /* to jobs that heed it */

static uint32_t nodes;

/* Few nodes, a lone one, or so many that a search does not ask all of them. */
static void make_nodes(struct prng *prng, struct lw_snapshot *snap)
{
	struct lw_res total = { .cpus = CPUS };
	struct lw_bitset all, some;
	int64_t from, until;

	nodes = prng_chance(prng, 60) ? prng_between(prng, 1, 3)
				      : prng_between(prng, 120, NODES_MAX);
	/* as many GPUs as CPUs, so that either may run short */
	if (prng_chance(prng, 50))
		total.gpus[lw_snapshot_gpu_type(snap, "gpu")] = CPUS;
	ck_assert(!lw_bitset_init(&all, nodes) && !lw_bitset_init(&some, nodes));
	lw_bitset_set_all(&all);
	from = prng_between(prng, 0, 20);
	until = from + prng_between(prng, 1, 20);
	for (uint32_t node = 0; node < nodes; node++) {
		bool closes = prng_chance(prng, 50);

		ck_assert_int_eq(lw_snapshot_add_node(snap, "n", &total, true, NULL), 0);
		if (closes)
			lw_bitset_set(&some, node);
		for (int t = 0; t < LAST; t++) {
			plain[node][t] = CPUS;
			closed[node][t] = closes && t >= from && t < until;
		}
	}
	ck_assert_int_eq(lw_snapshot_add_set(snap, "all", &all, NULL), 0);
	ck_assert_int_eq(
		lw_snapshot_add_resv_window(snap, &some, from * TICK_S, until * TICK_S, NULL), 0);
	lw_bitset_fini(&all);
	lw_bitset_fini(&some);
}

static struct lw_res amount(const struct lw_snapshot *snap, uint32_t cpus)
{
	struct lw_res res = { .cpus = cpus };

	res.gpus[0] = snap->gpu_type_count ? (uint16_t)cpus : 0;
	return res;
}

/* IDLE % of the nodes are idle, so alike, but for when they are closed. */
static void make_machine(struct prng *prng, uint32_t idle, struct lw_snapshot *ret_snap)
{
	lw_snapshot_init(ret_snap, 0);
	make_nodes(prng, ret_snap);
	for (uint32_t node = 0; node < nodes; node++) {
		if (prng_chance(prng, idle))
			continue;
		uint32_t cpus = prng_between(prng, 1, CPUS);
		struct lw_alloc alloc = { .node = node, .res = amount(ret_snap, cpus) };
		uint32_t end = prng_between(prng, 1, 20);
		struct lw_running job = { .job_id = node + 1, .end_s = end * TICK_S };

		ck_assert_int_eq(lw_snapshot_add_running(ret_snap, &job, &alloc, 1, NULL), 0);
		for (uint32_t t = 0; t < end; t++)
			plain[node][t] -= cpus;
	}
}

/* What the node has free all the time from START to before END. */
static uint32_t plainly_free(const struct lw_waiting *job, uint32_t node, uint32_t start,
			     uint32_t end)
{
	uint32_t least = CPUS;

	for (uint32_t t = start; t < end && t < LAST; t++) {
		if (job->constraints.closed && closed[node][t])
			return 0;
		least = plain[node][t] < least ? plain[node][t] : least;
	}
	return least;
}

static bool plainly_fits(const struct lw_waiting *job, uint32_t start)
{
	uint32_t good = 0, end = start + (uint32_t)(job->limit_s / TICK_S), cpus = 0, left;
	uint32_t by_free[CPUS + 1] = { 0 };

	for (uint32_t node = 0; node < nodes; node++) {
		uint32_t free = plainly_free(job, node, start, end);

		if (free >= job->request.cpus_per_node) {
			good++;
			by_free[free]++;
		}
	}
	left = job->request.nodes_max;
	for (uint32_t free = CPUS; free; free--) {
		uint32_t some = by_free[free] < left ? by_free[free] : left;

		cpus += some * free;
		left -= some;
	}
	return good >= job->request.nodes_min && cpus >= job->request.cpus_total;
}

static void plainly_take(const struct lw_waiting *job, const struct lw_profile_fit *fit)
{
	uint32_t start = (uint32_t)(fit->start_s / TICK_S), cpus = 0;
	uint32_t end = start + (uint32_t)(job->limit_s / TICK_S);

	ck_assert_uint_ge(fit->alloc_count, job->request.nodes_min);
	ck_assert_uint_le(fit->alloc_count, job->request.nodes_max);
	for (uint32_t i = 0; i < fit->alloc_count; i++) {
		cpus += fit->allocs[i].res.cpus;
		for (uint32_t t = start; t < end && t < LAST; t++) {
			uint32_t *free = &plain[fit->allocs[i].node][t];

			ck_assert_uint_ge(*free, fit->allocs[i].res.cpus);
			ck_assert(!(job->constraints.closed && closed[fit->allocs[i].node][t]));
			*free -= fit->allocs[i].res.cpus;
		}
	}
	ck_assert_uint_ge(cpus, job->request.cpus_total);
}

/* So many CPUs in all, on as many nodes as it takes, or no more than a few. */
static void draw_total(struct prng *prng, struct lw_request *req)
{
	req->nodes_max = prng_between(prng, req->nodes_min, nodes);
	req->cpus_per_node = prng_between(prng, 1, 2);
	req->cpus_total = prng_between(prng, 1, req->nodes_max * CPUS);
}

static struct lw_waiting draw_job(struct prng *prng, const struct lw_snapshot *snap)
{
	struct lw_waiting job = { .request.gpu_type = LW_GPU_ANY };
	struct lw_request *req = &job.request;

	job.limit_s = prng_between(prng, 1, prng_chance(prng, 50) ? 4 : 40) * TICK_S;
	job.constraints.closed = prng_chance(prng, 50);
	req->nodes_min = prng_between(prng, 1, prng_chance(prng, 50) ? 1 : nodes);
	req->nodes_max = req->nodes_min;
	req->cpus_per_node = prng_between(prng, 1, CPUS);
	if (prng_chance(prng, 30))
		draw_total(prng, req);
	else if (snap->gpu_type_count && prng_chance(prng, 70))
		req->gpus_per_node = (uint16_t)req->cpus_per_node;
	return job;
}

/* A search's surroundings. */
struct machine {
	struct lw_snapshot snap;
	struct lw_profile profile;
	struct lw_res total[NODES_MAX];
	struct lw_fit_scratch scratch;
	struct lw_placer *placer;
};

static void begin(struct machine *machine, struct prng *prng, uint32_t idle)
{
	*machine = (struct machine){ 0 };
	make_machine(prng, idle, &machine->snap);
	for (uint32_t node = 0; node < nodes; node++)
		machine->total[node] = machine->snap.nodes[node].total;
	ck_assert_int_eq(lw_placer_create(nodes, &machine->placer), 0);
	ck_assert_int_eq(lw_fit_scratch_init(&machine->scratch, nodes), 0);
	ck_assert_int_eq(lw_profile_begin(&machine->profile, &machine->snap), 0);
}

static void end(struct machine *machine)
{
	lw_placer_destroy(machine->placer);
	lw_fit_scratch_fini(&machine->scratch);
	lw_profile_fini(&machine->profile);
	lw_snapshot_fini(&machine->snap);
}

static int find(struct machine *machine, const struct lw_waiting *job, int64_t from_s,
		struct lw_profile_fit *ret_fit)
{
	struct lw_room room = {
		.total = machine->total,
		.candidates = &machine->snap.sets[0].nodes,
		.gpu_types = machine->snap.gpu_type_count,
	};

	if (lw_constraints_matter(&job->constraints))
		room.fit = (struct lw_fit){ .job = job,
					    .snap = &machine->snap,
					    .scratch = &machine->scratch };
	ret_fit->start_s = from_s;
	return lw_profile_find(&machine->profile, &room, &job->request, job->limit_s,
			       machine->placer, ret_fit);
}

/* Jobs put in one after the other, each at the earliest tick that there is. */
TEST_EACH(starts_are_the_earliest, 200)
{
	struct prng prng = { (uint64_t)_i + 1 };
	struct machine machine;

	begin(&machine, &prng, 30);
	for (int i = 0; i < JOBS; i++) {
		struct lw_waiting job = draw_job(&prng, &machine.snap);
		uint32_t start = prng_between(&prng, 0, 10);
		struct lw_profile_fit fit;

		ck_assert_int_eq(find(&machine, &job, start * TICK_S, &fit), 0);
		while (!plainly_fits(&job, start))
			start++;
		ck_assert_msg(fit.start_s == start * TICK_S, "job %d", i);
		plainly_take(&job, &fit);
		ck_assert_int_eq(lw_profile_take(&machine.profile, fit.start_s,
						 fit.start_s + job.limit_s, fit.allocs,
						 fit.alloc_count), 0);
	}
	end(&machine);
}

TEST_EACH(what_is_too_wide_never_fits, 10)
{
	struct prng prng = { (uint64_t)_i + 1 };
	struct lw_waiting job = { .limit_s = INT64_MAX,
				  .request = { .nodes_min = 1, .nodes_max = 1,
					       .cpus_per_node = CPUS + 1,
					       .gpu_type = LW_GPU_ANY } };
	struct lw_profile_fit fit;
	struct machine machine;

	begin(&machine, &prng, 30);
	ck_assert_int_eq(find(&machine, &job, 0, &fit), -ENOSPC);
	job.request.cpus_per_node = CPUS;
	ck_assert_int_eq(find(&machine, &job, 0, &fit), 0);
	job.request.nodes_min = job.request.nodes_max = nodes + 1;
	ck_assert_int_eq(find(&machine, &job, 0, &fit), -ENOSPC);
	end(&machine);
}

/* All that a node has, but for one CPU less than all nodes have together. */
TEST_EACH(totals_wait_for_enough_nodes, 50)
{
	struct prng prng = { (uint64_t)_i + 1 };
	struct lw_waiting job = { .limit_s = TICK_S,
				  .request = { .nodes_min = 1, .cpus_per_node = 1,
					       .gpu_type = LW_GPU_ANY } };
	struct lw_profile_fit fit;
	struct machine machine;
	uint32_t start = 0, free;

	begin(&machine, &prng, 30);
	job.request.nodes_max = nodes;
	job.request.cpus_total = nodes * CPUS * 3 / 4 + 1;
	ck_assert_int_eq(find(&machine, &job, 0, &fit), 0);
	for (;; start++) {
		free = 0;
		for (uint32_t node = 0; node < nodes; node++)
			free += plain[node][start];
		if (free >= job.request.cpus_total)
			break;
	}
	ck_assert_int_eq(fit.start_s, start * TICK_S);
	job.request.cpus_total = nodes * CPUS + 1;
	ck_assert_int_eq(find(&machine, &job, 0, &fit), -ENOSPC);
	end(&machine);
}

/* Who is preempted leaves what it would have held until its end, and no more than that. */
TEST_EACH(what_is_given_back_is_free, 10)
{
	struct prng prng = { (uint64_t)_i + 1 };
	struct lw_waiting job = { .limit_s = TICK_S,
				  .request = { .nodes_min = 1, .nodes_max = 1,
					       .cpus_per_node = CPUS, .gpu_type = LW_GPU_ANY } };
	struct lw_profile_fit fit;
	struct machine machine;

	begin(&machine, &prng, 0);
	job.request.nodes_min = job.request.nodes_max = nodes;
	for (uint32_t i = 0; i < nodes; i++) {
		const struct lw_running *run = &machine.snap.running[i];

		ck_assert_int_eq(find(&machine, &job, 0, &fit), 0);
		ck_assert_int_gt(fit.start_s, 0);
		ck_assert_int_eq(lw_profile_give(&machine.profile, machine.snap.now_s,
						 lw_profile_end_of(&machine.snap, run),
						 lw_running_allocs(&machine.snap, run),
						 run->alloc_count), 0);
	}
	ck_assert_int_eq(find(&machine, &job, 0, &fit), 0);
	ck_assert_int_eq(fit.start_s, 0);
	ck_assert_uint_eq(fit.allocs[0].res.cpus, CPUS);
	end(&machine);
}
