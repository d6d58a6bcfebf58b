/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what makes a job harder to place than its request says. */
#ifndef LW_PLANNER_TERMS_H
#define LW_PLANNER_TERMS_H

#include "planner/model/field.h"

/* Closures and kinds are told by bits of a word: numbers 0 .. 63. */
#define LW_CLOSURES_MAX 64
#define LW_KINDS_MAX	64

/* All 0 for most jobs. */
struct lw_terms {
#define LW_TERMS LW_MEMBER
#include "planner/model/job.def"
};

bool lw_terms_equal(const struct lw_terms *a, const struct lw_terms *b);

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
