/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs are asked to stop, and what becomes of each: no stop is lost, or told twice.
 */

/* The keeper is slurmctld's own; stopworld.c has Slurm's place, stopbook.c knows what is right.
 */

#include "property/stopbook.h"
#include "property/tap.h"
#include "slurm/keep/leasing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STOPS  500 /* of a round */
#define CYCLES 100000
#define GROUP  3 /* jobs that make room for one, at most */

/* A machine that dies is not what this is about: property_killed.c is. */
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
	(void)fd;
	return 0;
}

static char path[64] = "/tmp/leeway-stops-XXXXXX";
static char last_error[512];
static struct stopbook_counts totals;

static void keep_error(void *arg, enum lw_log_level level, const char *line)
{
	(void)arg;
	if (level == LW_LOG_ERROR)
		snprintf(last_error, sizeof(last_error), "%s", line);
}

static const struct lw_log stops_log = { .write = keep_error, .level = LW_LOG_INFO };

/* A slurmctld with its plugin, and what is right. */
struct ctld {
	struct world world;
	struct lw_stop_rules rules;
	struct lw_stops *stops;
	struct lw_leasing leasing;
	struct stopbook book, kept; /* as of now, and of the last save */
	struct lw_strbuf *why;
};

static struct stopbook_case ctld_case(struct ctld *ctld)
{
	return (struct stopbook_case){ &ctld->book, &ctld->world, &ctld->rules, ctld->why };
}

static int ctld_begin(struct ctld *ctld, uint64_t seed, struct lw_strbuf *why)
{
	struct prng prng = { ~seed };

	memset(ctld, 0, sizeof(*ctld));
	ctld->why = why;
	world_begin(&ctld->world, seed);
	ctld->rules = (struct lw_stop_rules){
		.mode = LW_STOP_ON,
		.for_jobs = LW_STOP_FOR_SHORT,
		.who = WORLD_WHO,
		.gain = 10,
		.lease_s = prng_between(&prng, 0, 1200),
		.back_s = prng_between(&prng, 600, 14400),
		.save_s = prng_chance(&prng, 50) ? prng_between(&prng, 0, 60) : 0,
		.per_day = prng_between(&prng, 1, 6),
		.share = prng_between(&prng, 5, 60) / 100.0,
	};
	unlink(path);
	last_error[0] = '\0';
	return lw_stops_create(path, ctld->world.now_s, &stops_log, &ctld->stops);
}

static void ctld_end(struct ctld *ctld)
{
	lw_leasing_fini(&ctld->leasing);
	lw_stops_destroy(ctld->stops);
}

/* ---- slurmctld dies ---- */

/* All that a file has; a job that waits is taken up as one that leaves. */
static void ctld_dump(struct ctld *ctld, bool again, struct lw_strbuf *out)
{
	for (uint32_t i = 0; i < lw_stops_count(ctld->stops); i++) {
		struct lw_stop stop = *lw_stops_at(ctld->stops, i);

		if (again && stop.state == LW_STOP_WAITS)
			stop.state = LW_STOP_LEAVES;
		lw_stop_print(&stop, out);
	}
	lw_strbuf_add(out, "%" PRIu32 " kinds\n", lw_stops_kind_count(ctld->stops));
}

static int ctld_save(struct ctld *ctld)
{
	struct lw_error err;

	if (lw_stops_save(ctld->stops, &err))
		return BROKEN(ctld->why, "%s\n", err.text);
	ctld->kept = ctld->book;
	return 0;
}

static int ctld_compare(struct ctld *ctld, const struct lw_strbuf *before)
{
	struct lw_strbuf after = LW_STRBUF_INIT;
	int rc = 0;

	ctld_dump(ctld, false, &after);
	if (strcmp(lw_strbuf_text(before), lw_strbuf_text(&after)))
		rc = BROKEN(ctld->why, "read back, it is\n%sand was\n%s", lw_strbuf_text(&after),
			    lw_strbuf_text(before));
	lw_strbuf_fini(&after);
	return rc;
}

