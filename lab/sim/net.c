/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the small trained nets: what they are told of a job, and what they make of it. */
#include "lab/sim/net.h"

#include <math.h>
#include <stddef.h>

#define FIRST  32
#define SECOND 16
#define THIRD  8

/* times beyond that say nothing more */
#define WAIT_MAX_S 43200.0

static const struct {
	const char *name, *inputs;
	uint32_t count;
} kinds[] = {
	[LW_NET_ORDER] = { "order", "wait limit width memory fits log-limit log-width free", 8 },
	[LW_NET_INSPECTOR] = { "inspector", "wait limit width free fits held delay", 7 },
};

const char *lw_net_kind_name(enum lw_net_kind kind)
{
	return kinds[kind].name;
}

const char *lw_net_inputs(enum lw_net_kind kind)
{
	return kinds[kind].inputs;
}

uint32_t lw_net_input_count(enum lw_net_kind kind)
{
	return kinds[kind].count;
}

uint32_t lw_net_weights(enum lw_net_kind kind)
{
	return (kinds[kind].count + 1) * FIRST + (FIRST + 1) * SECOND + (SECOND + 1) * THIRD +
	       THIRD + 1;
}

static float net_share(double value)
{
	if (!(value > 0))
		return 0;
	return value < 1 ? (float)value : 1;
}

/* The binary logarithm of X >= 1, straight between powers of two. */
static double log_of(double x)
{
	int exponent;
	double part = frexp(x > 1 ? x : 1, &exponent);

	return exponent - 2 + 2 * part;
}

double lw_net_delay(int64_t limit_s)
{
	return 600.0 / (double)(limit_s > 10 ? limit_s : 10) / (60 * 128);
}

static void read_order(const struct lw_net *net, const struct lw_net_facts *facts, float *inputs)
{
	inputs[0] = net_share(facts->waited_s / WAIT_MAX_S);
	inputs[1] = net_share(facts->limit_s / (double)net->limit_s);
	inputs[2] = net_share(facts->width);
	inputs[3] = net_share(facts->memory);
	inputs[4] = facts->width <= facts->free;
	/* a week comes to .96 */
	inputs[5] = net_share(log_of(facts->limit_s) / 20);
	inputs[6] = net_share(log_of(facts->width * facts->cpus) / log_of(2 * facts->cpus));
	inputs[7] = net_share(facts->free);
}

static void read_inspector(const struct lw_net *net, const struct lw_net_facts *facts,
			   float *inputs)
{
	inputs[0] = net_share(facts->waited_s / WAIT_MAX_S);
	inputs[1] = net_share(facts->limit_s / (double)net->limit_s);
	inputs[2] = net_share(facts->width);
	inputs[3] = net_share(facts->free);
	inputs[4] = facts->width <= facts->free;
	inputs[5] = net_share(facts->held_s / WAIT_MAX_S);
	inputs[6] = net_share(facts->delay);
	inputs[7] = 0;
}

void lw_net_read(const struct lw_net *net, const struct lw_net_facts *facts,
		 float inputs[LW_NET_INPUTS_MAX])
{
	if (net->kind == LW_NET_ORDER)
		read_order(net, facts, inputs);
	else
		read_inspector(net, facts, inputs);
}

/* WEIGHTS, a bias for each of OUT, then a row for each of IN, to those behind. */
#define LAYER(IN, OUT, in, out, weights)                                                         \
	do {                                                                                     \
		for (uint32_t to = 0; to < (OUT); to++)                                          \
			(out)[to] = (weights)[to];                                               \
		(weights) += (OUT);                                                              \
		for (uint32_t from = 0; from < (IN); from++, (weights) += (OUT))                 \
			for (uint32_t to = 0; to < (OUT); to++)                                  \
				(out)[to] += (in)[from] * (weights)[to];                         \
		for (uint32_t to = 0; to < (OUT); to++)                                          \
			(out)[to] = (out)[to] > 0 ? (out)[to] : 0;                               \
	} while (0)

float lw_net_run(const struct lw_net *net, const float inputs[LW_NET_INPUTS_MAX])
{
	const float *weights = net->weights;
	float first[FIRST], second[SECOND], third[THIRD], sum;

	LAYER(kinds[net->kind].count, FIRST, inputs, first, weights);
	LAYER(FIRST, SECOND, first, second, weights);
	LAYER(SECOND, THIRD, second, third, weights);
	sum = *weights++;
	for (uint32_t from = 0; from < THIRD; from++)
		sum += third[from] * weights[from];
	return sum;
}

double lw_net_weight(const struct lw_net *net, uint32_t input)
{
	const float *row = net->weights + FIRST + (size_t)input * FIRST;
	double sum = 0;

	for (uint32_t to = 0; to < FIRST; to++)
		sum += (double)row[to] * (double)row[to];
	return sqrt(sum);
}
