/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what users and admins see of a plan: squeue --start, reasons, PLANNED, sdiag. */

/*
 * The same fields as stock backfill fills, so that every command and page that shows
 * them works: start_time, sched_nodes, state_desc, node state PLANNED and the bf_*
 * statistics. end_time and the time limits are not touched.
 */

#include "slurm/apply/show.h"

#include "base/grow.h"
#include "slurm/clock.h"
#include "slurm/compat/compat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TEXT_START "planned "

/* Is it a text of ours? Slurm's own texts are left alone. */
static bool is_ours(const char *text)
{
	return text && !strncmp(text, TEXT_START, strlen(TEXT_START));
}

static bool is_waiting(const job_record_t *job)
{
	return job && job->details && IS_JOB_PENDING(job);
}

/* What a job without a text waits for is said by another: by the leader of its het job. */
static bool has_text(const struct lw_shown *shown)
{
	return shown->again && shown->text[0] != '\0';
}

static void take_down_job(uint32_t job_id)
{
	job_record_t *job = find_job_record(job_id);

	if (!is_waiting(job))
		return;
	job->start_time = 0;
	xfree(job->sched_nodes);
	if (is_ours(job->state_desc))
		xfree(job->state_desc);
	last_job_update = time(NULL);
}

static node_record_t *node_at(uint32_t index)
{
	return index < (uint32_t)node_record_count ? node_record_table_ptr[index] : NULL;
}

/* Forgets those that Slurm no longer calls so: they show a change when they are again. */
static void clear_planned(struct lw_show *show)
{
	uint32_t index;

	lw_bitset_foreach(&show->planned, index) {
		node_record_t *node = node_at(index);

		if (node && (node->node_state & NODE_STATE_PLANNED))
			node->node_state &= ~NODE_STATE_PLANNED;
		else
			lw_bitset_clear(&show->planned, index);
	}
}

static void take_down_nodes(struct lw_show *show)
{
	clear_planned(show);
	if (lw_bitset_count(&show->planned))
		last_node_update = time(NULL);
	lw_bitset_clear_all(&show->planned);
}

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
	snprintf(text, size, TEXT_START "%s on %s%s", when, nodes, after);
}

/* Slurm gives a job that waits for room no text of its own. */
static void say(job_record_t *job, const char *text)
{
	if (job->state_reason == WAIT_NO_REASON || job->state_reason == WAIT_PRIORITY)
		job->state_reason = WAIT_RESOURCES;
	if (job->state_reason != WAIT_RESOURCES ||
	    (job->state_desc && !strcmp(job->state_desc, text)))
		return;
	xfree(job->state_desc);
	job->state_desc = xstrdup(text);
	last_job_update = time(NULL);
}

static bool put_up_job(const struct lw_shown *shown)
{
	job_record_t *job = find_job_record(shown->job_id);

	if (!is_waiting(job) || !job->priority)
		return false;
	if (has_text(shown))
		say(job, shown->text);
	else if (is_ours(job->state_desc))
		xfree(job->state_desc);
	if (job->start_time == (time_t)shown->start_s &&
	    !xstrcmp(job->sched_nodes, shown->nodes))
		return true;
	job->start_time = (time_t)shown->start_s;
	xfree(job->sched_nodes);
	job->sched_nodes = xstrdup(shown->nodes);
	job->node_cnt_wag = shown->node_count;
	last_job_update = time(NULL);
	return true;
}

/* Only nodes that could take a job are called planned, as stock does: idle and mixed ones. */
static void set_planned(struct lw_show *show)
{
	uint32_t index;

	lw_bitset_foreach(&show->next_planned, index) {
		node_record_t *node = node_at(index);

		if (!node || (node->node_state & NODE_STATE_PLANNED) ||
		    (IS_NODE_ALLOCATED(node) && !lw_bitset_test(&show->mixed, index)))
			lw_bitset_clear(&show->next_planned, index);
		else
			node->node_state |= NODE_STATE_PLANNED;
	}
}

/* The time of the last change stays where nothing changes: others look for theirs by it. */
static void show_nodes(struct lw_show *show)
{
	struct lw_bitset was = show->planned;

	clear_planned(show);
	set_planned(show);
	show->planned = show->next_planned;
	show->next_planned = was;
	if (!lw_bitset_equal(&show->planned, &show->next_planned))
		last_node_update = time(NULL);
}

