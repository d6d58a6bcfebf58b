/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: settings of a policy that do nothing without another. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <string.h>

static bool chooses_energy(const struct lw_simspec *spec)
{
	return spec->policy.energy;
}

bool lw_simspec_chooses(const struct lw_simspec *spec)
{
	return spec->policy.types != LW_TYPES_ANY || spec->policy.energy;
}

static bool may_choose(const struct lw_simspec *spec)
{
	return !lw_simspec_chooses(spec) ||
	       (!lw_policy_has(spec->policy.kind, LW_RESERVES_ALL) && !spec->published);
}

static bool has_order(const struct lw_simspec *spec)
{
	return !lw_queue_is_given(&spec->policy);
}

static bool goes_by_service(const struct lw_simspec *spec)
{
	return lw_order_needs(spec->policy.order, LW_NEEDS_ATTAINED);
}

static bool inspects(const struct lw_simspec *spec)
{
	return spec->inspects;
}

static bool plans_chains(const struct lw_simspec *spec)
{
	return spec->chain == LW_CHAIN_ON;
}

static bool puts_together(const struct lw_simspec *spec)
{
	return spec->sharing.rule.mode != LW_SHARE_OFF;
}

static bool goes_by_rule(const struct lw_simspec *spec)
{
	return spec->sharing.way == LW_SHARING_RULE || spec->sharing.way == LW_SHARING_LEARNED;
}

static const struct {
	const char *key;
	bool (*has)(const struct lw_simspec *spec);
	const char *lacks;
} needs[] = {
	{ "type", may_choose, "does nothing under this policy: types are not chosen there" },
	{ "energy-choice", may_choose,
	  "does nothing under this policy: types are not chosen there" },
	{ "energy-slack", chooses_energy, "does nothing without energy-choice on" },
	{ "order-age", has_order, "does nothing without an order other than given" },
	{ "keep-promises", has_order, "does nothing without an order other than given" },
	{ "las-threshold", goes_by_service, "does nothing without order las2d" },
	{ "inspect-cap", inspects, "does nothing without inspector learned" },
	{ "chain-share", plans_chains, "does nothing without chain on" },
	{ "chain-total", plans_chains, "does nothing without chain on" },
	{ "chain-min", plans_chains, "does nothing without chain on" },
	{ "share-below", goes_by_rule, "is of share-by rule and learned, and does nothing here" },
	{ "share-part", puts_together, "does nothing without share" },
};

/* Is KEY=... among the settings of SPEC? */
static bool is_given(const struct lw_simspec *spec, const char *key)
{
	size_t len = strlen(key);

	for (const char *at = strchr(spec->settings, ':'); at; at = strchr(at + 1, ':'))
		if (!strncmp(at + 1, key, len) && at[1 + len] == '=')
			return true;
	return false;
}

bool lw_simspec_shares(const struct lw_simspec *spec)
{
	return puts_together(spec) || is_given(spec, "share");
}

int lw_simspec_check(const struct lw_simspec *spec, struct lw_error *err)
{
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
		if (is_given(spec, needs[i].key) && !needs[i].has(spec))
			return lw_error_set(err, -EINVAL, "%s: --%s %s", spec->label,
					    needs[i].key, needs[i].lacks);
	return 0;
}
