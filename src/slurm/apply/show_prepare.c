/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is to be shown of a plan, worded without locks. */
#include "slurm/apply/show_parts.h"

#include "base/grow.h"
#include "slurm/clock.h"
#include "slurm/compat/compat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "planned 14:02 on gpu[3-6] after job 7781" */
static void describe(const struct lw_decision *decision, const char *nodes, int64_t now_s,
		     char *text, size_t size)
{
	char when[LW_CLOCK_TEXT_MAX], after[32] = "";

	lw_clock_tell(decision->start_s, now_s, when);
	if (decision->after_job)
		snprintf(after, sizeof(after), " after job %u", decision->after_job);
	if (strlen(nodes) + 60 > size)
		nodes = "many nodes";
	snprintf(text, size, LW_SHOW_TEXT_START "%s on %s%s", when, nodes, after);
}

/* With the names of the snapshot, so that no lock is needed. */
static char *node_names(const struct lw_snapshot *snap, const struct lw_bitset *nodes)
{
	lw_slurm_hostlist list = hostlist_create(NULL);
	uint32_t node;
	char *names;

	lw_bitset_foreach(nodes, node)
		hostlist_push_host(list, snap->nodes[node].name);
	names = hostlist_ranged_string_xmalloc(list);
	/* Slurm allocates 8 KiB however short the names are, and we keep one for each job */
	xrealloc(names, strlen(names) + 1);
	hostlist_destroy(list);
	return names;
}

/* The planned nodes of one NEED of the job, without the licences: nodes after Slurm's last. */
static int name_nodes(const struct lw_plan *plan, const struct lw_decision *decision,
		      const struct lw_reading *reading, uint32_t need,
		      struct lw_shown *ret_shown)
{
	struct lw_bitset nodes;

	if (lw_bitset_init(&nodes, reading->snap.node_count))
		return -ENOMEM;
	for (uint32_t i = 0; i < decision->alloc_count; i++) {
		const struct lw_alloc *alloc = &plan->allocs[decision->first_alloc + i];

		if (alloc->need == need && alloc->node < reading->slurm_nodes)
			lw_bitset_set(&nodes, alloc->node);
	}
	ret_shown->nodes = node_names(&reading->snap, &nodes);
	ret_shown->node_count = lw_bitset_count(&nodes);
	lw_bitset_fini(&nodes);
	return 0;
}

static bool contains(const struct lw_lookup *jobs, uint32_t job_id)
{
	uint32_t ignored;

	return lw_lookup_get(jobs, job_id, &ignored);
}

/* A plan to be worded: ours, or the outlook behind it, whose jobs get no text. */
struct wording {
	const struct lw_plan *plan;
	const struct lw_reading *reading;
	bool promised;
};

static int prepare_start(struct lw_show *show, const struct wording *wording,
			 const struct lw_decision *decision, uint32_t job_id, uint32_t need)
{
	struct lw_shown *shown;

	if (lw_grow((void **)&show->next, &show->next_room, show->next_count + 1,
		    sizeof(*show->next)) ||
	    lw_lookup_put(&show->next_ids, job_id, show->next_count))
		return -ENOMEM;
	shown = &show->next[show->next_count];
	memset(shown, 0, sizeof(*shown));
	shown->job_id = job_id;
	shown->start_s = decision->start_s;
	if (name_nodes(wording->plan, decision, wording->reading, need, shown))
		return -ENOMEM;
	if (!need && wording->promised)
		describe(decision, shown->nodes, wording->reading->snap.now_s, shown->text,
			 sizeof(shown->text));
	show->next_count++;
	return 0;
}

/*
 * A job with several variants reserved is shown by the first. The other components of a het job
 * start when its leader does.
 */
static int prepare_job(struct lw_show *show, const struct wording *wording,
		       const struct lw_decision *decision)
{
	const struct lw_reading *reading = wording->reading;
	const struct lw_ticket *ticket = &reading->tickets[decision->waiting];
	int rc;

	if (decision->verdict != LW_RESERVE || contains(&show->next_ids, decision->job_id))
		return 0;
	rc = prepare_start(show, wording, decision, decision->job_id, 0);
	for (uint32_t i = 0; !rc && i < ticket->part_count; i++)
		rc = prepare_start(show, wording, decision,
				   reading->parts[ticket->first_part + i].job_id, i + 1);
	return rc;
}

static int prepare_jobs(struct lw_show *show, const struct wording *wording)
{
	const struct lw_plan *plan = wording->plan;
	int rc = 0;

	for (uint32_t i = 0; i < plan->decision_count && !rc; i++)
		rc = prepare_job(show, wording, &plan->decisions[i]);
	return rc;
}

static void add_cpus(const struct lw_alloc *allocs, uint32_t count, uint32_t *cpus)
{
	for (uint32_t i = 0; i < count; i++)
		cpus[allocs[i].node] += allocs[i].res.cpus;
}

/* Of running jobs, and of jobs that are to start now. */
static void count_cpus(const struct lw_plan *plan, const struct lw_snapshot *snap, uint32_t *cpus)
{
	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *run = &snap->running[i];

		if (run->job_id)
			add_cpus(lw_running_allocs(snap, run), run->alloc_count, cpus);
	}
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];

		if (decision->verdict == LW_START)
			add_cpus(lw_decision_allocs(plan, decision), decision->alloc_count, cpus);
	}
}

/* From the snapshot: Slurm's own count would take long, with the locks held. */
static void find_mixed(struct lw_show *show, const struct lw_plan *plan,
		       const struct lw_snapshot *snap)
{
	uint32_t *cpus = calloc((size_t)snap->node_count + 1, sizeof(*cpus));

	lw_bitset_fini(&show->mixed);
	if (cpus && !lw_bitset_init(&show->mixed, snap->node_count)) {
		count_cpus(plan, snap, cpus);
		for (uint32_t i = 0; i < snap->node_count; i++) {
			if (cpus[i] && cpus[i] < snap->nodes[i].total.cpus)
				lw_bitset_set(&show->mixed, i);
		}
	}
	free(cpus);
}

void lw_show_prepare(struct lw_show *show, const struct lw_plan *plan,
		     const struct lw_plan *outlook, const struct lw_reading *reading)
{
	struct wording ours = { .plan = plan, .reading = reading, .promised = true };
	struct wording theirs = { .plan = outlook, .reading = reading };

	find_mixed(show, plan, &reading->snap);
	lw_show_drop_next(show);
	if (!prepare_jobs(show, &ours))
		(void)prepare_jobs(show, &theirs);
}
