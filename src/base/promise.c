/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what becomes of a promised start: one definition for all code that counts. */
#include "base/promise.h"

#include "base/number.h"
#include "base/savefile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* As many numbers as a line has at most. */
#define FIELDS_MAX 8

enum lw_promise_end lw_promise_judge(int64_t start_s, int64_t latest_s, int64_t started_s)
{
	if (started_s > latest_s + LW_PROMISE_GRACE_S)
		return LW_PROMISE_BROKEN;
	return started_s > start_s + LW_PROMISE_GRACE_S ? LW_PROMISE_LATER : LW_PROMISE_KEPT;
}

int64_t lw_promise_late_s(int64_t latest_s, int64_t started_s)
{
	return started_s > latest_s + LW_PROMISE_GRACE_S ? started_s - latest_s : 0;
}

void lw_promise_count(struct lw_promise_totals *totals, enum lw_promise_end end, int64_t late_s)
{
	switch (end) {
	case LW_PROMISE_LATER:
		totals->later++;
		totals->kept++;
		break;
	case LW_PROMISE_KEPT:
		totals->kept++;
		break;
	case LW_PROMISE_BROKEN:
		totals->broken++;
		totals->late_s += late_s;
		if (totals->late_s > LW_PROMISE_TOTAL_MAX)
			totals->late_s = LW_PROMISE_TOTAL_MAX;
		break;
	case LW_PROMISE_CANCELLED:
		totals->cancelled++;
		break;
	case LW_PROMISE_HELD:
		totals->held++;
		break;
	case LW_PROMISE_LOST:
		totals->lost++;
		break;
	}
}

uint64_t lw_promise_withdrawn(const struct lw_promise_totals *totals)
{
	return totals->cancelled + totals->held + totals->lost;
}

const char *lw_promise_end_text(enum lw_promise_end end)
{
	static const char *const texts[] = {
		[LW_PROMISE_KEPT] = "kept",
		[LW_PROMISE_LATER] = "kept, later than shown",
		[LW_PROMISE_BROKEN] = "broken",
		[LW_PROMISE_CANCELLED] = "withdrawn: the job was cancelled before it started",
		[LW_PROMISE_HELD] = "withdrawn: the job is held, or waits for something other "
				    "than room",
		[LW_PROMISE_LOST] = "withdrawn: nodes that it counted on are gone",
	};

	return texts[end];
}

/* Take WORD off the front of *line, if it comes next. */
static bool promise_take_word(const char **line, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*line, word, len) != 0)
		return false;
	*line += len;
	return true;
}

/* The numbers of LINE, each behind one blank; -EBADMSG if there is anything else. */
static int promise_take_numbers(const char *line, int64_t *numbers, uint32_t *ret_count)
{
	uint32_t count = 0;

	while (*line) {
		if (count == FIELDS_MAX || !promise_take_word(&line, " ") ||
		    !lw_number_take_signed(&line, -LW_PROMISE_TIME_MAX_S, LW_PROMISE_TOTAL_MAX,
					   &numbers[count++]))
			return -EBADMSG;
	}
	*ret_count = count;
	return 0;
}

/* Version 1 does not say how many were kept later, and why others were withdrawn. */
static int promise_parse_totals(const char *line, struct lw_promise_totals *ret_totals)
{
	int64_t n[FIELDS_MAX];
	uint32_t count;

	if (promise_take_numbers(line, n, &count) || (count != 5 && count != 8))
		return -EBADMSG;
	for (uint32_t i = 0; i < count; i++) {
		if (n[i] < 0)
			return -EBADMSG;
	}
	*ret_totals =
		(struct lw_promise_totals){ .made = (uint64_t)n[0], .kept = (uint64_t)n[1] };
	if (count == 5) {
		ret_totals->broken = (uint64_t)n[2];
		ret_totals->held = (uint64_t)n[3];
		ret_totals->late_s = n[4];
		return 0;
	}
	ret_totals->later = (uint64_t)n[2];
	ret_totals->broken = (uint64_t)n[3];
	ret_totals->cancelled = (uint64_t)n[4];
	ret_totals->held = (uint64_t)n[5];
	ret_totals->lost = (uint64_t)n[6];
	ret_totals->late_s = n[7];
	return 0;
}

