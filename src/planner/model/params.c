/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the settings of a planner: names, traits, defaults. */
#include "planner/model/params.h"

#include <errno.h>
#include <string.h>

#define COUNT_OF(array) ((unsigned)(sizeof(array) / sizeof((array)[0])))

static const char *const kind_names[] = {
#define LW_POLICY(id, name, traits, help) [LW_POLICY_##id] = #name,
#include "planner/model/policies.def"
};

static const unsigned kind_traits[] = {
#define LW_POLICY(id, name, traits, help) [LW_POLICY_##id] = traits,
#include "planner/model/policies.def"
};

static const char *const order_names[] = {
#define LW_ORDER(id, name, needs, help) [LW_ORDER_##id] = #name,
#include "planner/model/orders.def"
};

static const unsigned order_needs[] = {
#define LW_ORDER(id, name, needs, help) [LW_ORDER_##id] = needs,
#include "planner/model/orders.def"
};

/* each behind a blank */
static const char all_kinds[] =
#define LW_POLICY(id, name, traits, help) " " #name
#include "planner/model/policies.def"
	;
static const char all_orders[] =
#define LW_ORDER(id, name, needs, help) " " #name
#include "planner/model/orders.def"
	;

static const char *const deadlines_names[] = {
	[LW_DEADLINES_OFF] = "off",
	[LW_DEADLINES_ORDER] = "order",
	[LW_DEADLINES_GUARD] = "guard",
};

static const char *const types_names[] = {
	[LW_TYPES_ANY] = "any",
	[LW_TYPES_FINISH] = "finish",
	[LW_TYPES_FAIR] = "fair",
};

static const char *const backfill_order_names[] = {
	[LW_BACKFILL_PRIORITY] = "priority",
	[LW_BACKFILL_SHORTEST] = "shortest",
};

void lw_policy_params_default(struct lw_policy_params *params)
{
	*params = (struct lw_policy_params){
		.kind = LW_POLICY_EASY,
		.keep_promises = true,
		.las_threshold_s = 3200, /* doc/dev/planner.md gives the reason */
		.relax = 0.1,
		.relax_cap_s = 86400,
		.energy_slack = LW_ENERGY_SLACK,
		/* doc/dev/planner.md gives the reasons */
		.chain_share = 0.1,
		.chain_total = 0.2,
		.chain_min_s = INT64_C(6) * 3600,
		/* chosen and checked on traces: doc/dev/planner.md */
		.leeway = {
			.slack = 0.1,
			.slack_cap_s = 2700,
			.backlog = 1.125,
			.ageing = 0.1,
			.width = 0.1,
			.yield = 0.15,
			.scout = true,
			.price = 0.02,
			.risk = 0.02,
			.risk_cap_s = 900,
			.hold = true,
		},
	};
}

bool lw_policy_has(enum lw_policy_kind kind, unsigned traits)
{
	return (unsigned)kind < LW_POLICY_COUNT && (kind_traits[kind] & traits);
}

bool lw_order_needs(enum lw_order order, unsigned needs)
{
	if (order == LW_ORDER_OUTSIDE)
		return needs & LW_NEEDS_JOBS;
	return (unsigned)order < LW_ORDER_COUNT && (order_needs[order] & needs);
}

static const char *name_of(const char *const *names, unsigned count, unsigned value)
{
	return value < count ? names[value] : "unknown";
}

static int parse_name(const char *const *names, unsigned count, const char *name)
{
	for (unsigned value = 0; value < count; value++) {
		if (!strcmp(name, names[value]))
			return (int)value;
	}
	return -EINVAL;
}

const char *lw_policy_kind_name(enum lw_policy_kind kind)
{
	return name_of(kind_names, COUNT_OF(kind_names), kind);
}

int lw_policy_kind_parse(const char *name)
{
	return parse_name(kind_names, COUNT_OF(kind_names), name);
}

const char *lw_policy_names(void)
{
	return all_kinds + 1;
}

const char *lw_order_names(void)
{
	return all_orders + 1;
}

const char *lw_order_name(enum lw_order order)
{
	return name_of(order_names, COUNT_OF(order_names), order);
}

int lw_order_parse(const char *name)
{
	return parse_name(order_names, COUNT_OF(order_names), name);
}

const char *lw_deadlines_names(void)
{
	return "off order guard";
}

const char *lw_deadlines_name(enum lw_deadlines deadlines)
{
	return name_of(deadlines_names, COUNT_OF(deadlines_names), deadlines);
}

int lw_deadlines_parse(const char *name)
{
	return parse_name(deadlines_names, COUNT_OF(deadlines_names), name);
}

const char *lw_types_names(void)
{
	return "any finish fair";
}

const char *lw_types_name(enum lw_types types)
{
	return name_of(types_names, COUNT_OF(types_names), types);
}

int lw_types_parse(const char *name)
{
	return parse_name(types_names, COUNT_OF(types_names), name);
}

const char *lw_backfill_order_name(enum lw_backfill_order order)
{
	return name_of(backfill_order_names, COUNT_OF(backfill_order_names), order);
}

int lw_backfill_order_parse(const char *name)
{
	return parse_name(backfill_order_names, COUNT_OF(backfill_order_names), name);
}
