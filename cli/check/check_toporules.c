/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: what Slurm's topology plugins die of in topology.conf. */
#include "cli/check/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hosts.h"

/* of a switch (HOST_NAME_MAX) */
#define NAME_LEN_MAX 64
/* later ones take switches and blocks without nodes */
#define STRICT_RELEASE 0x180bff
/* sizes are this many doublings of the smallest */
#define LEVEL_MAX 15
/* how often topology/tree goes over the switches, for those of which all below is known */
#define PASSES 21

/* Of what topology.conf is made: SwitchName or BlockName. */
struct rules {
	struct lw_check *check;
	const struct lw_slurmconf *conf;
	const char *key;
	bool cube;   /* of topology/hypercube, which 23.11 dropped */
	bool strict; /* a release that does not take any without nodes */
};

static const struct lw_slurmconf_line *toporules_find(const struct rules *rules, const char *name,
						      uint32_t before)
{
	for (uint32_t i = 0; i < before; i++) {
		const char *other = lw_slurmconf_value(&rules->conf->lines[i], rules->key);

		if (other && !strcmp(other, name))
			return &rules->conf->lines[i];
	}
	return NULL;
}

static void check_name(const struct rules *rules, uint32_t index)
{
	const struct lw_slurmconf_line *line = &rules->conf->lines[index];
	const char *name = lw_slurmconf_value(line, rules->key);
	const struct lw_slurmconf_line *first = name ? toporules_find(rules, name, index) : NULL;

	if (first)
		lw_check_add(rules->check, LW_CHECK_FATAL, "topology-twice", lw_check_at(line),
			     "%s=%s is declared before, in %s:%u: slurmctld does not start\n"
			     "make one line of both, or give one another name",
			     rules->key, name, first->file, first->number);
}

/* How many of NAMES are nodes of slurm.conf? */
static uint32_t count_nodes(const struct rules *rules, const char *names)
{
	struct lw_hosts hosts;
	uint32_t count = 0;

	lw_hosts_init(&hosts);
	if (lw_hosts_add(&hosts, names) == -ENOMEM)
		rules->check->error = -ENOMEM;
	for (uint32_t i = 0; i < hosts.count; i++)
		count += lw_check_find_node(rules->check, hosts.names[i]) != NULL;
	lw_hosts_fini(&hosts);
	return count;
}

/* "r0i1s2": the place of a switch of a hypercube, up to 1023 each. */
static void check_cube_name(const struct rules *rules, const struct lw_slurmconf_line *line,
			    const char *name)
{
	unsigned rack, chassis, slot;
	int len = 0;

	if (sscanf(name, "r%4ui%4us%4u%n", &rack, &chassis, &slot, &len) == 3 && !name[len] &&
	    rack <= 1023 && chassis <= 1023 && slot <= 1023)
		return;
	lw_check_add(rules->check, LW_CHECK_FATAL, "topology-name", lw_check_at(line),
		     "SwitchName=%s is no rack, chassis and slot up to 1023 each: slurmctld does "
		     "not start\nsuch as r0i1s2",
		     name);
}

/* The first of SWITCHES that no line declares, or that is the switch NAME itself. */
static void check_children(const struct rules *rules, const struct lw_slurmconf_line *line,
			   const char *name, const char *switches)
{
	struct lw_hosts hosts;

	lw_hosts_init(&hosts);
	if (lw_hosts_add(&hosts, switches) == -ENOMEM)
		rules->check->error = -ENOMEM;
	for (uint32_t i = 0; i < hosts.count; i++) {
		const char *child = hosts.names[i];

		if (strcmp(child, name) && toporules_find(rules, child, rules->conf->line_count))
			continue;
		lw_check_add(rules->check, LW_CHECK_FATAL, "topology-child", lw_check_at(line),
			     "switch %s has the switch %s below it, which %s: slurmctld does not "
			     "start\ncorrect the name, or declare it",
			     name, child,
			     strcmp(child, name) ? "no SwitchName= declares" : "it is itself");
		break;
	}
	lw_hosts_fini(&hosts);
}

/* Is all below LINE known? What check_children() complains of counts as known. */
static bool is_known_below(const struct rules *rules, const struct lw_slurmconf_line *line,
			   const bool *known)
{
	const char *name = lw_slurmconf_value(line, "SwitchName");
	bool all = true;
	struct lw_hosts hosts;

	lw_hosts_init(&hosts);
	if (lw_hosts_add(&hosts, lw_slurmconf_value(line, "Switches")) == -ENOMEM)
		rules->check->error = -ENOMEM;
	for (uint32_t i = 0; all && i < hosts.count; i++) {
		const struct lw_slurmconf_line *child =
			toporules_find(rules, hosts.names[i], rules->conf->line_count);

		all = !child || !strcmp(hosts.names[i], name) ||
		      known[child - rules->conf->lines];
	}
	lw_hosts_fini(&hosts);
	return all;
}

