/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: training of the small nets by an evolution strategy. */
#include "lab/sim/train.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/sim/pool.h"
#include "measure/rng.h"

/* held-out sequences are looked at every so many rounds */
#define LOOK_EVERY 10

#define HELD_OUT 5 /* one part of so many */

/* of Adam */
#define MEAN_KEPT  0.9
#define POWER_KEPT 0.999
#define TINY	   1e-8

/* how far the last layer is from 0 to begin with, as a share of what it would be */
#define LAST_LAYER 0.1

/* what is looked at is a mean of the last rounds: single ones are noisy */
#define SMOOTH_KEPT 0.9

/* Where it begins: the jobs, and when they are submitted. */
struct sequence {
	uint32_t jobs, submissions;
};

struct trainer {
	const struct lw_train *train;
	struct lw_rng rng;
	struct lw_arena_memory memory;
	uint32_t weights;
	double smooth[LW_NET_WEIGHTS_MAX]; /* of the last centres */
	double centre[LW_NET_WEIGHTS_MAX], mean[LW_NET_WEIGHTS_MAX], power[LW_NET_WEIGHTS_MAX];
	float *changes;   /* by pair */
	double *rewards;  /* of each pair both ways; in lw_pool_room() */
	uint32_t *ranked; /* of the rewards */
	struct lw_sim_job *mixed; /* a sequence */
	struct sequence *sequences; /* of the round */
	double *without;  /* slowdown there */
	struct sequence *checks;
	double *check_without;
	struct lw_net net;
	struct lw_net best;
	struct lw_train_score score;
	double best_reward;
};

void lw_train_default(struct lw_train *train, enum lw_net_kind kind)
{
	*train = (struct lw_train){
		.kind = kind,
		/* an order is for long queues, which short sequences do not have */
		.length = kind == LW_NET_ORDER ? 768 : 256,
		.rounds = kind == LW_NET_ORDER ? 150 : 100,
		.pairs = 16,
		.sequences = 8,
		.checks = 32,
		.seed = 1,
		.reach = 0.05,
		.pace = 0.01,
	};
	train->arena.rule = LW_PUBLISHED_NONE;
	train->arena.nets.inspect_cap_s = LW_INSPECT_CAP_S;
	lw_policy_params_default(&train->arena.params);
}

/* The jobs of one stretch of the trace, submitted as those of another. */
static void train_mix(const struct trainer *trainer, const struct sequence *sequence)
{
	const struct lw_train *train = trainer->train;

	for (uint32_t i = 0; i < train->length; i++) {
		trainer->mixed[i] = train->jobs[sequence->jobs + i];
		trainer->mixed[i].id = i + 1;
		trainer->mixed[i].submit_s = train->jobs[sequence->submissions + i].submit_s;
	}
}

/* Bounded slowdown of the sequence; NET may be NULL. */
static int try_net(struct trainer *trainer, const struct lw_net *net,
		   const struct sequence *sequence, double *ret_bsld)
{
	struct lw_arena arena = trainer->train->arena;

	train_mix(trainer, sequence);
	if (net && net->kind == LW_NET_ORDER) {
		arena.params.order = LW_ORDER_OUTSIDE;
		arena.nets.order = net;
	} else if (net) {
		arena.nets.inspector = net;
	}
	return lw_arena_run(&arena, &trainer->memory, trainer->mixed, trainer->train->length,
			    ret_bsld);
}

static double reward(double without, double with)
{
	double larger = without > with ? without : with;

	return (without - with) / (larger > 1 ? larger : 1);
}

/* Sequences, and the slowdown of each without a net. */
struct batch {
	const struct sequence *sequences;
	const double *without;
	uint32_t count;
};

/* Mean reward and slowdown of NET over the batch. */
static int try_all(struct trainer *trainer, const struct lw_net *net, const struct batch *batch,
		   double *ret_reward, double *ret_bsld)
{
	double rewards = 0, sum = 0, bsld;

	for (uint32_t i = 0; i < batch->count; i++) {
		if (try_net(trainer, net, &batch->sequences[i], &bsld))
			return -ENOMEM;
		rewards += reward(batch->without[i], bsld);
		sum += bsld;
	}
	*ret_reward = rewards / batch->count;
	*ret_bsld = sum / batch->count;
	return 0;
}

/*
 * COUNT sequences that begin in [FROM, FROM + SPAN). Half of them are as they are in the trace.
 * There are too few of these: a net would learn them by heart.
 */
static int draw(struct trainer *trainer, uint32_t from, uint32_t span, uint32_t count,
		struct sequence *sequences, double *without)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t jobs = from + lw_rng_below(&trainer->rng, span);
		uint32_t other = from + lw_rng_below(&trainer->rng, span);

		sequences[i] = (struct sequence){ jobs, i % 2 ? other : jobs };
		if (try_net(trainer, NULL, &sequences[i], &without[i]))
			return -ENOMEM;
	}
	return 0;
}

