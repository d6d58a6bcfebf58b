/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the commands as a script calls them: exit codes, and what is told. */
#include "cli/common/tools.h"
#include "lab/history/evaluate.h"
#include "record/access.h"
#include "record/record.h"
#include "unit/scratch.h"
#include "unit/tool_files.h"
#include "unit/unit.h"

#include <jansson.h>
#include <limits.h>
#include <sys/stat.h>

#define SACCT(submit, start, end) \
	"JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES\n" \
	"1|" submit "|" start "|" end "|COMPLETED|1|2|cpu=2,node=1\n"

#define SACCT_LIMIT(limit) \
	"JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES|TimelimitRaw\n" \
	"1|100|110|120|COMPLETED|1|2|cpu=2,node=1|" limit "\n"

/* Two types of GPUs and two sets of nodes. */
#define TYPED \
	"lw-snapshot 1\nnow 1000\npolicy easy\ngpu-type 0 a100\ngpu-type 1 v100\n" \
	"node 0 n1 cpus=8 gpu:a100=4\nnode 1 n2 cpus=8 gpu:v100=4\nset 0 all 0-1\n" \
	"set 1 first 0\n"

/* One type more than are told apart. */
#define SIXTEEN_TYPES \
	"a:1-2 b:1-2 c:1-2 d:1-2 e:1-2 f:1-2 g:1-2 h:1-2 i:1-2 j:1-2 k:1-2 l:1-2 m:1-2 " \
	"n:1-2 o:1-2 p:1-2 "

