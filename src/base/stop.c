/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that agree to be stopped and to start again later: names, words and the file. */
#include "base/stop.h"

#include "base/duration.h"
#include "base/lookup.h"
#include "base/number.h"
#include "base/words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *lw_stop_state_name(enum lw_stop_state state)
{
	static const char *const names[] = {
#define LW_STOP_STATE(symbol, name, sentence) name,
#include "base/stop.def"
	};

	return names[state];
}

const char *lw_stop_answer_name(enum lw_stop_answer answer)
{
	static const char *const names[] = {
#define LW_STOP_ANSWER(symbol, name, sentence) name,
#include "base/stop.def"
	};

	return names[answer];
}

const char *lw_stop_answer_text(enum lw_stop_answer answer)
{
	static const char *const sentences[] = {
#define LW_STOP_ANSWER(symbol, name, sentence) sentence,
#include "base/stop.def"
	};

	return sentences[answer];
}

uint64_t lw_stop_kind_of(uint32_t user, const char *name)
{
	uint64_t kind = lw_hash_mix(LW_HASH_BEGIN, user);

	return name ? lw_hash_mix_bytes(kind, name, strlen(name)) : kind;
}

/* ---- which jobs agree ---- */

/* "leeway:stop=10m" in COMMENT: how often the job saves; what is no duration agrees to nothing.
 */
static bool stop_saves(const char *comment, int64_t *ret_saves_s)
{
	static const char prefix[] = LW_STOP_COMMENT_YES "=";
	const size_t prefix_len = sizeof(prefix) - 1;
	char text[32];

	while (comment && *comment) {
		size_t len = strcspn(comment, LW_WORDS_SEPARATORS);

		if (len > prefix_len && len - prefix_len < sizeof(text) &&
		    !memcmp(comment, prefix, prefix_len)) {
			snprintf(text, sizeof(text), "%.*s", (int)(len - prefix_len),
				 comment + prefix_len);
			return !lw_duration_parse(text, ret_saves_s) && *ret_saves_s > 0;
		}
		comment += len;
		comment += strspn(comment, LW_WORDS_SEPARATORS);
	}
	return false;
}

static bool stop_lists(const char *who, const char *what, const char *name)
{
	char word[256];

	return name && *name &&
	       snprintf(word, sizeof(word), "%s:%s", what, name) < (int)sizeof(word) &&
	       lw_words_has(who, word);
}

bool lw_stop_agrees(const struct lw_stop_terms *terms, int64_t *ret_saves_s)
{
	*ret_saves_s = 0;
	if (lw_words_has(terms->comment, LW_STOP_COMMENT_NO))
		return false;
	return stop_saves(terms->comment, ret_saves_s) ||
	       lw_words_has(terms->comment, LW_STOP_COMMENT_YES) ||
	       stop_lists(terms->who, "qos", terms->qos) ||
	       stop_lists(terms->who, "partition", terms->partition);
}

/* ---- the word ---- */

void lw_stop_word(const struct lw_stop *stop, char word[LW_STOP_WORD_MAX])
{
	int len = snprintf(word, LW_STOP_WORD_MAX,
			   LW_STOP_WORD_STOPPED "asked:%" PRId64 ",by:%" PRId64, stop->asked_s,
			   stop->due_s);

	if (stop->for_job)
		len += snprintf(word + len, LW_STOP_WORD_MAX - (size_t)len, ",for:%" PRIu32,
				stop->for_job);
	if (stop->moves)
		len += snprintf(word + len, LW_STOP_WORD_MAX - (size_t)len, ",moves:1");
	if (stop->back_s)
		snprintf(word + len, LW_STOP_WORD_MAX - (size_t)len, ",back:%" PRId64,
			 stop->back_s);
}

/* NAME and a number, at *AT; 0: they are not there. */
static uint64_t stop_take(const char **at, const char *name, uint64_t most)
{
	const char *end = *at;
	uint64_t value;

	if (strncmp(end, name, strlen(name)))
		return 0;
	end += strlen(name);
	if (!lw_number_take(&end, most, &value))
		return 0;
	*at = end;
	return value;
}

