/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: each het job as one waiting job, with components that start together. */
#include "slurm/read/het.h"

#include "base/grow.h"
#include "slurm/query/eligible.h"
#include "slurm/read/backoff.h"
#include "slurm/query/limits.h"
#include "slurm/read/needs.h"
#include "slurm/read/nodeset.h"
#include "slurm/read/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int het_by_job_then_record(const void *a, const void *b)
{
	const struct lw_het_member *x = a, *y = b;

	if (x->het_job_id != y->het_job_id)
		return x->het_job_id < y->het_job_id ? -1 : 1;
	return x->record < y->record ? -1 : x->record > y->record;
}

static uint32_t het_end_of(const struct lw_hets *hets, uint32_t first)
{
	uint32_t end = first;

	while (end < hets->count &&
	       hets->members[end].het_job_id == hets->members[first].het_job_id)
		end++;
	return end;
}

/* Is this the first component of that job id? If memory runs out the answer is no. */
static bool het_is_new(struct lw_lookup *seen, const job_record_t *job)
{
	uint32_t job_id = lw_slurm_job_id(job), ignored;

	return !lw_lookup_get(seen, job_id, &ignored) && !lw_lookup_put(seen, job_id, 0);
}

/* Are all components of the job in the queue? If so, return its place. */
static bool het_find_place(const struct lw_hets *hets, job_queue_rec_t **records, uint32_t first,
			   uint32_t end, bool at_first, uint32_t *ret_place)
{
	const job_record_t *leader = find_job_record(hets->members[first].het_job_id);
	struct lw_lookup seen = { 0 };
	uint32_t count = 0;

	if (!leader || !leader->het_job_list)
		return false;
	for (uint32_t i = first; i < end; i++) {
		if (!het_is_new(&seen, records[hets->members[i].record]->job_ptr))
			continue;
		if (!count++ || !at_first)
			*ret_place = hets->members[i].record;
	}
	lw_lookup_fini(&seen);
	return count == (uint32_t)list_count(leader->het_job_list);
}

static int het_collect(struct lw_hets *hets, job_queue_rec_t **records, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!records[i]->job_ptr->het_job_id || records[i]->use_prefer)
			continue;
		if (lw_grow((void **)&hets->members, &hets->room, hets->count + 1,
			    sizeof(*hets->members)))
			return -ENOMEM;
		hets->members[hets->count++] = (struct lw_het_member){
			.het_job_id = records[i]->job_ptr->het_job_id, .record = i
		};
	}
	return 0;
}

int lw_hets_find(struct lw_hets *hets, job_queue_rec_t **records, uint32_t count, bool first)
{
	uint32_t end, place = 0;

	hets->first_at = calloc((size_t)count + 1, sizeof(*hets->first_at));
	if (!hets->first_at || het_collect(hets, records, count)) {
		lw_hets_fini(hets);
		return -ENOMEM;
	}
	if (hets->count)
		qsort(hets->members, hets->count, sizeof(*hets->members), het_by_job_then_record);
	for (uint32_t i = 0; i < hets->count; i = end) {
		end = het_end_of(hets, i);
		if (het_find_place(hets, records, i, end, first, &place))
			hets->first_at[place] = i + 1;
	}
	return 0;
}

void lw_hets_fini(struct lw_hets *hets)
{
	free(hets->members);
	free(hets->first_at);
	memset(hets, 0, sizeof(*hets));
}

/*
 * The components of one job, by job id; those of one job id are alternatives, of which one is
 * chosen. The variant of each has the record it was read from.
 */
struct parts {
	struct lw_component *items;
	uint32_t count;
	job_queue_rec_t **records;
	const struct lw_component **chosen;
	uint32_t chosen_count;
};

static int het_by_job_id(const void *a, const void *b)
{
	const struct lw_component *x = a, *y = b;

	if (x->ticket.job_id != y->ticket.job_id)
		return x->ticket.job_id < y->ticket.job_id ? -1 : 1;
	return x->waiting.variant < y->waiting.variant ? -1
						       : x->waiting.variant > y->waiting.variant;
}

static uint32_t het_alternatives(const struct parts *parts, uint32_t first)
{
	uint32_t end = first;

	while (end < parts->count &&
	       parts->items[end].ticket.job_id == parts->items[first].ticket.job_id)
		end++;
	return end - first;
}

