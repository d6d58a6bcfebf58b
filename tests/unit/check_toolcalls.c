/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the one table of what the commands refuse: a command line, exit code and message. */
#include "cli/common/tools.h"
#include "lab/history/evaluate.h"
#include "unit/scratch.h"
#include "unit/tool_files.h"
#include "unit/unit.h"

#define SACCT(submit, start, end) \
	"JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES\n" \
	"1|" submit "|" start "|" end "|COMPLETED|1|2|cpu=2,node=1\n"

#define SACCT_LIMIT(limit) \
	"JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES|TimelimitRaw\n" \
	"1|100|110|120|COMPLETED|1|2|cpu=2,node=1|" limit "\n"

#define SACCT_OF(nodes, cpus, tres) \
	"JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES\n" \
	"1|100|110|120|COMPLETED|" nodes "|" cpus "|" tres "\n"
#define LEARNED(cpus, tres) \
	"JobID|UID|Partition|TimelimitRaw|ElapsedRaw|State|End|ReqCPUS|AllocTRES\n" \
	"1|7|p|10|60|COMPLETED|100|" cpus "|" tres "\n"

/* Two types of GPUs and two sets of nodes. */
#define TYPED \
	"lw-snapshot 1\nnow 1000\npolicy easy\ngpu-type 0 a100\ngpu-type 1 v100\n" \
	"node 0 n1 cpus=8 gpu:a100=4\nnode 1 n2 cpus=8 gpu:v100=4\nset 0 all 0-1\n" \
	"set 1 first 0\n"

/* One type more than are told apart. */
#define SIXTEEN_TYPES \
	"a:1-2 b:1-2 c:1-2 d:1-2 e:1-2 f:1-2 g:1-2 h:1-2 i:1-2 j:1-2 k:1-2 l:1-2 m:1-2 " \
	"n:1-2 o:1-2 p:1-2 "

#define RECIPES "generate --model dl --jobs 5 --load 1 -q -o /dev/null --recipes %"
#define FACTORS "sim /dev/null --set figures.energy=yes --set figures.factors=%"
#define CONFIG "gpu --user 0 --sacct /dev/null --config %"
#define TYPES "types: { a100: { busy_w: 400 } }\nrecipes:\n  x:\n"

#define MACHINE "#lw-workload 1\n#machine nodes=4 cpus_per_node=8 "
#define TABLE "#lw-workload 1\n"

/* What a history is imported from: the input is then that history. */
static const char a_history[] = HISTORY RUN("1", "60") "\n";

