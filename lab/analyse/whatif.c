/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse --what-if: what Leeway's parts would bring on this very workload. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "lab/analyse/analyse.h"
#include "lab/cli_sim/sim_json.h"
#include "lab/workload/workload_sacct.h"

struct step {
	const char *run, *words;
};

/* Each adds one part to the one before. The first two differ on a pool, of which Slurm has none.
 */
static const struct step pool_steps[] = {
	{ "easy: sched.policy=easy", "fill gaps behind the first that waits" },
	{ "+ shortest: sched.policy=easy planner.backfill_order=shortest",
	  "fill them with the shortest limits first" },
};
static const struct step steps[] = {
	{ "stock: sched.policy=stock", "a model of Slurm's main loop and backfill" },
	{ "+ shortest: sched.policy=easy planner.backfill_order=shortest",
	  "keep only what the first wants, and fill gaps with the shortest limits first" },
	{ "+ predictor: sched.policy=easy planner.backfill_order=shortest sim.runtime=predicted",
	  "go by predicted run times, not by limits" },
	{ "+ order: sched.policy=leeway planner.hold=no sched.slack=0",
	  "the shortest first in the whole queue" },
	{ "+ slack: sched.policy=leeway planner.hold=no",
	  "let a promise slip by a tenth of the wait" },
	{ "leeway", "let shorter jobs pass a promised one, within its promise" },
};

#define STEPS (sizeof(steps) / sizeof(steps[0]))

_Static_assert(STEPS <= LW_SIM_RUNS_MAX, "too many steps");

static const struct step *step_of(bool pool, size_t i)
{
	return pool && i < sizeof(pool_steps) / sizeof(pool_steps[0]) ? &pool_steps[i]
								      : &steps[i];
}

static int parse_steps(const struct lw_ana_machine *machine, bool pool, struct lw_simspecs *specs,
		       struct lw_error *err)
{
	struct lw_simbase base = { .sets = machine->sets, .set_count = machine->set_count };
	int rc = 0;

	lw_simsettings_default(&base.settings);
	specs->count = 0;
	for (size_t i = 0; !rc && i < STEPS; i++)
		rc = lw_simspecs_add_run(specs, &base, step_of(pool, i)->run, err);
	return rc ? rc : lw_simsettings_check(specs->settings, specs->count, err);
}

int lw_ana_add_set(void *request, const char *name, const char *value, struct lw_error *err)
{
	struct lw_ana_machine *machine = request;

	return lw_simset_add(machine->sets, &machine->set_count, LW_ANA_SETS, name, value, err);
}

int lw_ana_add_conf(void *request, const char *name, const char *value, struct lw_error *err)
{
	struct lw_ana_machine *machine = request;

	return lw_simset_add_conf(machine->sets, &machine->set_count, LW_ANA_SETS, name, value,
				  err);
}

int lw_ana_what_if_check(const struct lw_ana_machine *machine, struct lw_error *err)
{
	static const char *const sections[] = { "sched.", "select.", "planner.", "sim." };
	struct lw_simspecs specs;

	for (uint32_t i = 0; i < machine->set_count; i++) {
		const char *key = machine->sets[i].key;
		bool found = false;

		for (size_t k = 0; k < sizeof(sections) / sizeof(sections[0]); k++)
			found |= !strncmp(key, sections[k], strlen(sections[k]));
		if (!found)
			return lw_error_set(err, -EINVAL,
					    "--set: of sched, select, planner and sim, not %s",
					    key);
	}
	return parse_steps(machine, false, &specs, err);
}

struct lw_simtrace_options lw_ana_trace_options(const struct lw_ana_machine *machine,
						bool lenient)
{
	return (struct lw_simtrace_options){
		.lenient = lenient,
		.allow_dropped = true,
		.jobs.machine = { .nodes = machine->nodes,
				  .cpus_per_node = machine->cpus_per_node,
				  .gpus_per_node = machine->gpus_per_node,
				  .mem_mib_per_node = LW_SIM_NOT_SAID },
	};
}

