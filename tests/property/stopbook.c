/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is right when jobs are asked to stop, kept beside slurm/keep/stops.c. */
#include "property/stopbook.h"

#include "property/tap.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define WRONG(it, job_id, ...)                                                                   \
	(lw_strbuf_add((it)->why, "job %" PRIu32 ": ", job_id), BROKEN((it)->why, __VA_ARGS__))

static struct stopbook_page *stopbook_find(const struct stopbook_case *it, uint32_t id,
					   uint32_t user)
{
	struct stopbook *book = it->book;

	for (uint32_t i = 0; i < book->page_count; i++)
		if (book->pages[i].id == id && book->pages[i].user == user)
			return &book->pages[i];
	return NULL;
}

static uint32_t stopbook_nodes_out(const struct stopbook *book)
{
	uint32_t nodes = 0;

	for (uint32_t i = 0; i < book->page_count; i++)
		nodes += book->pages[i].out ? book->pages[i].nodes : 0;
	return nodes;
}

uint32_t stopbook_out(const struct stopbook *book)
{
	uint32_t out = 0;

	for (uint32_t i = 0; i < book->page_count; i++)
		out += book->pages[i].out;
	return out;
}

static uint32_t stopbook_today(const struct stopbook_page *page, int64_t now_s)
{
	return page && now_s - page->first_s < LW_STOP_DAY_S ? page->stops : 0;
}

static bool stopbook_barred(const struct stopbook_case *it, const struct world_job *job)
{
	int64_t at_s = it->book->lessons[job->user][job->manner];

	return at_s && it->world->now_s - at_s < LW_STOP_WEEK_S;
}

static bool stopbook_crowded(const struct stopbook_case *it, const struct world_job *job)
{
	uint32_t out = stopbook_nodes_out(it->book);

	return out && out + job->nodes > it->rules->share * WORLD_NODES;
}

static bool stopbook_by_signal(const struct world_job *job)
{
	return job->signalled && !job->period_s;
}

/* ---- may it be asked? ---- */

