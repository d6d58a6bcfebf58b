/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the users of a made workload and the time limits they ask for. */
#ifndef LW_LAB_SIM_USERLIMIT_H
#define LW_LAB_SIM_USERLIMIT_H

#include "measure/rng.h"

#include <stdint.h>

#define LW_USERLIMIT_FAVOURITES 3

/*
 * Limits are few and round: about 20 values serve 90 % of the jobs, the largest one
 * allowed is always popular, and a limit says little of the run time (Tsafrir, Etsion,
 * Feitelson, Modeling user runtime estimates, JSSPP 2005). A limit is never a multiple
 * of the run time: Tsafrir, Using inaccurate estimates accurately, JSSPP 2010, shows
 * that this would tell the scheduler too much.
 */
struct lw_userlimit_value {
	int64_t limit_s;
	double weight;
};

struct lw_userlimit_menu {
	const struct lw_userlimit_value *values; /* rising */
	uint32_t count;
	int64_t max_s; /* larger ones become this */
};

/* 20 most used limits and the largest one of KTH-SP2-1996 (75 % of its jobs), for HPC
 * jobs. */
extern const struct lw_userlimit_menu lw_userlimit_hpc;
/* 20 most used limits of TACC-LS6-A100-2022 (93 % of its jobs), for DL jobs. */
extern const struct lw_userlimit_menu lw_userlimit_dl;

struct lw_userlimit_user {
	double weight; /* share of the submissions, any scale */
	uint32_t favourites[LW_USERLIMIT_FAVOURITES];
};

/* Draw a user: how busy, and the limits it is used to. */
void lw_userlimit_draw_user(struct lw_rng *rng, const struct lw_userlimit_menu *menu,
			    struct lw_userlimit_user *ret_user);

/*
 * Draw a limit of USER for a job that the user thinks needs at least NEED_S; the largest one if
 * no smaller one is found.
 */
int64_t lw_userlimit_draw(struct lw_rng *rng, const struct lw_userlimit_menu *menu,
			  const struct lw_userlimit_user *user, int64_t need_s);

/* All users of a workload. */
struct lw_userlimit_users {
	struct lw_userlimit_menu menu; /* what they choose from */
	struct lw_userlimit_user *users;
	double *weights; /* theirs */
	uint32_t count;
};

/* Draw COUNT users that choose from MENU, with nothing above MAX_S. -ENOMEM. */
int lw_userlimit_users_init(struct lw_userlimit_users *users, uint32_t count,
			    const struct lw_userlimit_menu *menu, int64_t max_s,
			    struct lw_rng *rng);
void lw_userlimit_users_fini(struct lw_userlimit_users *users);
/* The next user to submit: busier users are likelier. */
uint32_t lw_userlimit_users_pick(const struct lw_userlimit_users *users, struct lw_rng *rng);

/* The largest limit of MENU below RUN_S, for a job that is to hit it; 0: there is none.
 */
int64_t lw_userlimit_below(const struct lw_userlimit_menu *menu, int64_t run_s);

#endif
