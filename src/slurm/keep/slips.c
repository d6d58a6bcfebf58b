/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what Slurm's records tell of a planned start that has become later. */
#include "slurm/keep/slips.h"

#include "slurm/bits.h"

void lw_slips_fini(struct lw_slips *slips)
{
	xfree(slips->ends_s);
	xfree(slips->began_s);
	slips->count = 0;
}

static int slips_see_job(void *x, void *arg)
{
	const job_record_t *job = x;
	struct lw_slips *slips = arg;

	if (!job->node_bitmap || !IS_JOB_RUNNING(job))
		return 0;
	lw_bits_foreach(job->node_bitmap, node) {
		if (node >= slips->count || job->end_time <= slips->ends_s[node])
			continue;
		slips->ends_s[node] = job->end_time;
		slips->began_s[node] = job->start_time;
	}
	return 0;
}

static void slips_see(struct lw_slips *slips)
{
	slips->count = (uint32_t)bit_size(avail_node_bitmap);
	slips->ends_s = xcalloc(slips->count, sizeof(*slips->ends_s));
	slips->began_s = xcalloc(slips->count, sizeof(*slips->began_s));
	list_for_each(job_list, slips_see_job, slips);
}

/* Of a job that may run longer than to the planned start, or is past its limit. */
static void slips_note_node(const struct lw_slips *slips, bitoff_t node,
			    const struct lw_statement *was, struct lw_past_facts *facts)
{
	time_t end_s = slips->ends_s[node];

	if (!bit_test(avail_node_bitmap, node))
		facts->nodes_gone = true;
	if (end_s <= was->planned_s + LW_PAST_MOVE_S && end_s > time(NULL))
		return;
	if (slips->began_s[node] > was->at_s)
		facts->taken = true;
	else if (end_s)
		facts->longer = true;
}

struct lw_past_facts lw_slips_ask(struct lw_slips *slips, const job_record_t *job,
				  const struct lw_statement *was)
{
	struct lw_past_facts facts = { 0 };
	bitstr_t *nodes = NULL;

	if (!was->planned_s || !job->sched_nodes)
		return facts;
	if (!slips->count)
		slips_see(slips);
	if (!node_name2bitmap(job->sched_nodes, true, &nodes, NULL))
		lw_bits_foreach(nodes, node) {
			if (node < slips->count && node < bit_size(avail_node_bitmap))
				slips_note_node(slips, node, was, &facts);
		}
	FREE_NULL_BITMAP(nodes);
	return facts;
}
