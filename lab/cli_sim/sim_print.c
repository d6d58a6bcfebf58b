/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: one run as text, as JSON, and job by job. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "lab/cli_sim/sim_json.h"

static void print_machine(const struct lw_simtrace *trace, FILE *out)
{
	struct lw_strbuf words = LW_STRBUF_INIT;

	lw_machine_describe(&trace->machine, &words);
	fprintf(out, "%s\n", lw_strbuf_text(&words));
	lw_strbuf_fini(&words);
}

void lw_simrun_print(const struct lw_simrun *run, const struct lw_simtrace *trace, FILE *out)
{
	char value[LW_FIGURE_TEXT], sd[LW_FIGURE_TEXT];

	fprintf(out, "%s, %s, ", lw_tools_plain(trace->name), lw_tools_plain(run->spec.label));
	print_machine(trace, out);
	if (run->mean.value[LW_FIGURE_NEVER] > 0)
		fprintf(out, "means are over the %.0f of %.0f jobs that started\n",
			run->mean.value[LW_FIGURE_JOBS],
			run->mean.value[LW_FIGURE_JOBS] + run->mean.value[LW_FIGURE_NEVER]);
	if (run->repeat.shakes)
		fprintf(out, "mean and standard deviation of %" PRIu32 " shakes\n",
			run->repeat.shakes);
	for (int i = 0; i < LW_FIGURES; i++) {
		if (isnan(run->mean.value[i]))
			continue;
		lw_figure_format(i, run->mean.value[i], value);
		fprintf(out, "  %-39s %12s", lw_figure_title(i), value);
		if (run->repeat.shakes > 1) {
			lw_figure_format(i, run->sd.value[i], sd);
			fprintf(out, "  ± %s", sd);
		}
		fputc('\n', out);
	}
}

static json_t *make_figures(const struct lw_figures *figures)
{
	json_t *o = json_object();

	for (int i = 0; i < LW_FIGURES; i++) {
		double value = figures->value[i];
		/* one that is not known is no number: it must not be made a whole one */
		bool whole = lw_figure_kind(i) == LW_FIGURE_COUNT && fabs(value) < 1e15 &&
			     value == (double)(int64_t)value;

		/* as if there were none, where no job can be stopped */
		if (isnan(value) && i >= LW_FIGURE_AGREE && i <= LW_FIGURE_STOP_LATE)
			continue;
		json_object_set_new(o, lw_figure_key(i),
				    whole ? json_integer((json_int_t)value)
					  : lw_output_real(value));
	}
	return o;
}

static json_t *make_nodes(const struct lw_nodes *nodes)
{
	return json_pack("{s:I, s:I, s:I, s:I}", "nodes", (json_int_t)nodes->count, "gpus_per_node",
			 (json_int_t)nodes->gpus, "cpus_per_node", (json_int_t)nodes->cpus,
			 "mem_mib_per_node", (json_int_t)nodes->mem_mib);
}

static void set_machine(json_t *o, const struct lw_machine *m)
{
	json_t *machine;

	if (m->nodes)
		machine = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:b}", "nodes",
				    (json_int_t)m->nodes, "gpus_per_node",
				    (json_int_t)m->gpus_per_node, "gpus_per_island",
				    (json_int_t)m->gpus_per_island, "cpus_per_node",
				    (json_int_t)m->cpus_per_node, "mem_mib_per_node",
				    (json_int_t)m->mem_mib_per_node, "racks",
				    (json_int_t)m->racks, "blocks", (int)m->blocks);
	else
		machine = json_pack("{s:I}", "procs", (json_int_t)m->pool);
	if (m->type_count)
		json_object_set_new(machine, "types", json_array());
	for (uint32_t i = 0; i < m->type_count; i++)
		json_array_append_new(json_object_get(machine, "types"), make_nodes(&m->types[i]));
	json_object_set_new(o, "machine", machine);
}

/* How far promises may slip; null where the policy lets none slip so, or there is no cap. */
static void set_slip(json_t *o, const struct lw_policy_params *policy)
{
	bool leeway = lw_policy_has(policy->kind, LW_DEADLINES);
	bool relaxes = lw_policy_has(policy->kind, LW_SLIPS) && !leeway;
	bool capped = relaxes && policy->relax_cap_s < LW_HISTORY_TIME_MAX_S;

	json_object_set_new(o, "relax", relaxes ? json_real(policy->relax) : json_null());
	json_object_set_new(o, "relax_cap_s",
			    capped ? json_integer(policy->relax_cap_s) : json_null());
	json_object_set_new(o, "slack",
			    leeway ? json_real(policy->slack) : json_null());
	json_object_set_new(o, "slack_cap_s",
			    leeway ? json_integer(policy->slack_cap_s) : json_null());
}

static const char *order_name(const struct lw_simspec *spec)
{
	return spec->policy.order == LW_ORDER_OUTSIDE ? "learned"
						      : lw_order_name(spec->policy.order);
}

