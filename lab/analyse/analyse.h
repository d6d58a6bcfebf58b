/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the parts of leeway analyse. */
#ifndef LW_LAB_ANALYSE_ANALYSE_H
#define LW_LAB_ANALYSE_ANALYSE_H

#include "base/strbuf.h"
#include "cli/chart/chart.h"
#include "lab/analyse/input.h"
#include "lab/cli_sim/sim.h"
#include "lab/questions/analysis.h"
#include "lab/questions/questions.h"
#include "lab/sim/sample.h"

#include <jansson.h>
#include <stdio.h>

/* One input with all that was found in it. */
struct lw_ana_result {
	struct lw_ana_input input;
	struct lw_analysis analysis;
	struct lw_question questions[LW_QUESTIONS];
	struct lw_ana_what_if *what_if; /* NULL: not asked for */
};

/* ---- what would help: whatif.c ---- */

#define LW_ANA_SETS 20

/*
 * The machine, as leeway sim takes it; LW_SIM_NOT_SAID and 0: not said. Of a workload of more
 * than SAMPLE jobs some weeks stand for all; 0: never.
 */
struct lw_ana_machine {
	uint32_t nodes, cpus_per_node, gpus_per_node;
	uint32_t sample;
	uint32_t at_once; /* simulations */
	struct lw_simset sets[LW_ANA_SETS]; /* settings of all steps, that do not set them */
	uint32_t set_count;
};

struct lw_ana_what_if {
	struct lw_simtrace trace;
	struct lw_simcompare compare;
	struct lw_sample sample;
	bool pool; /* the machine has no nodes, and the first run is EASY in place of stock */
};

/*
 * Take an option --set NAME=VALUE, or --conf VALUE, as cli/common/options.h calls it: REQUEST
 * begins with a struct lw_ana_machine. -EINVAL with ERR.
 */
int lw_ana_add_set(void *request, const char *name, const char *value, struct lw_error *err);
int lw_ana_add_conf(void *request, const char *name, const char *value, struct lw_error *err);
/* How the trace of a log is read that is simulated on MACHINE. */
struct lw_simtrace_options lw_ana_trace_options(const struct lw_ana_machine *machine,
						bool lenient);
/* -EINVAL with ERR: more than a hundredth of the jobs of TRACE are wider than the machine. */
int lw_ana_check_fits(const struct lw_simtrace *trace, struct lw_error *err);
/* The jobs of INPUT, which sacct printed. -EINVAL with ERR: none fits; -ENOMEM, -errno. */
int lw_ana_trace_of_sacct(struct lw_simtrace *trace, const struct lw_ana_input *input,
			  const struct lw_simtrace_options *options, struct lw_error *err);
/* -EINVAL with ERR: its settings are none, or do nothing in all steps. */
int lw_ana_what_if_check(const struct lw_ana_machine *machine, struct lw_error *err);
/* Simulate RESULT's jobs under ever more of Leeway. -EINVAL, -EDOM with ERR; -ENOMEM. */
int lw_ana_what_if(struct lw_ana_result *result, const struct lw_ana_options *options,
		   const struct lw_ana_machine *machine, struct lw_error *err);
void lw_ana_what_if_fini(struct lw_ana_what_if *what_if);
void lw_ana_what_if_print(const struct lw_ana_what_if *what_if, FILE *out);
json_t *lw_ana_what_if_json(const struct lw_ana_what_if *what_if);
void lw_ana_what_if_table(const struct lw_ana_what_if *what_if, struct lw_strbuf *sb);

/* ---- words: words.c ---- */

#define ANA_WORD 32

/* Valid until the next call but fifteen. "-" for NAN. */
const char *lw_ana_percent(double share);
const char *lw_ana_seconds(double seconds);
/* "1 job", "2 jobs". */
const char *lw_ana_count(double count, const char *what);
const char *lw_ana_number(double value);
/* "0.67" */
const char *lw_ana_ratio(double value);
/* What of: "of a user". */
const char *lw_ana_steps_word(enum lw_steps_of kind);
/* Unit-seconds as unit-hours, "12.3k". */
const char *lw_ana_hours(double area_s);
/* PART of WHOLE as a share. */
const char *lw_ana_of(double part, double whole);

/* ---- one input ---- */

void lw_ana_print(const struct lw_ana_result *result, FILE *out);
json_t *lw_ana_json(const struct lw_ana_result *result);
void lw_ana_page(const struct lw_ana_result *result, struct lw_strbuf *sb);

/* A part of the page: its charts, and what stands above them. */
#define ANA_SECTIONS 5

enum lw_ana_section { ANA_GEOMETRY, ANA_USE, ANA_OUTCOMES, ANA_USERS, ANA_TIME };

/* For the caller to finish. */
void lw_ana_charts(const struct lw_ana_result *result, enum lw_ana_section section,
		   struct lw_charts *charts);

/* ---- parts of the charts ---- */

/* Add a bar in each of N groups, or N points; NULL: out of memory, which the chart says. */
struct lw_chart_series *lw_ana_series(struct lw_chart *chart, struct lw_looks *looks,
				      const char *name, uint32_t n);
/* The next chart of CHARTS, with a share in per cent of WHAT as y. */
struct lw_chart *lw_ana_chart(struct lw_charts *charts, const char *key, const char *title);
void lw_ana_axis_x(struct lw_chart *chart, const char *label, const char *key);
void lw_ana_axis_y(struct lw_chart *chart, const char *label, const char *key);
void lw_ana_charts_geometry(const struct lw_ana_result *result, struct lw_charts *charts);
void lw_ana_charts_use(const struct lw_ana_result *result, struct lw_charts *charts);
void lw_ana_charts_outcomes(const struct lw_ana_result *result, struct lw_charts *charts);
void lw_ana_charts_users(const struct lw_ana_result *result, struct lw_charts *charts);
void lw_ana_charts_time(const struct lw_ana_result *result, struct lw_charts *charts);

/* ---- several side by side: compare.c ---- */

#define ANA_INPUTS_MAX 12

void lw_ana_compare_print(const struct lw_ana_result *results, uint32_t count, FILE *out);
json_t *lw_ana_compare_json(const struct lw_ana_result *results, uint32_t count);
void lw_ana_compare_page(const struct lw_ana_result *results, uint32_t count,
			 struct lw_strbuf *sb);
void lw_ana_compare_charts(const struct lw_ana_result *results, uint32_t count,
			   struct lw_charts *charts);

#endif
