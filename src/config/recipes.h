/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how fast kinds of jobs run by GPU type, and what they use (lw-recipes(5)). */
#ifndef LW_CONFIG_RECIPES_H
#define LW_CONFIG_RECIPES_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

#define LW_RECIPE_NAME_MAX   48
#define LW_RECIPE_TYPES_MAX  16 /* as many as a cluster may have */
#define LW_RECIPE_STEPS_MAX  16
#define LW_RECIPES_MAX       4096
#define LW_RECIPES_BYTES_MAX (4u << 20)
#define LW_RECIPE_NO_TYPE    (-1)

/* How far apart the GPUs of a job are. */
enum lw_recipe_spread {
	LW_RECIPE_NODE,   /* all on one node */
	LW_RECIPE_DOMAIN, /* on several nodes of one domain of the network */
	LW_RECIPE_ACROSS, /* in several domains */
	LW_RECIPE_SPREADS,
};

/* For one GPU of a type. 0: not given. */
struct lw_recipe_type {
	char name[LW_RECIPE_NAME_MAX];
	double memory_mib;
	double idle_w, busy_w;
	double price_hour;
};

/*
 * One kind of job. Speeds are ratios to each other, in any unit, such as steps a second. 0: not
 * given.
 */
struct lw_recipe {
	char name[LW_RECIPE_NAME_MAX];
	unsigned line; /* of the file, where it begins */
	double rate[LW_RECIPE_TYPES_MAX];    /* by type, of one GPU; 0: it does not run there */
	double power_w[LW_RECIPE_TYPES_MAX]; /* by type, of one GPU that runs it */
	uint32_t gpus[LW_RECIPE_STEPS_MAX];  /* rising: with this many GPUs on one node ... */
	double speedup[LW_RECIPE_STEPS_MAX]; /* ... it is this many times as fast as with one */
	uint32_t step_count;
	double spread[LW_RECIPE_SPREADS]; /* the part of that speed that is left, 0 .. 1; 1:
					   * all */
	double utilisation;               /* percent of the time, by the driver's count */
	double sm_activity;               /* percent of the processors */
	double memory_mib;                /* of one GPU */
	double memory_bandwidth;          /* percent */
};

/* In the order of the file. */
struct lw_recipes {
	struct lw_recipe_type types[LW_RECIPE_TYPES_MAX];
	uint32_t type_count;
	int reference; /* the type that run times of workloads are for */
	struct lw_recipe *recipes;
	uint32_t count, room;
};

/*
 * Read PATH. Unknown keys, types that are not listed and numbers out of range are mistakes,
 * reported with file, line and key. 0; -EINVAL, -EFBIG, -ENOMEM, or -errno of the file, with
 * ERR.
 */
int lw_recipes_read(const char *path, struct lw_recipes *ret_recipes, struct lw_error *err);
/* The same for SIZE bytes of TEXT; NAME stands for the file in messages. */
int lw_recipes_parse(const char *name, const char *text, size_t size,
		     struct lw_recipes *ret_recipes, struct lw_error *err);
/* Free all they hold; safe on zeroed ones. */
void lw_recipes_fini(struct lw_recipes *recipes);

/* The recipe of that name, or NULL. */
const struct lw_recipe *lw_recipes_find(const struct lw_recipes *recipes, const char *name);
/* The number of the type NAME, in any case, or LW_RECIPE_NO_TYPE. */
int lw_recipes_type(const struct lw_recipes *recipes, const char *name);

/*
 * By which factor RECIPE is faster with GPUS of a node than with one: linear between the given
 * steps.
 */
double lw_recipe_speedup(const struct lw_recipe *recipe, uint32_t gpus);
/* Its speed on GPUS of TYPE with that spread; 0: it does not run there. */
double lw_recipe_rate(const struct lw_recipe *recipe, int type, uint32_t gpus,
		      enum lw_recipe_spread spread);

/*
 * By which factor it takes longer on TYPE, with that spread, than on the reference type with the
 * same number of GPUs as near as possible. 0: it does not run there: the type is not known, no
 * speed is given, or it has too little memory.
 */
double lw_recipe_slowdown(const struct lw_recipes *recipes, const struct lw_recipe *recipe,
			  int type, enum lw_recipe_spread spread);

/* Watts of one GPU of TYPE that runs it: as given, or from its utilisation; 0: not known. */
double lw_recipe_power_w(const struct lw_recipes *recipes, const struct lw_recipe *recipe,
			 int type);

#endif
