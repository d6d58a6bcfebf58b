/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway types: what to ask for, and why. */
#include "cli/types/types.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "cli/common/tools.h"

const char *lw_types_advice_name(enum lw_types_advice advice)
{
	static const char *const names[] = { "one", "few", "alike", "faster", "free", "failed" };

	return names[advice];
}

/* ---- where ---- */

const char *lw_types_where(const struct lw_types_kind *kind, const struct lw_types_here *here)
{
	for (uint32_t i = 0; i < here->place_count; i++)
		if (strcmp(here->places[i].partition, kind->partition) == 0)
			return kind->partition;
	return NULL;
}

const struct lw_types_place *lw_types_find(const struct lw_types_kind *kind,
					   const struct lw_types_here *here, const char *type)
{
	const struct lw_types_place *place =
		lw_types_place(here, type, lw_types_where(kind, here));

	return place ? place : lw_types_place(here, type, NULL);
}

bool lw_types_has_room(const struct lw_types_kind *kind, const struct lw_types_place *place,
		       struct lw_strbuf *note)
{
	if (place->up >= kind->gpus)
		return true;
	if (note && place->up)
		lw_strbuf_add(note, ", %" PRIu32 " only", place->up);
	else if (note)
		lw_strbuf_add(note, ", none on nodes that take jobs");
	return false;
}

bool lw_types_is_new(const struct lw_types_kind *kind, const struct lw_types_here *here,
		     uint32_t at)
{
	const char *type = here->places[at].type;

	for (uint32_t i = 0; i < kind->count; i++)
		if (strcasecmp(kind->rows[i].type, type) == 0)
			return false;
	return lw_types_place(here, type, NULL) == &here->places[at];
}

/* Different types there; *RET_TYPE is one of them, or NULL. */
static uint32_t count_types(const struct lw_types_kind *kind, const struct lw_types_here *here,
			    const char **ret_type)
{
	const char *where = lw_types_where(kind, here);
	uint32_t count = 0;

	*ret_type = NULL;
	for (uint32_t i = 0; i < here->place_count; i++)
		if (lw_types_place(here, here->places[i].type, where) == &here->places[i]) {
			*ret_type = here->places[i].type;
			count++;
		}
	return count;
}

/* ---- which ---- */

struct question {
	const struct lw_types_kind *kind;
	const struct lw_types_here *here;
};

/* More failed than ended well; once is no habit. */
static bool fails_there(const struct lw_types_row *row)
{
	return row->failed > 1 && row->failed > row->runs.count;
}

static bool is_sound(const struct question *asked, const struct lw_types_row *row)
{
	const struct lw_types_place *place = lw_types_find(asked->kind, asked->here, row->type);

	return row->runs.count && !fails_there(row) && place &&
	       lw_types_has_room(asked->kind, place, NULL);
}

static bool can_compare(const struct question *asked, const struct lw_types_row *row)
{
	return row->runs.count >= LW_RUNS_LEAST && !row->cut && is_sound(asked, row);
}

static bool is_faster(const struct lw_types_row *a, const struct lw_types_row *b)
{
	return lw_runs_ended_by(&a->runs, 75) < lw_runs_ended_by(&b->runs, 25);
}

static bool is_free(const struct question *asked, const struct lw_types_row *row)
{
	const struct lw_types_place *place = lw_types_find(asked->kind, asked->here, row->type);

	return place->free >= asked->kind->gpus && !lw_types_waiting(asked->here, row->type);
}

/* The first that can be compared; those are by half of their runs. */
static const struct lw_types_row *find_first(const struct question *asked)
{
	for (uint32_t i = 0; i < asked->kind->count; i++)
		if (can_compare(asked, &asked->kind->rows[i]))
			return &asked->kind->rows[i];
	return NULL;
}

static uint32_t count_slower(const struct question *asked, const struct lw_types_row *than)
{
	uint32_t slower = 0;

	for (uint32_t i = 0; i < asked->kind->count; i++)
		slower += can_compare(asked, &asked->kind->rows[i]) &&
			  is_faster(than, &asked->kind->rows[i]);
	return slower;
}

/* One that is free of those than which FIRST is not clearly faster, but others are slower. */
static const struct lw_types_row *find_best(const struct question *asked,
					    const struct lw_types_row *first)
{
	for (uint32_t i = 0; i < asked->kind->count; i++) {
		const struct lw_types_row *row = &asked->kind->rows[i];

		if (can_compare(asked, row) && !is_faster(first, row) &&
		    count_slower(asked, row) && is_free(asked, row))
			return row;
	}
	return first;
}

static bool failed_everywhere(const struct lw_types_kind *kind)
{
	uint32_t failed = 0, well = kind->unknown;

	for (uint32_t i = 0; i < kind->count; i++) {
		failed += kind->rows[i].failed;
		well += kind->rows[i].runs.count;
	}
	return failed && !well;
}

