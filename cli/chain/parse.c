/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway chain show: the rows of squeue and of sacct. */
#include "cli/chain/rows.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/number.h"
#include "cli/common/sacct.h"
#include "cli/common/slurmcall.h"
#include "cli/common/tools.h"

/*
 * What may hold bars stands last, and SystemComment behind the name: what users write into a name
 * can then not be taken for it.
 */
const char lw_chain_squeue_format[] =
	"JobArrayID:|,UserName:|,State:|,SubmitTime:|,StartTime:|,EndTime:|,Dependency:|,Reason:|,"
	"Name:|,system_comment:";
/* As sacct would call them. */
static const char squeue_header[] =
	"JobID|User|State|Submit|Start|End|Dependency|Reason|JobName|SystemComment\n";
const char lw_chain_sacct_columns[] = "JobID,User,State,Submit,Start,End,SubmitLine,JobName";

enum { ID, USER, STATE, SUBMIT, START, END, AFTER, REASON, COMMENT, NAME, COLUMNS };

static const char *const column_names[COLUMNS] = {
	"JobID",  "User",          "State",   "Submit", "Start", "End", "Dependency|SubmitLine",
	"Reason", "SystemComment", "JobName",
};

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

static int64_t time_of(const char *text)
{
	int64_t time_s = TOOLS_CHAIN_NONE;

	if (lw_sacct_time(text, "", &time_s, NULL) || time_s < 0)
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
static char *copy_after(const char *text, bool queued)
{
	if (!queued) {
		text = find_value(text, "--dependency", 'd', "as");
		return is_dependency(text) ? strndup(text, strcspn(text, " ")) : strdup("");
	}
	return strdup(is_dependency(text) ? text : "");
}

static void set_times(struct lw_chain_row *row, char *const *fields)
{
	row->submit_s = time_of(fields[SUBMIT]);
	row->start_s = time_of(fields[START]);
	row->end_s = time_of(fields[END]);
	row->limit_s = TOOLS_CHAIN_NONE;
	row->latest_s = row->phase == TOOLS_CHAIN_WAITS ? lw_slurm_latest_start(fields[COMMENT])
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

/* Add the row of FIELDS, in the order of the columns above; those not asked for are "". */
static int add_row(struct lw_chain_rows *rows, char *const *fields, bool queued)
{
	const char *digits = fields[ID];
	struct lw_chain_row row = { .queued = queued, .phase = phase_of(fields[STATE]) };
	const char *array =
		queued ? fields[ID] : find_value(fields[AFTER], "--array", 'a', "0123456789");
	uint64_t base;

	if (!lw_number_take(&digits, UINT32_MAX - 1, &base) || !base)
		return 0;
	if (lw_grow((void **)&rows->rows, &rows->room, rows->count + 1, sizeof(*rows->rows)))
		return -ENOMEM;
	row.base = (uint32_t)base;
	row.id = strdup(fields[ID]);
	row.user = strdup(fields[USER]);
	row.name = strdup(fields[NAME]);
	row.state = strndup(fields[STATE], strcspn(fields[STATE], " +"));
	row.reason = strdup(row.phase == TOOLS_CHAIN_WAITS ? fields[REASON] : "");
	row.after = copy_after(fields[AFTER], queued);
	row.one_by_one = strchr(fields[ID], '_') && is_one_by_one(array);
	if (!row.id || !row.user || !row.name || !row.state || !row.reason || !row.after) {
		lw_chain_row_fini(&row);
		return -ENOMEM;
	}
	set_times(&row, fields);
	rows->rows[rows->count++] = row;
	return 0;
}

static int add_rows(struct lw_chain_rows *rows, struct lw_sacct *table, bool queued,
		    struct lw_error *err)
{
	static char none[] = "";
	int at[COLUMNS], rc = 0;
	char **row, *fields[COLUMNS];

	for (int c = 0; c < COLUMNS; c++)
		at[c] = lw_sacct_column(table, column_names[c]);
	while ((rc = lw_sacct_next_row(table, &row, err)) > 0) {
		for (int c = 0; c < COLUMNS; c++)
			fields[c] = at[c] < 0 ? none : row[at[c]];
		if (lw_sacct_is_step(fields[ID]))
			continue;
		rc = add_row(rows, fields, queued);
		if (rc)
			return lw_error_set(err, rc, "out of memory");
	}
	return rc ? rc : lw_sacct_passed(table, "chain", err);
}

int lw_chain_add_sacct(const char *text, struct lw_chain_rows *rows, struct lw_error *err)
{
	struct lw_sacct table;
	int rc = lw_sacct_of_text(&table, text, "sacct", err);

	if (rc)
		return rc;
	rc = add_rows(rows, &table, false, err);
	lw_sacct_fini(&table);
	return rc;
}

int lw_chain_add_squeue(const char *text, struct lw_chain_rows *rows, struct lw_error *err)
{
	struct lw_strbuf whole = LW_STRBUF_INIT;
	struct lw_sacct table;
	int rc;

	lw_strbuf_add(&whole, "%s%s", squeue_header, text);
	rc = whole.error ? lw_error_set(err, -ENOMEM, "out of memory")
			 : lw_sacct_of_text(&table, lw_strbuf_text(&whole), "squeue", err);
	lw_strbuf_fini(&whole);
	if (rc)
		return rc;
	rc = add_rows(rows, &table, true, err);
	lw_sacct_fini(&table);
	return rc;
}
