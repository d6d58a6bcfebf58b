/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway chain show: the rows of squeue and of sacct. */
#include "cli/chain/rows.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/number.h"
#include "cli/common/rows.h"
#include "cli/common/slurmcall.h"
#include "cli/common/tools.h"

/*
 * What may hold bars stands last, and SystemComment behind the name: what users write into a name
 * can then not be taken for it.
 */
static const enum lw_column of_squeue[] = {
	LW_COL_JOB,        LW_COL_USER,       LW_COL_STATE,  LW_COL_SUBMIT, LW_COL_START,
	LW_COL_END,        LW_COL_DEPENDENCY, LW_COL_REASON, LW_COL_NAME,   LW_COL_SYSTEM_COMMENT,
	LW_COL_END_OF_LIST
};
static const enum lw_column of_sacct[] = { LW_COL_JOB,         LW_COL_USER,  LW_COL_STATE,
					   LW_COL_SUBMIT,      LW_COL_START, LW_COL_END,
					   LW_COL_SUBMIT_LINE, LW_COL_NAME,  LW_COL_END_OF_LIST };
static const enum lw_column none[] = { LW_COL_END_OF_LIST };

/* States of a job that squeue shows and that has not ended. */
static const struct {
	const char *name;
	enum lw_chain_phase phase;
} states[] = {
	{ "PENDING", TOOLS_CHAIN_WAITS },      { "REQUEUED", TOOLS_CHAIN_WAITS },
	{ "REQUEUE_HOLD", TOOLS_CHAIN_WAITS }, { "REQUEUE_FED", TOOLS_CHAIN_WAITS },
	{ "SPECIAL_EXIT", TOOLS_CHAIN_WAITS }, { "RESV_DEL_HOLD", TOOLS_CHAIN_WAITS },
	{ "RUNNING", TOOLS_CHAIN_RUNS },       { "SUSPENDED", TOOLS_CHAIN_RUNS },
	{ "CONFIGURING", TOOLS_CHAIN_RUNS },   { "RESIZING", TOOLS_CHAIN_RUNS },
	{ "SIGNALING", TOOLS_CHAIN_RUNS },     { "STOPPED", TOOLS_CHAIN_RUNS },
	{ "STAGE_OUT", TOOLS_CHAIN_RUNS },
};

static enum lw_chain_phase phase_of(const char *state)
{
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (strcmp(states[i].name, state) == 0)
			return states[i].phase;
	return TOOLS_CHAIN_ENDED;
}

static int64_t time_of(const struct lw_row *row, enum lw_column column)
{
	int64_t time_s = TOOLS_CHAIN_NONE;

	if (lw_row_value(row, column, &time_s, NULL) || time_s < 0)
		return TOOLS_CHAIN_NONE;
	return time_s;
}

/* ---- a submit line ---- */

/* "--dep" and "--arr": what is shorter may mean another option, too. */
#define SHORTEST 5

/*
 * The value of sbatch's option NAME, or of its LETTER, in LINE: the last one that begins as one
 * of the STARTS does, since behind the script stand words of the user's own. sacct prints the
 * words with blanks between, and no quotes. NULL: there is none.
 */
static const char *find_value(const char *line, const char *name, char letter, const char *starts)
{
	const char *found = NULL;

	for (const char *word = line; *word; word += strcspn(word, " "), word += *word == ' ') {
		const char *value = NULL;
		size_t len = strcspn(word, "= ");

		if (word[0] == '-' && word[1] == letter)
			value = word + 2;
		else if (len >= SHORTEST && strncmp(word, name, len) == 0)
			value = word + len;
		if (value && (*value == ' ' || *value == '='))
			value++;
		if (value && *value && strchr(starts, *value))
			found = value;
	}
	return found;
}

static bool is_dependency(const char *text)
{
	return text && (strncmp(text, "after", 5) == 0 || strncmp(text, "singleton", 9) == 0);
}

/* Does the array in LINE have a limit of one task at a time? */
static bool is_one_by_one(const char *text)
{
	const char *percent = text ? strchr(text, '%') : NULL;

	return percent && percent[1] == '1' && !isdigit((unsigned char)percent[2]) &&
	       percent < text + strcspn(text, " ");
}

/* ---- rows ---- */

