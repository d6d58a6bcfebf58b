/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: what becomes of chains, jobs that wait for others to end. */
#include "cli/check/check.h"

#include <strings.h>

#include "base/number.h"

/* Where no PriorityType is written; 22.05 has priority/basic. */
#define MULTIFACTOR_DEFAULT 0x180b00

static bool is_multifactor(const struct lw_check *check)
{
	const char *type = lw_check_global(check, "PriorityType", NULL);

	if (!type)
		return check->release >= MULTIFACTOR_DEFAULT && !check->incomplete;
	return !strcasecmp(type, "priority/multifactor") || !strcasecmp(type, "multifactor");
}

/* A link that has waited as long as the run before it has no age when its turn comes. */
static void check_age(struct lw_check *check)
{
	struct lw_check_place place;
	const char *weight = lw_check_global(check, "PriorityWeightAge", &place);
	const char *flags = lw_check_global(check, "PriorityFlags", NULL);

	if (!is_multifactor(check) || !weight || !lw_number_begins(weight, UINT32_MAX, 0) ||
	    lw_check_listed(flags, "ACCRUE_ALWAYS") || (!flags && check->incomplete))
		return;
	lw_check_add(
		check, LW_CHECK_NOTE, "accrue-always", place,
		"PriorityWeightAge, and PriorityFlags without ACCRUE_ALWAYS: Slurm gives no age to "
		"a job that waits for another to end, so where slurmctld starts jobs itself each "
		"link of a chain begins at the end of the queue\n"
		"PriorityFlags=ACCRUE_ALWAYS, by which jobs that are held, or begin later, get "
		"older too, and limits of how many do are not heeded");
}

static void check_chain_off(struct lw_check *check)
{
	if (check->yaml_bad || check->config.sched_chain)
		return;
	lw_check_add(check, LW_CHECK_NOTE, "chain-off", lw_check_at_setting(check, "chain"),
		     "sched.chain is off: a link of a chain is planned when the one before has "
		     "ended, and waits as a new job does\nsched.chain: yes");
}

void lw_check_chains(struct lw_check *check)
{
	check_age(check);
	check_chain_off(check);
}
