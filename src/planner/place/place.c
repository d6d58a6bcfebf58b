/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which nodes a job gets: the fewest, and those it fits best. */
#include "planner/place/placer.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int lw_placer_create(uint32_t node_count, struct lw_placer **ret_placer)
{
	struct lw_placer *placer = calloc(1, sizeof(*placer));
	size_t room = (size_t)node_count + 1;

	if (!placer)
		return -ENOMEM;
	placer->node_count = node_count;
	placer->candidates = calloc(room, sizeof(*placer->candidates));
	placer->allocs = calloc(room, sizeof(*placer->allocs));
	placer->best_allocs = calloc(room, sizeof(*placer->best_allocs));
	if (!placer->candidates || !placer->allocs || !placer->best_allocs ||
	    lw_bitset_init(&placer->light, node_count)) {
		lw_placer_destroy(placer);
		return -ENOMEM;
	}
	*ret_placer = placer;
	return 0;
}

void lw_placer_destroy(struct lw_placer *placer)
{
	if (!placer)
		return;
	lw_bitset_fini(&placer->light);
	free(placer->candidates);
	free(placer->near_candidates);
	free(placer->near.direct);
	free(placer->near.held);
	free(placer->near.quota);
	free(placer->allocs);
	free(placer->best_allocs);
	free(placer);
}

int lw_placer_reserve(struct lw_placer *placer, uint32_t domain_count)
{
	struct lw_nearness *near = &placer->near;
	size_t size = ((size_t)domain_count + 1) * sizeof(*near->held);

	if (domain_count <= placer->domain_room)
		return 0;
	free(near->direct);
	free(near->held);
	free(near->quota);
	placer->domain_room = 0;
	near->direct = malloc(size);
	near->held = malloc(size);
	near->quota = malloc(size);
	if (!placer->near_candidates)
		placer->near_candidates = calloc((size_t)placer->node_count + 1,
						 sizeof(*placer->near_candidates));
	if (!near->direct || !near->held || !near->quota || !placer->near_candidates)
		return -ENOMEM;
	placer->domain_room = domain_count;
	return 0;
}

static bool place_wants_gpus(const struct lw_request *req)
{
	return req->gpus_per_node || req->gpus_total;
}

/* The first position of a node that may serve: by best fit with an index, else of all. */
static uint32_t place_first_pos(const struct lw_room *room, const struct lw_request *req,
				int type)
{
	if (!room->index)
		return 0;
	return lw_index_find(room->index, type, type >= 0 ? lw_gpu_floor(req) : 0,
			     req->cpus_per_node);
}

/* The next candidate at or after *pos; moves *pos past it. */
static bool place_next_node(const struct lw_room *room, int type, uint32_t *pos,
			    uint32_t *ret_node)
{
	if (!room->index) {
		*ret_node = lw_bitset_next(room->candidates, *pos);
		*pos = *ret_node + 1;
		return *ret_node < room->candidates->bits;
	}
	while (lw_index_node(room->index, type, (*pos)++, ret_node)) {
		if (lw_bitset_test(room->candidates, *ret_node))
			return true;
	}
	return false;
}

/* Above all keys of the index. */
#define SERVES_NOW (UINT64_C(1) << 63)

static bool place_serves_now(const struct lw_room *room, const struct lw_request *req, int type,
			     uint32_t node)
{
	struct lw_res give;

	return lw_place_on_node(&room->now[node], &room->total[node], req, type, &give);
}

bool lw_place_candidate(const struct lw_room *room, const struct lw_request *req, int type,
			uint32_t node, struct lw_candidate *ret_cand)
{
	struct lw_res avail = room->free[node];

	if (room->guarded && room->guarded[room->holder[node]])
		lw_res_min(&avail, &room->spare[node]);
	if (!lw_place_on_node(&avail, &room->total[node], req, type, &ret_cand->give))
		return false;
	ret_cand->node = node;
	ret_cand->near = 0;
	ret_cand->split = false;
	ret_cand->grade = room->grades ? room->grades->of[node] : 0;
	ret_cand->cpus = ret_cand->give.cpus;
	ret_cand->gpus = type >= 0 ? ret_cand->give.gpus[type] : 0;
	if (req->exclusive)
		lw_place_whole_tasks(req, type, &ret_cand->cpus, &ret_cand->gpus);
	ret_cand->key = lw_index_key(&room->free[node], &room->total[node], type, node);
	return true;
}