static void set_spec(json_t *o, const struct lw_simspec *spec)
{
	json_object_set_new(o, "policy", json_string(lw_policy_kind_name(spec->policy.kind)));
	json_object_set_new(o, "runtime", json_string(lw_predictor_name(spec->runtime)));
	json_object_set_new(o, "order", json_string(order_name(spec)));
	json_object_set_new(o, "order_age_s", json_integer(spec->policy.order_age_s));
	json_object_set_new(o, "las_threshold_s", json_integer(spec->policy.las_threshold_s));
	json_object_set_new(o, "inspector", json_boolean(spec->inspects));
	json_object_set_new(o, "inspect_cap_s", json_integer(spec->nets.inspect_cap_s));
	json_object_set_new(o, "backfill_order",
			    json_string(lw_backfill_order_name(spec->policy.backfill_order)));
	set_slip(o, &spec->policy);
	json_object_set_new(o, "keep_promises", json_boolean(spec->policy.keep_promises));
	json_object_set_new(o, "patience", json_real(spec->policy.patience));
	json_object_set_new(o, "hold", json_boolean(spec->policy.hold));
	json_object_set_new(o, "placement", json_string(spec->choose ? "stock" : "leeway"));
	json_object_set_new(o, "chain", json_string(lw_chain_mode_name(spec->chain)));
	json_object_set_new(o, "type", json_string(lw_types_name(spec->policy.types)));
	json_object_set_new(o, "energy_choice", json_boolean(spec->policy.energy));
	json_object_set_new(o, "energy_slack", json_real(spec->policy.energy_slack));
	json_object_set_new(o, "deadlines",
			    json_string(lw_deadlines_name(spec->policy.deadlines)));
	json_object_set_new(o, "chain_share", json_real(spec->policy.chain_share));
	json_object_set_new(o, "chain_total", json_real(spec->policy.chain_total));
	json_object_set_new(o, "chain_min_s", json_integer(spec->policy.chain_min_s));
	json_object_set_new(o, "gang_wait_s", json_integer(spec->policy.gang_wait_s));
}

json_t *lw_simrun_json(const struct lw_simrun *run, const struct lw_simtrace *trace)
{
	json_t *o = json_object(), *figures = make_figures(&run->mean);

	json_object_set_new(o, "trace", lw_output_string(trace->name));
	json_object_set_new(o, "label", lw_output_string(run->spec.label));
	json_object_set_new(o, "settings", lw_output_string(run->spec.settings));
	set_spec(o, &run->spec);
	json_object_set_new(o, "account_shares", lw_simaccounts_json(trace->account_shares));
	set_machine(o, &trace->machine);
	json_object_set_new(o, "completing_s", json_integer(trace->machine.completing_s));
	json_object_set_new(o, "plan_delay_s", json_integer(trace->machine.plan_delay_s));
	json_object_set_new(o, "main_loop_s",
			    trace->machine.main_loop ? json_integer(trace->machine.main_delay_s)
						     : json_null());
	json_object_set_new(o, "dropped_wide", json_integer(trace->jobs.dropped_wide));
	json_object_set_new(o, "dropped_unknown", json_integer(trace->jobs.dropped_unknown));
	json_object_set_new(o, "skipped_lines", json_integer(trace->swf.skipped));
	json_object_set_new(o, "shakes", json_integer(run->repeat.shakes));
	json_object_set_new(o, "shake_by_s", json_integer(run->repeat.shake_by_s));
	json_object_set_new(o, "shake_sessions", json_boolean(run->repeat.sessions));
	json_object_set_new(o, "seed", json_integer((json_int_t)run->repeat.seed));
	json_object_update(o, figures);
	json_decref(figures);
	if (run->repeat.shakes)
		json_object_set_new(o, "sd", make_figures(&run->sd));
	if (run->repeat.outlook)
		json_object_set_new(o, "outlook", lw_simrun_outlook_json(run));
	return o;
}

void lw_simrun_print_schedule(const struct lw_simrun *run, const struct lw_simtrace *trace,
			      FILE *out)
{
	for (uint32_t i = 0; i < trace->jobs.count; i++) {
		const struct lw_sim_job *job = &run->jobs[i];

		if (job->start_s != LW_NO_TIME)
			fprintf(out, "%" PRId64 " %" PRId64 " %" PRId64 "\n",
				lw_simtrace_number(trace, job), job->start_s,
				lw_sim_job_end_s(job));
	}
}

/* The next figure of *KEYS, "wait_mean_s" or "wait_mean_s:sd"; -EINVAL: it is none. */
static int next_key(const char **keys, char key[64], bool *ret_sd)
{
	size_t len = strcspn(*keys, ",");
	char *colon;

	snprintf(key, 64, "%.*s", (int)len, *keys);
	*keys += len + ((*keys)[len] == ',');
	colon = strchr(key, ':');
	*ret_sd = colon && strcmp(colon, ":sd") == 0;
	if (*ret_sd)
		*colon = '\0';
	return lw_figure_parse(key);
}

int lw_simrun_check_keys(const char *keys, struct lw_error *err)
{
	bool sd;

	if (!*keys)
		return lw_error_set(err, -EINVAL, "--print: no figure");
	while (*keys) {
		char key[64];

		if (next_key(&keys, key, &sd) < 0)
			return lw_error_set(err, -EINVAL, "--print: there is no figure \"%s\"",
					    key);
	}
	return 0;
}

void lw_simrun_print_keys(const struct lw_simrun *run, const char *keys, FILE *out)
{
	const char *separator = "";

	while (*keys) {
		char key[64];
		bool sd;
		int figure = next_key(&keys, key, &sd);
		double value;

		if (figure < 0)
			continue;
		value = sd ? run->sd.value[figure] : run->mean.value[figure];
		/* one run differs from none */
		if (isnan(value) || (sd && run->repeat.shakes < 2))
			fprintf(out, "%s-", separator);
		else
			fprintf(out, "%s%.10g", separator, value);
		separator = "\t";
	}
	fputc('\n', out);
}
