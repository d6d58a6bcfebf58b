/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway nodes: the runs of all jobs, by what sacct says of each. */
#include "cli/nodes/nodes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/hosts.h"
#include "base/nodeloss.h"
#include "cli/common/rows.h"
#include "cli/common/slurmcall.h"

/* Programs change from day to day, and with them the nodes that a user gets. */
#define READ_DAY_S 86400
/* So near its end a run's loss is noted. */
#define READ_NEAR_S 120
/* More than any name of a type. */
#define READ_TYPE_TEXT 128

static const enum lw_column read_needs[] = { LW_COL_JOB,  LW_COL_USER,       LW_COL_STATE,
					     LW_COL_END,  LW_COL_ELAPSED,    LW_COL_NODES,
					     LW_COL_CPUS, LW_COL_NODE_LIST,  LW_COL_TRES,
					     LW_COL_NAME, LW_COL_END_OF_LIST };
static const enum lw_column read_uses[] = { LW_COL_PARTITION, LW_COL_COMMENT, LW_COL_FAILED_NODE,
					    LW_COL_END_OF_LIST };
/* What an older sacct knows. */
static const enum lw_column read_uses_old[] = { LW_COL_PARTITION, LW_COL_COMMENT,
						LW_COL_END_OF_LIST };

void lw_nodes_log_fini(struct lw_nodes_log *log)
{
	lw_ana_names_fini(&log->nodes);
	lw_ana_names_fini(&log->kinds);
	lw_ana_names_fini(&log->bases);
	lw_ana_names_fini(&log->users);
	lw_ana_names_fini(&log->sets);
	free(log->set);
	free(log->places);
	free(log->runs);
	free(log->notes);
	free(log->gangs);
	*log = (struct lw_nodes_log){ .count = 0 };
}

int lw_nodes_add_place(struct lw_nodes_log *log, uint32_t node)
{
	if (lw_grow((void **)&log->places, &log->place_room, log->place_count + 1,
		    sizeof(*log->places)))
		return -ENOMEM;
	log->places[log->place_count++] = node;
	return 0;
}

static enum lw_nodes_end read_end(const char *state)
{
	static const struct {
		const char *state;
		enum lw_nodes_end end;
	} ends[] = {
		{ "COMPLETED", LW_NODES_WELL },   { "FAILED", LW_NODES_FAILED },
		{ "OUT_OF_ME", LW_NODES_FAILED }, { "NODE_FAIL", LW_NODES_LOST },
		{ "BOOT_FAIL", LW_NODES_LOST },
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (strncmp(state, ends[i].state, strlen(ends[i].state)) == 0)
			return ends[i].end;
	return LW_NODES_OTHER;
}

/* The nodes of HOSTS become set number AT of LOG. */
static int read_new_set(struct lw_nodes_log *log, const struct lw_hosts *hosts, uint32_t at)
{
	struct lw_nodes_set set = { .first = log->place_count, .count = hosts->count };
	uint32_t node;
	int rc = lw_grow((void **)&log->set, &log->set_room, at + 1, sizeof(*log->set));

	for (uint32_t i = 0; !rc && i < hosts->count; i++) {
		rc = lw_ana_names_number(&log->nodes, hosts->names[i], &node);
		if (!rc)
			rc = lw_nodes_add_place(log, node);
	}
	if (!rc)
		log->set[at] = set;
	return rc;
}

/* 1; 0: LIST is none. */
static int read_set(struct lw_nodes_log *log, const char *list, uint32_t *ret_set)
{
	struct lw_hosts hosts;
	uint32_t known = log->sets.count;
	int rc;

	lw_hosts_init(&hosts);
	rc = lw_hosts_add(&hosts, list);
	if (!rc && hosts.count)
		rc = lw_ana_names_number(&log->sets, list, ret_set);
	else if (rc != -ENOMEM)
		rc = 1;
	if (!rc && *ret_set == known)
		rc = read_new_set(log, &hosts, known);
	lw_hosts_fini(&hosts);
	return rc < 0 ? rc : !rc;
}

/* The word is put when the job is requeued, so the row of its next run has it. */
static int read_note(struct lw_nodes_log *log, const struct lw_row *row)
{
	struct lw_nodes_note note;
	struct lw_nodeloss loss;
	int rc;

	if (!lw_nodeloss_read(row->comment, &loss) || !*loss.node)
		return 0;
	note.at_s = loss.at_s;
	snprintf(note.job, sizeof(note.job), "%s", row->job);
	rc = lw_ana_names_number(&log->nodes, loss.node, &note.node);
	if (!rc)
		rc = lw_grow((void **)&log->notes, &log->note_room, log->note_count + 1,
			     sizeof(note));
	if (!rc)
		log->notes[log->note_count++] = note;
	return rc;
}

/* Is NAME that of a node of SET? */
static bool read_is_of(const struct lw_nodes_log *log, const struct lw_nodes_set *set,
		       const char *name, uint32_t *ret_node)
{
	for (uint32_t i = set->first; i < set->first + set->count; i++)
		if (strcmp(log->nodes.texts[log->places[i]], name) == 0) {
			*ret_node = log->places[i];
			return true;
		}
	return false;
}

/* Which node was lost: as accounting has it, or the only one. */
static void read_lost(const struct lw_nodes_log *log, const struct lw_row *row,
		      struct lw_nodes_run *run)
{
	const struct lw_nodes_set *set = &log->set[run->set];