/* Fewer nodes are sorted as fast. */
#define EQUALS 256

/*
 * Of nodes with as many GPUs and CPUs the one with the lowest number goes first. Is that all that
 * a job of one node sees of them? Then one of them is enough.
 */
static bool place_wants_one_of_equals(const struct lw_room *room, const struct lw_request *req)
{
	return req->nodes_max == 1 && room->candidates->bits >= EQUALS && !req->cpus_total &&
	       !req->gpus_total && !room->index && !room->now &&
	       !(room->domains && room->domains->count) && !room->grades &&
	       !lw_place_has_islands(room) && !room->release_dists && !room->choose;
}

/* Candidates by their GPUs and CPUs: the last one that was noted at a place. */
struct equals {
	uint32_t last[EQUALS]; /* its number plus 1 */
	bool on;
};

/* Does CANDIDATES[COUNT] equal one before it? If not, note it. */
static bool place_has_equal(struct equals *equals, const struct lw_candidate *candidates,
			    uint32_t count)
{
	uint64_t amounts = candidates[count].key >> 32;
	uint32_t *last = &equals->last[(amounts ^ amounts >> 19) % EQUALS];

	if (!equals->on)
		return false;
	if (*last && candidates[*last - 1].key >> 32 == amounts)
		return true;
	*last = count + 1;
	return false;
}

/* Collect nodes that serve, at most WANT if an index brings the best first. */
static uint32_t place_gather(struct lw_placer *placer, const struct lw_room *room,
			     const struct lw_request *req, int type, uint32_t want)
{
	uint32_t pos = place_first_pos(room, req, type), node, count = 0;
	struct equals equals;

	equals.on = place_wants_one_of_equals(room, req);
	if (equals.on)
		memset(equals.last, 0, sizeof(equals.last));
	while (place_next_node(room, type, &pos, &node)) {
		if (node >= placer->node_count ||
		    !lw_place_candidate(room, req, type, node, &placer->candidates[count]))
			continue;
		if (place_has_equal(&equals, placer->candidates, count))
			continue;
		if (room->now && place_serves_now(room, req, type, node))
			placer->candidates[count].key |= SERVES_NOW;
		if (++count == want && room->index)
			break;
	}
	return count;
}

static int place_by_key(const void *a, const void *b)
{
	const struct lw_candidate *x = a, *y = b;

	if (x->grade != y->grade)
		return x->grade < y->grade ? -1 : 1;
	if (x->split != y->split)
		return x->split ? 1 : -1;
	return x->key < y->key ? -1 : x->key > y->key;
}

static int place_by_node(const void *a, const void *b)
{
	const struct lw_alloc *x = a, *y = b;

	return x->node < y->node ? -1 : x->node > y->node;
}

/* Idle nodes come in order: one look is enough for them. */
static void place_sort(void *items, uint32_t count, size_t size,
		       int (*compare)(const void *, const void *))
{
	const char *item = items;

	for (uint32_t i = 1; i < count; i++, item += size) {
		if (compare(item, item + size) > 0) {
			qsort(items, count, size, compare);
			return;
		}
	}
}

void lw_place_sort(struct lw_placer *placer, uint32_t count)
{
	place_sort(placer->candidates, count, sizeof(*placer->candidates), place_by_key);
}

/* Only per-node amounts: all candidates serve equally, so the best fitting ones are used. */
static int place_choose_alike(struct lw_placer *placer, const struct lw_domains *domains,
			      const struct lw_request *req, uint32_t count, uint32_t *ret_count)
{
	struct lw_candidate *cand = placer->candidates;
	uint32_t want = count < req->nodes_max ? count : req->nodes_max;

	/* if more are forbidden, the fewest are the likeliest to be allowed */
	if (domains && domains->strict)
		want = req->nodes_min;
	*ret_count = want;
	if (domains && want > 1)
		return lw_place_near(placer, domains, count, want);
	for (uint32_t i = 0; i < want; i++)
		placer->allocs[i] = (struct lw_alloc){
			.node = cand[i].node, .res = cand[i].give
		};
	return 0;
}