static void size_nodes(struct lw_show *show)
{
	uint32_t count = (uint32_t)node_record_count;

	if (show->planned.bits == count && show->next_planned.bits == count)
		return;
	take_down_nodes(show);
	lw_bitset_fini(&show->planned);
	lw_bitset_fini(&show->next_planned);
	if (lw_bitset_init(&show->planned, count) || lw_bitset_init(&show->next_planned, count)) {
		lw_bitset_fini(&show->planned);
		lw_bitset_fini(&show->next_planned);
	}
}

/* By the snapshot's names, so that no lock is needed. */
static char *node_names(const struct lw_snapshot *snap, const struct lw_bitset *nodes)
{
	lw_slurm_hostlist list = hostlist_create(NULL);
	uint32_t node;
	char *names;

	lw_bitset_foreach(nodes, node)
		hostlist_push_host(list, snap->nodes[node].name);
	names = hostlist_ranged_string_xmalloc(list);
	/* Slurm makes it 8 KiB, however short; these are kept, for each job that is shown */
	xrealloc(names, strlen(names) + 1);
	hostlist_destroy(list);
	return names;
}

/* The planned nodes of one need of the job; the nodes behind Slurm's are licences. */
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

/* Where Slurm's main loop has not yet said why it waits. */
static void show_reason(const struct lw_decision *decision)
{
	job_record_t *job = find_job_record(decision->job_id);

	if (!is_waiting(job) || !job->priority || job->state_reason != WAIT_NO_REASON)
		return;
	if (decision->reason == LW_REASON_WAITS_FOR_HEAD ||
	    decision->reason == LW_REASON_WAITS_IN_ORDER)
		job->state_reason = WAIT_PRIORITY;
	else if (decision->reason == LW_REASON_WAITS_FOR_ROOM ||
		 decision->reason == LW_REASON_WAITS_AFTER_REFUSAL)
		job->state_reason = WAIT_RESOURCES;
	else
		return;
	last_job_update = time(NULL);
}

static bool contains(const struct lw_lookup *jobs, uint32_t job_id)
{
	uint32_t ignored;

	return lw_lookup_get(jobs, job_id, &ignored);
}

static void free_jobs(struct lw_shown *jobs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		xfree(jobs[i].nodes);
	free(jobs);
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
 * A job with several reserved records is shown by its first; the other components of a het
 * job start when its leader does.
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

static void drop_next(struct lw_show *show)
{
	free_jobs(show->next, show->next_count);
	lw_lookup_fini(&show->next_ids);
	show->next = NULL;
	show->next_count = show->next_room = 0;
}

static void add_cpus(const struct lw_alloc *allocs, uint32_t count, uint32_t *cpus)
{
	for (uint32_t i = 0; i < count; i++)
		cpus[allocs[i].node] += allocs[i].res.cpus;
}

/* Who runs, and who is to start now. */
static void count_cpus(const struct lw_plan *plan, const struct lw_snapshot *snap, uint32_t *cpus)
{
	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *run = &snap->running[i];

		if (run->job_id)
			add_cpus(&snap->allocs[run->first_alloc], run->alloc_count, cpus);
	}
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];

		if (decision->verdict == LW_START)
			add_cpus(&plan->allocs[decision->first_alloc], decision->alloc_count,
				 cpus);
	}
}

/* As of the snapshot: to have Slurm count anew takes long, with the locks held. */
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
	drop_next(show);
	if (!prepare_jobs(show, &ours))
		(void)prepare_jobs(show, &theirs);
}

/* Those of the last plan that are not in this one. */
static void take_down_old(struct lw_show *show, struct lw_hold *hold)
{
	for (uint32_t i = 0; i < show->job_count; i++) {
		uint32_t next;

		(void)lw_hold_breathe(hold);
		if (!lw_lookup_get(&show->next_ids, show->jobs[i].job_id, &next))
			take_down_job(show->jobs[i].job_id);
		else if (next < show->next_count)
			show->next[next].again = true;
	}
}