int lw_ana_trace_of_sacct(struct lw_simtrace *trace, const struct lw_ana_input *input,
			  const struct lw_simtrace_options *options, struct lw_error *err)
{
	struct lw_tracejobs_options wanted = options->jobs;
	struct lw_workload_sacct_notes notes;
	struct lw_workload workload;
	int rc;

	if (!wanted.machine.nodes || !wanted.machine.cpus_per_node)
		return lw_error_set(err, -EINVAL,
				    "--what-if: sacct knows no machine: give --nodes, "
				    "--cpus-per-node and, if it has GPUs, --gpus-per-node");
	if (lseek(input->fd, 0, SEEK_SET))
		return lw_error_set(err, -errno, "%s: %s", input->path, strerror(errno));
	rc = lw_workload_of_sacct_fd(input->path, input->fd,
				     options->lenient ? LW_SACCT_LENIENT : 0, &workload, &notes,
				     err);
	if (rc)
		return rc;
	if (notes.unlimited)
		fprintf(stderr, "%s: jobs without a limit, given a day or more: %" PRIu32 "\n",
			lw_tools_plain(input->path), notes.unlimited);
	memset(trace, 0, sizeof(*trace));
	trace->path = trace->name = input->label;
	rc = lw_simmachine_of_workload(&wanted.machine, &workload, input->path, err);
	trace->machine = wanted.machine;
	if (!rc && lw_tracejobs_of_workload(&trace->jobs, &workload, &wanted))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	if (!rc && !trace->jobs.count)
		rc = lw_error_set(err, -EINVAL,
				  "%s: no job of it fits the machine: give the cluster's --nodes, "
				  "--cpus-per-node and, if it has GPUs, --gpus-per-node",
				  input->path);
	lw_workload_fini(&workload);
	return rc;
}

int lw_ana_check_fits(const struct lw_simtrace *trace, struct lw_error *err)
{
	const struct lw_tracejobs *jobs = &trace->jobs;
	uint64_t all = (uint64_t)jobs->count + jobs->dropped_wide;

	if ((uint64_t)jobs->dropped_wide * 100 <= all)
		return 0;
	return lw_error_set(err, -EINVAL,
			    "%s: %" PRIu32 " of %" PRIu64
			    " jobs do not fit the machine: give the cluster's --nodes, "
			    "--cpus-per-node and, if it has GPUs, --gpus-per-node",
			    trace->path, jobs->dropped_wide, all);
}

/* Of a run only its figures are kept, by the jobs that count. */
static int count_sample(void *arg, struct lw_simrun *run, const int64_t *base_wait_s)
{
	const struct lw_ana_what_if *what_if = arg;
	const struct lw_simtrace *trace = &what_if->trace;
	int rc = lw_sample_figures(&what_if->sample, run->jobs, trace->jobs.count,
				   &trace->machine, base_wait_s, &run->mean);

	lw_simrun_fini(run);
	return rc;
}

int lw_ana_what_if(struct lw_ana_result *result, const struct lw_ana_options *options,
		   const struct lw_ana_machine *machine, struct lw_error *err)
{
	struct lw_simtrace_options wanted = lw_ana_trace_options(machine, options->lenient);
	struct lw_ana_what_if *what_if = calloc(1, sizeof(*what_if));
	struct lw_simrepeat once = { .seed = 1, .at_once = machine->at_once };
	struct lw_simspecs specs;
	int rc = what_if ? 0 : lw_error_set(err, -ENOMEM, "out of memory");

	wanted.jobs.group_as_user = result->input.accounts_as_users;
	wanted.jobs.first_job = options->first_job;
	wanted.jobs.last_job = options->last_job;
	if (!rc && result->input.form == ANA_SACCT)
		rc = lw_ana_trace_of_sacct(&what_if->trace, &result->input, &wanted, err);
	else if (!rc)
		rc = lw_simtrace_open(&what_if->trace, result->input.path, &wanted, err);
	if (rc) {
		free(what_if);
		return rc;
	}
	what_if->pool = !what_if->trace.machine.nodes;
	rc = parse_steps(machine, what_if->pool, &specs, err);
	if (rc) {
		lw_simtrace_close(&what_if->trace);
		free(what_if);
		return rc;
	}
	lw_sample_take(&what_if->trace.jobs, machine->sample ? machine->sample : UINT32_MAX,
		       &what_if->sample);
	once.ended = count_sample;
	once.arg = what_if;
	rc = lw_simcompare_do(&what_if->compare, &what_if->trace, &specs, &once, false, err);
	if (rc) {
		lw_simtrace_close(&what_if->trace);
		free(what_if);
		return rc;
	}
	result->what_if = what_if;
	return 0;
}