/* By the rules that the room brings; totals are met as ever. */
static int place_type_as_chosen(struct lw_placer *placer, const struct lw_room *room,
				const struct lw_request *req, int type, uint32_t *ret_count)
{
	struct lw_room plain = *room;
	uint32_t count;

	plain.index = NULL;
	plain.fragment = NULL;
	count = place_gather(placer, &plain, req, type, UINT32_MAX);
	if (count < req->nodes_min)
		return -ENOSPC;
	if (req->cpus_total || (type >= 0 && req->gpus_total))
		return lw_place_totals(placer, &plain, req, type, count, ret_count);
	return room->choose(placer, room, req, count, ret_count);
}

int lw_place_among(struct lw_placer *placer, const struct lw_room *room,
		   const struct lw_request *req, int type, uint32_t count, uint32_t *ret_count)
{
	if (count < req->nodes_min)
		return -ENOSPC;
	if (req->cpus_total || (type >= 0 && req->gpus_total))
		return lw_place_totals(placer, room, req, type, count, ret_count);
	return place_choose_alike(placer, lw_placer_domains(placer, room, req), req, count,
				  ret_count);
}

/* A gang on the marked candidates; weights come before islands. */
static int place_islands(struct lw_placer *placer, const struct lw_room *room,
			 const struct lw_request *req, int type, uint32_t count,
			 uint32_t *ret_count)
{
	int rc = lw_place_among(placer, room, req, type, count, ret_count);

	if (rc || room->grades || !lw_place_is_split(placer, room, req, *ret_count) ||
	    lw_place_in_islands(placer, room, req, type, count, ret_count))
		return rc;
	lw_place_sort(placer, count);
	return lw_place_among(placer, room, req, type, count, ret_count);
}

/*
 * Move the candidates without GPUs to the front; returns their number. The site's weights come
 * first: nodes lighter than the heaviest are used with or without GPUs.
 */
static uint32_t place_part_gpuless(struct lw_placer *placer, const struct lw_room *room,
				   uint32_t count)
{
	uint32_t kept = 0, heaviest = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (placer->candidates[i].grade > heaviest)
			heaviest = placer->candidates[i].grade;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct lw_candidate cand = placer->candidates[i];

		if (cand.grade == heaviest && lw_res_gpus(&room->total[cand.node]))
			continue;
		placer->candidates[i] = placer->candidates[kept];
		placer->candidates[kept++] = cand;
	}
	return kept;
}

/*
 * A job without GPUs is placed as near together as possible on nodes without, if these hold it.
 */
static int place_gpuless(struct lw_placer *placer, const struct lw_room *room,
			 const struct lw_request *req, uint32_t count, uint32_t *ret_count)
{
	uint32_t kept = place_part_gpuless(placer, room, count);

	if (kept < count && !lw_place_among(placer, room, req, LW_GPU_ANY, kept, ret_count))
		return 0;
	/* choosing by totals also changes the order */
	lw_place_sort(placer, count);
	return lw_place_among(placer, room, req, LW_GPU_ANY, count, ret_count);
}

static int place_type(struct lw_placer *placer, const struct lw_room *room,
		      const struct lw_request *req, int type, uint32_t *ret_count)
{
	const struct lw_domains *domains = lw_placer_domains(placer, room, req);
	bool totals = req->cpus_total || (type >= 0 && req->gpus_total);
	bool weighs = !totals && lw_place_weighs(room, domains, req);
	bool islands = lw_place_minds_islands(room, req, type);
	bool look_at_all = totals || islands ||
			   ((domains || room->grades) && req->nodes_max > 1);
	uint32_t count;

	if (room->choose)
		return place_type_as_chosen(placer, room, req, type, ret_count);
	*ret_count = 1;
	if (weighs && room->index && lw_place_single(placer, room, req, type, 0))
		return 0;
	count = place_gather(placer, room, req, type, look_at_all ? UINT32_MAX : req->nodes_max);
	if (count < req->nodes_min)
		return -ENOSPC;
	if (islands)
		lw_place_mark_islands(placer, room, req, count);
	if (!totals && (!room->index || room->grades || islands) && count > 1)
		lw_place_sort(placer, count);
	if (weighs && !room->index && lw_place_single(placer, room, req, type, count))
		return 0;
	if (type < 0 && look_at_all)
		return place_gpuless(placer, room, req, count, ret_count);
	if (islands)
		return place_islands(placer, room, req, type, count, ret_count);
	return lw_place_among(placer, room, req, type, count, ret_count);
}

