/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway why and leeway when: as text and as JSON. */
#include "cli/why/why.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"

static void print_line(const char *label, const char *text)
{
	if (*text)
		printf("%-10s%s\n", label, text);
}

static void print_head(const struct lw_why_job *job, int64_t now_s)
{
	char when[TOOLS_WHY_WHEN_MAX];

	printf("job %s (%s), user %s, partition %s, submitted %s\n", lw_tools_plain(job->id),
	       lw_tools_plain(job->name), lw_tools_plain(job->user),
	       lw_tools_plain(job->partition), lw_why_when(job->submit_s, now_s, when));
}

static void print_why(const struct lw_why_job *job)
{
	struct lw_strbuf why = LW_STRBUF_INIT, help = LW_STRBUF_INIT;

	lw_why_sentence(job, &why, &help);
	print_line("why", lw_strbuf_text(&why));
	print_line("do", lw_strbuf_text(&help));
	lw_strbuf_fini(&why);
	lw_strbuf_fini(&help);
}

static void print_until(const struct lw_why_job *job, int64_t now_s)
{
	char when[TOOLS_WHY_WHEN_MAX];

	if (job->until)
		printf("%-10s%s, %s\n", "until", lw_why_when(job->until_s, now_s, when),
		       job->until);
}

static void print_promise(const struct lw_why_job *job, int64_t now_s)
{
	const char *unkept = lw_why_unkept(job);
	char latest[TOOLS_WHY_WHEN_MAX];

	if (job->lapsed)
		printf("%-10s%s at the latest: no longer kept, since Leeway does not plan now\n",
		       "promised", lw_why_when(job->latest_s, now_s, latest));
	else if (unkept && job->why.latest_s >= now_s)
		printf("%-10scannot be kept: %s\n", "promise", unkept);
}

/* "stopped   14:02 for job 123; back by 18:02", or "moved   14:02 to make room for job 123; ..." */
static void print_stop(const struct lw_why_job *job, int64_t now_s)
{
	const struct lw_stop *stop = &job->stop;
	char asked[TOOLS_WHY_WHEN_MAX], due[TOOLS_WHY_WHEN_MAX];
	struct lw_strbuf line = LW_STRBUF_INIT;

	if (!stop->asked_s || stop->back_s)
		return;
	lw_strbuf_add(&line, "%s", lw_why_when(stop->asked_s, now_s, asked));
	if (stop->for_job)
		lw_strbuf_add(&line, "%s for job %" PRIu32, stop->moves ? " to make room" : "",
			      stop->for_job);
	lw_strbuf_add(&line, "; back by %s", lw_why_when(stop->due_s, now_s, due));
	print_line(stop->moves ? "moved" : "stopped", lw_strbuf_text(&line));
	lw_strbuf_fini(&line);
}

/* "lost      n17 14:02: it ran again; try 1 of the day" */
static void print_loss(const struct lw_why_job *job, int64_t now_s)
{
	const struct lw_nodeloss *loss = &job->loss;
	char when[TOOLS_WHY_WHEN_MAX];

	if (!loss->tries)
		return;
	printf("%-10s%s %s: it %s%s; try %" PRIu32 " of the day\n", "lost",
	       *loss->node ? lw_tools_plain(loss->node) : "a node",
	       lw_why_when(loss->at_s, now_s, when),
	       job->waits ? "runs again at once" : "ran again",
	       job->waits && *loss->node ? ", elsewhere if other nodes would do" : "",
	       loss->tries);
}

static void print_progress(const struct lw_why_job *job, int64_t now_s)
{
	struct lw_strbuf line = LW_STRBUF_INIT;

	lw_progress_tell(&job->progress, now_s, &line);
	print_line("progress", lw_strbuf_text(&line));
	lw_strbuf_fini(&line);
}

