/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what became of a job while it waited, as one word in its AdminComment. */
#include "base/past.h"

#include "base/items.h"
#include "base/number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CAUSES "neabpxtcdorl"

/* ---- what is noted ---- */

static bool past_is_again(const struct lw_past_event *last, const struct lw_past_event *event)
{
	return last->kind == event->kind && last->cause == event->cause &&
	       (lw_past_is_move(event) || event->kind == LW_PAST_REFUSED);
}

/* The oldest move goes, or else the oldest refusal or loss; the first plan and promises stay. */
static void past_make_room(struct lw_past *past)
{
	uint32_t at = 0;

	while (at < past->count && !lw_past_is_move(&past->events[at]))
		at++;
	for (uint32_t i = 0; at == past->count && i < past->count; i++)
		if (past->events[i].kind == LW_PAST_REFUSED ||
		    past->events[i].kind == LW_PAST_NO_START)
			at = i;
	if (at == past->count)
		at = 1;
	past->left_out += past->events[at].times ? past->events[at].times : 1;
	past->count--;
	memmove(&past->events[at], &past->events[at + 1],
		(past->count - at) * sizeof(*past->events));
}

static void past_put(struct lw_past *past, struct lw_past_event event)
{
	struct lw_past_event *last = past->count ? &past->events[past->count - 1] : NULL;

	event.times = 1;
	if (last && past_is_again(last, &event)) {
		event.times = last->times + 1;
		*last = event;
		return;
	}
	if (past->count == LW_PAST_EVENTS)
		past_make_room(past);
	past->events[past->count++] = event;
}

void lw_past_add(struct lw_past *past, enum lw_past_kind kind, int64_t at_s, char cause)
{
	past_put(past,
		 (struct lw_past_event){ .at_s = at_s, .kind = (char)kind, .cause = cause });
}

/* The last event of KIND, or of any move if KIND is LW_PAST_PLANNED; NULL: none. */
static const struct lw_past_event *past_last(const struct lw_past *past, enum lw_past_kind kind)
{
	for (uint32_t i = past->count; i-- > 0;)
		if (past->events[i].kind == (char)kind ||
		    (kind == LW_PAST_PLANNED && lw_past_is_move(&past->events[i])))
			return &past->events[i];
	return NULL;
}

bool lw_past_has_start(const struct lw_past *past, int64_t start_s)
{
	const struct lw_past_event *start = past_last(past, LW_PAST_STARTED);

	return start && start->at_s >= start_s;
}

/* Its nodes are down: no plan has a start of it. */
static bool past_waits_for_repair(const struct lw_statement *said)
{
	return strcmp(said->reason, "nodes-down") == 0;
}

/* Are nodes that it needs gone, or were they, when it was spoken of last? */
static bool past_lacks_nodes(const struct lw_statement *was, const struct lw_statement *news,
			     const struct lw_past_facts *facts)
{
	return facts->nodes_gone || news->unkept == LW_UNKEPT_NODES || past_waits_for_repair(was);
}

static void past_note_no_start(struct lw_past *past, const struct lw_statement *news)
{
	if (past_waits_for_repair(news) && past_last(past, LW_PAST_PLANNED) &&
	    past->events[past->count - 1].kind != LW_PAST_NO_START)
		lw_past_add(past, LW_PAST_NO_START, news->at_s, LW_PAST_NODES);
}

/* What is likely, if nothing is certain. */
static char past_likely_cause(const struct lw_statement *was, const struct lw_statement *news,
			      const struct lw_past_facts *facts)
{
	/* cleaning up is counted with a minute from now on */
	if (facts->cleaned && news->planned_s <= news->at_s + 2 * LW_PAST_MOVE_S)
		return LW_PAST_CLEANED;
	if ((news->before || news->head) && !news->after)
		return LW_PAST_BEHIND;
	if (news->after && was->after && news->after != was->after)
		return LW_PAST_OTHER;
	return strcmp(news->reason, "accepted") == 0 ? LW_PAST_DEADLINE : LW_PAST_CAUSE;
}

/*
 * Why is the planned start later? What is certain goes before what is likely. Where no running
 * job makes the room by its end, jobs that are planned before it do.
 */
static char past_cause(const struct lw_statement *was, const struct lw_statement *news,
		       const struct lw_past_facts *facts)
{
	if (past_lacks_nodes(was, news, facts))
		return LW_PAST_NODES;
	if (strcmp(news->reason, "refused") == 0)
		return LW_PAST_RETRY;
	if (*news->faster.name)
		return LW_PAST_TYPE;
	if (facts->longer)
		return LW_PAST_LONGER;
	if (facts->taken || news->before > was->before)
		return LW_PAST_BEFORE;
	return past_likely_cause(was, news, facts);
}

/* The plan that NEWS is compared with; NULL: it is the first since the job came to the queue. */
static const struct lw_past_event *past_plan(const struct lw_past *past,
					     const struct lw_statement *news,
					     const struct lw_past_facts *facts)
{
	const struct lw_past_event *last = past_last(past, LW_PAST_PLANNED);

	return last && facts->queued_s > last->at_s && facts->queued_s <= news->at_s ? NULL
										     : last;
}

static void past_note_plan(struct lw_past *past, const struct lw_statement *was,
			   const struct lw_statement *news, const struct lw_past_facts *facts)
{
	const struct lw_past_event *last = past_plan(past, news, facts);
	struct lw_past_event event = { .at_s = news->at_s,
				       .then_s = news->planned_s,
				       .kind = LW_PAST_PLANNED };

	if (!news->planned_s)
		past_note_no_start(past, news);
	else if (!last)
		past_put(past, event);
	else if (news->planned_s > last->then_s + LW_PAST_MOVE_S) {
		event.kind = LW_PAST_LATER;
		event.cause = past_cause(was, news, facts);
		past_put(past, event);
	} else if (news->planned_s < last->then_s - LW_PAST_MOVE_S) {
		event.kind = LW_PAST_SOONER;
		event.cause = LW_PAST_CAUSE;
		past_put(past, event);
	}
}

