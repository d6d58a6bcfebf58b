/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: amounts in texts: cpus=4, mem=16000, gpu:a100=2. */
#ifndef LW_PLANNER_TEXT_AMOUNTS_H
#define LW_PLANNER_TEXT_AMOUNTS_H

#include "base/strbuf.h"
#include "planner/model/snapshot.h"
#include "planner/text/text_scan.h"

/* The index of the GPU type that WORD names, or -1. */
int lw_text_gpu_type(const struct lw_text_word *word, const struct lw_snapshot *snap);

/* Append what RES has: BEFORE, then the amounts with BETWEEN; nothing for nothing. */
void lw_text_add_amounts(struct lw_strbuf *out, char before, char between,
			 const struct lw_res *res, const struct lw_snapshot *snap);
/* Store the amount that WORD says in RES, where it must still be 0. -EINVAL with IN's
 * error. */
int lw_text_get_amount(const struct lw_text_in *in, const struct lw_text_word *word,
		       const struct lw_snapshot *snap, struct lw_res *res);

/* Append " expect:a100=600" for each type of GPU that TIMES says something of; KEY: "expect:". */
void lw_text_add_times(struct lw_strbuf *out, const char *key, const uint32_t *times,
		       const struct lw_snapshot *snap);
/* Store the time that WORD says of a type in TIMES, where it must still be 0. -EINVAL. */
int lw_text_get_time_of_type(const struct lw_text_in *in, const char *key,
			     const struct lw_text_word *word, const struct lw_snapshot *snap,
			     uint32_t *times);

/* Store the weight that VALUE says, which must still be 1. -EINVAL with IN's error. */
int lw_text_get_weight(const struct lw_text_in *in, const struct lw_text_word *value,
		       uint32_t *weight);

/*
 * Store what WORD says of a node if it is "NAME=N": N, which must still be 0; false: it is not
 * that.
 */
bool lw_text_get_count(struct lw_text_word word, const char *name, uint16_t *count);

#endif