/* Why it may not, in the order in which reasons are told; ASKS: it may. */
static enum lw_stop_answer stopbook_answer(const struct stopbook_case *it,
					   const struct world_job *job)
{
	const struct stopbook_page *page = stopbook_find(it, job->id, job->user);
	const int64_t run_s = it->world->now_s - job->start_s;
	const int64_t left_s = job->end_s - it->world->now_s;
	const struct {
		bool is;
		enum lw_stop_answer answer;
	} reasons[] = {
		{ !world_agrees(job), LW_STOP_DISAGREES },
		{ job->never, LW_STOP_NOT_BATCH }, /* or another one of them */
		{ !job->period_s && !job->signalled && it->world->kill_wait_s < it->rules->save_s,
		  LW_STOP_HASTY },
		{ stopbook_by_signal(job) && (job->asked || left_s < job->signal_s),
		  LW_STOP_ENDING },
		{ stopbook_by_signal(job) && job->depended, LW_STOP_DEPENDED },
		{ page && page->out, LW_STOP_BUSY },
		{ stopbook_barred(it, job), LW_STOP_DEAF }, /* or ENDS, or ANEW */
		{ run_s < it->rules->lease_s, LW_STOP_YOUNG },
		{ stopbook_today(page, it->world->now_s) >= it->rules->per_day, LW_STOP_OFTEN },
		{ stopbook_crowded(it, job), LW_STOP_CROWDED },
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (reasons[i].is)
			return reasons[i].answer;
	return LW_STOP_ASKS;
}

/* Of several that say the same the first. */
static enum lw_stop_answer stopbook_group(enum lw_stop_answer answer)
{
	if (answer >= LW_STOP_NOT_BATCH && answer <= LW_STOP_LICENCES)
		return LW_STOP_NOT_BATCH;
	return answer >= LW_STOP_DEAF && answer <= LW_STOP_ANEW ? LW_STOP_DEAF : answer;
}

int stopbook_judged(const struct stopbook_case *it, const struct world_job *job,
		    enum lw_stop_answer answer, enum lw_stop_way way)
{
	const enum lw_stop_answer right = stopbook_answer(it, job);
	const bool signal = answer == LW_STOP_ASKS && way == LW_STOP_BY_SIGNAL;

	if (stopbook_group(answer) != right)
		return WRONG(it, job->id, "%s, and it is %s\n", lw_stop_answer_name(answer),
			     lw_stop_answer_name(right));
	if (answer == LW_STOP_ASKS && (job->where != IS_RUNNING || job->restarts > 1000))
		return WRONG(it, job->id, "it does not run\n");
	if (answer == LW_STOP_ASKS && signal != stopbook_by_signal(job))
		return WRONG(it, job->id, "it is asked in the wrong way\n");
	return 0;
}

/* ---- asked ---- */

static int64_t stopbook_patience(const struct stopbook_case *it, const struct world_job *job)
{
	int64_t save_s = stopbook_by_signal(job) ? job->signal_s : it->world->kill_wait_s;

	save_s = 2 * (save_s > it->rules->save_s ? save_s : it->rules->save_s);
	return save_s > LW_STOP_DEAF_S ? save_s : LW_STOP_DEAF_S;
}

/* The page of that number: it may have been of another user's job. */
static struct stopbook_page *stopbook_open(const struct stopbook_case *it, uint32_t id)
{
	struct stopbook *book = it->book;

	for (uint32_t i = 0; i < book->page_count; i++)
		if (book->pages[i].id == id)
			return &book->pages[i];
	return book->page_count < STOPBOOK_PAGES ? &book->pages[book->page_count++] : NULL;
}

int stopbook_asked(const struct stopbook_case *it, const struct world_job *job,
		   const struct lw_stop *stop)
{
	const int64_t now_s = it->world->now_s;
	struct stopbook_page *page = stopbook_find(it, job->id, job->user);
	const uint32_t today = stopbook_today(page, now_s);
	const int64_t first_s = today ? page->first_s : now_s;

	page = stopbook_open(it, job->id);
	if (!page)
		return WRONG(it, job->id, "the table has no bound\n");
	*page = (struct stopbook_page){ .id = job->id,
					.user = job->user,
					.nodes = job->nodes,
					.restarts = job->restarts,
					.stops = today + 1,
					.out = true,
					.asked_s = now_s,
					.due_s = now_s + it->rules->back_s,
					.deaf_s = now_s + stopbook_patience(it, job),
					.first_s = first_s };
	it->book->count.asked++;
	if (stop->due_s != page->due_s || stop->deaf_s != page->deaf_s ||
	    stop->stops != page->stops || stop->for_job == job->id)
		return WRONG(it, job->id, "its entry is wrong\n");
	return 0;
}

void stopbook_withdrawn(const struct stopbook_case *it, const struct world_job *job)
{
	struct stopbook_page *page = stopbook_find(it, job->id, job->user);

	page->out = false;
	if (!--page->stops)
		page->first_s = 0;
	it->book->count.asked--;
	it->book->count.withdrawn++;
}

/* ---- on its way ---- */

/* What a look at a job is about. */
struct stopbook_look {
	const struct world_job *job;
	enum lw_stop_seen seen;
	bool again; /* it is not the run that was asked */
	bool yields;
	int64_t now_s;
};

static struct stopbook_look stopbook_look(const struct stopbook_case *it,
					  const struct stopbook_page *page,
					  const struct world_job *job, bool yields)
{
	const struct stopbook_look look = { .job = job,
					    .seen = world_see(job),
					    .again = job && job->restarts != page->restarts,
					    .yields = yields,
					    .now_s = it->world->now_s };

	return look;
}

static bool stopbook_yields(const struct stopbook_page *page, const struct stopbook_look *look)
{
	return look->yields && !page->opened &&
	       look->now_s < page->asked_s + (page->due_s - page->asked_s) / 2;
}

/* What is to become of a job that is out. */
static enum lw_stop_event stopbook_expect(const struct stopbook_page *page,
					  const struct stopbook_look *look)
{
	switch (look->seen) {
	case LW_STOP_SEEN_RUNNING:
		if (look->again)
			return LW_STOP_BACK;
		return look->now_s < page->deaf_s ? LW_STOP_NOTHING : LW_STOP_IS_DEAF;
	case LW_STOP_SEEN_LEAVING:
		return LW_STOP_NOTHING;
	case LW_STOP_SEEN_WAITING:
		if (stopbook_yields(page, look))
			return LW_STOP_STAYS;
		return page->opened ? LW_STOP_NOTHING : LW_STOP_OPENS;
	case LW_STOP_SEEN_ENDED:
		return look->again ? LW_STOP_IS_OVER : LW_STOP_HAS_ENDED;
	default:
		return LW_STOP_IS_OVER;
	}
}

/* Is the promise of its return broken by now, as far as can be seen? */
static bool stopbook_is_late(const struct stopbook_page *page, const struct stopbook_look *look)
{
	if (look->seen == LW_STOP_SEEN_WAITING)
		return page->opened && look->now_s > page->due_s;
	return look->seen != LW_STOP_SEEN_LEAVING && look->again &&
	       look->job->start_s > page->due_s;
}

static void stopbook_learn(const struct stopbook_case *it, const struct world_job *job)
{
	it->book->lessons[job->user][job->manner] = it->world->now_s;
}

static void stopbook_note(const struct stopbook_case *it, struct stopbook_page *page,
			  const struct stopbook_look *look, enum lw_stop_event event)
{
	struct stopbook_counts *count = &it->book->count;

	/* it may have begun, and lost a node, between two looks */
	page->opened &= look->seen != LW_STOP_SEEN_LEAVING;
	page->opened |= event == LW_STOP_OPENS;
	page->back = event == LW_STOP_BACK;
	page->out = event <= LW_STOP_OPENS;
	count->back += event == LW_STOP_BACK;
	count->deaf += event == LW_STOP_IS_DEAF;
	count->ended += event == LW_STOP_HAS_ENDED;
	count->over += event == LW_STOP_IS_OVER;
	if (event == LW_STOP_IS_DEAF || event == LW_STOP_HAS_ENDED)
		stopbook_learn(it, look->job);
	if (event == LW_STOP_HAS_ENDED || event == LW_STOP_IS_OVER)
		page->first_s = 0;
}

static int stopbook_step_out(const struct stopbook_case *it, struct stopbook_page *page,
			     const struct stopbook_look *look, enum lw_stop_event event,
			     bool late)
{
	const enum lw_stop_event right = stopbook_expect(page, look);

	if (event != right)
		return WRONG(it, page->id, "event %d, and it is %d\n", (int)event, (int)right);
	if (late && (page->late || look->now_s <= page->due_s))
		return WRONG(it, page->id, "told to be late, and is not or was told\n");
	if (!late && !page->late && stopbook_is_late(page, look))
		return WRONG(it, page->id, "late, and not told: event %d\n", (int)event);
	page->late |= late;
	it->book->count.late += late;
	stopbook_note(it, page, look, event);
	return 0;
}

/* It was back, or ran on: then it began anew at most. */
static int stopbook_step_in(const struct stopbook_case *it, struct stopbook_page *page,
			    const struct stopbook_look *look, enum lw_stop_event event, bool late)
{
	if (look->seen >= LW_STOP_SEEN_ENDED)
		page->first_s = 0;
	if (event == LW_STOP_NOTHING && !late)
		return 0;
	if (event != LW_STOP_IS_ANEW || late || !page->back)
		return WRONG(it, page->id, "event %d after its end\n", (int)event);
	if (look->job->manner < MANNER_FAITHFUL && !look->job->lost)
		return WRONG(it, page->id, "it went on from its save, not anew\n");
	page->back = false;
	it->book->count.anew++;
	stopbook_learn(it, look->job);
	return 0;
}

int stopbook_stepped(const struct stopbook_case *it, const struct lw_stop *before,
		     const struct lw_stop *after, const struct world_job *job, bool yields,
		     enum lw_stop_event event)
{
	struct stopbook_page *page = stopbook_find(it, before->job_id, before->user);
	const bool late = after->late && !before->late;
	struct stopbook_look look;
	int rc;

	if (!page || page->out != lw_stop_is_out(before))
		return WRONG(it, before->job_id, "an entry that should not be\n");
	look = stopbook_look(it, page, job, yields);
	rc = page->out ? stopbook_step_out(it, page, &look, event, late)
		       : stopbook_step_in(it, page, &look, event, late);
	if (!rc && page->out != lw_stop_is_out(after))
		rc = WRONG(it, page->id, "it is out, or it is not\n");
	return rc;
}

/* ---- all of them ---- */

/* Old ones are forgotten for good, though the clock may be set back. */
static uint32_t stopbook_lessons(const struct stopbook_case *it)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < (WORLD_USERS + 1) * MANNERS; i++) {
		int64_t *at_s = &it->book->lessons[i / MANNERS][i % MANNERS];

		if (it->world->now_s - *at_s >= LW_STOP_WEEK_S)
			*at_s = 0;
		count += *at_s != 0;
	}
	return count;
}