/* With SAVED it is killed after a save, else before one. */
static int ctld_die(struct ctld *ctld, bool saved)
{
	struct lw_strbuf before = LW_STRBUF_INIT;
	int rc = saved ? ctld_save(ctld) : 0;

	ctld_dump(ctld, true, &before);
	lw_stops_destroy(ctld->stops);
	lw_leasing_fini(&ctld->leasing);
	ctld->stops = NULL;
	world_restart(&ctld->world, prng_chance(&ctld->world.prng, 50));
	stopbook_restore(&ctld->book, &ctld->kept);
	if (!rc && lw_stops_create(path, ctld->world.now_s, &stops_log, &ctld->stops))
		rc = BROKEN(ctld->why, "no memory\n");
	if (!rc && *last_error)
		rc = BROKEN(ctld->why, "damaged: %s\n", last_error);
	if (!rc && saved)
		rc = ctld_compare(ctld, &before);
	lw_strbuf_fini(&before);
	return rc;
}

/* ---- a job is asked ---- */

static enum lw_stop_answer ctld_judge(struct ctld *ctld, const struct lw_stop_case *it,
				      enum lw_stop_way *ret_way)
{
	return lw_stops_judge(ctld->stops, &ctld->rules, it, ctld->world.now_s, ret_way);
}

static int ctld_ask(struct ctld *ctld, struct world_job *job, uint32_t for_job,
		    enum lw_stop_answer *ret_answer)
{
	const struct stopbook_case right = ctld_case(ctld);
	struct world *world = &ctld->world;
	struct lw_stop_case it;
	struct lw_stop *stop;
	enum lw_stop_way way;
	int rc;

	world_describe(world, job, for_job, &it);
	*ret_answer = ctld_judge(ctld, &it, &way);
	rc = stopbook_judged(&right, job, *ret_answer, way);
	if (rc || *ret_answer != LW_STOP_ASKS)
		return rc;
	stop = lw_stops_ask(ctld->stops, &ctld->rules, &it, way, world->now_s);
	if (!stop)
		return BROKEN(ctld->why, "no memory\n");
	rc = stopbook_asked(&right, job, stop);
	if (way == LW_STOP_BY_SIGNAL ? world_signal(world, job) : world_requeue(world, job)) {
		lw_stops_withdraw(ctld->stops, stop);
		stopbook_withdrawn(&right, job);
		*ret_answer = LW_STOP_FAILS;
	}
	return rc;
}

/* An administrator orders any job that runs, as leeway stops --ask does. */
static int ctld_obey(struct ctld *ctld)
{
	struct prng *prng = &ctld->world.prng;
	struct world_job *job = &ctld->world.jobs[prng_between(prng, 0, WORLD_JOBS - 1)];
	struct world_job *other = &ctld->world.jobs[prng_between(prng, 0, WORLD_JOBS - 1)];
	enum lw_stop_answer answer;

	return job->where == IS_RUNNING && prng_chance(prng, 50)
		       ? ctld_ask(ctld, job, prng_chance(prng, 50) ? other->id : 0, &answer)
		       : 0;
}

/* ---- a plan orders it ---- */

static int ctld_offer(struct ctld *ctld, uint32_t at)
{
	const struct stopbook_case right = ctld_case(ctld);
	struct world_job *job = &ctld->world.jobs[at];
	const uint32_t before = ctld->leasing.offer_count;
	const int64_t rest_s =
		lw_stop_rest_s(ctld->rules.lease_s, ctld->rules.back_s, job->restarts > 0);
	struct lw_stop_case it;

	world_describe(&ctld->world, job, 0, &it);
	lw_leasing_offer(&ctld->leasing, &ctld->rules, ctld->stops, &it, at, ctld->world.now_s);
	if (ctld->leasing.offer_count == before)
		return 0;
	if (ctld->world.now_s - job->start_s < rest_s)
		return BROKEN(ctld->why, "job %u has not rested\n", job->id);
	if (lw_leasing_is_vain(&ctld->leasing, job->id, ctld->world.now_s))
		return BROKEN(ctld->why, "job %u was asked in vain\n", job->id);
	return stopbook_judged(&right, job, LW_STOP_ASKS,
			       it.signalled && !job->period_s ? LW_STOP_BY_SIGNAL
							      : LW_STOP_BY_REQUEUE);
}