/* The first % of OPTIONS, if any, stands for the input. */
static const struct {
	int (*command)(int, char **);
	const char *options, *input;
	int result;
	const char *told; /* a part of it */
} refused[] = {
	{ lw_tools_nodes, "nodes --sacct %", "JobID|State\n1|FAILED\n", LW_TOOLS_FAILED,
	  "/input:1: no column User: print it with sacct" },
	{ lw_tools_nodes, "nodes --since 0s", "", LW_TOOLS_USAGE, "--since: at least a second" },
	{ lw_tools_nodes, "nodes --sacct % --since 1d", "", LW_TOOLS_USAGE,
	  "--since does not go with --sacct" },
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
	{ lw_tools_sim, "sim % --compare --run sched.policy=easy,rlax=0.1", trace_text,
	  LW_TOOLS_USAGE, "in \"sched.policy=easy,rlax=0.1\": there is no setting \"rlax\"; " },
	{ lw_tools_sim, "sim % --compare --schedule x", trace_text, LW_TOOLS_USAGE,
	  "--schedule and --jobs-csv are of one run, not of several" },
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
	  "--format=JobIDRaw,JobID,UID,User," },
	{ lw_tools_sim, "sim % --set sched.slack_cap=45", trace_text, LW_TOOLS_USAGE,
	  "sched.slack_cap: \"45\" has no unit: 45s, which are seconds, or 45m, minutes?" },
	{ lw_tools_sim, "sim % --compare --run sched.policy=leeway,sched.slack_cap=45",
	  trace_text, LW_TOOLS_USAGE, "sched.slack_cap: \"45\" has no unit" },
	{ lw_tools_gpu, "gpu --user 0 --sacct % --since 7", "", LW_TOOLS_USAGE,
	  "--since: \"7\" has no unit" },
	{ lw_tools_bench, "bench --json=% --growth --pending 5", "", LW_TOOLS_USAGE,
	  "--growth has sizes of its own" },
	{ lw_tools_history, "history import --swf % -o /no/such/file", "no trace",
	  LW_TOOLS_FAILED, "/no/such/file: cannot write" },
	{ lw_tools_gpu, "gpu --user 0 --sacct % --window 2h", "", LW_TOOLS_USAGE,
	  "--window, --util-below, --mem-below and --now belong to --idle" },
	{ lw_tools_sim, "sim --set cluster.suspend_after=10m %", trace_text, LW_TOOLS_USAGE,
	  "cluster.suspend_after does nothing without figures.energy=yes" },
	{ lw_tools_sim, "sim --set figures.energy=yes --set cluster.resume_delay=5m %",
	  trace_text, LW_TOOLS_USAGE,
	  "cluster.resume_delay does nothing without cluster.suspend_after" },
	{ lw_tools_history, "history show --recipes x %", "", LW_TOOLS_USAGE,
	  "--recipes belongs to evaluate" },
	{ lw_tools_sim, "sim % --set select.type=finish", trace_text, LW_TOOLS_OK,
	  "leeway:select.type=finish: without --recipes jobs run as fast on every type of GPU" },
	{ lw_tools_sim, "sim /dev/null --set figures.energy=yes --config %",
	  "energy: { gpu_types: \"" SIXTEEN_TYPES "q17:1-2\" }\n", LW_TOOLS_FAILED,
	  "energy.gpu_types: q17 is one more than the 16 types that are told apart" },
	{ lw_tools_sim, "sim % --set select.energy=on", trace_text, LW_TOOLS_USAGE,
	  "select.energy goes by watts: give --set figures.energy=yes" },
	{ lw_tools_sim, "sim % --set select.energy_slack=0.1", trace_text, LW_TOOLS_USAGE,
	  "select.energy_slack counts with select.energy on only" },
	/* a file that an option names is as any other that cannot be read */
	{ lw_tools_sim, "sim /dev/null --set sched.order=learned --model /no/such", "",
	  LW_TOOLS_FAILED, "/no/such: cannot open: No such file" },
	{ lw_tools_sim, "sim /dev/null --set sched.order=learned --model %", "junk\n",
	  LW_TOOLS_FAILED, "/input: not an lw-model file; make it again with leeway train" },
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
	{ lw_tools_sim, "sim % --set jobs.tenant_runs=3", trace_text, LW_TOOLS_USAGE,
	  "jobs.tenant_runs needs --tenants" },
	{ lw_tools_train, "train order % -o /dev/null --order learned", trace_text,
	  LW_TOOLS_USAGE, "fcfs, sjf, wfp3, " },
	{ lw_tools_train, "train order % -o /dev/null --order las2d", trace_text, LW_TOOLS_USAGE,
	  "fcfs, sjf, wfp3, " },
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
	{ lw_tools_history, "history", "", LW_TOOLS_USAGE,
	  "leeway history: say import, show or evaluate\nTry \"leeway history --help\".\n" },
	{ lw_tools_sim, FACTORS, "1e308 1e308\n", LW_TOOLS_FAILED,
	  "/input:1: not \"price co2\", two numbers of 0 to 1000000 for an hour" },
	{ lw_tools_sim, FACTORS, "0.2 300\n0.2 1000001\n", LW_TOOLS_FAILED, "/input:2: not" },
	{ lw_tools_sim, FACTORS, "nan 400\n0.2 300\n", LW_TOOLS_FAILED, "/input:1: not" },
	{ lw_tools_sim, FACTORS, "inf inf\n0.2 300\n", LW_TOOLS_FAILED, "/input:1: not" },
	{ lw_tools_sim, FACTORS, "NA 400\n", LW_TOOLS_FAILED, "/input:1: not" },
	{ lw_tools_sim, FACTORS, "hour 400\n", LW_TOOLS_FAILED, "/input:1: not" },
	{ lw_tools_sim, FACTORS, "0x10 0x20\n", LW_TOOLS_FAILED, "/input:1: not" },
	{ lw_tools_sim, FACTORS, "0.2 -1\n", LW_TOOLS_FAILED, "/input:1: not" },
	{ lw_tools_sim, FACTORS, "price,co2\n 0.2, 1.2.3\n", LW_TOOLS_FAILED, "/input:2: not" },
	{ lw_tools_sim, FACTORS, "price_eur co2 (g)\n.2;300\n1000000\t0 \n", LW_TOOLS_FAILED,
	  "/dev/null: the file is empty" },
	{ lw_tools_gpu, CONFIG, "energy:\n  gpu_busy_w: 400\n  gpu_idle_w: 900\n", LW_TOOLS_FAILED,
	  "/input:3: energy.gpu_idle_w: 900 W is above energy.gpu_busy_w, 400 W" },
	{ lw_tools_gpu, CONFIG, "energy:\n  gpu_busy_w: 40\n", LW_TOOLS_FAILED,
	  "/input:2: energy.gpu_idle_w: 60 W is above energy.gpu_busy_w, 40 W" },
	{ lw_tools_gpu, CONFIG, "energy:\n\n  gpu_types: a100:400-50\n", LW_TOOLS_FAILED,
	  "/input:3: energy.gpu_types: \"a100:400-50\" is not TYPE:IDLE-BUSY" },
	{ lw_tools_gpu, CONFIG, "energy:\n  gpu_busy_w: 4\n# \xff\n", LW_TOOLS_FAILED,
	  "/input:3: not valid YAML" },
	{ lw_tools_generate, RECIPES, "types:\n  a100: { idle_w: 900, busy_w: 400 }\n",
	  LW_TOOLS_FAILED, "/input:2: types.a100: idle_w 900 is above busy_w 400\n" },
	{ lw_tools_generate, RECIPES, TYPES "    rate: { a100: 1 }\n# \xff\n", LW_TOOLS_FAILED,
	  "/input:5: not valid YAML" },
	{ lw_tools_generate, RECIPES, TYPES "    rate: { a100: 1 }\n    # \x01\n",
	  LW_TOOLS_FAILED, "/input:5: not valid YAML" },
	{ lw_tools_generate, RECIPES, TYPES "    rate: { a100: 0 }\n", LW_TOOLS_FAILED,
	  "/input:4: recipes.x.rate.a100: wants a number from 0.000001 to 1000000000, as in" },
	{ lw_tools_generate, RECIPES, TYPES "    rate: { a100: 0.0000001 }\n", LW_TOOLS_FAILED,
	  "/input:4: recipes.x.rate.a100: wants a number from 0.000001 to 1000000000, as in 12.5, "
	  "of six decimals at most" },
	{ lw_tools_generate, RECIPES, TYPES "    memory_mib: 0.0000001\n", LW_TOOLS_FAILED,
	  "/input:4: recipes.x.memory_mib: wants a number from 0 to" },
	{ lw_tools_generate, RECIPES, TYPES "    spread: { node: 2 }\n", LW_TOOLS_FAILED,
	  "/input:4: recipes.x.spread.node: wants a number from 0.000001 to 1, as in 0.5\n" },
	{ lw_tools_generate, RECIPES, TYPES "    gpus: { 2: 50 }\n", LW_TOOLS_FAILED,
	  "/input:4: recipes.x.gpus.2: wants a number from 0.000001 to 4, as in 0.5\n" },
	{ lw_tools_generate, RECIPES,
	  "types: { a: {}, b: {} }\nrecipes:\n  x:\n    rate: { b: 1 }\n", LW_TOOLS_FAILED,
	  "/input:3: recipes.x: no rate on a, which is the reference" },
	{ lw_tools_analyse, "analyse --sacct %", SACCT_OF("1", "-16", "cpu=2"), LW_TOOLS_FAILED,
	  "/input:2: NCPUS \"-16\" is no count of 0 to 4294967294" },
	{ lw_tools_analyse, "analyse --sacct %", SACCT_OF("1", "99999999999999999999", "cpu=2"),
	  LW_TOOLS_FAILED, "/input:2: NCPUS \"99999999999999999999\" is no count" },
	{ lw_tools_analyse, "analyse --sacct %", SACCT_OF("-1", "2", "cpu=2"), LW_TOOLS_FAILED,
	  "/input:2: NNodes \"-1\" is no count" },
	{ lw_tools_analyse, "analyse --sacct %", SACCT_OF("1", "2", "cpu=2,gres/gpu=-4"),
	  LW_TOOLS_FAILED, "/input:2: AllocTRES: gres/gpu \"-4\" is no count" },
	{ lw_tools_analyse, "analyse --sacct %",
	  SACCT_OF("1", "2", "cpu=2,gres/gpu:a100=many,node=1"), LW_TOOLS_FAILED,
	  "/input:2: AllocTRES: gres/gpu:a100 \"many\" is no count" },
	{ lw_tools_analyse, "analyse --lenient --sacct %", SACCT_OF("1", "-16", "cpu=2"),
	  LW_TOOLS_FAILED, "1 bad lines skipped, the first is line 2: NCPUS \"-16\"" },
	{ lw_tools_workload, "workload --sacct %", SACCT_OF("1", "-8", "cpu=2"), LW_TOOLS_FAILED,
	  "/input:2: NCPUS \"-8\" is no count" },
	{ lw_tools_workload, "workload --sacct %", SACCT_OF("-1", "8", "cpu=2"), LW_TOOLS_FAILED,
	  "/input:2: NNodes \"-1\" is no count" },
	{ lw_tools_workload, "workload --sacct %", SACCT_OF("1", "8", "cpu=-2"), LW_TOOLS_FAILED,
	  "/input:2: AllocTRES: cpu \"-2\" is no count" },
	{ lw_tools_history, "history import --sacct % -o /dev/null", LEARNED("99999999999", ""),
	  LW_TOOLS_FAILED, "/input:2: ReqCPUS: \"99999999999\" is not what sacct prints" },
	{ lw_tools_history, "history import --sacct % -o /dev/null", LEARNED("1", "gres/gpu=-1"),
	  LW_TOOLS_FAILED, "/input:2: AllocTRES: gres/gpu \"-1\" is no count" },
	{ lw_tools_gpu, "gpu --user 0 --sacct %", ACCOUNTING "1|COMPLETED|9|gres/gpu=x|\n",
	  LW_TOOLS_FAILED, "/input:2: AllocTRES: gres/gpu \"x\" is no count" },
	{ lw_tools_sim, "sim %", MACHINE "nodes=5\n", LW_TOOLS_FAILED,
	  "/input:2: #machine: nodes= stands there twice" },
	{ lw_tools_sim, "sim %", MACHINE "gpus_per_node=0 gpus_per_node=0\n", LW_TOOLS_FAILED,
	  "/input:2: #machine: gpus_per_node= stands there twice" },
	{ lw_tools_sim, "sim %", MACHINE "gpu_type=a gpu_type=b\n", LW_TOOLS_FAILED,
	  "/input:2: #machine: gpu_type= stands there twice" },
	{ lw_tools_sim, "sim %", TABLE "0 1 1 0 2 0 60 5 - - hpc a\n", LW_TOOLS_FAILED,
	  "/input:2: 1 field, 12 wanted: tabs part them, not blanks\n" },
	{ lw_tools_sim, "sim %", TABLE "0\t1\t1\n", LW_TOOLS_FAILED,
	  "/input:2: 3 fields, 12 wanted\n" },
	{ lw_tools_history, "history show % --user 99999999999", a_history, LW_TOOLS_FAILED,
	  "--user: \"99999999999\" is no user's number, which is one of 0 to 4294967294" },
	{ lw_tools_history, "history show % --user nobody-is-called-so", a_history, LW_TOOLS_FAILED,
	  "--user: \"nobody-is-called-so\" is no user here: give the number" },
};

static const char *write_input(const char *input)
{
	char line[256];

	if (input != a_history)
		return scratch_write("input", input);
	snprintf(line, sizeof(line), "history import --sacct %s -o %s",
		 scratch_write("sacct", input), scratch_path("input"));
	ck_assert_int_eq(scratch_call(lw_tools_history, line), LW_TOOLS_OK);
	return scratch_path("input");
}

FIXTURE(scratch_setup, scratch_teardown);

TEST_EACH(a_mistake_is_told, LW_COUNT_OF(refused))
{
	const char *options = refused[_i].options, *at = strchr(options, '%');
	const char *input = at ? write_input(refused[_i].input) : "";
	char line[512], *told;
	int rc;

	at = at ? at : options + strlen(options);
	snprintf(line, sizeof(line), "%.*s%s%s", (int)(at - options), options, input,
		 *at ? at + 1 : at);
	told = scratch_complaint(refused[_i].command, line, &rc);
	ck_assert_msg(strstr(told, refused[_i].told) != NULL, "%d: %s: %s", _i, options, told);
	ck_assert_msg(rc == refused[_i].result, "%d: %s: exit code %d", _i, options, rc);
	free(told);
}
