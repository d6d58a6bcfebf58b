/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the free amounts of each node over time, by hard limits. */
#include "planner/time/profile_find.h"

#include "base/grow.h"
#include "base/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Most nodes have no more, and there may be very many nodes. */
#define FEW_MOMENTS 4

static void profile_free_scratch(struct lw_profile *profile)
{
	free(profile->begin_s);
	free(profile->until_s);
	free(profile->least);
	free(profile->least_of);
	free(profile->starts);
	free(profile->sum.events);
	free(profile->sum.gives);
	lw_bitset_fini(&profile->good);
	profile->begin_s = profile->until_s = NULL;
	profile->least = profile->least_of = NULL;
	profile->starts = NULL;
	profile->sum = (struct lw_sum){ 0 };
	profile->sized = false;
}

void lw_profile_fini(struct lw_profile *profile)
{
	for (uint32_t kind = 0; kind < profile->line_room; kind++) {
		free(profile->lines[kind].moments);
		free(profile->lines[kind].over);
	}
	free(profile->lines);
	profile_free_scratch(profile);
	lw_kinds_fini(&profile->kinds);
	lw_earliest_free_fini(&profile->earliest_free);
	memset(profile, 0, sizeof(*profile));
}

uint32_t lw_line_from(const struct lw_line *line, int64_t time_s)
{
	uint32_t at, last = line->count;

	if (last && line->moments[last - 1].time_s < time_s)
		return last;
	LW_SEARCH(at, last, line->moments[at].time_s < time_s);
	return at;
}

const struct lw_res *lw_profile_at(const struct lw_profile *profile, uint32_t node,
				   int64_t time_s)
{
	const struct lw_line *line = lw_profile_line(profile, node);
	uint32_t at = lw_line_from(line, time_s);

	if (at == line->count || line->moments[at].time_s > time_s)
		at -= at > 0;
	return &line->moments[at].free;
}

/* Allocate, for each moment, the amount taken beyond the node's size. */
static int profile_size_over(struct lw_profile *profile, struct lw_line *line)
{
	struct lw_res *over = reallocarray(line->over, line->room, sizeof(*over));

	if (!over) {
		free(line->over);
		line->over = NULL;
		return -ENOMEM;
	}
	if (!line->over)
		memset(over, 0, line->count * sizeof(*over));
	line->over = over;
	profile->bytes += (uint64_t)line->room * sizeof(*over);
	return 0;
}

static void profile_drop_over(struct lw_profile *profile, struct lw_line *line)
{
	if (line->over)
		profile->bytes -= (uint64_t)line->room * sizeof(*line->over);
	free(line->over);
	line->over = NULL;
}

static int profile_grow_line(struct lw_profile *profile, struct lw_line *line, uint32_t count)
{
	uint32_t room = line->room;

	if (lw_grow_from((void **)&line->moments, &line->room, count, sizeof(*line->moments),
			 FEW_MOMENTS))
		return -ENOMEM;
	if (line->room == room)
		return 0;
	profile->bytes += (uint64_t)(line->room - room) * sizeof(*line->moments);
	if (!line->over)
		return 0;
	profile->bytes -= (uint64_t)room * sizeof(*line->over);
	return profile_size_over(profile, line);
}

/* The moment of TIME_S, made if there is none: free amounts do not change. */
static int profile_make_moment(struct lw_profile *profile, struct lw_line *line, int64_t time_s,
			       uint32_t *ret_pos)
{
	uint32_t pos = lw_line_from(line, time_s);
	struct lw_moment *moment;

	*ret_pos = pos;
	if (pos < line->count && line->moments[pos].time_s == time_s)
		return 0;
	if (profile_grow_line(profile, line, line->count + 1))
		return -ENOMEM;
	moment = &line->moments[pos];
	memmove(moment + 1, moment, (line->count - pos) * sizeof(*moment));
	if (pos)
		moment->free = moment[-1].free;
	moment->time_s = time_s;
	if (line->over) {
		memmove(&line->over[pos + 1], &line->over[pos],
			(line->count - pos) * sizeof(*line->over));
		line->over[pos] = pos ? line->over[pos - 1] : (struct lw_res){ 0 };
	}
	line->count++;
	return 0;
}

static void profile_set_earliest_free(struct lw_profile *profile, uint32_t kind)
{
	const struct lw_line *line = &profile->lines[kind];

	lw_earliest_free_set(&profile->earliest_free, kind, line->moments, line->count);
}

struct lw_earliest_free_row lw_profile_row(struct lw_profile *profile, uint32_t cpus,
					   uint32_t gpus, int64_t duration_s)
{
	struct lw_earliest_free *earliest_free = &profile->earliest_free;
	struct lw_earliest_free_row row =
		lw_earliest_free_row(earliest_free, cpus, gpus, duration_s);
	uint32_t kind;

	if (!row.fresh)
		return row;
	lw_bitset_foreach(&profile->kinds.used, kind)
	{
		const struct lw_line *line = &profile->lines[kind];

		lw_earliest_free_fill(earliest_free, &row, kind, line->moments, line->count);
	}
	return row;
}

