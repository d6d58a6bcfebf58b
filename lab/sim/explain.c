/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a trained net looks at. */
#include "lab/sim/explain.h"

#include "measure/detmath.h"
#include "measure/rng.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED    1
#define LEAST_S 60.0
#define WAIT_S  43200.0
/* of the jobs that may wait, for the inspector */
#define DELAYED_MAX 1.0

struct explain_moments {
	float inputs[LW_EXPLAIN_MOMENTS][LW_NET_INPUTS_MAX];
	float scores[LW_EXPLAIN_MOMENTS];
	float moved[LW_EXPLAIN_MOMENTS];
};

/* From LOW to HIGH, evenly by its logarithm. */
static double explain_draw(struct lw_rng *rng, double low, double high)
{
	if (high <= low)
		return high;
	return low * lw_math_exp(lw_rng_uniform(rng) * lw_math_log(high / low));
}

static void explain_make(const struct lw_net *net, struct explain_moments *moments)
{
	struct lw_rng rng;

	lw_rng_init(&rng, SEED);
	for (uint32_t i = 0; i < LW_EXPLAIN_MOMENTS; i++) {
		struct lw_net_facts facts = { .cpus = LW_EXPLAIN_CPUS };

		facts.waited_s = lw_rng_between(&rng, 0, WAIT_S);
		facts.limit_s = explain_draw(&rng, LEAST_S, (double)net->limit_s);
		facts.width = explain_draw(&rng, 1.0 / LW_EXPLAIN_CPUS, 1);
		facts.memory = lw_rng_between(&rng, 0, 1);
		facts.free = lw_rng_between(&rng, 0, 1);
		facts.held_s = lw_rng_between(&rng, 0, WAIT_S);
		facts.delay = lw_rng_between(&rng, 0, DELAYED_MAX);
		lw_net_read(net, &facts, moments->inputs[i]);
		moments->scores[i] = lw_net_run(net, moments->inputs[i]);
	}
}

/* Each moment with INPUT of the one half way round. */
static void explain_move(const struct lw_net *net, struct explain_moments *moments,
			 uint32_t input)
{
	for (uint32_t i = 0; i < LW_EXPLAIN_MOMENTS; i++) {
		uint32_t from = (i + LW_EXPLAIN_MOMENTS / 2) % LW_EXPLAIN_MOMENTS;
		float inputs[LW_NET_INPUTS_MAX];

		memcpy(inputs, moments->inputs[i], sizeof(inputs));
		inputs[input] = moments->inputs[from][input];
		moments->moved[i] = lw_net_run(net, inputs);
	}
}

static double explain_deviation(const float *scores)
{
	double sum = 0, squares = 0;

	for (uint32_t i = 0; i < LW_EXPLAIN_MOMENTS; i++)
		sum += (double)scores[i];
	for (uint32_t i = 0; i < LW_EXPLAIN_MOMENTS; i++) {
		double off = (double)scores[i] - sum / LW_EXPLAIN_MOMENTS;

		squares += off * off;
	}
	return sqrt(squares / LW_EXPLAIN_MOMENTS);
}

/* What is decided at moment I: to hold, or that it goes before the next one. */
static bool explain_decides(enum lw_net_kind kind, const float *scores, uint32_t i)
{
	if (kind == LW_NET_INSPECTOR)
		return scores[i] > 0;
	return scores[i] > scores[(i + 1) % LW_EXPLAIN_MOMENTS];
}

int lw_net_explain(const struct lw_net *net, struct lw_net_look ret_looks[LW_NET_INPUTS_MAX],
		   uint32_t *ret_count)
{
	struct explain_moments *moments = calloc(1, sizeof(*moments));
	double deviation;

	if (!moments)
		return -ENOMEM;
	*ret_count = lw_net_input_count(net->kind);
	explain_make(net, moments);
	deviation = explain_deviation(moments->scores);
	for (uint32_t input = 0; input < *ret_count; input++) {
		double change = 0, flips = 0;

		explain_move(net, moments, input);
		for (uint32_t i = 0; i < LW_EXPLAIN_MOMENTS; i++) {
			change += fabs((double)moments->moved[i] - (double)moments->scores[i]);
			flips += explain_decides(net->kind, moments->scores, i) !=
				 explain_decides(net->kind, moments->moved, i);
		}
		ret_looks[input] = (struct lw_net_look){
			.weight = lw_net_weight(net, input),
			.change = deviation > 0 ? change / LW_EXPLAIN_MOMENTS / deviation : 0,
			.flips = flips / LW_EXPLAIN_MOMENTS,
		};
	}
	free(moments);
	return 0;
}
