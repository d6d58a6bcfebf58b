/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: tests of which values Slurm takes. */
#include "cli/check/slurmvalues.h"

#include <string.h>

#include "unit.h"

#define V2205 0x160508U
#define V2411 0x180b05U

static const struct {
	enum lw_slurmtype type;
	uint32_t release;
	const char *value;
	enum lw_slurmvalue answer;
	const char *expected; /* where it is WRONG or PLUGIN */
} values[] = {
	{ LW_SLURMTYPE_TEXT, V2411, "anything", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_U16, V2411, "65535", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_U16, V2411, "0x10", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_U16, V2411, "INFINITE", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_U16, V2411, "65536", LW_SLURMVALUE_WRONG, "a number up to 65535" },
	{ LW_SLURMTYPE_U16, V2411, "1k", LW_SLURMVALUE_WRONG, "a number up to 65535" },
	{ LW_SLURMTYPE_U16, V2411, "08", LW_SLURMVALUE_WRONG, "a number up to 65535" },
	{ LW_SLURMTYPE_U32, V2411, "4K", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_U32, V2411, "4294967296", LW_SLURMVALUE_WRONG, "a number" },
	{ LW_SLURMTYPE_U32, V2411, "-1", LW_SLURMVALUE_WRONG, "a number" },
	{ LW_SLURMTYPE_U64, V2411, "18446744073709551615", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_U64, V2411, "18446744073709551616", LW_SLURMVALUE_WRONG, "a number" },
	{ LW_SLURMTYPE_AT_LEAST_1, V2411, "0", LW_SLURMVALUE_WRONG, "a number above 0" },
	{ LW_SLURMTYPE_PRIO_PROCESS, V2411, "UNLIMITED", LW_SLURMVALUE_WRONG, "0, 1 or 2" },
	{ LW_SLURMTYPE_FLOAT, V2411, "99.5", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_FLOAT, V2411, "99,5", LW_SLURMVALUE_WRONG, "a number" },
	{ LW_SLURMTYPE_BOOL, V2411, "Up", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_BOOL, V2411, "on", LW_SLURMVALUE_WRONG,
	  "one of yes, up, true, no, down, "
	  "false" },
	{ LW_SLURMTYPE_RLIMITS, V2411, "NONE", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_RLIMITS, V2411, "CPU,RLIMIT_CORE", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_RLIMITS, V2411, "core", LW_SLURMVALUE_WRONG, "write CORE" },
	{ LW_SLURMTYPE_RLIMITS, V2411, "CPU,ALL", LW_SLURMVALUE_WRONG,
	  "ALL or NONE, or a list of CPU, RLIMIT_CPU, FSIZE, RLIMIT_FSIZE, DATA, RLIMIT_DATA, "
	  "STACK, RLIMIT_STACK, CORE, RLIMIT_CORE, RSS, RLIMIT_RSS and others; see "
	  "slurm.conf(5)" },
	{ LW_SLURMTYPE_PROGRAM, V2411, "/x", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_PROGRAM, V2411, "none", LW_SLURMVALUE_WRONG, "an absolute path" },
	{ LW_SLURMTYPE_PATHS, V2411, "none", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_PLUGSTACK, V2205, "slurmctld/nonstop", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_PLUGSTACK, V2205, "foo", LW_SLURMVALUE_PLUGIN, "one of nonstop" },
	{ LW_SLURMTYPE_CRYPTO, V2411, "crypto/munge", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_CRYPTO, V2411, "cred/munge", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_CRYPTO, V2205, "crypto/slurm", LW_SLURMVALUE_PLUGIN,
	  "one of munge, none, cred/munge, cred/none" },
	{ LW_SLURMTYPE_TIME, V2411, "-1", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_TIME, V2411, "7-", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_TIME, V2411, "1-12:30:00", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_TIME, V2411, "12:", LW_SLURMVALUE_WRONG,
	  "minutes, days-hours:minutes:seconds or UNLIMITED" },
	{ LW_SLURMTYPE_TIME, V2411, "1-2-3", LW_SLURMVALUE_WRONG,
	  "minutes, days-hours:minutes:seconds or UNLIMITED" },
	{ LW_SLURMTYPE_TIME, V2411, "1:2:3:4", LW_SLURMVALUE_WRONG,
	  "minutes, days-hours:minutes:seconds or UNLIMITED" },
	{ LW_SLURMTYPE_TIME_MIN, V2411, "0", LW_SLURMVALUE_WRONG, "a minute or more" },
	{ LW_SLURMTYPE_LEVEL, V2411, "Debug3", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_LEVEL, V2411, "3", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_LEVEL, V2411, "debug6", LW_SLURMVALUE_WRONG, "write debug" },
	{ LW_SLURMTYPE_PORTS, V2411, "6817-6820", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_PORTS, V2411, "6817,6820", LW_SLURMVALUE_WRONG,
	  "a port, or two with - between them" },
	{ LW_SLURMTYPE_NODE_PORT, V2411, "[7001-7004]", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_NODE_PORT, V2411, "70000", LW_SLURMVALUE_WRONG,
	  "a port, or as many as nodes: [7001-7004]" },
	{ LW_SLURMTYPE_TRES, V2411, "CPU,gres/gpu", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_SCHED, V2411, "sched/none", LW_SLURMVALUE_PLUGIN,
	  "one of backfill, builtin" },
	{ LW_SLURMTYPE_JOBACCT, V2411, "anynone", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_LICENSES, V2411, "a:1;b=2,c", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_LICENSES, V2411, "a:-1", LW_SLURMVALUE_WRONG,
	  "such as matlab:20,ansys:5" },
	{ LW_SLURMTYPE_PATHS, V2411, "/lib,/usr", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_PATHS, V2411, "/lib,usr", LW_SLURMVALUE_WRONG,
	  "absolute paths with commas between them, or none" },
	{ LW_SLURMTYPE_WEIGHTS, V2411, "CPU=1,,GRES/gpu:a100=2.5", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_WEIGHTS, V2411, "CPU=1,foo", LW_SLURMVALUE_WRONG,
	  "such as CPU=1.0,Mem=0.25G" },
	{ LW_SLURMTYPE_WEIGHTS, V2411, "CPU=", LW_SLURMVALUE_WRONG,
	  "such as CPU=1.0,Mem=0.25G" },
	{ LW_SLURMTYPE_HOST, V2411, "ctl(10.0.0.1)", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_HOST, V2411, "ctl(10.0.0.1", LW_SLURMVALUE_WRONG,
	  "NAME or NAME(ADDRESS)" },
	{ LW_SLURMTYPE_IGNORED, V2411, "x", LW_SLURMVALUE_IGNORED, NULL },
	{ LW_SLURMTYPE_REMOVED, V2411, "1", LW_SLURMVALUE_REMOVED, NULL },
	{ LW_SLURMTYPE_REMOVED_BUT_1, V2411, "1", LW_SLURMVALUE_IGNORED, NULL },
	{ LW_SLURMTYPE_REMOVED_BUT_1, V2411, "2", LW_SLURMVALUE_REMOVED, NULL },
	{ LW_SLURMTYPE_PROLOG_FLAGS, V2411, "alloc,,RunInJob", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_PROLOG_FLAGS, V2205, "alloc,RunInJob", LW_SLURMVALUE_WRONG,
	  "a list of Alloc, Contain, DeferBatch, NoHold, Serial, X11" },
	{ LW_SLURMTYPE_NODE_STATE, V2411, "drained", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_SHARE, V2411, "FORCE:4", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_SHARE, V2411, "FORCED", LW_SLURMVALUE_WRONG, "write FORCE" },
	{ LW_SLURMTYPE_TOPOLOGY, V2411, "topology/block", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_TOPOLOGY, V2411, "block", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_TOPOLOGY, V2205, "topology/block", LW_SLURMVALUE_PLUGIN,
	  "one of 3d_torus, hypercube, tree, none" },
	{ LW_SLURMTYPE_TOPOLOGY, 0, "topology/block", LW_SLURMVALUE_TAKEN, NULL },
	{ LW_SLURMTYPE_SELECT, V2411, "select/cons_res", LW_SLURMVALUE_PLUGIN,
	  "write cons_tres" },
};

