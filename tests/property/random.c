/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: random snapshots that could be real: running jobs fit, queues are mixed. */
#include "property/random.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

const struct random_shape random_usual = {
	.nodes_max = 40,
	.sets_max = 4,
	.running_percent = 120,
	.waiting_max = 50,
};

const struct random_shape random_odd = {
	.nodes_max = 16,
	.sets_max = 4,
	.running_percent = 120,
	.waiting_max = 40,
	.odd = true,
};

static const char *const type_names[] = { "a100", "h100", "mig-1g.10gb" };
#define TYPES_MAX 3

/* Few sizes, so that equal nodes and ties are common. */
static void random_node(struct prng *prng, uint32_t types, struct lw_res *ret_total)
{
	static const uint32_t cpus[] = { 4, 8, 8, 16 };

	*ret_total = (struct lw_res){ .cpus = cpus[prng_between(prng, 0, 3)] };
	ret_total->mem_mib = ret_total->cpus * 1000;
	if (!types || prng_chance(prng, 30))
		return;
	ret_total->gpus[prng_between(prng, 0, types - 1)] = (uint16_t)prng_between(prng, 1, 8);
	/* rarely two types in one node, as MIG makes them */
	if (prng_chance(prng, 10))
		ret_total->gpus[prng_between(prng, 0, types - 1)] = 2;
	/* GPUs that may be shared: all alike, or only some of them */
	if (prng_chance(prng, 30))
		ret_total->gpu_parts = (uint16_t)prng_between(prng, 1, 4);
	ret_total->parts = lw_res_gpus(ret_total) * ret_total->gpu_parts;
	if (!ret_total->parts && prng_chance(prng, 10))
		ret_total->parts = prng_between(prng, 1, 8);
}

/* Some of the first COUNT nodes; now and then none, as in a partition nobody has filled. */
static int random_set(struct prng *prng, uint32_t count, struct lw_snapshot *snap)
{
	struct lw_bitset nodes;
	bool is_empty = !count || prng_chance(prng, 3);
	uint32_t low = is_empty ? 0 : prng_between(prng, 0, count - 1);
	uint32_t high = is_empty ? 0 : prng_between(prng, low, count - 1);
	char name[16];
	int rc;

	if (lw_bitset_init(&nodes, snap->node_count))
		return -ENOMEM;
	if (!is_empty && prng_chance(prng, 40)) {
		low = 0;
		high = count - 1;
	}
	for (uint32_t i = low; i <= high && !is_empty; i++)
		lw_bitset_set(&nodes, i);
	snprintf(name, sizeof(name), "part%u", snap->set_count);
	rc = lw_snapshot_add_set(snap, name, &nodes, NULL);
	lw_bitset_fini(&nodes);
	return rc;
}

/* Some of the nodes, in runs, in a tree of few levels; nodes may be left out. */
static int random_domains(struct prng *prng, const struct random_shape *shape, uint32_t nodes_end,
			  struct lw_snapshot *snap)
{
	uint32_t roots = prng_between(prng, 1, 3), run = prng_between(prng, 1, 6), node = 0;
	char name[24];
	int rc = 0;

	snap->domains.strict = shape->strict && prng_chance(prng, 25);
	while (node < nodes_end && !rc) {
		uint32_t count = snap->domains.count, parent = LW_NO_DOMAIN;
		struct lw_bitset nodes;

		if (lw_bitset_init(&nodes, snap->node_count))
			return -ENOMEM;
		if (count >= roots)
			parent = prng_between(prng, 0, prng_chance(prng, 70) ? roots - 1
									     : count - 1);
		if (count >= roots || prng_chance(prng, 30)) {
			for (uint32_t i = 0; i < run && node < nodes_end; i++)
				lw_bitset_set(&nodes, node++);
			node += prng_chance(prng, 10);
		}
		snprintf(name, sizeof(name), "switch%u", count);
		rc = lw_snapshot_add_domain(snap, name, parent, &nodes, NULL);
		lw_bitset_fini(&nodes);
	}
	return rc;
}

/* Jobs like those that the cluster would get, or none at all. */
static void random_mix(struct prng *prng, struct lw_snapshot *snap)
{
	uint32_t jobs = prng_chance(prng, 50) ? 0 : prng_between(prng, 1, 30);
	struct lw_request req;

	while (jobs--) {
		random_request(prng, snap, &req);
		lw_mix_note(&snap->mix, &req);
	}
}

