/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the parts of the profile share; nobody else includes it. */
#ifndef LW_PLANNER_PROFILE_FIND_H
#define LW_PLANNER_PROFILE_FIND_H

#include "planner/time/profile.h"

/* As many moments are gone through before they are searched by halves. */
#define LW_LINE_SOON 8

/* The first moment not before TIME_S. Most that are asked for are at the end. */
uint32_t lw_line_from(const struct lw_line *line, int64_t time_s);

/*
 * The moment that says what is free at TIME_S, which is not before the first. Most nodes have
 * few moments, and most that is asked for is soon.
 */
static inline uint32_t lw_line_at(const struct lw_line *line, int64_t time_s)
{
	uint32_t pos = 0;

	while (pos + 1 < line->count && line->moments[pos + 1].time_s <= time_s) {
		if (++pos == LW_LINE_SOON)
			return lw_line_from(line, time_s + 1) - 1;
	}
	return pos;
}

/* A search for the earliest start from which on WANT nodes serve. */
struct lw_search {
	struct lw_profile *profile;
	const struct lw_room *room;
	const struct lw_request *req;
	int64_t duration_s;
	uint32_t want;
	int first_type, last_type; /* of GPUs; LW_GPU_ANY: none are wanted */
	struct lw_res floor;       /* GPUs of the first type stand for all */
	uint32_t gpus;             /* of the floor */
	struct lw_res most;        /* of any node that it may use; only with totals */
	struct lw_earliest_free_row row; /* no start of a node is before what it says */
	uint32_t found;            /* starts in profile->starts_s */
};

/*
 * Learn from when on the node serves, at START_S or later, and note it by node. What is
 * not before LIMIT_S does not matter: it has to be asked again.
 */
void lw_search_look(const struct lw_search *search, uint32_t node, int64_t start_s,
		    int64_t limit_s);

/*
 * Note, by node, the least that is free from START_S until the job is over. Returns the next
 * start for which that may be another amount, or INT64_MAX.
 */
int64_t lw_search_least(const struct lw_search *search, uint32_t node, int64_t start_s);

/* Begin with the starts from FROM_S on of a job that says what it wants in all. */
void lw_sum_begin(const struct lw_search *search, int64_t from_s);

/*
 * The first start, not before FROM_S and not before that of the last call, at which all nodes
 * that serve have together what it wants; or INT64_MAX. Before that no placement can succeed.
 */
int64_t lw_sum_start(const struct lw_search *search, int64_t from_s);

#endif
