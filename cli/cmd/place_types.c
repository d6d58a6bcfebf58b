/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway place: the types of GPUs that a job may have, by when it would be done. */
#include "cli/cmd/place_types.h"

#include <errno.h>
#include <string.h>

#include "base/duration.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "planner/cycle/type.h"

static bool may_choose(const struct lw_waiting *job)
{
	uint32_t known = 0;

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		known += job->expected.by_type_s[type] != 0;
	return known > 1 && job->request.gpu_type == LW_GPU_ANY && lw_type_gpus(&job->request);
}

static int add_free(const struct lw_snapshot *snap, const struct lw_bitset *candidates,
		    struct lw_types_plan *plan)
{
	int rc = 0;
	uint32_t node;

	lw_bitset_foreach(candidates, node)
		for (uint32_t type = 0; !rc && type < snap->gpu_type_count; type++)
			rc = lw_types_add_gpus(plan, (int)type, snap->now_s,
					       (uint32_t)snap->nodes[node].total.gpus[type] -
						       snap->used[node].gpus[type]);
	return rc;
}

static int add_held(const struct lw_snapshot *snap, const struct lw_bitset *candidates,
		    struct lw_types_plan *plan)
{
	int rc = 0;

	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];
		int64_t end_s = lw_running_end_s(job, snap->now_s, LW_ENDS_EXPECTED);

		for (uint32_t a = 0; !rc && a < job->alloc_count; a++) {
			const struct lw_alloc *alloc = &snap->allocs[job->first_alloc + a];

			for (uint32_t type = 0; !rc && type < snap->gpu_type_count; type++)
				if (lw_bitset_test(candidates, alloc->node))
					rc = lw_types_add_gpus(plan, (int)type, end_s,
							       alloc->res.gpus[type]);
		}
	}
	return rc;
}

/* As if no other job waited, on TYPE alone. */
static int find_row(struct lw_types_plan *plan, const struct lw_waiting *job, int type,
		    int64_t now_s, struct place_type *ret_row)
{
	struct lw_type_job asked = { .weight = 1, .gpus = lw_type_gpus(&job->request) };
	int rc;

	*ret_row = (struct place_type){ .type = type,
					.run_s = job->expected.by_type_s[type],
					.cramped = job->expected.cramped >> type & 1,
					.start_s = LW_NO_TIME,
					.done_s = LW_NO_TIME };
	asked.time_s[type] = ret_row->run_s;
	plan->job_count = 0;
	rc = lw_types_add_job(plan, &asked);
	if (!rc)
		rc = lw_types_divide(plan, now_s, LW_DIVIDE_IN_ORDER);
	if (!rc && plan->jobs[0].type == type) {
		ret_row->start_s = plan->jobs[0].start_s;
		ret_row->done_s = plan->jobs[0].done_s;
	}
	return rc;
}

int lw_place_types_find(const struct lw_snapshot *snap, const struct lw_bitset *candidates,
			const struct lw_waiting *job, struct place_types *ret_types)
{
	struct lw_types_plan plan = { .job_count = 0 };
	int rc;

	ret_types->count = 0;
	if (!may_choose(job))
		return 0;
	rc = add_free(snap, candidates, &plan);
	if (!rc)
		rc = add_held(snap, candidates, &plan);
	for (uint32_t type = 0; !rc && type < snap->gpu_type_count; type++)
		if (job->expected.by_type_s[type])
			rc = find_row(&plan, job, (int)type, snap->now_s,
				      &ret_types->rows[ret_types->count++]);
	lw_types_fini(&plan);
	return rc;
}

static bool is_before(const struct place_type *a, const struct place_type *b)
{
	if (a->cramped != b->cramped)
		return b->cramped;
	if ((a->done_s == LW_NO_TIME) != (b->done_s == LW_NO_TIME))
		return b->done_s == LW_NO_TIME;
	return a->done_s != b->done_s ? a->done_s < b->done_s : a->type < b->type;
}

void lw_place_types_rank(struct place_types *types, int64_t now_s)
{
	for (uint32_t i = 0; i < types->count; i++) {
		struct place_type row = types->rows[i];
		uint32_t at = i;

		if (!row.room && row.start_s <= now_s)
			row.start_s = row.done_s = LW_NO_TIME;
		for (; at && is_before(&row, &types->rows[at - 1]); at--)
			types->rows[at] = types->rows[at - 1];
		types->rows[at] = row;
	}
}

static const char *memory_word(const struct place_type *row)
{
	return row->cramped ? ", and has too little memory by earlier runs" : "";
}

void lw_place_types_print(const struct lw_snapshot *snap, const struct place_types *types,
			  struct lw_strbuf *out)
{
	for (uint32_t i = 0; i < types->count; i++) {
		const struct place_type *row = &types->rows[i];
		char done[32], waits[32], runs[32];

		lw_duration_print(row->run_s, runs, sizeof(runs));
		lw_strbuf_add(out, "on %s: ", lw_tools_plain(snap->gpu_types[row->type]));
		if (row->done_s == LW_NO_TIME) {
			lw_strbuf_add(out, "runs %s; it is not known when it has room%s\n", runs,
				      memory_word(row));
			continue;
		}
		lw_duration_print(row->done_s - snap->now_s, done, sizeof(done));
		lw_duration_print(row->start_s - snap->now_s, waits, sizeof(waits));
		if (row->room)
			lw_strbuf_add(out, "done in %s: has room now%s\n", done, memory_word(row));
		else
			lw_strbuf_add(out, "done in %s: waits %s for GPUs, runs %s%s\n", done,
				      waits, runs, memory_word(row));
	}
}

static json_t *make_time(int64_t time_s)
{
	return time_s == LW_NO_TIME ? json_null() : json_integer((json_int_t)time_s);
}

void lw_place_types_json(const struct lw_snapshot *snap, const struct place_types *types,
			 uint32_t variant, json_t *rows)
{
	for (uint32_t i = 0; i < types->count; i++) {
		const struct place_type *row = &types->rows[i];

		json_array_append_new(
			rows, json_pack("{s:I, s:o, s:I, s:b, s:b, s:o, s:o}", "variant",
					(json_int_t)variant, "type",
					lw_output_string(snap->gpu_types[row->type]), "run_s",
					(json_int_t)row->run_s, "room", (int)row->room,
					"too_small", (int)row->cramped,
					"start_s", make_time(row->start_s), "done_s",
					make_time(row->done_s)));
	}
}
