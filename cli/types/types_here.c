/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway types: the GPUs of each type, and the jobs that wait for them. */
#include "cli/types/types.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/grow.h"
#include "cli/common/gres.h"
#include "cli/common/rows.h"
#include "cli/common/slurmcall.h"
#include "record/account.h"

void lw_types_here_fini(struct lw_types_here *here)
{
	for (uint32_t i = 0; i < here->place_count; i++) {
		free(here->places[i].type);
		free(here->places[i].partition);
	}
	for (uint32_t i = 0; i < here->queue_count; i++)
		free(here->queues[i].type);
	free(here->places);
	free(here->queues);
	*here = (struct lw_types_here){ .any = 0 };
}

const struct lw_types_place *lw_types_place(const struct lw_types_here *here, const char *type,
					    const char *partition)
{
	for (uint32_t i = 0; i < here->place_count; i++)
		if (strcasecmp(here->places[i].type, type) == 0 &&
		    (!partition || strcmp(here->places[i].partition, partition) == 0))
			return &here->places[i];
	return NULL;
}

static struct lw_types_queue *find_queue(const struct lw_types_here *here, const char *type)
{
	for (uint32_t i = 0; i < here->queue_count; i++)
		if (strcasecmp(here->queues[i].type, type) == 0)
			return &here->queues[i];
	return NULL;
}

uint32_t lw_types_waiting(const struct lw_types_here *here, const char *type)
{
	const struct lw_types_queue *queue = find_queue(here, type);

	return queue ? queue->jobs : 0;
}

/* ---- sinfo ---- */

static const char node_format[] = "NodeHost:|,PartitionName:|,StateLong:|,Gres:|,GresUsed:";
/* states and lists of its form are sacct's in no letter */
static const char node_header[] = "NodeHost|Partition|NodeState|Gres|GresUsed\n";
enum { NODE, PARTITION, STATE, GRES, USED };

/* How many of the type of GPUS are in USED, "gpu:a100:2(IDX:0-1)". */
static uint32_t used_of(const struct lw_gres_gpus *gpus, const char *used)
{
	struct lw_gres_gpus item;

	while (lw_gres_next(&used, &item))
		if (item.type_len == gpus->type_len &&
		    strncasecmp(item.type, gpus->type, item.type_len) == 0)
			return item.count;
	return 0;
}

/* States of nodes that take jobs at some time, and of nodes with free CPUs. */
static const char *const taking[] = {
	"idle", "mixed", "allocated", "completing", "planned", NULL
};
static const char *const open_now[] = { "idle", "mixed", NULL };

/* Is a node of STATE, "idle", "mixed*", one of STATES, and reached? */
static bool is_of(const char *state, const char *const *states)
{
	for (size_t i = 0; states[i]; i++)
		if (strncasecmp(state, states[i], strlen(states[i])) == 0)
			return !strpbrk(state, "*$@^");
	return false;
}

static int add_place(struct lw_types_here *here, const struct lw_gres_gpus *gpus,
		     char *const *row)
{
	struct lw_types_place place = { .type = strndup(gpus->type, gpus->type_len),
					.partition = strdup(row[PARTITION]) };
	struct lw_types_place *found = NULL;
	int rc = place.type && place.partition ? 0 : -ENOMEM;

	for (uint32_t i = 0; !rc && !found && i < here->place_count; i++)
		if (strcasecmp(here->places[i].type, place.type) == 0 &&
		    strcmp(here->places[i].partition, place.partition) == 0)
			found = &here->places[i];
	if (!rc && !found)
		rc = lw_grow((void **)&here->places, &here->place_room, here->place_count + 1,
			     sizeof(*here->places));
	if (!rc && !found) {
		found = &here->places[here->place_count++];
		*found = place;
		place = (struct lw_types_place){ .type = NULL };
	}
	if (found) {
		uint32_t used = used_of(gpus, row[USED]);

		found->gpus += gpus->count;
		found->up += is_of(row[STATE], taking) ? gpus->count : 0;
		found->free += is_of(row[STATE], open_now) && used < gpus->count
				       ? gpus->count - used
				       : 0;
	}
	free(place.type);
	free(place.partition);
	return rc;
}

static int add_node(struct lw_types_here *here, char *const *row)
{
	const char *gres = row[GRES];
	struct lw_gres_gpus gpus;
	int rc = 0;

	while (!rc && lw_gres_next(&gres, &gpus))
		if (gpus.type_len)
			rc = add_place(here, &gpus, row);
		else
			here->untyped = true;
	return rc;
}

/* ---- squeue ---- */

static const enum lw_column needs[] = { LW_COL_JOB, LW_COL_REASON, LW_COL_TRES,
					LW_COL_END_OF_LIST };

/* They do not wait for GPUs. */
static bool waits_for_else(const char *reason)
{
	static const char *const others[] = { "JobHeld", "Dependency", "BeginTime",
					      "JobArrayTaskLimit" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strncmp(reason, others[i], strlen(others[i])) == 0)
			return true;
	return false;
}

static int add_waiting(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct lw_types_here *here = to;
	struct lw_types_queue *queue;
	char type[64];
	bool cut;

	(void)err;
	if (!lw_sacct_gpus(row->tres) || waits_for_else(row->reason))
		return 0;
	if (!lw_sacct_gpu_type(row->tres, type, sizeof(type))) {
		here->any += lw_sacct_tasks(row->job, &cut);
		return 0;
	}
	queue = find_queue(here, type);
	if (!queue) {
		char *copy = strdup(type);

		if (!copy || lw_grow((void **)&here->queues, &here->queue_room,
				     here->queue_count + 1, sizeof(*here->queues))) {
			free(copy);
			return -ENOMEM;
		}
		queue = &here->queues[here->queue_count++];
		*queue = (struct lw_types_queue){ .type = copy };
	}
	queue->jobs += lw_sacct_tasks(row->job, &cut);
	return 0;
}

/* ---- both ---- */

static int take_nodes(struct lw_types_here *here, struct lw_sacct *table, struct lw_error *err)
{
	char **row;
	int rc;

	while ((rc = lw_sacct_next_row(table, &row, err)) > 0)
		if (add_node(here, row))
			return lw_error_set(err, -ENOMEM, "out of memory");
	return rc ? rc : lw_sacct_passed(table, "types", err);
}

static int ask_sinfo(struct lw_types_here *here, struct lw_error *err)
{
	static const char *const argv[] = { "sinfo", "-h", "-N", "-O", node_format, NULL };
	struct lw_strbuf text = LW_STRBUF_INIT, whole = LW_STRBUF_INIT;
	struct lw_sacct table;
	int rc;

	rc = lw_account_run("", argv, &text, err);
	if (!rc) {
		lw_strbuf_add(&whole, "%s%s", node_header, lw_strbuf_text(&text));
		rc = whole.error ? lw_error_set(err, -ENOMEM, "out of memory")
				 : lw_sacct_of_text(&table, lw_strbuf_text(&whole), argv[0], err);
	}
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&whole);
	if (rc)
		return rc;
	rc = take_nodes(here, &table, err);
	lw_sacct_fini(&table);
	return rc;
}

int lw_types_look(struct lw_types_here *here, struct lw_error *err)
{
	static const char *const options[] = { "-t", "PENDING", NULL };
	struct lw_rows rows = { .needs = needs,
				.of_squeue = true,
				.command = "types",
				.take = add_waiting,
				.to = here };
	int rc;

	lw_slurm_environment();
	rc = ask_sinfo(here, err);
	return rc ? rc : lw_rows_ask(&rows, "", options, err);
}