	run->lost_node = LW_NODES_NONE;
	if (run->ended != LW_NODES_LOST)
		return;
	if (*row->failed_node && read_is_of(log, set, row->failed_node, &run->lost_node))
		return;
	if (set->count == 1)
		run->lost_node = log->places[set->first];
}

/* The nodes that Leeway noted, of runs of which accounting does not say it. */
static void read_noted(struct lw_nodes_log *log)
{
	for (uint32_t i = 0; i < log->count; i++) {
		struct lw_nodes_run *run = &log->runs[i];

		if (run->ended != LW_NODES_LOST || run->lost_node != LW_NODES_NONE)
			continue;
		for (uint32_t n = 0; n < log->note_count; n++) {
			int64_t apart_s = log->notes[n].at_s - run->end_s;

			if (apart_s >= -READ_NEAR_S && apart_s <= READ_NEAR_S &&
			    strcmp(log->notes[n].job, run->job) == 0)
				run->lost_node = log->notes[n].node;
		}
	}
}

static int read_kind(struct lw_nodes_log *log, const struct lw_row *row, struct lw_nodes_run *run)
{
	char type[READ_TYPE_TEXT] = "";
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc;

	(void)lw_sacct_gpu_type(row->tres, type, sizeof(type));
	lw_strbuf_add(&text, "%s\n%s\n%s\n%s\n%s\n%" PRId64 ":%s", row->user, row->partition,
		      row->name, row->nodes, row->cpus, lw_sacct_gpus(row->tres), type);
	rc = text.error ? -ENOMEM
			: lw_ana_names_number(&log->bases, lw_strbuf_text(&text), &run->base);
	lw_strbuf_add(&text, "\n%" PRIu32, run->day);
	if (!rc)
		rc = text.error ? -ENOMEM
				: lw_ana_names_number(&log->kinds, lw_strbuf_text(&text),
						      &run->kind);
	lw_strbuf_fini(&text);
	return rc ? rc : lw_ana_names_number(&log->users, row->user, &run->user);
}

/* One that never had a node tells nothing, nor one that still runs. */
static int read_run(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct lw_nodes_log *log = to;
	struct lw_nodes_run run = { .ended = read_end(row->state), .row = log->count };
	int rc;

	if (lw_row_value(row, LW_COL_END, &run.end_s, err) ||
	    lw_row_value(row, LW_COL_ELAPSED, &run.ran_s, err))
		return -EINVAL;
	rc = read_note(log, row);
	if (rc)
		return rc;
	if (run.end_s == LW_SACCT_NONE || !*row->node_list ||
	    strcmp(row->node_list, "None assigned") == 0)
		return 0;
	/* not when it ended, which tells how long it took */
	run.day = (uint32_t)((run.end_s - run.ran_s) / READ_DAY_S);
	rc = read_set(log, row->node_list, &run.set);
	log->unread += !rc;
	if (rc <= 0)
		return rc;
	read_lost(log, row, &run);
	rc = read_kind(log, row, &run);
	if (!rc)
		rc = lw_grow((void **)&log->runs, &log->room, log->count + 1, sizeof(run));
	if (rc)
		return rc;
	snprintf(run.job, sizeof(run.job), "%s", row->job);
	log->runs[log->count++] = run;
	return 0;
}

/* With -D each run of a job that was requeued has its row. */
static int read_ask(struct lw_rows *rows, const struct lw_nodes_request *request,
		    struct lw_error *err)
{
	char since[48];
	const char *options[] = { "-a", "-D", "-S", since, "-E", "now", NULL };
	struct lw_error why = { "" };
	int rc;

	snprintf(since, sizeof(since), "now-%" PRId64 "seconds", request->since_s);
	lw_slurm_environment();
	rc = lw_rows_ask(rows, "", options, &why);
	if (rc && strstr(why.text, "FailedNode")) {
		rows->uses = read_uses_old;
		rc = lw_rows_ask(rows, "", options, &why);
	}
	return rc ? lw_error_set(err, rc, "%s", why.text) : 0;
}

int lw_nodes_read(struct lw_nodes_log *log, const struct lw_nodes_request *request,
		  struct lw_error *err)
{
	struct lw_rows rows = { .needs = read_needs,
				.uses = read_uses,
				.command = "nodes",
				.take = read_run,
				.to = log };

	int rc = request->sacct ? lw_rows_of_file(&rows, request->sacct, err)
				: read_ask(&rows, request, err);

	read_noted(log);
	return rc;
}
