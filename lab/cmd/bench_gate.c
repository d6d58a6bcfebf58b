/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway bench: what it costs to judge starts beside the plan. */
#include "lab/cmd/bench_gate.h"

#include "measure/doubles.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

double lw_bench_cpu_s(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* As the select plugin does for each start that Slurm tries (slurm/select/admit.h). */
static uint32_t judge(struct lw_gate *gate, const struct lw_snapshot *snap,
		      const struct lw_waiting *job)
{
	const struct lw_gate_start start = { .job_id = job->job_id,
					     .end_s = lw_waiting_end_s(job, snap->now_s),
					     .least = { .cpus = job->request.cpus_per_node,
							.mem_mib = job->request.mem_per_node_mib },
					     .by_turn = true };

	return lw_gate_holds(gate, &start)
		       ? snap->node_count
		       : lw_bitset_count(lw_gate_refused(gate, &start));
}

int lw_bench_gate(struct lw_policy *policy, const struct lw_snapshot *snap,
		  struct lw_bench_gate *ret_times)
{
	uint32_t count = snap->waiting_count;
	double *times = calloc((size_t)count + 1, sizeof(*times));
	double begun_s = lw_bench_cpu_s();
	struct lw_gate gate = { 0 };
	uint64_t refused = 0;
	int rc = times ? lw_policy_gate(policy, snap->node_count, &gate) : -ENOMEM;

	ret_times->make_s = lw_bench_cpu_s() - begun_s;
	for (uint32_t i = 0; !rc && i < count; i++) {
		begun_s = lw_bench_cpu_s();
		refused += judge(&gate, snap, &snap->waiting[i]);
		times[i] = lw_bench_cpu_s() - begun_s;
	}
	if (!rc && count)
		qsort(times, count, sizeof(*times), lw_doubles_compare);
	/* REFUSED is used, so that judging is not left out by the compiler */
	if (!rc && refused <= (uint64_t)count * snap->node_count) {
		ret_times->judge_p50_s = times[count / 2];
		ret_times->judge_p99_s = times[(uint64_t)count * 99 / 100];
	}
	lw_gate_fini(&gate);
	free(times);
	return rc;
}
