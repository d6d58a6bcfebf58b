/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway size: which size makes good use of its GPUs, and how sure that is. */
#include "cli/size/size.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cli/common/tools.h"

const char *lw_size_work_name(enum lw_size_work work)
{
	static const char *const names[] = { "whole", "step", "run" };

	return names[work];
}

const char *lw_size_advice_name(enum lw_size_advice advice)
{
	static const char *const names[] = { "unknown", "smallest", "middle", "largest" };

	return names[advice];
}

const char *lw_size_sure_name(enum lw_size_sure sure)
{
	static const char *const names[] = { "sure", "differs", "few" };

	return names[sure];
}

/* ---- figures ---- */

static uint32_t judge_sizes(const struct lw_size_kind *kind, enum lw_size_work work)
{
	uint32_t sizes = 0;

	for (uint32_t i = 0; i < kind->count; i++)
		sizes += kind->points[i].unit_s[work].count > 0;
	return sizes;
}

/* The first that is known of two sizes; without one, what is known of one size. */
static enum lw_size_work judge_work(const struct lw_size_kind *kind)
{
	for (uint32_t least = 2; least > 0; least--)
		for (int w = 0; w < LW_SIZE_WORKS; w++)
			if (judge_sizes(kind, (enum lw_size_work)w) >= least)
				return (enum lw_size_work)w;
	return LW_SIZE_RUN;
}

static const struct lw_size_values *judge_values(const struct lw_size_told *told, uint32_t i)
{
	return &told->rates[i].point->unit_s[told->work];
}

static double judge_beside(const struct lw_size_told *told, uint32_t i, uint32_t percent,
			   uint32_t base_percent)
{
	return lw_scaling_efficiency(
		told->rates[0].point->size, lw_size_quantile(judge_values(told, 0), base_percent),
		told->rates[i].point->size, lw_size_quantile(judge_values(told, i), percent));
}

static void judge_rates(const struct lw_size_kind *kind, struct lw_size_told *told)
{
	for (uint32_t i = 0; i < kind->count; i++)
		if (kind->points[i].unit_s[told->work].count)
			told->rates[told->count++].point = &kind->points[i];
	for (uint32_t i = 0; i < told->count; i++) {
		struct lw_size_rate *rate = &told->rates[i];

		rate->unit_s = lw_size_quantile(judge_values(told, i), 50);
		rate->speedup = lw_scaling_speedup(told->rates[0].unit_s, rate->unit_s);
		rate->efficiency = judge_beside(told, i, 50, 50);
		rate->efficiency_low = i ? judge_beside(told, i, 75, 25) : 1;
		rate->efficiency_high = i ? judge_beside(told, i, 25, 75) : 1;
		rate->gpu_s = rate->point->size * rate->unit_s;
	}
}

static void judge_fit(struct lw_size_told *told)
{
	struct lw_scaling_point points[LW_SCALING_POINTS_MAX];
	const struct lw_size_rate *last = told->count ? &told->rates[told->count - 1] : NULL;
	uint32_t count = 0;
	double twice_s;

	for (uint32_t i = 0; i < told->count && count < LW_SCALING_POINTS_MAX; i++)
		points[count++] = (struct lw_scaling_point){ told->rates[i].point->size,
							     told->rates[i].unit_s,
							     judge_values(told, i)->count };
	told->has_fit = !lw_scaling_fit(points, count, &told->fit);
	if (!told->has_fit || told->count < LW_SCALING_GROWS_FROM ||
	    told->advice != LW_SIZE_LARGEST)
		return;
	twice_s = lw_scaling_unit_s(&told->fit, 2 * last->point->size);
	told->twice = lw_scaling_efficiency(told->rates[0].point->size, told->rates[0].unit_s,
					    2 * last->point->size, twice_s);
}

/* By half of the waits, and half of the times. */
static void judge_soonest(struct lw_size_told *told)
{
	double best_s = -1;

	for (uint32_t i = 0; i < told->count; i++) {
		const struct lw_size_values *waits = &told->rates[i].point->wait_s;
		double over_s = told->rates[i].unit_s;

		if (!waits->count)
			continue;
		over_s += lw_size_quantile(waits, 50);
		if (best_s >= 0 && over_s >= best_s)
			continue;
		best_s = over_s;
		told->soonest = i;
	}
}

/* ---- advice ---- */

static enum lw_size_sure judge_sure(const struct lw_size_told *told)
{
	const struct lw_size_rate *good = &told->rates[told->good];
	bool has_next = told->good + 1 < told->count;

	if (judge_values(told, 0)->count < LW_RUNS_LEAST ||
	    judge_values(told, told->good)->count < LW_RUNS_LEAST ||
	    (has_next && judge_values(told, told->good + 1)->count < LW_RUNS_LEAST))
		return LW_SIZE_FEW;
	if (good->efficiency_low < LW_SCALING_GOOD ||
	    (has_next && good[1].efficiency_high >= LW_SCALING_GOOD))
		return LW_SIZE_DIFFERS;
	return LW_SIZE_SURE;
}