/* The first % of OPTIONS, if any, stands for the input. */
static const struct {
	int (*command)(int, char **);
	const char *options, *input;
	int result;
	const char *told; /* a part of it */
} refused[] = {
	{ lw_tools_place, "place % --most 0", snapshot, LW_TOOLS_USAGE, "--most: \"0\"" },
	{ lw_tools_place, "place % --gpu-type bogus", TYPED, LW_TOOLS_FAILED,
	  "/input: no GPUs of type bogus; there are a100 and v100\n" },
	{ lw_tools_place, "place % --gpu-type A100", TYPED, LW_TOOLS_OK, "" },
	{ lw_tools_place, "place % --set bogus", TYPED, LW_TOOLS_FAILED,
	  "/input: no set bogus; there are all and first\n" },
	{ lw_tools_place, "place % --gpu-type bogus",
	  "lw-snapshot 1\nnow 1000\npolicy easy\nnode 0 n1 cpus=8\nset 0 all 0\n",
	  LW_TOOLS_FAILED, "/input: no GPUs of type bogus, nor any other\n" },
	{ lw_tools_place, "place % --nodes 0", snapshot, LW_TOOLS_USAGE, "--nodes: \"0\"" },
	{ lw_tools_replay, "replay --policy best %", snapshot, LW_TOOLS_USAGE,
	  "--policy: \"best\"" },
	{ lw_tools_replay, "replay -r 3 %", snapshot, LW_TOOLS_USAGE, "--relax: \"3\"" },
	{ lw_tools_replay, "replay -p leeway -r 0.1 %", snapshot, LW_TOOLS_USAGE,
	  "--relax and --relax-cap are of relaxed and adaptive, and the policy is leeway" },
	{ lw_tools_replay, "replay -p easy --relax-cap 1h %", snapshot, LW_TOOLS_USAGE,
	  "are of relaxed and adaptive, and the policy is easy" },
	{ lw_tools_replay, "replay -p relaxed --slack 0.1 %", snapshot, LW_TOOLS_USAGE,
	  "--slack and --slack-cap are of leeway, and the policy is relaxed" },
	{ lw_tools_sim, "sim % --json /tmp/figures", trace_text, LW_TOOLS_USAGE,
	  "(the file of --json is written --json=FILE)" },
	{ lw_tools_history, "history evaluate % -o x", trace_text, LW_TOOLS_USAGE,
	  "--output belongs to import; JSON goes to a file with --json=FILE" },
	{ lw_tools_workload, "workload --sacct % more", "", LW_TOOLS_USAGE,
	  "--sacct has its file: \"more\" is one more" },
	{ lw_tools_gpu, "gpu 12_3 --dir %", "", LW_TOOLS_USAGE, "\"12_3\" is no raw job id" },
	{ lw_tools_gpu, "gpu publish 0 --dir %", "", LW_TOOLS_USAGE, "\"0\" is no raw job id" },
	/* what is in a file tells the terminal nothing */
	{ lw_tools_sim, "sim %", "; MaxProcs: 4\n" SWF("\x1b[2J\a"), LW_TOOLS_FAILED,
	  ":2: field 2 (submit time): \"?[2J?\" is" },
	{ lw_tools_workload, "workload --sacct %", SACCT("\x1b]0;x\a", "1", "2"), LW_TOOLS_FAILED,
	  ":2: Submit \"?]0;x?\" is no time" },
	{ lw_tools_history, "history import --sacct % -o /dev/null",
	  HISTORY "1|7|p|60|60|COMPLETED|2026-02-30T00:00:00|1|\n", LW_TOOLS_FAILED,
	  ":2: End: \"2026-02-30T00:00:00\" is not what sacct prints" },
	{ lw_tools_workload, "workload % --nodes 4",
	  "; MaxProcs: 4\n" SWF("0") SWF("999999999999"), LW_TOOLS_FAILED,
	  "/input: jobs a hundred years after the start" },
	{ lw_tools_sim, "sim /dev/full", "", LW_TOOLS_FAILED, "/dev/full: not a text file" },
	{ lw_tools_replay, "replay /dev/zero", "", LW_TOOLS_FAILED, "/dev/zero: not a text" },
	{ lw_tools_sim, "sim % --jobs 4294967297:4294968298", trace_text, LW_TOOLS_USAGE,
	  "\"4294967297:4294968298\" is not A:B" },
	{ lw_tools_sim, "sim %", "\n" SWF("99999999999999999999"), LW_TOOLS_FAILED,
	  ":2: field 2 (submit time): 99999999999999999999 is out of range" },
	{ lw_tools_sim, "sim % -q", "; MaxProcs: 1\n" SWF("0"), LW_TOOLS_FAILED,
	  ": no job to simulate: 1 wider than the machine" },
	{ lw_tools_sim, "sim % -q --jobs 2:9", trace_text, LW_TOOLS_FAILED,
	  ": no job to simulate: there is none at the places 2 to 9" },
	{ lw_tools_sim, "sim % --nodes 1 --cpus-per-node 1",
	  "#lw-workload 1\n0\t1\t1\t0\t2\t0\t60\t5\t-\t-\thpc\ta\n", LW_TOOLS_FAILED,
	  ": no job to simulate: 1 wider than the machine" },
	{ lw_tools_sim, "sim % --nodes 10 --racks 7", trace_text, LW_TOOLS_USAGE,
	  "--racks: 10 nodes are too few for 7 racks of equally many" },
	{ lw_tools_workload, "workload --sacct %",
	  SACCT("2026-01-01T00:00:00", "someday", "2026-01-01T01:00:00"), LW_TOOLS_FAILED,
	  ":2: Start \"someday\" is no time" },
	{ lw_tools_workload, "workload --sacct %",
	  SACCT("2026-01-01T00:00:00", "None", "Tomorrow"), LW_TOOLS_FAILED,
	  ":2: End \"Tomorrow\" is no time" },
	{ lw_tools_workload, "workload --sacct %", SACCT_LIMIT("1-0"), LW_TOOLS_FAILED,
	  ":2: TimelimitRaw \"1-0\" is no number of minutes, UNLIMITED or Partition_Limit" },
	{ lw_tools_workload, "workload --lenient --sacct %", SACCT_LIMIT("abc"), LW_TOOLS_FAILED,
	  "1 bad lines skipped, the first is line 2: TimelimitRaw \"abc\"" },
	{ lw_tools_history, "history import --sacct % -o /dev/null", HISTORY RUN("1", "abc"),
	  LW_TOOLS_FAILED, ":2: TimelimitRaw: \"abc\" is not what sacct prints" },
	{ lw_tools_history, "history import --sacct % -o /dev/null", HISTORY RUN("1", "INFINITE"),
	  LW_TOOLS_FAILED, ":2: TimelimitRaw: \"INFINITE\" is not what sacct prints" },
	{ lw_tools_generate, "generate --model dl --jobs 5 --load 1 --hpc-share 0.5", "",
	  LW_TOOLS_USAGE, "--hpc-share is of --model mix" },
	{ lw_tools_generate, "generate --model dl --jobs 5 --load 1 --chain-early 0.5", "",
	  LW_TOOLS_USAGE, "--chain-fails: of how many? give --chains" },
	{ lw_tools_generate, "generate --model dl --jobs 5 --load 1 --chains 1 --chain-nodes 17",
	  "", LW_TOOLS_USAGE, "--chain-nodes: the machine has 16 nodes: see --nodes" },
	{ lw_tools_generate, "generate --model dl --jobs 5 --load 1 --chains 1 --chain-limit 0s",
	  "", LW_TOOLS_USAGE, "--chain-limit: a job of no time is none" },
	{ lw_tools_generate, "generate --model dl --jobs 0 --span 1h", "", LW_TOOLS_USAGE,
	  "--jobs: \"0\" is not a whole number of 1 to" },
	{ lw_tools_generate, "generate --model dl --jobs 5 --load 1 --recipes %", "garbage\n",
	  LW_TOOLS_FAILED, "/input:1: wants one document" },
	{ lw_tools_replay, "replay %", "", LW_TOOLS_FAILED, "/input: the file is empty\n" },
	{ lw_tools_place, "place % --job 1", "", LW_TOOLS_FAILED, "/input: the file is empty\n" },
	{ lw_tools_sim, "sim %", "", LW_TOOLS_FAILED, "/input: the file is empty\n" },
	{ lw_tools_sim, "sim % --nodes 4", "", LW_TOOLS_FAILED, "/input: the file is empty\n" },
	{ lw_tools_workload, "workload % --nodes 4", "", LW_TOOLS_FAILED,
	  ": the file is empty\n" },
	{ lw_tools_history, "history import --swf % -o /dev/null", "", LW_TOOLS_FAILED,
	  "/input: the file is empty\n" },
	{ lw_tools_history, "history import --sacct % -o /dev/null", "", LW_TOOLS_FAILED,
	  "/input:1: empty: not even a header line\n" },
	{ lw_tools_history, "history import --sacct % -o /dev/null", RUN("1", "10"),
	  LW_TOOLS_FAILED, "/input:1: no header line" },
	{ lw_tools_sim, "sim % --json - --schedule -", trace_text, LW_TOOLS_USAGE,
	  "standard output: one thing only" },
	{ lw_tools_sim, "sim % --print jobs --json -", trace_text, LW_TOOLS_USAGE,
	  "standard output: one thing only" },
	{ lw_tools_sim, "sim % --compare --html - --svg -", trace_text, LW_TOOLS_USAGE,
	  "standard output: one thing only" },
	{ lw_tools_sim, "sim % --compare --policies easy:rlax=0.1", trace_text, LW_TOOLS_USAGE,
	  "in \"easy:rlax=0.1\": a policy has no option \"rlax\"; there are runtime, order, " },
	{ lw_tools_sim,
	  "sim % --compare --policies leeway:runtime=predicted:order=fcfs:backfill-order=shortest:"
	  "hold=no:placement=stock",
	  trace_text, LW_TOOLS_USAGE, ": 79 bytes at most name a policy: give LABEL=NAME:" },
	{ lw_tools_sim, "sim % --compare --schedule x", trace_text, LW_TOOLS_USAGE,
	  "--compare: --schedule, --jobs-csv and --outlook are of one policy" },
	{ lw_tools_sim, "sim %", "; MaxProcs: many\n" SWF("0"), LW_TOOLS_FAILED,
	  ": no MaxProcs of 1 to 4294967295 in the header: give --nodes" },
	{ lw_tools_workload, "workload % --cpus-per-node 0", trace_text, LW_TOOLS_USAGE,
	  "--cpus-per-node: \"0\"" },
	{ lw_tools_workload, "workload % --nodes 1 --cpus-per-node 1", trace_text,
	  LW_TOOLS_FAILED, ": no job is left: 1 wider than the machine, 0 without processors" },
	{ lw_tools_workload, "workload % --nodes 1 --day 2", trace_text, LW_TOOLS_FAILED,
	  ": no job in that window" },
	{ lw_tools_workload, "workload --sacct %", "JobID|Submit\n", LW_TOOLS_FAILED,
	  ":1: no column Start: print it with sacct --allusers --allocations --parsable2 "
	  "--format=JobID,Submit,Start,End,State," },
	{ lw_tools_sim, "sim % --slack-cap 45", trace_text, LW_TOOLS_USAGE,
	  "--slack-cap: \"45\" has no unit: 45s, which are seconds, or 45m, minutes?" },
	{ lw_tools_sim, "sim % --compare --policies leeway:slack-cap=45", trace_text,
	  LW_TOOLS_USAGE, "--slack-cap: \"45\" has no unit" },
	{ lw_tools_gpu, "gpu --user 0 --sacct % --since 7", "", LW_TOOLS_USAGE,
	  "--since: \"7\" has no unit" },
	{ lw_tools_bench, "bench --json=% --growth --pending 5", "", LW_TOOLS_USAGE,
	  "--growth has sizes of its own" },
	{ lw_tools_history, "history import --swf % -o /no/such/file", "no trace",
	  LW_TOOLS_FAILED, "/no/such/file: cannot write" },
	{ lw_tools_gpu, "gpu --user 0 --sacct % --window 2h", "", LW_TOOLS_USAGE,
	  "--window, --util-below, --mem-below and --now belong to --idle" },
	{ lw_tools_sim, "sim --suspend-after 10m %", trace_text, LW_TOOLS_USAGE,
	  "--config, --suspend-after and --factors need --energy" },
	{ lw_tools_sim, "sim --energy --resume-delay 5m %", trace_text, LW_TOOLS_USAGE,
	  "--resume-delay needs --suspend-after" },
	{ lw_tools_history, "history show --recipes x %", "", LW_TOOLS_USAGE,
	  "--recipes belongs to evaluate" },
	{ lw_tools_sim, "sim % --type finish", trace_text, LW_TOOLS_OK,
	  "leeway:type=finish: without --recipes jobs run as fast on every type of GPU" },
	{ lw_tools_sim, "sim /dev/null --energy --config %",
	  "energy: { gpu_types: \"" SIXTEEN_TYPES "q17:1-2\" }\n", LW_TOOLS_FAILED,
	  "energy.gpu_types: q17 is one more than the 16 types that are told apart" },
	{ lw_tools_sim, "sim % --energy-choice on", trace_text, LW_TOOLS_USAGE,
	  "energy-choice goes by watts, which --energy tells" },
	{ lw_tools_sim, "sim % --energy-slack 0.1", trace_text, LW_TOOLS_USAGE,
	  "--energy-slack does nothing without energy-choice on" },
	/* a file that an option names is as any other that cannot be read */
	{ lw_tools_sim, "sim /dev/null --order learned --model /no/such", "", LW_TOOLS_FAILED,
	  "/no/such: cannot open: No such file" },
	{ lw_tools_sim, "sim /dev/null --order learned --model %", "junk\n", LW_TOOLS_FAILED,
	  "/input: not an lw-model file; make it again with leeway train" },
	{ lw_tools_model, "model show %", "lw-model 1 99 00000000\n", LW_TOOLS_FAILED,
	  "/input: header says 99 bytes, 0 follow; make it again with leeway train" },
	{ lw_tools_generate, "generate --model dl --jobs 5 --load 1 --recipes /no/such", "",
	  LW_TOOLS_FAILED, "/no/such: No such file" },
	{ lw_tools_generate, "generate --model dl --jobs 5 --load 1 --recipes %", "typs: {}\n",
	  LW_TOOLS_FAILED, "/input:1: typs: unknown key" },
	{ lw_tools_generate, "generate --model dl --jobs 5 --load 1 --recipes %",
	  "types: { a: {} }\n", LW_TOOLS_FAILED, "/input: recipes: there are none; list them" },
	{ lw_lab_history, "history evaluate --recipes %",
	  "types: { a: {}, b: {} }\nrecipes: { x: { rate: { a: 1 } } }\n", LW_TOOLS_FAILED,
	  "/input: no recipe has a rate on two types" },
	{ lw_tools_sim, "sim % --recipes /no/such", trace_text, LW_TOOLS_USAGE,
	  "--recipes: the jobs of a trace name none; take a workload (leeway generate" },
	{ lw_tools_sim, "sim % --tenant-runs 3", trace_text, LW_TOOLS_USAGE,
	  "--tenant-runs and --tenant-noise need --tenants" },
	{ lw_tools_train, "train order % -o /dev/null --order learned", trace_text,
	  LW_TOOLS_USAGE, "fcfs, sjf, wfp3, unicep, f1, saf, wspt, qssf, ftf or edf\n" },
	{ lw_tools_train, "train order % -o /dev/null --order las2d", trace_text, LW_TOOLS_USAGE,
	  "fcfs, sjf, wfp3, unicep, f1, saf, wspt, qssf, ftf or edf\n" },
	{ lw_tools_train, "train order % -o /dev/null",
	  "#lw-workload 1\n#machine nodes=1 cpus_per_node=4 gpus_per_node=0 mem_mib_per_node=0\n"
	  "0\t1\t1\t0\t2\t0\t60\t5\t-\t-\thpc\ta\n",
	  LW_TOOLS_FAILED, ": a workload on nodes: give a trace (SWF)" },
	{ lw_tools_gpu, "gpu --idle --dir % --since 2h", "", LW_TOOLS_USAGE,
	  "--since, --sacct, --config and --share belong to --user" },
	{ lw_tools_tag, "tag % --min-recall 0.9", "", LW_TOOLS_USAGE,
	  "--min-precision and --min-recall belong to --corpus" },
	{ lw_tools_check, "check --root %/no/such", "", LW_TOOLS_USAGE,
	  "/no/such: Not a directory" },
	{ lw_tools_report, "report --live %", "", LW_TOOLS_USAGE,
	  "leeway report: --live is a command of its own: leeway live DIR\n" },
	{ lw_tools_report, "report --once --every 5m --live=%", "", LW_TOOLS_USAGE,
	  "--live is a command of its own" },
	{ lw_tools_report, "report % --once", "", LW_TOOLS_USAGE, "--once: no such option" },
	{ lw_tools_live, "live --once", "", LW_TOOLS_USAGE, "leeway live: give one directory\n" },
	{ lw_tools_live, "live % more", "", LW_TOOLS_USAGE, "leeway live: give one directory\n" },
	{ lw_tools_live, "live % --html -", "", LW_TOOLS_USAGE, "--html: no such option" },
	{ lw_tools_live, "live % --every 9s", "", LW_TOOLS_USAGE, "--every: give 10s to 1h" },
	{ lw_tools_live, "live % --every 2h", "", LW_TOOLS_USAGE, "--every: give 10s to 1h" },
	{ lw_tools_live, "live % --users --no-users", "", LW_TOOLS_USAGE,
	  "--no-users or --users, not both" },
	{ lw_tools_report, "report % --json --svg -", "", LW_TOOLS_USAGE,
	  "standard output: one thing only" },
	{ lw_tools_gpu, "gpu --user 0 --sacct %",
	  ACCOUNTING "1|COMPLETED|9|gres/gpu=1|\n2|COMPLE\n", LW_TOOLS_FAILED,
	  ":3: 2 fields, 5 wanted" },
	{ lw_tools_history, "history import --swf % -o /dev/null --keys 0", trace_text,
	  LW_TOOLS_USAGE, "--keys: \"0\"" },
};

