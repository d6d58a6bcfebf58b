/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how long a job is likely to wait, learned from jobs that started; pure. */
#ifndef LW_PREDICTOR_OUTLOOK_H
#define LW_PREDICTOR_OUTLOOK_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A waiting job is a case: the work ahead of it, or the time to its promised start; how long it
 * has waited; how wide it is. The remaining wait is learned from like cases: a histogram, with
 * fading, in which more general histograms have weight if a case is rare, as in the predictor of
 * run times (predict.h). A quantile of it is then taken at a level that is moved after each
 * start, by queue length, so that the share of starts before p50 and p90 stays 50 % and 90 %
 * whatever the histograms are worth (Gibbs, Candes, Adaptive conformal inference under
 * distribution shift, NeurIPS 2021). The level begins wide: the first lessons are from jobs that
 * waited least.
 *
 * Whole numbers, no clock and no file; about 90 KiB.
 */

#define LW_OUTLOOK_KINDS   2 /* not promised a start, promised */
#define LW_OUTLOOK_BASES   16
#define LW_OUTLOOK_AGES    5
#define LW_OUTLOOK_WIDTHS  3
#define LW_OUTLOOK_BINS    40
#define LW_OUTLOOK_QUEUES  5  /* up to 4, 16, 64, 256 jobs wait, and more */
#define LW_OUTLOOK_DAYS    30 /* how far back it is told how figures held */
#define LW_OUTLOOK_LEARNED 20 /* starts before anything is said */

/* What is known of a job that waits. */
struct lw_outlook_case {
	int64_t base_s; /* work ahead of it, as time of the whole machine; or the time to its
			 * latest start */
	bool promised;
	int64_t age_s;  /* how long it has waited */
	double share;   /* of the machine that it asks for */
	uint32_t queue; /* waiting jobs */
};

/* What was said of a case, in 24 bytes. Times are remaining waits from at_s on, up to 2106. */
struct lw_outlook_sample {
	uint32_t at_s;
	uint32_t low_s, p50_s, p90_s; /* one of ten, half, nine of ten jobs wait no longer */
	uint8_t kind, base, age, width, queue;
	bool known;                  /* enough was learned to publish the figures */
	bool missed_p50, missed_p90; /* the job still waited then, and that is learned */
};

struct lw_outlook_hist {
	uint32_t sum;
	uint16_t bins[LW_OUTLOOK_BINS];
};

/* How often figures held on one day, by queue length. */
struct lw_outlook_day {
	int64_t day; /* since the epoch */
	uint32_t count[LW_OUTLOOK_QUEUES], by_p50[LW_OUTLOOK_QUEUES], by_p90[LW_OUTLOOK_QUEUES];
};

struct lw_outlook {
	struct lw_outlook_hist hist[LW_OUTLOOK_KINDS][LW_OUTLOOK_BASES][LW_OUTLOOK_AGES]
				   [LW_OUTLOOK_WIDTHS];
	struct lw_outlook_hist by_base[LW_OUTLOOK_KINDS][LW_OUTLOOK_BASES][LW_OUTLOOK_AGES];
	struct lw_outlook_hist by_age[LW_OUTLOOK_AGES], all;
	int32_t p50_ppm[LW_OUTLOOK_QUEUES], p90_ppm[LW_OUTLOOK_QUEUES]; /* their factors */
	uint64_t judged[LW_OUTLOOK_QUEUES];                             /* figures published */
	struct lw_outlook_day days[LW_OUTLOOK_DAYS];
	uint64_t learned; /* starts */
};

/* How often figures held in the last LW_OUTLOOK_DAYS. */
struct lw_outlook_held {
	uint32_t count, by_p50, by_p90;
};

void lw_outlook_init(struct lw_outlook *outlook);

/* The likely wait of JOB, seen at NOW_S. */
struct lw_outlook_sample lw_outlook_say(const struct lw_outlook *outlook,
					const struct lw_outlook_case *job, int64_t now_s);
/*
 * A job with SAMPLE waits at NOW_S: if that is later than was said, it is learned at once, long
 * before the job starts.
 */
void lw_outlook_waits(struct lw_outlook *outlook, struct lw_outlook_sample *sample,
		      int64_t now_s);
/* A job with SAMPLE has started at START_S. */
void lw_outlook_learn(struct lw_outlook *outlook, const struct lw_outlook_sample *sample,
		      int64_t start_s);

/*
 * At which ages a figure is renewed: at 0, and at some later ages. Returns how many of these a
 * job that has waited AGE_S has reached, 1 to LW_OUTLOOK_AGES.
 */
uint32_t lw_outlook_stage(int64_t age_s);
/* The age in seconds of number NUMBER, 0 .. LW_OUTLOOK_AGES - 1, of them. */
int64_t lw_outlook_age_s(uint32_t number);

/* For queues of length QUEUE, up to the day of NOW_S. */
struct lw_outlook_held lw_outlook_held(const struct lw_outlook *outlook, uint32_t queue,
				       int64_t now_s);
/*
 * The class of queues of that length, 0 .. LW_OUTLOOK_QUEUES - 1; and the upper end of a class,
 * or 0.
 */
uint32_t lw_outlook_queue(uint32_t queue);
uint32_t lw_outlook_queue_end(uint32_t number);

/* Is LOW_S to P90_S too wide to be of use? */
bool lw_outlook_is_wide(int64_t low_s, int64_t p90_s);

#define LW_OUTLOOK_FILE_KIND    "outlook"
#define LW_OUTLOOK_FILE_VERSION 1

/* The payload of a save file: a line for each histogram that is not empty. */
void lw_outlook_print(const struct lw_outlook *outlook, struct lw_strbuf *out);
/*
 * Read it back; TEXT is cut into pieces. -EBADMSG with ERR, and OUTLOOK is then as after init.
 */
int lw_outlook_parse(struct lw_outlook *outlook, char *text, size_t size, const char *path,
		     struct lw_error *err);

#endif