int lw_size_judge(const struct lw_size_kind *kind, struct lw_size_told *ret_told)
{
	struct lw_size_told told = { .work = judge_work(kind) };

	told.rates = calloc((size_t)kind->count + 1, sizeof(*told.rates));
	if (!told.rates)
		return -ENOMEM;
	judge_rates(kind, &told);
	/* the largest before the first that makes no good use */
	while (told.good + 1 < told.count &&
	       told.rates[told.good + 1].efficiency >= LW_SCALING_GOOD)
		told.good++;
	if (told.count < 2)
		told.advice = LW_SIZE_UNKNOWN;
	else if (told.good + 1 == told.count)
		told.advice = LW_SIZE_LARGEST;
	else
		told.advice = told.good ? LW_SIZE_MIDDLE : LW_SIZE_SMALLEST;
	told.sure = told.count ? judge_sure(&told) : LW_SIZE_FEW;
	judge_fit(&told);
	judge_soonest(&told);
	*ret_told = told;
	return 0;
}

/* ---- words ---- */

static const char *words_unit(const struct lw_size_kind *kind, uint32_t size)
{
	if (kind->of_nodes)
		return size == 1 ? "node" : "nodes";
	return size == 1 ? "GPU" : "GPUs";
}

static void words_size(const struct lw_size_kind *kind, const struct lw_size_rate *rate,
		       struct lw_strbuf *words)
{
	lw_strbuf_add(words, "%" PRIu32 " %s", rate->point->size,
		      words_unit(kind, rate->point->size));
}

/* Why not more: what the next size brings. */
static void words_next(const struct lw_size_kind *kind, const struct lw_size_told *told,
		       struct lw_strbuf *words)
{
	const struct lw_size_rate *good = &told->rates[told->good], *next = good + 1;

	lw_strbuf_add(words,
		      "; %" PRIu32 " are %.1f times as fast as that, for %.1f times the %s-hours",
		      next->point->size, next->speedup / good->speedup, next->gpu_s / good->gpu_s,
		      words_unit(kind, 1));
}

static void words_soonest(const struct lw_size_kind *kind, const struct lw_size_told *told,
			  struct lw_strbuf *words)
{
	if (told->work == LW_SIZE_STEP || told->soonest == told->good)
		return;
	lw_strbuf_add(words, "; with the waits that there were ");
	words_size(kind, &told->rates[told->soonest], words);
	lw_strbuf_add(words, " would be done first");
}

static void words_unknown(const struct lw_size_kind *kind, const struct lw_size_told *told,
			  struct lw_strbuf *advice)
{
	if (kind->count > 1) {
		lw_strbuf_add(advice, "not known: of no two sizes a run ended well, or told its "
				      "progress");
		return;
	}
	lw_strbuf_add(advice, "not known: only one size was run, %" PRIu32 " %s",
		      kind->points[0].size, words_unit(kind, kind->points[0].size));
	if (!told->count)
		lw_strbuf_add(advice, ", and no run ended well");
}

static void words_advice(const struct lw_size_kind *kind, const struct lw_size_told *told,
			 struct lw_strbuf *advice)
{
	const struct lw_size_rate *good = &told->rates[told->good];

	words_size(kind, good, advice);
	if (told->good)
		lw_strbuf_add(advice, ": %.1f times as fast as %" PRIu32 ", %.0f %% efficient",
			      good->speedup, told->rates[0].point->size, 100 * good->efficiency);
	else
		lw_strbuf_add(advice, ": no larger size makes good use of its %s",
			      words_unit(kind, 2));
	if (told->advice != LW_SIZE_LARGEST)
		words_next(kind, told, advice);
	else if (told->twice > 0)
		lw_strbuf_add(advice,
			      ", the largest that was run; of %" PRIu32 " about %.0f %% is "
			      "expected",
			      2 * good->point->size, 100 * told->twice);
	else
		lw_strbuf_add(advice, ", the largest that was run");
	words_soonest(kind, told, advice);
}

void lw_size_words(const struct lw_size_kind *kind, const struct lw_size_told *told,
		   struct lw_strbuf *advice, struct lw_strbuf *sure)
{
	if (told->advice == LW_SIZE_UNKNOWN) {
		words_unknown(kind, told, advice);
		return;
	}
	words_advice(kind, told, advice);
	if (told->sure == LW_SIZE_FEW)
		lw_strbuf_add(sure, "a guess: fewer than %d runs at a size that decides",
			      LW_RUNS_LEAST);
	else if (told->sure == LW_SIZE_DIFFERS)
		lw_strbuf_add(sure, "unsure: runs of one size differ so much that it may be "
				    "another");
	else
		lw_strbuf_add(sure, "likely: three of four runs agree");
	if (told->work == LW_SIZE_RUN)
		lw_strbuf_add(sure, ", if each run did the same work");
	else if (told->work == LW_SIZE_STEP)
		lw_strbuf_add(sure, ", if a step is the same work at each size");
}