START_TEST(a_mistake_is_told)
{
	const char *options = refused[_i].options, *at = strchr(options, '%');
	char line[512], *told;
	int rc;

	if (at)
		snprintf(line, sizeof(line), "%.*s%s%s", (int)(at - options), options,
			 scratch_write("input", refused[_i].input), at + 1);
	else
		snprintf(line, sizeof(line), "%s", options);
	told = scratch_complaint(refused[_i].command, line, &rc);
	ck_assert_msg(strstr(told, refused[_i].told) != NULL, "%s: %s", options, told);
	ck_assert_msg(rc == refused[_i].result, "%s: exit code %d", options, rc);
	free(told);
}
END_TEST

/* Names with bytes of control, in tables: what goes to a terminal is plain. */
START_TEST(tables_are_plain)
{
	static const char rows[] = "JobIDRaw|JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES\n"
				   "1|1|10|20|30|\x1b[31mDONE|1|1|cpu=1,node=1\n";
	char line[256], *said;

	scratch_write("sacct.psv", rows);
	scratch_write("meta.json", "{\"label\": \"a\\u001b[2Jb\", \"nodes\": 1}");
	scratch_write("squeue.tsv", "");
	scratch_write("sdiag.txt", "");
	snprintf(line, sizeof(line), "report %s", scratch_dir);
	ck_assert_int_eq(scratch_call(lw_tools_report, line), LW_TOOLS_OK);
	said = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(said, "a?[2Jb"));
	ck_assert_ptr_nonnull(strstr(said, "?[31mDONE"));
	ck_assert_ptr_null(strchr(said, '\x1b'));
	free(said);
	scratch_write("users", ACCOUNTING "7\x1b[2J|DONE\x07|9|gres/gpu=1|\n");
	snprintf(line, sizeof(line), "gpu --user 0 --sacct %s", scratch_path("users"));
	ck_assert_int_eq(scratch_call(lw_tools_gpu, line), LW_TOOLS_OK);
	said = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(said, "7?[2J"));
	ck_assert_ptr_null(strpbrk(said, "\x1b\x07"));
	free(said);
	scratch_write("trace\x1b[2J", trace_text);
	snprintf(line, sizeof(line), "sim --compare --policies fcfs %s",
		 scratch_path("trace\x1b[2J"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	said = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(said, "trace?[2J"));
	ck_assert_ptr_null(strchr(said, '\x1b'));
	free(said);
}
END_TEST

