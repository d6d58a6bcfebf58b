/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the machine that a workload is for, in its header lines (lw-workload(5)). */
#include "measure/workload_machine.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "measure/workload_words.h"

/* Version 1 of the file takes them for a comment. */
#define WORD	 "#machine"
#define TYPE_KEY "gpu_type="

struct key {
	const char *name;
	int64_t least, most;
	int64_t value; /* below 0: not said */
	bool given;
};

enum { NODES, CPUS, GPUS, MEM, KEYS };

static bool ends_word(char c)
{
	return !c || c == ' ' || c == '\t';
}

bool lw_workload_is_machine(const char *line)
{
	return strncmp(line, WORD, strlen(WORD)) == 0 && ends_word(line[strlen(WORD)]);
}

/* "a100" of LEN letters. */
static int read_type(const char *text, size_t len, char *ret_type, struct lw_error *err)
{
	char name[LW_WORKLOAD_NAME_MAX] = "";
	const char *want;

	snprintf(name, sizeof(name), "%.*s", (int)(len < sizeof(name) ? len : sizeof(name)), text);
	want = len < sizeof(name) ? lw_workload_take_name(name, ret_type)
				  : "a name of 1 to 47 characters";
	if (want)
		return lw_error_set(err, -EINVAL, WORD ": gpu_type: \"%s\" is not %s", name, want);
	return 0;
}

/* "cpus_per_node=16": keys that are not known are a later version's. */
static int read_word(const char *word, size_t len, struct key *keys, char *ret_type,
		     struct lw_error *err)
{
	const char *equals = memchr(word, '=', len);
	const char *at;
	uint64_t value;

	if (!equals)
		return lw_error_set(err, -EINVAL, WORD ": \"%.*s\" is not KEY=VALUE", (int)len,
				    word);
	if (strncmp(word, TYPE_KEY, strlen(TYPE_KEY)) == 0 && *ret_type)
		return lw_error_set(err, -EINVAL, WORD ": " TYPE_KEY " stands there twice");
	if (strncmp(word, TYPE_KEY, strlen(TYPE_KEY)) == 0)
		return read_type(equals + 1, len - strlen(TYPE_KEY), ret_type, err);
	for (int i = 0; i < KEYS; i++) {
		if (strlen(keys[i].name) != (size_t)(equals - word) ||
		    strncmp(keys[i].name, word, (size_t)(equals - word)) != 0)
			continue;
		at = equals + 1;
		if (!lw_number_take(&at, (uint64_t)keys[i].most, &value) || !ends_word(*at) ||
		    value < (uint64_t)keys[i].least)
			return lw_error_set(err, -EINVAL,
					    WORD ": \"%.*s\": %s is a whole number of %" PRId64
						 " to %" PRId64,
					    (int)len, word, keys[i].name, keys[i].least,
					    keys[i].most);
		if (keys[i].given)
			return lw_error_set(err, -EINVAL, WORD ": %s= stands there twice",
					    keys[i].name);
		keys[i].value = (int64_t)value;
		keys[i].given = true;
	}
	return 0;
}

static int read_words(const char *p, struct key *keys, char *ret_type, struct lw_error *err)
{
	int rc = 0;

	while (!rc && *(p += strspn(p, " \t"))) {
		size_t len = strcspn(p, " \t");

		rc = read_word(p, len, keys, ret_type, err);
		p += len;
	}
	for (int i = NODES; !rc && i <= CPUS; i++)
		if (keys[i].value < 0)
			rc = lw_error_set(err, -EINVAL, WORD ": no %s=", keys[i].name);
	return rc;
}

static uint64_t count_nodes(const struct lw_workload *workload)
{
	uint64_t nodes = 0;

	for (uint32_t i = 0; i < workload->type_count; i++)
		nodes += workload->types[i].count;
	return nodes;
}

int lw_workload_read_machine(struct lw_workload *workload, const char *line, struct lw_error *err)
{
	struct key keys[KEYS] = {
		[NODES] = { "nodes", 1, LW_WORKLOAD_NODES_MAX, -1, false },
		[CPUS] = { "cpus_per_node", 1, LW_WORKLOAD_CPUS_MAX, -1, false },
		[GPUS] = { "gpus_per_node", 0, LW_WORKLOAD_GPUS_MAX, 0, false },
		[MEM] = { "mem_mib_per_node", 0, UINT32_MAX, 0, false },
	};
	char type[LW_WORKLOAD_NAME_MAX] = "";
	struct lw_nodes *nodes;
	int rc = read_words(line + strlen(WORD), keys, type, err);

	if (rc)
		return rc;
	if (workload->job_count)
		return lw_error_set(err, -EINVAL, WORD ": must stand before the first job");
	if (workload->type_count == LW_NODES_TYPES_MAX)
		return lw_error_set(err, -EINVAL, WORD ": at most %d types of nodes",
				    LW_NODES_TYPES_MAX);
	if (count_nodes(workload) + (uint64_t)keys[NODES].value > LW_WORKLOAD_NODES_MAX)
		return lw_error_set(err, -EINVAL, WORD ": at most %d nodes", LW_WORKLOAD_NODES_MAX);
	if (workload->type_count && !keys[MEM].value != !workload->types[0].mem_mib)
		return lw_error_set(err, -EINVAL,
				    WORD ": mem_mib_per_node is said of all types of nodes, or "
					 "of none");
	nodes = &workload->types[workload->type_count++];
	*nodes = (struct lw_nodes){
		.count = (uint32_t)keys[NODES].value,
		.cpus = (uint32_t)keys[CPUS].value,
		.gpus = (uint32_t)keys[GPUS].value,
		.mem_mib = keys[MEM].value,
	};
	memcpy(nodes->gpu_type, type, sizeof(nodes->gpu_type));
	return 0;
}

void lw_workload_write_machine(const struct lw_workload *workload, FILE *out)
{
	for (uint32_t i = 0; i < workload->type_count; i++) {
		const struct lw_nodes *n = &workload->types[i];

		fprintf(out,
			WORD " nodes=%" PRIu32 " cpus_per_node=%" PRIu32 " gpus_per_node=%" PRIu32
			     " mem_mib_per_node=%" PRId64 "%s%s\n",
			n->count, n->cpus, n->gpus, n->mem_mib, *n->gpu_type ? " " TYPE_KEY : "",
			n->gpu_type);
	}
}
