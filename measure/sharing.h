/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that share GPUs in leeway sim: their use, the speed of pairs, the rule. */
#ifndef LW_MEASURE_SHARING_H
#define LW_MEASURE_SHARING_H

#include "base/error.h"
#include "config/recipes.h"
#include "measure/lines.h"
#include "planner/model/request.h"
#include "share/pairs.h"
#include "share/rule.h"

#include <stdbool.h>
#include <stdint.h>

/* A kind of jobs: the application number of the trace, or the recipe of a workload by number. */
struct lw_sharing_kind {
	uint32_t number;
	struct lw_share_use use;   /* what it really uses */
	struct lw_share_use known; /* what the scheduler knows of it, from earlier runs */
};

/* lw-tenants(5). */
struct lw_sharing_table {
	struct lw_sharing_kind *kinds; /* by number */
	uint32_t count, room;
	struct lw_share_pairs pairs; /* how they really fare; 0 and 0: they do not fit */
	uint32_t mem_mib;	     /* of a GPU; 0: not said */
};

/* How it is decided which job joins which. */
enum lw_sharing_way {
	LW_SHARING_RULE,    /* by what is known of each, the lowest sum first */
	LW_SHARING_LEARNED, /* the same, until a pair was seen; then by how it fared */
	LW_SHARING_TABLE,   /* by the table of pairs, which no site has: the best possible */
	LW_SHARING_HORUS,   /* utilisations of at most 100 %, the nearest to it first */
	LW_SHARING_ANY,	    /* any job for which there is memory */
	LW_SHARING_TRIAL,   /* the same; a pair that is slower than in turns is parted again */
	LW_SHARING_LUCID,   /* by scores of 0 to 2 for utilisation, at most 2 together */
	LW_SHARING_WAYS,
};

struct lw_sharing {
	enum lw_sharing_way way;
	struct lw_share_rule rule; /* its mode OFF: no job shares */
	bool always;		   /* also when there are whole GPUs free */
	uint32_t part_below;	   /* a newcomer goes again if either is slower; 0: never */
	bool shortest;		   /* jobs expected to be short join first */
	const struct lw_sharing_table *table;
};

/* What became of it. Zeroed at the start. */
struct lw_sharing_found {
	double saved_s; /* GPU-seconds: by how much tenants were more than GPUs */
	uint32_t joined, out_of_memory, parted;
};

/*
 * Read PATH. 0; -EINVAL with ERR naming file and line; -ENOMEM; -errno of the file. What is known
 * is what they use until lw_sharing_observe().
 */
int lw_sharing_read(const char *path, struct lw_sharing_table *ret_table, struct lw_error *err);
/*
 * The same from RECIPES, which give the kinds their numbers in the file, on GPUs of TYPE, a
 * number of theirs, or LW_RECIPE_NO_TYPE: their memory is not known. -ENOMEM.
 */
int lw_sharing_of_recipes(const struct lw_recipes *recipes, int type,
			  struct lw_sharing_table *ret_table);
/* Free all it holds; safe on a zeroed one. */
void lw_sharing_fini(struct lw_sharing_table *table);

/*
 * What is known of each kind is what RUNS earlier runs of it showed, each off by a normal share of
 * NOISE: the 95 % quantile. Drawn from SEED. 0 runs: nothing is known. -ENOMEM.
 */
int lw_sharing_observe(struct lw_sharing_table *table, uint32_t runs, double noise,
		       uint64_t seed);

/* Does a job that asks for this have one GPU of one node? No others share. */
bool lw_sharing_wants_one(const struct lw_request *request);
/* The kind of that number, or NULL. */
const struct lw_sharing_kind *lw_sharing_find(const struct lw_sharing_table *table,
					      uint32_t number);

/* The rates of A beside B, in thousandths of those alone: of the table, else as expected. */
void lw_sharing_rates(const struct lw_sharing *sharing, const struct lw_sharing_kind *a,
		      const struct lw_sharing_kind *b, uint32_t *ret_a, uint32_t *ret_b);
/* Do A and B find memory? */
bool lw_sharing_has_memory(const struct lw_sharing *sharing, const struct lw_sharing_kind *a,
			   const struct lw_sharing_kind *b);

/*
 * May NEWCOMER join ELDER? SEEN is how pairs have fared so far. *RET_COST sorts the tenants that
 * it may join: the lowest first.
 */
bool lw_sharing_may_join(const struct lw_sharing *sharing, const struct lw_share_pairs *seen,
			 const struct lw_sharing_kind *elder,
			 const struct lw_sharing_kind *newcomer, uint32_t *ret_cost);

/* "rule", "learned" ...; the way of that name, or -EINVAL; all names, parted by blanks. */
int lw_sharing_way_parse(const char *name);
const char *lw_sharing_way_names(void);

#endif