/* Choose combination NUMBER of the alternatives of all components. */
static void het_choose(struct parts *parts, uint32_t number)
{
	parts->chosen_count = 0;
	for (uint32_t i = 0, step; i < parts->count; i += step) {
		step = het_alternatives(parts, i);
		parts->chosen[parts->chosen_count++] = &parts->items[i + number % step];
		number /= step;
	}
}

/* Make PART another need of the job that WHOLE is. */
static int het_join(struct lw_reading *reading, const struct lw_component *part,
		    struct lw_component *whole, struct lw_needs *needs)
{
	struct lw_need need = { .set = part->waiting.set, .request = part->waiting.request };
	struct lw_waiting *waiting = &whole->waiting;
	const struct lw_constraints *constraints = &part->waiting.constraints;

	if (lw_grow((void **)&reading->parts, &reading->part_room, reading->part_count + 1,
		    sizeof(*reading->parts)) ||
	    lw_needs_add(needs, &need))
		return -ENOMEM;
	reading->parts[reading->part_count++] = part->ticket;
	whole->ticket.part_count++;
	whole->ticket.segments |= part->ticket.segments;
	if (part->waiting.limit_s > waiting->limit_s)
		waiting->limit_s = part->waiting.limit_s;
	if (waiting->readiness == LW_READY || part->waiting.readiness == LW_NOT_READY)
		waiting->readiness = part->waiting.readiness;
	if (constraints->earliest_s > waiting->constraints.earliest_s)
		waiting->constraints.earliest_s = constraints->earliest_s;
	waiting->constraints.self_reserved &= constraints->self_reserved;
	waiting->constraints.now_only |= constraints->now_only;
	return 0;
}

/*
 * The reservation windows of all components: windows that apply to each of them, and windows of
 * users or labels that apply to any, since such nodes are seldom of use to the others.
 */
static uint64_t het_common_resv_windows(const struct lw_user_nodes *owners,
					const struct parts *parts)
{
	uint64_t common = UINT64_MAX, any = 0;

	for (uint32_t i = 0; i < parts->chosen_count; i++) {
		common &= parts->chosen[i]->waiting.constraints.closed;
		any |= parts->chosen[i]->waiting.constraints.closed;
	}
	return common | (any & lw_user_nodes_all(owners));
}

/*
 * A component may be in a reservation of its own, which is closed to the others. A job's terms
 * have one word for all, so what is not closed to all is taken out of a component's nodes, as
 * if it started now.
 */
static int het_leave_out(struct lw_reader *reader, uint64_t common, struct lw_component *part)
{
	uint64_t closed = part->waiting.constraints.closed & ~common;
	int64_t end_s = lw_waiting_end_s(&part->waiting, reader->reading->snap.now_s);

	part->waiting.constraints.closed = common;
	return closed ? lw_nodeset_without(reader->sets, closed, end_s, &part->waiting.set,
					   reader->err)
		      : 0;
}

/* One component, with what it would run with while the limits are asked. */
struct guise {
	job_record_t *job;
	part_record_t *part;
	slurmdb_qos_rec_t *qos;
};

/* Swap the values in the job's record with those in GUISE. */
static void het_swap(struct guise *guise)
{
	struct guise was = { guise->job, guise->job->part_ptr, guise->job->qos_ptr };

	guise->job->part_ptr = guise->part;
	lw_slurm_use_qos(guise->job, guise->qos);
	*guise = was;
}

/* Would the limits let the chosen components run, on this many NODES each? */
static bool het_is_allowed(const struct parts *parts, const uint32_t *nodes)
{
	struct guise *guises = xcalloc(parts->chosen_count, sizeof(*guises));
	struct lw_limits_part *asked = xcalloc(parts->chosen_count, sizeof(*asked));
	bool allowed;

	for (uint32_t i = 0; i < parts->chosen_count; i++) {
		const job_queue_rec_t *record = parts->records[parts->chosen[i]->waiting.variant];

		asked[i] = (struct lw_limits_part){ record->job_ptr, nodes[i], NULL };
		guises[i] = (struct guise){ record->job_ptr, record->part_ptr,
					    lw_slurm_queue_qos(record) };
		het_swap(&guises[i]);
	}
	allowed = lw_limits_allow_together(asked, parts->chosen_count);
	for (uint32_t i = 0; i < parts->chosen_count; i++)
		het_swap(&guises[i]);
	xfree(asked);
	xfree(guises);
	return allowed;
}

