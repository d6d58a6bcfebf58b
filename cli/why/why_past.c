/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway why --history: what became of a job while it waited. */
#include "cli/why/why.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/duration.h"
#include "base/promise.h"
#include "cli/common/output.h"

/* The causes of moves and refusals. */
static const struct {
	char cause;
	const char *name, *words;
} causes[] = {
	{ LW_PAST_NODES, "nodes", "nodes that it needs are down or drained" },
	{ LW_PAST_LONGER, "longer", "the job that makes the room may run longer" },
	{ LW_PAST_OTHER, "other-job", "another job makes the room now" },
	{ LW_PAST_BEFORE, "before", "other jobs came before it" },
	{ LW_PAST_BEHIND, "behind", "jobs before it in the queue start later" },
	{ LW_PAST_RETRY, "refused", "Slurm refused to start it" },
	{ LW_PAST_TYPE, "faster-gpus", "it waits for other GPUs" },
	{ LW_PAST_CLEANED, "cleaned", "its nodes are still being cleaned up after a job" },
	{ LW_PAST_DEADLINE, "deadline", "its deadline leaves time, and other jobs go first" },
	{ LW_PAST_ROOM, "no-room", "it saw no room where the plan had some" },
	{ LW_PAST_LIMIT, "limit", "of a limit" },
	{ LW_PAST_CAUSE, "other", "the plan has changed" },
};

#define CAUSES (sizeof(causes) / sizeof(causes[0]))

/* The number of its cause; the last one is any other. */
static size_t cause_of(const struct lw_past_event *event)
{
	size_t i = 0;

	while (i < CAUSES - 1 && causes[i].cause != event->cause)
		i++;
	return i;
}

static const struct lw_past_event *find_event(const struct lw_past *past, char kind)
{
	for (uint32_t i = 0; i < past->count; i++)
		if (past->events[i].kind == kind)
			return &past->events[i];
	return NULL;
}

/* "28m later", "28m sooner" or "as planned". */
static void add_distance(int64_t from_s, int64_t to_s, struct lw_strbuf *line)
{
	int64_t by_s = to_s - from_s;
	char length[32];

	lw_duration_print(by_s < 0 ? -by_s : by_s, length, sizeof(length));
	if (by_s > LW_PAST_MOVE_S)
		lw_strbuf_add(line, "%s later than", length);
	else if (by_s < -LW_PAST_MOVE_S)
		lw_strbuf_add(line, "%s sooner than", length);
	else
		lw_strbuf_add(line, "as");
}

static void add_start(const struct lw_past *past, const struct lw_past_event *event,
		      struct lw_strbuf *line)
{
	const struct lw_past_event *first = find_event(past, LW_PAST_PLANNED);
	const struct lw_past_event *promised = find_event(past, LW_PAST_PROMISED);

	lw_strbuf_add(line, "started");
	if (first) {
		lw_strbuf_add(line, ", ");
		add_distance(first->then_s, event->at_s, line);
		lw_strbuf_add(line, " first planned");
	}
	if (promised && !find_event(past, LW_PAST_LOST))
		lw_strbuf_add(line, "; the promise was %s",
			      event->at_s > promised->then_s + LW_PROMISE_GRACE_S ? "broken"
										  : "kept");
}

static void add_event(const struct lw_past *past, const struct lw_past_event *event,
		      int64_t now_s, struct lw_strbuf *line)
{
	char then[TOOLS_WHY_WHEN_MAX];

	lw_why_when(event->then_s, now_s, then);
	switch (event->kind) {
	case LW_PAST_PLANNED:
		lw_strbuf_add(line, "first planned: to start %s", then);
		break;
	case LW_PAST_PROMISED:
		lw_strbuf_add(line, "promised a start by %s", then);
		break;
	case LW_PAST_LOST:
		lw_strbuf_add(line, "the promise was withdrawn");
		break;
	case LW_PAST_LATER:
		lw_strbuf_add(line, "planned later, %s: %s", then, causes[cause_of(event)].words);
		break;
	case LW_PAST_SOONER:
		lw_strbuf_add(line, "planned sooner, %s", then);
		break;
	case LW_PAST_NO_START:
		lw_strbuf_add(line, "no start can be planned: %s", causes[cause_of(event)].words);
		break;
	case LW_PAST_REFUSED:
		lw_strbuf_add(line, "Slurm refused to start it: %s",
			      causes[cause_of(event)].words);
		break;
	default:
		add_start(past, event, line);
	}
	if (event->times > 1)
		lw_strbuf_add(line, " (%" PRIu32 " times)", event->times);
}

void lw_why_print_past(const struct lw_why_job *job, int64_t now_s)
{
	const struct lw_past *past = &job->past;
	char when[TOOLS_WHY_WHEN_MAX];

	if (!past->count)
		printf("%-12sno plan of Leeway's had a start of it\n", "-");
	for (uint32_t i = 0; i < past->count; i++) {
		struct lw_strbuf line = LW_STRBUF_INIT;

		add_event(past, &past->events[i], now_s, &line);
		printf("%-12s%s\n", lw_why_when(past->events[i].at_s, now_s, when),
		       lw_strbuf_text(&line));
		lw_strbuf_fini(&line);
	}
	if (past->left_out)
		printf("%-12s%" PRIu32 " earlier changes of the plan are left out\n", "",
		       past->left_out);
}

/* ---- as JSON ---- */

static const char *kind_name(char kind)
{
	switch (kind) {
	case LW_PAST_PLANNED:
		return "planned";
	case LW_PAST_PROMISED:
		return "promised";
	case LW_PAST_LOST:
		return "withdrawn";
	case LW_PAST_LATER:
		return "later";
	case LW_PAST_SOONER:
		return "sooner";
	case LW_PAST_NO_START:
		return "no-start";
	case LW_PAST_REFUSED:
		return "refused";
	default:
		return "started";
	}
}

json_t *lw_why_past_json(const struct lw_why_job *job)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < job->past.count; i++) {
		const struct lw_past_event *event = &job->past.events[i];

		json_array_append_new(
			list,
			json_pack("{s:I, s:s, s:o, s:o, s:I}", "at_s", (json_int_t)event->at_s,
				  "event", kind_name(event->kind), "start_s",
				  event->then_s ? json_integer((json_int_t)event->then_s)
						: json_null(),
				  "cause",
				  event->cause && event->kind != LW_PAST_SOONER
					  ? json_string(causes[cause_of(event)].name)
					  : json_null(),
				  "times", (json_int_t)event->times));
	}
	return list;
}
