/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway why: jobs that leeway.yaml leaves to stock. */
#include "unit/why_rows.h"

#define OF_QOS(qos)                                                                              \
	"7|u1|PENDING|Resources|gpu|N/A|1764158400|N/A|(null)|(null)|(null)|(null)|train||" qos  \
	"|\n"
#define LEFT "planner   Slurm's own backfill: Leeway does not plan it"

static const struct {
	const char *yaml, *row, *wanted;
} canaries[] = {
	{ "sched.partitions: gpu", WAITS("Resources", ""), "!" LEFT },
	{ "sched.partitions: cpu", WAITS("Resources", ""), LEFT },
	{ "sched: {partitions: cpu, mode: watch}", WAITS("Resources", ""), "!" LEFT },
	{ "sched.who: fast", OF_QOS("slow"), LEFT },
	{ "sched.who: fast slow", OF_QOS("slow"), "!" LEFT },
};

FIXTURE(fake_setup, fake_teardown);

TEST_EACH(why_says_what_leeway_does_not_plan, LW_COUNT_OF(canaries))
{
	scratch_write("leeway.yaml", canaries[_i].yaml);
	setenv("SLURM_CONF", scratch_path("slurm.conf"), 1);
	why_says(canaries[_i].row, canaries[_i].wanted);
	unsetenv("SLURM_CONF");
}
