/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway stops: what the file tells, and an order. */
#include "base/savefile.h"
#include "base/stop.h"
#include "cli/common/tools.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"

#include <jansson.h>

/* 2025-11-26 12:59 UTC */
#define NOW "1764161940"

static void setup(void)
{
	const struct lw_stop stop = { .job_id = 7,
				      .user = 4000001,
				      .state = LW_STOP_YIELDS,
				      .way = LW_STOP_BY_SIGNAL,
				      .for_job = 9,
				      .asked_s = 1764160200,
				      .due_s = 1764165720,
				      .stops = 2 };
	const struct lw_stop_kind kind = {
		.user = 4000002, .why = LW_STOP_ENDS, .at_s = 1764160200, .name = "a b"
	};
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error err;

	fake_setup();
	lw_stop_print(&stop, &text);
	lw_stop_kind_print(&kind, &text);
	ck_assert_int_eq(lw_savefile_write(scratch_path("leeway_stops"), LW_STOP_FILE_KIND,
					   LW_STOP_FILE_VERSION, lw_strbuf_text(&text), text.len,
					   &err),
			 0);
	lw_strbuf_fini(&text);
}

/* What it prints, or, where WANTED is no success, its complaint. */
static char *said(const char *line, int wanted)
{
	int rc;
	char *told = scratch_complaint(lw_tools_stops, line, &rc);

	ck_assert_msg(rc == wanted, "%s: %d: %s", line, rc, told);
	if (wanted)
		return told;
	free(told);
	return scratch_read(scratch_path("out"));
}

/* The same of the file that was written. */
static char *listed(const char *options)
{
	char line[4400];

	snprintf(line, sizeof(line), "stops --state %s %s--now " NOW, scratch_dir, options);
	return said(line, 0);
}

FIXTURE(setup, fake_teardown);

TEST(the_file_is_told)
{
	char *out = listed("");

	ck_assert_ptr_nonnull(strstr(out, "\n7          4000001      yields  signal   9          "
					  "12:30        14:02        -            2\n"));
	ck_assert_ptr_nonnull(strstr(out, "\n4000002      a b                  12-03T12:30      "
					  "a job of that name was asked, and ended instead\n"));
	free(out);
}

TEST(and_in_json)
{
	char *out = listed("--json ");
	json_t *root = json_loads(out, 0, NULL);
	const json_t *stop = json_array_get(json_object_get(root, "stops"), 0);
	const json_t *kind = json_array_get(json_object_get(root, "not_asked"), 0);

	ck_assert_str_eq(json_string_value(json_object_get(root, "schema")), "leeway.stops");
	ck_assert_str_eq(json_string_value(json_object_get(stop, "state")), "yields");
	ck_assert_str_eq(json_string_value(json_object_get(stop, "for")), "9");
	ck_assert(json_is_null(json_object_get(stop, "back_s")));
	ck_assert_str_eq(json_string_value(json_object_get(kind, "why")), "ends");
	json_decref(root);
	free(out);
}

/* scontrol tells of job 7, and writes what it is to change. */
static void set_job(const char *state, const char *comment)
{
	char script[512];

	snprintf(script, sizeof(script),
		 "if [ \"$1\" = show ]; then printf 'JobId=7 JobName=x\\n   JobState=%s "
		 "Reason=None\\n   AdminComment=%s \\n   Power=\\n'; "
		 "else echo \"$*\" > '%s'; fi",
		 state, comment, scratch_path("changed"));
	fake_command("scontrol", script);
}

static const struct {
	const char *comment, *line, *changed;
} orders[] = {
	{ "leeway:dl=v:1 mine", "stops --ask 7",
	  "update JobId=7 AdminComment=leeway:dl=v:1 mine leeway:stop-now\n" },
	{ "(null)", "stops --ask 7_3 --for 9",
	  "update JobId=7_3 AdminComment=leeway:stop-now=9\n" },
	/* an order that was not heeded yet */
	{ "leeway:stop-now=4 mine", "stops --ask 7",
	  "update JobId=7 AdminComment=leeway:stop-now mine\n" },
};

TEST_EACH(an_order_is_put_beside_what_is_there, LW_COUNT_OF(orders))
{
	char *changed;

	set_job("RUNNING", orders[_i].comment);
	free(said(orders[_i].line, 0));
	changed = scratch_read(scratch_path("changed"));
	ck_assert_str_eq(changed, orders[_i].changed);
	free(changed);
}

TEST(only_a_running_job_is_ordered)
{
	char *told;

	set_job("PENDING", "(null)");
	told = said("stops --ask 7", LW_TOOLS_FAILED);
	ck_assert_ptr_nonnull(strstr(told, "job 7 does not run"));
	free(told);
}

static const struct {
	const char *line, *told;
} misuses[] = {
	{ "stops 7", "nothing to name" },   { "stops --ask 7,8", "no job id" },
	{ "stops --ask 7_", "no job id" },  { "stops --ask x", "no job id" },
	{ "stops --for 7", "needs --ask" }, { "stops --ask 7 --json", "prints no list" },
};

TEST_EACH(misuse_is_told, LW_COUNT_OF(misuses))
{
	char *told = said(misuses[_i].line, LW_TOOLS_USAGE);

	ck_assert_msg(strstr(told, misuses[_i].told) != NULL, "%s", told);
	free(told);
}
