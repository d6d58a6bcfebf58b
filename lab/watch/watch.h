/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway watch report: what waits were, and what they would have been under Leeway. */
#ifndef LW_LAB_WATCH_WATCH_H
#define LW_LAB_WATCH_WATCH_H

#include "lab/analyse/analyse.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- what was: of the log ---- */

/* Of the jobs that ran, and of which it is known how long they waited. NAN: there is none. */
struct lw_watch_was {
	uint32_t jobs, unknown; /* unknown: it is not known of so many more */
	double wait_s, p99_s;   /* their mean, and the 99th percentile */
};

/* -ENOMEM. */
int lw_watch_was_of(const struct lw_joblog *log, struct lw_watch_was *ret_was);

/* ---- what would have been: by simulation of the same jobs ---- */

#define LW_WATCH_SHAKES 5
/* A submission moves by up to so much, either way. */
#define LW_WATCH_SHAKE_S 600

struct lw_watch_users {
	uint32_t count;  /* that have jobs which start under both */
	uint32_t longer; /* with a mean wait that is longer by more than a minute */
	double worst_s;  /* the most by which one is longer */
};

/*
 * The simulator is calibrated by what is known: a forecast is what was, times the simulated waits
 * under Leeway by those under stock. LEAST and MOST are two standard deviations of one shake
 * away. NAN: stock's simulated mean wait is not between half and twice what was.
 */
struct lw_watch_forecast {
	double stock_s, leeway_s; /* simulated mean waits; stock's by its model */
	double wait_s, least_s, most_s;
	double stock_p99_s, p99_s;    /* simulated under stock; the forecast */
	double longer, longer_max_s; /* of the first shake: jobs over an hour longer, the worst */
	double promised, kept, broken;
	struct lw_watch_users users;
	uint32_t jobs; /* simulated */
};

struct lw_watch_how {
	const char *config; /* the leeway.yaml to forecast; NULL: one that sets nothing */
	bool lenient;
};

/*
 * -EINVAL, -EDOM with ERR: INPUT, which sacct printed, or MACHINE says too little, or the jobs do
 * not fit MACHINE; -ENOMEM.
 */
int lw_watch_forecast_of(const struct lw_ana_input *input, const struct lw_ana_machine *machine,
			 const struct lw_watch_how *how, const struct lw_watch_was *was,
			 struct lw_watch_forecast *ret_forecast, struct lw_error *err);

/* ---- what it costs: of the file that sched.metrics names ---- */

/* Since slurmctld started; NAN: the file does not say. */
struct lw_watch_cost {
	double cycles, read_s, think_s, apply_s;
	double lock_read_s, lock_apply_s;
	double sooner, alike, sooner_s;
	double given_up, handovers;
};

/* -errno with ERR; -EINVAL: there is nothing of Leeway's in it. */
int lw_watch_cost_read(const char *path, struct lw_watch_cost *ret_cost, struct lw_error *err);

/* ---- the page ---- */

struct lw_watch_report {
	struct lw_watch_was was;
	struct lw_watch_forecast forecast;
	struct lw_watch_cost cost;
	bool has_cost;
};

void lw_watch_print(const struct lw_watch_report *report, FILE *out);
json_t *lw_watch_json(const struct lw_watch_report *report);

#endif
