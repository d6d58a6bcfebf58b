/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway types: a user's jobs with GPUs, by name, number of GPUs and type. */
#include "cli/types/types.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/grow.h"
#include "record/summary.h"

/* More than any name of Slurm's. */
#define TYPE_TEXT 256

static const enum lw_column needs[] = { LW_COL_JOB,        LW_COL_STATE,      LW_COL_ELAPSED,
					LW_COL_TRES,       LW_COL_ASKED_TRES, LW_COL_PARTITION,
					LW_COL_CONSTRAINT, LW_COL_NAME,       LW_COL_COMMENT,
					LW_COL_END_OF_LIST };

static void fini_kind(struct lw_types_kind *kind)
{
	for (uint32_t i = 0; i < kind->count; i++) {
		free(kind->rows[i].type);
		lw_runs_fini(&kind->rows[i].runs);
	}
	free(kind->rows);
	free(kind->name);
	free(kind->asked);
	free(kind->constraint);
	free(kind->partition);
}

void lw_types_kinds_fini(struct lw_types_kinds *kinds)
{
	for (uint32_t i = 0; i < kinds->count; i++)
		fini_kind(&kinds->kinds[i]);
	free(kinds->kinds);
	lw_ana_names_fini(&kinds->texts);
	*kinds = (struct lw_types_kinds){ .count = 0 };
}

/* NULL: no memory. */
static struct lw_types_kind *find_kind(struct lw_types_kinds *kinds, const struct lw_row *row)
{
	const char *name = row->name;
	uint32_t gpus = (uint32_t)lw_sacct_gpus(row->tres);
	uint32_t nodes = (uint32_t)lw_sacct_tres(row->tres, "node");
	struct lw_strbuf key = LW_STRBUF_INIT;
	struct lw_types_kind *kind;
	uint32_t at;
	int rc;

	lw_strbuf_add(&key, "%" PRIu32 " %" PRIu32 " %s", gpus, nodes, name);
	rc = key.error ? -ENOMEM
		       : lw_grow((void **)&kinds->kinds, &kinds->room, kinds->count + 1,
				 sizeof(*kind));
	if (!rc)
		rc = lw_ana_names_number(&kinds->texts, lw_strbuf_text(&key), &at);
	lw_strbuf_fini(&key);
	if (rc)
		return NULL;
	kind = &kinds->kinds[at];
	if (at == kinds->count) {
		*kind = (struct lw_types_kind){ .name = strdup(name),
						.gpus = gpus,
						.nodes = nodes };
		kinds->count++;
	}
	return kind->name ? kind : NULL;
}

static struct lw_types_row *find_row(struct lw_types_kind *kind, const char *type)
{
	struct lw_types_row row = { .type = NULL };

	for (uint32_t i = 0; i < kind->count; i++)
		if (strcasecmp(kind->rows[i].type, type) == 0)
			return &kind->rows[i];
	row.type = strdup(type);
	if (!row.type ||
	    lw_grow((void **)&kind->rows, &kind->room, kind->count + 1, sizeof(row))) {
		free(row.type);
		return NULL;
	}
	kind->rows[kind->count] = row;
	return &kind->rows[kind->count++];
}

enum ended { NOT, WELL, FAILED, CUT };

