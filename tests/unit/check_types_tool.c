/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway types, by what sacct, sinfo and squeue tell. */
#include "cli/common/tools.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"

#include <jansson.h>

#define HEADER                                                                                   \
	"JobID|State|ElapsedRaw|AllocTRES|ReqTRES|Partition|Constraints|JobName|AdminComment\n"
/* a run of S seconds in partition main on N GPUs of TYPE, of which it asked for any */
#define RUN(id, s, n, type) ROW(id, "COMPLETED", s, n, type, "")
#define ROW(id, state, s, n, type, comment)                                                      \
	id "|" state "|" s "|billing=4,cpu=4,gres/gpu:" type "=" n ",gres/gpu=" n                \
	   ",node=1|cpu=4,gres/gpu=" n ",node=1|main||x|" comment "\n"
#define BROKEN(id, type) ROW(id, "FAILED", "9", "1", type, "")
#define WIDE(id, type)	 RUN(id, "30", "16", type)
#define ENERGY(j) "leeway:dl=training leeway:gpu=n:1,util:50/90,mem:3/4G,idle:0,energy:" j

#define A100                                                                                     \
	ROW("1", "COMPLETED", "90", "1", "a100", ENERGY("3600"))                                 \
	ROW("2", "COMPLETED", "100", "1", "a100", ENERGY("10800")) RUN("3", "110", "1", "a100")
#define V100                                                                                     \
	RUN("4", "199", "1", "v100") RUN("5", "200", "1", "v100") RUN("6", "230", "1", "v100")
#define K80                                                                                      \
	RUN("7", "380", "1", "k80") RUN("8", "400", "1", "k80") RUN("9", "450", "1", "k80")

/* a100 is full, of v100 one node is down, k80 is in another partition */
#define NODES                                                                                    \
	"n1|main|allocated|gpu:a100:4(S:0-1)|gpu:a100:4(IDX:0,3)\n"                              \
	"n1|short|allocated|gpu:a100:4(S:0-1)|gpu:a100:4(IDX:0,3)\n"                             \
	"n2|main|mixed|gpu:V100:4,license:2|gpu:V100:1(IDX:0),license:0\n"                       \
	"n3|main|down*|gpu:v100:4|gpu:v100:0(IDX:N/A)\n"                                         \
	"n4|old|idle|gpu:k80:8|gpu:k80:0(IDX:N/A)\n"                                             \
	"n5|main|idle|(null)|(null)\n"
#define IDLE                                                                                     \
	"n1|main|idle|gpu:a100:4|gpu:a100:0(IDX:N/A)\nn2|main|idle|gpu:v100:4|gpu:v100:0\n"
#define WAITING                                                                                  \
	"11|Resources|cpu=1,gres/gpu:a100=1,gres/gpu=1\n"                                        \
	"12_[1-10]|Priority|cpu=1,gres/gpu:a100=2,gres/gpu=2\n"                                  \
	"13|JobHeldUser|cpu=1,gres/gpu:a100=2,gres/gpu=2\n"                                      \
	"14|Dependency|cpu=1,gres/gpu:v100=2,gres/gpu=2\n"                                       \
	"15|planned 12:00 on n1|cpu=1,gres/gpu=2\n16|Priority|cpu=1\n"

static char *said(const char *line, int wanted)
{
	int rc;
	char *told = scratch_complaint(lw_tools_types, line, &rc);

	ck_assert_msg(rc == wanted, "%s: %d: %s", line, rc, told);
	if (wanted)
		return told;
	ck_assert_str_eq(told, "");
	free(told);
	return scratch_read(scratch_path("out"));
}

static void three_answer(const char *rows, const char *nodes, const char *jobs)
{
	scratch_write("rows", rows);
	scratch_write("nodes", nodes);
	scratch_write("jobs", jobs);
	fake_command("sacct", "cat $d/rows");
	fake_command("sinfo", "cat $d/nodes");
	fake_command("squeue", "cat $d/jobs");
}