int stopbook_table(const struct stopbook_case *it, struct lw_stops *stops)
{
	struct stopbook *book = it->book;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < book->page_count; i++) {
		struct stopbook_page *page = &book->pages[i];

		if (page->out || stopbook_today(page, it->world->now_s))
			book->pages[kept++] = *page;
	}
	book->page_count = kept;
	for (uint32_t i = 0; i < kept; i++) {
		const struct stopbook_page *page = &book->pages[i];
		const struct lw_stop *stop = lw_stops_find(stops, page->id);

		if (!stop || stop->user != page->user || stop->stops != page->stops)
			return WRONG(it, page->id, "its entry is lost, or wrong\n");
	}
	if (lw_stops_count(stops) != kept)
		return BROKEN(it->why, "%u entries, and %u are right\n", lw_stops_count(stops),
			      kept);
	if (lw_stops_kind_count(stops) != stopbook_lessons(it))
		return BROKEN(it->why, "%u lessons, and %u are right\n",
			      lw_stops_kind_count(stops), stopbook_lessons(it));
	return 0;
}

/* A job that makes room for that one: if LEFT, one that has left. */
static bool stopbook_has_room(struct lw_stops *stops, uint32_t job_id, bool left)
{
	for (uint32_t i = 0; i < lw_stops_count(stops); i++) {
		const struct lw_stop *stop = lw_stops_at(stops, i);

		if (stop->for_job == job_id && lw_stop_is_out(stop) &&
		    stop->state != LW_STOP_WAITS && (!left || stop->state != LW_STOP_ASKED))
			return true;
	}
	return false;
}