static int promise_parse_job(const char *line, struct lw_promise *ret_promise)
{
	int64_t n[FIELDS_MAX];
	uint32_t count;

	if (promise_take_numbers(line, n, &count) || (count != 4 && count != 5) || n[0] < 0 ||
	    n[0] > UINT32_MAX)
		return -EBADMSG;
	for (uint32_t i = 1; i < 4; i++) {
		if (n[i] > LW_PROMISE_TIME_MAX_S)
			return -EBADMSG;
	}
	*ret_promise = (struct lw_promise){
		.job_id = (uint32_t)n[0], .made_s = n[1], .start_s = n[2], .latest_s = n[3]
	};
	if (count == 4)
		return 0;
	if (n[4] < 0 || n[4] > UINT32_MAX)
		return -EBADMSG;
	ret_promise->nodes = (uint32_t)n[4];
	return 0;
}

/* The first line is the totals, and no other is. */
static int promise_parse_line(const char *line, unsigned number,
			      const struct lw_promise_taker *taker,
			      struct lw_promise_totals *ret_totals)
{
	struct lw_promise promise;

	if (promise_take_word(&line, "totals"))
		return number == 1 ? promise_parse_totals(line, ret_totals) : -EBADMSG;
	if (!promise_take_word(&line, "job") || promise_parse_job(line, &promise))
		return -EBADMSG;
	return taker->take(taker->arg, &promise);
}

int lw_promise_parse(char *text, size_t size, const char *path,
		     const struct lw_promise_taker *taker, struct lw_promise_totals *ret_totals,
		     struct lw_error *err)
{
	struct lw_promise_totals totals = { 0 };
	char *rest = text, *line;
	unsigned number = 0;

	if (memchr(text, '\0', size))
		return lw_error_set(err, -EBADMSG, "%s: a NUL byte in the payload", path);
	while ((line = strsep(&rest, "\n"))) {
		int rc;

		number++;
		if (!*line)
			continue;
		rc = promise_parse_line(line, number, taker, &totals);
		if (rc)
			return lw_error_set(err, rc == -ENOMEM ? rc : -EBADMSG,
					    "%s: line %u of the payload is not a promise", path,
					    number);
	}
	*ret_totals = totals;
	return 0;
}

void lw_promise_print_totals(const struct lw_promise_totals *totals, struct lw_strbuf *out)
{
	lw_strbuf_add(out,
		      "totals %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		      " %" PRIu64 " %" PRIu64 " %" PRId64 "\n",
		      totals->made, totals->kept, totals->later, totals->broken,
		      totals->cancelled, totals->held, totals->lost, totals->late_s);
}

void lw_promise_print(const struct lw_promise *promise, struct lw_strbuf *out)
{
	lw_strbuf_add(out, "job %" PRIu32 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu32 "\n",
		      promise->job_id, promise->made_s, promise->start_s, promise->latest_s,
		      promise->nodes);
}

static int promise_count_open(void *arg, const struct lw_promise *promise)
{
	uint32_t *open = arg;

	(void)promise;
	++*open;
	return 0;
}

int lw_promise_read(const char *path, const struct lw_promise_taker *taker,
		    struct lw_promise_totals *ret_totals, struct lw_error *err)
{
	char *text;
	size_t size;
	int rc = lw_savefile_read(path, LW_PROMISE_FILE_KIND, LW_PROMISE_FILE_VERSION, &text,
				  &size, err);

	if (rc)
		return rc;
	rc = lw_promise_parse(text, size, path, taker, ret_totals, err);
	free(text);
	return rc;
}

int lw_promise_read_totals(const char *path, struct lw_promise_totals *ret_totals,
			   uint32_t *ret_open, struct lw_error *err)
{
	uint32_t open = 0;
	const struct lw_promise_taker taker = { promise_count_open, &open };
	int rc = lw_promise_read(path, &taker, ret_totals, err);

	if (!rc)
		*ret_open = open;
	return rc;
}
