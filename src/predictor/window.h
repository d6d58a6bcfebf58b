/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the last run times of one kind of job, sorted, with sums for queries. */
#ifndef LW_PREDICTOR_WINDOW_H
#define LW_PREDICTOR_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Recency beats depth (Tsafrir, Etsion, Feitelson, TPDS 2007), and a small window bounds
 * memory and the cost of an insertion.
 */
#define LW_WINDOW_SAMPLES 64
/*
 * How many runs of one width are used for the next: users repeat what they did last, and even
 * two such runs say much (same source).
 */
#define LW_WINDOW_RECENT 6
/*
 * How many of the runs that ended this recently are used: a user that debugs a script, or works
 * through many tasks, submits what ran a moment ago.
 */
#define LW_WINDOW_FRESH	  3
#define LW_WINDOW_FRESH_S 3600
/* Wider jobs count as this wide. */
#define LW_WINDOW_WIDTH_MAX 0xffffff

struct lw_window_sample {
	int64_t end_s;	/* when the job ended */
	uint32_t run_s; /* its run time */
	uint32_t width : 24; /* its CPUs; 0: not known */
	uint32_t turn : 7;   /* 0: learned first of the samples in the window, then 1, 2, ... */
	uint32_t cut : 1;    /* censored: the job would have run longer than run_s */
};

/*
 * Sorted by run time, uncensored first among equals, then by turn. alive[i] is how many samples
 * count as longer than the first i: a censored sample passes its weight on to the longer ones in
 * equal parts ("redistribution to the right", Efron 1967). So alive[] / count is the estimator
 * of Kaplan and Meier (JASA 1958), and plain counts if nothing is censored. The rest at
 * alive[count], the tail, ran longer than any sample.
 */
struct lw_window {
	uint32_t count;
	struct lw_window_sample samples[LW_WINDOW_SAMPLES];
	double alive[LW_WINDOW_SAMPLES + 1];
	double area[LW_WINDOW_SAMPLES + 1]; /* of alive from sample i to the last one, seconds */
};

/*
 * Add SAMPLE as the newest, whatever its turn. A full window drops its oldest. O(samples). A
 * zeroed window is empty.
 */
void lw_window_add(struct lw_window *window, const struct lw_window_sample *sample);

/* What WINDOW would be if only the jobs that ended by AT_S had been learned. O(samples). */
void lw_window_at(const struct lw_window *window, int64_t at_s, struct lw_window *ret_window);

/*
 * The LW_WINDOW_RECENT newest samples of WINDOW with width WIDTH, at most LW_WINDOW_WIDTH_MAX;
 * none for width 0. O(samples).
 */
void lw_window_recent(const struct lw_window *window, uint32_t width,
		      struct lw_window *ret_window);

/*
 * The LW_WINDOW_FRESH newest samples of WINDOW that ended in the last LW_WINDOW_FRESH_S before
 * NOW_S. O(samples).
 */
void lw_window_fresh(const struct lw_window *window, int64_t now_s,
		     struct lw_window *ret_window);

/* The sample of that turn; NULL if there are fewer. O(samples). */
const struct lw_window_sample *lw_window_turn(const struct lw_window *window, uint32_t turn);

/* The longest time in the window, 0 if it is empty. */
double lw_window_last(const struct lw_window *window);
/* How many samples count as longer than AT; the tail once AT reaches the last. O(log samples). */
double lw_window_alive(const struct lw_window *window, double at);
/* The integral of lw_window_alive from FROM to the last sample, 0 beyond it. O(log samples). */
double lw_window_area(const struct lw_window *window, double from);

#endif