void lw_ana_what_if_fini(struct lw_ana_what_if *what_if)
{
	if (!what_if)
		return;
	lw_simcompare_fini(&what_if->compare);
	lw_simtrace_close(&what_if->trace);
	free(what_if);
}

/* ---- what came of it ---- */

static const enum lw_figure shown[] = { LW_FIGURE_WAIT,        LW_FIGURE_WAIT_P99,
					LW_FIGURE_WAIT_WIDE,   LW_FIGURE_BSLD,
					LW_FIGURE_UTILISATION, LW_FIGURE_LONGER,
					LW_FIGURE_LONGER_MAX };

#define SHOWN (sizeof(shown) / sizeof(shown[0]))

static double value_of(const struct lw_ana_what_if *what_if, uint32_t run, enum lw_figure figure)
{
	return what_if->compare.runs[run].mean.value[figure];
}

/* Wait by that of the first. */
static double by_first(const struct lw_ana_what_if *what_if, uint32_t run)
{
	return lw_share(value_of(what_if, run, LW_FIGURE_WAIT),
			value_of(what_if, 0, LW_FIGURE_WAIT));
}

/* The step that saves most of the mean wait; 0: none does. */
static uint32_t best_step(const struct lw_ana_what_if *what_if)
{
	double most = 0;
	uint32_t best = 0;

	for (uint32_t i = 1; i < what_if->compare.count; i++) {
		double saved = value_of(what_if, i - 1, LW_FIGURE_WAIT) -
			       value_of(what_if, i, LW_FIGURE_WAIT);

		if (saved > most) {
			most = saved;
			best = i;
		}
	}
	return best;
}

/* What all is compared with. */
static const char *base_name(const struct lw_ana_what_if *what_if)
{
	return what_if->pool ? "EASY" : "stock";
}

static const char *words_of(const struct lw_ana_what_if *what_if, uint32_t run)
{
	return step_of(what_if->pool, run)->words;
}

static void say_verdict(const struct lw_ana_what_if *what_if, char *text, size_t size)
{
	uint32_t last = what_if->compare.count - 1, best = best_step(what_if);

	if (value_of(what_if, 0, LW_FIGURE_WAIT) < 60) {
		snprintf(text, size,
			 "Under %s jobs wait less than a minute: there is nothing to gain.",
			 base_name(what_if));
		return;
	}
	snprintf(text, size, "Leeway's mean wait would be %s of %s's.",
		 lw_ana_percent(by_first(what_if, last)), base_name(what_if));
	if (value_of(what_if, last, LW_FIGURE_LONGER) > 0)
		snprintf(text + strlen(text), size - strlen(text),
			 " %s of the jobs would wait over an hour longer, the worst of them %s.",
			 lw_ana_percent(value_of(what_if, last, LW_FIGURE_LONGER)),
			 lw_ana_seconds(value_of(what_if, last, LW_FIGURE_LONGER_MAX)));
	else
		snprintf(text + strlen(text), size - strlen(text),
			 " No job would wait over an hour longer.");
	if (best)
		snprintf(text + strlen(text), size - strlen(text), " Most comes from: %s.",
			 words_of(what_if, best));
}

/* "" where all jobs were simulated. */
static const char *say_sample(const struct lw_ana_what_if *what_if, char *text, size_t size)
{
	const struct lw_sample *sample = &what_if->sample;

	text[0] = '\0';
	if (sample->weeks)
		snprintf(text, size,
			 "By %" PRIu32 " of %" PRIu32 " weeks, spread evenly: %" PRIu32
			 " of %" PRIu32 " jobs. Busy weeks may be missed: --sample 0 takes all.",
			 sample->weeks, sample->of_weeks, sample->counted, sample->of_jobs);
	return text;
}

static json_t *make_sample(const struct lw_sample *sample)
{
	if (!sample->weeks)
		return json_null();
	return json_pack("{s:I, s:I, s:I, s:I}", "weeks", (json_int_t)sample->weeks, "of_weeks",
			 (json_int_t)sample->of_weeks, "jobs", (json_int_t)sample->counted,
			 "of_jobs", (json_int_t)sample->of_jobs);
}

/* A line each. */
static void print_sentences(const char *text, FILE *out)
{
	const char *end;

	for (; (end = strstr(text, ". ")); text = end + 2)
		fprintf(out, "  %.*s\n", (int)(end + 1 - text), text);
	fprintf(out, "  %s\n", text);
}