/* A line with a switch that is still unknown when topology/tree gives up, or NULL. */
static const struct lw_slurmconf_line *find_unknown(const struct rules *rules, bool *known)
{
	const struct lw_slurmconf_line *unknown = rules->conf->lines;

	for (uint32_t pass = 0; unknown && pass < PASSES; pass++) {
		unknown = NULL;
		for (uint32_t i = 0; i < rules->conf->line_count; i++) {
			const struct lw_slurmconf_line *line = &rules->conf->lines[i];

			if (!known[i] && is_known_below(rules, line, known))
				known[i] = true;
			else if (!known[i] && !unknown)
				unknown = line;
		}
	}
	return unknown;
}

/* Switches below each other in a ring: no order of reading gets to the end. */
static void check_rings(const struct rules *rules)
{
	uint32_t count = rules->conf->line_count;
	bool *known = calloc(count ? count : 1, sizeof(*known));
	const struct lw_slurmconf_line *unknown;

	if (!known) {
		rules->check->error = -ENOMEM;
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct lw_slurmconf_line *line = &rules->conf->lines[i];

		known[i] = !lw_slurmconf_value(line, "SwitchName") ||
			   lw_slurmconf_value(line, "Nodes") ||
			   !lw_slurmconf_value(line, "Switches");
	}
	unknown = count ? find_unknown(rules, known) : NULL;
	if (unknown)
		lw_check_add(rules->check, LW_CHECK_FATAL, "topology-ring", lw_check_at(unknown),
			     "switch %s, or one below it, is below itself: slurmctld does not "
			     "start\ncorrect Switches=",
			     lw_slurmconf_value(unknown, "SwitchName"));
	free(known);
}

static void check_switch(const struct rules *rules, uint32_t index)
{
	const struct lw_slurmconf_line *line = &rules->conf->lines[index];
	const char *name = lw_slurmconf_value(line, "SwitchName");
	const char *nodes = lw_slurmconf_value(line, "Nodes");
	const char *switches = lw_slurmconf_value(line, "Switches");

	if (!name)
		return;
	if (strlen(name) > NAME_LEN_MAX)
		lw_check_add(rules->check, LW_CHECK_FATAL, "topology-name", lw_check_at(line),
			     "SwitchName=%.80s is longer than %d letters: slurmctld does not "
			     "start\ngive it a shorter name",
			     name, NAME_LEN_MAX);
	/* switches of a hypercube have both */
	if (rules->strict && (rules->cube ? !nodes && !switches : !nodes == !switches))
		lw_check_add(rules->check, LW_CHECK_FATAL, "topology-child", lw_check_at(line),
			     "switch %s has %s: slurmctld does not start\nNodes=, or Switches=",
			     name, nodes ? "nodes and switches below it" : "nothing below it");
	if (rules->cube)
		check_cube_name(rules, line, name);
	else if (switches && !nodes)
		check_children(rules, line, name, switches);
}

/*
 * Blocks of BlockSizes are the smallest, and it doubled any number of times. False with a
 * finding; *ret_smallest is 0 where there are none.
 */
static bool check_sizes(const struct rules *rules, uint32_t *ret_smallest)
{
	*ret_smallest = 0;
	for (uint32_t i = 0; i < rules->conf->line_count; i++) {
		const struct lw_slurmconf_line *line = &rules->conf->lines[i];
		const char *sizes = lw_slurmconf_value(line, "BlockSizes");

		for (; sizes && *sizes; sizes += strcspn(sizes, ",")) {
			long size, times;

			sizes += strspn(sizes, ",");
			if (!*sizes)
				break;
			size = atoi(sizes);
			if (!*ret_smallest && size > 0)
				*ret_smallest = (uint32_t)size;
			times = *ret_smallest ? size / (long)*ret_smallest : 0;
			if (size > 0 && size % (long)*ret_smallest == 0 &&
			    !(times & (times - 1)) && times <= 1L << LEVEL_MAX)
				continue;
			lw_check_add(
				rules->check, LW_CHECK_FATAL, "topology-sizes", lw_check_at(line),
				"BlockSizes=%s: %ld is not the first size doubled any number "
				"of times: slurmctld does not start\nsuch as BlockSizes=18,36,72",
				lw_slurmconf_value(line, "BlockSizes"), size);
			return false;
		}
	}
	return true;
}