/* A history from standard input, and one written through a link. */
START_TEST(a_history_is_as_other_files)
{
	char line[256];
	struct stat st;
	int saved = dup(STDIN_FILENO), in;

	scratch_write("sacct", HISTORY RUN("1", "60") "\n");
	scratch_write("real", "old");
	ck_assert_int_eq(symlink("real", scratch_path("link")), 0);
	snprintf(line, sizeof(line), "history import --sacct %s -o %s", scratch_path("sacct"),
		 scratch_path("link"));
	ck_assert_int_eq(scratch_call(lw_tools_history, line), LW_TOOLS_OK);
	ck_assert(!lstat(scratch_path("link"), &st) && S_ISLNK(st.st_mode));
	in = open(scratch_path("real"), O_RDONLY);
	ck_assert_int_ge(in, 0);
	dup2(in, STDIN_FILENO);
	rewind(stdin);
	ck_assert_int_eq(scratch_call(lw_tools_history, "history show -"), LW_TOOLS_OK);
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(in);
}
END_TEST

/* Lists that are too long are told so, and a word that is, is not told whole. */
START_TEST(check_tells_what_can_be_read)
{
	struct lw_strbuf conf = LW_STRBUF_INIT;
	char line[256], *said;

	lw_strbuf_add(&conf, "ClusterName=c\nNodeName=n[1-2000000]\n%0*d\n", 1000000, 0);
	ck_assert_int_eq(mkdir(scratch_path("conf"), 0700), 0);
	scratch_write("conf/slurm.conf", lw_strbuf_text(&conf));
	lw_strbuf_fini(&conf);
	snprintf(line, sizeof(line), "check --conf %s", scratch_path("conf"));
	scratch_call(lw_tools_check, line);
	said = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(said, "names more than 1000000 nodes"));
	ck_assert_uint_lt(strlen(said), 20000);
	free(said);
	/* a device has no end */
	ck_assert_int_eq(unlink(scratch_path("conf/slurm.conf")), 0);
	ck_assert_int_eq(symlink("/dev/zero", scratch_path("conf/slurm.conf")), 0);
	scratch_call(lw_tools_check, line);
	said = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(said, "is no file"));
	free(said);
}
END_TEST

