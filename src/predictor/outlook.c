/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how long a job is likely to wait, learned from jobs that started; pure. */
#include "predictor/outlook.h"

#include <stdlib.h>
#include <string.h>

/* A start adds so much to a bin; from SUM_MAX on all bins of a histogram are halved. */
#define ONE     16
#define SUM_MAX (ONE * 600)
/* As much as so many starts the more general histogram says; that of all, beside no other,
 * little.
 */
#define GENERAL 20
#define NOTHING 1
/*
 * How far the factor of p50 moves at a start, of PPM; and so many times as far as usual both
 * factors for the first ones of a class of queue lengths.
 */
#define P50_STEP     10000
#define P50_FIRST    3
#define P90_FIRST    6
#define FIRSTS       300
/*
 * The first values of the factors. The jobs that start first have waited least, so what is
 * learned first says too little of jobs that still wait; from windows of four days of four logs
 * (doc/lab/2026-11-27-outlook-cold.md).
 */
#define P50_BEGIN    (PPM / 10 * 14)
#define P90_BEGIN    (PPM * 3)
#define FACTOR_LEAST (PPM / 10)
#define FACTOR_MOST  (PPM * 10)
#define PPM          1000000
#define DAY_S        86400
#define WAIT_MAX_S   (UINT32_MAX / 2)

/*
 * How far the factor of p90 moves after a miss and after a hit, of PPM, by queue length. Figures
 * of one queue hold or miss together: what a hundred jobs teach is little more than what one
 * does. With the steps of short queues a long queue that holds would leave a factor that is far
 * too small for the next one. There a miss outweighs more than nine hits, since so little is
 * known (doc/lab/2026-11-29-outlook-crowds.md).
 */
static const struct {
	int32_t up, down;
} outlook_p90_steps[LW_OUTLOOK_QUEUES] = {
	{ 45000, 5000 }, { 40000, 4000 }, { 32000, 3050 }, { 17000, 1400 }, { 6100, 445 },
};

/* Where half-octaves from a minute on begin. */
static int64_t outlook_edge(uint32_t bin)
{
	if (!bin)
		return 0;
	return ((bin - 1) % 2 ? INT64_C(85) : INT64_C(60)) << ((bin - 1) / 2);
}

static uint32_t outlook_bin(int64_t wait_s)
{
	uint32_t bin = 0;

	while (bin + 1 < LW_OUTLOOK_BINS && wait_s >= outlook_edge(bin + 1))
		bin++;
	return bin;
}

/* 0: nothing before it; then doublings from a quarter of an hour on, 1 below that. */
static uint8_t outlook_base(int64_t base_s)
{
	uint8_t base = 0;

	while (base + 1 < LW_OUTLOOK_BASES && base_s >= (INT64_C(225) << base))
		base++;
	return base;
}

static const int64_t stages_s[LW_OUTLOOK_AGES] = { 0, 600, 3600, 6 * 3600, 24 * 3600 };

uint32_t lw_outlook_stage(int64_t age_s)
{
	uint32_t stage = 1;

	while (stage < LW_OUTLOOK_AGES && age_s >= stages_s[stage])
		stage++;
	return stage;
}

int64_t lw_outlook_age_s(uint32_t number)
{
	return stages_s[number];
}

uint32_t lw_outlook_queue_end(uint32_t number)
{
	return number + 1 < LW_OUTLOOK_QUEUES ? 4u << 2 * number : 0;
}

uint32_t lw_outlook_queue(uint32_t queue)
{
	uint32_t number = 0;

	while (number + 1 < LW_OUTLOOK_QUEUES && queue > lw_outlook_queue_end(number))
		number++;
	return number;
}

bool lw_outlook_is_wide(int64_t low_s, int64_t p90_s)
{
	return p90_s - low_s > 6 * 3600 && (low_s < 600 ? 600 : low_s) * 16 < p90_s;
}

void lw_outlook_init(struct lw_outlook *outlook)
{
	memset(outlook, 0, sizeof(*outlook));
	for (uint32_t q = 0; q < LW_OUTLOOK_QUEUES; q++) {
		outlook->p50_ppm[q] = P50_BEGIN;
		outlook->p90_ppm[q] = P90_BEGIN;
	}
}

