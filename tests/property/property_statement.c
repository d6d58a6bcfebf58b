/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is said of a job never contradicts itself, whatever queue, plan and change. */
#include "cli/why/why.h"
#include "planner/model/statement.h"
#include "planner/text/text.h"
#include "planner/text/text_policy.h"
#include "property/random.h"
#include "property/tap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a moment promised is what the next one, changed, is told of. */
struct round {
	struct prng prng;
	struct lw_policy_params params;
	struct lw_snapshot snap;
	struct lw_policy *policy;
	struct lw_plan plan, estimate;
	struct lw_plan before; /* of the moment before the change */
	bool qos;              /* limits of QOS are among what changes */
};

static int plan_round(struct round *round)
{
	int rc = lw_policy_cycle(round->policy, &round->snap, &round->plan);

	return rc ? rc : lw_policy_estimate(round->policy, &round->estimate);
}

/* "end=123" of LINE, later by MORE_S; other text stays. */
static void add_later(struct lw_strbuf *out, const char *line, const char *key, int64_t more_s)
{
	const char *at = strstr(line, key), *digits = at ? at + strlen(key) : NULL;
	char *rest;
	int64_t value;

	if (!at) {
		lw_strbuf_add(out, "%s", line);
		return;
	}
	value = strtoll(digits, &rest, 10);
	lw_strbuf_add(out, "%.*s%" PRId64 "%s", (int)(digits - line), line, value + more_s, rest);
}

static void change_job(struct prng *prng, struct lw_strbuf *out, const char *line)
{
	bool stated = strstr(line, " state=") != NULL;
	uint32_t id = (uint32_t)strtoul(line + 5, NULL, 10);

	if (prng_chance(prng, 10))
		add_later(out, line, " limit=", prng_between(prng, 60, 100000));
	else
		lw_strbuf_add(out, "%s", line);
	if (!stated && prng_chance(prng, 10))
		lw_strbuf_add(out, " state=not-ready%s", prng_chance(prng, 50) ? " never" : "");
	if (!strstr(line, " finish-by=") && prng_chance(prng, 30))
		lw_strbuf_add(out, " finish-by=%u", RANDOM_NOW_S + prng_between(prng, 60, 50000));
	/* all variants of a job begin at the same time */
	if (!strstr(line, " earliest=") && id % 10 == 3)
		lw_strbuf_add(out, " earliest=%u", RANDOM_NOW_S + id * 37 % 50000);
	if (!strstr(line, " preempts=") && prng_chance(prng, 10))
		lw_strbuf_add(out, " preempts=%u", prng_between(prng, 1, 3));
}

/* It waits again, with a request that may be another. */
static void requeue(struct prng *prng, struct lw_strbuf *out, const char *line)
{
	lw_strbuf_add(out, "wait %ld set=0 submit=%u limit=%u nodes=%u cpus=1",
		      strtol(line + 4, NULL, 10), RANDOM_NOW_S - 1, prng_between(prng, 60, 50000),
		      prng_between(prng, 1, 3));
}

/*
 * The moment in text: limits raised, nodes drained, jobs held or requeued, deadlines,
 * reservations that begin, and jobs that may preempt others now. QOS change beside it.
 */
static void change(struct prng *prng, char *text, struct lw_strbuf *out)
{
	for (char *line; (line = strsep(&text, "\n"));) {
		if (!*line)
			continue;
		if (!strncmp(line, "run ", 4) && strstr(text ? text : "", "\nwait ") &&
		    prng_chance(prng, 10))
			requeue(prng, out, line);
		else if (!strncmp(line, "run ", 4) && prng_chance(prng, 30))
			add_later(out, line, " end=", prng_between(prng, 60, 50000));
		else if (!strncmp(line, "wait ", 5))
			change_job(prng, out, line);
		else
			lw_strbuf_add(out, "%s", line);
		if (!strncmp(line, "node ", 5) && !strstr(line, " down") && prng_chance(prng, 20))
			lw_strbuf_add(out, " down");
		lw_strbuf_add(out, "\n");
	}
}

/* Two of the QOS that jobs have: before a change the one allows less than they ask for, then the
 * other.
 */
enum { QOS_RAISED, QOS_CUT, QOS_COUNT = 4 };

static void allow_less(struct lw_snapshot *snap, uint32_t qos)
{
	for (uint32_t i = 0; i < snap->waiting_count; i++) {
		struct lw_waiting *job = &snap->waiting[i];

		if (job->job_id % QOS_COUNT != qos)
			continue;
		job->readiness = LW_NOT_READY;
		job->never = true;
	}
}