/* What GPUs draw, of some types perhaps. */
static void random_draw(struct prng *prng, struct lw_snapshot *snap)
{
	for (uint32_t type = 0; type < snap->gpu_type_count; type++)
		if (prng_chance(prng, 70))
			lw_snapshot_set_draw(snap, type, prng_between(prng, 0, 100),
					     prng_between(prng, 1, 700), 150);
}

static int make_cluster(struct prng *prng, const struct random_shape *shape,
			struct random_oddities *ret_odd, struct lw_snapshot *ret_snap)
{
	uint32_t types = prng_between(prng, 0, TYPES_MAX);
	/* a cluster may be made before its nodes, and have no partition */
	uint32_t nodes = prng_chance(prng, 3) ? 0 : prng_between(prng, 1, shape->nodes_max);
	uint32_t sets = prng_chance(prng, 2) ? 0 : prng_between(prng, 1, shape->sets_max);
	bool weights = prng_chance(prng, 25);
	struct lw_res total;
	char name[16];
	int rc = 0;

	lw_snapshot_init(ret_snap, RANDOM_NOW_S);
	for (uint32_t i = 0; i < types; i++)
		lw_snapshot_gpu_type(ret_snap, type_names[i]);
	for (uint32_t i = 0; i < nodes && !rc; i++) {
		if (!i || prng_chance(prng, 30))
			random_node(prng, types, &total);
		snprintf(name, sizeof(name), "n%02u", i);
		rc = lw_snapshot_add_node(ret_snap, name, &total, !prng_chance(prng, 5), NULL);
		if (!rc && weights)
			lw_snapshot_weigh(ret_snap, i, prng_between(prng, 1, 3));
		if (!rc && prng_chance(prng, 30))
			lw_snapshot_set_linked(ret_snap, i,
					       (uint16_t)prng_between(prng, 1, 8));
	}
	random_draw(prng, ret_snap);
	*ret_odd = (struct random_oddities){ .ordinary = nodes };
	if (!rc && shape->odd)
		rc = random_oddities(prng, ret_odd, ret_snap);
	if (!rc && prng_chance(prng, 60))
		rc = random_domains(prng, shape, nodes, ret_snap);
	random_mix(prng, ret_snap);
	for (uint32_t i = 0; i < sets && !rc; i++)
		rc = random_set(prng, nodes, ret_snap);
	return rc || !shape->odd ? rc : random_closed(prng, ret_odd, ret_snap);
}

int random_cluster(struct prng *prng, const struct random_shape *shape,
		   struct lw_snapshot *ret_snap)
{
	struct random_oddities odd;

	return make_cluster(prng, shape, &odd, ret_snap);
}

static uint32_t up_to(struct prng *prng, uint32_t high)
{
	return prng_between(prng, 0, high);
}

/* A part of what is free on a node, all of it rather often. */
/* Chances that fall, or 0 for not known. */
static uint64_t random_survival(struct prng *prng)
{
	uint32_t chance = 255;
	uint64_t survival = 0;

	if (prng_chance(prng, 30))
		return 0;
	for (unsigned point = 0; point < 8 && chance; point++) {
		chance = prng_between(prng, point ? 0 : 1, chance);
		survival |= (uint64_t)chance << (8 * point);
	}
	return survival;
}

static void random_part(struct prng *prng, const struct lw_res *free, struct lw_res *ret_part)
{
	if (prng_chance(prng, 25)) {
		*ret_part = *free;
		return;
	}
	*ret_part = (struct lw_res){ .cpus = up_to(prng, free->cpus),
				     .mem_mib = up_to(prng, free->mem_mib) };
	for (int type = 0; type < TYPES_MAX; type++)
		ret_part->gpus[type] = (uint16_t)up_to(prng, free->gpus[type]);
	/* of GPUs it has as a whole all parts, and perhaps some of others */
	ret_part->parts = lw_res_gpus(ret_part) * free->gpu_parts;
	if (ret_part->parts > free->parts)
		ret_part->parts = free->parts;
	if (prng_chance(prng, 30))
		ret_part->parts += up_to(prng, free->parts - ret_part->parts);
	for (int cap = 0; cap < LW_CAPS_MAX; cap++) {
		if (free->capped[cap] && prng_chance(prng, 50))
			ret_part->capped[cap] = (uint16_t)up_to(
				prng, ret_part->cpus < free->capped[cap] ? ret_part->cpus
									 : free->capped[cap]);
	}
}

static int random_running(struct prng *prng, const struct random_oddities *odd,
			  struct lw_snapshot *snap, struct lw_res *free, uint32_t job_id)
{
	struct lw_running job = { .job_id = job_id, .user_id = prng_between(prng, 0, 9) };
	struct lw_alloc allocs[8];
	uint32_t count = 0, node = up_to(prng, snap->node_count - 1);

