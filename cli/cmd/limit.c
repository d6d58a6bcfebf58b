/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway limit: what time limit to ask for, by how long jobs of that name ran. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/common/field.h"
#include "cli/common/json.h"
#include "cli/common/names.h"
#include "cli/common/output.h"
#include "cli/common/runs.h"
#include "cli/common/tools.h"

static const char usage[] =
	"usage: leeway limit [NAME] [--user U] [--since TIME] [--json[=FILE]]\n"
	"Say what time limit to ask for. For each job name: how long your jobs ran, from\n"
	"accounting, the limit that you asked for last, and a limit that would have been\n"
	"enough for all of them. With NAME, only jobs of that name.\n\n";

/* Jobs of one name. */
struct named {
	const char *name; /* of struct names */
	struct lw_runs runs;
	uint32_t cut;    /* of them, ended by their limit */
	int64_t asked_s; /* by the last; LW_SACCT_NONE: no limit of its own */
};

/* The jobs of a name stand at its number. */
struct names {
	const char *wanted; /* as in the request */
	struct lw_ana_names texts;
	struct named *named;
	uint32_t count, room;
};

static void fini_names(struct names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		lw_runs_fini(&names->named[i].runs);
	free(names->named);
	lw_ana_names_fini(&names->texts);
}

/* The jobs of NAME, none as yet if there are none; NULL: no memory. */
static struct named *limit_find(struct names *names, const char *name)
{
	struct named *named;
	uint32_t at;

	if (lw_grow((void **)&names->named, &names->room, names->count + 1, sizeof(*named)) ||
	    lw_ana_names_number(&names->texts, name, &at))
		return NULL;
	named = &names->named[at];
	if (at < names->count)
		return named;
	*named = (struct named){ .name = names->texts.texts[at] };
	names->count++;
	return named;
}

static const enum lw_column needs[] = { LW_COL_JOB,   LW_COL_STATE, LW_COL_ELAPSED,
					LW_COL_LIMIT, LW_COL_NAME,  LW_COL_END_OF_LIST };

/*
 * What was cancelled or failed says nothing of how long a job needs. -EINVAL: how long it ran
 * cannot be read; -ENOMEM.
 */
static int limit_add(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct names *names = to;
	bool cut = strncmp(row->state, "TIMEOUT", 7) == 0;
	struct named *named;
	int64_t ran_s;

	if ((!cut && strncmp(row->state, "COMPLETED", 9) != 0) ||
	    (names->wanted && strcmp(names->wanted, row->name) != 0))
		return 0;
	if (lw_row_value(row, LW_COL_ELAPSED, &ran_s, err))
		return -EINVAL;
	named = limit_find(names, row->name);
	if (!named || lw_runs_add(&named->runs, ran_s))
		return -ENOMEM;
	named->cut += cut;
	if (lw_row_value(row, LW_COL_LIMIT, &named->asked_s, err))
		named->asked_s = LW_SACCT_NONE;
	return 0;
}

static int by_runs(const void *x, const void *y)
{
	const struct named *a = x, *b = y;

	if (a->runs.count != b->runs.count)
		return a->runs.count > b->runs.count ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* A limit that all runs would have kept, and a tenth more; 0: not known. */
static int64_t advised_s(const struct named *named)
{
	int64_t most_s = lw_runs_ended_by(&named->runs, 100), step_s;

	/* how long jobs need that were ended is not known */
	if (named->runs.count < LW_RUNS_LEAST || named->cut)
		return 0;
	most_s += most_s / 10 + 60;
	step_s = most_s < 3600 ? 300 : most_s < 21600 ? 900 : most_s < 86400 ? 1800 : 3600;
	return (most_s + step_s - 1) / step_s * step_s;
}

static struct lw_fields limit_fields(const struct named *named)
{
	const struct lw_runs *runs = &named->runs;
	int64_t advised = advised_s(named);

	return (struct lw_fields){ {
		{ "name", "job name", -16, LW_FIELD_CUT, .text = named->name },
		{ "runs", "runs", 5, .value = runs->count },
		{ "ended_by_limit", .value = named->cut },
		{ "p50_s", "half by", 10, LW_FIELD_LIMIT, .value = lw_runs_ended_by(runs, 50) },
		{ "p90_s", "9 of 10 by", 10, LW_FIELD_LIMIT,
		  .value = lw_runs_ended_by(runs, 90) },
		{ "longest_s", "longest", 10, LW_FIELD_LIMIT,
		  .value = lw_runs_ended_by(runs, 100) },
		{ "asked_s", "asked", 10, LW_FIELD_LIMIT, .value = named->asked_s },
		{ "advised_s", .value = advised ? advised : -1 },
	} };
}

static void print_runs(const struct named *named)
{
	int64_t advised = advised_s(named);
	char limit[LW_RUNS_LIMIT_TEXT], note[48] = "  too few runs";

	if (advised)
		snprintf(note, sizeof(note), "  %s", lw_runs_limit(advised, limit));
	else if (named->cut)
		snprintf(note, sizeof(note), "  more: %" PRIu32 " cut", named->cut);
	lw_fields_print(limit_fields(named), note);
}

static void print_names(const struct names *names)
{
	if (!names->count) {
		printf("no job of yours ended by itself or by its limit in that time\n");
		return;
	}
	lw_fields_print_titles(limit_fields(&names->named[0]), "  ask --time");
	for (uint32_t i = 0; i < names->count; i++)
		print_runs(&names->named[i]);
}

static int print_json(const struct lw_runs_request *request, const struct names *names,
		      struct lw_error *err)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < names->count; i++)
		json_array_append_new(list, lw_fields_json(limit_fields(&names->named[i]), true));
	return lw_output_json(request->json,
			      lw_json_named("leeway.limit", json_pack("{s:o}", "names", list)),
			      err);
}

static int limit_run(const struct lw_runs_request *request, struct lw_error *err)
{
	struct names names = { .wanted = request->name };
	struct lw_rows rows = {
		.needs = needs, .command = "limit", .take = limit_add, .to = &names
	};
	int rc = lw_output_check(request->json, err);

	if (!rc)
		rc = lw_runs_ask(request, &rows, err);
	for (uint32_t i = 0; i < names.count; i++)
		lw_runs_sort(&names.named[i].runs);
	if (names.count)
		qsort(names.named, names.count, sizeof(*names.named), by_runs);
	if (!rc && request->json)
		rc = print_json(request, &names, err);
	else if (!rc)
		print_names(&names);
	fini_names(&names);
	return rc;
}

int lw_tools_limit(int argc, char **argv)
{
	return lw_runs_command("limit", usage, limit_run, argc, argv);
}