/* The nearest that a file can hold. */
static float rounded(double weight)
{
	double units = floor(weight * LW_NET_UNIT + 0.5);

	if (units > LW_NET_UNITS_MAX)
		units = LW_NET_UNITS_MAX;
	if (units < -LW_NET_UNITS_MAX)
		units = -LW_NET_UNITS_MAX;
	return (float)(units / LW_NET_UNIT);
}

/* The centre, changed by so much of the pair's change. */
static const struct lw_net *changed(struct trainer *trainer, const float *change, double by)
{
	for (uint32_t i = 0; i < trainer->weights; i++)
		trainer->net.weights[i] = rounded(trainer->centre[i] + by * (double)change[i]);
	return &trainer->net;
}

static const struct lw_net *smoothed(struct trainer *trainer)
{
	for (uint32_t i = 0; i < trainer->weights; i++)
		trainer->net.weights[i] = rounded(trainer->smooth[i]);
	return &trainer->net;
}

/* He et al., ICCV 2015: so that what a layer passes on is as large as what came in. */
static void begin_layer(struct trainer *trainer, uint32_t *at, uint32_t in, uint32_t out)
{
	double spread = sqrt(2.0 / in);

	*at += out; /* biases are 0 */
	for (uint32_t i = 0; i < in * out; i++, (*at)++)
		trainer->centre[*at] = spread * lw_rng_normal(&trainer->rng);
}

/*
 * An order begins near the smallest area: the first units of the layers pass on the logarithm of
 * limit and width, each to the next, and nothing else. An inspector begins by holding no job.
 */
static void begin_as_known(struct trainer *trainer, const uint32_t firsts[4])
{
	double *centre = trainer->centre;
	uint32_t last = trainer->weights - 9;

	for (uint32_t i = 0; i < 9; i++)
		centre[last + i] *= LAST_LAYER;
	if (trainer->train->kind == LW_NET_INSPECTOR) {
		centre[last] = -LAST_LAYER;
		return;
	}
	for (uint32_t in = 0; in < 8; in++)
		centre[firsts[0] + in * 32] = 0;
	centre[firsts[0] + 5 * 32] = 1;
	centre[firsts[0] + 6 * 32] = log2(2.0 * trainer->train->arena.cpus) / 20;
	for (uint32_t in = 0; in < 32; in++)
		centre[firsts[1] + in * 16] = in == 0;
	for (uint32_t in = 0; in < 16; in++)
		centre[firsts[2] + in * 8] = in == 0;
	centre[firsts[3]] = -1;
}

static void begin(struct trainer *trainer)
{
	static const uint32_t layers[] = { 32, 16, 8, 1 };
	uint32_t at = 0, in = trainer->weights == LW_NET_WEIGHTS_MAX ? 8 : 7, firsts[4];

	for (uint32_t i = 0; i < sizeof(layers) / sizeof(layers[0]); in = layers[i++]) {
		firsts[i] = at + layers[i];
		begin_layer(trainer, &at, in, layers[i]);
	}
	begin_as_known(trainer, firsts);
	memcpy(trainer->smooth, trainer->centre, sizeof(trainer->smooth));
}

/* Places in falling order of reward, ties by number, from 0.5 down to -0.5. */
static void rank(struct trainer *trainer)
{
	uint32_t count = 2 * trainer->train->pairs;
	const double *rewards = trainer->rewards;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t before = 0;

		for (uint32_t k = 0; k < count; k++)
			before += rewards[k] > rewards[i] || (rewards[k] == rewards[i] && k < i);
		trainer->ranked[i] = before;
	}
}

static void train_move(struct trainer *trainer, uint32_t round)
{
	const struct lw_train *train = trainer->train;
	double mean_left = 1 - pow(MEAN_KEPT, round), power_left = 1 - pow(POWER_KEPT, round);

	rank(trainer);
	for (uint32_t i = 0; i < trainer->weights; i++) {
		double slope = 0;

		for (uint32_t pair = 0; pair < train->pairs; pair++) {
			double better = (double)trainer->ranked[2 * pair + 1] -
					(double)trainer->ranked[2 * pair];

			slope += better *
				 (double)trainer->changes[(size_t)pair * trainer->weights + i];
		}
		slope /= 2.0 * train->pairs * train->pairs * train->reach;
		trainer->mean[i] = MEAN_KEPT * trainer->mean[i] + (1 - MEAN_KEPT) * slope;
		trainer->power[i] =
			POWER_KEPT * trainer->power[i] + (1 - POWER_KEPT) * slope * slope;
		trainer->centre[i] += train->pace * (trainer->mean[i] / mean_left) /
				      (sqrt(trainer->power[i] / power_left) + TINY);
		trainer->smooth[i] = SMOOTH_KEPT * trainer->smooth[i] +
				     (1 - SMOOTH_KEPT) * trainer->centre[i];
	}
}

/* A pair this way or the opposite way. */
static int try_way(void *arg, uint32_t piece)
{
	struct trainer *trainer = arg;
	const struct lw_train *train = trainer->train;
	const struct batch batch = { trainer->sequences, trainer->without, train->sequences };
	const float *change = trainer->changes + (size_t)(piece / 2) * trainer->weights;
	double bsld;

	return try_all(trainer,
		       changed(trainer, change, piece % 2 ? -train->reach : train->reach), &batch,
		       &trainer->rewards[piece], &bsld);
}