/* If choice NUMBER was refused because of a limit that would now allow it, it need not wait. */
static void het_ask_limits(const struct lw_reading_context *context, const struct parts *parts,
			   uint32_t number)
{
	struct lw_refusals *refusals = context->refusals;
	uint32_t job_id = parts->chosen[0]->ticket.job_id, known = 0;
	uint32_t *nodes;

	if (!lw_refusals_holds(refusals, job_id, number, context->cycle))
		return;
	nodes = xcalloc(parts->chosen_count, sizeof(*nodes));
	for (uint32_t i = 0; i < parts->chosen_count; i++) {
		nodes[i] = lw_refusals_limited(refusals, parts->chosen[i]->ticket.job_id, number);
		known += nodes[i] != 0;
	}
	if (known == parts->chosen_count && het_is_allowed(parts, nodes))
		lw_refusals_lift(refusals, job_id, number, context->cycle);
	xfree(nodes);
}

/* Add the job with choice NUMBER among the alternatives of its components. */
static int het_add_choice(struct lw_reader *reader, struct parts *parts, uint32_t number,
			  struct lw_needs *needs)
{
	struct lw_reading *reading = reader->reading;
	struct lw_component whole = { 0 };
	uint64_t common;

	het_choose(parts, number);
	common = het_common_resv_windows(&reader->owners, parts);
	needs->count = 0;
	for (uint32_t i = 0; i < parts->chosen_count; i++) {
		struct lw_component part = *parts->chosen[i];
		int rc = het_leave_out(reader, common, &part);

		if (rc)
			return rc;
		if (!i) {
			whole = part;
			whole.ticket.first_part = reading->part_count;
		} else if (het_join(reading, &part, &whole, needs)) {
			return lw_error_set(reader->err, -ENOMEM, "out of memory");
		}
	}
	whole.waiting.variant = number;
	if (whole.waiting.readiness == LW_READY)
		het_ask_limits(reader->context, parts, number);
	lw_backoff_refusal(reader, NULL, &whole.waiting);
	/* stock's preemption for het jobs has no rule to plan by */
	whole.waiting.constraints.preempts = whole.waiting.constraints.preempts_lower = 0;
	whole.waiting.constraints.lower_than = 0;
	whole.waiting.constraints.preempt_class = 0;
	return lw_add_component(reader, &whole, needs);
}

static uint32_t het_count_choices(const struct parts *parts)
{
	uint32_t choices = 1;

	for (uint32_t i = 0, step; i < parts->count && choices < LW_HET_CHOICES_MAX; i += step) {
		step = het_alternatives(parts, i);
		choices *= step;
	}
	return choices < LW_HET_CHOICES_MAX ? choices : LW_HET_CHOICES_MAX;
}

/* If one is gone, or was held, since the queue was taken, none of the others may start. */
static bool het_all_wait(const struct lw_hets *hets, job_queue_rec_t **records, uint32_t first,
			 uint32_t end)
{
	for (uint32_t m = first; m < end; m++) {
		if (!lw_still_waits(records[hets->members[m].record]))
			return false;
	}
	return true;
}

int lw_hets_add(const struct lw_hets *hets, struct lw_reader *reader, job_queue_rec_t **records,
		uint32_t i, struct lw_needs *needs)
{
	struct parts parts = { 0 };
	uint32_t first = hets->first_at[i], end;
	int rc = 0;

	if (!first)
		return 0;
	end = het_end_of(hets, --first);
	if (!het_all_wait(hets, records, first, end))
		return 0;
	parts.items = calloc(end - first, sizeof(*parts.items));
	parts.records = calloc(end - first, sizeof(*parts.records));
	parts.chosen = calloc(end - first, sizeof(*parts.chosen));
	if (!parts.items || !parts.records || !parts.chosen)
		rc = lw_error_set(reader->err, -ENOMEM, "out of memory");
	for (uint32_t m = first; !rc && m < end; m++) {
		struct lw_component *part = &parts.items[parts.count++];

		parts.records[m - first] = records[hets->members[m].record];
		rc = lw_read_component(reader, parts.records[m - first], part);
		part->waiting.variant = m - first;
	}
	if (parts.count)
		qsort(parts.items, parts.count, sizeof(*parts.items), het_by_job_id);
	for (uint32_t c = 0; !rc && c < het_count_choices(&parts); c++)
		rc = het_add_choice(reader, &parts, c, needs);
	free(parts.items);
	free(parts.records);
	free(parts.chosen);
	return rc;
}
