/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a plan as lw-plan(5) text. */
#include "planner/text/text.h"

#include "planner/text/text_amounts.h"
#include "planner/text/text_names.h"

#include <inttypes.h>

static void text_plan_add_time(struct lw_strbuf *out, const char *key, int64_t time_s,
			       int64_t now_s)
{
	if (time_s != LW_NO_TIME)
		lw_strbuf_add(out, " %s=%" PRId64 "(%+" PRId64 ")", key, time_s,
			      time_s - now_s);
}

static void text_plan_add_allocs(struct lw_strbuf *out, const struct lw_snapshot *snap,
				 const struct lw_alloc *allocs, uint32_t count)
{
	uint32_t end;

	for (uint32_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count; end++) {
			if (!lw_res_equal(&allocs[end].res, &allocs[i].res))
				break;
		}
		lw_strbuf_add(out, " on=");
		lw_text_add_alloc_names(out, snap, allocs + i, end - i);
		lw_text_add_amounts(out, ':', ',', &allocs[i].res, snap);
	}
}

/* The smallest domain that holds them all, if one does. */
static void text_plan_add_domain(struct lw_strbuf *out, const struct lw_snapshot *snap,
				 const struct lw_alloc *allocs, uint32_t count)
{
	uint32_t domain = count ? lw_domain_of(&snap->domains, allocs[0].node) : LW_NO_DOMAIN;

	for (uint32_t i = 1; i < count; i++)
		domain = lw_domain_common(&snap->domains, domain,
					  lw_domain_of(&snap->domains, allocs[i].node));
	if (domain == LW_NO_DOMAIN)
		return;
	lw_strbuf_add(out, " in=");
	lw_text_add_name(out, snap->domains.items[domain].name);
}

/* Hundredths, rounded away from 0, whatever the locale. */
static void text_plan_add_useless(struct lw_strbuf *out, int64_t useless)
{
	int64_t size = useless < 0 ? -useless : useless;
	int64_t hundredths = (size * 100 + LW_MIX_ONE / 2) / LW_MIX_ONE;

	lw_strbuf_add(out, " useless=%c%" PRId64 ".%02" PRId64,
		      useless < 0 && hundredths ? '-' : '+', hundredths / 100,
		      hundredths % 100);
}

void lw_decision_print_place(const struct lw_plan *plan, const struct lw_decision *decision,
			     const struct lw_snapshot *snap, struct lw_strbuf *out)
{
	text_plan_add_domain(out, snap, lw_decision_allocs(plan, decision),
			     decision->alloc_count);
	if (decision->weighed)
		text_plan_add_useless(out, decision->useless);
}

/* "type=a100 done=600(+600) other=v100 other-done=900(+900)" */
static void text_plan_add_choice(struct lw_strbuf *out, const struct lw_snapshot *snap,
				 const struct lw_type_choice *choice)
{
	if (!choice->made)
		return;
	lw_strbuf_add(out, " type=");
	lw_text_add_name(out, snap->gpu_types[choice->type]);
	text_plan_add_time(out, "done", choice->done_s, snap->now_s);
	if (choice->other == LW_GPU_ANY)
		return;
	lw_strbuf_add(out, " other=");
	lw_text_add_name(out, snap->gpu_types[choice->other]);
	if (choice->cramped)
		lw_strbuf_add(out, " other-cramped");
	else
		text_plan_add_time(out, "other-done", choice->other_done_s, snap->now_s);
}

static void text_plan_print_decision(const struct lw_plan *plan,
				     const struct lw_decision *decision,
				     const struct lw_snapshot *snap, struct lw_strbuf *out)
{
	uint32_t variant = snap->waiting[decision->waiting].variant;

	lw_strbuf_add(out, "%s %" PRIu32, lw_verdict_name(decision->verdict),
		      decision->job_id);
	if (variant)
		lw_strbuf_add(out, "/%" PRIu32, variant);
	lw_strbuf_add(out, " %s", lw_reason_name(decision->reason));
	text_plan_add_time(out, "at", decision->start_s, snap->now_s);
	text_plan_add_time(out, "promise", decision->promise_s, snap->now_s);
	text_plan_add_time(out, "latest", decision->latest_s, snap->now_s);
	if (decision->after_job)
		lw_strbuf_add(out, " after=%" PRIu32, decision->after_job);
	text_plan_add_choice(out, snap, &decision->choice);
	lw_decision_print_place(plan, decision, snap, out);
	text_plan_add_allocs(out, snap, lw_decision_allocs(plan, decision),
			     decision->alloc_count);
	lw_strbuf_add(out, "\n");
}

void lw_plan_print(const struct lw_plan *plan, const struct lw_snapshot *snap,
		   struct lw_strbuf *out)
{
	lw_strbuf_add(out, "lw-plan 1\nnow %" PRId64 "\n", snap->now_s);
	lw_strbuf_add(out,
		      "total decisions=%" PRIu32 " starts=%" PRIu32 " backfilled=%" PRIu32
		      " reserved=%" PRIu32 "\n",
		      plan->decision_count, plan->started, plan->backfilled,
		      plan->reserved);
	for (uint32_t i = 0; i < plan->decision_count; i++)
		text_plan_print_decision(plan, &plan->decisions[i], snap, out);
}
