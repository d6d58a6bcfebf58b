/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how far a running job says that it is, as one word in its Comment. */
#include "base/pace.h"

#include "base/number.h"
#include "base/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TIME_MAX_S INT64_C(1000000000000)
/* Clocks differ by less. */
#define SKEW_S 60
/* A shorter time says little of a rate. */
#define LEAST_S 60
/* For so long a word is believed in any case. */
#define FRESH_S 3600
/* Nothing ends later. */
#define FAR_S 1e9

void lw_pace_word(const struct lw_pace *progress, char word[LW_PACE_WORD_MAX])
{
	char of[24] = "";

	if (progress->of)
		snprintf(of, sizeof(of), "/%" PRIu64, progress->of);
	snprintf(word, LW_PACE_WORD_MAX,
		 LW_PACE_START "%" PRIu64 "%s,at:%" PRId64 ",from:%" PRIu64 ",since:%" PRId64,
		 progress->step, of, progress->at_s, progress->from, progress->since_s);
}

/* NAME and a number, if they are at *AT; false: NAME is there, and no number. */
static bool pace_take(const char **at, const char *name, uint64_t most, uint64_t *ret_value)
{
	size_t len = strlen(name);

	*ret_value = 0;
	if (strncmp(*at, name, len))
		return true;
	*at += len;
	return lw_number_take(at, most, ret_value);
}

bool lw_pace_read(const char *comment, struct lw_pace *ret_progress)
{
	struct lw_pace progress = { 0 };
	size_t len = 0;
	const char *word = lw_words_find(comment, LW_PACE_START, &len), *at = word;
	uint64_t at_s, since_s;

	if (!word || !pace_take(&at, LW_PACE_START, LW_PACE_STEP_MAX, &progress.step) ||
	    !pace_take(&at, "/", LW_PACE_STEP_MAX, &progress.of) ||
	    !pace_take(&at, ",at:", TIME_MAX_S, &at_s) ||
	    !pace_take(&at, ",from:", LW_PACE_STEP_MAX, &progress.from) ||
	    !pace_take(&at, ",since:", TIME_MAX_S, &since_s) || at != word + len)
		return false;
	progress.at_s = (int64_t)at_s;
	progress.since_s = (int64_t)since_s;
	*ret_progress = progress;
	return true;
}

static bool pace_is_believed(const struct lw_pace *progress, int64_t start_s, int64_t now_s)
{
	int64_t ran_s = progress->at_s - progress->since_s;
	int64_t age_s = now_s - progress->at_s;

	return progress->since_s >= start_s - SKEW_S && ran_s >= LEAST_S && age_s >= -SKEW_S &&
	       (age_s <= FRESH_S || age_s <= ran_s) && progress->step > progress->from &&
	       progress->of >= progress->step;
}

bool lw_pace_end(const struct lw_pace *progress, int64_t start_s, int64_t now_s,
		 int64_t *ret_end_s)
{
	double left_s;
	int64_t end_s;

	if (!pace_is_believed(progress, start_s, now_s))
		return false;
	left_s = (double)(progress->at_s - progress->since_s) *
		 (double)(progress->of - progress->step) /
		 (double)(progress->step - progress->from);
	end_s = progress->at_s + (int64_t)(left_s < FAR_S ? left_s : FAR_S);
	if (end_s <= now_s)
		return false;
	*ret_end_s = end_s;
	return true;
}

double lw_pace_rate(const struct lw_pace *progress)
{
	int64_t ran_s = progress->at_s - progress->since_s;

	if (!progress->since_s || ran_s < LEAST_S || progress->step <= progress->from)
		return 0;
	return (double)(progress->step - progress->from) / (double)ran_s;
}
