/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway size, by what sacct tells. */
#include "cli/common/tools.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"

#include <ctype.h>
#include <jansson.h>
#include <string.h>

#define HEADER                                                                                   \
	"JobID|State|ElapsedRaw|Submit|Start|NNodes|AllocTRES|Comment|AdminComment|JobName\n"
#define ROW(state, s, wait, n, said, word)                                                       \
	"1|" state "|" s "|1000000|" wait "|1|cpu=4,gres/gpu:a100=" n ",gres/gpu=" n             \
	",node=1|" said "|" word "|x\n"
/* A run of S seconds on N GPUs, which started at START. */
#define RUN(s, start, n)         ROW("COMPLETED", s, start, n, "", "")
#define THREE(a, b, c, start, n) RUN(a, start, n) RUN(b, start, n) RUN(c, start, n)
/* 0 to STEP of OF from 1000100 to 1001100. */
#define SAID(n, step, of)                                                                        \
	ROW("TIMEOUT", "1100", "1000000", n,                                                     \
	    "leeway:progress=" step of ",at:1001100,from:0,since:1000100", "")
#define THRICE(n, step, of) SAID(n, step, of) SAID(n, step, of) SAID(n, step, of)

#define ONE   THREE("8000", "8000", "8080", "1000060", "1")
#define TWO   THREE("4100", "4200", "4240", "1000120", "2")
#define FOUR  THREE("2300", "2400", "2400", "1000600", "4")
#define EIGHT THREE("1900", "2000", "2000", "1007200", "8")

static const struct {
	const char *rows, *wanted; /* lines of it, blanks put together */
} tables[] = {
	{ ONE TWO FOUR EIGHT,
	  "x on a100, the time of a run that ended well\n"
	  " GPUs runs half by speed-up effic. GPU-h wait half\n"
	  " 1 3 2:13:20 1.00 100 % 2.22 0:01:00\n"
	  " 2 3 1:10:00 1.90 95 % (94-99) 2.33 0:02:00\n"
	  " 4 3 0:40:00 3.33 83 % (83-88) 2.67 0:10:00 <\n"
	  " 8 3 0:33:20 4.00 50 % (50-53) 4.44 2:00:00\n"
	  " advice 4 GPUs: 3.3 times as fast as 1, 83 % efficient; 8 are 1.2 times as fast as "
	  "that, for 1.7 times the GPU-hours\n"
	  " how likely: three of four runs agree, if each run did the same work\n" },
	/* all make good use: what twice as many would do is estimated of three sizes, not of two
	 */
	{ ONE TWO FOUR,
	  " advice 4 GPUs: 3.3 times as fast as 1, 83 % efficient, the largest that was run; of 8 "
	  "about 59 % is expected\n" },
	{ ONE TWO,
	  " advice 2 GPUs: 1.9 times as fast as 1, 95 % efficient, the largest that was run\n" },
	/* none does */
	{ ONE EIGHT,
	  " advice 1 GPU: no larger size makes good use of its GPUs; 8 are 4.0 times as "
	  "fast as that, for 2.0 times the GPU-hours\n" },
	/* waits that outweigh it */
	{ ONE THREE("4100", "4200", "4240", "1090000", "2"),
	  "; with the waits that there were 1 GPU would be done first\n" },
	/* two runs are a guess, and three that differ are not sure */
	{ ONE RUN("4200", "1000120", "2") RUN("4200", "1000120", "2"),
	  " how a guess: fewer than 3 runs at a size that decides, if each run did the same "
	  "work\n" },
	{ ONE THREE("2000", "5000", "9000", "1000120", "2"),
	  " how unsure: runs of one size differ so much that it may be another, if each run did" },
	{ ONE,
	  " 1 3 2:13:20 1.00 100 % 2.22 0:01:00\n advice not known: only one size was run, 1 "
	  "GPU\n" },
	{ ROW("FAILED", "9", "1000000", "2", "", ""),
	  " advice not known: only one size was run, 2 GPUs, and no run ended well\n" },
	{ ROW("FAILED", "9", "1000000", "2", "", "") ROW("FAILED", "9", "1000000", "4", "", ""),
	  " advice not known: of no two sizes a run ended well, or told its progress\n" },
	/* progress tells more than run times, and all of a job more than a step of it */
	{ ONE TWO THRICE("1", "100", "") THRICE("2", "120", ""),
	  "x on a100, the time of one step, by the jobs' progress\n"
	  " GPUs runs half by speed-up effic. GPU-h wait half\n"
	  " 1 3 10 s 1.00 100 % 0.00278 0 s <\n"
	  " 2 3 8.33 s 1.20 60 % (60-60) 0.00463 0 s\n" },
	/* twice the batch is half of the steps */
	{ THRICE("1", "100", "/1000") THRICE("2", "90", "/500"),
	  "x on a100, the time of all steps of a job, by its progress\n"
	  " GPUs runs half by speed-up effic. GPU-h wait half\n"
	  " 1 3 2:46:40 1.00 100 % 2.78 0 s\n"
	  " 2 3 1:32:36 1.80 90 % (90-90) 3.09 0 s <\n"
	  " advice 2 GPUs: 1.8 times as fast as 1, 90 % efficient, the largest that was run\n"
	  " how likely: three of four runs agree\n" },
	/* a word of an earlier run, and one of less than a minute, tell nothing */
	{ ROW("TIMEOUT", "1100", "1000900", "1",
	      "leeway:progress=9,at:1001100,from:0,since:1000100", "")
		  ROW("TIMEOUT", "1100", "1000000", "1",
		      "leeway:progress=9,at:1000130,from:0,since:1000100", ""),
	  " advice not known: only one size was run, 1 GPU, and no run ended well\n" },
	/* beside others on its GPU, or with a part of one */
	{ ROW("COMPLETED", "9", "1000000", "1", "",
	      "leeway:gpu=n:1,util:9/9,mem:1/1G,idle:0,shared:1,with:12"),
	  "no job of yours started in that time\n" },
	{ "1|COMPLETED|9|1000000|1000000|1|cpu=1,gres/shard=1|||x\n",
	  "no job of yours started in that time\n" },
	/* without GPUs by nodes */
	{ "1|COMPLETED|900|1000000|1000000|1|cpu=1|||y\n"
	  "2|COMPLETED|500|1000000|1000000|2|cpu=2|||y\n",
	  "y, the time of a run that ended well\n nodes runs half by speed-up effic. node-h wait "
	  "half\n" },
	{ "1|PENDING|0|1000000|Unknown|1||||x\n", "no job of yours started in that time\n" },
};