/* As apply/lease.c has it: all of them are asked, or none. */
static bool ctld_may_ask(struct ctld *ctld, struct world_job *const *jobs, unsigned count,
			 uint32_t for_job)
{
	uint32_t nodes = 0;

	for (unsigned i = 0; i < count; i++) {
		struct lw_stop_case it;
		enum lw_stop_way way;

		world_describe(&ctld->world, jobs[i], for_job, &it);
		it.beside = nodes;
		nodes += it.nodes;
		if (ctld_judge(ctld, &it, &way) == LW_STOP_ASKS)
			continue;
		lw_leasing_in_vain(&ctld->leasing, jobs[i]->id, ctld->world.now_s);
		return false;
	}
	return true;
}

static int ctld_lease(struct ctld *ctld)
{
	struct prng *prng = &ctld->world.prng;
	struct lw_leasing *leasing = &ctld->leasing;
	struct world_job *waiting = &ctld->world.jobs[prng_between(prng, 0, WORLD_JOBS - 1)];
	unsigned count = prng_between(prng, 1, GROUP), at;
	struct world_job *jobs[GROUP];
	enum lw_stop_answer answer;
	int rc = 0;

	if (waiting->where != IS_WAITING || waiting->restarts || leasing->offer_count < count)
		return 0;
	at = prng_between(prng, 0, leasing->offer_count - count);
	for (unsigned i = 0; i < count; i++)
		jobs[i] = &ctld->world.jobs[leasing->offers[at + i].running];
	if (!ctld_may_ask(ctld, jobs, count, waiting->id))
		return 0;
	for (unsigned i = 0; !rc && i < count; i++) {
		rc = ctld_ask(ctld, jobs[i], waiting->id, &answer);
		if (!rc && answer != LW_STOP_ASKS && answer != LW_STOP_FAILS)
			rc = BROKEN(ctld->why, "%u of %u jobs make room in vain: %s\n", i, count,
				    lw_stop_answer_name(answer));
	}
	return rc;
}

static int ctld_plan(struct ctld *ctld)
{
	const struct stopbook_case right = ctld_case(ctld);
	struct lw_leasing *leasing = &ctld->leasing;
	int rc;

	lw_leasing_begin(leasing, &ctld->rules, ctld->stops, WORLD_NODES,
			 ctld->world.kill_wait_s);
	rc = stopbook_rooms(&right, leasing, ctld->stops);
	for (uint32_t i = 0; !rc && i < WORLD_JOBS; i++)
		if (ctld->world.jobs[i].where == IS_RUNNING && lw_leasing_wants(leasing))
			rc = ctld_offer(ctld, i);
	return rc ? rc : ctld_lease(ctld);
}

/* ---- a cycle ---- */

static bool ctld_yields(struct ctld *ctld, const struct lw_stop *stop)
{
	const struct world_job *other =
		stop->for_job ? world_find(&ctld->world, stop->for_job) : NULL;

	return other && other->where == IS_WAITING && !other->held;
}

/* As apply/stop.c has it. */
static void ctld_heed(struct ctld *ctld, struct world_job *job, enum lw_stop_event event)
{
	if (event == LW_STOP_STAYS && job->begin_s <= ctld->world.now_s + 30)
		job->begin_s = ctld->world.now_s + 60;
	else if (event == LW_STOP_OPENS && job->begin_s > ctld->world.now_s)
		job->begin_s = ctld->world.now_s;
	else if (event == LW_STOP_IS_DEAF)
		job->asked = false;
}

static int ctld_look(struct ctld *ctld, struct lw_stop *stop)
{
	const struct stopbook_case right = ctld_case(ctld);
	struct world_job *job = world_find(&ctld->world, stop->job_id);
	struct lw_stop_sight sight = { .yields = ctld_yields(ctld, stop) };
	const struct lw_stop before = *stop;
	enum lw_stop_event event;
	int rc;

	if (job && job->user != stop->user)
		job = NULL;
	sight.seen = world_see(job);
	sight.restarts = job ? job->restarts : 0;
	sight.name = job ? job->name : NULL;
	sight.start_s = job ? job->start_s : 0;
	event = lw_stops_step(ctld->stops, stop, &sight, ctld->world.now_s);
	rc = stopbook_stepped(&right, &before, stop, job, sight.yields, event);
	if (job)
		ctld_heed(ctld, job, event);
	return rc;
}

