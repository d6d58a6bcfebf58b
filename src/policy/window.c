/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the last run times of one kind of job, sorted, with what a query needs summed up. */
#include "policy/window.h"

#include <string.h>

bool lw_window_before(const struct lw_window_sample *a, const struct lw_window_sample *b)
{
	if (a->run_s != b->run_s)
		return a->run_s < b->run_s;
	/* at the same time events come first: the censored job was still at risk */
	if (a->cut != b->cut)
		return b->cut;
	return a->turn < b->turn;
}

static void drop_oldest(struct lw_window *window)
{
	uint32_t oldest = 0;

	for (uint32_t i = 1; i < window->count; i++)
		if (window->samples[i].turn < window->samples[oldest].turn)
			oldest = i;
	window->count--;
	memmove(&window->samples[oldest], &window->samples[oldest + 1],
		(window->count - oldest) * sizeof(window->samples[0]));
}

void lw_window_sum(struct lw_window *window)
{
	uint32_t count = window->count;
	double weight = 1; /* of every sample still alive */

	window->alive[0] = count;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t longer = count - i - 1;

		/* the last one's weight has nobody to go to: it stays as the tail */
		if (window->samples[i].cut && longer)
			weight *= (double)(longer + 1) / longer;
		window->alive[i + 1] = weight * longer;
		if (window->samples[i].cut && !longer)
			window->alive[i + 1] = weight;
	}
	window->area[count] = 0;
	for (uint32_t i = count; i-- > 0;) {
		uint32_t next = i + 1 < count ? window->samples[i + 1].run_s : 0;
		double width = i + 1 < count ? (double)(next - window->samples[i].run_s) : 0;

		window->area[i] = window->area[i + 1] + width * window->alive[i + 1];
	}
}

void lw_window_add(struct lw_window *window, const struct lw_window_sample *sample)
{
	struct lw_window_sample added = *sample;
	uint32_t at;

	if (window->count == LW_WINDOW_SAMPLES)
		drop_oldest(window);
	added.turn = window->turns++;
	at = window->count;
	while (at && lw_window_before(&added, &window->samples[at - 1])) {
		window->samples[at] = window->samples[at - 1];
		at--;
	}
	window->samples[at] = added;
	window->count++;
	lw_window_sum(window);
}

/* How many samples are at most AT. */
static uint32_t rank(const struct lw_window *window, double at)
{
	uint32_t low = 0, high = window->count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if ((double)window->samples[middle].run_s <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

double lw_window_last(const struct lw_window *window)
{
	return window->count ? window->samples[window->count - 1].run_s : 0;
}

double lw_window_alive(const struct lw_window *window, double at)
{
	return window->alive[rank(window, at)];
}

double lw_window_area(const struct lw_window *window, double from)
{
	uint32_t i = rank(window, from);

	if (i == window->count)
		return 0;
	return window->area[i] + window->alive[i] * (window->samples[i].run_s - from);
}