static void allow_all(struct lw_snapshot *snap, uint32_t qos)
{
	for (uint32_t i = 0; i < snap->waiting_count; i++) {
		struct lw_waiting *job = &snap->waiting[i];

		if (job->job_id % QOS_COUNT != qos || !job->never)
			continue;
		job->readiness = LW_READY;
		job->never = false;
	}
}

static int change_round(struct round *round, struct lw_strbuf *why)
{
	struct lw_strbuf text = LW_STRBUF_INIT, changed = LW_STRBUF_INIT;
	struct lw_error err;
	int rc = 0;

	lw_snapshot_print(&round->snap, &text);
	change(&round->prng, text.text, &changed);
	lw_snapshot_fini(&round->snap);
	if (lw_snapshot_parse(&round->snap, "changed", changed.text, &err)) {
		lw_snapshot_init(&round->snap, RANDOM_NOW_S);
		rc = BROKEN(why, "%s\n", err.text);
	}
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&changed);
	if (round->qos) {
		allow_all(&round->snap, QOS_RAISED);
		allow_less(&round->snap, QOS_CUT);
	}
	return rc;
}

static int begin_round(struct round *round, uint64_t seed, struct lw_strbuf *why)
{
	struct lw_plan none;
	int rc;

	*round = (struct round){ .prng = { seed } };
	lw_plan_init(&round->plan);
	lw_plan_init(&round->estimate);
	lw_plan_init(&round->before);
	random_params(&round->prng, &round->params);
	if (random_snapshot(&round->prng, random_shape_of(seed), &round->snap) ||
	    lw_policy_create(&round->params, NULL, &round->policy))
		return -ENOMEM;
	round->qos = prng_chance(&round->prng, 30);
	if (round->qos)
		allow_less(&round->snap, QOS_RAISED);
	rc = plan_round(round);
	none = round->before;
	round->before = round->plan;
	round->plan = none;
	if (!rc)
		rc = change_round(round, why);
	return rc ? rc : plan_round(round);
}

static int end_round(struct round *round, int rc, struct lw_strbuf *why)
{
	if (rc) {
		lw_snapshot_print(&round->snap, why);
		lw_policy_params_print(&round->params, why);
		lw_plan_print(&round->plan, &round->snap, why);
		lw_plan_print(&round->estimate, &round->snap, why);
	}
	lw_plan_fini(&round->estimate);
	lw_plan_fini(&round->plan);
	lw_plan_fini(&round->before);
	lw_policy_destroy(round->policy);
	lw_snapshot_fini(&round->snap);
	return rc;
}

static const struct lw_decision *reserved(const struct lw_plan *plan, uint32_t job_id)
{
	for (uint32_t i = 0; i < plan->decision_count; i++)
		if (plan->decisions[i].job_id == job_id &&
		    plan->decisions[i].verdict == LW_RESERVE)
			return &plan->decisions[i];
	return NULL;
}

/* What was promised to the job of DECISION before, what is planned of it now, and its deadline.
 */
static struct lw_statement_case case_of(struct round *round, const struct lw_decision *decision)
{
	const struct lw_decision *then = reserved(&round->before, decision->job_id);
	const struct lw_decision *now = reserved(&round->estimate, decision->job_id);
	const struct lw_waiting *job = &round->snap.waiting[decision->waiting];
	struct lw_statement_case about = { .snap = &round->snap, .decision = decision };

	if (decision->verdict == LW_RESERVE)
		now = decision;
	about.planned_s = now ? now->start_s : 0;
	about.after_job = now ? now->after_job : 0;
	if (then && then->latest_s != LW_NO_TIME && then->latest_s > 0)
		about.latest_s = then->latest_s;
	about.nodes_then = prng_between(&round->prng, 0, 4);
	about.deadline_s = job->finish_by_s ? job->finish_by_s + 120 : 0;
	about.guards = prng_chance(&round->prng, 50);
	if (job->never && prng_chance(&round->prng, 50))
		about.limit = "QOSMaxGRESPerUser";
	return about;
}

/* As the predictor and the search for changes would. */
static void add_more(struct prng *prng, struct lw_statement *said)
{
	said->likely = prng_chance(prng, 70);
	said->low_s = prng_between(prng, 0, 20000);
	said->p50_s = said->low_s + prng_between(prng, 0, 20000);
	said->p90_s = said->p50_s + prng_between(prng, 0, 50000);
	said->before = prng_between(prng, 0, 3);
	for (int i = 0; i < 2; i++)
		if (prng_chance(prng, 50))
			said->hints[i] = (struct lw_hint){ prng_between(prng, 600, 172800),
							   i ? LW_HINT_GPUS : LW_HINT_LIMIT };
}

