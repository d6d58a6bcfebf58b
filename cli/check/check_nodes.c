/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: the nodes and partitions of slurm.conf, and what fights placement. */
#include "cli/check/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/grow.h"
#include "base/hosts.h"
#include "cli/common/gres.h"

static int add_nodes(struct lw_check *check, const struct lw_hosts *hosts,
		     const struct lw_check_node *like)
{
	if (lw_grow((void **)&check->nodes, &check->node_room, check->node_count + hosts->count,
		    sizeof(*check->nodes)))
		return -ENOMEM;
	for (uint32_t i = 0; i < hosts->count; i++) {
		struct lw_check_node *node = &check->nodes[check->node_count];

		*node = *like;
		node->name = strdup(hosts->names[i]);
		if (!node->name)
			return -ENOMEM;
		check->node_count++;
	}
	return 0;
}

const char *lw_check_node_value(const struct lw_check_node_line *node, const char *key)
{
	const char *value = lw_slurmconf_value(node->line, key);

	for (uint32_t i = node->default_count; !value && i > 0; i--)
		value = lw_slurmconf_value(node->defaults[i - 1], key);
	return value;
}

/* The line says it for the lines after it. */
static int add_default(struct lw_check_node_line *node)
{
	if (lw_grow((void **)&node->defaults, &node->default_room, node->default_count + 1,
		    sizeof(*node->defaults)))
		return -ENOMEM;
	node->defaults[node->default_count++] = node->line;
	return 0;
}

void lw_check_each_node_line(struct lw_check *check,
			     void (*take)(const struct lw_check_node_line *node))
{
	struct lw_check_node_line node = { .check = check };

	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		node.line = &check->slurm.lines[i];
		if (lw_check_scope(node.line) != LW_CHECK_NODE)
			continue;
		if (strcasecmp(node.line->pairs[0].value, "DEFAULT"))
			take(&node);
		else if (add_default(&node))
			check->error = -ENOMEM;
	}
	free(node.defaults);
}

static unsigned long nodes_number(const char *text, unsigned long fallback)
{
	unsigned long value = text ? strtoul(text, NULL, 0) : fallback;

	return value ? value : fallback;
}

/* How many cores has a node of the line? 0: it does not say. */
static uint32_t count_cores(const struct lw_check_node_line *node)
{
	const char *cpus = lw_check_node_value(node, "CPUs");
	const char *sockets = lw_check_node_value(node, "Sockets");
	const char *per_board = lw_check_node_value(node, "SocketsPerBoard");
	const char *boards = lw_check_node_value(node, "Boards");
	const char *cores = lw_check_node_value(node, "CoresPerSocket");
	const char *threads = lw_check_node_value(node, "ThreadsPerCore");

	if (per_board)
		return (uint32_t)(nodes_number(boards, 1) * nodes_number(per_board, 1) *
				  nodes_number(cores, 1));
	if (sockets)
		return (uint32_t)(nodes_number(sockets, 1) * nodes_number(cores, 1));
	return cpus ? (uint32_t)(nodes_number(cpus, 1) / nodes_number(threads, 1)) : 0;
}

static void read_node_line(const struct lw_check_node_line *from)
{
	struct lw_check *check = from->check;
	const char *name = from->line->pairs[0].value;
	struct lw_check_node node = { .line = (uint32_t)(from->line - check->slurm.lines) };
	struct lw_hosts hosts;
	int rc;

	node.gres = lw_check_node_value(from, "Gres");
	node.cores = count_cores(from);
	if (node.gres)
		node.gpus = lw_gres_count_gpus(node.gres);
	lw_hosts_init(&hosts);
	rc = lw_hosts_add(&hosts, name);
	if (!rc)
		rc = add_nodes(check, &hosts, &node);
	lw_hosts_fini(&hosts);
	if (rc)
		lw_check_no_nodes(check, rc, LW_CHECK_FATAL, lw_check_at(from->line), "NodeName",
				  name);
}

