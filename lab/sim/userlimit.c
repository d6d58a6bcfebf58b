/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the users of a made workload and the time limits they ask for. */
#include "lab/sim/userlimit.h"

#include <errno.h>
#include <stdlib.h>

#include "measure/detmath.h"

/* an endless search ends here and takes the largest limit */
#define TRIES 8

#define COUNT(a) (uint32_t)(sizeof(a) / sizeof((a)[0]))

/* Measured: share of the jobs of KTH-SP2-1996 that asked for each; the last is the
 * largest. */
static const struct lw_userlimit_value hpc_values[] = {
	{ 60, .054 },     { 120, .033 },   { 180, .017 },   { 300, .093 },
	{ 600, .078 },    { 900, .043 },   { 1200, .025 },  { 1800, .045 },
	{ 3600, .047 },   { 6000, .011 },  { 7200, .037 },  { 9000, .011 },
	{ 10800, .020 },  { 12000, .041 }, { 13800, .026 }, { 14400, .101 },
	{ 36000, .021 },  { 48000, .014 }, { 52800, .018 }, { 53400, .014 },
	{ 216000, .001 },
};

/* Measured: share of the jobs of TACC-LS6-A100-2022 that asked for each. */
static const struct lw_userlimit_value dl_values[] = {
	{ 180, .007 },   { 300, .015 },   { 600, .015 },    { 1800, .080 },
	{ 3600, .078 },  { 5400, .023 },  { 7200, .095 },   { 10800, .021 },
	{ 14400, .022 }, { 15600, .009 }, { 18000, .028 },  { 21600, .009 },
	{ 27000, .014 }, { 28800, .016 }, { 36000, .030 },  { 43200, .042 },
	{ 72000, .026 }, { 86400, .088 }, { 129600, .014 }, { 172800, .298 },
};

const struct lw_userlimit_menu lw_userlimit_hpc = { hpc_values, COUNT(hpc_values),
						    216000 };
const struct lw_userlimit_menu lw_userlimit_dl = { dl_values, COUNT(dl_values), 172800 };

/*
 * The jobs of a user: the first favourite serves 58 %, the first three 85 % (measured:
 * TACC-LS6-A100-2022; Mira 60 and 86 %, Wagap 62 and 92 %), the rest any value.
 */
static const double favourite_weights[LW_USERLIMIT_FAVOURITES + 1] = { .58, .17, .10,
								       .15 };

/*
 * Users' job counts are log-normal with a deviation of 1.41: then the busiest 10 % of
 * the users send 55 % of the jobs and the busier half 92 % (measured: 54 to 65 % and 94
 * to 97 % in five traces).
 */
#define USER_SIGMA 1.41

static uint32_t draw_value(struct lw_rng *rng, const struct lw_userlimit_menu *menu)
{
	double weights[32];

	for (uint32_t i = 0; i < menu->count; i++)
		weights[i] = menu->values[i].weight;
	return lw_rng_pick(rng, weights, menu->count);
}

void lw_userlimit_draw_user(struct lw_rng *rng, const struct lw_userlimit_menu *menu,
			    struct lw_userlimit_user *ret_user)
{
	ret_user->weight = lw_math_exp(USER_SIGMA * lw_rng_normal(rng));
	for (int i = 0; i < LW_USERLIMIT_FAVOURITES; i++)
		ret_user->favourites[i] = draw_value(rng, menu);
}

static int64_t value_of(const struct lw_userlimit_menu *menu, uint32_t index)
{
	int64_t limit = menu->values[index].limit_s;

	return limit < menu->max_s ? limit : menu->max_s;
}

int64_t lw_userlimit_draw(struct lw_rng *rng, const struct lw_userlimit_menu *menu,
			  const struct lw_userlimit_user *user, int64_t need_s)
{
	for (int i = 0; i < TRIES; i++) {
		uint32_t which =
			lw_rng_pick(rng, favourite_weights, LW_USERLIMIT_FAVOURITES + 1);
		uint32_t index = which < LW_USERLIMIT_FAVOURITES ? user->favourites[which]
								 : draw_value(rng, menu);

		if (value_of(menu, index) >= need_s)
			return value_of(menu, index);
	}
	return menu->max_s;
}

int64_t lw_userlimit_below(const struct lw_userlimit_menu *menu, int64_t run_s)
{
	int64_t below = 0;

	for (uint32_t i = 0; i < menu->count; i++)
		if (value_of(menu, i) < run_s)
			below = value_of(menu, i);
	return below;
}

int lw_userlimit_users_init(struct lw_userlimit_users *users, uint32_t count,
			    const struct lw_userlimit_menu *menu, int64_t max_s,
			    struct lw_rng *rng)
{
	*users = (struct lw_userlimit_users){ .menu = *menu,
					      .users = calloc(count, sizeof(*users->users)),
					      .weights = calloc(count, sizeof(*users->weights)),
					      .count = count };
	if (!users->users || !users->weights) {
		lw_userlimit_users_fini(users);
		return -ENOMEM;
	}
	if (max_s < users->menu.max_s)
		users->menu.max_s = max_s;
	for (uint32_t i = 0; i < count; i++) {
		lw_userlimit_draw_user(rng, &users->menu, &users->users[i]);
		users->weights[i] = users->users[i].weight;
	}
	return 0;
}

void lw_userlimit_users_fini(struct lw_userlimit_users *users)
{
	free(users->users);
	free(users->weights);
	*users = (struct lw_userlimit_users){ .count = 0 };
}

uint32_t lw_userlimit_users_pick(const struct lw_userlimit_users *users, struct lw_rng *rng)
{
	return lw_rng_pick(rng, users->weights, users->count);
}