static void print_planned(const struct lw_why_job *job, int64_t now_s)
{
	const struct lw_statement *said = &job->why;
	char start[TOOLS_WHY_WHEN_MAX], latest[TOOLS_WHY_WHEN_MAX];
	struct lw_strbuf line = LW_STRBUF_INIT;

	lw_strbuf_add(&line, "%s",
		      said->planned_s ? lw_why_when(said->planned_s, now_s, start)
				      : "no start yet");
	if (*job->nodes && said->planned_s && said->planned_s == job->start_s)
		lw_strbuf_add(&line, " on %s", lw_tools_plain(job->nodes));
	if (said->latest_s)
		lw_strbuf_add(&line, "; promised at the latest %s%s",
			      lw_why_when(said->latest_s, now_s, latest),
			      said->latest_s < now_s ? ", which has passed" : "");
	else if (said->planned_s && !lw_why_is_planned(job))
		lw_strbuf_add(&line, "; not promised");
	print_line("planned", said->never ? "never, as it is" : lw_strbuf_text(&line));
	lw_strbuf_fini(&line);
	print_promise(job, now_s);
}

/* "not predictable: between 2h00m and 3d00h", counted from now. */
static void add_wide(const struct lw_why_job *job, int64_t now_s, struct lw_strbuf *line)
{
	int64_t low_s = job->why.at_s + job->why.low_s - now_s;
	char low[32], high[32];

	lw_duration_print(low_s > 0 ? low_s : 0, low, sizeof(low));
	lw_duration_print(lw_why_at(job, job->why.p90_s) - now_s, high, sizeof(high));
	lw_strbuf_add(line, "not predictable: between %s and %s from now", low, high);
}

static void print_likely(const struct lw_why_job *job, int64_t now_s)
{
	const struct lw_statement *why = &job->why;
	char p50[TOOLS_WHY_WHEN_MAX], p90[TOOLS_WHY_WHEN_MAX];
	struct lw_strbuf line = LW_STRBUF_INIT;

	switch (lw_why_judge(job, now_s)) {
	case TOOLS_WHY_UNKNOWN:
		if (job->told && !why->never)
			lw_strbuf_add(&line, "not known: similar jobs tell too little");
		break;
	case TOOLS_WHY_OVERDUE:
		lw_strbuf_add(&line, "not known: it waits longer than nine of ten such jobs");
		break;
	case TOOLS_WHY_WIDE:
		add_wide(job, now_s, &line);
		break;
	case TOOLS_WHY_LIKELY:
		lw_strbuf_add(&line,
			      lw_why_at(job, why->p50_s) < now_s
				      ? "half of such jobs had started by %s; by %s nine of ten"
				      : "by %s as often as not, by %s nine times of ten",
			      lw_why_when(lw_why_at(job, why->p50_s), now_s, p50),
			      lw_why_when(lw_why_at(job, why->p90_s), now_s, p90));
		break;
	}
	print_line("likely", lw_strbuf_text(&line));
	lw_strbuf_fini(&line);
	if (job->told && why->likely && why->held_count)
		printf("%-10snine of ten held %" PRIu32 " %% of %" PRIu32
		       " times in 30 days, in queues as long\n",
		       "", why->held_percent, why->held_count);
}

static void print_deadline(const struct lw_why_job *job, int64_t now_s)
{
	char when[TOOLS_WHY_WHEN_MAX];

	if (!job->why.deadline_s)
		return;
	lw_why_when(job->why.deadline_s, now_s, when);
	switch (job->why.deadline) {
	case LW_DEADLINE_ACCEPTED:
		printf("%-10saccepted: by %s\n", "deadline", when);
		break;
	case LW_DEADLINE_RISK:
		printf("%-10s%s at risk\n", "deadline", when);
		break;
	case LW_DEADLINE_MET:
		printf("%-10s%s, met by the planned start; that is not promised\n", "deadline",
		       when);
		break;
	case LW_DEADLINE_MISSED:
		printf("%-10s%s at risk: it will miss it by this plan\n", "deadline", when);
		break;
	default:
		print_line("deadline", when);
	}
}

static void print_hints(const struct lw_why_job *job, int64_t now_s)
{
	const struct lw_hint *hint = job->why.hints;
	char when[TOOLS_WHY_WHEN_MAX];

	for (int i = 0; job->told && i < LW_WHY_HINTS && hint[i].kind; i++) {
		struct lw_strbuf words = LW_STRBUF_INIT, command = LW_STRBUF_INIT;

		lw_why_hint(job, &hint[i], &words, &command);
		printf("%-10s%s it would start now\n", i ? "" : "sooner", lw_strbuf_text(&words));
		if (command.len)
			printf("%-12s%s\n", "", lw_strbuf_text(&command));
		lw_strbuf_fini(&words);
		lw_strbuf_fini(&command);
	}
	if (job->told || job->stale)
		printf("%-10sof %s%s\n", "as", lw_why_when(job->why.at_s, now_s, when),
		       job->stale ? ": too long ago to go by; Slurm's own reason is above" : "");
}