static const struct {
	const char *rows, *nodes, *jobs, *wanted; /* lines of it, blanks put together */
} tables[] = {
	/* the faster is full and others wait; what was never tried is said to be */
	{ A100 V100, NODES, WAITING,
	  "x, 1 GPU, partition main: asked for any type\n"
	  " type runs half by energy free waiting\n"
	  " a100 3 0:01:40 2.0 Wh 0 of 4 11\n"
	  " v100 3 0:03:20 - 3 of 8 0\n"
	  " k80 0 - - 8 of 8 0 never tried, in partition old\n"
	  " why on a100 it takes 50 % of the time on v100; 0 of 4 are free, 11 jobs wait for it "
	  "by name\n"
	  " ask for --gpus=1 (any type: it can start soonest), or if it may wait --gpus=a100:1\n"
	  "\nAsk in place of the lines --gres, --gpus and --nodes of the script.\n"
	  "waiting for GPUs of any type: 1 job\n" },
	/* one that is free is named; a third type is told of as well */
	{ A100 V100 K80, IDLE "n4|main|idle|gpu:k80:8|\n", "",
	  " why on a100 it takes 50 % of the time on v100, 25 % as long as on k80; 4 of 4 are "
	  "free, 0 jobs wait for it by name\n"
	  " ask for --gpus=a100:1\n" },
	/* in another partition */
	{ A100 K80, "n1|old|idle|gpu:k80:8|\nn4|so fast|idle|gpu:a100:8|\n", "",
	  " ask for --gpus=a100:1 --partition='so fast'\n" },
	{ RUN("1", "1", "1", "a100") RUN("2", "1", "1", "a100") RUN("3", "1", "1", "a100") K80,
	  "n1|main|idle|gpu:k80:8,gpu:a100:8|\n", "",
	  " why on a100 it takes less than 1 % of the time on k80; 8 of 8" },
	{ A100 K80, "n1|old|idle|gpu:k80:8|\nn4|fast|idle|gpu:a100:8|\n", "",
	  " ask for --gpus=a100:1 --partition=fast\n" },
	/* as fast as the fastest, and free */
	{ A100 K80 RUN("20", "95", "1", "v100") RUN("21", "105", "1", "v100")
		  RUN("22", "115", "1", "v100"),
	  NODES, WAITING, " ask for --gpus=v100:1\n" },
	/* two runs do not tell, nor do three that overlap */
	{ A100 RUN("4", "199", "1", "v100") RUN("5", "200", "1", "v100"), IDLE, "",
	  " why too few runs to compare: 3 on each of two types, none ended by its limit\n"
	  " ask for --gpus=1 (any type)\n" },
	{ A100 RUN("4", "109", "1", "v100") RUN("5", "200", "1", "v100")
		  RUN("6", "230", "1", "v100"),
	  IDLE, "",
	  " why run times differ more from run to run than between a100 and v100\n"
	  " ask for --gpus=1 (any type)\n" },
	{ RUN("1", "100", "1", "a100") RUN("2", "100", "1", "a100") RUN("3", "100", "1", "a100")
		  RUN("4", "100", "1", "v100") RUN("5", "100", "1", "v100")
		  RUN("6", "104", "1", "v100"),
	  IDLE, "", " why it takes as long on a100 as on v100\n" },
	/* nor one whose runs were ended; four GPUs are another kind of run */
	{ A100 V100 ROW("7", "TIMEOUT", "300", "1", "v100", ""), IDLE, "",
	  " v100 3 0:03:20 - 4 of 4 0 1 ended by the limit\n why too few runs" },
	{ A100 RUN("4", "30", "4", "v100") RUN("5", "30", "4", "v100") RUN("6", "31", "4", "v100"),
	  IDLE, "", "x, 4 GPUs, partition main: asked for any type\n" },
	{ A100 RUN("4", "30", "4", "v100") RUN("5", "30", "4", "v100") RUN("6", "31", "4", "v100"),
	  IDLE, "", " v100 3 0:00:30 - 4 of 4 0\n a100 0 - - 4 of 4 0 never tried\n why too few" },
	/* where it failed alone nobody is sent */
	{ A100 ROW("7", "FAILED", "9", "1", "v100", "")
		  ROW("8", "OUT_OF_MEMORY", "9", "1", "v100", ""),
	  IDLE, "",
	  " v100 0 - - 4 of 4 0 2 failed\n why too few runs to compare: 3 on each of two types, "
	  "none ended by its limit; on v100 2 of 2 failed\n ask for --gpus=a100:1\n" },
	/* nor where more failed than ended well */
	{ V100 A100 BROKEN("30", "a100") BROKEN("31", "a100") BROKEN("32", "a100")
		  BROKEN("33", "a100"),
	  IDLE, "",
	  "none ended by its limit; on a100 4 of 7 failed\n ask for --gpus=v100:1\n" },
	{ V100 BROKEN("30", "v100") A100, IDLE, "", " ask for --gpus=a100:1\n" },
	/* what failed everywhere */
	{ BROKEN("1", "a100") BROKEN("2", "a100") BROKEN("3", "v100")
		  ROW("4", "TIMEOUT", "9", "1", "v100", ""),
	  IDLE, "",
	  " why none ended well: on a100 2 of 2 failed, on v100 1 of 2 failed; types cannot tell "
	  "why\n ask for nothing else yet: see first why it failed\n" },
	/* once is no habit */
	{ A100 ROW("7", "FAILED", "9", "1", "v100", ""), IDLE, "",
	  " ask for --gpus=1 (any type)\n" },
	{ A100, "n1|main|idle|gpu:a100:4|\n", "",
	  " why all GPUs with a type in partition main are a100\n ask for --gpus=1 (any type)\n" },
	{ A100, "n1|main|idle|gpu:4|gpu:(null):0(IDX:N/A)\n", "",
	  " a100 3 0:01:40 2.0 Wh - 0 not there now\n why no GPUs with a type are there now\n" },
	/* no more than there are, of one type and in all */
	{ WIDE("1", "v100") WIDE("2", "v100") WIDE("3", "v100") WIDE("4", "v100"),
	  "n1|main|idle|gpu:a100:8|\nn2|main|idle|gpu:v100:8|\n", "",
	  " v100 4 0:00:30 - 8 of 8 0 8 only\n a100 0 - - 8 of 8 0 never tried, 8 only\n"
	  " why too few runs to compare: 3 on each of two types, none ended by its limit\n"
	  " ask for --gpus=16 (any type)\n" },
	{ WIDE("1", "v100"), "n1|main|idle|gpu:a100:4|\nn2|main|idle|gpu:v100:8|\n", "",
	  "none ended by its limit; there are fewer GPUs than 16\n"
	  " ask for nothing of these: fewer GPUs\n" },
	{ WIDE("1", "v100"), "n1|main|idle|gpu:a100:4,gpu:8|\nn2|main|idle|gpu:v100:8|\n", "",
	  " ask for --gpus=16 (any type)\n" },
	/* nor on nodes that take no jobs, nor where all CPUs are held */
	{ A100 V100, "n1|main|drained|gpu:a100:4|\nn2|main|idle|gpu:v100:4|\n", "",
	  " a100 3 0:01:40 2.0 Wh 0 of 4 0 none on nodes that take jobs\n"
	  " v100 3 0:03:20 - 4 of 4 0\n why too few runs to compare: 3 on each of two types, none "
	  "ended by its limit\n ask for --gpus=1 (any type)\n" },
	{ A100 V100, "n1|main|allocated|gpu:a100:4|\nn2|main|mixed|gpu:v100:4|gpu:v100:1\n", "",
	  " a100 3 0:01:40 2.0 Wh 0 of 4 0\n v100 3 0:03:20 - 3 of 4 0\n" },
	/* names of MIG, of any case; who asked by name, or by a constraint */
	{ "1|COMPLETED|60|gres/gpu:nvidia_h100_1g.10gb=1,gres/gpu=1|gres/gpu:nvidia_h100_1g.10gb=1,"
	  "gres/gpu=1|main|big&fast|x|\n",
	  "n1|main|idle|gpu:H100:1,gpu:NVIDIA_h100_1g.10gb:7(S:0)|gpu:H100:0,"
	  "gpu:NVIDIA_h100_1g.10gb:3(IDX:0-2)\n",
	  "",
	  "x, 1 GPU, partition main: asked for nvidia_h100_1g.10gb, with --constraint=big&fast\n"
	  " type runs half by energy free waiting\n"
	  " nvidia_h100_1g.10gb\n 1 0:01:00 - 4 of 7 0\n H100 0 - - 1 of 1 0 never tried\n" },
	/* two types in one job, or none that accounting keeps */
	{ "1|COMPLETED|60|gres/gpu=2,gres/gpu:a100=1,gres/gpu:v100=1|gres/gpu=2|main||x|\n"
	  "2|COMPLETED|60|gres/gpu=2|gres/gpu=2|main||x|\n",
	  IDLE, "",
	  " a100 0 - - 4 of 4 0 1 on it and others\n v100 0 - - 4 of 4 0 1 on it and others\n"
	  " 2 more on several types, or of which accounting keeps no type\n" },
	{ "1|COMPLETED|60|gres/gpu=2,gres/gpu:a100=1,gres/gpu:v100=1|"
	  "gres/gpu:a100=1,gres/gpu:v100=1|main||x|\n",
	  IDLE, "", "partition main: asked for a100 and v100\n" },
	/* on several nodes */
	{ "1|COMPLETED|60|gres/gpu=8,gres/gpu:a100=8,node=2|gres/gpu=8|main||x|\n"
	  "2|COMPLETED|60|gres/gpu=8,gres/gpu:a100=8,node=1|gres/gpu=8|main||x|\n",
	  "n1|main|idle|gpu:a100:8|\nn2|main|idle|gpu:a100:8|\n", "",
	  "x, 8 GPUs on 2 nodes, partition main: asked for any type\n type runs half by energy "
	  "free waiting\n a100 1 0:01:00 - 16 of 16 0\n why all GPUs with a type in partition main "
	  "are a100\n ask for --gpus=8 --nodes=2 (any type)\n\n" },
	{ A100, IDLE, "",
	  "\n\nAsk in place of the lines --gres, --gpus and --nodes of the script.\n" },
	{ "2|COMPLETED|60|gres/gpu=2|gres/gpu=2|main||x|\n", IDLE, "",
	  "x, 2 GPUs, partition main: asked for a type that accounting does not keep, or none\n" },
	/* of a name with a bar, energy of half of its GPUs, company on the GPU, parts, no GPUs */
	{ "1|COMPLETED|60|gres/gpu:a100=2,gres/gpu=2|gres/gpu=2|main||a|b|leeway:gpu=n:2,util:5/9,"
	  "mem:-,idle:0,energy:3600/1\n",
	  IDLE, "", "a|b, 2 GPUs, partition main: asked for any type\n type runs half by energy "
		    "free waiting\n a100 1 0:01:00 - 4 of 4 0\n" },
	{ ROW("1", "COMPLETED", "60", "1", "a100",
	      "leeway:gpu=n:1,util:-,mem:-,idle:0,shared:1,with:9")
	  "2|COMPLETED|60|cpu=1|cpu=1|main||x|\n3|COMPLETED|60|cpu=1,gres/shard=2||main||x|\n"
	  ROW("4", "CANCELLED by 7", "60", "1", "a100", "")
	  ROW("5", "RUNNING", "6", "1", "a100", "")
	  ROW("6", "NODE_FAIL", "60", "1", "a100", ""),
	  IDLE, "", "no job of yours with GPUs of its own ended in that time\n" },
	{ "", "", "", "no job of yours with GPUs of its own ended in that time\n" },
};