/* RES is taken at moment POS. */
static int profile_take_at(struct lw_profile *profile, struct lw_line *line, uint32_t pos,
			   const struct lw_res *res)
{
	struct lw_res *free = &line->moments[pos].free, beyond = *res;

	if (!lw_res_within(res, free)) {
		if (!line->over && profile_size_over(profile, line))
			return -ENOMEM;
		lw_res_sub(&beyond, free);
		lw_res_add(&line->over[pos], &beyond);
	}
	lw_res_sub(free, res);
	return 0;
}

/* RES is given back at moment POS. */
static void profile_give_at(struct lw_line *line, uint32_t pos, const struct lw_res *res)
{
	struct lw_res give = *res, paid;

	if (line->over) {
		paid = line->over[pos];
		lw_res_min(&paid, res);
		lw_res_sub(&line->over[pos], &paid);
		lw_res_sub(&give, &paid);
	}
	lw_res_add(&line->moments[pos].free, &give);
}

/* Let LINE be as FROM is. */
static int profile_copy_line(struct lw_profile *profile, const struct lw_line *from,
			     struct lw_line *line)
{
	profile_drop_over(profile, line);
	line->count = 0;
	if (profile_grow_line(profile, line, from->count))
		return -ENOMEM;
	memcpy(line->moments, from->moments, from->count * sizeof(*line->moments));
	line->count = from->count;
	if (!from->over)
		return 0;
	if (profile_size_over(profile, line))
		return -ENOMEM;
	memcpy(line->over, from->over, from->count * sizeof(*line->over));
	return 0;
}

/*
 * The line on which a change of ALLOC is to be made, and its number to *RET_KIND: NULL if it is
 * made already, for a node that is alike. -ENOMEM.
 */
static int profile_part_line(struct lw_profile *profile, const struct lw_alloc *alloc,
			     struct lw_line **ret_line, uint32_t *ret_kind)
{
	struct lw_line *lines = profile->lines;
	uint32_t from;

	*ret_line = NULL;
	if (!lw_kinds_change(&profile->kinds, alloc->node, &alloc->res, &from, ret_kind))
		return 0;
	*ret_line = &lines[*ret_kind];
	return from == *ret_kind ? 0 : profile_copy_line(profile, &lines[from], *ret_line);
}

/* Between two moments, which are made. */
static int profile_change_line(struct lw_profile *profile, struct lw_line *line,
			       const struct lw_res *res, int64_t start_s, int64_t end_s,
			       bool give)
{
	uint32_t from, until;

	if (profile_make_moment(profile, line, start_s, &from) ||
	    profile_make_moment(profile, line, end_s, &until))
		return -ENOMEM;
	for (uint32_t pos = from; pos < until; pos++) {
		if (give)
			profile_give_at(line, pos, res);
		else if (profile_take_at(profile, line, pos, res))
			return -ENOMEM;
	}
	return 0;
}

static int profile_change(struct lw_profile *profile, int64_t start_s, int64_t end_s,
			  const struct lw_alloc *allocs, uint32_t count, bool give)
{
	lw_kinds_turn(&profile->kinds);
	for (uint32_t i = 0; i < count; i++) {
		struct lw_line *line;
		uint32_t kind;

		if (profile_part_line(profile, &allocs[i], &line, &kind))
			return -ENOMEM;
		if (!line)
			continue;
		if (profile_change_line(profile, line, &allocs[i].res, start_s, end_s, give))
			return -ENOMEM;
		profile_set_earliest_free(profile, kind);
	}
	return 0;
}

int lw_profile_take(struct lw_profile *profile, int64_t start_s, int64_t end_s,
		    const struct lw_alloc *allocs, uint32_t count)
{
	return profile_change(profile, start_s, end_s, allocs, count, false);
}

int lw_profile_give(struct lw_profile *profile, int64_t start_s, int64_t end_s,
		    const struct lw_alloc *allocs, uint32_t count)
{
	return profile_change(profile, start_s, end_s, allocs, count, true);
}

int64_t lw_profile_lasts(const struct lw_profile *profile, int64_t start_s, int64_t end_s,
			 const struct lw_alloc *allocs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct lw_line *line = lw_profile_line(profile, allocs[i].node);
		uint32_t pos = lw_line_at(line, start_s);

		for (; pos < line->count && line->moments[pos].time_s < end_s; pos++) {
			if (!lw_res_within(&allocs[i].res, &line->moments[pos].free))
				end_s = line->moments[pos].time_s;
		}
	}
	return end_s > start_s ? end_s : start_s;
}

