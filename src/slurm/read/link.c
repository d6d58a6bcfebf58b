/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a job that depends on others waits for: the end of a job, or a time. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/read/link.h"

static bool link_has_time(const struct lw_link *link)
{
	return link->state == LW_LINK_RUNS || link->state == LW_LINK_DUE;
}

/* Ends in the job id, so that the order of Slurm's lists does not matter. */
static bool link_is_before(const struct lw_link *a, const struct lw_link *b)
{
	return a->when_s != b->when_s ? a->when_s < b->when_s : a->job_id < b->job_id;
}

struct lw_link lw_link_later(struct lw_link a, struct lw_link b)
{
	if (!link_has_time(&a) || !link_has_time(&b)) {
		if (a.state == LW_LINK_OPEN || b.state == LW_LINK_MET)
			return a;
		return b.state == LW_LINK_OPEN || a.state == LW_LINK_MET ? b : a;
	}
	return link_is_before(&a, &b) ? b : a;
}

struct lw_link lw_link_sooner(struct lw_link a, struct lw_link b)
{
	if (!link_has_time(&a) || !link_has_time(&b))
		return link_has_time(&b) ? b : a;
	return link_is_before(&b, &a) ? b : a;
}

static void link_add(struct lw_follow *follow, const struct lw_link *link)
{
	const struct lw_link last = { LW_LINK_RUNS, follow->after, follow->after_s };

	if (link->state == LW_LINK_DUE) {
		if (link->when_s > follow->earliest_s)
			follow->earliest_s = link->when_s;
	} else if (!follow->after || link_is_before(&last, link)) {
		follow->after = link->job_id;
		follow->after_s = link->when_s;
	}
}

static bool link_join_all(const struct lw_link *links, uint32_t count, struct lw_follow *follow)
{
	for (uint32_t i = 0; i < count; i++) {
		if (links[i].state == LW_LINK_OPEN || links[i].state == LW_LINK_FAILED)
			return false;
		if (links[i].state != LW_LINK_MET)
			link_add(follow, &links[i]);
	}
	return follow->after || follow->earliest_s;
}

static bool link_join_any(const struct lw_link *links, uint32_t count, struct lw_follow *follow)
{
	struct lw_link first = { .state = LW_LINK_OPEN };

	for (uint32_t i = 0; i < count; i++) {
		if (links[i].state == LW_LINK_MET)
			return false;
		first = lw_link_sooner(first, links[i]);
	}
	if (!link_has_time(&first))
		return false;
	link_add(follow, &first);
	return true;
}

bool lw_links_join(const struct lw_link *links, uint32_t count, bool any,
		   struct lw_follow *ret_follow)
{
	ret_follow->after = 0;
	ret_follow->after_s = 0;
	ret_follow->earliest_s = 0;
	return any ? link_join_any(links, count, ret_follow)
		   : link_join_all(links, count, ret_follow);
}

bool lw_link_begin(struct lw_follow *follow, int64_t begin_s, int64_t now_s)
{
	if (begin_s <= now_s)
		return true;
	if (!follow->after || begin_s > follow->after_s)
		return false;
	if (begin_s > follow->earliest_s)
		follow->earliest_s = begin_s;
	return true;
}
