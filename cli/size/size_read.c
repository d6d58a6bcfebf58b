/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway size: a user's jobs by name, type and number of GPUs, from accounting. */
#include "cli/size/size.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/pace.h"
#include "measure/doubles.h"
#include "record/summary.h"

/* More than any name of Slurm's. */
#define READ_TYPE_TEXT 256
/* Clocks differ by less, and a shorter time says little of a rate. */
#define READ_MINUTE_S 60

static const enum lw_column size_needs[] = {
	LW_COL_JOB,          LW_COL_STATE,   LW_COL_ELAPSED,    LW_COL_SUBMIT,
	LW_COL_START,        LW_COL_NODES,   LW_COL_TRES,       LW_COL_NAME,
	LW_COL_USER_COMMENT, LW_COL_COMMENT, LW_COL_END_OF_LIST
};

static void size_fini_kind(struct lw_size_kind *kind)
{
	for (uint32_t i = 0; i < kind->count; i++) {
		for (int w = 0; w < LW_SIZE_WORKS; w++)
			free(kind->points[i].unit_s[w].items);
		free(kind->points[i].wait_s.items);
	}
	free(kind->points);
	free(kind->name);
	free(kind->type);
}

void lw_size_kinds_fini(struct lw_size_kinds *kinds)
{
	for (uint32_t i = 0; i < kinds->count; i++)
		size_fini_kind(&kinds->kinds[i]);
	free(kinds->kinds);
	lw_ana_names_fini(&kinds->texts);
	*kinds = (struct lw_size_kinds){ .count = 0 };
}

double lw_size_quantile(const struct lw_size_values *values, uint32_t percent)
{
	uint64_t place = ((uint64_t)values->count * percent + 99) / 100;

	return values->items[place ? place - 1 : 0];
}

static int size_add_value(struct lw_size_values *values, double value)
{
	if (lw_grow((void **)&values->items, &values->room, values->count + 1,
		    sizeof(*values->items)))
		return -ENOMEM;
	values->items[values->count++] = value;
	return 0;
}

static bool size_set_kind(struct lw_size_kind *kind, const char *name, const char *type,
			  bool of_nodes)
{
	*kind = (struct lw_size_kind){ .name = strdup(name),
				       .type = strdup(type),
				       .of_nodes = of_nodes };
	if (kind->name && kind->type)
		return true;
	free(kind->name);
	free(kind->type);
	return false;
}

/* NULL: no memory. */
static struct lw_size_kind *size_find_kind(struct lw_size_kinds *kinds, const char *name,
					   const char *type, bool of_nodes)
{
	struct lw_strbuf key = LW_STRBUF_INIT;
	uint32_t at;
	int rc;

	lw_strbuf_add(&key, "%d %s %s", (int)of_nodes, type, name);
	rc = key.error ? -ENOMEM
		       : lw_grow((void **)&kinds->kinds, &kinds->room, kinds->count + 1,
				 sizeof(*kinds->kinds));
	if (!rc)
		rc = lw_ana_names_number(&kinds->texts, lw_strbuf_text(&key), &at);
	lw_strbuf_fini(&key);
	if (rc)
		return NULL;
	if (at == kinds->count) {
		if (!size_set_kind(&kinds->kinds[at], name, type, of_nodes))
			return NULL;
		kinds->count++;
	}
	return &kinds->kinds[at];
}

/* A new one if need be; NULL: no memory. */
static struct lw_size_point *size_find_point(struct lw_size_kind *kind, uint32_t size)
{
	uint32_t at = 0;

	while (at < kind->count && kind->points[at].size < size)
		at++;
	if (at < kind->count && kind->points[at].size == size)
		return &kind->points[at];
	if (lw_grow_from((void **)&kind->points, &kind->room, kind->count + 1,
			 sizeof(*kind->points), 4))
		return NULL;
	memmove(&kind->points[at + 1], &kind->points[at],
		(kind->count - at) * sizeof(*kind->points));
	kind->points[at] = (struct lw_size_point){ .size = size };
	kind->count++;
	return &kind->points[at];
}