START_TEST(a_verb_is_asked_for)
{
	int rc;
	char *told = scratch_complaint(lw_tools_history, "history", &rc);

	ck_assert_int_eq(rc, LW_TOOLS_USAGE);
	ck_assert_str_eq(told, "leeway history: say import, show or evaluate\n"
			       "Try \"leeway history --help\".\n");
	free(told);
}
END_TEST

/* No error would say that all is well. */
START_TEST(a_name_that_is_too_long_is_told)
{
	static char conf[PATH_MAX];
	char *argv[] = { "check", "--conf", conf, NULL };

	memset(conf, 'a', sizeof(conf) - 1);
	conf[0] = _i ? 'a' : '/';
	ck_assert_int_eq(scratch_run(lw_tools_check, 3, argv), LW_TOOLS_FAILED);
}
END_TEST

/* A record that a step has open, and that is none. */
static const char *const readers[] = {
	"gpu --idle --dir %s",
	"gpu --prometheus /dev/null --dir %s",
	"gpu publish --owed --dir %s",
	"gpu publish 7 --dir %s --bin %s",
};

/* A record that can be read, of another step, and what sacct would say of the job. */
static void write_job(void)
{
	const struct lw_record_head head = { .job_id = 7, .node = "n1", .step = "batch",
					     .interval_s = 10, .start_s = 1 };
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_record *record;

	ck_assert_int_eq(lw_record_create(&head, &record), 0);
	lw_record_print(record, &text);
	scratch_write("7.n1.gpu", lw_strbuf_text(&text));
	chmod(scratch_write("sacct", "#!/bin/sh\necho '7|7|E|hand'\n"), 0755);
	lw_record_destroy(record);
	lw_strbuf_fini(&text);
}