/* Nodes with GPUs that jobs ask for by name are kept for such jobs. */
static uint32_t place_wanted_by_name(const struct lw_room *room, int type)
{
	return room->fragment ? room->fragment->named[type] : 0;
}

/*
 * GPUs of any one type: the type that needs the fewest nodes; of these, the one that the fewest
 * jobs ask for by name, else the first.
 */
static int place_any_type(struct lw_placer *placer, const struct lw_room *room,
			  const struct lw_request *req, uint32_t *ret_count)
{
	int types = room->gpu_types ? (int)room->gpu_types : LW_GPU_TYPES_MAX;
	uint32_t best = UINT32_MAX, best_wanted = UINT32_MAX, count;

	for (int type = 0; type < types; type++) {
		uint32_t wanted = place_wanted_by_name(room, type);
		struct lw_alloc *swap = placer->allocs;

		if (room->type_mask && !(room->type_mask >> type & 1))
			continue;
		if (best == req->nodes_min && wanted >= best_wanted)
			continue;
		if (place_type(placer, room, req, type, &count) || count > best ||
		    (count == best && wanted >= best_wanted))
			continue;
		best = count;
		best_wanted = wanted;
		placer->allocs = placer->best_allocs;
		placer->best_allocs = swap;
	}
	if (best == UINT32_MAX)
		return -ENOSPC;
	/* the best answer was put away last: restore it */
	struct lw_alloc *swap = placer->allocs;

	placer->allocs = placer->best_allocs;
	placer->best_allocs = swap;
	*ret_count = best;
	return 0;
}

static int place_request(struct lw_placer *placer, const struct lw_room *room,
			 const struct lw_request *req, uint32_t *ret_count)
{
	if (place_wants_gpus(req) && req->gpu_type == LW_GPU_ANY)
		return place_any_type(placer, room, req, ret_count);
	return place_type(placer, room, req, place_wants_gpus(req) ? req->gpu_type : LW_GPU_ANY,
			  ret_count);
}

/* The lowest grades that hold what all nodes would hold: most jobs fit there, or nowhere. */
static int place_light(struct lw_placer *placer, const struct lw_room *room,
		       const struct lw_request *req, uint32_t *ret_count)
{
	struct lw_room light = *room;
	bool totals = req->cpus_total || req->gpus_total;
	uint32_t most;
	int rc = place_request(placer, room, req, &most);

	if (rc)
		return rc;
	light.candidates = &placer->light;
	for (uint32_t t = 0; t + 1 < room->grades->count; t++) {
		lw_bitset_clear_all(&placer->light);
		lw_bitset_or(&placer->light, room->candidates);
		lw_bitset_and(&placer->light, &room->grades->upto[t]);
		if (!place_request(placer, &light, req, ret_count) &&
		    (totals || *ret_count >= most))
			return 0;
	}
	return place_request(placer, room, req, ret_count);
}

int lw_place(struct lw_placer *placer, const struct lw_room *room, const struct lw_request *req,
	     const struct lw_alloc **ret_allocs, uint32_t *ret_count)
{
	uint32_t count = 0;
	int rc = room->grades ? place_light(placer, room, req, &count)
			     : place_request(placer, room, req, &count);

	if (rc)
		return rc;
	place_sort(placer->allocs, count, sizeof(*placer->allocs), place_by_node);
	*ret_allocs = placer->allocs;
	*ret_count = count;
	return 0;
}