/* A job that was cancelled, or lost its node, says nothing of the type. */
static enum ended how_ended(const char *state)
{
	static const struct {
		const char *state;
		enum ended ended;
	} states[] = {
		{ "COMPLETED", WELL },
		{ "FAILED", FAILED },
		{ "OUT_OF_ME", FAILED },
		{ "TIMEOUT", CUT },
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (strncmp(state, states[i].state, strlen(states[i].state)) == 0)
			return states[i].ended;
	return NOT;
}

static int set_text(char **to, const char *text)
{
	free(*to);
	*to = strdup(text);
	return *to ? 0 : -ENOMEM;
}

/* The next type of GPUs of *TRES, which moves on, into TYPE; false: there is no more. */
static bool next_type(const char **tres, char type[TYPE_TEXT])
{
	static const char typed[] = "gres/gpu:";
	const char *at = strstr(*tres, typed);

	if (!at)
		return false;
	at += strlen(typed);
	snprintf(type, TYPE_TEXT, "%.*s", (int)strcspn(at, "=,"), at);
	*tres = at;
	return true;
}

/* "a100 and v100", where TRES has several. */
static int join_types(const char *tres, char **ret_joined)
{
	struct lw_strbuf joined = LW_STRBUF_INIT;
	char type[TYPE_TEXT];
	uint32_t count = 0;
	int rc = 0;

	for (; next_type(&tres, type); count++)
		lw_strbuf_add(&joined, "%s%s", count ? " and " : "", type);
	if (joined.error)
		rc = -ENOMEM;
	else if (count > 1)
		rc = set_text(ret_joined, lw_strbuf_text(&joined));
	lw_strbuf_fini(&joined);
	return rc;
}

/* It ran on several types: count it on each. */
static int add_mixed(struct lw_types_kind *kind, const char *tres)
{
	char type[TYPE_TEXT];

	while (next_type(&tres, type)) {
		struct lw_types_row *row = find_row(kind, type);

		if (!row)
			return -ENOMEM;
		row->mixed++;
	}
	return 0;
}

/* TYPE is what it ran on, "" when accounting does not tell. */
static int set_asked(struct lw_types_kind *kind, const struct lw_row *row, const char *type)
{
	char asked[TYPE_TEXT] = "";

	free(kind->asked);
	kind->asked = NULL;
	if (set_text(&kind->partition, row->partition) ||
	    set_text(&kind->constraint, row->constraint))
		return -ENOMEM;
	if (join_types(row->asked_tres, &kind->asked))
		return -ENOMEM;
	if (kind->asked || (!lw_sacct_gpu_type(row->asked_tres, asked, sizeof(asked)) && !*type))
		return 0;
	return set_text(&kind->asked, asked);
}

static int add_well(struct lw_types_row *row, int64_t ran_s, const char *comment)
{
	struct lw_summary_word word;

	if (!lw_summary_decode(comment, &word) && word.energy_gpus &&
	    word.energy_gpus == word.gpus) {
		row->metered++;
		row->joules += (double)word.energy_j;
	}
	return lw_runs_add(&row->runs, ran_s);
}

static int add_ended(struct lw_types_kind *kind, enum ended ended, int64_t ran_s,
		     const struct lw_row *row)
{
	char type[TYPE_TEXT] = "";
	struct lw_types_row *counted;
	bool known = lw_sacct_gpu_type(row->tres, type, sizeof(type)) && *type;

	kind->ended++;
	kind->unknown += !known;
	if (set_asked(kind, row, known ? type : ""))
		return -ENOMEM;
	if (!known)
		return add_mixed(kind, row->tres);
	counted = find_row(kind, type);
	if (!counted)
		return -ENOMEM;
	counted->failed += ended == FAILED;
	counted->cut += ended == CUT;
	return ended == WELL ? add_well(counted, ran_s, row->comment) : 0;
}

static int types_add(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct lw_types_kinds *kinds = to;
	enum ended ended = how_ended(row->state);
	struct lw_types_kind *kind;
	int64_t ran_s, gpus;

	if (ended == NOT || (kinds->wanted && strcmp(kinds->wanted, row->name) != 0))
		return 0;
	if (lw_row_value(row, LW_COL_TRES, &gpus, err) ||
	    lw_row_value(row, LW_COL_ELAPSED, &ran_s, err))
		return -EINVAL;
	if (!gpus || lw_summary_had_company(row->comment))
		return 0;
	kind = find_kind(kinds, row);
	return kind ? add_ended(kind, ended, ran_s, row) : -ENOMEM;
}

/* Half of the runs of the first ended sooner; what has none comes last. */
static int by_half(const void *x, const void *y)
{
	const struct lw_types_row *a = x, *b = y;
	int64_t half_a = a->runs.count ? lw_runs_ended_by(&a->runs, 50) : INT64_MAX;
	int64_t half_b = b->runs.count ? lw_runs_ended_by(&b->runs, 50) : INT64_MAX;

	if (half_a != half_b)
		return half_a < half_b ? -1 : 1;
	return strcmp(a->type, b->type);
}

static int by_jobs(const void *x, const void *y)
{
	const struct lw_types_kind *a = x, *b = y;
	int names;

	if (a->ended != b->ended)
		return a->ended > b->ended ? -1 : 1;
	names = strcmp(a->name, b->name);
	if (names)
		return names;
	if (a->gpus != b->gpus)
		return a->gpus > b->gpus ? 1 : -1;
	/* those on several nodes first */
	return (a->nodes < b->nodes) - (a->nodes > b->nodes);
}

static void put_in_order(struct lw_types_kinds *kinds)
{
	for (uint32_t k = 0; k < kinds->count; k++) {
		struct lw_types_kind *kind = &kinds->kinds[k];

		for (uint32_t i = 0; i < kind->count; i++)
			lw_runs_sort(&kind->rows[i].runs);
		if (kind->count)
			qsort(kind->rows, kind->count, sizeof(*kind->rows), by_half);
	}
	if (kinds->count)
		qsort(kinds->kinds, kinds->count, sizeof(*kinds->kinds), by_jobs);
}

int lw_types_read(struct lw_types_kinds *kinds, const struct lw_runs_request *request,
		  struct lw_error *err)
{
	struct lw_rows rows = {
		.needs = needs, .command = "types", .take = types_add, .to = kinds
	};
	int rc;

	kinds->wanted = request->name;
	kinds->user = request->user;
	rc = lw_runs_ask(request, &rows, err);
	if (!rc)
		put_in_order(kinds);
	return rc;
}