void lw_profile_least(const struct lw_profile *profile, int64_t start_s, int64_t end_s,
		      struct lw_res *ret_free)
{
	for (uint32_t node = 0; node < profile->node_count; node++) {
		const struct lw_line *line = lw_profile_line(profile, node);
		uint32_t pos = lw_line_at(line, start_s);

		ret_free[node] = line->moments[pos].free;
		while (++pos < line->count && line->moments[pos].time_s < end_s)
			lw_res_min(&ret_free[node], &line->moments[pos].free);
	}
}

int64_t lw_profile_end_of(const struct lw_snapshot *snap, const struct lw_running *job)
{
	return job->end_s > snap->now_s ? job->end_s : snap->now_s + 1;
}

int lw_profile_size_scratch(struct lw_profile *profile)
{
	size_t room = (size_t)profile->node_count + 1;

	if (profile->sized)
		return 0;
	profile->begin_s = calloc(room, sizeof(*profile->begin_s));
	profile->until_s = calloc(room, sizeof(*profile->until_s));
	profile->least = calloc(room, sizeof(*profile->least));
	profile->least_of = calloc(room, sizeof(*profile->least_of));
	profile->starts = calloc(room, sizeof(*profile->starts));
	/* a kind and its block, each once */
	profile->sum.events = calloc(2 * room, sizeof(*profile->sum.events));
	profile->sum.gives = calloc(room, sizeof(*profile->sum.gives));
	if (lw_bitset_init(&profile->good, profile->node_count) || !profile->begin_s ||
	    !profile->until_s || !profile->least || !profile->least_of || !profile->starts ||
	    !profile->sum.events || !profile->sum.gives) {
		profile_free_scratch(profile);
		return -ENOMEM;
	}
	profile->sized = true;
	return 0;
}

static int profile_size_nodes(struct lw_profile *profile, uint32_t count)
{
	uint32_t old = profile->line_room;

	if (lw_grow((void **)&profile->lines, &profile->line_room, count + 1,
		    sizeof(*profile->lines)))
		return -ENOMEM;
	if (profile->line_room > old)
		memset(profile->lines + old, 0,
		       (profile->line_room - old) * sizeof(*profile->lines));
	if (profile->kinds.of && profile->node_count == count)
		return 0;
	profile_free_scratch(profile);
	profile->node_count = 0;
	if (lw_kinds_size(&profile->kinds, count))
		return -ENOMEM;
	profile->node_count = count;
	return 0;
}

/* RES is free from END_S on. Amounts may be too large for a sum: never more than TOTAL. */
static int profile_end_line(struct lw_profile *profile, struct lw_line *line,
			    const struct lw_res *res, int64_t end_s, const struct lw_res *total)
{
	uint32_t pos;

	if (profile_make_moment(profile, line, end_s, &pos))
		return -ENOMEM;
	for (; pos < line->count; pos++) {
		profile_give_at(line, pos, res);
		lw_res_min(&line->moments[pos].free, total);
	}
	return 0;
}

/* What JOB holds is free from its end on. */
static int profile_end_job(struct lw_profile *profile, const struct lw_snapshot *snap,
			   const struct lw_running *job)
{
	lw_kinds_turn(&profile->kinds);
	for (uint32_t i = 0; i < job->alloc_count; i++) {
		const struct lw_alloc *alloc = &snap->allocs[job->first_alloc + i];
		struct lw_line *line;
		uint32_t kind;

		if (profile_part_line(profile, alloc, &line, &kind))
			return -ENOMEM;
		if (line &&
		    profile_end_line(profile, line, &alloc->res, lw_profile_end_of(snap, job),
				     &snap->nodes[alloc->node].total))
			return -ENOMEM;
	}
	return 0;
}

/* The nodes of KIND now, with all their jobs. */
static int profile_begin_line(struct lw_profile *profile, const struct lw_snapshot *snap,
			      uint32_t kind)
{
	struct lw_line *line = &profile->lines[kind];
	uint32_t node = profile->kinds.kinds[kind].first, pos;

	line->count = 0;
	profile_drop_over(profile, line);
	if (profile_make_moment(profile, line, snap->now_s, &pos))
		return -ENOMEM;
	line->moments[0].free = snap->nodes[node].total;
	return profile_take_at(profile, line, 0, &snap->used[node]);
}

int lw_profile_begin(struct lw_profile *profile, const struct lw_snapshot *snap)
{
	uint32_t kind;

	if (profile_size_nodes(profile, snap->node_count))
		return -ENOMEM;
	lw_earliest_free_begin(&profile->earliest_free, snap);
	lw_kinds_begin(&profile->kinds, snap);
	lw_bitset_foreach(&profile->kinds.used, kind)
	{
		if (profile_begin_line(profile, snap, kind))
			return -ENOMEM;
	}
	for (uint32_t i = 0; i < snap->running_count; i++) {
		if (profile_end_job(profile, snap, &snap->running[i]))
			return -ENOMEM;
	}
	return 0;
}
