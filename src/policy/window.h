/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the last run times of one kind of job, sorted, with what a query needs summed up. */
#ifndef LW_POLICY_WINDOW_H
#define LW_POLICY_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Recency beats depth (Tsafrir, Etsion, Feitelson, TPDS 2007), and a small window bounds
 * memory and the cost of an insertion.
 */
#define LW_WINDOW_SAMPLES 64

struct lw_window_sample {
	int64_t end_s;	/* when the job ended */
	uint32_t run_s; /* how long it ran */
	uint32_t turn;	/* insertions into the window before this one */
	bool cut;	/* censored: the job would have run longer than run_s */
};

/*
 * Sorted by run time, uncensored first among equals, then by turn. alive[i] is how many
 * samples count as longer than the first i: a censored one hands its weight on to the
 * longer ones in equal parts ("redistribution to the right", Efron 1967), so alive[] / count
 * is the estimator of Kaplan and Meier (JASA 1958), and plain counts where nothing is
 * censored. What is left at alive[count], the tail, ran longer than anything seen.
 */
struct lw_window {
	uint32_t count;
	uint32_t turns; /* insertions so far */
	struct lw_window_sample samples[LW_WINDOW_SAMPLES];
	double alive[LW_WINDOW_SAMPLES + 1];
	double area[LW_WINDOW_SAMPLES + 1]; /* of alive from sample i to the last one, seconds */
};

/*
 * Put SAMPLE in; its turn is set here. A full window lets its oldest go. O(samples). A zeroed
 * window is empty.
 */
void lw_window_add(struct lw_window *window, const struct lw_window_sample *sample);

/* Build the sums of a window whose samples were put in by hand, sorted. O(samples). */
void lw_window_sum(struct lw_window *window);

/* Does A stand before B? The order of samples[]. */
bool lw_window_before(const struct lw_window_sample *a, const struct lw_window_sample *b);

/* The longest time in the window, 0 when it is empty. */
double lw_window_last(const struct lw_window *window);
/* How many samples count as longer than AT; the tail once AT reaches the last. O(log samples). */
double lw_window_alive(const struct lw_window *window, double at);
/* The integral of lw_window_alive from FROM to the last sample, 0 beyond it. O(log samples). */
double lw_window_area(const struct lw_window *window, double from);

#endif
