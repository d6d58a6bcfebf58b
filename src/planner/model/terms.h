/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what makes a job harder to place than its request says. */
#ifndef LW_PLANNER_TERMS_H
#define LW_PLANNER_TERMS_H

#include <stdbool.h>
#include <stdint.h>

/* Closures and kinds are told by bits of a word: numbers 0 .. 63. */
#define LW_CLOSURES_MAX 64
#define LW_KINDS_MAX	64

/* All 0 for most jobs. */
struct lw_terms {
	uint64_t closed;    /* closures of the snapshot that hold for it, a bit each */
	uint64_t preempts;  /* kinds of running jobs it may put off their nodes, a bit each */
	uint64_t preempts_lower; /* kinds of which only jobs of a priority below lower_than */
	uint32_t lower_than; /* 0 where there are no such kinds */
	int64_t earliest_s; /* no start before, though room may be kept for it; 0: now */
	uint32_t bundle;    /* number of what else it needs at the same time; 0: nothing */
	/* of a job that may use the room kept for jobs that preempt it: the preemption kind it will
	 * have once it runs; 0: it may not */
	uint16_t kind;
	uint16_t tier;	    /* in any order but the snapshot's a higher one comes first */
	bool now_only;	    /* starts now or waits: no room is ever kept for it */
	bool talks;	    /* its processes are known to talk much across nodes */
	/* an advance reservation keeps its nodes free until earliest_s, so the planner need not */
	bool sheltered;
};

static inline bool lw_terms_equal(const struct lw_terms *a, const struct lw_terms *b)
{
	return a->closed == b->closed && a->preempts == b->preempts &&
	       a->preempts_lower == b->preempts_lower && a->lower_than == b->lower_than &&
	       a->earliest_s == b->earliest_s && a->bundle == b->bundle &&
	       a->kind == b->kind && a->tier == b->tier && a->now_only == b->now_only &&
	       a->sheltered == b->sheltered && a->talks == b->talks;
}

/* May it put anybody off? */
static inline bool lw_terms_preempt(const struct lw_terms *terms)
{
	return terms->preempts || terms->preempts_lower;
}

/* Does it put off a job that runs as one of KIND, 0 for none, with PRIORITY? */
static inline bool lw_terms_puts_off(const struct lw_terms *terms, uint32_t kind,
				     uint32_t priority)
{
	uint64_t kinds = terms->preempts;

	if (priority < terms->lower_than)
		kinds |= terms->preempts_lower;
	return kind && (kinds >> kind & 1);
}

/* Will it be put off, where it passes a job for which room is kept, by that job? */
static inline bool lw_terms_gives_way(const struct lw_terms *terms, const struct lw_terms *kept)
{
	return terms->kind && (kept->preempts >> terms->kind & 1);
}

/* Does time, or more than one request, decide where the job may start? */
static inline bool lw_terms_matter(const struct lw_terms *terms)
{
	return terms->closed || terms->earliest_s || terms->bundle;
}

#endif