START_TEST(what_cannot_be_read_is_told)
{
	int part = open(scratch_write("7.n1.0.part", "nonsense\n"), O_RDWR);
	char line[256], *told;
	int rc;

	write_job();
	ck_assert_int_eq(lw_access_lock(part), 0);
	snprintf(line, sizeof(line), readers[_i], scratch_dir, scratch_dir);
	told = scratch_complaint(lw_tools_gpu, line, &rc);
	ck_assert_int_eq(rc, LW_TOOLS_OK);
	ck_assert_msg(strstr(told, "left out what cannot be read: ") &&
			      strstr(told, "7.n1.0.part: no readable first line"),
		      "%s: %s", readers[_i], told);
	free(told);
	close(part);
}
END_TEST

/* An administrator's words have what lines they like; a row that was cut short is none. */
START_TEST(a_comment_may_have_many_lines)
{
	static const struct {
		const char *rows;
		int result;
	} sacct[] = {
		{ HISTORY RUN("1", "10") "of many\n2026\nlines | so\n" RUN("2_[3]", "10") "\n",
		  LW_TOOLS_OK },
		{ HISTORY RUN("1", "10") "\n2|7|p|10\n", LW_TOOLS_FAILED },
		{ HISTORY "of two\n" RUN("1", "10") "\n", LW_TOOLS_FAILED },
	};
	char line[256], *told;
	int rc;

	snprintf(line, sizeof(line), "history import --sacct %s -o %s",
		 scratch_write("sacct", sacct[_i].rows), scratch_path("history"));
	told = scratch_complaint(lw_tools_history, line, &rc);
	ck_assert_msg(rc == sacct[_i].result, "%s", told);
	ck_assert(rc || strstr(told, ": 2 jobs learned"));
	free(told);
}
END_TEST