TEST_EACH(a_value, LW_COUNT_OF(values))
{
	struct lw_slurmvalue_fault fault;

	ck_assert_int_eq(lw_slurmvalue_check(values[_i].type, values[_i].release,
					     values[_i].value, &fault),
			 values[_i].answer);
	if (values[_i].expected)
		ck_assert_str_eq(fault.expected, values[_i].expected);
}

TEST(a_plugin_has_a_file)
{
	struct lw_slurmvalue_fault fault;

	lw_slurmvalue_check(LW_SLURMTYPE_JOBACCT, V2411, "jobacct_gather/foo", &fault);
	ck_assert_str_eq(fault.item, "jobacct_gather/foo");
	ck_assert_str_eq(fault.plugin, "jobacct_gather_foo.so");
	ck_assert(!fault.of_node);
	lw_slurmvalue_check(LW_SLURMTYPE_TASK, V2411, "affinity,foo", &fault);
	ck_assert_str_eq(fault.item, "foo");
	ck_assert_str_eq(fault.plugin, "task_foo.so");
	ck_assert(fault.of_node);
}

/* Whatever it is: taken or refused, with a text where it is refused. */
TEST(long_and_odd_values)
{
	static char value[4096];
	struct lw_slurmvalue_fault fault;

	for (size_t len = 0; len < sizeof(value) - 1; len = len * 2 + 1) {
		memset(value, ",-:=(x"[len % 6], len);
		value[len] = '\0';
		for (int type = 0; type <= LW_SLURMTYPE_PROCTRACK; type++) {
			enum lw_slurmvalue answer = lw_slurmvalue_check((enum lw_slurmtype)type,
									V2411, value, &fault);

			if (answer == LW_SLURMVALUE_WRONG)
				ck_assert_int_ne(*fault.expected, 0);
		}
	}
}