FIXTURE(fake_setup, fake_teardown);

static void answer(const char *rows)
{
	char text[8192];

	ck_assert_int_lt(snprintf(text, sizeof(text), "%s%s", HEADER, rows), (int)sizeof(text));
	scratch_write("rows", text);
	fake_command("sacct", "cat $d/rows");
}

/* Blanks in a row become one; those at the end of a line go. */
static char *squeeze(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		if (*from == ' ' && (from[1] == ' ' || from[1] == '\n'))
			continue;
		*to++ = *from;
	}
	*to = '\0';
	return text;
}

TEST_EACH(sizes_are_compared, LW_COUNT_OF(tables))
{
	char *told;

	answer(tables[_i].rows);
	ck_assert_int_eq(scratch_call(lw_tools_size, "size"), LW_TOOLS_OK);
	told = squeeze(scratch_read(scratch_path("out")));
	ck_assert_msg(strstr(told, tables[_i].wanted) != NULL, "%s", told);
	free(told);
}

TEST(one_name_alone)
{
	char *told;

	answer(ONE TWO);
	ck_assert_int_eq(scratch_call(lw_tools_size, "size z --user root"), LW_TOOLS_OK);
	told = scratch_read(scratch_path("out"));
	ck_assert_str_eq(told, "no job z of user root started in that time\n");
	free(told);
	told = scratch_read(scratch_path("sacct.asked"));
	ck_assert_msg(strstr(told, "-S now-2592000seconds -u root -o ") != NULL, "%s", told);
	free(told);
}

TEST(sizes_are_in_json)
{
	const json_t *kind, *size;
	json_t *root;

	answer(ONE TWO FOUR EIGHT);
	ck_assert_int_eq(scratch_call(lw_tools_size, "size --json"), LW_TOOLS_OK);
	root = json_load_file(scratch_path("out"), 0, NULL);
	ck_assert_str_eq(json_string_value(json_object_get(root, "schema")), "leeway.size");
	kind = json_array_get(json_object_get(root, "kinds"), 0);
	ck_assert_str_eq(json_string_value(json_object_get(kind, "advice")), "middle");
	ck_assert_str_eq(json_string_value(json_object_get(kind, "work")), "run");
	ck_assert_str_eq(json_string_value(json_object_get(kind, "sure")), "sure");
	ck_assert_int_eq(json_integer_value(json_object_get(kind, "advised")), 4);
	ck_assert_int_eq(json_integer_value(json_object_get(kind, "soonest")), 4);
	ck_assert(json_is_null(json_object_get(kind, "twice_efficiency")));
	ck_assert(json_real_value(json_object_get(json_object_get(kind, "fit"), "shared_s")) >
		  7000);
	size = json_array_get(json_object_get(kind, "sizes"), 3);
	ck_assert_double_eq_tol(json_real_value(json_object_get(size, "efficiency")), 0.5, 1e-9);
	ck_assert_double_eq_tol(json_real_value(json_object_get(size, "wait_p50_s")), 7200, 1e-9);
	json_decref(root);
	answer(ONE);
	ck_assert_int_eq(scratch_call(lw_tools_size, "size --json"), LW_TOOLS_OK);
	root = json_load_file(scratch_path("out"), 0, NULL);
	kind = json_array_get(json_object_get(root, "kinds"), 0);
	ck_assert_str_eq(json_string_value(json_object_get(kind, "advice")), "unknown");
	ck_assert(json_is_null(json_object_get(kind, "advised")));
	ck_assert(json_is_null(json_object_get(kind, "fit")));
	json_decref(root);
}