/* Runs of blanks in TEXT become one. */
static void put_together(char *text)
{
	char *to = text;

	for (const char *at = text; *at; at++)
		if (*at != ' ' || at == text || at[-1] != ' ')
			*to++ = *at;
	*to = '\0';
}

FIXTURE(fake_setup, fake_teardown);

TEST_EACH(types_are_told, LW_COUNT_OF(tables))
{
	char rows[4096], *out;

	snprintf(rows, sizeof(rows), HEADER "%s", tables[_i].rows);
	three_answer(rows, tables[_i].nodes, tables[_i].jobs);
	out = said("types", 0);
	put_together(out);
	ck_assert_msg(strstr(out, tables[_i].wanted) != NULL, "no \"%s\" in:\n%s",
		      tables[_i].wanted, out);
	free(out);
}

TEST(one_name_is_told_alone)
{
	char *out;

	three_answer(HEADER A100, IDLE, "");
	out = said("types y", 0);
	ck_assert_str_eq(out, "no job y of yours with GPUs of its own ended in that time\n");
	free(out);
	out = said("types --user bob y", 0);
	ck_assert_str_eq(out, "no job y of user bob with GPUs of its own ended in that time\n");
	free(out);
	out = said("types x", 0);
	ck_assert_ptr_nonnull(strstr(out, "x, 1 GPU,"));
	free(out);
}

