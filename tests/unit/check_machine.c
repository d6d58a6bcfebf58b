/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the machine: a workload carries it, and leeway sim takes it from there. */
#include "cli/common/tools.h"
#include "lab/cli_sim/sim.h"
#include "measure/machine.h"

#include "unit/scratch.h"
#include "unit/simspec.h"
#include "unit/unit.h"

#include <errno.h>

#define MAGIC "#lw-workload 1\n"
#define TYPES                                                                                    \
	"#machine nodes=2 cpus_per_node=64 mem_mib_per_node=1000\n"                              \
	"#machine nodes=3 cpus_per_node=16 gpus_per_node=4 mem_mib_per_node=500\n"
#define WIDE  "0\t1\t1\t0\t64\t0\t600\t300\t-\t-\thpc\ta\n"
#define GPUS  "0\t1\t3\t4\t1\t0\t600\t300\t-\t-\tgang\tb\n"
#define BOTH  "0\t1\t5\t0\t16\t500\t600\t300\t-\t-\thpc\tc\n"
#define NONE  "0\t1\t1\t1\t17\t0\t600\t300\t-\t-\ttrain1\td\n"
#define MANY  "0\t1\t3\t0\t64\t0\t600\t300\t-\t-\thpc\te\n"
#define FULL  "0\t1\t3\t0\t1\t501\t600\t300\t-\t-\thpc\tf\n"

static const struct lw_machine nothing = { .gpus_per_node = LW_SIM_NOT_SAID,
					   .mem_mib_per_node = LW_SIM_NOT_SAID };

/* Workloads without an option, and how many of their jobs have room. */
static const struct {
	const char *text;
	uint32_t jobs, procs;
} workloads[] = {
	{ MAGIC TYPES WIDE, 1, 12 },
	{ MAGIC TYPES GPUS, 1, 12 },
	{ MAGIC TYPES BOTH, 1, 12 },
	{ MAGIC TYPES BOTH NONE MANY FULL, 1, 12 },
	{ MAGIC "#machine nodes=3 cpus_per_node=64\n" MANY FULL, 2, 192 },
	{ MAGIC "#machine nodes=3 cpus_per_node=63\n" MANY FULL, 1, 189 },
};

FIXTURE(scratch_setup, scratch_teardown);

TEST_EACH(a_workload_has_its_machine, LW_COUNT_OF(workloads))
{
	struct lw_simtrace_options options = { .jobs.machine = nothing, .allow_dropped = true };
	struct lw_simrepeat once = { .seed = 1 };
	struct lw_error err = { "" };
	struct lw_simtrace trace;
	struct lw_simspec spec;
	struct lw_simrun run;

	ck_assert_msg(!lw_simtrace_open(&trace, scratch_write("w", workloads[_i].text), &options,
					&err),
		      "%s", err.text);
	ck_assert_uint_eq(trace.jobs.count, workloads[_i].jobs);
	ck_assert_uint_eq(lw_machine_procs(&trace.machine), workloads[_i].procs);
	ck_assert_int_eq(parse_run("leeway", &spec, &err), 0);
	ck_assert_int_eq(lw_simrun_do(&run, &trace, &spec, &once, &err), 0);
	/* what fits, runs */
	for (uint32_t i = 0; i < trace.jobs.count; i++)
		ck_assert_int_ge(run.jobs[i].start_s, 0);
	lw_simrun_fini(&run);
	lw_simtrace_close(&trace);
}

#define MADE    "#machine nodes=2 cpus_per_node=64 gpus_per_node=4 mem_mib_per_node=9\n"
#define ONE_JOB "0\t1\t1\t0\t1\t0\t600\t300\t-\t-\thpc\tx\n"

/* What the options say goes before what the file does. */
static const struct {
	const char *text;
	uint32_t nodes, cpus, gpus, mem;       /* of the options */
	uint32_t as_nodes, as_cpus, as_gpus, as_mem; /* of what is simulated */
} fills[] = {
	{ MADE, 0, 0, LW_SIM_NOT_SAID, LW_SIM_NOT_SAID, 2, 64, 4, 9 },
	{ MADE, 7, 0, LW_SIM_NOT_SAID, LW_SIM_NOT_SAID, 7, 64, 4, 9 },
	{ MADE, 0, 8, 0, 0, 2, 8, 0, 0 },
	{ "", 7, 0, LW_SIM_NOT_SAID, LW_SIM_NOT_SAID, 7, 16, 0, 0 },
	{ "", 7, 0, 20, LW_SIM_NOT_SAID, 7, 20, 20, 0 },
};

TEST_EACH(options_go_first, LW_COUNT_OF(fills))
{
	struct lw_simtrace_options options = {
		.jobs.machine = { .nodes = fills[_i].nodes,
				  .cpus_per_node = fills[_i].cpus,
				  .gpus_per_node = fills[_i].gpus,
				  .mem_mib_per_node = fills[_i].mem }
	};
	struct lw_error err = { "" };
	struct lw_simtrace trace;
	char text[512];

	snprintf(text, sizeof(text), MAGIC "%s" ONE_JOB, fills[_i].text);
	ck_assert_msg(!lw_simtrace_open(&trace, scratch_write("w", text), &options, &err), "%s",
		      err.text);
	ck_assert_uint_eq(trace.machine.nodes, fills[_i].as_nodes);
	ck_assert_uint_eq(trace.machine.cpus_per_node, fills[_i].as_cpus);
	ck_assert_uint_eq(trace.machine.gpus_per_node, fills[_i].as_gpus);
	ck_assert_uint_eq(trace.machine.mem_mib_per_node, fills[_i].as_mem);
	lw_simtrace_close(&trace);
}