static enum lw_types_advice judge_types(const struct question *asked, struct lw_types_told *told)
{
	const struct lw_types_row *first = find_first(asked);
	uint32_t compared = 0;
	const char *type;

	for (uint32_t i = 0; i < asked->kind->count; i++)
		compared += can_compare(asked, &asked->kind->rows[i]);
	if (failed_everywhere(asked->kind))
		return TOOLS_TYPES_FAILED;
	if (compared < 2)
		return count_types(asked->kind, asked->here, &type) < 2 ? TOOLS_TYPES_ONE
									: TOOLS_TYPES_FEW;
	if (!count_slower(asked, first))
		return TOOLS_TYPES_ALIKE;
	told->type = find_best(asked, first);
	return is_free(asked, told->type) ? TOOLS_TYPES_FREE : TOOLS_TYPES_FASTER;
}

/* Of those on which it ends well and of which there are enough, the one with most such runs. */
static const struct lw_types_row *find_sound(const struct question *asked)
{
	const struct lw_types_row *best = NULL;

	for (uint32_t i = 0; i < asked->kind->count; i++) {
		const struct lw_types_row *row = &asked->kind->rows[i];

		if (is_sound(asked, row) && row->runs.count > (best ? best->runs.count : 0))
			best = row;
	}
	return best;
}

/* May a job that asks for no type get one on which it fails? */
static bool may_fail(const struct question *asked)
{
	const char *where = lw_types_where(asked->kind, asked->here);

	for (uint32_t i = 0; i < asked->kind->count; i++)
		if (fails_there(&asked->kind->rows[i]) &&
		    lw_types_place(asked->here, asked->kind->rows[i].type, where))
			return true;
	return false;
}

/*
 * Are there enough GPUs of any type? If some have none, or its partition is not known, perhaps.
 */
static bool are_enough(const struct question *asked)
{
	const char *where = lw_types_where(asked->kind, asked->here);
	uint64_t up = 0;

	for (uint32_t i = 0; where && i < asked->here->place_count; i++)
		if (strcmp(asked->here->places[i].partition, where) == 0)
			up += asked->here->places[i].up;
	return !where || asked->here->untyped || up >= asked->kind->gpus;
}

void lw_types_advise(const struct lw_types_kind *kind, const struct lw_types_here *here,
		     struct lw_types_told *ret_told)
{
	const struct question asked = { .kind = kind, .here = here };
	struct lw_types_told told = { .type = NULL };
	const struct lw_types_row *sound = find_sound(&asked);
	bool closed;

	told.advice = judge_types(&asked, &told);
	closed = (sound && may_fail(&asked)) || !are_enough(&asked);
	told.open =
		!closed && told.advice != TOOLS_TYPES_FREE && told.advice != TOOLS_TYPES_FAILED;
	if (closed && !told.type)
		told.type = sound;
	*ret_told = told;
}

/* ---- words ---- */

static void add_one(const struct question *asked, struct lw_strbuf *why)
{
	const char *where = lw_types_where(asked->kind, asked->here), *type;

	if (count_types(asked->kind, asked->here, &type))
		lw_strbuf_add(why, "all GPUs with a type%s%s are %s",
			      where ? " in partition " : "", where ? lw_tools_plain(where) : "",
			      lw_tools_plain(type));
	else
		lw_strbuf_add(why, "no GPUs with a type are there now");
}

static void add_percent(const struct lw_types_row *best, const struct lw_types_row *row,
			const char *before, struct lw_strbuf *why)
{
	double percent = 100.0 * (double)lw_runs_ended_by(&best->runs, 50) /
			 (double)lw_runs_ended_by(&row->runs, 50);

	if (percent < 1)
		lw_strbuf_add(why, "%s less than 1 %%", before);
	else
		lw_strbuf_add(why, "%s %.0f %%", before, percent);
}

/* "on a100 it takes 50 % of the time on v100, 25 % of that on k80" */
static void add_faster(const struct question *asked, const struct lw_types_row *best,
		       struct lw_strbuf *why)
{
	const struct lw_types_place *place = lw_types_find(asked->kind, asked->here, best->type);
	uint32_t waiting = lw_types_waiting(asked->here, best->type);
	const char *of = "of the time";

	lw_strbuf_add(why, "on %s it takes", lw_tools_plain(best->type));
	for (uint32_t i = 0; i < asked->kind->count; i++) {
		const struct lw_types_row *row = &asked->kind->rows[i];

		if (!can_compare(asked, row) || !is_faster(best, row))
			continue;
		add_percent(best, row, *of == 'a' ? "," : "", why);
		lw_strbuf_add(why, " %s on %s", of, lw_tools_plain(row->type));
		of = "as long as";
	}
	lw_strbuf_add(why, "; %" PRIu32 " of %" PRIu32 " are free, %" PRIu32 " job%s by name",
		      place->free, place->gpus, waiting,
		      waiting == 1 ? " waits for it" : "s wait for it");
}

