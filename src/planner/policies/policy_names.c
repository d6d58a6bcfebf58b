/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the names of policies and orders. */
#include "planner/policies/policy.h"

#include <errno.h>
#include <string.h>

static const char *const kind_names[] = {
	[LW_POLICY_FCFS] = "fcfs",
	[LW_POLICY_EASY] = "easy",
	[LW_POLICY_RELAXED] = "relaxed",
	[LW_POLICY_ADAPTIVE] = "adaptive",
	[LW_POLICY_LEEWAY] = "leeway",
	[LW_POLICY_CONSERVATIVE] = "conservative",
};

static const char *const order_names[] = {
	[LW_ORDER_GIVEN] = "given", [LW_ORDER_FCFS] = "fcfs",	  [LW_ORDER_SJF] = "sjf",
	[LW_ORDER_WFP3] = "wfp3",   [LW_ORDER_UNICEP] = "unicep", [LW_ORDER_F1] = "f1",
};

static const char *const backfill_order_names[] = {
	[LW_BACKFILL_PRIORITY] = "priority",
	[LW_BACKFILL_SHORTEST] = "shortest",
};

#define COUNT_OF(array) ((unsigned)(sizeof(array) / sizeof((array)[0])))

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

const char *lw_order_name(enum lw_order order)
{
	return name_of(order_names, COUNT_OF(order_names), order);
}

int lw_order_parse(const char *name)
{
	return parse_name(order_names, COUNT_OF(order_names), name);
}

const char *lw_backfill_order_name(enum lw_backfill_order order)
{
	return name_of(backfill_order_names, COUNT_OF(backfill_order_names), order);
}

int lw_backfill_order_parse(const char *name)
{
	return parse_name(backfill_order_names, COUNT_OF(backfill_order_names), name);
}