/* The kind with most jobs comes first. */
TEST(kinds_are_in_order)
{
	char *out;

	three_answer(HEADER RUN("1", "9", "2", "a100") A100, IDLE, "");
	out = said("types", 0);
	ck_assert_int_eq(strncmp(out, "x, 1 GPU,", 9), 0);
	ck_assert_ptr_nonnull(strstr(out, "\n\nx, 2 GPUs,"));
	free(out);
}

TEST(the_kinds_with_most_jobs_are_shown)
{
	char rows[8192] = HEADER, *out;

	for (int i = 1; i <= 22; i++)
		snprintf(rows + strlen(rows), sizeof(rows) - strlen(rows),
			 "%d|COMPLETED|9|gres/gpu:a100=1,gres/gpu=1,node=1|gres/gpu=1|main||k%d|\n",
			 i, i);
	three_answer(rows, IDLE, "");
	out = said("types", 0);
	ck_assert_ptr_nonnull(strstr(out, "\nand 2 more with fewer jobs: leeway types NAME,"));
	free(out);
}

static const struct {
	const char *rows, *nodes, *jobs, *told;
	int rc;
} rubbish[] = {
	{ HEADER A100 "7|COMPLETED|ten|gres/gpu=1|||||\n8|COMPLETED\n"
		      "9|COMPLETED|10|gres/gpu=many|||||\n",
	  IDLE, "", "leeway types: 3 of 6 rows of sacct cannot be read and are left out\n", 0 },
	{ HEADER "1|COMPLETED|-1|gres/gpu=1|||||\n", IDLE, "",
	  "nothing that sacct printed can be read", LW_TOOLS_FAILED },
	{ "", IDLE, "", "not even a header line", LW_TOOLS_FAILED },
	{ "JobID|State|ElapsedRaw\n1|COMPLETED|9\n", IDLE, "", "no column AllocTRES",
	  LW_TOOLS_FAILED },
	{ HEADER A100, "<html>\n", "", "nothing that sinfo printed can be read", LW_TOOLS_FAILED },
	{ HEADER A100, IDLE, "x|y|z\n", "nothing that squeue printed can be read",
	  LW_TOOLS_FAILED },
	{ HEADER A100, IDLE, "x|y|z\n11|Resources|gres/gpu:a100=1\n", "1 of 2 rows of squeue", 0 },
};

