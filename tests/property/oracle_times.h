/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: when a job could start at the earliest, searched at every time at which things change. */
#ifndef LW_TESTS_ORACLE_TIMES_H
#define LW_TESTS_ORACLE_TIMES_H

#include "property/oracle_terms.h"

/* When something ends or opens, in no order; free() it. There is room for one more. */
int64_t *oracle_ends(const struct lw_snapshot *snap, const struct lw_plan *plan,
		     uint32_t *ret_count);

/* The same, and starts of reservations, where less comes to be free. */
int64_t *oracle_times(const struct lw_snapshot *snap, const struct lw_plan *plan,
		      uint32_t *ret_count);

/*
 * The first start at which the job of VIEW fits for as long as it may run, or INT64_MAX. TIMES are
 * those of oracle_times(); they are sorted, and one is added.
 */
int64_t oracle_earliest(const struct oracle_view *view, int64_t *times, uint32_t count);

#endif