/* Leaves out who started or ended since, and what was shown before in vain. */
static void put_up_next(struct lw_show *show, struct lw_hold *hold)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < show->next_count; i++) {
		(void)lw_hold_breathe(hold);
		if (put_up_job(&show->next[i]))
			show->next[kept++] = show->next[i];
		else {
			take_down_job(show->next[i].job_id);
			xfree(show->next[i].nodes);
		}
	}
	show->next_count = kept;
}

static void look_at_decision(struct lw_show *show, const struct lw_plan *plan,
			     const struct lw_decision *decision)
{
	if (decision->verdict == LW_WAIT)
		show_reason(decision);
	if (decision->verdict != LW_RESERVE)
		return;
	for (uint32_t i = 0; i < decision->alloc_count; i++) {
		uint32_t node = plan->allocs[decision->first_alloc + i].node;

		if (node < show->next_planned.bits)
			lw_bitset_set(&show->next_planned, node);
	}
}

void lw_show_plan(struct lw_show *show, const struct lw_plan *plan, struct lw_hold *hold)
{
	take_down_old(show, hold);
	put_up_next(show, hold);
	size_nodes(show);
	lw_bitset_clear_all(&show->next_planned);
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		(void)lw_hold_breathe(hold);
		look_at_decision(show, plan, &plan->decisions[i]);
	}
	show_nodes(show);
	free_jobs(show->jobs, show->job_count);
	show->jobs = show->next;
	show->job_count = show->next_count;
	show->next = NULL;
	show->next_count = show->next_room = 0;
	drop_next(show);
}

void lw_show_refresh(const struct lw_show *show)
{
	for (uint32_t i = 0; i < show->job_count; i++) {
		job_record_t *job = find_job_record(show->jobs[i].job_id);

		if (is_waiting(job) && job->priority && has_text(&show->jobs[i]))
			say(job, show->jobs[i].text);
	}
}

void lw_show_clear(struct lw_show *show)
{
	take_down_nodes(show);
	for (uint32_t i = 0; i < show->job_count; i++)
		take_down_job(show->jobs[i].job_id);
	free_jobs(show->jobs, show->job_count);
	show->jobs = NULL;
	show->job_count = 0;
}

static int sweep_job(void *x, void *arg)
{
	job_record_t *job = x;

	(void)arg;
	if (is_waiting(job)) {
		job->start_time = 0;
		xfree(job->sched_nodes);
		if (is_ours(job->state_desc))
			xfree(job->state_desc);
	}
	return 0;
}

void lw_show_sweep(void)
{
	list_for_each(job_list, sweep_job, NULL);
	for (int i = 0; i < node_record_count; i++) {
		if (node_record_table_ptr[i])
			node_record_table_ptr[i]->node_state &= ~NODE_STATE_PLANNED;
	}
	last_job_update = last_node_update = time(NULL);
}

void lw_show_fini(struct lw_show *show)
{
	drop_next(show);
	free_jobs(show->jobs, show->job_count);
	lw_bitset_fini(&show->planned);
	lw_bitset_fini(&show->next_planned);
	lw_bitset_fini(&show->mixed);
	memset(show, 0, sizeof(*show));
}

void lw_show_stats(const struct lw_plan *plan, const struct lw_reading *reading, int64_t now_s,
		   uint64_t took_us)
{
	diag_stats_t *stats = &slurmctld_diag_stats;
	uint32_t us = took_us < UINT32_MAX ? (uint32_t)took_us : UINT32_MAX;
	uint32_t tried = 0;

	for (uint32_t i = 0; i < reading->snap.waiting_count; i++)
		tried += reading->snap.waiting[i].readiness == LW_READY;
	stats->bf_when_last_cycle = (time_t)now_s;
	stats->bf_cycle_counter++;
	stats->bf_cycle_sum += us;
	stats->bf_cycle_last = us;
	if (us > stats->bf_cycle_max)
		stats->bf_cycle_max = us;
	stats->bf_queue_len = reading->snap.waiting_count;
	stats->bf_queue_len_sum += stats->bf_queue_len;
	stats->bf_last_depth = reading->snap.waiting_count;
	stats->bf_depth_sum += stats->bf_last_depth;
	stats->bf_last_depth_try = tried;
	stats->bf_depth_try_sum += tried;
	stats->bf_table_size = plan->reserved;
	stats->bf_table_size_sum += plan->reserved;
	lw_slurm_count_exit(stats);
}
