/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: what keeps select.type from choosing among types of GPUs. */
#include "cli/check/check.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/hosts.h"
#include "config/gpumemory.h"

/* A type of GPUs as Gres= names it: "a100" of "gpu:a100:4". */
struct type {
	const char *name;
	size_t len;
};

/* The first of GRES; of GPUs without one the name is empty. False: there are no GPUs. */
static bool first_type(const char *gres, struct type *ret_type)
{
	for (const char *at = gres; at && *at; at += strcspn(at, ","), at += *at == ',') {
		size_t len;

		if (strncasecmp(at, "gpu", 3) || (at[3] && !strchr(":=,(", at[3])))
			continue;
		*ret_type = (struct type){ .name = "" };
		len = at[3] == ':' ? strcspn(at + 4, ":,(=") : 0;
		if (len && strspn(at + 4, "0123456789") < len)
			*ret_type = (struct type){ at + 4, len };
		return true;
	}
	return false;
}

static bool is_type(const struct type *a, const struct type *b)
{
	return a->len == b->len && !strncasecmp(a->name, b->name, a->len);
}

/* Do NODES, a list of names or NULL for all, have GPUs of several types? */
static bool has_several(const struct lw_check *check, const struct lw_hosts *nodes)
{
	uint32_t count = nodes ? nodes->count : check->node_count;
	struct type first = { NULL }, type;

	for (uint32_t i = 0; i < count; i++) {
		const struct lw_check_node *node =
			nodes ? lw_check_find_node(check, nodes->names[i]) : &check->nodes[i];

		if (!node || !first_type(node->gres, &type))
			continue;
		if (first.name && !is_type(&first, &type))
			return true;
		first = type;
	}
	return false;
}

/* May one partition's jobs choose? What is not known, as the nodes of a node set, may. */
static bool has_choice(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	const char *nodes = lw_slurmconf_value(line, "Nodes");
	struct lw_hosts hosts;
	bool choice = false;

	if (!strcasecmp(line->pairs[0].value, "DEFAULT"))
		return false;
	if (!nodes || !strcasecmp(nodes, "ALL"))
		return true;
	lw_hosts_init(&hosts);
	if (lw_hosts_add(&hosts, nodes) == -ENOMEM)
		check->error = -ENOMEM;
	for (uint32_t i = 0; i < hosts.count && !choice; i++)
		choice = !lw_check_find_node(check, hosts.names[i]);
	choice = choice || has_several(check, &hosts);
	lw_hosts_fini(&hosts);
	return choice;
}

static bool any_has_choice(struct lw_check *check)
{
	for (uint32_t i = 0; i < check->slurm.line_count; i++)
		if (lw_check_scope(&check->slurm.lines[i]) == LW_CHECK_PARTITION &&
		    has_choice(check, &check->slurm.lines[i]))
			return true;
	return false;
}

static void check_nodes(struct lw_check *check, const char *type, struct lw_check_place place)
{
	if (check->incomplete || !lw_check_has_gpus(check))
		return;
	if (!has_several(check, NULL))
		lw_check_add(check, LW_CHECK_NOTE, "type-one", place,
			     "select.type: %s has nothing to choose: Gres= of all nodes has "
			     "GPUs of one type\nname types in Gres=gpu:TYPE:COUNT and in gres.conf",
			     type);
	else if (!any_has_choice(check))
		lw_check_add(check, LW_CHECK_WARNING, "type-partitions", place,
			     "select.type: %s: each partition has GPUs of one type, so a "
			     "job that names a partition has chosen\na partition of all of them, "
			     "or let users ask for --partition=A,B",
			     type);
}

/* Scripts of the site are not read. */
static void check_submits(struct lw_check *check, const char *type)
{
	static const char *const keys[] = { "JobSubmitPlugins", "CliFilterPlugins" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct lw_check_place place;
		const char *plugins = lw_check_global(check, keys[i], &place);

		if (!lw_check_listed(plugins, "lua") &&
		    !lw_check_listed(plugins, "job_submit/lua") &&
		    !lw_check_listed(plugins, "cli_filter/lua") &&
		    !lw_check_listed(plugins, "cli_filter/user_defaults"))
			continue;
		lw_check_add(check, LW_CHECK_NOTE, "type-defaults", place,
			     "%s=%s may name a type of GPUs for jobs that name none, which takes "
			     "the choice from select.type: %s\nask for GPUs without a type there",
			     keys[i], plugins, type);
	}
}

/* Are the words of select.gpu_memory such, and of any use? */
static void check_memory(struct lw_check *check)
{
	struct lw_check_place place = lw_check_at_setting(check, "gpu_memory");
	const char *words = check->config.select_gpu_memory;
	struct lw_gpu_memory memory;
	struct lw_error err;

	if (words && check->config.select_type == LW_TYPES_ANY && !check->config.select_energy)
		lw_check_add(check, LW_CHECK_WARNING, "type-memory", place,
			     "select.gpu_memory does nothing under select.type: any\n"
			     "select.type: finish");
	while (lw_gpu_memory_next(&words, &memory, &err)) {
		uint32_t first = lw_gpu_memory_mib(check->config.select_gpu_memory, memory.type);

		if (first != memory.mib)
			lw_check_add(check, LW_CHECK_WARNING, "type-memory", place,
				     "select.gpu_memory has %s twice, and %" PRIu32
				     " of them counts\none TYPE:MIB of each type",
				     memory.type, first);
		/* if GPUs have no type, or not all nodes are known, this is not known */
		if (!check->incomplete && lw_check_has_gpus(check) &&
		    !lw_check_has_type(check, memory.type))
			lw_check_add(check, LW_CHECK_WARNING, "type-memory", place,
				     "select.gpu_memory has %s, and Gres= of no node has GPUs of "
				     "that type\nthe type as Gres=gpu:TYPE:COUNT names it",
				     memory.type);
	}
	if (err.text[0])
		lw_check_add(check, LW_CHECK_ERROR, "type-memory", place,
			     "select.gpu_memory: %s; what follows is not read\n"
			     "select.gpu_memory: a100:40960 k80:11441",
			     err.text);
}

void lw_check_types(struct lw_check *check)
{
	const char *type = lw_types_name((enum lw_types)check->config.select_type);
	struct lw_check_place place = lw_check_at_setting(check, "type");

	if (check->yaml_bad)
		return;
	check_memory(check);
	if (check->config.select_type == LW_TYPES_ANY)
		return;
	if (!lw_check_policy_has(check, LW_RESERVES_ALL) && !check->config.sched_predict)
		lw_check_add(check, LW_CHECK_WARNING, "type-unknown", place,
			     "select.type: %s is ignored: sched.predict is no, and how long jobs "
			     "run on each type is not learned\nsched.predict: yes",
			     type);
	check_nodes(check, type, place);
	check_submits(check, type);
}
