/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the last run times of one kind of job, sorted, with sums for queries. */
#include "predictor/window.h"

#include "base/search.h"

#include <stddef.h>

/* Does A stand before B? */
static bool window_comes_before(const struct lw_window_sample *a,
				const struct lw_window_sample *b)
{
	if (a->run_s != b->run_s)
		return a->run_s < b->run_s;
	/* at the same time events come first: the censored job was still at risk */
	if (a->cut != b->cut)
		return b->cut;
	return a->turn < b->turn;
}

static void window_drop_oldest(struct lw_window *window)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < window->count; i++) {
		if (!window->samples[i].turn)
			continue;
		window->samples[kept] = window->samples[i];
		window->samples[kept++].turn--;
	}
	window->count = kept;
}

static void window_sum_alive(struct lw_window *window)
{
	double weight = 1; /* of every sample still alive */

	window->alive[0] = window->count;
	for (uint32_t i = 0; i < window->count; i++) {
		uint32_t longer = window->count - i - 1;
		bool cut = window->samples[i].cut;

		if (cut && longer)
			weight *= (double)(longer + 1) / longer;
		/*
		 * the last one has no longer sample to pass its weight to: it stays as the tail
		 */
		window->alive[i + 1] = cut && !longer ? weight : weight * longer;
	}
}

static void window_sum_area(struct lw_window *window)
{
	window->area[window->count] = 0;
	if (!window->count)
		return;
	window->area[window->count - 1] = 0;
	for (uint32_t i = window->count - 1; i-- > 0;)
		window->area[i] = window->area[i + 1] +
				  window->alive[i + 1] * (window->samples[i + 1].run_s -
							  window->samples[i].run_s);
}

void lw_window_add(struct lw_window *window, const struct lw_window_sample *sample)
{
	struct lw_window_sample added = *sample;
	uint32_t at;

	if (window->count == LW_WINDOW_SAMPLES)
		window_drop_oldest(window);
	at = window->count;
	added.turn = at & 0x7f;
	while (at && window_comes_before(&added, &window->samples[at - 1])) {
		window->samples[at] = window->samples[at - 1];
		at--;
	}
	window->samples[at] = added;
	window->count++;
	window_sum_alive(window);
	window_sum_area(window);
}

void lw_window_at(const struct lw_window *window, int64_t at_s, struct lw_window *ret_window)
{
	ret_window->count = 0;
	for (uint32_t i = 0; i < window->count; i++)
		if (window->samples[i].end_s <= at_s)
			ret_window->samples[ret_window->count++] = window->samples[i];
	window_sum_alive(ret_window);
	window_sum_area(ret_window);
}

/* Keep the MOST newest samples of WINDOW with their bit, by turn, in CLASS_QUEUE. */
static void window_pick(const struct lw_window *window, uint64_t class_queue, uint32_t most,
			struct lw_window *ret_window)
{
	uint32_t first = LW_WINDOW_SAMPLES, found = 0;

	while (first && found < most)
		found += class_queue >> --first & 1;
	ret_window->count = 0;
	for (uint32_t i = 0; class_queue && i < window->count; i++) {
		uint32_t turn = window->samples[i].turn;

		if (turn >= first && class_queue >> turn & 1)
			ret_window->samples[ret_window->count++] = window->samples[i];
	}
	window_sum_alive(ret_window);
	window_sum_area(ret_window);
}

void lw_window_recent(const struct lw_window *window, uint32_t width,
		      struct lw_window *ret_window)
{
	uint64_t class_queue = 0;

	if (width > LW_WINDOW_WIDTH_MAX)
		width = LW_WINDOW_WIDTH_MAX;
	for (uint32_t i = 0; width && i < window->count; i++)
		if (window->samples[i].width == width)
			class_queue |= UINT64_C(1) << window->samples[i].turn;
	window_pick(window, class_queue, LW_WINDOW_RECENT, ret_window);
}

void lw_window_fresh(const struct lw_window *window, int64_t now_s,
		     struct lw_window *ret_window)
{
	uint64_t class_queue = 0;

	for (uint32_t i = 0; i < window->count; i++)
		if (window->samples[i].end_s <= now_s &&
		    window->samples[i].end_s > now_s - LW_WINDOW_FRESH_S)
			class_queue |= UINT64_C(1) << window->samples[i].turn;
	window_pick(window, class_queue, LW_WINDOW_FRESH, ret_window);
}

const struct lw_window_sample *lw_window_turn(const struct lw_window *window, uint32_t turn)
{
	for (uint32_t i = 0; i < window->count; i++)
		if (window->samples[i].turn == turn)
			return &window->samples[i];
	return NULL;
}

/* How many samples are at most AT. */
static uint32_t window_rank(const struct lw_window *window, double at)
{
	uint32_t rank;

	LW_SEARCH(rank, window->count, (double)window->samples[rank].run_s <= at);
	return rank;
}

double lw_window_last(const struct lw_window *window)
{
	return window->count ? window->samples[window->count - 1].run_s : 0;
}

double lw_window_alive(const struct lw_window *window, double at)
{
	return window->alive[window_rank(window, at)];
}

double lw_window_area(const struct lw_window *window, double from)
{
	uint32_t i = window_rank(window, from);

	if (i == window->count)
		return 0;
	return window->area[i] + window->alive[i] * (window->samples[i].run_s - from);
}