int stopbook_rooms(const struct stopbook_case *it, const struct lw_leasing *leasing,
		   struct lw_stops *stops)
{
	const double out = stopbook_nodes_out(it->book) / (double)WORLD_NODES;
	const struct lw_stop_size size = { 1, 1 };

	if (fabs(leasing->out - out) > 1e-9 || leasing->served_count != stopbook_out(it->book))
		return BROKEN(it->why, "%g of the nodes are out, and it is %g\n", leasing->out,
			      out);
	for (unsigned i = 0; i < WORLD_JOBS; i++) {
		uint32_t id = it->world->jobs[i].id;
		uint32_t from = lw_leasing_room_from(leasing, id);

		if (!from != !stopbook_has_room(stops, id, false) ||
		    (from && lw_stops_find(stops, from)->for_job != id))
			return WRONG(it, id, "it has room of job %u\n", from);
		if (lw_leasing_goes_first(leasing, stops, id, &size) !=
		    stopbook_has_room(stops, id, true))
			return WRONG(it, id, "it goes first, or it does not\n");
	}
	return 0;
}

void stopbook_restore(struct stopbook *book, const struct stopbook *kept)
{
	const uint32_t asked = book->count.asked;

	*book = *kept;
	book->count.unsaved += asked - kept->count.asked;
	for (uint32_t i = 0; i < book->page_count; i++)
		book->pages[i].opened = false;
}

void stopbook_add(struct stopbook_counts *sum, const struct stopbook_counts *count)
{
	sum->asked += count->asked;
	sum->back += count->back;
	sum->deaf += count->deaf;
	sum->ended += count->ended;
	sum->over += count->over;
	sum->late += count->late;
	sum->anew += count->anew;
	sum->withdrawn += count->withdrawn;
	sum->unsaved += count->unsaved;
}
