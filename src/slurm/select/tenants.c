/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: on which GPU of which node a job that shares goes, and beside which jobs. */

/* Loaded by commands too: refers to nothing that only slurmctld has. */

#include "slurm/select/tenants.h"

#include "base/grow.h"
#include "slurm/bits.h"
#include "slurm/query/tenancy.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* So many GPUs with tenants are tested one by one, the best first. */
#define SINGLES_MAX 8
/* After so long it is all read anew, should something have been missed. */
#define READ_AFTER_S 60
/* Whether an owner is idle changes without a call; so long it counts as it was, for guests. */
#define IDLE_AFTER_S 10

/* A GPU that a job may be offered. */
struct seat {
	uint32_t node, gpu;
	bool allowed;
	struct lw_share_offer offer;
	gres_node_state_t *parts;
	uint64_t had; /* parts of it, while it counts as full */
	bool full;
};

/* Kept between calls; Slurm's write locks make them one at a time. */
static struct lw_share_house house;
static struct lw_share_tenants tenants;
static int64_t read_s; /* 0: not read */
static struct seat *seats;
static uint32_t seat_count, seat_room;

void lw_tenants_house(const struct lw_share_house *told)
{
	house = *told;
}

void lw_tenants_forget(void)
{
	read_s = 0;
}

void lw_tenants_fini(void)
{
	lw_tenants_forget();
	lw_share_tenants_fini(&tenants);
	free(seats);
	seats = NULL;
	seat_count = seat_room = 0;
}

/* If memory runs out, the tenants are not known, and all are read anew. */
static void tenants_add(const job_record_t *job)
{
	if (lw_tenancy_add(&tenants, job, job->end_time, false))
		lw_tenants_forget();
}

/* Which GPU it has is not known before Slurm has done all else, so the tenants are read anew. */
void lw_tenants_began(const job_record_t *job)
{
	struct lw_share_newcomer newcomer;

	if (read_s && job->gres_list_req && lw_tenancy_newcomer(job, 0, &newcomer))
		lw_tenants_forget();
}

void lw_tenants_ends(const job_record_t *job)
{
	lw_share_tenants_remove(&tenants, lw_slurm_job_id(job));
}

static int tenants_read_job(void *x, void *arg)
{
	const job_record_t *job = x;

	(void)arg;
	if ((IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) && !IS_JOB_COMPLETING(job))
		tenants_add(job);
	return 0;
}

/* False: the tenants are not known. */
static bool tenants_read(int64_t after_s)
{
	int64_t now_s = time(NULL);
	list_t **jobs;

	/* a clock that is set back makes it no younger */
	if (read_s && now_s >= read_s && now_s < read_s + after_s)
		return true;
	jobs = dlsym(RTLD_DEFAULT, "job_list");
	if (!jobs || !*jobs)
		return false;
	tenants.count = 0;
	read_s = now_s;
	list_for_each(*jobs, tenants_read_job, NULL);
	return read_s != 0;
}

bool lw_tenants_wanted(const job_record_t *job, uint16_t mode)
{
	struct lw_share_newcomer newcomer;

	return house.rule.mode != LW_SHARE_OFF && SELECT_IS_MODE_RUN_NOW(mode) &&
	       job->gres_list_req && lw_tenancy_newcomer(job, 0, &newcomer);
}

/* A GPU with parts of an unknown job is no place for another. */
static bool tenants_seat_is_known(const struct lw_tenancy_gpus *gpus, uint32_t gpu,
				  const struct lw_share_tenant *there, uint32_t count)
{
	uint64_t parts = 0;

	for (uint32_t i = 0; i < count; i++)
		parts += there[i].parts;
	return gpus->parts->topo_gres_cnt_alloc[gpu] <= parts;
}

static int tenants_seats_add(const struct lw_tenancy_gpus *gpus, uint32_t node,
			     const struct lw_share_newcomer *newcomer)
{
	if (lw_grow((void **)&seats, &seat_room, seat_count + gpus->count, sizeof(*seats)))
		return -ENOMEM;
	for (uint32_t gpu = 0; gpu < gpus->count; gpu++) {
		struct seat *seat = &seats[seat_count++];
		const struct lw_share_tenant *there;
		uint32_t count;

		there = lw_share_tenants_on(&tenants, node, gpu, &count);
		*seat = (struct seat){ .node = node, .gpu = gpu, .parts = gpus->parts };
		seat->allowed = !lw_tenancy_is_whole(gpus, gpu) &&
				lw_tenancy_free(gpus, gpu) >= newcomer->parts &&
				tenants_seat_is_known(gpus, gpu, there, count) &&
				lw_share_offers(&house, there, count, newcomer, &seat->offer);
	}
	return 0;
}