void lw_why_print(const struct lw_why_job *job, int64_t now_s)
{
	print_head(job, now_s);
	print_why(job);
	print_stop(job, now_s);
	print_loss(job, now_s);
	print_progress(job, now_s);
	if (!job->waits)
		return;
	print_until(job, now_s);
	if (job->others)
		print_line("planner", "Slurm's own backfill: Leeway does not plan it");
	print_planned(job, now_s);
	print_likely(job, now_s);
	print_deadline(job, now_s);
	print_hints(job, now_s);
}

/* "38 tasks of it RUNNING": how many of JOBS, which do not wait, have the state of job I. */
static void print_state(const struct lw_why_jobs *jobs, uint32_t i)
{
	const char *state = jobs->jobs[i].state;
	uint32_t count = 0;

	for (uint32_t j = 0; j < jobs->count; j++) {
		bool same = !jobs->jobs[j].waits && !strcmp(jobs->jobs[j].state, state);

		if (same && j < i)
			return; /* they are printed */
		count += same;
	}
	printf("%-10s%" PRIu32 " task%s %s\n", "state", count, count == 1 ? "" : "s",
	       lw_tools_plain(state));
}

void lw_why_print_array(const struct lw_why_jobs *jobs, int64_t now_s)
{
	bool any = false;

	for (uint32_t i = 0; i < jobs->count; i++) {
		if (!jobs->jobs[i].waits)
			continue;
		if (any)
			printf("\n");
		lw_why_print(&jobs->jobs[i], now_s);
		any = true;
	}
	if (!any)
		print_head(&jobs->jobs[0], now_s);
	for (uint32_t i = 0; i < jobs->count; i++)
		if (!jobs->jobs[i].waits)
			print_state(jobs, i);
}

void lw_why_print_history(const struct lw_why_jobs *jobs, int64_t now_s)
{
	for (uint32_t i = 0; i < jobs->count; i++) {
		if (i)
			printf("\n");
		print_head(&jobs->jobs[i], now_s);
		lw_why_print_past(&jobs->jobs[i], now_s);
	}
}

static int64_t none_if_zero(int64_t at_s)
{
	return at_s ? at_s : TOOLS_WHY_NONE;
}

static void print_running_row(const struct lw_why_job *job, int64_t now_s)
{
	struct lw_strbuf line = LW_STRBUF_INIT;

	lw_progress_tell(&job->progress, now_s, &line);
	printf("%-14.14s %-12.12s %s%s%s\n", lw_tools_plain(job->id), lw_tools_plain(job->name),
	       lw_tools_plain(job->state), line.len ? ": " : "", lw_strbuf_text(&line));
	lw_strbuf_fini(&line);
}

static void print_row(const struct lw_why_job *job, int64_t now_s)
{
	char start[TOOLS_WHY_WHEN_MAX], latest[TOOLS_WHY_WHEN_MAX], p50[TOOLS_WHY_WHEN_MAX];
	char p90[TOOLS_WHY_WHEN_MAX], likely[2 * TOOLS_WHY_WHEN_MAX] = "-";

	if (!job->waits) {
		print_running_row(job, now_s);
		return;
	}
	if (lw_why_judge(job, now_s) == TOOLS_WHY_LIKELY &&
	    lw_why_at(job, job->why.p50_s) < now_s)
		snprintf(likely, sizeof(likely), "-, %s",
			 lw_why_when(lw_why_at(job, job->why.p90_s), now_s, p90));
	else if (lw_why_judge(job, now_s) == TOOLS_WHY_LIKELY)
		snprintf(likely, sizeof(likely), "%s, %s",
			 lw_why_when(lw_why_at(job, job->why.p50_s), now_s, p50),
			 lw_why_when(lw_why_at(job, job->why.p90_s), now_s, p90));
	else if (job->others)
		snprintf(likely, sizeof(likely), "not planned by Leeway");
	else if (lw_why_judge(job, now_s) == TOOLS_WHY_WIDE)
		snprintf(likely, sizeof(likely), "not predictable");
	lw_why_when(none_if_zero(job->why.latest_s), now_s, latest);
	if (job->why.latest_s && job->why.latest_s < now_s)
		strncat(latest, " passed", sizeof(latest) - strlen(latest) - 1);
	else if (job->why.unkept)
		strncat(latest, " fails", sizeof(latest) - strlen(latest) - 1);
	printf("%-14.14s %-12.12s %-16s %-16s %s\n", lw_tools_plain(job->id),
	       lw_tools_plain(job->name),
	       job->why.never ? "never"
			      : lw_why_when(none_if_zero(job->why.planned_s), now_s, start),
	       latest, likely);
}