/* By the case alone: may SAID be said of it? */
static const char *judge(const struct lw_statement_case *about, const struct lw_statement *said)
{
	const struct lw_waiting *job = &about->snap->waiting[about->decision->waiting];
	int64_t start_s = about->planned_s ? about->planned_s : job->constraints.earliest_s;
	bool late = about->latest_s && start_s > about->latest_s + 60;

	if (job->never && !said->never)
		return "it is not told that it can never start";
	if (!job->never && said->never && about->decision->reason != LW_REASON_WAITS_FOR_NODES)
		return "it is told that it can never start, and nothing forbids it";
	if (late && !said->unkept)
		return "it is not told that its promise fails";
	if (said->unkept && !about->latest_s)
		return "there is no promise that could fail";
	if (!said->never && about->latest_s && about->latest_s >= about->snap->now_s && !late &&
	    about->decision->reason != LW_REASON_WAITS_FOR_REPAIR && said->unkept)
		return "its promise holds";
	if (said->planned_s && said->planned_s != about->planned_s &&
	    (said->planned_s != about->latest_s || late))
		return "another start than that of the plan";
	if (about->decision->reason == LW_REASON_WAITS_FOR_REPAIR && about->latest_s &&
	    said->unkept != LW_UNKEPT_NODES)
		return "it is not told that nodes are missing for its promise";
	if (said->likely && said->at_s + (int64_t)said->p90_s < job->constraints.earliest_s)
		return "it likely starts before it may";
	if (said->likely && job->tasks > 1)
		return "one likely start for all tasks of an array";
	if (about->deadline_s && said->planned_s > about->deadline_s &&
	    said->deadline != LW_DEADLINE_MISSED)
		return "it is not told that it misses its deadline";
	return lw_statement_fault(said);
}

/* What a reader makes of the word is what was said. */
static const char *judge_word(const struct lw_statement *said)
{
	char word[LW_WHY_MAX], again[LW_WHY_MAX];
	struct lw_statement read;

	lw_why_encode(said, word);
	if (lw_why_decode(word, &read))
		return "its word cannot be read";
	read.deadline_s = said->deadline_s;
	lw_statement_settle(NULL, &read);
	lw_why_encode(&read, again);
	return strcmp(word, again) ? "its reader says something else" : NULL;
}

/* AFTER_S after the plan of SAID was made nothing renews it: what do commands make of the rest?
 */
static const char *left(const struct lw_statement *said, bool told, int64_t after_s)
{
	char id[] = "7", reason[] = "Resources";
	struct lw_why_job job = {
		.id = id,
		.reason = reason,
		.start_s = TOOLS_WHY_NONE,
		.deadline_s = TOOLS_WHY_NONE,
		.latest_s = said->latest_s ? said->latest_s : TOOLS_WHY_NONE,
		.waits = true,
		.told = told,
	};

	if (told)
		job.why = *said;
	lw_why_doubt(&(struct lw_why_jobs){ &job, 1, 1 }, said->at_s + after_s);
	if (job.told || job.why.never || job.why.planned_s || job.why.latest_s ||
	    job.why.likely || job.why.deadline || job.why.hints[0].kind)
		return "what a planner left that has ended is believed";
	if (said->latest_s && !job.lapsed)
		return "it is not told that its promise is no longer kept";
	return NULL;
}

/* After the hand-over to stock: at once without the word, or with it once it is old. */
static const char *judge_left(const struct lw_statement *said)
{
	const char *fault = left(said, false, 1);

	return fault ? fault : left(said, true, LW_WHY_STALE_S + 1);
}

static int nothing_contradicts(uint64_t seed, struct lw_strbuf *why)
{
	struct round round;
	int rc = begin_round(&round, seed, why);

	for (uint32_t i = 0; i < round.plan.decision_count && !rc; i++) {
		struct lw_statement_case about = case_of(&round, &round.plan.decisions[i]);
		struct lw_statement said;
		const char *fault;

		if (about.decision->verdict == LW_START)
			continue;
		lw_statement_make(&about, &said);
		fault = judge(&about, &said);
		add_more(&round.prng, &said);
		lw_statement_settle(&about, &said);
		fault = fault ? fault : judge(&about, &said);
		fault = fault ? fault : judge_word(&said);
		fault = fault ? fault : judge_left(&said);
		if (fault)
			rc = BROKEN(why, "job %" PRIu32 ": %s\n", about.decision->job_id, fault);
	}
	return end_round(&round, rc, why);
}

static const struct property properties[] = {
	{ "nothing said of a job contradicts the rest", nothing_contradicts, 1500 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
