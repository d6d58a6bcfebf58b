/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway place: the types of GPUs that a job may have, by when it would be done. */
#ifndef LW_CLI_CMD_PLACE_TYPES_H
#define LW_CLI_CMD_PLACE_TYPES_H

#include <jansson.h>

#include "base/strbuf.h"
#include "planner/model/snapshot.h"

#include <stdbool.h>

struct place_type {
	int type;
	uint32_t run_s; /* expected on it */
	/*
	 * When so many are expected to be free, as amounts, after the running jobs and before
	 * all waiting jobs; LW_NO_TIME: never, or not known. Done: after RUN_S.
	 */
	int64_t start_s, done_s;
	bool room; /* there is a place now */
	bool cramped; /* it has less memory than earlier runs needed: such types come last */
};

/* The first done first. None where nothing is known of the job by type, or it names one. */
struct place_types {
	struct place_type rows[LW_GPU_TYPES_MAX];
	uint32_t count;
};

/* Find them for JOB on CANDIDATES; the caller sets whether there is a place. -ENOMEM. */
int lw_place_types_find(const struct lw_snapshot *snap, const struct lw_bitset *candidates,
			const struct lw_waiting *job, struct place_types *ret_types);
/* Where there is no place now it takes longer than amounts say; then put them in order. */
void lw_place_types_rank(struct place_types *types, int64_t now_s);

void lw_place_types_print(const struct lw_snapshot *snap, const struct place_types *types,
			  struct lw_strbuf *out);
/* The array of those of VARIANT is added to ROWS. */
void lw_place_types_json(const struct lw_snapshot *snap, const struct place_types *types,
			 uint32_t variant, json_t *rows);

#endif