void lw_why_print_table(const struct lw_why_jobs *jobs, int64_t now_s)
{
	printf("%-14s %-12s %-16s %-16s %s\n", "job", "name", "planned", "at the latest",
	       "likely: half, 9 of 10");
	for (uint32_t i = 0; i < jobs->count; i++)
		print_row(&jobs->jobs[i], now_s);
}

/* ---- as JSON ---- */

static json_t *make_time(int64_t at_s)
{
	return at_s == TOOLS_WHY_NONE ? json_null() : json_integer((json_int_t)at_s);
}

static json_t *make_text(const char *text)
{
	return *text ? lw_output_string(text) : json_null();
}

static json_t *make_number(uint32_t number)
{
	return number ? json_integer((json_int_t)number) : json_null();
}

static json_t *make_likely(const struct lw_why_job *job, int64_t now_s)
{
	const struct lw_statement *why = &job->why;

	if (lw_why_judge(job, now_s) == TOOLS_WHY_UNKNOWN)
		return json_null();
	return json_pack("{s:I, s:I, s:I, s:b, s:o, s:I}", "p10_start_s",
			 (json_int_t)(why->at_s + why->low_s), "p50_start_s",
			 (json_int_t)lw_why_at(job, why->p50_s), "p90_start_s",
			 (json_int_t)lw_why_at(job, why->p90_s), "too_wide",
			 (int)(lw_why_judge(job, now_s) == TOOLS_WHY_WIDE), "p90_held",
			 why->held_count ? json_real(why->held_percent / 100.0) : json_null(),
			 "p90_judged", (json_int_t)why->held_count);
}

static const char *const hint_names[] = { "none",   "time",         "nodes",    "gpus", "cpus",
					  "shared", "any-gpu-type", "partition" };

/* A partition is a name, all else a number. */
static json_t *make_value(const struct lw_why_job *job, const struct lw_hint *hint)
{
	return hint->kind == LW_HINT_PARTITION ? lw_output_string(job->why.partition)
					       : json_integer((json_int_t)hint->value);
}

static json_t *make_hints(const struct lw_why_job *job)
{
	json_t *hints = json_array();

	for (int i = 0; job->told && i < LW_WHY_HINTS && job->why.hints[i].kind; i++) {
		const struct lw_hint *hint = &job->why.hints[i];
		struct lw_strbuf words = LW_STRBUF_INIT, command = LW_STRBUF_INIT;

		lw_why_hint(job, hint, &words, &command);
		json_array_append_new(hints, json_pack("{s:s, s:o, s:o}", "change",
						       hint_names[hint->kind], "value",
						       make_value(job, hint), "command",
						       make_text(lw_strbuf_text(&command))));
		lw_strbuf_fini(&words);
		lw_strbuf_fini(&command);
	}
	return hints;
}

static json_t *make_type(const struct lw_statement *why, const struct lw_why_type *type)
{
	return *type->name ? json_pack("{s:o, s:I}", "type", lw_output_string(type->name),
				       "done_s", (json_int_t)(why->at_s + type->done_s))
			   : json_null();
}