void lw_chain_row_fini(struct lw_chain_row *row)
{
	free(row->id);
	free(row->user);
	free(row->name);
	free(row->state);
	free(row->reason);
	free(row->after);
}

void lw_chain_rows_fini(struct lw_chain_rows *rows)
{
	for (uint32_t i = 0; i < rows->count; i++)
		lw_chain_row_fini(&rows->rows[i]);
	free(rows->rows);
	free(rows->missing);
	memset(rows, 0, sizeof(*rows));
}

/* The value of --dependency: squeue's as it is, sacct's out of the submit line. */
static char *copy_after(const struct lw_row *row)
{
	const char *text = row->dependency;

	if (!row->rows->of_squeue) {
		text = find_value(row->submit_line, "--dependency", 'd', "as");
		return is_dependency(text) ? strndup(text, strcspn(text, " ")) : strdup("");
	}
	return strdup(is_dependency(text) ? text : "");
}

static void set_times(struct lw_chain_row *row, const struct lw_row *from)
{
	row->submit_s = time_of(from, LW_COL_SUBMIT);
	row->start_s = time_of(from, LW_COL_START);
	row->end_s = time_of(from, LW_COL_END);
	row->limit_s = TOOLS_CHAIN_NONE;
	row->latest_s = row->phase == TOOLS_CHAIN_WAITS
				? lw_slurm_latest_start(from->system_comment)
				: TOOLS_CHAIN_NONE;
	if (!row->queued)
		row->phase = row->end_s >= 0     ? TOOLS_CHAIN_ENDED
			     : row->start_s >= 0 ? TOOLS_CHAIN_RUNS
						 : TOOLS_CHAIN_WAITS;
	/* squeue shows of a job that has not ended when it would */
	if (row->phase != TOOLS_CHAIN_ENDED) {
		row->limit_s = row->phase == TOOLS_CHAIN_RUNS ? row->end_s : TOOLS_CHAIN_NONE;
		row->end_s = TOOLS_CHAIN_NONE;
	}
	/* slurmctld has one that is cancelled while it waits start at its end */
	if (strcmp(row->state, "CANCELLED") == 0 && row->start_s == row->end_s)
		row->start_s = TOOLS_CHAIN_NONE;
}

static int add_row(void *to, const struct lw_row *from, struct lw_error *err)
{
	struct lw_chain_row row = { .queued = from->rows->of_squeue,
				    .phase = phase_of(from->state) };
	const char *array = row.queued
				    ? from->job
				    : find_value(from->submit_line, "--array", 'a', "0123456789");
	struct lw_chain_rows *rows = to;
	const char *digits = from->job;
	uint64_t base;

	(void)err;
	if (!lw_number_take(&digits, UINT32_MAX - 1, &base) || !base)
		return 0;
	if (lw_grow((void **)&rows->rows, &rows->room, rows->count + 1, sizeof(*rows->rows)))
		return -ENOMEM;
	row.base = (uint32_t)base;
	row.id = strdup(from->job);
	row.user = strdup(from->user);
	row.name = strdup(from->name);
	row.state = strdup(from->state);
	row.reason = strdup(row.phase == TOOLS_CHAIN_WAITS ? from->reason : "");
	row.after = copy_after(from);
	row.one_by_one = strchr(from->job, '_') && is_one_by_one(array);
	if (!row.id || !row.user || !row.name || !row.state || !row.reason || !row.after) {
		lw_chain_row_fini(&row);
		return -ENOMEM;
	}
	set_times(&row, from);
	rows->rows[rows->count++] = row;
	return 0;
}

static struct lw_rows chain_reader(bool squeue, struct lw_chain_rows *rows)
{
	return (struct lw_rows){ .needs = squeue ? of_squeue : none,
				 .uses = squeue ? NULL : of_sacct,
				 .of_squeue = squeue,
				 .command = "chain",
				 .take = add_row,
				 .to = rows };
}

int lw_chain_add_rows(bool squeue, const char *text, struct lw_chain_rows *rows,
		      struct lw_error *err)
{
	struct lw_rows from = chain_reader(squeue, rows);

	return lw_rows_of_text(&from, text, err);
}

int lw_chain_ask_rows(bool squeue, const char *const *options, struct lw_chain_rows *rows,
		      struct lw_error *err)
{
	struct lw_rows from = chain_reader(squeue, rows);

	return lw_rows_ask(&from, "", options, err);
}