/* Those allowed first, the best of these first. */
static int tenants_by_offer(const void *a, const void *b)
{
	const struct seat *x = a, *y = b;

	if (x->allowed != y->allowed)
		return x->allowed ? -1 : 1;
	if (lw_share_better(&house, &x->offer, &y->offer))
		return -1;
	if (lw_share_better(&house, &y->offer, &x->offer))
		return 1;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return x->gpu < y->gpu ? -1 : x->gpu > y->gpu;
}

static int tenants_seats_list(bitstr_t *nodes, const struct lw_share_newcomer *newcomer)
{
	struct lw_tenancy_gpus gpus;

	seat_count = 0;
	lw_bits_foreach(nodes, i)
	{
		if (lw_tenancy_gpus(node_record_table_ptr[i], &gpus) &&
		    tenants_seats_add(&gpus, (uint32_t)i, newcomer))
			return -ENOMEM;
	}
	if (seat_count)
		qsort(seats, seat_count, sizeof(*seats), tenants_by_offer);
	return 0;
}

/* All but those FROM .. UNTIL count as full. */
static void tenants_fill(uint32_t from, uint32_t until)
{
	for (uint32_t i = 0; i < seat_count; i++) {
		struct seat *seat = &seats[i];
		uint64_t *had = &seat->parts->topo_gres_cnt_alloc[seat->gpu];

		seat->full = (i < from || i >= until) &&
			     *had < seat->parts->topo_gres_cnt_avail[seat->gpu];
		seat->had = *had;
		if (seat->full)
			*had = seat->parts->topo_gres_cnt_avail[seat->gpu];
	}
}

void lw_tenants_take_back(void)
{
	for (uint32_t i = 0; i < seat_count; i++)
		if (seats[i].full)
			seats[i].parts->topo_gres_cnt_alloc[seats[i].gpu] = seats[i].had;
}

/* How many are so in a row, from the first. */
static uint32_t tenants_count_seats(bool (*is)(const struct seat *seat))
{
	uint32_t count = 0;

	while (count < seat_count && is(&seats[count]))
		count++;
	return count;
}

static bool tenants_is_allowed(const struct seat *seat)
{
	return seat->allowed;
}

static bool tenants_is_empty(const struct seat *seat)
{
	return seat->allowed && seat->offer.empty;
}

void lw_tenants_begin(struct lw_tenants_walk *walk, const job_record_t *job, bitstr_t *nodes)
{
	struct lw_share_newcomer newcomer;

	memset(walk, 0, sizeof(*walk));
	seat_count = 0;
	walk->all = bit_copy(nodes);
	/* with less known, only the rule of parts holds */
	if (!lw_tenancy_newcomer(job, time(NULL), &newcomer) ||
	    !tenants_read(newcomer.guest ? IDLE_AFTER_S : READ_AFTER_S) ||
	    tenants_seats_list(nodes, &newcomer))
		seat_count = 0;
	walk->allowed = tenants_count_seats(tenants_is_allowed);
	walk->empty = tenants_count_seats(tenants_is_empty);
}

/* Of empty GPUs, all alike, the choice is stock's; the others come one by one. */
static uint32_t tenants_walk_until(const struct lw_tenants_walk *walk)
{
	uint32_t from = walk->next;

	if (from == 0 && walk->empty)
		return walk->empty;
	if (from >= walk->empty + SINGLES_MAX || from >= walk->allowed || seats[from].offer.empty)
		return from;
	return from + 1;
}

void lw_tenants_offer(struct lw_tenants_walk *walk, bitstr_t *nodes)
{
	uint32_t from = walk->next, until = tenants_walk_until(walk);

	walk->last = until == from;
	walk->next = until;
	if (walk->last) {
		bit_copybits(nodes, walk->all);
		tenants_fill(0, walk->allowed);
		return;
	}
	bit_clear_all(nodes);
	for (uint32_t i = from; i < until; i++)
		bit_set(nodes, (bitoff_t)seats[i].node);
	tenants_fill(from, until);
}

void lw_tenants_end(struct lw_tenants_walk *walk, const job_record_t *job, bool given)
{
	const struct seat *seat = walk->next ? &seats[walk->next - 1] : NULL;

	if (given && !walk->last && !seat->offer.empty)
		debug("leeway: select: %pJ shares GPU %" PRIu32 " of %s: it is expected to take "
		      "%" PRIu32 ".%03" PRIu32 " times as long",
		      job, seat->gpu, node_record_table_ptr[seat->node]->name,
		      seat->offer.stretch / 1000, seat->offer.stretch % 1000);
	FREE_NULL_BITMAP(walk->all);
}
