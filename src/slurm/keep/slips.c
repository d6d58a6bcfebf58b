/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what Slurm's records tell of a planned start that has become later. */
#include "slurm/keep/slips.h"

#include "slurm/bits.h"

static void slips_forget_nodes(struct lw_slips *slips)
{
	xfree(slips->nodes);
	slips->node_count = 0;
}

void lw_slips_fini(struct lw_slips *slips)
{
	lw_lookup_fini(&slips->ends);
	lw_lookup_fini(&slips->longer);
	slips_forget_nodes(slips);
}

/* A job that was requeued and runs again has more time, too. */
static int slips_see_run(const struct lw_slips *slips, const struct lw_running *run,
			 int64_t now_s, struct lw_slips *next)
{
	uint32_t end_s = run->end_s < UINT32_MAX ? (uint32_t)run->end_s : UINT32_MAX;
	uint32_t was_s, longer_s = 0;

	(void)lw_lookup_get(&slips->longer, run->job_id, &longer_s);
	if (lw_lookup_get(&slips->ends, run->job_id, &was_s) &&
	    (int64_t)end_s > (int64_t)was_s + LW_PAST_MOVE_S)
		longer_s = (uint32_t)now_s;
	if (longer_s && lw_lookup_put(&next->longer, run->job_id, longer_s))
		return -ENOMEM;
	return lw_lookup_put(&next->ends, run->job_id, end_s);
}

void lw_slips_see(struct lw_slips *slips, const struct lw_snapshot *snap)
{
	struct lw_slips next = { 0 };
	int rc = 0;

	for (uint32_t i = 0; i < snap->running_count && !rc; i++)
		rc = slips_see_run(slips, &snap->running[i], snap->now_s, &next);
	lw_slips_fini(slips);
	if (rc)
		lw_slips_fini(&next);
	*slips = next;
}

static int slips_add_job(void *x, void *arg)
{
	const job_record_t *job = x;
	struct lw_slips *slips = arg;
	uint32_t longer_s = 0;

	if (!job->node_bitmap || !IS_JOB_RUNNING(job))
		return 0;
	(void)lw_lookup_get(&slips->longer, job->job_id, &longer_s);
	lw_bits_foreach(job->node_bitmap, i)
	{
		struct lw_slips_node *node;

		if (i >= slips->node_count)
			break;
		node = &slips->nodes[i];
		if (longer_s > node->longer_s)
			node->longer_s = longer_s;
		if (job->end_time <= node->ends_s)
			continue;
		node->ends_s = job->end_time;
		node->began_s = job->start_time;
	}
	return 0;
}

/* Once in a cycle: a start seldom slips alone. */
static void slips_find_nodes(struct lw_slips *slips)
{
	slips->node_count = (uint32_t)bit_size(avail_node_bitmap);
	slips->nodes = xcalloc(slips->node_count, sizeof(*slips->nodes));
	list_for_each(job_list, slips_add_job, slips);
}

static void slips_note_node(const struct lw_slips_node *node, const struct lw_statement *was,
			    struct lw_past_facts *facts)
{
	bool overdue = node->ends_s && node->ends_s <= time(NULL);

	facts->longer |= overdue || node->longer_s > was->at_s;
	facts->taken |=
		node->began_s > was->at_s && node->ends_s > was->planned_s + LW_PAST_MOVE_S;
}

struct lw_past_facts lw_slips_ask(struct lw_slips *slips, const job_record_t *job,
				  const struct lw_statement *was)
{
	struct lw_past_facts facts = { 0 };
	bitstr_t *nodes = NULL;

	if (!was->planned_s || !job->sched_nodes)
		return facts;
	if (!slips->node_count)
		slips_find_nodes(slips);
	if (!node_name2bitmap(job->sched_nodes, true, &nodes, NULL)) {
		lw_bits_foreach(nodes, i)
		{
			if (i >= slips->node_count || i >= bit_size(avail_node_bitmap))
				break;
			facts.nodes_gone |= !bit_test(avail_node_bitmap, i);
			facts.cleaned |= bit_test(cg_node_bitmap, i);
			slips_note_node(&slips->nodes[i], was, &facts);
		}
	}
	FREE_NULL_BITMAP(nodes);
	return facts;
}