/* What sacct prints of a job without a limit of its own is no mistake; what is one, is counted. */
START_TEST(a_job_may_have_no_limit)
{
	char line[256], *told;
	int rc;

	snprintf(line, sizeof(line), "history import --lenient --sacct %s -o %s",
		 scratch_write("sacct",
			       HISTORY RUN("1", "10") "\n" RUN("2", "") "\n" RUN("3", "UNLIMITED")
			       "\n" RUN("4", "Partition_Limit") "\n" RUN("5", "10x") "\n"),
		 scratch_path("history"));
	told = scratch_complaint(lw_tools_history, line, &rc);
	ck_assert_msg(!rc && strstr(told, ": 1 jobs learned, 3 without a run or a limit, 1 bad"),
		      "%s", told);
	free(told);
}
END_TEST

/* By the name of its list: what has such bytes is told all the same, with marks in their place. */
static const struct {
	int (*command)(int, char **);
	const char *options, *input, *list;
	int result;
} not_utf8[] = {
	{ lw_tools_check, "check --conf % --json", "no file\xe9", "findings", 2 },
	{ lw_tools_gpu, "gpu --user 0 --json --sacct %",
	  ACCOUNTING "1\xe9|FAILED\xe9|9|gres/gpu=1|\n", "jobs", LW_TOOLS_OK },
};