TEST(types_by_release)
{
	const struct lw_slurmkey *key =
		lw_slurmkey_find(LW_SLURMKEY_GLOBAL, "extsensorsfreq", V2205);

	ck_assert_int_eq(key->type, LW_SLURMTYPE_U16);
	key = lw_slurmkey_find(LW_SLURMKEY_GLOBAL, "ExtSensorsFreq", V2411);
	ck_assert_int_eq(key->type, LW_SLURMTYPE_IGNORED);
	key = lw_slurmkey_find(LW_SLURMKEY_CGROUP, "CgroupReleaseAgentDir", 0x190b00);
	ck_assert(!lw_slurmkey_known(key, 0x190b00));
	ck_assert_ptr_null(lw_slurmkey_find(LW_SLURMKEY_GRES, "CgroupPlugin", 0));
}

TEST(releases)
{
	char buf[128], small[8];

	ck_assert(lw_slurmkey_supports(V2205));
	ck_assert(lw_slurmkey_supports(0x160500 | LW_SLURM_ANY_MICRO));
	ck_assert(!lw_slurmkey_supports(0x150808));
	ck_assert(!lw_slurmkey_supports(0x1a0b00));
	ck_assert_str_eq(lw_slurmkey_releases(buf, sizeof(buf)),
			 "22.05, 23.02, 23.11, 24.05, 24.11, 25.05, 25.11 and 26.05");
	ck_assert_str_eq(lw_slurmkey_releases(small, sizeof(small)), "22.05, ");
}