TEST_EACH(rubbish_is_told, LW_COUNT_OF(rubbish))
{
	char *told;
	int rc;

	three_answer(rubbish[_i].rows, rubbish[_i].nodes, rubbish[_i].jobs);
	told = scratch_complaint(lw_tools_types, "types", &rc);
	ck_assert_msg(rc == rubbish[_i].rc && strstr(told, rubbish[_i].told), "%d: %s", rc, told);
	free(told);
}

TEST(slurm_is_asked_for_these)
{
	char *asked;

	three_answer(HEADER, "", "");
	free(said("types --user u2 --since 7d", 0));
	asked = scratch_read(scratch_path("sacct.asked"));
	ck_assert_ptr_nonnull(strstr(asked, "-S now-604800seconds -u u2 -o JobID,State,"));
	free(asked);
	asked = scratch_read(scratch_path("squeue.asked"));
	ck_assert_ptr_nonnull(strstr(asked, "-a -t PENDING"));
	free(asked);
}

TEST(there_is_json)
{
	json_t *root, *kind, *type;
	char *out;

	three_answer(HEADER A100 V100, NODES, WAITING);
	out = said("types --json", 0);
	root = json_loads(out, 0, NULL);
	ck_assert_str_eq(json_string_value(json_object_get(root, "schema")), "leeway.types");
	ck_assert_int_eq(json_integer_value(json_object_get(root, "waiting_any")), 1);
	kind = json_array_get(json_object_get(root, "kinds"), 0);
	ck_assert_str_eq(json_string_value(json_object_get(kind, "asked_type")), "");
	ck_assert_str_eq(json_string_value(json_object_get(kind, "advice")), "faster");
	ck_assert_str_eq(json_string_value(json_object_get(kind, "advised_type")), "a100");
	ck_assert(json_is_true(json_object_get(kind, "advised_any")));
	ck_assert_int_eq(json_array_size(json_object_get(kind, "types")), 3);
	type = json_array_get(json_object_get(kind, "types"), 0);
	ck_assert_int_eq(json_integer_value(json_object_get(type, "p50_s")), 100);
	ck_assert_int_eq(json_integer_value(json_object_get(type, "waiting")), 11);
	ck_assert_int_eq((int)json_real_value(json_object_get(type, "energy_j")), 7200);
	type = json_array_get(json_object_get(kind, "types"), 2);
	ck_assert(json_is_null(json_object_get(type, "p50_s")));
	ck_assert_str_eq(json_string_value(json_object_get(type, "partition")), "old");
	json_decref(root);
	free(out);
}

static void refused(const char *line, int wanted, const char *part)
{
	char *told = said(line, wanted);

	ck_assert_msg(strstr(told, part) != NULL, "no %s in: %s", part, told);
	free(told);
}

TEST(failures_are_told)
{
	three_answer(HEADER A100, IDLE, "");
	refused("types a b", LW_TOOLS_USAGE, "job name");
	refused("types --since 0", LW_TOOLS_USAGE, "--since");
	fake_command("squeue", "echo 'no slurmctld' >&2; exit 1");
	refused("types", LW_TOOLS_FAILED, "no slurmctld");
	fake_command("sinfo", "echo 'no nodes' >&2; exit 1");
	refused("types", LW_TOOLS_FAILED, "no nodes");
	fake_command("sacct", "echo 'no slurmdbd' >&2; exit 1");
	refused("types", LW_TOOLS_FAILED, "no slurmdbd");
}