#define SWF(procs) "1 0 0 10 " procs " -1 -1 " procs " 60 -1 1 1 1 1 1 1 -1 -1\n"
#define SWF_UNKNOWN "1 0 0 -1 -1 -1 -1 -1 60 -1 5 1 1 1 1 1 -1 -1\n"

/* A trace into a workload: the machine, and the shape of its one job. */
static const struct {
	const char *header, *options, *machine;
	uint32_t nodes, cpus;
} headers[] = {
	{ "; MaxNodes: 128\n; MaxProcs: 128\n", "", "nodes=128 cpus_per_node=1 gpus_per_node=0", 32,
	  1 },
	{ "; MaxNodes: 100\n; MaxProcs: 150\n", "", "nodes=100 cpus_per_node=2", 16, 2 },
	{ "; MaxProcs: 128\n", " --nodes 16", "nodes=16 cpus_per_node=8", 4, 8 },
	{ "; MaxProcs: 128\n", " --cpus-per-node 32", "nodes=4 cpus_per_node=32", 1, 32 },
	{ "; MaxNodes: 128\n", "", "nodes=128 cpus_per_node=16", 2, 16 },
	{ "; MaxNodes: 9\n; MaxProcs: 128\n", " --nodes 2 --cpus-per-node 64 --mem-per-node 7",
	  "nodes=2 cpus_per_node=64 gpus_per_node=0 mem_mib_per_node=7", 1, 32 },
	{ "; MaxProcs: 64\n", " --gpus-per-node 4",
	  "nodes=16 cpus_per_node=16 gpus_per_node=4 mem_mib_per_node=0", 8, 16 },
	{ "; MaxProcs: 64\n", " --processor node", "nodes=64 cpus_per_node=16", 32, 16 },
};

TEST_EACH(a_header_says_how_large_it_is, LW_COUNT_OF(headers))
{
	char line[512], text[256], *made;
	struct lw_error err = { "" };
	struct lw_workload w;

	snprintf(text, sizeof(text), "%s" SWF("32"), headers[_i].header);
	snprintf(line, sizeof(line), "workload %s -q -o %s%s", scratch_write("t.swf", text),
		 scratch_path("w"), headers[_i].options);
	ck_assert_int_eq(scratch_call(lw_tools_workload, line), LW_TOOLS_OK);
	made = scratch_read(scratch_path("w"));
	ck_assert_msg(strstr(made, headers[_i].machine) != NULL, "%s", made);
	free(made);
	ck_assert_int_eq(lw_workload_read(&w, scratch_path("w"), &err), 0);
	ck_assert_uint_eq(w.jobs[0].nodes, headers[_i].nodes);
	ck_assert_uint_eq(w.jobs[0].cpus_per_node, headers[_i].cpus);
	lw_workload_fini(&w);
	/* and the simulator needs no more */
	snprintf(line, sizeof(line), "sim %s -q", scratch_path("w"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
}

static const char *const models[] = { "lublin", "dl --gpus-per-node 8", "mix --cpus-per-node 48" };

TEST_EACH(what_is_made_has_room, LW_COUNT_OF(models))
{
	char line[512], *text;

	snprintf(line, sizeof(line), "generate -q --jobs 300 --load 0.5 -o %s --model %s",
		 scratch_path("w"), models[_i]);
	ck_assert_int_eq(scratch_call(lw_tools_generate, line), LW_TOOLS_OK);
	snprintf(line, sizeof(line), "sim %s -q --json=%s", scratch_path("w"), scratch_path("j"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
	text = scratch_read(scratch_path("j"));
	ck_assert_ptr_nonnull(strstr(text, "\"dropped_wide\": 0"));
	free(text);
}

/* 99 jobs of one processor, and MORE: is that still the trace? */
static const struct {
	int (*command)(int argc, char **argv);
	const char *line, *more;
	int result;
} drops[] = {
	{ lw_tools_sim, "sim % -q", SWF("3"), LW_TOOLS_OK },
	{ lw_tools_sim, "sim % -q", SWF("3") SWF("3"), LW_TOOLS_FAILED },
	{ lw_tools_sim, "sim % -q", SWF("3") SWF_UNKNOWN, LW_TOOLS_FAILED },
	{ lw_tools_sim, "sim % -q --allow-dropped", SWF("3") SWF("3"), LW_TOOLS_OK },
	{ lw_tools_workload, "workload % -q --nodes 1", SWF("3"), LW_TOOLS_OK },
	{ lw_tools_workload, "workload % -q --nodes 1", SWF("3") SWF("3"), LW_TOOLS_FAILED },
	{ lw_tools_workload, "workload % -q --nodes 1", SWF_UNKNOWN SWF("3"), LW_TOOLS_FAILED },
	{ lw_tools_workload, "workload % -q --nodes 1 --allow-dropped", SWF("3") SWF("3"),
	  LW_TOOLS_OK },
	/* what is asked for otherwise is no loss */
	{ lw_tools_sim, "sim % -q --lenient", "rubbish\nrubbish\n", LW_TOOLS_OK },
};

TEST_EACH(many_are_not_dropped_unasked, LW_COUNT_OF(drops))
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	const char *at = strchr(drops[_i].line, '%');
	char line[512];

	lw_strbuf_add(&text, "; MaxProcs: 2\n");
	for (int i = 0; i < 99; i++)
		lw_strbuf_add(&text, SWF("1"));
	lw_strbuf_add(&text, "%s", drops[_i].more);
	snprintf(line, sizeof(line), "%.*s%s%s%s", (int)(at - drops[_i].line), drops[_i].line,
		 scratch_write("t.swf", lw_strbuf_text(&text)), at + 1,
		 drops[_i].command == lw_tools_workload ? " -o /dev/null" : "");
	ck_assert_int_eq(scratch_call(drops[_i].command, line), drops[_i].result);
	lw_strbuf_fini(&text);
}
