/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: what slurm.conf has too often, too much of, or not at all. */
#include "cli/check/check.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hosts.h"
#include "base/number.h"
#include "cli/check/slurmvalues.h"

/* The index of a node that Slurm does not take any more (MAX_SLURM_NODES). */
#define CLUSTER_NODES_MAX 65536

/* ---- hosts of slurmctld ---- */

static void check_host_twice(struct lw_check *check)
{
	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];
		const char *host = lw_slurmconf_value(line, "SlurmctldHost");

		for (uint32_t j = 0; host && j < i; j++) {
			const char *other =
				lw_slurmconf_value(&check->slurm.lines[j], "SlurmctldHost");
			size_t len = strcspn(host, "(");

			if (!other || strcspn(other, "(") != len || strncmp(host, other, len))
				continue;
			lw_check_add(
				check, LW_CHECK_FATAL, "host-twice", lw_check_at(line),
				"SlurmctldHost=%.*s is given before, in %s:%u: slurmctld does "
				"not start\ntake it out",
				(int)len, host, check->slurm.lines[j].file,
				check->slurm.lines[j].number);
			return;
		}
	}
}

/* ---- nodes and partitions ---- */

static void check_node_count(struct lw_check *check)
{
	struct lw_check_place place;
	const char *text = lw_check_global(check, "MaxNodeCount", &place);
	static const struct lw_slurmkey needs_nodes = { .first = 2205, .last = 2205 };
	bool strict = check->release && lw_slurmkey_known(&needs_nodes, check->release);
	uint64_t max = 0;

	/* up to 22.05 there must be a node; later ones may come by themselves */
	if (!check->node_count && !check->incomplete)
		lw_check_add(
			check, strict ? LW_CHECK_FATAL : LW_CHECK_WARNING, "key-missing",
			lw_check_at_slurm_conf(check), "has no NodeName: %s\nNodeName=NAME CPUs=N",
			strict ? "slurmctld does not start"
			       : "no job starts, unless nodes register by themselves (slurmd -Z)");
	if (check->node_count > CLUSTER_NODES_MAX + 1)
		lw_check_add(check, LW_CHECK_FATAL, "node-range", lw_check_at_slurm_conf(check),
			     "has %u nodes, and Slurm takes %d: slurmctld does not start\n"
			     "make several clusters of them",
			     check->node_count, CLUSTER_NODES_MAX);
	if (text && lw_number_read(text, UINT32_MAX, &max) && max && max < check->node_count)
		lw_check_add(check, LW_CHECK_FATAL, "node-range", place,
			     "MaxNodeCount=%s, and there are %u nodes: slurmctld does not start\n"
			     "make it larger",
			     text, check->node_count);
}

/* What each node has of its own cannot be the same for all. */
static void check_node_default(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	static const char *const keys[] = { "NodeAddr", "NodeHostname", "BcastAddr" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcasecmp(line->pairs[0].value, "DEFAULT") &&
		    lw_slurmconf_value(line, keys[i]))
			lw_check_add(check, LW_CHECK_FATAL, "node-default", lw_check_at(line),
				     "NodeName=DEFAULT with %s: slurmctld does not start\n"
				     "give it to each node",
				     keys[i]);
}

/* A job that names no partition goes to the default one. */
static void check_default_partition(struct lw_check *check)
{
	const struct lw_slurmconf_line *first = NULL;

	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];
		const char *value = lw_slurmconf_value(line, "Default");

		if (lw_check_scope(line) != LW_CHECK_PARTITION)
			continue;
		if (value && (!strcasecmp(value, "YES") || !strcasecmp(value, "TRUE") ||
			      !strcasecmp(value, "UP") || !strcmp(value, "1")))
			return;
		first = first ? first : line;
	}
	if (first && !check->incomplete)
		lw_check_add(check, LW_CHECK_WARNING, "partition-default", lw_check_at(first),
			     "no partition has Default=YES: a job that names none is refused\n"
			     "Default=YES for one of them");
}

static void check_node_sets(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	const char *set = lw_slurmconf_value(line, "NodeSet");

	if (set && lw_check_find_node(check, set))
		lw_check_add(check, LW_CHECK_FATAL, "node-set", lw_check_at(line),
			     "NodeSet %s has the name of a node: slurmctld does not start\n"
			     "give it another name",
			     set);
}