/* The share of waits in each bin, from the general to the special. */
static void outlook_mix(double *shares, const struct lw_outlook_hist *hist, double general)
{
	double weight = ONE * general;

	for (uint32_t bin = 0; bin < LW_OUTLOOK_BINS; bin++)
		shares[bin] = (hist->bins[bin] + weight * shares[bin]) / (hist->sum + weight);
}

static void outlook_shares(const struct lw_outlook *outlook, const struct lw_outlook_sample *at,
			   double *shares)
{
	for (uint32_t bin = 0; bin < LW_OUTLOOK_BINS; bin++)
		shares[bin] = 1.0 / LW_OUTLOOK_BINS;
	outlook_mix(shares, &outlook->all, NOTHING);
	outlook_mix(shares, &outlook->by_age[at->age], GENERAL);
	outlook_mix(shares, &outlook->by_base[at->kind][at->base][at->age], GENERAL);
	outlook_mix(shares, &outlook->hist[at->kind][at->base][at->age][at->width], GENERAL);
}

/* The wait that is no longer with the chance LEVEL_PPM, evenly inside a bin. */
static uint32_t outlook_quantile(const double *shares, int32_t level_ppm)
{
	double level = (double)level_ppm / PPM, sum = 0;

	for (uint32_t bin = 0; bin + 1 < LW_OUTLOOK_BINS; bin++) {
		double part = shares[bin], from = (double)outlook_edge(bin);
		double width = (double)outlook_edge(bin + 1) - from;

		if (sum + part >= level && part > 0)
			return (uint32_t)(from + width * (level - sum) / part + 0.5);
		sum += part;
	}
	return (uint32_t)outlook_edge(LW_OUTLOOK_BINS - 1);
}

static uint32_t outlook_times(uint32_t wait_s, int32_t factor_ppm)
{
	int64_t product_s = (int64_t)wait_s * factor_ppm / PPM;

	return product_s < WAIT_MAX_S ? (uint32_t)product_s : WAIT_MAX_S;
}

/* Until it is known of queues that long, it is as of the next shorter ones of which it is. */
static uint32_t outlook_known(const struct lw_outlook *outlook, uint32_t queue)
{
	uint32_t known = queue;

	while (known && !outlook->judged[known])
		known--;
	return outlook->judged[known] ? known : queue;
}

struct lw_outlook_sample lw_outlook_say(const struct lw_outlook *outlook,
					const struct lw_outlook_case *job, int64_t now_s)
{
	uint32_t queue = lw_outlook_queue(job->queue), known = outlook_known(outlook, queue);
	struct lw_outlook_sample sample = {
		.at_s = (uint32_t)now_s,
		.kind = job->promised,
		.base = outlook_base(job->base_s),
		.age = (uint8_t)(lw_outlook_stage(job->age_s) - 1),
		.width = job->share > 0.25     ? 2
			 : job->share > 0.0625 ? 1
					       : 0,
		.queue = (uint8_t)queue,
		.known = outlook->learned >= LW_OUTLOOK_LEARNED,
	};
	double shares[LW_OUTLOOK_BINS];

	outlook_shares(outlook, &sample, shares);
	sample.low_s = outlook_quantile(shares, PPM / 10);
	sample.p50_s = outlook_times(outlook_quantile(shares, PPM / 2), outlook->p50_ppm[known]);
	sample.p90_s =
		outlook_times(outlook_quantile(shares, PPM / 10 * 9), outlook->p90_ppm[known]);
	if (sample.p90_s < sample.p50_s)
		sample.p90_s = sample.p50_s;
	if (sample.low_s > sample.p50_s)
		sample.low_s = sample.p50_s;
	return sample;
}

static void outlook_add(struct lw_outlook_hist *hist, uint32_t bin)
{
	hist->bins[bin] += ONE;
	hist->sum += ONE;
	if (hist->sum < SUM_MAX)
		return;
	hist->sum = 0;
	for (uint32_t i = 0; i < LW_OUTLOOK_BINS; i++) {
		hist->bins[i] /= 2;
		hist->sum += hist->bins[i];
	}
}

/*
 * Up by more after a miss, down by less after a hit, so that in the long run both come as often
 * as meant: by UP of PPM, and by DOWN.
 */
