/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how far a running job says that it is, as one word in its Comment. */
#ifndef LW_BASE_PACE_H
#define LW_BASE_PACE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * "leeway:progress=1200/5000,at:1764162000,from:200,since:1764160000": step 1,200 of 5,000, at
 * that time; it was at step 200 at SINCE, in the same run. All but the first number may be left
 * out. The job's user writes it (leeway progress), so nothing in it is believed: see
 * lw_pace_end().
 */
#define LW_PACE_START    "leeway:progress="
#define LW_PACE_WORD_MAX 128
/* Exact as a real number. */
#define LW_PACE_STEP_MAX UINT64_C(1000000000000000)

struct lw_pace {
	uint64_t step, of;     /* of 0: it did not say */
	uint64_t from;         /* its step at since_s */
	int64_t at_s, since_s; /* since the epoch; 0: it did not say */
};

void lw_pace_word(const struct lw_pace *progress, char word[LW_PACE_WORD_MAX]);
/* Find and read it in COMMENT (may be NULL); false: there is none, or it is damaged. */
bool lw_pace_read(const char *comment, struct lw_pace *ret_progress);

/*
 * When the job, which started at START_S, ends if it goes on at the rate at which it came from
 * FROM to STEP. False: the word does not tell, or is not to be believed: it is of an earlier run
 * or of a time to come, covers less than a minute, is an hour old and older than what it covers,
 * or the job should have ended by NOW_S.
 */
bool lw_pace_end(const struct lw_pace *progress, int64_t start_s, int64_t now_s,
		 int64_t *ret_end_s);

/* Steps a second from FROM to STEP; 0: the word does not tell, or covers less than a minute. */
double lw_pace_rate(const struct lw_pace *progress);

#endif