/* Of the compared types the slowest is last: is it within 5 % of the first? */
static bool last_takes_as_long(const struct question *asked)
{
	int64_t first_s = lw_runs_ended_by(&find_first(asked)->runs, 50), last_s = first_s;

	for (uint32_t i = 0; i < asked->kind->count; i++)
		if (can_compare(asked, &asked->kind->rows[i]))
			last_s = lw_runs_ended_by(&asked->kind->rows[i].runs, 50);
	return 100 * last_s < 105 * first_s || last_s == first_s;
}

static void add_alike(const struct question *asked, struct lw_strbuf *why)
{
	bool same = last_takes_as_long(asked);
	const char *before = same ? "it takes as long on "
				  : "run times differ more from run to run than between ";

	for (uint32_t i = 0; i < asked->kind->count; i++) {
		if (!can_compare(asked, &asked->kind->rows[i]))
			continue;
		lw_strbuf_add(why, "%s%s", before, lw_tools_plain(asked->kind->rows[i].type));
		before = same ? " as on " : " and ";
	}
}

static void add_nodes(const struct lw_types_kind *kind, struct lw_strbuf *request)
{
	if (kind->nodes > 1)
		lw_strbuf_add(request, " --nodes=%" PRIu32, kind->nodes);
}

/* As sbatch takes it; the partition where it is another. */
static void add_request(const struct question *asked, const char *type, struct lw_strbuf *request)
{
	const struct lw_types_place *place = lw_types_find(asked->kind, asked->here, type);

	lw_strbuf_add(request, "--gpus=%s:%" PRIu32, lw_tools_plain(type), asked->kind->gpus);
	add_nodes(asked->kind, request);
	if (strcmp(place->partition, asked->kind->partition) != 0) {
		const char *quote = strpbrk(place->partition, " \t") ? "'" : "";

		lw_strbuf_add(request, " --partition=%s%s%s", quote,
			      lw_tools_plain(place->partition), quote);
	}
}

/* "on a100 2 of 3 failed", each behind BEFORE; ALL: also where more ended well */
static void add_failures(const struct lw_types_kind *kind, bool all, const char *before,
			 struct lw_strbuf *why)
{
	for (uint32_t i = 0; i < kind->count; i++) {
		const struct lw_types_row *row = &kind->rows[i];

		if (!row->failed || (!all && !fails_there(row)))
			continue;
		lw_strbuf_add(why, "%s on %s %" PRIu32 " of %" PRIu32 " failed", before,
			      lw_tools_plain(row->type), row->failed,
			      row->runs.count + row->failed + row->cut);
		before = all ? "," : ";";
	}
}

/* What there is not, and what to do where no type is good to ask for, nor any. */
static void add_nothing(const struct question *asked, const struct lw_types_told *told,
			struct lw_strbuf *why, struct lw_strbuf *request)
{
	if (told->advice == TOOLS_TYPES_FAILED) {
		lw_strbuf_add(request, "nothing else yet: see first why it failed");
		return;
	}
	lw_strbuf_add(why, "; there are fewer GPUs than %" PRIu32, asked->kind->gpus);
	lw_strbuf_add(request, "nothing of these: fewer GPUs");
}

void lw_types_words(const struct lw_types_kind *kind, const struct lw_types_here *here,
		    const struct lw_types_told *told, struct lw_strbuf *why,
		    struct lw_strbuf *request)
{
	const struct question asked = { .kind = kind, .here = here };

	if (told->advice == TOOLS_TYPES_ONE)
		add_one(&asked, why);
	else if (told->advice == TOOLS_TYPES_FEW)
		lw_strbuf_add(why,
			      "too few runs to compare: %d on each of two types, none ended by "
			      "its limit",
			      LW_RUNS_LEAST);
	else if (told->advice == TOOLS_TYPES_ALIKE)
		add_alike(&asked, why);
	else if (told->advice == TOOLS_TYPES_FAILED)
		lw_strbuf_add(why, "none ended well:");
	else
		add_faster(&asked, told->type, why);
	if (told->advice == TOOLS_TYPES_FAILED) {
		add_failures(kind, true, "", why);
		lw_strbuf_add(why, "; types cannot tell why");
	} else {
		add_failures(kind, false, ";", why);
	}
	if (told->open) {
		lw_strbuf_add(request, "--gpus=%" PRIu32, kind->gpus);
		add_nodes(kind, request);
		lw_strbuf_add(request, " (any type%s",
			      told->type ? ": it can start soonest), or if it may wait " : ")");
	}
	if (told->type)
		add_request(&asked, told->type->type, request);
	else if (!told->open)
		add_nothing(&asked, told, why, request);
}
