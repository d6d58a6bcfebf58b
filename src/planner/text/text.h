/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: snapshots and plans as text: lw-snapshot(5) and lw-plan(5). */
#ifndef LW_PLANNER_TEXT_H
#define LW_PLANNER_TEXT_H

#include "base/error.h"
#include "base/strbuf.h"
#include "planner/model/plan.h"
#include "planner/model/snapshot.h"

/*
 * Append SNAP as lw-snapshot text to OUT. Printing, parsing and printing again gives
 * the same bytes. Failure is in out->error.
 */
void lw_snapshot_print(const struct lw_snapshot *snap, struct lw_strbuf *out);

/*
 * Parse TEXT (NUL-terminated) into SNAP, which must be uninitialised or finished.
 * -EINVAL with ERR as "NAME:LINE: field: what is wrong", -ENOMEM; SNAP is then empty.
 */
int lw_snapshot_parse(struct lw_snapshot *snap, const char *name, const char *text,
		      struct lw_error *err);

/*
 * Append where DECISION of PLAN puts its job, each with a blank before it: the domain, and
 * what the place costs others. Nothing when there is nothing to say.
 */
void lw_decision_print_place(const struct lw_plan *plan, const struct lw_decision *decision,
			     const struct lw_snapshot *snap, struct lw_strbuf *out);

/* Append PLAN, made from SNAP, as lw-plan text to OUT. Failure is in out->error. */
void lw_plan_print(const struct lw_plan *plan, const struct lw_snapshot *snap,
		   struct lw_strbuf *out);

#endif