static int compare_nodes(const void *left, const void *right)
{
	const struct lw_check_node *a = left, *b = right;
	int by_name = strcmp(a->name, b->name);

	return by_name ? by_name : (a->line > b->line) - (a->line < b->line);
}

static int compare_name(const void *key, const void *item)
{
	return strcmp(key, ((const struct lw_check_node *)item)->name);
}

const struct lw_check_node *lw_check_find_node(const struct lw_check *check, const char *name)
{
	if (!check->node_count)
		return NULL;
	return bsearch(name, check->nodes, check->node_count, sizeof(*check->nodes),
		       compare_name);
}

static void check_node_twice(struct lw_check *check)
{
	for (uint32_t i = 1; i < check->node_count; i++) {
		const struct lw_check_node *node = &check->nodes[i];
		const struct lw_slurmconf_line *first = &check->slurm.lines[node[-1].line];

		if (strcmp(node->name, node[-1].name))
			continue;
		lw_check_add(check, LW_CHECK_FATAL, "node-twice",
			     lw_check_at(&check->slurm.lines[node->line]),
			     "node %s is declared before, in %s:%u: slurmctld does not start\n"
			     "take it out of one of the lines",
			     node->name, first->file, first->number);
		return;
	}
}

/* NodeSet=NAME is a name for nodes that partitions may use. */
static bool is_node_set(const struct lw_check *check, const char *name)
{
	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const char *set = lw_slurmconf_value(&check->slurm.lines[i], "NodeSet");

		if (set && !strcasecmp(set, name))
			return true;
	}
	return false;
}

const char *lw_check_undeclared(struct lw_check *check, const char *names, bool sets, char *buf,
				size_t size)
{
	const char *found = NULL;
	struct lw_hosts hosts;

	if (check->incomplete || !strcasecmp(names, "ALL"))
		return NULL;
	lw_hosts_init(&hosts);
	if (lw_hosts_add(&hosts, names) == -ENOMEM)
		check->error = -ENOMEM;
	for (uint32_t i = 0; !found && i < hosts.count; i++) {
		if (lw_check_find_node(check, hosts.names[i]) ||
		    (sets && is_node_set(check, hosts.names[i])))
			continue;
		snprintf(buf, size, "%s", hosts.names[i]);
		found = buf;
	}
	lw_hosts_fini(&hosts);
	return found;
}

static void check_partition_nodes(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	const char *nodes = lw_slurmconf_value(line, "Nodes");
	struct lw_hosts hosts;
	char name[256];
	int rc = 0;

	lw_hosts_init(&hosts);
	if (nodes)
		rc = lw_hosts_add(&hosts, nodes);
	lw_hosts_fini(&hosts);
	if (rc)
		lw_check_no_nodes(check, rc, LW_CHECK_FATAL, lw_check_at(line), "Nodes", nodes);
	else if (nodes && lw_check_undeclared(check, nodes, true, name, sizeof(name)))
		lw_check_add(check, LW_CHECK_FATAL, "partition-node", lw_check_at(line),
			     "partition %s has the node %s, which no NodeName= declares: "
			     "slurmctld does not start\ntake it out of Nodes=, or declare it",
			     line->pairs[0].value, name);
}

/* Is the partition of the line at INDEX declared before? */
static void check_partition_twice(struct lw_check *check, uint32_t index)
{
	const struct lw_slurmconf_line *line = &check->slurm.lines[index];
	const char *name = line->pairs[0].value;

	for (uint32_t i = 0; i < index; i++) {
		const struct lw_slurmconf_line *first = &check->slurm.lines[i];

		if (lw_check_scope(first) != LW_CHECK_PARTITION ||
		    strcmp(first->pairs[0].value, name) || !strcasecmp(name, "DEFAULT"))
			continue;
		lw_check_add(
			check, LW_CHECK_FATAL, "partition-twice", lw_check_at(line),
			"partition %s is declared before, in %s:%u: slurmctld does not start\n"
			"make one line of both, or give one another name",
			name, first->file, first->number);
		return;
	}
}