bool lw_stop_word_read(const char *comment, struct lw_stop *ret_stop)
{
	struct lw_stop stop = { .back_s = 0 };
	size_t len;
	const char *at = lw_words_find(comment, LW_STOP_WORD_STOPPED, &len);

	if (!at)
		return false;
	at += strlen(LW_STOP_WORD_STOPPED);
	stop.asked_s = (int64_t)stop_take(&at, "asked:", LW_STOP_TIME_MAX_S);
	stop.due_s = (int64_t)stop_take(&at, ",by:", LW_STOP_TIME_MAX_S);
	stop.for_job = (uint32_t)stop_take(&at, ",for:", UINT32_MAX);
	stop.moves = stop_take(&at, ",moves:", 1);
	stop.back_s = (int64_t)stop_take(&at, ",back:", LW_STOP_TIME_MAX_S);
	if (!stop.asked_s || !stop.due_s)
		return false;
	*ret_stop = stop;
	return true;
}

/* ---- the file ---- */

/* A file of an earlier Leeway lacks the last one, or the last three. */
enum { STOP_FIELDS = 18, STOP_FIELDS_EARLIER = 17, STOP_FIELDS_FIRST = 15, STOP_KIND_FIELDS = 4 };

/* From the FIRST to before the END-th, if there are more at *AT. */
static bool stop_take_more(const char **at, const uint64_t *most, uint32_t first, uint32_t end,
			   uint64_t *values)
{
	return !**at || lw_number_take_row(at, most + first, end - first, values + first);
}

static bool stop_parse_job(const char *at, struct lw_stop *ret_stop)
{
	static const uint64_t most[STOP_FIELDS] = {
		UINT32_MAX,         UINT32_MAX,         UINT64_MAX,
		LW_STOP_STATES - 1, LW_STOP_BY_REQUEUE, UINT32_MAX,
		UINT32_MAX,         LW_STOP_TIME_MAX_S, LW_STOP_TIME_MAX_S,
		LW_STOP_TIME_MAX_S, LW_STOP_TIME_MAX_S, LW_STOP_TIME_MAX_S,
		UINT32_MAX,         1,                  UINT32_MAX,
		LW_STOP_TIME_MAX_S, LW_STOP_TIME_MAX_S, 1,
	};
	uint64_t value[STOP_FIELDS] = { 0 };

	if (!lw_number_take_row(&at, most, STOP_FIELDS_FIRST, value) || !value[0] ||
	    !stop_take_more(&at, most, STOP_FIELDS_FIRST, STOP_FIELDS_EARLIER, value) ||
	    !stop_take_more(&at, most, STOP_FIELDS_EARLIER, STOP_FIELDS, value) || *at)
		return false;
	*ret_stop = (struct lw_stop){
		.job_id = (uint32_t)value[0],
		.user = (uint32_t)value[1],
		.kind = value[2],
		.state = (enum lw_stop_state)value[3],
		.way = (enum lw_stop_way)value[4],
		.nodes = (uint32_t)value[5],
		.restarts = (uint32_t)value[6],
		.asked_s = (int64_t)value[7],
		.deaf_s = (int64_t)value[8],
		.due_s = (int64_t)value[9],
		.back_s = (int64_t)value[10],
		.since_s = (int64_t)value[11],
		.stops = (uint32_t)value[12],
		.late = value[13],
		.for_job = (uint32_t)value[14],
		.expect_s = (int64_t)value[15],
		.saved_s = (int64_t)value[16],
		.moves = value[17],
	};
	return true;
}

static bool stop_parse_kind(const char *at, struct lw_stop_kind *ret_kind)
{
	static const uint64_t most[STOP_KIND_FIELDS] = { UINT32_MAX, UINT64_MAX,
							 LW_STOP_ANEW - LW_STOP_DEAF,
							 LW_STOP_TIME_MAX_S };
	uint64_t value[STOP_KIND_FIELDS];

	if (!lw_number_take_row(&at, most, STOP_KIND_FIELDS, value) || *at++ != ' ' ||
	    strlen(at) >= sizeof(ret_kind->name))
		return false;
	*ret_kind = (struct lw_stop_kind){ .user = (uint32_t)value[0],
					   .kind = value[1],
					   .why = LW_STOP_DEAF + (enum lw_stop_answer)value[2],
					   .at_s = (int64_t)value[3] };
	snprintf(ret_kind->name, sizeof(ret_kind->name), "%s", at);
	return true;
}

