/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway live: the nodes that scontrol prints, and the jobs on them. */
#include "cli/live/live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/hosts.h"
#include "base/lookup.h"
#include "base/number.h"

#define AMOUNT_MAX 10000000

/*
 * The value behind KEY= in LINE, up to a blank, to be freed; "" without one. What people wrote
 * into comments and reasons stands behind all that is asked for here.
 */
static char *value_of(const char *line, const char *key)
{
	size_t len = strlen(key);

	for (const char *at = line; (at = strstr(at, key)); at += len)
		if ((at == line || at[-1] == ' ') && at[len] == '=')
			return strndup(at + len + 1, strcspn(at + len + 1, " \n"));
	return strdup("");
}

static int number_of(const char *line, const char *key, uint32_t *ret_value)
{
	char *text = value_of(line, key);

	if (!text)
		return -ENOMEM;
	*ret_value = (uint32_t)lw_number_begins(text, AMOUNT_MAX, 0);
	free(text);
	return 0;
}

/* The end of an item of a list; commas in its parentheses do not count. */
static const char *item_end(const char *text)
{
	int depth = 0;

	for (; *text && (*text != ',' || depth > 0); text++)
		depth += (*text == '(') - (*text == ')');
	return text;
}

/* "gpu:a100:4(S:0-1),license:2": the GPUs, and to *RET_TYPE, unless that is NULL, their type. */
static uint32_t read_gres(const char *text, char **ret_type)
{
	uint32_t sum = 0;

	for (const char *end; *text; text = end + (*end == ',')) {
		size_t len = strcspn(text, "(,");
		const char *last = memrchr(text, ':', len);

		end = item_end(text);
		if (strncmp(text, "gpu", 3) != 0 || (text[3] != ':' && len != 3))
			continue;
		sum += (uint32_t)lw_number_begins(last ? last + 1 : "", AMOUNT_MAX, 1);
		if (ret_type && !*ret_type)
			*ret_type = last && last > text + 3
					    ? strndup(text + 4, (size_t)(last - text) - 4)
					    : strdup("gpu");
	}
	return sum;
}

static int read_gpus(struct lw_live_node *node, const char *line)
{
	char *gres = value_of(line, "Gres"), *used = value_of(line, "GresUsed");
	int rc = gres && used ? 0 : -ENOMEM;

	if (!rc) {
		node->gpus = read_gres(gres, &node->type);
		node->gpus_used = read_gres(used, NULL);
	}
	if (!node->type)
		node->type = strdup("");
	free(gres);
	free(used);
	return rc;
}

/* A node that takes no jobs, whatever else its state says. */
static bool is_usable(const char *state)
{
	static const char *const bad[] = { "DOWN",    "DRAIN",  "FAIL",
					   "UNKNOWN", "INVAL",  "NOT_RESPONDING",
					   "MAINT",   "REBOOT", "FUTURE",
					   "*" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (strstr(state, bad[i]))
			return strstr(state, "POWERED_DOWN") || strstr(state, "POWERING_DOWN");
	return true;
}

static int read_node(struct lw_live_node *node, const char *line)
{
	int rc = read_gpus(node, line);

	node->name = value_of(line, "NodeName");
	node->state = value_of(line, "State");
	if (!rc)
		rc = number_of(line, "CPUTot", &node->cpus);
	if (!rc)
		rc = number_of(line, "CPUAlloc", &node->cpus_used);
	if (!node->name || !node->state || !node->type)
		return -ENOMEM;
	node->usable = is_usable(node->state);
	return rc;
}

static int add_node(struct live *live, const char *text)
{
	struct lw_live_node *node;
	char *line;
	int rc;

	if (lw_grow((void **)&live->nodes, &live->node_room, live->node_count + 1,
		    sizeof(*live->nodes)))
		return -ENOMEM;
	node = &live->nodes[live->node_count++];
	memset(node, 0, sizeof(*node));
	line = strndup(text, strcspn(text, "\n"));
	rc = line ? read_node(node, line) : -ENOMEM;
	free(line);
	return rc;
}

int lw_live_add_nodes(struct live *live, const char *text, struct lw_error *err)
{
	static const char begin[] = "NodeName=", none[] = "No nodes in the system";
	bool strange = false;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		int rc;

		if (strncmp(text, begin, strlen(begin)) != 0) {
			strange |= *text != '\n' && strncmp(text, none, strlen(none)) != 0;
			continue;
		}
		rc = add_node(live, text);
		if (rc)
			return lw_error_set(err, rc, "out of memory");
	}
	if (strange && !live->node_count)
		return lw_error_set(err, -EIO,
				    "nothing that scontrol printed can be read as "
				    "nodes: is it Slurm's?");
	return 0;
}

/* ---- the jobs on them ---- */

static uint64_t key_of(const char *name)
{
	return lw_hash_mix_bytes(LW_HASH_BEGIN, name, strlen(name));
}

static void add_to_node(struct live *live, const struct lw_lookup *names, const char *name,
			uint32_t job)
{
	struct lw_live_node *node;
	uint32_t at;

	if (!lw_lookup_get(names, key_of(name), &at))
		return;
	node = &live->nodes[at];
	if (strcmp(node->name, name) != 0)
		return;
	if (node->job_count < LIVE_NODE_JOBS)
		node->jobs[node->job_count] = job;
	node->job_count++;
}

static int place_job(struct live *live, const struct lw_lookup *names, uint32_t job)
{
	struct lw_hosts hosts;
	int rc;

	lw_hosts_init(&hosts);
	rc = lw_hosts_add(&hosts, live->jobs[job].nodes);
	for (uint32_t i = 0; !rc && i < hosts.count; i++)
		add_to_node(live, names, hosts.names[i], job);
	lw_hosts_fini(&hosts);
	/* a list that cannot be read is no reason to show nothing */
	return rc == -ENOMEM ? rc : 0;
}

int lw_live_place_jobs(struct live *live, struct lw_error *err)
{
	struct lw_lookup names = { 0 };
	int rc = 0;

	for (uint32_t i = 0; !rc && i < live->node_count; i++)
		rc = lw_lookup_put(&names, key_of(live->nodes[i].name), i);
	for (uint32_t j = 0; !rc && j < live->job_count; j++)
		if (live->jobs[j].runs && *live->jobs[j].nodes)
			rc = place_job(live, &names, j);
	lw_lookup_fini(&names);
	return rc ? lw_error_set(err, rc, "out of memory") : 0;
}