	job.account = prng_chance(prng, 30) ? prng_between(prng, 1, 3) : 0;
	job.start_s = RANDOM_NOW_S - prng_between(prng, 0, 5000);
	/* multiples of 100, so that several end at once; some are past their end */
	job.end_s = RANDOM_NOW_S + 100 * (int64_t)prng_between(prng, 0, 50) - 200;
	if (job.start_s > job.end_s)
		job.start_s = job.end_s;
	if (prng_chance(prng, 60))
		job.expect_s = prng_between(prng, 1, 6000);
	for (; node < snap->node_count && count < 8; node += prng_between(prng, 1, 3)) {
		allocs[count].node = node;
		random_part(prng,
			    odd->shared && prng_chance(prng, 30) ? &snap->nodes[node].total
								 : &free[node],
			    &allocs[count].res);
		lw_res_sub(&free[node], &allocs[count].res);
		count++;
		if (prng_chance(prng, 40))
			break;
	}
	job.survival = random_survival(prng);
	random_kind(prng, odd, &job);
	return lw_snapshot_add_running(snap, &job, allocs, count, NULL);
}

void random_request(struct prng *prng, const struct lw_snapshot *snap, struct lw_request *req)
{
	*req = (struct lw_request){ .gpu_type = LW_GPU_ANY };
	req->nodes_min =
		prng_chance(prng, 60) ? 1 : prng_between(prng, 1, snap->node_count / 2 + 1);
	req->nodes_max = req->nodes_min;
	if (prng_chance(prng, 30))
		req->nodes_max += prng_between(prng, 0, 6);
	req->cpus_per_node = prng_between(prng, 0, prng_chance(prng, 20) ? 16 : 4);
	if (prng_chance(prng, 50))
		req->mem_per_node_mib = 500 * prng_between(prng, 0, 10);
	else if (prng_chance(prng, 30))
		req->mem_per_cpu_mib = 500 * prng_between(prng, 1, 3);
	req->exclusive = prng_chance(prng, 10);
	if (prng_chance(prng, 15))
		req->cpus_total = prng_between(prng, 1, 32);
	if (prng_chance(prng, 15))
		req->parts_per_node = prng_between(prng, 1, 6);
	if (prng_chance(prng, 50))
		return;
	if (prng_chance(prng, 70))
		req->gpus_per_node = (uint16_t)prng_between(prng, 1, 8);
	else
		req->gpus_total = prng_between(prng, 1, 16);
	if (snap->gpu_type_count && prng_chance(prng, 40))
		req->gpu_type = (int8_t)up_to(prng, snap->gpu_type_count - 1);
	if (req->gpu_type > 0 && prng_chance(prng, 40))
		req->gpus_beside[req->gpu_type - 1] = (uint16_t)prng_between(prng, 1, 3);
	/* Slurm knows one way at a time to ask for memory */
	if (!req->mem_per_node_mib && !req->mem_per_cpu_mib && prng_chance(prng, 30))
		req->mem_per_gpu_mib = 1000;
}

/* Users have habits: the request of the job before, or nearly that. */
static void similar_request(struct prng *prng, const struct lw_snapshot *snap,
			    struct lw_request *req)
{
	*req = snap->waiting[snap->waiting_count - 1].request;
	switch (prng_between(prng, 0, 5)) {
	case 0:
		req->cpus_per_node = prng_between(prng, 0, 8);
		break;
	case 1:
		if (req->cpus_total)
			req->cpus_total = prng_between(prng, 1, 32);
		break;
	case 2:
		if (req->gpus_total)
			req->gpus_total = prng_between(prng, 1, 16);
		break;
	case 3:
		req->exclusive = !req->exclusive;
		break;
	default:
		break;
	}
}

static void random_oddity(struct prng *prng, struct lw_waiting *job)
{
	if (prng_chance(prng, 15))
		job->tasks = prng_between(prng, 2, 6);
	if (prng_chance(prng, 8))
		job->readiness = (enum lw_readiness)prng_between(prng, LW_NOT_READY, LW_REFUSED);
	if (prng_chance(prng, 8))
		job->begin_s = RANDOM_NOW_S - 100 + prng_between(prng, 0, 200);
	if (prng_chance(prng, 10))
		job->promise_s = RANDOM_NOW_S - 500 + prng_between(prng, 0, 5000);
}

/* Licences are asked for beside nodes. */
static uint32_t own_set(struct prng *prng, const struct random_oddities *odd,
			const struct lw_snapshot *snap)
{
	return up_to(prng, snap->set_count - (snap->node_count - odd->ordinary) - 1);
}