void lw_stop_print(const struct lw_stop *stop, struct lw_strbuf *out)
{
	lw_strbuf_add(out,
		      "job %" PRIu32 " %" PRIu32 " %" PRIu64 " %d %d %" PRIu32 " %" PRIu32
		      " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu32
		      " %d %" PRIu32 " %" PRId64 " %" PRId64 " %d\n",
		      stop->job_id, stop->user, stop->kind, (int)stop->state, (int)stop->way,
		      stop->nodes, stop->restarts, stop->asked_s, stop->deaf_s, stop->due_s,
		      stop->back_s, stop->since_s, stop->stops, stop->late, stop->for_job,
		      stop->expect_s, stop->saved_s, stop->moves);
}

void lw_stop_kind_print(const struct lw_stop_kind *kind, struct lw_strbuf *out)
{
	lw_strbuf_add(out, "kind %" PRIu32 " %" PRIu64 " %d %" PRId64 " %s\n", kind->user,
		      kind->kind, (int)(kind->why - LW_STOP_DEAF), kind->at_s, kind->name);
}

/* What was read so far, and what is wrong with the line that is read. */
struct stop_reader {
	const struct lw_stop_taker *taker;
	struct lw_stop last;
	struct lw_stop_kind last_kind;
	uint32_t jobs, kinds;
	const char *wrong;
};

static int stop_refuse(struct stop_reader *reader, const char *wrong)
{
	reader->wrong = wrong;
	return -EBADMSG;
}

static bool stop_kind_before(const struct lw_stop_kind *a, const struct lw_stop_kind *b)
{
	return a->user != b->user ? a->user < b->user : a->kind < b->kind;
}

static int stop_read_job(struct stop_reader *reader, const char *at)
{
	struct lw_stop stop;

	if (!stop_parse_job(at, &stop))
		return stop_refuse(reader, "a line is wrong");
	if (reader->kinds || (reader->jobs && stop.job_id <= reader->last.job_id))
		return stop_refuse(reader, "not in order");
	if (reader->jobs++ == LW_STOP_FILE_LINES)
		return stop_refuse(reader, "a job too many");
	reader->last = stop;
	return reader->taker->take(reader->taker->arg, &stop);
}

static int stop_read_kind(struct stop_reader *reader, const char *at)
{
	struct lw_stop_kind kind;

	if (!stop_parse_kind(at, &kind))
		return stop_refuse(reader, "a line is wrong");
	if (reader->kinds && !stop_kind_before(&reader->last_kind, &kind))
		return stop_refuse(reader, "not in order");
	if (reader->kinds++ == LW_STOP_FILE_LINES)
		return stop_refuse(reader, "a kind too many");
	reader->last_kind = kind;
	return reader->taker->take_kind(reader->taker->arg, &kind);
}

static int stop_read_line(struct stop_reader *reader, const char *line)
{
	if (!strncmp(line, "job", 3))
		return stop_read_job(reader, line + 3);
	if (!strncmp(line, "kind", 4))
		return stop_read_kind(reader, line + 4);
	return *line ? stop_refuse(reader, "a line is wrong") : 0;
}

int lw_stop_parse(char *text, size_t size, const char *path, const struct lw_stop_taker *taker,
		  struct lw_error *err)
{
	struct stop_reader reader = { .taker = taker, .wrong = "" };
	uint32_t number = 1; /* the header */
	char *rest = text, *line;
	int rc = 0;

	if (strlen(text) != size)
		return lw_error_set(err, -EBADMSG, "%s: a NUL byte in it", path);
	while (!rc && (line = strsep(&rest, "\n"))) {
		number++;
		rc = stop_read_line(&reader, line);
		if (rc == -EBADMSG)
			return lw_error_set(err, rc, "%s:%" PRIu32 ": %s: %.80s", path, number,
					    reader.wrong, line);
	}
	return rc;
}