START_TEST(bytes_that_are_no_utf8_are_told)
{
	const char *options = not_utf8[_i].options, *at = strchr(options, '%');
	char line[512];
	json_t *root;

	snprintf(line, sizeof(line), "%.*s%s%s", (int)(at - options), options,
		 scratch_write("dir\xe9", not_utf8[_i].input), at + 1);
	ck_assert_int_eq(scratch_call(not_utf8[_i].command, line), not_utf8[_i].result);
	root = json_load_file(scratch_path("out"), 0, NULL);
	ck_assert_uint_ge(json_array_size(json_object_get(root, not_utf8[_i].list)), 1);
	json_decref(root);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("toolcalls");
	TCase *tcase = tcase_create("all");

	tcase_add_checked_fixture(tcase, scratch_setup, scratch_teardown);
	tcase_add_loop_test(tcase, a_mistake_is_told, 0, (int)LW_COUNT_OF(refused));
	tcase_add_test(tcase, tables_are_plain);
	tcase_add_test(tcase, a_history_is_as_other_files);
	tcase_add_test(tcase, check_tells_what_can_be_read);
	tcase_add_test(tcase, a_verb_is_asked_for);
	tcase_add_loop_test(tcase, what_cannot_be_read_is_told, 0, (int)LW_COUNT_OF(readers));
	tcase_add_loop_test(tcase, a_name_that_is_too_long_is_told, 0, 2);
	tcase_add_loop_test(tcase, a_comment_may_have_many_lines, 0, 3);
	tcase_add_test(tcase, a_job_may_have_no_limit);
	tcase_add_loop_test(tcase, bytes_that_are_no_utf8_are_told, 0, (int)LW_COUNT_OF(not_utf8));
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