/* The next link of a chain, which mostly asks for what the one before has. */
static void random_follower(struct prng *prng, const struct lw_snapshot *snap,
			    struct lw_waiting *job)
{
	const struct lw_running *run =
		&snap->running[prng_between(prng, 0, snap->running_count - 1)];
	const struct lw_alloc *allocs = lw_running_allocs(snap, run);
	uint32_t cpus = UINT32_MAX;

	job->constraints.after = run->job_id;
	if (!run->alloc_count || prng_chance(prng, 20))
		return;
	for (uint32_t i = 0; i < run->alloc_count; i++)
		if (allocs[i].res.cpus < cpus)
			cpus = allocs[i].res.cpus;
	job->request = (struct lw_request){ .gpu_type = LW_GPU_ANY,
					    .nodes_min = run->alloc_count,
					    .nodes_max = run->alloc_count,
					    .cpus_per_node = cpus };
}

/* Who was promised a start is before all that follow, as whoever makes a snapshot has it. */
static void random_behind(struct prng *prng, const struct random_shape *shape,
			  const struct lw_snapshot *snap, struct lw_waiting *job)
{
	job->promise_s = LW_NO_TIME;
	if (snap->running_count && prng_chance(prng, shape->follows_percent))
		random_follower(prng, snap, job);
}

static int random_waiting(struct prng *prng, const struct random_shape *shape,
			  const struct random_oddities *odd, struct lw_snapshot *snap,
			  uint32_t job_id)
{
	struct lw_waiting job = {
		.job_id = job_id, .tasks = 1, .begin_s = LW_NO_TIME, .promise_s = LW_NO_TIME
	};
	int rc;

	job.user_id = prng_between(prng, 0, 9);
	job.account = prng_chance(prng, 30) ? prng_between(prng, 1, 3) : 0;
	job.account_share = prng_chance(prng, 30) ? prng_between(prng, 1, LW_ACCOUNT_SHARE_ALL) : 0;
	job.priority = prng_between(prng, 0, 100);
	job.set = own_set(prng, odd, snap);
	job.submit_s = RANDOM_NOW_S - prng_between(prng, 0, 20000);
	job.limit_s = 100 * (int64_t)prng_between(prng, 1, prng_chance(prng, 50) ? 10 : 100);
	if (snap->waiting_count && prng_chance(prng, 40))
		similar_request(prng, snap, &job.request);
	else
		random_request(prng, snap, &job.request);
	if (prng_chance(prng, 50))
		job.expected.mean_s = prng_between(prng, 1, (uint32_t)job.limit_s);
	if (prng_chance(prng, 40))
		job.expected.rank_s = prng_between(prng, 1, (uint32_t)lw_waiting_expect_s(&job));
	if (prng_chance(prng, 50))
		job.expected.tail_ms =
			prng_between(prng, 1, prng_chance(prng, 50) ? 2000 : 1800000);
	for (uint32_t type = 0; type < snap->gpu_type_count && prng_chance(prng, 70); type++)
		job.expected.by_type_s[type] = prng_between(prng, 1, (uint32_t)job.limit_s);
	job.weight = prng_chance(prng, 30) ? prng_between(prng, 1, 9) : 0;
	job.recipe = prng_chance(prng, 30) ? prng_between(prng, 1, 3) : 0;
	if (prng_chance(prng, 30))
		job.expected.attained_s = prng_between(prng, 1, 10000);
	if (prng_chance(prng, 30))
		job.planned_s = RANDOM_NOW_S + prng_between(prng, 0, 5000);
	if (prng_chance(prng, 30))
		job.finish_by_s = RANDOM_NOW_S - 1000 + prng_between(prng, 0, 12000);
	job.accepted = job.finish_by_s && prng_chance(prng, 30);
	job.expected.survival = random_survival(prng);
	job.constraints.communicates = prng_chance(prng, 50);
	if (!shape->plain)
		random_oddity(prng, &job);
	if (shape->follows_percent && snap->waiting_count >= shape->waiting_max / 4)
		random_behind(prng, shape, snap, &job);
	rc = random_constraints(prng, odd, snap, &job);
	if (!rc)
		rc = lw_snapshot_add_waiting(snap, &job, NULL);
	if (!rc && !shape->plain && prng_chance(prng, 15)) {
		job.variant = 1;
		job.set = own_set(prng, odd, snap);
		rc = lw_snapshot_add_waiting(snap, &job, NULL);
	}
	return rc;
}

