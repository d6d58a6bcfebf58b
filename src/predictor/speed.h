/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how much longer users' jobs run on one type of GPU than on another. */
#ifndef LW_PREDICTOR_SPEED_H
#define LW_PREDICTOR_SPEED_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The logarithm of a run time is modelled as the sum of a term for the kind of job, a term for
 * the type of GPU, and noise. There is one entry for each kind of job: user, tag, name and
 * number of GPUs. It has for each type the mean logarithm of the runs, and how far single runs
 * lie from it; about the last 32 runs count. Only what one kind of job did on several types
 * tells about these: that a user's long jobs run on the fast type does not make it a slow one.
 *
 * The answer for a kind comes from these levels, the special first: its entry, the user's jobs
 * of that name, of that tag, all jobs of the user, all jobs, and the published speeds of the
 * types. Each level is shrunk towards the next more general one, the more the fewer its runs and
 * the more these differ (ridge regression over kinds and types, with the ridge from the noise).
 *
 * Memory: at most LW_SPEEDS_MAX entries of 176 bytes, an eighth of them for one user. A further
 * entry replaces the one of the same user, or of all, that has not learned for longest
 * (base/quota.h). Of at most LW_SPEED_TYPES_MAX types. Adding is O(entries); asking O(entries of
 * the user x types of an entry squared), once a type of question: see lw_speeds_site().
 *
 * Pure; the same jobs in the same order make the same table.
 */

#define LW_SPEEDS_MAX      2048
#define LW_SPEED_TYPES_MAX 16
#define LW_SPEED_TYPE_NAME 32    /* room for a name */
#define LW_SPEED_RUNS_MAX  32    /* beyond, older runs fade */
#define LW_SPEED_ONE       65536 /* logarithms are in 1/65536 */
#define LW_SPEED_MEAN_MAX  (24 * LW_SPEED_ONE)
/* A shorter run has failed, and says nothing of speed. */
#define LW_SPEED_RUN_MIN_S 30
#define LW_SPEED_NO_NAME   0
/* So many runs at a number of GPUs tell how fast it is. */
#define LW_SPEED_SIZE_RUNS 3

struct lw_speed_key {
	uint32_t user;
	uint32_t tag;  /* as in struct lw_habit_key */
	uint32_t name; /* of the job: lw_history_name_id(), or LW_SPEED_NO_NAME */
	uint32_t gpus;
};

struct lw_speed {
	struct lw_speed_key key;
	uint64_t stamp;                   /* of the caller: when it last learned */
	uint32_t spread_runs;             /* runs in the mean of the spread; at most 32 */
	uint32_t spread;                  /* mean square distance from the mean; x 65536 */
	uint8_t runs[LW_SPEED_TYPES_MAX]; /* at most LW_SPEED_RUNS_MAX */
	int32_t mean[LW_SPEED_TYPES_MAX]; /* logarithm of seconds; x 65536 */
};

struct lw_speeds {
	char types[LW_SPEED_TYPES_MAX][LW_SPEED_TYPE_NAME];
	uint32_t type_count;
	struct lw_speed *entries; /* sorted by key */
	uint32_t count, room;
};

/* A zeroed table is empty. */
void lw_speeds_fini(struct lw_speeds *speeds);

/* Can NAME be a type: without blanks, and short enough? */
bool lw_speed_is_type(const char *name);
/* The number of the type NAME, in any case, or -1. */
int lw_speeds_type(const struct lw_speeds *speeds, const char *name);

/*
 * Learn that a job of KEY ran RUN_S seconds on GPUs of the type NAME. Runs that are too short,
 * and types beyond LW_SPEED_TYPES_MAX, are skipped. -ENOMEM leaves the table unchanged.
 */
int lw_speeds_add(struct lw_speeds *speeds, const struct lw_speed_key *key, const char *name,
		  int64_t run_s, uint64_t stamp);

/*
 * Append a type, or a whole entry, as read from a file. -EINVAL if it is there already, out of
 * order or invalid; -ENOSPC, -ENOMEM.
 */
int lw_speeds_append_type(struct lw_speeds *speeds, const char *name);
int lw_speeds_append(struct lw_speeds *speeds, const struct lw_speed *speed);

/* The order of entries. */
bool lw_speed_key_before(const struct lw_speed_key *a, const struct lw_speed_key *b);

/* What was learned of KEY itself, or NULL. Valid until the next change. */
const struct lw_speed *lw_speeds_find(const struct lw_speeds *speeds,
				      const struct lw_speed_key *key);

/* The types to ask about, and how fast each is known to be. */
struct lw_speed_types {
	uint32_t count;
	const char *name[LW_SPEED_TYPES_MAX];
	double speed[LW_SPEED_TYPES_MAX]; /* published, in any unit; 0: not known */
};

/* What is known of the types asked about, as relative run times. */
struct lw_speed_answer {
	/*
	 * By which factor a job runs longer on each type than the mean over the types that jobs
	 * like it ran on, or over all types if none did. Above 0.
	 */
	double time[LW_SPEED_TYPES_MAX];
	uint32_t runs[LW_SPEED_TYPES_MAX]; /* recent runs of the kind itself */
	/* mean run time of the kind itself over the types that it ran on; 0: not known */
	double run_s;
	uint32_t level_runs;               /* of the most special level with runs */
};

/* What all jobs taught of these types: computed once for any number of questions. */
struct lw_speed_site {
	struct lw_speed_types types;
	int number[LW_SPEED_TYPES_MAX];  /* in the table; -1: nothing ran there */
	double time[LW_SPEED_TYPES_MAX]; /* logarithms */
	uint32_t entries;
};
void lw_speeds_site(const struct lw_speeds *speeds, const struct lw_speed_types *types,
		    struct lw_speed_site *ret_site);
/* What is known of a job of KEY. SITE must be from the same, unchanged table. */
void lw_speeds_ask(const struct lw_speeds *speeds, const struct lw_speed_site *site,
		   const struct lw_speed_key *key, struct lw_speed_answer *ret_answer);

/*
 * What the GPUs of a job of KEY share of its run, in thousandths, so that its time on FEW GPUs is
 * met as well as that on all of KEY (planner/place/size.h). It is fitted (predictor/scaling.h) to
 * the user's runs of that tag and name on the type with most of them. 0: fewer than two numbers of
 * GPUs have LW_SPEED_SIZE_RUNS runs there, or FEW is not below those of KEY.
 */
uint32_t lw_speeds_shared(const struct lw_speeds *speeds, const struct lw_speed_key *key,
			  uint32_t few);

#endif