static void check_partitions(struct lw_check *check)
{
	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		if (lw_check_scope(&check->slurm.lines[i]) != LW_CHECK_PARTITION)
			continue;
		check_partition_nodes(check, &check->slurm.lines[i]);
		check_partition_twice(check, i);
	}
}

bool lw_check_has_gpus(const struct lw_check *check)
{
	for (uint32_t i = 0; i < check->node_count; i++) {
		if (check->nodes[i].gpus)
			return true;
	}
	return false;
}

/* Least-loaded placement spreads what packing wants together; ours stands back for it. */
static void check_least_loaded(struct lw_check *check)
{
	struct lw_check_place place;
	const char *params = lw_check_global(check, "SelectTypeParameters", &place);

	if (lw_check_listed(params, "CR_LLN"))
		lw_check_add(
			check, LW_CHECK_WARNING, "lln", place,
			"CR_LLN spreads jobs over the least loaded nodes, which breaks up whole "
			"GPU nodes; Leeway does not pack GPU jobs then\ntake CR_LLN out of "
			"SelectTypeParameters");
	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];
		const char *lln = lw_slurmconf_value(line, "LLN");

		if (lw_check_scope(line) == LW_CHECK_PARTITION && lln && !strcasecmp(lln, "yes"))
			lw_check_add(
				check, LW_CHECK_WARNING, "lln", lw_check_at(line),
				"LLN=YES spreads the jobs of partition %s over the least loaded "
				"nodes; Leeway does not pack its GPU jobs then\nLLN=NO",
				line->pairs[0].value);
	}
}

static bool has_default_memory(const struct lw_slurmconf_line *line)
{
	return lw_slurmconf_value(line, "DefMemPerCPU") ||
	       lw_slurmconf_value(line, "DefMemPerNode") ||
	       lw_slurmconf_value(line, "DefMemPerGPU");
}

/* PartitionName=DEFAULT says what the partitions behind it have in common. */
struct share {
	const char *over, *shared, *exclusive; /* OverSubscribe, Shared, Exclusive */
};

/* How the jobs of LINE, a partition, share nodes; *DEFAULTS is changed by "DEFAULT". */
static struct share share_of(const struct lw_slurmconf_line *line, struct share *defaults)
{
	const char *over = lw_slurmconf_value(line, "OverSubscribe");
	const char *shared = lw_slurmconf_value(line, "Shared");
	const char *exclusive = lw_slurmconf_value(line, "Exclusive");
	struct share share = { over ? over : defaults->over, shared ? shared : defaults->shared,
			       exclusive ? exclusive : defaults->exclusive };

	if (!strcasecmp(line->pairs[0].value, "DEFAULT"))
		*defaults = share;
	if (!share.over) /* the same by its old name */
		share.over = share.shared ? share.shared : "NO";
	return share;
}

/* Does each job get whole nodes? */
static bool is_exclusive(const struct share *share)
{
	if (share->exclusive)
		return !strcasecmp(share->exclusive, "NODE") ||
		       !strcasecmp(share->exclusive, "TOPO");
	return !strcasecmp(share->over, "EXCLUSIVE");
}

static void report_memory(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	lw_check_add(check, LW_CHECK_WARNING, "def-mem", lw_check_at(line),
		     "partition %s has no default memory, and memory is allocated: a job "
		     "that asks for none takes all of a node's, and the plan sees it full\n"
		     "DefMemPerCPU=MIB in slurm.conf",
		     line->pairs[0].value);
}

/*
 * A job that asks for no memory gets all of a node, where memory is allocated; where it gets
 * all the rest as well, that is no loss.
 */
