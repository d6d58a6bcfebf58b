/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway sim --as: published schedulers are what their choices are. */
#include "cli/common/tools.h"
#include "lab/cli_sim/sim.h"
#include "lab/sim/model_file.h"
#include "unit/scratch.h"
#include "unit/sim_traces.h"
#include "unit/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* As who knows the papers would write it. */
static const struct {
	const char *system, *by_hand;
} systems[] = {
	{ "easy", "--policy easy" },
	{ "conservative", "--policy conservative" },
	{ "relaxed", "--policy relaxed --relax 0.1" },
	{ "easy++", "--policy easy --runtime last2 --backfill-order shortest" },
	{ "wfp3", "--policy easy --order wfp3 --keep-promises no" },
	{ "unicep", "--policy easy --order unicep --keep-promises no" },
	{ "f1", "--policy easy --order f1 --keep-promises no" },
	{ "saf", "--policy easy --order saf --keep-promises no" },
	{ "tiresias-np", "--policy easy --order las2d --keep-promises no" },
	{ "gittins-np", "--policy easy --order gittins --keep-promises no" },
	{ "qssf", "--policy fcfs --order qssf --runtime predicted" },
	{ "themis-np", "--policy easy --order ftf --keep-promises no" },
	{ "chronus-np", "--policy easy --runtime exact --deadlines guard" },
	{ "mirage", "--policy easy --chain on" },
	{ "hare", "--policy easy --order wspt --type finish" },
	{ "allox-np", "--policy easy --order sjf --type finish" },
	{ "gavel-np", "--policy easy --type fair" },
	{ "rlscheduler", "--policy easy --order learned --keep-promises no" },
	{ "schedinspector", "--policy easy --order sjf --inspector learned" },
	{ "horus", "--policy fcfs --share slice --share-by horus" },
	{ "antman", "--policy fcfs --share slice --share-by any" },
	{ "gandiva", "--policy fcfs --share slice --share-by trial" },
	{ "lucid-like",
	  "--policy fcfs --order qssf --runtime predicted --share mps --share-by lucid" },
	{ "leeway", "" },
};

START_TEST(all_are_in_the_table_above)
{
	char words[1024] = "list";

	for (size_t i = 0; i < LW_COUNT_OF(systems); i++) {
		strcat(words, " ");
		strcat(words, systems[i].system);
	}
	ck_assert_str_eq(lw_sim_systems, words);
}
END_TEST

/* A net that passes on the limit, with a sign. */
static void write_model(enum lw_net_kind kind, const char *name)
{
	struct lw_model model = { .net = { .kind = kind, .limit_s = 9600 },
				  .order = "saf",
				  .rule = "fcfs",
				  .trace = "0" };
	struct lw_strbuf text = LW_STRBUF_INIT;
	uint32_t weights = lw_net_weights(kind);

	for (uint32_t i = 0; i < weights; i++)
		model.net.weights[i] = (float)((int)(i * 7 % 23) - 11) / 64;
	ck_assert_int_eq(lw_model_print(&model, &text), 0);
	scratch_write(name, lw_strbuf_text(&text));
	lw_strbuf_fini(&text);
}

/* When each job started. */
static char *schedule(const char *options)
{
	bool orders = strstr(options, "rlscheduler") || strstr(options, "order learned");
	bool inspects = strstr(options, "inspector");
	char line[1024], tenants[192];

	write_model(LW_NET_ORDER, "order.model");
	write_model(LW_NET_INSPECTOR, "inspector.model");
	/* for those that share GPUs; alone they are refused */
	snprintf(tenants, sizeof(tenants), " --tenants %s",
		 scratch_write("tenants", "memory 100\nkind 1 30 30 10\n"));
	snprintf(line, sizeof(line),
		 "sim %s --nodes 4 --gpus-per-node 4 --allow-dropped%s --quiet "
		 "--schedule %s%s%s%s%s",
		 busy_trace(),
		 strstr(options, "--share ") || strstr(options, "--as ") ? tenants : "",
		 scratch_path("schedule"), *options ? " " : "", options,
		 orders || inspects ? " --model " : "",
		 orders     ? scratch_path("order.model")
		 : inspects ? scratch_path("inspector.model")
			    : "");
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	return scratch_read(scratch_path("schedule"));
}

START_TEST(a_system_is_its_choices)
{
	char as[64], *named, *by_hand;

	snprintf(as, sizeof(as), "--as %s", systems[_i].system);
	named = schedule(as);
	by_hand = schedule(systems[_i].by_hand);
	ck_assert_str_eq(named, by_hand);
	free(named);
	free(by_hand);
}
END_TEST

START_TEST(more_options_count)
{
	char *named = schedule("--as saf --order-age 1h"),
	     *with = schedule("--as saf:order-age=1h");
	char *plain = schedule("--as saf"), *by_hand;

	by_hand = schedule("--policy easy --order saf --keep-promises no --order-age 1h");
	ck_assert_str_eq(named, by_hand);
	ck_assert_str_eq(with, by_hand);
	ck_assert_str_ne(plain, by_hand);
	free(named);
	free(with);
	free(plain);
	free(by_hand);
}
END_TEST

START_TEST(several_stand_side_by_side)
{
	char line[512], *text;

	snprintf(line, sizeof(line), "sim %s --as saf,easy++,saf:order-age=1h --print jobs",
		 busy_trace());
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	ck_assert_str_eq(text, "saf\t600\neasy++\t600\nsaf:order-age=1h\t600\n");
	free(text);
}
END_TEST