void lw_ana_what_if_print(const struct lw_ana_what_if *what_if, FILE *out)
{
	char text[400];

	if (*say_sample(what_if, text, sizeof(text)))
		fprintf(out, "  %s\n", text);
	fprintf(out, "  %-13s", "");
	fprintf(out, " %9s %8s %9s %9s %9s %8s\n", "mean wait",
		what_if->pool ? "of easy" : "of stock", "p99", "widest", "slowdown", "use");
	for (uint32_t i = 0; i < what_if->compare.count; i++) {
		fprintf(out, "  %-13s", what_if->compare.runs[i].spec.label);
		fprintf(out, " %9s %8s %9s %9s %9.1f %8s\n",
			lw_ana_seconds(value_of(what_if, i, LW_FIGURE_WAIT)),
			lw_ana_percent(by_first(what_if, i)),
			lw_ana_seconds(value_of(what_if, i, LW_FIGURE_WAIT_P99)),
			lw_ana_seconds(value_of(what_if, i, LW_FIGURE_WAIT_WIDE)),
			value_of(what_if, i, LW_FIGURE_BSLD),
			lw_ana_percent(value_of(what_if, i, LW_FIGURE_UTILISATION)));
	}
	say_verdict(what_if, text, sizeof(text));
	print_sentences(text, out);
	for (uint32_t i = 0; i < what_if->compare.count; i++)
		fprintf(out, "  %-13s %s\n", what_if->compare.runs[i].spec.label,
			words_of(what_if, i));
}

json_t *lw_ana_what_if_json(const struct lw_ana_what_if *what_if)
{
	json_t *o = lw_simcompare_json(&what_if->compare);
	char text[400];

	say_verdict(what_if, text, sizeof(text));
	json_object_set_new(o, "answer", lw_output_string(text));
	json_object_set_new(o, "sample", make_sample(&what_if->sample));
	return o;
}

static void add_figure(const struct lw_ana_what_if *what_if, uint32_t run, enum lw_figure figure,
		       struct lw_strbuf *sb)
{
	char text[LW_FIGURE_TEXT];

	lw_figure_format(figure, value_of(what_if, run, figure), text);
	lw_strbuf_add(sb, "<td>");
	if (lw_figure_kind(figure) == LW_FIGURE_SECONDS)
		lw_chart_add_text(sb, lw_ana_seconds(value_of(what_if, run, figure)));
	else
		lw_chart_add_text(sb, text);
	lw_strbuf_add(sb, "</td>");
}

void lw_ana_what_if_table(const struct lw_ana_what_if *what_if, struct lw_strbuf *sb)
{
	char text[400];

	say_verdict(what_if, text, sizeof(text));
	lw_strbuf_add(sb,
		      "<p>Each line adds one part of Leeway to the one above, by simulation of "
		      "these jobs. <b>");
	lw_chart_add_text(sb, text);
	lw_strbuf_add(sb, "</b>");
	if (*say_sample(what_if, text, sizeof(text)))
		lw_strbuf_add(sb, " %s", text);
	lw_strbuf_add(sb, "</p>\n");
	lw_page_table(sb);
	lw_strbuf_add(sb, "<thead><tr><th></th><th>of %s's wait</th>", base_name(what_if));
	for (size_t f = 0; f < SHOWN; f++)
		lw_strbuf_add(sb, "<th>%s</th>", lw_figure_title(shown[f]));
	lw_strbuf_add(sb, "</tr></thead>\n");
	for (uint32_t i = 0; i < what_if->compare.count; i++) {
		lw_strbuf_add(sb, "<tr><td>");
		lw_chart_add_text(sb, what_if->compare.runs[i].spec.label);
		lw_strbuf_add(sb, "</td><td>%s</td>", lw_ana_percent(by_first(what_if, i)));
		for (size_t f = 0; f < SHOWN; f++)
			add_figure(what_if, i, shown[f], sb);
		lw_strbuf_add(sb, "</tr>\n");
	}
	lw_page_table_end(sb);
	for (uint32_t i = 0; i < what_if->compare.count; i++) {
		lw_strbuf_add(sb, "%s", i ? "<br>\n" : "<p>");
		lw_chart_add_text(sb, what_if->compare.runs[i].spec.label);
		lw_strbuf_add(sb, ": %s", words_of(what_if, i));
	}
	lw_strbuf_add(sb, "</p>\n");
}
