/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: may jobs have a GPU together, and what does it cost them? */
#ifndef LW_SHARE_RULE_H
#define LW_SHARE_RULE_H

#include "base/sharemark.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Two programs on one GPU take turns, unless MPS runs both at the same time. If they take turns,
 * the share of the time in which a program has work on the GPU counts (utilisation). Under MPS
 * it is how much of the GPU it fills then (SM activity), and utilisation says nothing. Measured
 * on an H200: doc/lab/2026-11-26-sharing.md.
 *
 * Pure: no clock, no file. Shares are in thousandths, memory in MiB.
 */

/* The most tenants that a GPU may have at a time. */
#define LW_SHARE_TENANTS_MAX 8

enum lw_share_mode {
	LW_SHARE_OFF,
	LW_SHARE_SLICE, /* programs take turns */
	LW_SHARE_MPS,	/* they run at the same time */
	LW_SHARE_MODES,
};

struct lw_share_rule {
	enum lw_share_mode mode;
	uint32_t util_max;    /* upper bound of the sum of utilisations */
	uint32_t sm_below;    /* the sum of SM activities must be below this */
	uint32_t mem_max;     /* upper bound of the sum of memory peaks, as a share of the
			       * device */
	uint32_t tenants_max; /* at a time; 2 to LW_SHARE_TENANTS_MAX */
};

/* The result of a test of tenants. */
enum lw_share_verdict {
	LW_SHARE_FITS,
	LW_SHARE_IS_OFF,
	LW_SHARE_TOO_MANY,    /* tenants */
	LW_SHARE_UNKNOWN,     /* the use by one of them, or the memory of the GPU */
	LW_SHARE_TOO_BUSY,    /* together */
	LW_SHARE_TOO_LITTLE_MEMORY,
};

/* 100 %, 90 %, 90 % and two tenants. */
struct lw_share_rule lw_share_rule_default(enum lw_share_mode mode);

/*
 * May USES[COUNT], one or more, have a GPU of MEM_MIB together? *RET_SUM (may be NULL) is the
 * sum of their utilisations or SM activities: of several sets that fit, the lowest is the best.
 */
enum lw_share_verdict lw_share_fits(const struct lw_share_rule *rule,
				    const struct lw_share_use *uses, uint32_t count,
				    uint32_t mem_mib, uint32_t *ret_sum);

/*
 * The expected run time of the given one of USES[COUNT], in thousandths of its run time alone.
 * At most the number of tenants, plus a twelfth, since each gets its turn. What is not known
 * counts as 1000.
 */
uint32_t lw_share_slowdown(enum lw_share_mode mode, const struct lw_share_use *uses,
			   uint32_t count, uint32_t who);

/* "off", "slice" or "mps"; -EINVAL: NAME is no mode. */
int lw_share_mode_parse(const char *name);

#endif