static void outlook_move(int32_t *factor_ppm, bool held, int32_t up, int32_t down)
{
	int64_t factor = *factor_ppm;

	factor = held ? factor - factor * down / PPM : factor + factor * up / PPM;
	if (factor < FACTOR_LEAST)
		factor = FACTOR_LEAST;
	*factor_ppm = (int32_t)(factor > FACTOR_MOST ? FACTOR_MOST : factor);
}

static void outlook_move_p50(struct lw_outlook *outlook, uint32_t queue, bool held)
{
	int32_t step = P50_STEP * (outlook->judged[queue] < FIRSTS ? P50_FIRST : 1);

	if (outlook->p50_ppm[queue] == P50_BEGIN)
		outlook->p50_ppm[queue] = outlook->p50_ppm[outlook_known(outlook, queue)];
	outlook_move(&outlook->p50_ppm[queue], held, step, step);
}

static void outlook_move_p90(struct lw_outlook *outlook, uint32_t queue, bool held)
{
	int32_t times = outlook->judged[queue] < FIRSTS ? P90_FIRST : 1;

	if (outlook->p90_ppm[queue] == P90_BEGIN)
		outlook->p90_ppm[queue] = outlook->p90_ppm[outlook_known(outlook, queue)];
	outlook_move(&outlook->p90_ppm[queue], held, times * outlook_p90_steps[queue].up,
		     times * outlook_p90_steps[queue].down);
}

void lw_outlook_waits(struct lw_outlook *outlook, struct lw_outlook_sample *sample, int64_t now_s)
{
	if (!sample->known)
		return;
	if (!sample->missed_p50 && now_s > (int64_t)sample->at_s + sample->p50_s) {
		outlook_move_p50(outlook, sample->queue, false);
		sample->missed_p50 = true;
	}
	if (!sample->missed_p90 && now_s > (int64_t)sample->at_s + sample->p90_s) {
		outlook_move_p90(outlook, sample->queue, false);
		sample->missed_p90 = true;
	}
}

static struct lw_outlook_day *outlook_day(struct lw_outlook *outlook, int64_t now_s)
{
	int64_t day = now_s > 0 ? now_s / DAY_S : 0;
	struct lw_outlook_day *found = &outlook->days[day % LW_OUTLOOK_DAYS];

	if (found->day != day) {
		memset(found, 0, sizeof(*found));
		found->day = day;
	}
	return found;
}

void lw_outlook_learn(struct lw_outlook *outlook, const struct lw_outlook_sample *sample,
		      int64_t start_s)
{
	int64_t wait_s = start_s > sample->at_s ? start_s - sample->at_s : 0;
	uint32_t bin = outlook_bin(wait_s > WAIT_MAX_S ? WAIT_MAX_S : wait_s);
	struct lw_outlook_day *day = outlook_day(outlook, start_s);
	bool by_p50 = wait_s <= sample->p50_s, by_p90 = wait_s <= sample->p90_s;

	outlook_add(&outlook->hist[sample->kind][sample->base][sample->age][sample->width], bin);
	outlook_add(&outlook->by_base[sample->kind][sample->base][sample->age], bin);
	outlook_add(&outlook->by_age[sample->age], bin);
	outlook_add(&outlook->all, bin);
	outlook->learned++;
	if (!sample->known)
		return;
	if (!sample->missed_p50)
		outlook_move_p50(outlook, sample->queue, by_p50);
	if (!sample->missed_p90)
		outlook_move_p90(outlook, sample->queue, by_p90);
	outlook->judged[sample->queue]++;
	day->count[sample->queue]++;
	day->by_p50[sample->queue] += by_p50;
	day->by_p90[sample->queue] += by_p90;
}

struct lw_outlook_held lw_outlook_held(const struct lw_outlook *outlook, uint32_t queue,
				       int64_t now_s)
{
	uint32_t number = lw_outlook_queue(queue);
	struct lw_outlook_held held = { 0 };

	for (uint32_t i = 0; i < LW_OUTLOOK_DAYS; i++) {
		const struct lw_outlook_day *day = &outlook->days[i];

		if (day->day + LW_OUTLOOK_DAYS <= now_s / DAY_S)
			continue;
		held.count += day->count[number];
		held.by_p50 += day->by_p50[number];
		held.by_p90 += day->by_p90[number];
	}
	return held;
}
