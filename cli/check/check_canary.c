/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: the jobs that Leeway plans, where it is not all (sched.partitions). */
#include "cli/check/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hosts.h"
#include "base/words.h"

#define PARTITIONS "sched.partitions"

static const char *canary_find(const struct lw_check *check, const char *name, size_t len)
{
	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];
		const char *here = line->pairs[0].value;

		if (lw_check_scope(line) == LW_CHECK_PARTITION && strlen(here) == len &&
		    !strncmp(here, name, len))
			return here;
	}
	return NULL;
}

/* Each word is to be a partition of slurm.conf. */
static void canary_check_names(struct lw_check *check)
{
	const char *at = check->config.sched_partitions;

	while (at && *at && !check->incomplete) {
		size_t len = strcspn(at, LW_WORDS_SEPARATORS);

		if (len && !canary_find(check, at, len))
			lw_check_add(check, LW_CHECK_WARNING, "canary-partition",
				     lw_check_at_setting(check, "partitions"),
				     PARTITIONS " has %.*s, and slurm.conf no such partition\n"
						"name one of slurm.conf",
				     (int)len, at);
		at += len;
		at += strspn(at, LW_WORDS_SEPARATORS);
	}
}

/* Of each node: a partition that is listed, and one that is not. */
struct canary_node {
	const char *listed, *other;
};

static void canary_note(struct canary_node *node, const char *name, bool listed)
{
	const char **which = listed ? &node->listed : &node->other;

	if (!*which)
		*which = name;
}

static void canary_look_at(const struct lw_check *check, const struct lw_slurmconf_line *line,
			   struct canary_node *nodes)
{
	const char *names = lw_slurmconf_value(line, "Nodes"), *name = line->pairs[0].value;
	bool listed = lw_words_has(check->config.sched_partitions, name);
	struct lw_hosts hosts;

	if (!names || !strcasecmp(name, "DEFAULT"))
		return;
	for (uint32_t i = 0; !strcasecmp(names, "ALL") && i < check->node_count; i++)
		canary_note(&nodes[i], name, listed);
	/* what cannot be read is told elsewhere */
	lw_hosts_init(&hosts);
	(void)lw_hosts_add(&hosts, names);
	for (uint32_t i = 0; i < hosts.count; i++) {
		const struct lw_check_node *node = lw_check_find_node(check, hosts.names[i]);

		if (node)
			canary_note(&nodes[node - check->nodes], name, listed);
	}
	lw_hosts_fini(&hosts);
}

static void canary_check_nodes(struct lw_check *check)
{
	struct canary_node *nodes = calloc(check->node_count + 1, sizeof(*nodes));

	if (!nodes) {
		check->error = -ENOMEM;
		return;
	}
	for (uint32_t i = 0; i < check->slurm.line_count; i++)
		if (lw_check_scope(&check->slurm.lines[i]) == LW_CHECK_PARTITION)
			canary_look_at(check, &check->slurm.lines[i], nodes);
	for (uint32_t i = 0; i < check->node_count; i++) {
		if (!nodes[i].listed || !nodes[i].other)
			continue;
		lw_check_add(check, LW_CHECK_NOTE, "canary-shared",
			     lw_check_at_setting(check, "partitions"),
			     "node %s is in partition %s, which Leeway plans, and in %s, which "
			     "stock backfill plans: what one has promised or planned there keeps "
			     "the other's jobs waiting, as doc/admin/trial.md says\n"
			     "list partitions that share no nodes with others, if there are some",
			     check->nodes[i].name, nodes[i].listed, nodes[i].other);
		break;
	}
	free(nodes);
}

/* Without slurmdbd no job has a QOS. */
static void canary_check_qos(struct lw_check *check)
{
	const char *storage = lw_check_global(check, "AccountingStorageType", NULL);

	if (check->config.sched_who && !check->incomplete &&
	    (!storage || !strcasestr(storage, "slurmdbd")))
		lw_check_add(check, LW_CHECK_WARNING, "canary-qos",
			     lw_check_at_setting(check, "sched"),
			     "QOS are named here, and without slurmdbd no job has one: Leeway "
			     "plans no job\nAccountingStorageType=accounting_storage/slurmdbd, or "
			     PARTITIONS);
}

void lw_check_canary(struct lw_check *check)
{
	if (check->yaml_bad || check->config.sched_mode == LW_MODE_WATCH)
		return;
	canary_check_names(check);
	canary_check_qos(check);
	if (check->config.sched_partitions)
		canary_check_nodes(check);
}
