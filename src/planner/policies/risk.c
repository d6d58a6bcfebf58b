/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the priced risk: a start that may delay a promised job, but hardly ever does. */
#include "planner/policies/risk.h"

#include "base/grow.h"
#include "predictor/survival.h"

#include <errno.h>
#include <stdlib.h>

void lw_risks_fini(struct lw_risks *risks)
{
	free(risks->late_s);
	*risks = (struct lw_risks){ 0 };
}

int lw_risks_reserved(struct lw_risks *risks, uint32_t number)
{
	if (lw_grow((void **)&risks->late_s, &risks->room, number + 1, sizeof(*risks->late_s)))
		return -ENOMEM;
	risks->late_s[number] = 0;
	return 0;
}

/* The reservation that a start ending at END_S may delay on that node; NULL: none. */
static const struct lw_reservation *
harmed(const struct lw_cycle *cycle, const struct lw_alloc *alloc, uint32_t index, int64_t end_s)
{
	const struct lw_reservation *resv = lw_cycle_holder(cycle, alloc->node);

	if (!resv || resv->over || lw_cycle_same_job(cycle, resv->waiting, index) ||
	    end_s <= resv->horizon_s || lw_res_within(&alloc->res, &cycle->spare[alloc->node]))
		return NULL;
	return resv;
}

static double *risk_late_of(const struct lw_risks *risks, const struct lw_cycle *cycle,
			    const struct lw_reservation *resv)
{
	return &risks->late_s[resv - cycle->reservations];
}

/* The wait it was promised. */
static double risk_owed_s(const struct lw_cycle *cycle, const struct lw_reservation *resv)
{
	return (double)(cycle->plan->decisions[resv->decision].promise_s -
			cycle->snap->waiting[resv->waiting].submit_s);
}

/* The expected time of CLASS beyond HORIZON_S, which is in its tail. */
static double risk_lateness_s(const struct lw_cycle *cycle, const struct lw_class *class,
			      int64_t horizon_s)
{
	int64_t tail_s = class->limit_s < LW_TAIL_S ? class->limit_s : LW_TAIL_S;
	int64_t beyond_s = cycle->snap->now_s + class->limit_s - horizon_s;

	return (double)class->expected.tail_ms / 1000 * (double)beyond_s / (double)tail_s;
}

static bool risk_worth(const struct lw_risks *risks, const struct lw_cycle *cycle,
		       const struct lw_class *class, int64_t end_s,
		       const struct lw_reservation *resv)
{
	const struct lw_policy_params *params = cycle->params;
	double late_s, head, own;

	if (cycle->snap->now_s >= resv->horizon_s || end_s > resv->risk_until_s)
		return false;
	late_s = risk_lateness_s(cycle, class, resv->horizon_s);
	head = lw_width(&cycle->scale, &cycle->snap->waiting[resv->waiting].request);
	own = lw_width(&cycle->scale, &class->request);
	return late_s * head <= params->price * (double)class->expected.mean_s * own &&
	       *risk_late_of(risks, cycle, resv) + late_s <=
		       params->risk * risk_owed_s(cycle, resv);
}

bool lw_risk_is_worth(const struct lw_risks *risks, const struct lw_cycle *cycle, uint32_t index,
		      const struct lw_alloc *allocs, uint32_t count)
{
	const struct lw_class *class = lw_cycle_class(cycle, index);
	int64_t end_s = lw_cycle_end(cycle, &cycle->snap->waiting[index]);

	if (cycle->params->price <= 0 || !class->expected.tail_ms)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct lw_reservation *resv = harmed(cycle, &allocs[i], index, end_s);

		if (resv && !risk_worth(risks, cycle, class, end_s, resv))
			return false;
	}
	return true;
}

void lw_risk_take(struct lw_risks *risks, const struct lw_cycle *cycle, uint32_t index,
		  const struct lw_alloc *allocs, uint32_t count)
{
	const struct lw_class *class = lw_cycle_class(cycle, index);
	int64_t end_s = lw_cycle_end(cycle, &cycle->snap->waiting[index]);
	const struct lw_reservation *last = NULL;

	for (uint32_t i = 0; cycle->reservation_count && i < count; i++) {
		const struct lw_reservation *resv = harmed(cycle, &allocs[i], index, end_s);

		/* once for each; if the nodes of several alternate, that counts more */
		if (resv && resv != last)
			*risk_late_of(risks, cycle, resv) +=
				risk_lateness_s(cycle, class, resv->horizon_s);
		if (resv)
			last = resv;
	}
}