static void check_block(const struct rules *rules, uint32_t index, uint32_t *smallest)
{
	const struct lw_slurmconf_line *line = &rules->conf->lines[index];
	const char *name = lw_slurmconf_value(line, "BlockName");
	const char *nodes = lw_slurmconf_value(line, "Nodes");
	uint32_t count;

	if (!name || !rules->strict)
		return;
	if (!nodes) {
		lw_check_add(rules->check, LW_CHECK_FATAL, "topology-child", lw_check_at(line),
			     "block %s has no nodes: slurmctld does not start\nNodes=", name);
		return;
	}
	count = count_nodes(rules, nodes);
	if (!*smallest)
		*smallest = count;
	if (count < *smallest)
		lw_check_add(
			rules->check, LW_CHECK_FATAL, "topology-sizes", lw_check_at(line),
			"block %s has %u nodes of slurm.conf, and blocks have at least %u: "
			"slurmctld does not start\nadd nodes, or a smaller size to BlockSizes",
			name, count, *smallest);
}

/* Where no size is given, some block must say how large blocks are: by nodes that there are. */
static void check_any_node(const struct rules *rules, uint32_t smallest)
{
	for (uint32_t i = 0; !smallest && i < rules->conf->line_count; i++) {
		const struct lw_slurmconf_line *line = &rules->conf->lines[i];

		if (!lw_slurmconf_value(line, "BlockName") || !lw_slurmconf_value(line, "Nodes"))
			continue;
		lw_check_add(rules->check, LW_CHECK_FATAL, "topology-sizes", lw_check_at(line),
			     "no block has a node of slurm.conf: slurmctld does not start\n"
			     "correct the names");
		return;
	}
}

/* A node below two switches of the lowest level: Slurm warns, and places by either. */
static void check_leaves(const struct rules *rules)
{
	bool *seen = calloc(rules->check->node_count + 1, sizeof(*seen));

	if (!seen)
		rules->check->error = -ENOMEM;
	for (uint32_t i = 0; seen && i < rules->conf->line_count; i++) {
		const struct lw_slurmconf_line *line = &rules->conf->lines[i];
		const char *nodes = lw_slurmconf_value(line, "Switches")
					    ? NULL
					    : lw_slurmconf_value(line, "Nodes");
		const char *twice = NULL;
		struct lw_hosts hosts;

		lw_hosts_init(&hosts);
		if (nodes && lw_hosts_add(&hosts, nodes) == -ENOMEM)
			rules->check->error = -ENOMEM;
		for (uint32_t j = 0; j < hosts.count; j++) {
			const struct lw_check_node *node =
				lw_check_find_node(rules->check, hosts.names[j]);

			if (node && seen[node - rules->check->nodes])
				twice = twice ? twice : node->name;
			else if (node)
				seen[node - rules->check->nodes] = true;
		}
		if (twice && !toporules_find(rules, lw_slurmconf_value(line, "SwitchName"), i))
			lw_check_add(rules->check, LW_CHECK_WARNING, "topology-leaf",
				     lw_check_at(line),
				     "node %s is below another switch, too: Slurm says that the "
				     "file is wrong\ntake it out of one of them",
				     twice);
		lw_hosts_fini(&hosts);
	}
	free(seen);
}

void lw_check_toporules(struct lw_check *check, const struct lw_slurmconf *conf, bool blocks)
{
	const char *plugin = lw_check_global(check, "TopologyPlugin", NULL);
	const struct rules rules = {
		.check = check,
		.conf = conf,
		.key = blocks ? "BlockName" : "SwitchName",
		.cube = plugin && strcasestr(plugin, "hypercube"),
		.strict = check->release && check->release <= STRICT_RELEASE,
	};
	uint32_t smallest = 0;

	if (check->incomplete)
		return;
	for (uint32_t i = 0; i < conf->line_count; i++) {
		if (conf->lines[i].absent)
			return;
	}
	lw_check_rows(check, conf, blocks ? LW_SLURMKEY_BLOCK : LW_SLURMKEY_SWITCH);
	/* up to 23.11 sizes have another name */
	if (blocks && !check_sizes(&rules, &smallest))
		return;
	for (uint32_t i = 0; i < conf->line_count; i++) {
		check_name(&rules, i);
		if (blocks)
			check_block(&rules, i, &smallest);
		else
			check_switch(&rules, i);
	}
	if (blocks && rules.strict)
		check_any_node(&rules, smallest);
	if (!blocks && !rules.cube) {
		check_rings(&rules);
		check_leaves(&rules);
	}
}
