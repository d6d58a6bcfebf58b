/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is to be shown of a plan, prepared without locks. */
#include "slurm/apply/publish_parts.h"

#include "base/grow.h"
#include "slurm/compat/compat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Uses the names of the snapshot, so that no lock is needed. */
static char *publish_prepare_node_names(const struct lw_snapshot *snap,
					const struct lw_bitset *nodes)
{
	lw_slurm_hostlist list = hostlist_create(NULL);
	uint32_t node;
	char text[1024], *names;

	lw_bitset_foreach(nodes, node) hostlist_push_host(list, snap->nodes[node].name);
	/*
	 * Slurm would allocate 8 KiB however short the names are, and one text is kept for each
	 * job: shrinking it leaves a hole in the heap that the next 8 KiB do not fit into
	 */
	if (hostlist_ranged_string(list, sizeof(text), text) >= 0) {
		names = xstrdup(text);
	} else {
		names = hostlist_ranged_string_xmalloc(list);
		xrealloc(names, strlen(names) + 1);
	}
	hostlist_destroy(list);
	return names;
}

/* The planned nodes of one NEED of the job, without the licences: nodes after Slurm's last. */
static int publish_prepare_name_nodes(const struct lw_plan *plan,
				      const struct lw_decision *decision,
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
	ret_shown->nodes = publish_prepare_node_names(&reading->snap, &nodes);
	ret_shown->node_count = lw_bitset_count(&nodes);
	lw_bitset_fini(&nodes);
	return 0;
}

static bool publish_prepare_contains(const struct lw_lookup *jobs, uint32_t job_id)
{
	uint32_t ignored;

	return lw_lookup_get(jobs, job_id, &ignored);
}

/* A plan to publish: ours, or the start-time estimate behind it, which keeps no room. */
struct wording {
	const struct lw_plan *plan;
	const struct lw_reading *reading;
	bool reserved;
};

static struct lw_shown *publish_prepare_add_next(struct lw_publish *show, uint32_t job_id)
{
	struct lw_shown *shown;

	if (lw_grow((void **)&show->next, &show->next_room, show->next_count + 1,
		    sizeof(*show->next)) ||
	    lw_lookup_put(&show->next_ids, job_id, show->next_count))
		return NULL;
	shown = &show->next[show->next_count];
	memset(shown, 0, sizeof(*shown));
	return shown;
}

static bool prepare_is_on(const struct lw_snapshot *snap, const struct lw_running *run,
			  const struct lw_alloc *allocs, uint32_t count)
{
	const struct lw_alloc *held = lw_running_allocs(snap, run);

	for (uint32_t i = 0; i < run->alloc_count; i++)
		for (uint32_t k = 0; k < count; k++)
			if (held[i].node == allocs[k].node)
				return true;
	return false;
}

/* When have the jobs left that the job preempts? 0: none was told to go. */
static int64_t prepare_left_s(const struct wording *wording, const struct lw_decision *decision)
{
	const struct lw_snapshot *snap = &wording->reading->snap;
	const struct lw_alloc *allocs = lw_decision_allocs(wording->plan, decision);
	int64_t left_s = 0;

	if (decision->reason != LW_REASON_STARTS_PREEMPTING || !wording->reading->leaving.count)
		return 0;
	for (uint32_t r = 0; r < snap->running_count; r++) {
		const struct lw_running *run = &snap->running[r];

		if (run->end_s > left_s &&
		    publish_prepare_contains(&wording->reading->leaving, run->job_id) &&
		    prepare_is_on(snap, run, allocs, decision->alloc_count))
			left_s = run->end_s;
	}
	return left_s;
}

/* A job that preempts others is planned to start, and waits until they have gone. */
static int64_t prepare_start_s(const struct wording *wording, const struct lw_decision *decision)
{
	if (decision->verdict == LW_RESERVE)
		return decision->start_s;
	return decision->verdict == LW_START ? prepare_left_s(wording, decision) : 0;
}

static int prepare_start(struct lw_publish *show, const struct wording *wording,
			 const struct lw_decision *decision, uint32_t job_id, uint32_t need)
{
	struct lw_shown *shown = publish_prepare_add_next(show, job_id);

	if (!shown)
		return -ENOMEM;
	shown->job_id = job_id;
	shown->leader_id = decision->job_id;
	shown->start_s = prepare_start_s(wording, decision);
	shown->after_job = decision->after_job;
	shown->reserved = wording->reserved;
	shown->follows = wording->reading->tickets[decision->waiting].follows;
	if (wording->reserved && decision->latest_s != LW_NO_TIME)
		shown->until_s = decision->latest_s;
	if (publish_prepare_name_nodes(wording->plan, decision, wording->reading, need, shown))
		return -ENOMEM;
	show->next_count++;
	return 0;
}

/*
 * A job with several variants reserved is shown by the first. The other components of a het job
 * start when its leader does.
 */
