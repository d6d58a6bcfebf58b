/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway gpu --user: runs of requeued jobs, and what of them was
 * productive. */
#include "cli/common/tools.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"

#include <jansson.h>
#include <string.h>

#define HEADER "JobID|State|ElapsedRaw|AllocTRES|JobIDRaw|Submit|Start|End|Comment|AdminComment\n"
/* A run of 1000 s on two GPUs. */
#define RUN(id, state, submit, start, end, said, word)                                           \
	id "|" state "|1000|cpu=4,gres/gpu=2,node=1|" id "|" submit "|" start "|" end "|" said   \
	   "|" word "\n"
#define WAITS(id, submit) id "|PENDING|0||" id "|" submit "|Unknown|Unknown||\n"
#define SAID              "leeway:progress=800/1600,at:1900,from:0,since:1100"
#define SAID_NEXT         "leeway:progress=1300/1600,at:3900,from:500,since:3100"

static const struct {
	const char *rows;
	int listed;       /* jobs */
	const char *says; /* of the effective training time; "": nothing */
} vectors[] = {
	{ RUN("1", "COMPLETED", "900", "1000", "2000", "", ""), 1,
	  "\neffective training time 100 %\n" },
	{ RUN("1", "COMPLETED", "900", "1000", "2000", "",
	      "leeway:gpu=n:2,util:50/90,mem:1/1G,idle:500"),
	  1, "\neffective training time 75 %\n" },
	/* whatever the order of rows; the last is listed */
	{ RUN("1", "COMPLETED", "2000", "3000", "4000", "", "")
		  RUN("1", "REQUEUED", "900", "1000", "2000", "", ""),
	  1,
	  "\neffective training time 50 to 100 %; 1 run interrupted, GPU-hours repeated 0.0, in "
	  "doubt 0.6, begins 0.0\n" },
	{ RUN("1", "NODE_FAIL", "900", "1000", "2000", SAID, "")
		  RUN("1", "COMPLETED", "2000", "3000", "4000", SAID_NEXT, ""),
	  1,
	  "\neffective training time 75 %; 1 run interrupted, GPU-hours repeated 0.2, in doubt "
	  "0.0, begins 0.1\n" },
	/* until it goes on, that is its last run */
	{ RUN("1", "REQUEUED", "900", "1000", "2000", SAID, "") WAITS("1", "2000"), 1,
	  "\neffective training time 0 to 100 %; 1 run interrupted" },
	/* the same id again is another job */
	{ RUN("1", "COMPLETED", "900", "1000", "2000", "", "")
		  RUN("1", "COMPLETED", "9000", "9000", "9900", "", ""),
	  2, "\neffective training time 100 %\n" },
	{ WAITS("1", "900"), 0, "" },
};

FIXTURE(fake_setup, fake_teardown);

static char *ask(const char *rows, const char *line)
{
	char text[4096];

	snprintf(text, sizeof(text), "%s%s", HEADER, rows);
	scratch_write("rows", text);
	fake_command("sacct", "cat $d/rows");
	ck_assert_int_eq(scratch_call(lw_tools_gpu, line), LW_TOOLS_OK);
	return scratch_read(scratch_path("out"));
}

TEST_EACH(runs_of_a_job_are_one_line, LW_COUNT_OF(vectors))
{
	char wanted[64], *told = ask(vectors[_i].rows, "gpu --user root");

	snprintf(wanted, sizeof(wanted), "\n%d job%s with GPUs", vectors[_i].listed,
		 vectors[_i].listed == 1 ? "" : "s");
	ck_assert_msg(strstr(told, wanted) && strstr(told, vectors[_i].says), "%s", told);
	ck_assert_msg(*vectors[_i].says || !strstr(told, "effective"), "%s", told);
	free(told);
	told = scratch_read(scratch_path("sacct.asked"));
	ck_assert_msg(!strncmp(told, "-X -P -u root -D -S now-604800seconds -E now -o ", 48),
		      "%s", told);
	free(told);
}

/* The same in JSON: hours of GPUs; null without any. */
TEST(ettr_is_in_json)
{
	char *told = ask(vectors[3].rows, "gpu --user root --json");
	json_t *root = json_loads(told, 0, NULL);
	const json_t *ettr = json_object_get(json_object_get(root, "totals"), "ettr");

	ck_assert_int_eq(json_integer_value(json_object_get(ettr, "interrupted")), 1);
	ck_assert_double_eq_tol(json_real_value(json_object_get(ettr, "repeated_gpu_hours")),
				800 / 3600.0, 1e-9);
	ck_assert_double_eq_tol(json_real_value(json_object_get(ettr, "most")), 0.75, 1e-9);
	json_decref(root);
	free(told);
	told = ask(vectors[6].rows, "gpu --user root --json");
	root = json_loads(told, 0, NULL);
	ck_assert(json_is_null(json_object_get(json_object_get(root, "totals"), "ettr")));
	json_decref(root);
	free(told);
}
