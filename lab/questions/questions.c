/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: seven questions to a workload, and its answers. */
#include "lab/questions/questions.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"

/* What counts as more: a tenth, so that chance is no answer. */
#define MORE 1.1
/* So few users are no mean. */
#define USERS 3

const char *lw_reply_name(enum lw_reply reply)
{
	static const char *const names[] = { "yes", "partly", "no", "not known" };

	return names[reply];
}

/* ---- words ---- */

struct word {
	char text[24];
};

static struct word percent(double share)
{
	struct word word = { "-" };

	if (!isnan(share))
		snprintf(word.text, sizeof(word.text), "%.*f %%",
			 share > 0 && share < 0.095 ? 1 : 0, 100 * share);
	return word;
}

static struct word seconds(double value)
{
	struct word word = { "-" };

	if (!isnan(value))
		lw_duration_print((int64_t)(value + 0.5), word.text, sizeof(word.text));
	return word;
}

static struct word times(double ratio)
{
	struct word word = { "-" };

	if (!isnan(ratio))
		snprintf(word.text, sizeof(word.text), "%.2f", ratio);
	return word;
}

/* Append to what is answered already; what has no room is cut. */
static void answer_add(struct lw_question *question, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void answer_add(struct lw_question *question, const char *fmt, ...)
{
	size_t len = strlen(question->answer);
	va_list args;

	va_start(args, fmt);
	vsnprintf(question->answer + len, sizeof(question->answer) - len, fmt, args);
	va_end(args);
}

static enum lw_reply both(bool first, bool second)
{
	return first && second ? LW_REPLY_YES : first || second ? LW_REPLY_PARTLY : LW_REPLY_NO;
}

static double hour_share(const struct lw_slice *slice)
{
	return lw_share((double)slice->by_length[LW_LENGTH_MINUTE] +
				slice->by_length[LW_LENGTH_HOUR],
			slice->jobs);
}

/* ---- how many jobs an answer is of ---- */

/* An answer of fewer jobs says nothing of the log. */
#define COVER_MIN 0.2

static uint32_t of_users(const struct lw_analysis *a)
{
	return a->all.jobs - a->people[LW_BY_USER].nobody;
}

static uint32_t of_waits(const struct lw_analysis *a)
{
	return a->all.wait.count;
}

static uint32_t of_outcomes(const struct lw_analysis *a)
{
	return lw_slice_known(&a->all);
}

static bool knows_enough(uint32_t jobs, const struct lw_analysis *a)
{
	return jobs >= COVER_MIN * a->all.jobs;
}

/* Q has been answered of so many JOBS. */
static void questions_cover(const struct lw_analysis *a, uint32_t jobs, struct lw_question *q)
{
	if (q->reply == LW_REPLY_UNKNOWN || jobs >= a->all.jobs)
		return;
	if (!knows_enough(jobs, a)) {
		q->reply = LW_REPLY_UNKNOWN;
		q->answer[0] = '\0';
		snprintf(q->brief, sizeof(q->brief), "known of %" PRIu32 " of %" PRIu32 " jobs",
			 jobs, a->all.jobs);
	}
	answer_add(q, "%sThe log knows this of %" PRIu32 " of its %" PRIu32 " jobs.",
		   *q->answer ? " " : "", jobs, a->all.jobs);
}

/* ---- the questions ---- */

static void ask_geometry(const struct lw_analysis *a, struct lw_question *q)
{
	double within = hour_share(&a->all), swing = lw_arrivals_swing(&a->arrivals);
	double small = lw_share(a->all.by_size[LW_SIZE_SMALL], a->all.jobs);
	const struct lw_slice *deep = &a->kind[LW_JOBLOG_DEEP],
			      *other = &a->kind[LW_JOBLOG_OTHER];

	q->reply = both(within > 0.5, small > 0.5);
	snprintf(q->brief, sizeof(q->brief), "median %s, small %s",
		 seconds(a->all.run.median).text, percent(small).text);
	answer_add(q, "%s of the jobs run up to an hour (median %s, mean %s), and %s are small.",
		   percent(within).text, seconds(a->all.run.median).text,
		   seconds(a->all.run.mean).text, percent(small).text);
	if (!isnan(swing))
		answer_add(
			q,
			" The busiest hour of the day brings %.1f times the jobs of the quietest.",
			swing);
	if (deep->jobs && other->jobs)
		answer_add(q, " Deep-learning jobs run %s at the median, others %s.",
			   seconds(deep->run.median).text, seconds(other->run.median).text);
}

static void ask_occupation(const struct lw_analysis *a, struct lw_question *q)
{
	double longer_s = a->length[LW_LENGTH_DAY].area_s + a->length[LW_LENGTH_MORE].area_s;
	double wider_s = a->size[LW_SIZE_MIDDLE].area_s + a->size[LW_SIZE_LARGE].area_s;
	double by_length = lw_share(longer_s, a->all.area_s);
	double by_size = lw_share(wider_s, a->all.area_s);
	double few = 1 - lw_share(a->all.by_size[LW_SIZE_SMALL], a->all.jobs);

	if (isnan(by_length)) {
		q->reply = LW_REPLY_UNKNOWN;
		return;
	}
	q->reply = both(by_length > 0.5 && hour_share(&a->all) > 0.5, by_size > 0.5 && few < 0.5);
	snprintf(q->brief, sizeof(q->brief), "over an hour %s, not small %s",
		 percent(by_length).text, percent(by_size).text);
	answer_add(
		q,
		"Jobs of more than an hour are %s of the jobs and hold %s of the %s-hours. "
		"Those that are not small are %s of the jobs and hold %s.",
		percent(1 - hour_share(&a->all)).text, percent(by_length).text,
		lw_joblog_unit_name(a->unit), percent(few).text, percent(by_size).text);
	if (a->people[LW_BY_USER].count > 1 && knows_enough(of_users(a), a))
		answer_add(q, " A tenth of the users holds %s%s.",
			   percent(a->people[LW_BY_USER].tenth_area).text,
			   of_users(a) < a->all.jobs ? " of what jobs of known users hold" : "");
}

static uint32_t waits_longest(const struct lw_slice *slices, uint32_t count)
{
	uint32_t longest = 0;

	for (uint32_t i = 1; i < count; i++)
		if (slices[i].wait.count && (!slices[longest].wait.count ||
					     slices[i].wait.mean > slices[longest].wait.mean))
			longest = i;
	return longest;
}

static void ask_use(const struct lw_analysis *a, struct lw_question *q)
{
	const struct lw_load *load = &a->load;
	uint32_t size = waits_longest(a->size, LW_SIZES);
	uint32_t length = waits_longest(a->length, LW_LENGTHS);

	if (!load->has_waits) {
		q->reply = LW_REPLY_UNKNOWN;
		snprintf(q->brief, sizeof(q->brief), "no waits; asked for %s",
			 percent(load->offered).text);
		answer_add(q, "The log has no waits. What was asked for is %s of the machine.",
			   percent(load->offered).text);
		return;
	}
	q->reply = both(load->utilisation >= 0.8, !(load->slack_share > 0.5));
	snprintf(q->brief, sizeof(q->brief), "use %s, %s while jobs wait",
		 percent(load->utilisation).text, percent(load->use_waiting).text);
	answer_add(
		q,
		"%s of the machine is held, and %s while jobs wait; for %s of that time less than "
		"four fifths are held. Jobs wait %s at the median and %s on average; the longest "
		"waits have jobs that are %s (%s) and jobs that run %s (%s).",
		percent(load->utilisation).text, percent(load->use_waiting).text,
		percent(load->slack_share).text, seconds(a->all.wait.median).text,
		seconds(a->all.wait.mean).text, lw_size_name((enum lw_size_class)size),
		seconds(a->size[size].wait.mean).text,
		lw_length_name((enum lw_length_class)length),
		seconds(a->length[length].wait.mean).text);
	if (load->above_share > 0.01)
		answer_add(
			q,
			" For %s of the time more is held than there is: do not trust the waits.",
			percent(load->above_share).text);
}

/* The jobs of COUNT slices that did not complete, of those of a known outcome. */
static double lost_of(const struct lw_slice *slices, uint32_t count)
{
	double known = 0, completed = 0;

	for (uint32_t i = 0; i < count; i++) {
		known += lw_slice_known(&slices[i]);
		completed += slices[i].outcome[LW_OUTCOME_COMPLETED];
	}
	return lw_share(known - completed, known);
}

/* The least class of size of which there is a job. */
static uint32_t least_size(const struct lw_analysis *a)
{
	uint32_t least = 0;

	while (least < LW_SIZES - 1 && !a->size[least].jobs)
		least++;
	return least;
}

static void ask_failures(const struct lw_analysis *a, struct lw_question *q)
{
	uint32_t least = least_size(a);
	double small = lw_slice_lost_share(&a->size[least]);
	double wide = lost_of(&a->size[least + 1], LW_SIZES - 1 - least);
	double brief = lost_of(&a->length[LW_LENGTH_MINUTE], 2);
	double lengthy = lost_of(&a->length[LW_LENGTH_DAY], 2);
	double lost_s = a->all.area_s - a->all.outcome_area_s[LW_OUTCOME_COMPLETED] -
			a->all.outcome_area_s[LW_OUTCOME_UNKNOWN];

	if (!lw_slice_known(&a->all)) {
		q->reply = LW_REPLY_UNKNOWN;
		snprintf(q->brief, sizeof(q->brief), "no outcomes");
		answer_add(q, "The log does not say how jobs ended.");
		return;
	}
	/* all may be of one size: then length alone can tell */
	q->reply =
		both(isnan(wide) || isnan(small) || wide > MORE * small, lengthy > MORE * brief);
	if (q->reply == LW_REPLY_PARTLY && (isnan(wide) || isnan(small)))
		q->reply = LW_REPLY_NO;
	snprintf(q->brief, sizeof(q->brief), "length %s to %s, size %s to %s",
		 percent(brief).text, percent(lengthy).text, percent(small).text,
		 percent(wide).text);
	answer_add(
		q,
		"%s of the jobs do not complete, and %s of the %s-hours go to them. Of those up to "
		"an hour it is %s, of longer ones %s",
		percent(lw_slice_lost_share(&a->all)).text,
		percent(lw_share(lost_s,
				 a->all.area_s - a->all.outcome_area_s[LW_OUTCOME_UNKNOWN]))
			.text,
		lw_joblog_unit_name(a->unit), percent(brief).text, percent(lengthy).text);
	if (isnan(small) || isnan(wide))
		answer_add(q, "; all are of one size class.");
	else
		answer_add(q, "; of %s ones %s, of larger ones %s.",
			   lw_size_name((enum lw_size_class)least), percent(small).text,
			   percent(wide).text);
}

static void ask_repetition(const struct lw_analysis *a, struct lw_question *q)
{
	const struct lw_repeat *repeat = &a->repeat;
	double ten = repeat->top[LW_REPEAT_GROUPS - 1];
	double asked = repeat->request[LW_REPEAT_GROUPS - 1];

	if (!repeat->users) {
		q->reply = LW_REPLY_UNKNOWN;
		snprintf(q->brief, sizeof(q->brief), "no users");
		answer_add(q, "The log knows no user with ten jobs.");
		return;
	}
	q->reply = both(ten >= 0.5, isnan(asked) || asked >= 0.8);
	snprintf(q->brief, sizeof(q->brief), "ten groups: %s by request, %s by run",
		 percent(asked).text, percent(ten).text);
	if (!isnan(asked))
		answer_add(q,
			   "%s of the jobs ask for the size and limit of one of their user's ten "
			   "favourites. ",
			   percent(asked).text);
	answer_add(
		q,
		"%s are alike, in size and run time, to one of their user's ten largest groups, "
		"and %s to the largest. %s ask for what the user's job before asked for, and %s "
		"run within half and twice as long.",
		percent(ten).text, percent(repeat->top[0]).text,
		percent(repeat->same_request).text, percent(repeat->near_run).text);
}

static void ask_behaviour(const struct lw_analysis *a, struct lw_question *q)
{
	const struct lw_behaviour *b = &a->behaviour;

	if (!b->known || b->users < USERS || b->upto[LW_QUEUE_SHORT] == b->upto[LW_QUEUE_LONG]) {
		q->reply = LW_REPLY_UNKNOWN;
		snprintf(q->brief, sizeof(q->brief), "%s",
			 !b->known ? "no waits" : "no users to compare");
		answer_add(q, "%s",
			   !b->known ? "The log has no waits, so the queue is not known."
				     : "Fewer than three users sent ten jobs under a short "
				       "queue and ten under a long one.");
		return;
	}
	q->reply = both(MORE * b->run_ratio < 1, MORE * b->size_ratio < 1);
	snprintf(q->brief, sizeof(q->brief), "run times %s, sizes %s fold",
		 times(b->run_ratio).text, times(b->size_ratio).text);
	answer_add(q,
		   "Beside what the same user sends while up to %" PRIu32
		   " jobs wait, jobs sent while more than %" PRIu32
		   " wait run %s times as long and are "
		   "%s times as large (mean over %" PRIu32
		   " users). Of all users together the median "
		   "goes from %s to %s.",
		   b->upto[LW_QUEUE_SHORT], b->upto[LW_QUEUE_MIDDLE], times(b->run_ratio).text,
		   times(b->size_ratio).text, b->users,
		   seconds(b->queue[LW_QUEUE_SHORT].run.median).text,
		   seconds(b->queue[LW_QUEUE_LONG].run.median).text);
}

/* What is known of the end when a job has run for an hour. */
static const struct lw_elapsed_time *after_hour(const struct lw_elapsed *elapsed)
{
	const struct lw_elapsed_time *time = elapsed->times;

	while (time->after_s < 3600)
		time++;
	return time;
}

static void ask_elapsed(const struct lw_analysis *a, struct lw_question *q)
{
	const struct lw_elapsed_time *at_start = &a->elapsed.times[0];
	const struct lw_elapsed_time *hour = after_hour(&a->elapsed);
	const struct lw_elapsed_look *look = &a->elapsed.looks[1];
	bool better = look->jobs && look->accuracy > look->accuracy_blind &&
		      look->below < look->below_blind;
	double change =
		hour->outcome[LW_OUTCOME_COMPLETED] - at_start->outcome[LW_OUTCOME_COMPLETED];

	if (!look->jobs && isnan(change)) {
		q->reply = LW_REPLY_UNKNOWN;
		snprintf(q->brief, sizeof(q->brief), "no users and no outcomes");
		answer_add(q, "Half of the jobs that have run for an hour run %s more.",
			   seconds(hour->left_median_s).text);
		return;
	}
	q->reply = better ? LW_REPLY_YES : fabs(change) > 0.1 ? LW_REPLY_PARTLY : LW_REPLY_NO;
	snprintf(q->brief, sizeof(q->brief), look->jobs ? "accuracy %s to %s" : "no users",
		 percent(look->accuracy_blind).text, percent(look->accuracy).text);
	answer_add(q, "Half of the jobs that have run for an hour run %s more.",
		   seconds(hour->left_median_s).text);
	if (!isnan(change))
		answer_add(q, " %s of them complete, of all jobs %s.",
			   percent(hour->outcome[LW_OUTCOME_COMPLETED]).text,
			   percent(at_start->outcome[LW_OUTCOME_COMPLETED]).text);
	if (look->jobs)
		answer_add(
			q,
			" A guess of the run time is right to %s if it uses that the job has run "
			"%s, else to %s; it is too short in %s rather than %s of the cases.",
			percent(look->accuracy).text, seconds(look->after_s).text,
			percent(look->accuracy_blind).text, percent(look->below).text,
			percent(look->below_blind).text);
}

void lw_questions_of(const struct lw_analysis *analysis,
		     struct lw_question ret_questions[LW_QUESTIONS])
{
	static const struct {
		const char *key, *text;
		void (*ask)(const struct lw_analysis *analysis, struct lw_question *question);
		/* of how many jobs the log knows what the answer needs; NULL: of all */
		uint32_t (*of)(const struct lw_analysis *analysis);
	} all[LW_QUESTIONS] = {
		{ "geometry", "Are most jobs short and small?", ask_geometry, NULL },
		{ "occupation", "Do the few long and large jobs hold the machine?",
		  ask_occupation, NULL },
		{ "use", "Is the machine kept busy, also while jobs wait?", ask_use, of_waits },
		{ "failures", "Do larger and longer jobs fail more?", ask_failures, of_outcomes },
		{ "repetition", "Do users send the same jobs again and again?", ask_repetition,
		  of_users },
		{ "behaviour", "Do users send shorter and smaller jobs when many wait?",
		  ask_behaviour, of_users },
		{ "elapsed", "Does the time that a job has run tell how long it will take?",
		  ask_elapsed, of_users },
	};

	for (uint32_t i = 0; i < LW_QUESTIONS; i++) {
		ret_questions[i] = (struct lw_question){ .key = all[i].key, .text = all[i].text };
		all[i].ask(analysis, &ret_questions[i]);
		if (all[i].of)
			questions_cover(analysis, all[i].of(analysis), &ret_questions[i]);
	}
}