static int try_pairs(struct trainer *trainer, struct lw_error *err)
{
	const struct lw_train *train = trainer->train;
	const struct lw_pool pool = { .count = 2 * train->pairs,
				      .at_once = train->at_once,
				      .work = try_way,
				      .arg = trainer };

	for (uint32_t i = 0; i < train->pairs * trainer->weights; i++)
		trainer->changes[i] = (float)lw_rng_normal(&trainer->rng);
	return lw_pool_run(&pool, err);
}

/* Is the centre better on the held-out sequences than all before? */
static int train_look(struct trainer *trainer, uint32_t round)
{
	const struct batch batch = { trainer->checks, trainer->check_without,
				     trainer->train->checks };
	const struct lw_net *net = smoothed(trainer);
	double found, bsld;

	if (try_all(trainer, net, &batch, &found, &bsld))
		return -ENOMEM;
	if (!round || found > trainer->best_reward) {
		trainer->best = *net;
		trainer->best_reward = found;
		trainer->score.with = bsld;
	}
	trainer->score.round = round;
	return 0;
}

static int train_on(struct trainer *trainer, uint32_t span, lw_train_f told, void *arg,
		    struct lw_error *err)
{
	const struct lw_train *train = trainer->train;
	int rc = train_look(trainer, 0);

	for (uint32_t round = 1; !rc && round <= train->rounds; round++) {
		rc = draw(trainer, 0, span, train->sequences, trainer->sequences, trainer->without);
		if (!rc)
			rc = try_pairs(trainer, err);
		if (rc)
			break;
		train_move(trainer, round);
		if (round % LOOK_EVERY && round != train->rounds)
			continue;
		rc = train_look(trainer, round);
		if (!rc && told)
			told(arg, &trainer->score);
	}
	return rc;
}

static int64_t longest_limit(const struct lw_train *train)
{
	int64_t longest_s = 1;

	for (uint32_t i = 0; i < train->count; i++)
		if (train->jobs[i].limit_s > longest_s)
			longest_s = train->jobs[i].limit_s;
	return longest_s;
}

static int make_trainer(const struct lw_train *train, struct trainer **ret_trainer)
{
	struct trainer *trainer = calloc(1, sizeof(*trainer));

	*ret_trainer = trainer;
	if (!trainer)
		return -ENOMEM;
	trainer->train = train;
	trainer->weights = lw_net_weights(train->kind);
	trainer->net = (struct lw_net){ .kind = train->kind, .limit_s = longest_limit(train) };
	lw_rng_init(&trainer->rng, train->seed);
	trainer->changes = calloc((size_t)train->pairs * trainer->weights, sizeof(float));
	trainer->mixed = calloc(train->length, sizeof(*trainer->mixed));
	trainer->rewards = lw_pool_room(2 * (size_t)train->pairs * sizeof(double));
	trainer->ranked = calloc(2 * (size_t)train->pairs, sizeof(uint32_t));
	trainer->sequences = calloc(train->sequences, sizeof(struct sequence));
	trainer->without = calloc(train->sequences, sizeof(double));
	trainer->checks = calloc(train->checks, sizeof(struct sequence));
	trainer->check_without = calloc(train->checks, sizeof(double));
	return trainer->changes && trainer->mixed && trainer->rewards && trainer->ranked &&
			       trainer->sequences && trainer->without && trainer->checks &&
			       trainer->check_without
		       ? 0
		       : -ENOMEM;
}

static void free_trainer(struct trainer *trainer)
{
	if (!trainer)
		return;
	lw_arena_memory_fini(&trainer->memory);
	free(trainer->changes);
	free(trainer->mixed);
	lw_pool_room_free(trainer->rewards,
			  2 * (size_t)trainer->train->pairs * sizeof(double));
	free(trainer->ranked);
	free(trainer->sequences);
	free(trainer->without);
	free(trainer->checks);
	free(trainer->check_without);
	free(trainer);
}

int lw_train_run(const struct lw_train *train, lw_train_f told, void *arg, struct lw_net *ret_net,
		 struct lw_train_score *ret_score, struct lw_error *err)
{
	uint32_t split = train->count - train->count / HELD_OUT;
	struct trainer *trainer;
	int rc;

	if (split <= train->length || train->count - split <= train->length)
		return -EINVAL;
	(void)lw_error_set(err, -ENOMEM, "out of memory");
	rc = make_trainer(train, &trainer);
	if (!rc) {
		begin(trainer);
		rc = draw(trainer, split, train->count - split - train->length, train->checks,
			  trainer->checks, trainer->check_without);
	}
	for (uint32_t i = 0; !rc && i < train->checks; i++)
		trainer->score.without += trainer->check_without[i] / train->checks;
	if (!rc)
		rc = train_on(trainer, split - train->length, told, arg, err);
	if (!rc) {
		*ret_net = trainer->best;
		*ret_score = trainer->score;
	}
	free_trainer(trainer);
	return rc;
}
