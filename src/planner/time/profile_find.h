/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the parts of the profile share; no other file includes it. */
#ifndef LW_PLANNER_PROFILE_FIND_H
#define LW_PLANNER_PROFILE_FIND_H

#include "planner/time/profile.h"

/* Moments looked at one by one before a binary search begins. */
#define LW_LINE_SOON 8

/* The first moment not before TIME_S. Most calls are for times near the end. */
uint32_t lw_line_from(const struct lw_line *line, int64_t time_s);

/*
 * The moment that holds at TIME_S, which is not before the first one. Most nodes have few
 * moments, and most calls are for times soon.
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

static inline const struct lw_line *lw_profile_line(const struct lw_profile *profile,
						    uint32_t node)
{
	return &profile->lines[profile->kinds.of[node]];
}

/* A search for the earliest start at which WANT nodes serve. */
struct lw_search {
	struct lw_profile *profile;
	const struct lw_room *room;
	const struct lw_request *req;
	int64_t duration_s;
	uint32_t want;
	int first_type, last_type; /* of GPUs; LW_GPU_ANY: none wanted */
	struct lw_res floor;       /* in it, GPUs of the first type stand for all types */
	uint32_t gpus;             /* of the floor */
	struct lw_res most;        /* of any usable node; only with totals */
	struct lw_earliest_free_row row; /* lower bounds of the kinds' starts */
	uint32_t found, start_count;     /* nodes, and entries, in profile->starts */
	bool all;                        /* may all nodes be used? */
	bool few; /* does the placement see nothing of nodes of one kind but their numbers? */
};

/* Room for what a search notes: a profile in which nothing is searched has none. -ENOMEM. */
int lw_profile_size_scratch(struct lw_profile *profile);

/* lw_earliest_free_row() of the profile's kinds. */
struct lw_earliest_free_row lw_profile_row(struct lw_profile *profile, uint32_t cpus,
					   uint32_t gpus, int64_t duration_s);

/* How many nodes of KIND may be used. */
uint32_t lw_search_nodes(const struct lw_search *search, uint32_t kind);

/*
 * Find from when on the nodes of KIND serve, at START_S or later, and note it by kind. Times from
 * LIMIT_S on do not matter: the caller asks again for them.
 */
void lw_search_look(const struct lw_search *search, uint32_t kind, int64_t start_s,
		    int64_t limit_s);

/*
 * Note, by kind, the least amount that is free from START_S until the end of the job. Returns
 * the next start for which this may differ, or INT64_MAX.
 */
int64_t lw_search_least(const struct lw_search *search, uint32_t kind, int64_t start_s);

/* Begin with the starts from FROM_S on, for a job with totals. */
void lw_sum_begin(const struct lw_search *search, int64_t from_s);

/*
 * The first start, not before FROM_S and the last result, at which all serving nodes together
 * have the job's totals; or INT64_MAX. No placement can succeed before.
 */
int64_t lw_sum_start(const struct lw_search *search, int64_t from_s);

#endif
