/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway sim --as: published schedulers are what their choices are. */
#include "cli/common/tools.h"
#include "lab/cli_sim/sim.h"
#include "lab/sim/model_file.h"
#include "unit/scratch.h"
#include "unit/sim_traces.h"
#include "unit/simspec.h"
#include "unit/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* As who knows the papers would write it. */
static const struct {
	const char *system, *by_hand;
} systems[] = {
	{ "easy", "--set sched.policy=easy" },
	{ "conservative", "--set sched.policy=conservative" },
	{ "relaxed", "--set sched.policy=relaxed --set sched.relax=0.1" },
	{ "easy++",
	  "--set sched.policy=easy --set sim.runtime=last2 --set planner.backfill_order=shortest" },
	{ "wfp3", "--set sched.policy=easy --set sched.order=wfp3 --set sched.keep_promises=no" },
	{ "unicep",
	  "--set sched.policy=easy --set sched.order=unicep --set sched.keep_promises=no" },
	{ "f1", "--set sched.policy=easy --set sched.order=f1 --set sched.keep_promises=no" },
	{ "saf", "--set sched.policy=easy --set sched.order=saf --set sched.keep_promises=no" },
	{ "tiresias-np",
	  "--set sched.policy=easy --set sched.order=las2d --set sched.keep_promises=no" },
	{ "gittins-np",
	  "--set sched.policy=easy --set sched.order=gittins --set sched.keep_promises=no" },
	{ "qssf", "--set sched.policy=fcfs --set sched.order=qssf --set sim.runtime=predicted" },
	{ "themis-np",
	  "--set sched.policy=easy --set sched.order=ftf --set sched.keep_promises=no" },
	{ "chronus-np",
	  "--set sched.policy=easy --set sim.runtime=exact --set sched.deadlines=guard" },
	{ "mirage", "--set sched.policy=easy --set sched.chain=yes" },
	{ "hare", "--set sched.policy=easy --set sched.order=wspt --set select.type=finish" },
	{ "allox-np", "--set sched.policy=easy --set sched.order=sjf --set select.type=finish" },
	{ "gavel-np", "--set sched.policy=easy --set select.type=fair" },
	{ "rlscheduler",
	  "--set sched.policy=easy --set sched.order=learned --set sched.keep_promises=no" },
	{ "schedinspector",
	  "--set sched.policy=easy --set sched.order=sjf --set sim.inspector=learned" },
	{ "horus", "--set sched.policy=fcfs --set share.mode=slice --set sim.share_by=horus" },
	{ "antman", "--set sched.policy=fcfs --set share.mode=slice --set sim.share_by=any" },
	{ "gandiva", "--set sched.policy=fcfs --set share.mode=slice --set sim.share_by=trial" },
	{ "lucid-like",
	  "--set sched.policy=fcfs --set sched.order=qssf --set sim.runtime=predicted --set "
	  "share.mode=mps --set sim.share_by=lucid" },
	{ "leeway", "" },
};

TEST(all_are_in_the_table_above)
{
	char words[1024] = "list";

	for (size_t i = 0; i < LW_COUNT_OF(systems); i++) {
		strcat(words, " ");
		strcat(words, systems[i].system);
	}
	ck_assert_str_eq(lw_sim_systems, words);
}

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
	bool orders = strstr(options, "rlscheduler") || strstr(options, "order=learned");
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
		 strstr(options, "share.mode=") || strstr(options, "--as ") ? tenants : "",
		 scratch_path("schedule"), *options ? " " : "", options,
		 orders || inspects ? " --model " : "",
		 orders     ? scratch_path("order.model")
		 : inspects ? scratch_path("inspector.model")
			    : "");
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	return scratch_read(scratch_path("schedule"));
}

TEST_EACH(a_system_is_its_choices, LW_COUNT_OF(systems))
{
	char as[64], *named, *by_hand;

	snprintf(as, sizeof(as), "--as %s", systems[_i].system);
	named = schedule(as);
	by_hand = schedule(systems[_i].by_hand);
	ck_assert_str_eq(named, by_hand);
	free(named);
	free(by_hand);
}

TEST(more_options_count)
{
	char *named = schedule("--as saf --set sched.order_age=1h"),
	     *with = schedule("--run saf:sched.order_age=1h");
	char *plain = schedule("--as saf"), *by_hand;

	by_hand = schedule(
		"--set sched.policy=easy --set sched.order=saf --set sched.keep_promises=no "
		"--set sched.order_age=1h");
	ck_assert_str_eq(named, by_hand);
	ck_assert_str_eq(with, by_hand);
	ck_assert_str_ne(plain, by_hand);
	free(named);
	free(with);
	free(plain);
	free(by_hand);
}