int random_snapshot(struct prng *prng, const struct random_shape *shape,
		    struct lw_snapshot *ret_snap)
{
	struct random_oddities odd;
	int rc = make_cluster(prng, shape, &odd, ret_snap);
	uint32_t running =
		prng_between(prng, 0, ret_snap->node_count * shape->running_percent / 100);
	uint32_t waiting = prng_between(prng, 0, shape->waiting_max);
	struct lw_res *free_res = free_now(ret_snap);

	if (!free_res)
		return -ENOMEM;
	/* licences are sets as well, but none to wait for */
	if (ret_snap->set_count == ret_snap->node_count - odd.ordinary)
		waiting = 0;
	for (uint32_t i = 0; i < running && !rc; i++)
		rc = random_running(prng, &odd, ret_snap, free_res, 1 + i);
	free(free_res);
	for (uint32_t i = 0; i < waiting && !rc; i++)
		rc = random_waiting(prng, shape, &odd, ret_snap, 1000 + i);
	return rc;
}

enum lw_policy_kind kind_with(unsigned traits, uint64_t n)
{
	unsigned kinds[LW_POLICY_COUNT], count = 0;

	for (unsigned kind = 0; kind < LW_POLICY_COUNT; kind++) {
		if (lw_policy_has((enum lw_policy_kind)kind, traits))
			kinds[count++] = kind;
	}
	return count ? (enum lw_policy_kind)kinds[n % count] : LW_POLICY_COUNT;
}

/* A published rule of the simulator. */
static const struct lw_outside ends_before = { .ends_before = true };

void random_params(struct prng *prng, struct lw_policy_params *ret_params)
{

	lw_policy_params_default(ret_params);
	ret_params->kind = (enum lw_policy_kind)prng_between(prng, 0, LW_POLICY_COUNT - 1);
	ret_params->relax = prng_between(prng, 0, prng_chance(prng, 80) ? 20 : 200) / 100.0;
	ret_params->relax_cap_s = prng_chance(prng, 50) ? 86400 : prng_between(prng, 0, 1000);
	if (prng_chance(prng, 30))
		ret_params->order = (enum lw_order)prng_between(prng, 0, LW_ORDER_COUNT - 1);
	if (prng_chance(prng, 20))
		ret_params->backfill_order = LW_BACKFILL_SHORTEST;
	if (prng_chance(prng, 10))
		ret_params->outside = &ends_before;
	ret_params->slack = ret_params->relax;
	ret_params->slack_cap_s = ret_params->relax_cap_s;
	ret_params->backlog = prng_between(prng, 0, 200) / 100.0;
	ret_params->ageing = prng_between(prng, 0, 200) / 100.0;
	ret_params->width = prng_between(prng, 0, 100) / 100.0;
	ret_params->yield = prng_chance(prng, 30) ? 0 : prng_between(prng, 0, 200) / 100.0;
	ret_params->scout = prng_chance(prng, 70);
	ret_params->price = prng_chance(prng, 30) ? 0 : prng_between(prng, 0, 200) / 100.0;
	ret_params->risk = prng_between(prng, 0, 200) / 100.0;
	ret_params->risk_cap_s = prng_between(prng, 0, 3000);
	ret_params->hold = prng_chance(prng, 80);
	ret_params->loss = prng_chance(prng, 50) ? 0 : prng_between(prng, 0, 200) / 100.0;
	ret_params->patience = prng_chance(prng, 50) ? 0 : prng_between(prng, 0, 200) / 100.0;
	ret_params->keep_promises = prng_chance(prng, 70);
	if (prng_chance(prng, 30))
		ret_params->deadlines =
			(enum lw_deadlines)prng_between(prng, 0, LW_DEADLINES_COUNT - 1);
	if (prng_chance(prng, 40))
		ret_params->types = (enum lw_types)prng_between(prng, 0, LW_TYPES_COUNT - 1);
	ret_params->energy = prng_chance(prng, 30);
	if (ret_params->energy)
		ret_params->energy_slack = prng_between(prng, 0, 200) / 100.0;
}

struct lw_res *free_now(const struct lw_snapshot *snap)
{
	struct lw_res *free_res = calloc((size_t)snap->node_count + 1, sizeof(*free_res));

	if (!free_res)
		return NULL;
	for (uint32_t i = 0; i < snap->node_count; i++)
		free_res[i] = snap->nodes[i].total;
	for (uint32_t i = 0; i < snap->alloc_count; i++)
		lw_res_sub(&free_res[snap->allocs[i].node], &snap->allocs[i].res);
	return free_res;
}