static void check_memory(struct lw_check *check)
{
	const char *params = lw_check_global(check, "SelectTypeParameters", NULL);
	struct share defaults = { NULL };
	bool by_default = lw_check_global(check, "DefMemPerCPU", NULL) ||
			  lw_check_global(check, "DefMemPerNode", NULL) ||
			  lw_check_global(check, "DefMemPerGPU", NULL);

	if (!params || !strcasestr(params, "memory") || by_default)
		return;
	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];
		struct share share;

		if (lw_check_scope(line) != LW_CHECK_PARTITION)
			continue;
		share = share_of(line, &defaults);
		by_default |=
			!strcasecmp(line->pairs[0].value, "DEFAULT") && has_default_memory(line);
		if (!by_default && !has_default_memory(line) && !is_exclusive(&share) &&
		    strcasecmp(line->pairs[0].value, "DEFAULT"))
			report_memory(check, line);
	}
}

/* FORCE:1 allows as much as NO. */
static bool is_forced(const char *over)
{
	return !strncasecmp(over, "FORCE", 5) && (over[5] != ':' || atoi(over + 6) > 1);
}

static void check_oversubscription(struct lw_check *check)
{
	struct share defaults = { NULL };

	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];
		struct share share;

		if (lw_check_scope(line) != LW_CHECK_PARTITION)
			continue;
		share = share_of(line, &defaults);
		if (is_forced(share.over) && strcasecmp(line->pairs[0].value, "DEFAULT"))
			lw_check_add(
				check, LW_CHECK_NOTE, "oversubscribe", lw_check_at(line),
				"OverSubscribe=%s: the plan does not know that jobs share CPUs "
				"in partition %s, and sees it full where Slurm has room\n"
				"Slurm's main loop starts such jobs; leave it switched on",
				share.over, line->pairs[0].value);
	}
}

static void check_gres_types(struct lw_check *check)
{
	struct lw_check_place place;
	const char *types = lw_check_global(check, "GresTypes", &place);

	if (lw_check_has_gpus(check) && !lw_check_listed(types, "gpu") &&
	    (types || !check->incomplete))
		lw_check_add(check, LW_CHECK_ERROR, "gres-types", place,
			     "nodes have Gres=gpu, and GresTypes has no gpu: no job can ask for "
			     "them\nGresTypes=gpu%s%s",
			     types ? "," : "", types ? types : "");
}

/* GPUs are accounted by slurmdbd alone, and only when asked for. */
static void check_accounting(struct lw_check *check)
{
	struct lw_check_place place;
	const char *tres = lw_check_global(check, "AccountingStorageTRES", &place);
	const char *type = lw_check_global(check, "AccountingStorageType", NULL);
	bool has_dbd = type && strcasestr(type, "slurmdbd");

	if (tres && strchr(tres, '/') && strcasecmp(tres, "fs/disk") && !has_dbd &&
	    (type || !check->incomplete))
		lw_check_add(check, LW_CHECK_FATAL, "accounting-tres", place,
			     "AccountingStorageTRES=%s needs slurmdbd: slurmctld does not start\n"
			     "AccountingStorageType=accounting_storage/slurmdbd, or take it out",
			     tres);
	else if (has_dbd && lw_check_has_gpus(check) && (!tres || !strcasestr(tres, "gres/gpu")))
		lw_check_add(
			check, LW_CHECK_NOTE, "accounting-gpu", place,
			"AccountingStorageTRES has no gres/gpu: sacct does not tell how many "
			"GPUs a job had\nAccountingStorageTRES=%s%sgres/gpu",
			tres ? tres : "", tres ? "," : "");
}

void lw_check_nodes(struct lw_check *check)
{
	lw_check_each_node_line(check, read_node_line);
	if (check->node_count)
		qsort(check->nodes, check->node_count, sizeof(*check->nodes), compare_nodes);
	check_node_twice(check);
	check_partitions(check);
	check_least_loaded(check);
	check_memory(check);
	check_oversubscription(check);
	check_gres_types(check);
	check_accounting(check);
}