/* A promise is noted when it is made, and when it is withdrawn. */
static void past_note_promise(struct lw_past *past, const struct lw_statement *news)
{
	const struct lw_past_event *made = past_last(past, LW_PAST_PROMISED);
	const struct lw_past_event *lost = past_last(past, LW_PAST_LOST);
	bool stands = made && (!lost || lost < made);

	if (news->latest_s && (!stands || made->then_s != news->latest_s))
		past_put(past, (struct lw_past_event){ .at_s = news->at_s,
						       .then_s = news->latest_s,
						       .kind = LW_PAST_PROMISED });
	else if (!news->latest_s && stands)
		lw_past_add(past, LW_PAST_LOST, news->at_s, 0);
}

void lw_past_note(struct lw_past *past, const struct lw_statement *was,
		  const struct lw_statement *news, const struct lw_past_facts *facts)
{
	past_note_plan(past, was, news, facts);
	past_note_promise(past, news);
}

/* ---- as a word ---- */

static bool past_has_then(char kind)
{
	return kind && strchr("plse", kind);
}

/* Times are written as seconds after the first event; none is before it. */
static int64_t past_after(int64_t at_s, int64_t from_s)
{
	return at_s > from_s ? at_s - from_s : 0;
}

static int past_item(const struct lw_past_event *event, int64_t from_s, char item[80])
{
	int n = snprintf(item, 80, ",%c:%" PRId64, event->kind, past_after(event->at_s, from_s));

	if (past_has_then(event->kind))
		n += snprintf(item + n, 80 - (size_t)n, "-%" PRId64,
			      past_after(event->then_s, from_s));
	if (event->cause)
		n += snprintf(item + n, 80 - (size_t)n, "-%c", event->cause);
	if (event->cause && event->times > 1)
		n += snprintf(item + n, 80 - (size_t)n, "-%" PRIu32, event->times);
	return n;
}

void lw_past_encode(const struct lw_past *past, char word[LW_PAST_MAX])
{
	size_t len;

	*word = '\0';
	if (!past->count)
		return;
	len = (size_t)snprintf(word, LW_PAST_MAX, LW_PAST_START "v:%d,t:%" PRId64,
			       LW_PAST_VERSION, past->events[0].at_s);
	if (past->left_out)
		len += (size_t)snprintf(word + len, LW_PAST_MAX - len, ",d:%" PRIu32,
					past->left_out);
	for (uint32_t i = 0; i < past->count; i++) {
		char item[80];
		int n = past_item(&past->events[i], past->events[0].at_s, item);

		/* an event that has no room is left out as a whole */
		if (len + (size_t)n >= LW_PAST_MAX)
			return;
		memcpy(word + len, item, (size_t)n + 1);
		len += (size_t)n;
	}
}

/* Cut the next dash-separated part off *AT; "" if there is none. */
static const char *past_part(char **at)
{
	const char *part = strsep(at, "-");

	return part ? part : "";
}

static bool past_take_time(char **at, int64_t from_s, int64_t *ret_s)
{
	uint64_t after_s;

	if (!lw_number_read(past_part(at), UINT32_MAX, &after_s))
		return false;
	*ret_s = from_s + (int64_t)after_s;
	return true;
}

/* What stands behind the times: a cause, and how often. */
static bool past_take_rest(char *at, struct lw_past_event *event)
{
	const char *cause = past_part(&at);
	uint64_t times = 1;

	if (strlen(cause) > 1 || (*cause && !strchr(CAUSES, *cause)) ||
	    (at && !lw_number_read(at, UINT32_MAX, &times)))
		return false;
	event->cause = *cause;
	event->times = (uint32_t)times;
	return true;
}

static bool past_take_event(char kind, char *value, int64_t from_s, struct lw_past *past)
{
	struct lw_past_event event = { .kind = kind };

	if (!from_s || past->count == LW_PAST_EVENTS ||
	    !past_take_time(&value, from_s, &event.at_s) ||
	    (past_has_then(kind) && !past_take_time(&value, from_s, &event.then_s)) ||
	    !past_take_rest(value, &event))
		return false;
	past->events[past->count++] = event;
	return true;
}

/* One item; those of later Leeways are passed over. */
static bool past_take_item(const char *key, char *value, int64_t *from_s, struct lw_past *past)
{
	uint64_t number;

	if (!*key || key[1])
		return true;
	if (strchr("plwsexgu", *key))
		return past_take_event(*key, value, *from_s, past);
	if (*key != 't' && *key != 'd')
		return true;
	if (!lw_number_read(value, UINT32_MAX, &number))
		return false;
	if (*key == 't')
		*from_s = (int64_t)number;
	else
		past->left_out = (uint32_t)number;
	return true;
}

int lw_past_decode(const char *comment, struct lw_past *ret_past)
{
	struct lw_past past = { 0 };
	char word[LW_PAST_MAX], *rest = word, *item, *value;
	int64_t from_s = 0;
	int rc = lw_items_read(comment, LW_PAST_START, word, sizeof(word));

	if (rc)
		return rc;
	while ((item = lw_items_next(&rest, &value)))
		if (!value || !past_take_item(item, value, &from_s, &past))
			return -EINVAL;
	if (!past.count)
		return -EINVAL;
	*ret_past = past;
	return 0;
}