START_TEST(the_list_says_what_they_are_made_of)
{
	char *text;

	ck_assert_int_eq(scratch_call(lw_tools_sim, "sim --as list"), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	for (size_t i = 0; i < LW_COUNT_OF(systems); i++)
		ck_assert_msg(strstr(text, systems[i].system) != NULL, "%s", text);
	ck_assert_ptr_nonnull(strstr(text, "easy:order=las2d"));
	free(text);
}
END_TEST

/* options behind the trace and --quiet; %o and %i are nets; what is told */
static const struct {
	const char *options, *told;
} without[] = {
	{ "--as rlscheduler", "rlscheduler goes by a net: give --model FILE" },
	{ "--as schedinspector --model %o", "schedinspector goes by a net" },
	{ "--compare --policies easy,easy:order=learned", "easy:order=learned goes by a net" },
	{ "--policy easy --model %o", "nothing goes by its order" },
	{ "--policy easy --model %i", "nothing goes by its inspector" },
	{ "--as rlscheduler --model %o --model %o", "is a second model of the kind order" },
	{ "--policy easy --inspector maybe", "\"maybe\" is not" },
};

START_TEST(a_net_is_asked_for_and_used)
{
	const char *at = without[_i].options, *path;
	char line[700], *told;
	int len, saved = dup(STDERR_FILENO), to;

	write_model(LW_NET_ORDER, "order.model");
	write_model(LW_NET_INSPECTOR, "inspector.model");
	len = snprintf(line, sizeof(line), "sim %s --quiet ", busy_trace());
	for (; *at; at++) {
		path = *at != '%' ? NULL : scratch_path(at[1] == 'o' ? "order.model"
								     : "inspector.model");
		len += snprintf(line + len, sizeof(line) - (size_t)len, "%.*s",
				path ? (int)strlen(path) : 1, path ? path : at);
		at += path != NULL;
	}
	to = open(scratch_path("err"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
	dup2(to, STDERR_FILENO);
	close(to);
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_USAGE);
	dup2(saved, STDERR_FILENO);
	close(saved);
	told = scratch_read(scratch_path("err"));
	ck_assert_msg(strstr(told, without[_i].told), "%s", told);
	free(told);
}
END_TEST

static const struct {
	const char *text, *says;
} bad[] = {
	{ "best", "no system \"best\"" },
	{ "saf,best", "no system \"best\"" },
	{ "easy+", "no system \"easy+\"" },
	{ "", "no system \"\"" },
	{ "saf:colour=red", "no option \"colour\"" },
	{ "easy,easy,easy,easy,easy,easy,easy", "--as: at most 6" },
	{ "easy,saf,easy", "--as: two are called \"easy\"" },
};

START_TEST(a_slip_in_a_name_is_told)
{
	struct lw_simspecs specs;
	struct lw_error err = { "" };

	ck_assert_int_eq(lw_simspecs_parse_systems(bad[_i].text, &specs, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, bad[_i].says) != NULL, "%s", err.text);
}
END_TEST

static const char *const slips[] = {
	"--as best",
	"--as list",
	"--as saf --policy easy",
	"--compare --as saf --policies easy",
	"--as saf,easy --order-age 1h",
};

START_TEST(what_would_be_ignored_is_refused)
{
	char line[512];

	snprintf(line, sizeof(line), "sim %s %s", scratch_write("t.swf", trace_text), slips[_i]);
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_USAGE);
}
END_TEST

/* What would be ignored, or is none, is refused; what is taken counts. */
START_TEST(when_starts_are_promised_can_be_said)
{
	static const char *const wrong[][2] = {
		{ "easy:keep-promises=maybe", "--keep-promises: " },
		{ "easy:patience=1", "--patience is of leeway" },
		{ "leeway:patience=3", "patience" },
	};
	struct lw_simspec spec;
	struct lw_error err;

	for (size_t i = 0; i < LW_COUNT_OF(wrong); i++) {
		ck_assert_int_eq(lw_simspec_parse(wrong[i][0], &spec, &err), -EINVAL);
		ck_assert_ptr_nonnull(strstr(err.text, wrong[i][1]));
	}
	ck_assert_int_eq(lw_simspec_parse("leeway", &spec, &err), 0);
	ck_assert(spec.policy.keep_promises);
	ck_assert_double_eq(spec.policy.patience, 0.5);
	ck_assert_int_eq(lw_simspec_parse("leeway:patience=1.5:keep-promises=no", &spec, &err), 0);
	ck_assert(!spec.policy.keep_promises);
	ck_assert_double_eq(spec.policy.patience, 1.5);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tools/sim/sim_systems");
	TCase *tc = tcase_create("systems");

	tcase_add_test(tc, all_are_in_the_table_above);
	tcase_add_test(tc, when_starts_are_promised_can_be_said);
	tcase_add_loop_test(tc, a_net_is_asked_for_and_used, 0, LW_COUNT_OF(without));
	tcase_add_loop_test(tc, a_system_is_its_choices, 0, LW_COUNT_OF(systems));
	tcase_add_test(tc, more_options_count);
	tcase_add_test(tc, several_stand_side_by_side);
	tcase_add_test(tc, the_list_says_what_they_are_made_of);
	tcase_add_loop_test(tc, a_slip_in_a_name_is_told, 0, LW_COUNT_OF(bad));
	tcase_add_loop_test(tc, what_would_be_ignored_is_refused, 0, LW_COUNT_OF(slips));
	suite_add_tcase(suite, tc);
	return unit_run(suite);
}