static int ctld_follow(struct ctld *ctld)
{
	const struct stopbook_case right = ctld_case(ctld);
	int rc = 0;

	for (uint32_t i = 0; !rc && i < lw_stops_count(ctld->stops); i++)
		rc = ctld_look(ctld, lw_stops_at(ctld->stops, i));
	lw_stops_expire(ctld->stops, ctld->world.now_s);
	return rc ? rc : stopbook_table(&right, ctld->stops);
}

static int64_t ctld_pause(struct prng *prng)
{
	if (prng_chance(prng, 1))
		return -(int64_t)prng_between(prng, 1, 300); /* the clock is set back */
	if (prng_chance(prng, 1))
		return prng_between(prng, 600, 90000);
	return prng_between(prng, 0, 40);
}

static int ctld_cycle(struct ctld *ctld)
{
	struct prng *prng = &ctld->world.prng;
	int rc;

	world_go(&ctld->world, ctld_pause(prng));
	world_meddle(&ctld->world);
	rc = ctld_follow(ctld);
	if (!rc)
		rc = ctld_obey(ctld);
	if (!rc)
		rc = ctld_plan(ctld);
	if (!rc && prng_chance(prng, 3))
		rc = ctld_die(ctld, prng_chance(prng, 60));
	else if (!rc && prng_chance(prng, 20))
		rc = ctld_save(ctld);
	return rc;
}

/* No more jobs are asked: each that was is told of, and in the end nothing is left of it. */
static int ctld_calm(struct ctld *ctld)
{
	const struct stopbook_counts *count = &ctld->book.count;
	int rc = 0;

	for (unsigned i = 0; i < WORLD_JOBS; i++)
		ctld->world.jobs[i].held = false;
	for (unsigned i = 0; !rc && i < CYCLES && stopbook_out(&ctld->book); i++) {
		world_go(&ctld->world, 30);
		rc = ctld_follow(ctld);
	}
	if (rc)
		return rc;
	if (stopbook_out(&ctld->book) ||
	    count->asked != count->back + count->deaf + count->ended + count->over)
		return BROKEN(ctld->why, "%u stops end nowhere\n", stopbook_out(&ctld->book));
	lw_stops_expire(ctld->stops, ctld->world.now_s + LW_STOP_DAY_S);
	if (lw_stops_count(ctld->stops))
		return BROKEN(ctld->why, "%u stops stay\n", lw_stops_count(ctld->stops));
	lw_stops_expire(ctld->stops, ctld->world.now_s + LW_STOP_WEEK_S);
	return lw_stops_kind_count(ctld->stops) ? BROKEN(ctld->why, "kinds stay\n") : 0;
}

static int each_stop_ends_once(uint64_t seed, struct lw_strbuf *why)
{
	static struct ctld ctld;
	int rc = ctld_begin(&ctld, seed, why);

	for (unsigned i = 0; !rc && i < CYCLES && ctld.book.count.asked < STOPS; i++)
		rc = ctld_cycle(&ctld);
	if (!rc && ctld.book.count.asked < STOPS)
		rc = BROKEN(why, "only %u jobs were asked\n", ctld.book.count.asked);
	if (!rc)
		rc = ctld_calm(&ctld);
	if (rc)
		lw_strbuf_add(why, "at %" PRId64 ", after %u stops\n", ctld.world.now_s,
			      ctld.book.count.asked);
	stopbook_add(&totals, &ctld.book.count);
	ctld_end(&ctld);
	return rc;
}

static const struct property properties[] = {
	{ "of 500 stops in a round, each is of a job that agrees, within bounds, and ends once",
	  each_stop_ends_once, 20 },
};

int main(void)
{
	int fd = mkstemp(path), rc;

	if (fd < 0) {
		perror(path);
		return EXIT_FAILURE;
	}
	close(fd);
	rc = run_properties(properties, sizeof(properties) / sizeof(*properties));
	printf("# %u asked: %u back (%u late), %u deaf, %u ended, %u over; %u anew; %u withdrawn, "
	       "%u unsaved\n",
	       totals.asked, totals.back, totals.late, totals.deaf, totals.ended, totals.over,
	       totals.anew, totals.withdrawn, totals.unsaved);
	unlink(path);
	return rc;
}
