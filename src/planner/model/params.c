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
#define LW_PARAM_MEMBER(type, member, usual) .member = usual,
#include "planner/model/params.def"
	};
}

bool lw_params_count(const struct lw_policy_params *params, enum lw_counts counts)
{
	bool leeway = lw_policy_has(params->kind, LW_DEADLINES);
	bool types = !lw_policy_has(params->kind, LW_RESERVES_ALL);

	switch (counts) {
	case LW_COUNTS_ALWAYS:
	case LW_COUNTS_CHAINS:
		break;
	case LW_COUNTS_RELAXED:
		return lw_policy_has(params->kind, LW_SLIPS) && !leeway;
	case LW_COUNTS_LEEWAY:
		return leeway;
	case LW_COUNTS_ORDERED:
		return !lw_order_is_given(params->order);
	case LW_COUNTS_ATTAINED:
		return lw_order_needs(params->order, LW_NEEDS_ATTAINED);
	case LW_COUNTS_FILLS:
		return lw_policy_has(params->kind, LW_FILLS);
	case LW_COUNTS_GANGS:
		return lw_policy_has(params->kind, LW_GANGS);
	case LW_COUNTS_TYPES:
		return types;
	case LW_COUNTS_ENERGY:
		return types && params->energy;
	}
	return true;
}

const char *lw_counts_when(enum lw_counts counts)
{
	static const char *const when[] = {
		[LW_COUNTS_ALWAYS] = "counts always",
		[LW_COUNTS_RELAXED] = "counts under sched.policy relaxed and adaptive only",
		[LW_COUNTS_LEEWAY] = "counts under sched.policy leeway only",
		[LW_COUNTS_ORDERED] = "counts under another sched.order than given only",
		[LW_COUNTS_ATTAINED] = "counts under sched.order las2d only",
		[LW_COUNTS_FILLS] = "counts under a sched.policy that fills gaps by it only",
		[LW_COUNTS_GANGS] = "no job waits under this sched.policy",
		[LW_COUNTS_TYPES] = "types are not chosen under this sched.policy",
		[LW_COUNTS_ENERGY] = "counts with select.energy on only",
		[LW_COUNTS_CHAINS] = "counts with sched.chain yes only",
	};

	return when[counts];
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

static const char *params_name_of(const char *const *names, unsigned count, unsigned value)
{
	return value < count ? names[value] : "unknown";
}

static int params_parse_name(const char *const *names, unsigned count, const char *name)
{
	for (unsigned value = 0; value < count; value++) {
		if (!strcmp(name, names[value]))
			return (int)value;
	}
	return -EINVAL;
}

const char *lw_policy_kind_name(enum lw_policy_kind kind)
{
	return params_name_of(kind_names, COUNT_OF(kind_names), kind);
}

int lw_policy_kind_parse(const char *name)
{
	return params_parse_name(kind_names, COUNT_OF(kind_names), name);
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
	return params_name_of(order_names, COUNT_OF(order_names), order);
}

int lw_order_parse(const char *name)
{
	return params_parse_name(order_names, COUNT_OF(order_names), name);
}

const char *lw_deadlines_names(void)
{
	return "off order guard";
}

const char *lw_deadlines_name(enum lw_deadlines deadlines)
{
	return params_name_of(deadlines_names, COUNT_OF(deadlines_names), deadlines);
}

const char *lw_types_names(void)
{
	return "any finish fair";
}

const char *lw_types_name(enum lw_types types)
{
	return params_name_of(types_names, COUNT_OF(types_names), types);
}

const char *lw_backfill_order_names(void)
{
	return "priority shortest";
}

const char *lw_backfill_order_name(enum lw_backfill_order order)
{
	return params_name_of(backfill_order_names, COUNT_OF(backfill_order_names), order);
}
