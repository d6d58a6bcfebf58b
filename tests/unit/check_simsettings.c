/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway sim: its settings, leeway.yaml, runs, and options that are gone.
 */
#include "cli/common/tools.h"
#include "unit/fake_slurm.h"
#include "unit/simspec.h"
#include "unit/unit.h"

#include <errno.h>
#include <string.h>

#define SWF(number, submit, run, procs)                                                          \
	number " " submit " -1 " run " " procs " -1 -1 " procs " 100 -1 1 1 1 -1 -1 -1 -1 -1\n"
static const char trace_text[] = "; MaxProcs: 2\n" SWF("1", "0", "50", "2");

static const struct {
	const char *option, *form;
} gone[] = {
#define LW_GONE(option, form) { option, form },
#include "lab/cli_sim/gone.def"
};

static char *complaint(const char *options, int *ret_rc)
{
	char line[1024];

	snprintf(line, sizeof(line), "sim %s %s", scratch_write("t.swf", trace_text), options);
	return scratch_complaint(lw_tools_sim, line, ret_rc);
}

/* An old option is refused with a new form, and that there is. */
TEST_EACH(what_is_gone_says_what_stands_for_it, LW_COUNT_OF(gone))
{
	char options[100], wanted[200], key[64] = "", *told;
	struct lw_simsettings settings;
	struct lw_error err = { "" };
	int rc;

	snprintf(options, sizeof(options), "--%s%s", gone[_i].option, _i % 2 ? "=x" : " x");
	snprintf(wanted, sizeof(wanted),
		 "leeway sim: --%s is gone; use %s\nTry \"leeway sim --help\"", gone[_i].option,
		 gone[_i].form);
	told = complaint(options, &rc);
	ck_assert_msg(rc == LW_TOOLS_USAGE && strstr(told, wanted), "%d: %s", rc, told);
	free(told);
	if (sscanf(gone[_i].form, "--set %63[a-z_.]=", key) != 1)
		return;
	lw_simsettings_default(&settings);
	(void)lw_simsettings_set(&settings, key, "?", LW_SIM_BY_SET, &err);
	ck_assert_msg(!strstr(err.text, "no setting"), "%s", err.text);
}