static void set_plan(json_t *o, const struct lw_why_job *job, int64_t now_s)
{
	const struct lw_statement none = { 0 }, *why = job->told ? &job->why : &none;
	const char *deadline = lw_why_deadline(job);

	json_object_set_new(o, "until_s", make_time(job->until_s));
	json_object_set_new(o, "until", make_text(job->until ? job->until : ""));
	json_object_set_new(o, "plan_reason", make_text(why->reason));
	json_object_set_new(o, "before", job->told ? json_integer(why->before) : json_null());
	json_object_set_new(o, "would_delay", make_number(why->head));
	json_object_set_new(o, "after_job", make_number(why->after));
	json_object_set_new(o, "stopped_job", make_number(why->stopped));
	json_object_set_new(o, "least_nodes", make_number(why->least_nodes));
	json_object_set_new(o, "most_nodes", make_number(why->most_nodes));
	json_object_set_new(o, "waits_for_type", make_type(why, &why->faster));
	json_object_set_new(o, "other_type", make_type(why, &why->other));
	json_object_set_new(o, "other_type_too_small", json_boolean(why->cramped));
	json_object_set_new(o, "never", json_boolean(job->why.never));
	json_object_set_new(o, "planned_start_s", make_time(none_if_zero(job->why.planned_s)));
	json_object_set_new(o, "planned_nodes",
			    make_text(job->why.planned_s == job->start_s ? job->nodes : ""));
	json_object_set_new(o, "latest_start_s", make_time(none_if_zero(job->why.latest_s)));
	json_object_set_new(o, "promise_fault",
			    make_text(lw_why_unkept(job) ? lw_why_unkept(job) : ""));
	json_object_set_new(o, "likely", make_likely(job, now_s));
	json_object_set_new(o, "deadline_s", make_time(none_if_zero(job->why.deadline_s)));
	json_object_set_new(o, "deadline", deadline ? json_string(deadline) : json_null());
	json_object_set_new(o, "would_start_now", make_hints(job));
	json_object_set_new(o, "as_of_s",
			    job->told || job->stale ? make_time(job->why.at_s) : json_null());
	json_object_set_new(o, "stale", json_boolean(job->stale));
}

/* Of a job that does not wait. */
static void set_run(json_t *o, const struct lw_why_job *job)
{
	json_object_set_new(o, "start_s", make_time(job->start_s));
	json_object_set_new(o, "end_s", make_time(job->end_s));
	lw_progress_set(o, &job->progress);
}

/* Of a job that runs again it says when it was back. */
static void set_stop(json_t *o, const struct lw_stop *stop)
{
	json_object_set_new(o, "stopped_s", json_integer((json_int_t)stop->asked_s));
	json_object_set_new(o, "back_by_s", json_integer((json_int_t)stop->due_s));
	json_object_set_new(o, "back_s", make_time(stop->back_s ? stop->back_s : TOOLS_WHY_NONE));
}

static void set_loss(json_t *o, const struct lw_nodeloss *loss)
{
	json_object_set_new(o, "lost_node", make_text(loss->node));
	json_object_set_new(o, "lost_s", json_integer((json_int_t)loss->at_s));
	json_object_set_new(o, "lost_tries", json_integer((json_int_t)loss->tries));
}

json_t *lw_why_json(const struct lw_why_job *job, int64_t now_s)
{
	struct lw_strbuf why = LW_STRBUF_INIT, help = LW_STRBUF_INIT;
	json_t *o;

	lw_why_sentence(job, &why, &help);
	o = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "job",
		      lw_output_string(job->id), "user", lw_output_string(job->user), "name",
		      lw_output_string(job->name), "partition", lw_output_string(job->partition),
		      "state", lw_output_string(job->state), "submit_s", make_time(job->submit_s),
		      "slurm_reason", make_text(job->reason), "why",
		      make_text(lw_strbuf_text(&why)), "do", make_text(lw_strbuf_text(&help)));
	lw_strbuf_fini(&why);
	lw_strbuf_fini(&help);
	if (o && job->waits)
		set_plan(o, job, now_s);
	else if (o)
		set_run(o, job);
	if (o && job->others)
		json_object_set_new(o, "others", json_true());
	if (o && job->stop.asked_s)
		set_stop(o, &job->stop);
	if (o && job->loss.tries)
		set_loss(o, &job->loss);
	return o;
}