TEST(several_stand_side_by_side)
{
	char line[512], *text;

	snprintf(line, sizeof(line),
		 "sim %s --run saf --run easy++ --run aged:sched.policy=easy,sched.order_age=1h,"
		 "sched.order=saf --print jobs",
		 busy_trace());
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	ck_assert_str_eq(text, "saf\t600\neasy++\t600\naged\t600\n");
	free(text);
}

TEST(the_list_says_what_they_are_made_of)
{
	char *text;

	ck_assert_int_eq(scratch_call(lw_tools_sim, "sim --as list"), LW_TOOLS_OK);
	text = scratch_read(scratch_path("out"));
	for (size_t i = 0; i < LW_COUNT_OF(systems); i++)
		ck_assert_msg(strstr(text, systems[i].system) != NULL, "%s", text);
	ck_assert_ptr_nonnull(strstr(text, "sched.policy=easy sched.order=las2d"));
	free(text);
}

/* options behind the trace and --quiet; %o and %i are nets; what is told */
static const struct {
	const char *options, *told;
} without[] = {
	{ "--as rlscheduler", "rlscheduler goes by a net: give --model FILE" },
	{ "--as schedinspector --model %o", "schedinspector goes by a net" },
	{ "--compare --run easy --run sched.policy=easy,sched.order=learned",
	  "easy:order=learned goes by a net" },
	{ "--set sched.policy=easy --model %o", "nothing goes by its order" },
	{ "--set sched.policy=easy --model %i", "nothing goes by its inspector" },
	{ "--as rlscheduler --model %o --model %o", "is a second model of the kind order" },
	{ "--set sched.policy=easy --set sim.inspector=maybe", "\"maybe\" is none of" },
};

TEST_EACH(a_net_is_asked_for_and_used, LW_COUNT_OF(without))
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

static const struct {
	const char *text, *says;
} bad[] = {
	{ "best", "no system \"best\"" },
	{ "saf,best", "no system \"best\"" },
	{ "easy+", "no system \"easy+\"" },
	{ "", "no system \"\"" },
	{ "saf:colour=red", "no system \"saf:colour=red\"" },
	{ "easy,saf,f1,wfp3,qssf,leeway,mirage", "--as: at most 6" },
	{ "easy,saf,easy", "--as: two runs are called \"easy\"" },
};

TEST_EACH(a_slip_in_a_name_is_told, LW_COUNT_OF(bad))
{
	struct lw_simbase base = { .set_count = 0 };
	struct lw_simspecs specs = { .count = 0 };
	struct lw_error err = { "" };

	lw_simsettings_default(&base.settings);
	ck_assert_int_eq(lw_simspecs_add_systems(&specs, &base, bad[_i].text, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, bad[_i].says) != NULL, "%s", err.text);
}

static const char *const slips[] = {
	"--as best",
	"--as list",
	"--as saf --set sched.policy=easy",
	"--compare --as saf --run easy",
	"--as easy,conservative --set sched.order_age=1h",
};

TEST_EACH(what_would_be_ignored_is_refused, LW_COUNT_OF(slips))
{
	char line[512];

	snprintf(line, sizeof(line), "sim %s %s", scratch_write("t.swf", trace_text), slips[_i]);
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_USAGE);
}

/* What would be ignored, or is none, is refused; what is taken counts. */
TEST(when_starts_are_promised_can_be_said)
{
	static const char *const wrong[][2] = {
		{ "sched.policy=easy,sched.keep_promises=maybe", "sched.keep_promises: " },
		{ "sched.policy=easy,sched.patience=1",
		  "sched.patience counts under sched.policy leeway only" },
		{ "sched.policy=leeway,sched.patience=3", "patience" },
	};
	struct lw_simspec spec;
	struct lw_error err;

	for (size_t i = 0; i < LW_COUNT_OF(wrong); i++) {
		ck_assert_int_eq(parse_run(wrong[i][0], &spec, &err), -EINVAL);
		ck_assert_ptr_nonnull(strstr(err.text, wrong[i][1]));
	}
	ck_assert_int_eq(parse_run("leeway", &spec, &err), 0);
	ck_assert(spec.policy.keep_promises);
	ck_assert_double_eq(spec.policy.patience, 0.5);
	ck_assert_int_eq(parse_run("leeway: sched.patience=1.5 sched.order=saf "
				   "sched.keep_promises=no",
				   &spec, &err),
			 0);
	ck_assert(!spec.policy.keep_promises);
	ck_assert_double_eq(spec.policy.patience, 1.5);
}