static int prepare_job(struct lw_publish *show, const struct wording *wording,
		       const struct lw_decision *decision)
{
	const struct lw_reading *reading = wording->reading;
	const struct lw_ticket *ticket = &reading->tickets[decision->waiting];
	int rc;

	if (!prepare_start_s(wording, decision) ||
	    publish_prepare_contains(&show->next_ids, decision->job_id))
		return 0;
	rc = prepare_start(show, wording, decision, decision->job_id, 0);
	for (uint32_t i = 0; !rc && i < ticket->part_count; i++)
		rc = prepare_start(show, wording, decision,
				   reading->parts[ticket->first_part + i].job_id, i + 1);
	return rc;
}

static int prepare_jobs(struct lw_publish *show, const struct wording *wording)
{
	const struct lw_plan *plan = wording->plan;
	int rc = 0;

	for (uint32_t i = 0; i < plan->decision_count && !rc; i++)
		rc = prepare_job(show, wording, &plan->decisions[i]);
	return rc;
}

/*
 * The new plan publishes SHOWN for the job; OLD's start stays if the new one only wavers. It is
 * not shown after LATEST_S, the promise, if the new plan keeps that; 0: there is none.
 */
static void publish_settle(struct lw_shown *shown, const struct lw_shown *old, int64_t now_s,
			   int64_t latest_s)
{
	bool keeps = shown->start_s <= latest_s && old->start_s > latest_s;

	shown->again = true;
	shown->steady = old->steady;
	if (lw_steady_takes(&shown->steady, old->start_s, shown->start_s, now_s)) {
		/* it has room and lets others pass, until then at the latest */
		if (shown->start_s <= now_s && shown->until_s > now_s)
			shown->start_s = shown->until_s;
		return;
	}
	shown->start_s = keeps ? latest_s : old->start_s;
	shown->after_job = old->after_job;
	shown->node_count = old->node_count;
	xfree(shown->nodes);
	shown->nodes = xstrdup(old->nodes);
}

/* What stays published for a job that has no start in the new plan, though it waits for room. */
static void publish_prepare_carry(struct lw_publish *show, const struct lw_shown *old,
				  bool starts)
{
	int64_t missed_s = old->missed_s ? old->missed_s : show->next_s;
	struct lw_shown *shown;

	/* a job that starts now keeps its published, past start until it is gone */
	if (show->next_s - missed_s > LW_STEADY_S || (!starts && old->start_s <= show->next_s))
		return;
	shown = publish_prepare_add_next(show, old->job_id);
	if (!shown)
		return;
	*shown = *old;
	shown->nodes = xstrdup(old->nodes);
	shown->missed_s = missed_s;
	shown->again = true;
	show->next_count++;
}

/* Does the job wait for room, by this decision? */
static bool publish_prepare_is_for_room(const struct lw_decision *decision)
{
	switch (decision->reason) {
	case LW_REASON_WAITS_FOR_ROOM:
	case LW_REASON_WAITS_FOR_HEAD:
	case LW_REASON_WAITS_FOR_SHORTER:
	case LW_REASON_WAITS_FOR_BROKEN:
	case LW_REASON_WAITS_FOR_GATE:
	case LW_REASON_WAITS_IN_ORDER:
	case LW_REASON_WAITS_AFTER_REFUSAL:
	case LW_REASON_WAITS_FOR_NEARER:
	case LW_REASON_WAITS_FOR_TYPE:
		return true;
	default:
		return decision->verdict == LW_START;
	}
}

/* Find published jobs that the plan has no start for. MISSING: by leader; 1: it starts now. */
static int publish_prepare_find_missing(const struct lw_publish *show, const struct lw_plan *plan,
					struct lw_lookup *missing)
{
	struct lw_lookup absent = { 0 };
	uint32_t ignored;
	int rc = 0;

	for (uint32_t i = 0; i < show->job_count && !rc; i++) {
		if (!publish_prepare_contains(&show->next_ids, show->jobs[i].job_id))
			rc = lw_lookup_put(&absent, show->jobs[i].leader_id, 0);
	}
	for (uint32_t i = 0; i < plan->decision_count && !rc; i++) {
		const struct lw_decision *decision = &plan->decisions[i];

		if (publish_prepare_is_for_room(decision) &&
		    publish_prepare_contains(&absent, decision->job_id) &&
		    (decision->verdict == LW_START ||
		     !lw_lookup_get(missing, decision->job_id, &ignored)))
			rc = lw_lookup_put(missing, decision->job_id,
					   decision->verdict == LW_START);
	}
	lw_lookup_fini(&absent);
	return rc;
}

/* The latest start that the job was promised, or is by this plan; 0: it has no promise. */
static int64_t publish_prepare_latest(const struct lw_shown *shown,
				      const struct lw_promises *promises)
{
	const struct lw_promise *promise = lw_promises_find(promises, shown->job_id);

	return promise ? promise->latest_s : shown->until_s;
}