/* Options are few; what is set goes through --set. */
TEST(options_are_few)
{
	uint32_t count = 0;
	char *text;

	ck_assert_int_eq(scratch_call(lw_tools_sim, "sim --list-options"), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	for (const char *at = text; (at = strstr(at, "\n--")); at++)
		count++;
	/* the first has no line before it, and --help is everybody's */
	ck_assert_uint_le(count, 25);
	free(text);
}

TEST(all_settings_are_listed)
{
	char *text;

	ck_assert_int_eq(scratch_call(lw_tools_sim, "sim --set list"), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(text, "sched.patience: 0.0 to 2.0\n"));
	ck_assert_ptr_nonnull(strstr(text, "planner.hold: yes or no\n"));
	ck_assert_ptr_nonnull(strstr(text, "select.type: any, finish, fair\n"));
	ck_assert_ptr_nonnull(strstr(text, "shake.by: a time\n"));
	free(text);
}

/* The text of a run, behind a leeway.yaml and --set. */
static const struct {
	const char *run;
	double patience;
	enum lw_order order;
	enum lw_types types;
	int64_t age_s;
	enum lw_predictor runtime;
} layers[] = {
	{ "", 0.25, LW_ORDER_SAF, LW_TYPES_FINISH, 86400, LW_PREDICT_USER },
	{ "leeway", 0.25, LW_ORDER_SAF, LW_TYPES_FINISH, 86400, LW_PREDICT_USER },
	{ "a: sched.patience=1.5 sched.order_age=2h", 1.5, LW_ORDER_SAF, LW_TYPES_FINISH, 7200,
	  LW_PREDICT_USER },
	{ "a:select.type=fair,sim.runtime=last2", 0.25, LW_ORDER_SAF, LW_TYPES_FAIR, 86400,
	  LW_PREDICT_LAST2 },
	{ "hare", 0.25, LW_ORDER_SAF, LW_TYPES_FINISH, 86400, LW_PREDICT_USER },
};

TEST_EACH(a_run_is_on_top_of_set_and_of_the_file, LW_COUNT_OF(layers))
{
	const struct lw_simset sets[] = { { "sched.order", "saf" }, { "select.type", "finish" } };
	struct lw_simbase base = { .sets = sets, .set_count = 2 };
	struct lw_simsettings settings;
	struct lw_error err = { "" };
	struct lw_simspec spec;
	const char *path = scratch_write("leeway.yaml", "sched: { patience: 0.25, order: sjf, "
							"predict: no, interval: 10s }\n");

	lw_simsettings_default(&base.settings);
	ck_assert_msg(!lw_simsettings_load(&base.settings, path, &err), "%s", err.text);
	ck_assert_msg(!lw_simspec_parse(&base, layers[_i].run, &settings, &spec, &err), "%s",
		      err.text);
	ck_assert_double_eq(spec.policy.patience, layers[_i].patience);
	ck_assert_int_eq(spec.policy.order, layers[_i].order);
	ck_assert_int_eq(spec.policy.types, layers[_i].types);
	ck_assert_int_eq(spec.policy.order_age_s, layers[_i].age_s);
	ck_assert_int_eq(spec.policy.relax_cap_s, 86400);
	ck_assert_int_eq(spec.runtime, layers[_i].runtime);
}

/* A label says all that was set, unless the user gave one; relaxing by nothing is not EASY. */
static const struct {
	const char *text, *label, *settings;
	bool note;
} labels[] = {
	{ "easy", "easy", "easy", false },
	{ "sched.policy=relaxed sched.relax=0", "relaxed:relax=0", "relaxed:relax=0", true },
	{ "sched.policy=adaptive,sched.relax_cap=0s", "adaptive:relax_cap=0s",
	  "adaptive:relax_cap=0s", true },
	{ "sched.policy=easy select.type=finish", "easy:select.type=finish",
	  "easy:select.type=finish", false },
	{ "mine: sched.slack=0.2 planner.hold=no", "mine", "leeway:slack=0.2:hold=no", false },
	{ "saf", "saf", "easy:order=saf:keep_promises=no", false },
	{ "saf: sched.policy=leeway", "saf", "leeway", false },
};

TEST_EACH(a_label_is_the_settings, LW_COUNT_OF(labels))
{
	struct lw_error err = { "" };
	struct lw_simspec spec;

	ck_assert_int_eq(parse_run(labels[_i].text, &spec, &err), 0);
	ck_assert_str_eq(spec.label, labels[_i].label);
	ck_assert_str_eq(spec.settings, labels[_i].settings);
	ck_assert_int_eq(lw_simspec_note(&spec) != NULL, labels[_i].note);
}

/* leeway.yaml(5) has other settings, which slurmctld goes by, and a simulation does not. */
TEST(a_file_may_set_what_does_nothing)
{
	char options[300], *told;
	int rc;

	snprintf(options, sizeof(options), "--quiet --config %s",
		 scratch_write("leeway.yaml",
			       "sched: { policy: easy, slack: 1 }\nlog.level: warn\n"));
	told = complaint(options, &rc);
	ck_assert_msg(rc == LW_TOOLS_OK && !*told, "%d: %s", rc, told);
	free(told);
	scratch_write("leeway.yaml", "sched: { policy: best }\n");
	told = complaint(options, &rc);
	ck_assert_msg(rc == LW_TOOLS_FAILED && strstr(told, "leeway.yaml:1: sched.policy"),
		      "%d: %s", rc, told);
	free(told);
}

TEST(runs_may_be_in_a_file)
{
	char line[400], *text;

	scratch_write("t.swf", trace_text);
	snprintf(line, sizeof(line), "sim %s --run @%s --print jobs", scratch_path("t.swf"),
		 scratch_write("runs",
			       "# ours, and plain\n\nleeway\n"
			       "plain: sched.policy=easy planner.backfill_order=shortest\r\n"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	ck_assert_str_eq(text, "leeway\t1\nplain\t1\n");
	free(text);
}

static const struct {
	const char *options, *told;
} refused[] = {
	{ "--set sched.patience", "--set: \"sched.patience\" is not KEY=VALUE" },
	{ "--set sched.patience=9", "sched.patience: 9 is above 2.0" },
	{ "--set sched.interval=30s", "sched.interval: a simulation does not go by it" },
	{ "--run @/no/such/file", "/no/such/file: cannot open" },
	{ "--run easy --run leeway --set sched.relax=1", "sched.relax counts under" },
	{ "--run easy --run leeway:sched.relax=1", "sched.relax counts under" },
	{ "--as saf --run easy", "--as stands for runs: leave out --run" },
	{ "--compare --set figures.outlook=yes", "figures.outlook is of one run" },
	{ "--set shake.runs=2 --set shake.by=0s", "shake.by: not between" },
	{ "--set list", "--set list runs no trace" },
};

TEST_EACH(slips_are_told, LW_COUNT_OF(refused))
{
	char *told;
	int rc;

	told = complaint(refused[_i].options, &rc);
	ck_assert_msg(rc != LW_TOOLS_OK && strstr(told, refused[_i].told), "%d: %s", rc, told);
	free(told);
}

static const struct {
	const char *options, *told;
	int result;
} steps[] = {
	{ "--what-if --quiet --set sched.patience=0.25 --set sched.relax=0.5",
	  "sched.relax counts under", LW_TOOLS_USAGE },
	{ "--what-if --quiet --set sched.patience=9", "sched.patience: 9 is above 2.0",
	  LW_TOOLS_USAGE },
	{ "--what-if --quiet --set shake.runs=2", "--set: of sched, select, planner and sim",
	  LW_TOOLS_USAGE },
	{ "--quiet --set sched.patience=1", "--set: is of --what-if", LW_TOOLS_USAGE },
	{ "--what-if --quiet --set sched.patience=0.25", "", LW_TOOLS_OK },
};

TEST_EACH(analyse_takes_the_same_settings, LW_COUNT_OF(steps))
{
	char line[400], *told;
	int rc;

	snprintf(line, sizeof(line), "analyse %s %s", scratch_write("t.swf", trace_text),
		 steps[_i].options);
	told = scratch_complaint(lw_tools_analyse, line, &rc);
	ck_assert_msg(rc == steps[_i].result && strstr(told, steps[_i].told), "%d: %s", rc, told);
	free(told);
}