static void check_down_nodes(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	const char *down = lw_slurmconf_value(line, "DownNodes");
	const char *state = lw_slurmconf_value(line, "State");
	struct lw_slurmvalue_fault fault;
	struct lw_hosts hosts;
	int rc = 0;

	lw_hosts_init(&hosts);
	if (down)
		rc = lw_hosts_add(&hosts, down);
	lw_hosts_fini(&hosts);
	if (rc)
		lw_check_no_nodes(check, rc, LW_CHECK_ERROR, lw_check_at(line), "DownNodes", down);
	if (down && state &&
	    lw_slurmvalue_check(LW_SLURMTYPE_NODE_STATE, check->release, state, &fault) ==
		    LW_SLURMVALUE_WRONG)
		lw_check_add(check, LW_CHECK_WARNING, "down-node", lw_check_at(line),
			     "DownNodes=%s has State=%s, which Slurm does not know: it goes on "
			     "without the line\n%s",
			     down, state, fault.expected);
}

/* ---- weights ---- */

static void check_weight_sum(struct lw_check *check)
{
	static const char *const keys[] = { "PriorityWeightAge",       "PriorityWeightAssoc",
					    "PriorityWeightFairshare", "PriorityWeightJobSize",
					    "PriorityWeightPartition", "PriorityWeightQOS" };
	struct lw_check_place place = lw_check_at_slurm_conf(check), at;
	uint64_t sum = 0, weight;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *text = lw_check_global(check, keys[i], &at);

		if (!text || !lw_number_read(text, UINT32_MAX, &weight))
			continue;
		sum += weight;
		place = at;
	}
	if (sum > UINT32_MAX)
		lw_check_add(
			check, LW_CHECK_WARNING, "priority-weights", place,
			"the PriorityWeight settings add up to %llu: priorities may overflow\n"
			"make them smaller: 4294967295 together",
			(unsigned long long)sum);
}

/* ---- time-outs ---- */

static uint64_t cluster_number(struct lw_check *check, const char *key, uint64_t fallback,
			       struct lw_check_place *ret_place)
{
	const char *text = lw_check_global(check, key, ret_place);
	uint64_t value;

	return text && lw_number_read(text, UINT16_MAX, &value) ? value : fallback;
}

/* A step that does not end in time takes its node down, also where only messages are slow. */
static void check_unkillable(struct lw_check *check)
{
	static const struct lw_slurmkey compared = { .first = 2411, .last = 2605 };
	struct lw_check_place place, message_place;
	uint64_t message_s = cluster_number(check, "MessageTimeout", 10, &message_place);
	uint64_t step_s = cluster_number(check, "UnkillableStepTimeout", 0, &place);
	bool given = lw_check_global(check, "UnkillableStepTimeout", NULL) != NULL;

	if (!lw_slurmkey_known(&compared, check->release))
		return;
	if (given && step_s < 5 * message_s)
		lw_check_add(
			check, LW_CHECK_WARNING, "step-timeout", place,
			"UnkillableStepTimeout=%llu is less than 5 times MessageTimeout, %llu: "
			"nodes may go down with \"KillTaskFailed\"\nUnkillableStepTimeout=%llu",
			(unsigned long long)step_s, (unsigned long long)message_s,
			5 * (unsigned long long)message_s);
	else if (!given && 5 * message_s > UINT16_MAX)
		lw_check_add(check, LW_CHECK_WARNING, "step-timeout", message_place,
			     "MessageTimeout=%llu: 5 times as much is too large for "
			     "UnkillableStepTimeout\nmake it smaller",
			     (unsigned long long)message_s);
}

void lw_check_cluster(struct lw_check *check)
{
	check_host_twice(check);
	check_node_count(check);
	check_default_partition(check);
	check_weight_sum(check);
	check_unkillable(check);
	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		if (lw_check_scope(&check->slurm.lines[i]) == LW_CHECK_NODE)
			check_node_default(check, &check->slurm.lines[i]);
		if (lw_check_scope(&check->slurm.lines[i]) != LW_CHECK_OTHER)
			continue;
		check_node_sets(check, &check->slurm.lines[i]);
		check_down_nodes(check, &check->slurm.lines[i]);
	}
}