static void publish_prepare_keep_steady(struct lw_publish *show, const struct lw_plan *plan,
					const struct lw_promises *promises)
{
	struct lw_lookup missing = { 0 };
	uint32_t at;

	if (publish_prepare_find_missing(show, plan, &missing))
		lw_lookup_fini(&missing);
	for (uint32_t i = 0; i < show->job_count; i++) {
		const struct lw_shown *old = &show->jobs[i];

		if (lw_lookup_get(&show->next_ids, old->job_id, &at))
			publish_settle(&show->next[at], old, show->next_s,
				       publish_prepare_latest(&show->next[at], promises));
		else if (lw_lookup_get(&missing, old->leader_id, &at))
			publish_prepare_carry(show, old, at);
	}
	lw_lookup_fini(&missing);
}

static void publish_prepare_add_cpus(const struct lw_alloc *allocs, uint32_t count,
				     uint32_t *cpus)
{
	for (uint32_t i = 0; i < count; i++)
		cpus[allocs[i].node] += allocs[i].res.cpus;
}

/* Count the processors of running jobs, and of jobs that start now. */
static void publish_prepare_count_cpus(const struct lw_plan *plan, const struct lw_snapshot *snap,
				       uint32_t *cpus)
{
	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *run = &snap->running[i];

		if (run->job_id)
			publish_prepare_add_cpus(lw_running_allocs(snap, run), run->alloc_count,
						 cpus);
	}
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];

		if (decision->verdict == LW_START)
			publish_prepare_add_cpus(lw_decision_allocs(plan, decision),
						 decision->alloc_count, cpus);
	}
}

/* Taken from the snapshot: Slurm's own count would take long, with the locks held. */
static void publish_prepare_find_mixed(struct lw_publish *show, const struct lw_plan *plan,
				       const struct lw_snapshot *snap)
{
	uint32_t *cpus = calloc((size_t)snap->node_count + 1, sizeof(*cpus));

	lw_bitset_fini(&show->mixed);
	if (cpus && !lw_bitset_init(&show->mixed, snap->node_count)) {
		publish_prepare_count_cpus(plan, snap, cpus);
		for (uint32_t i = 0; i < snap->node_count; i++) {
			if (cpus[i] && cpus[i] < snap->nodes[i].total.cpus)
				lw_bitset_set(&show->mixed, i);
		}
	}
	free(cpus);
}

/* What is said of a job that is shown: by DECISION, of the plan, with the start that is shown. */
static void publish_prepare_say(struct lw_shown *shown, const struct lw_publish *show,
				const struct lw_decision *decision,
				const struct lw_reading *reading,
				const struct lw_promises *promises)
{
	struct lw_statement_case about = { .snap = &reading->snap,
					   .decision = decision,
					   .planned_s = shown->start_s,
					   .after_job = shown->after_job,
					   .sized = reading->tickets[decision->waiting].sized,
					   .guards = show->guards };

	lw_publish_ask(show, promises, &about);
	lw_statement_make(&about, &shown->said);
	shown->start_s = shown->said.planned_s;
}

/* RESERVED: of jobs that room is kept for, or of the others. What is said already stays. */
static void publish_prepare_say_all(struct lw_publish *show, const struct lw_plan *plan,
				    const struct lw_reading *reading,
				    const struct lw_promises *promises, bool reserved)
{
	for (uint32_t i = 0; i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];
		uint32_t at;

		if ((decision->verdict == LW_RESERVE) != reserved ||
		    decision->reason == LW_REASON_WAITS_FOR_OTHER ||
		    !lw_lookup_get(&show->next_ids, decision->job_id, &at) ||
		    show->next[at].said.at_s == reading->snap.now_s)
			continue;
		publish_prepare_say(&show->next[at], show, decision, reading, promises);
	}
}

void lw_publish_prepare(struct lw_publish *show, const struct lw_plan *plan,
			const struct lw_plan *estimate, const struct lw_reading *reading,
			const struct lw_promises *promises)
{
	struct wording ours = { .plan = plan, .reading = reading, .reserved = true };
	struct wording theirs = { .plan = estimate, .reading = reading };

	publish_prepare_find_mixed(show, plan, &reading->snap);
	lw_publish_drop_next(show);
	show->next_s = reading->snap.now_s;
	if (!prepare_jobs(show, &ours))
		(void)prepare_jobs(show, &theirs);
	publish_prepare_keep_steady(show, plan, promises);
	publish_prepare_say_all(show, plan, reading, promises, true);
	publish_prepare_say_all(show, plan, reading, promises, false);
}

const struct lw_statement *lw_publish_said(const struct lw_publish *show, uint32_t job_id)
{
	uint32_t at;

	if (!lw_lookup_get(&show->next_ids, job_id, &at) || !show->next[at].said.at_s)
		return NULL;
	return &show->next[at].said;
}

void lw_publish_ask(const struct lw_publish *show, const struct lw_promises *promises,
		    struct lw_statement_case *about)
{
	const struct lw_promise *promise = lw_promises_find(promises, about->decision->job_id);
	const struct lw_waiting *job = &about->snap->waiting[about->decision->waiting];

	about->stopped_job = lw_leasing_room_from(show->leasing, job->job_id);
	if (job->finish_by_s)
		about->deadline_s = job->finish_by_s + LW_DEADLINE_MARGIN_S;
	if (!promise)
		return;
	about->latest_s = promise->latest_s;
	about->nodes_then = promise->nodes;
}