/* What the job said of itself in this run, unless it is from an earlier one or too short. */
static int size_add_pace(struct lw_size_point *point, const struct lw_row *row, int64_t start_s)
{
	struct lw_pace pace;
	double step_s;
	int rc;

	if (!lw_pace_read(row->user_comment, &pace) || pace.step <= pace.from ||
	    pace.since_s < start_s - READ_MINUTE_S || pace.at_s < pace.since_s + READ_MINUTE_S)
		return 0;
	step_s = (double)(pace.at_s - pace.since_s) / (double)(pace.step - pace.from);
	rc = size_add_value(&point->unit_s[LW_SIZE_STEP], step_s);
	if (!rc && pace.of)
		rc = size_add_value(&point->unit_s[LW_SIZE_WHOLE], step_s * (double)pace.of);
	return rc;
}

static int size_add_run(struct lw_size_point *point, const struct lw_row *row,
			const struct lw_row_times *times)
{
	bool well = strncmp(row->state, "COMPLETED", 9) == 0;
	int rc = size_add_pace(point, row, times->start_s);

	if (!rc && times->start_s >= times->submit_s)
		rc = size_add_value(&point->wait_s, (double)(times->start_s - times->submit_s));
	if (!rc && well && times->elapsed_s > 0)
		rc = size_add_value(&point->unit_s[LW_SIZE_RUN], (double)times->elapsed_s);
	return rc;
}

/* Beside others on its GPUs a job takes longer, and parts of a GPU are no number of them. */
static bool size_is_alone(const struct lw_row *row)
{
	return !lw_summary_had_company(row->comment) &&
	       (lw_sacct_gpus(row->tres) || !lw_sacct_gpus_held(row->tres, row->comment));
}

static int size_add(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct lw_size_kinds *kinds = to;
	char type[READ_TYPE_TEXT] = "";
	struct lw_row_times times;
	struct lw_size_point *point;
	struct lw_size_kind *kind;
	int64_t gpus, nodes;

	if (kinds->wanted && strcmp(kinds->wanted, row->name) != 0)
		return 0;
	if (lw_row_value(row, LW_COL_TRES, &gpus, err) ||
	    lw_row_value(row, LW_COL_NODES, &nodes, err) || lw_row_times(row, &times, err))
		return -EINVAL;
	if (times.start_s == LW_SACCT_NONE || !size_is_alone(row) || (!gpus && !nodes))
		return 0;
	(void)lw_sacct_gpu_type(row->tres, type, sizeof(type));
	kind = size_find_kind(kinds, row->name, type, !gpus);
	point = kind ? size_find_point(kind, (uint32_t)(gpus ? gpus : nodes)) : NULL;
	if (!point)
		return -ENOMEM;
	kind->runs++;
	return size_add_run(point, row, &times);
}

static int size_order(const void *x, const void *y)
{
	const struct lw_size_kind *a = x, *b = y;
	int names;

	if (a->runs != b->runs)
		return a->runs > b->runs ? -1 : 1;
	names = strcmp(a->name, b->name);
	if (!names)
		names = strcmp(a->type, b->type);
	return names ? names : (int)a->of_nodes - (int)b->of_nodes;
}

static void size_sort(struct lw_size_values *values)
{
	if (values->count)
		qsort(values->items, values->count, sizeof(*values->items), lw_doubles_compare);
}

int lw_size_read(struct lw_size_kinds *kinds, const struct lw_runs_request *request,
		 struct lw_error *err)
{
	struct lw_rows rows = {
		.needs = size_needs, .command = "size", .take = size_add, .to = kinds
	};
	int rc;

	kinds->wanted = request->name;
	kinds->user = request->user;
	rc = lw_runs_ask(request, &rows, err);
	if (rc)
		return rc;
	for (uint32_t k = 0; k < kinds->count; k++)
		for (uint32_t i = 0; i < kinds->kinds[k].count; i++) {
			struct lw_size_point *point = &kinds->kinds[k].points[i];

			for (int w = 0; w < LW_SIZE_WORKS; w++)
				size_sort(&point->unit_s[w]);
			size_sort(&point->wait_s);
		}
	if (kinds->count)
		qsort(kinds->kinds, kinds->count, sizeof(*kinds->kinds), size_order);
	return 0;
}
