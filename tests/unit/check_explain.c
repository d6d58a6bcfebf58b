/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of what a net is said to look at. */
#include "lab/sim/explain.h"

#include "unit/unit.h"

#include <math.h>
#include <string.h>

#define TOLERANCE 1e-6

/* Only what is behind input FROM, weighted by 3 in the first unit of each layer, counts. */
static struct lw_net looks_at(enum lw_net_kind kind, uint32_t from)
{
	struct lw_net net = { .kind = kind, .limit_s = 86400 };
	uint32_t at = 32;

	net.weights[at + from * 32] = 3;
	net.weights[at + from * 32 + 1] = 4;
	at += lw_net_input_count(kind) * 32 + 16;
	net.weights[at] = 1;
	at += 32 * 16 + 8;
	net.weights[at] = 1;
	at += 16 * 8;
	net.weights[at++] = kind == LW_NET_INSPECTOR ? -1.5F : 0;
	net.weights[at] = 1;
	return net;
}

static const struct {
	enum lw_net_kind kind;
	uint32_t input;
} looked[] = {
	{ LW_NET_ORDER, 0 },     { LW_NET_ORDER, 3 },     { LW_NET_ORDER, 7 },
	{ LW_NET_INSPECTOR, 0 }, { LW_NET_INSPECTOR, 5 }, { LW_NET_INSPECTOR, 6 },
};

/* These are even from 0 to 1: two differ by a third on average, in deviations 2 / sqrt(3). */
TEST_EACH(only_what_is_looked_at_is_told, LW_COUNT_OF(looked))
{
	struct lw_net net = looks_at(looked[_i].kind, looked[_i].input);
	struct lw_net_look looks[LW_NET_INPUTS_MAX];
	uint32_t count;

	ck_assert_int_eq(lw_net_explain(&net, looks, &count), 0);
	ck_assert_uint_eq(count, looked[_i].kind == LW_NET_ORDER ? 8 : 7);
	for (uint32_t input = 0; input < count; input++) {
		bool looks_at_it = input == looked[_i].input;

		ck_assert_double_eq_tol(looks[input].weight, looks_at_it ? 5 : 0, TOLERANCE);
		ck_assert_double_eq_tol(looks[input].change, looks_at_it ? 2 / sqrt(3) : 0, 0.03);
		/* half of all orders, and half of what is held, above a half */
		ck_assert_double_eq_tol(looks[input].flips, looks_at_it ? 0.5 : 0, 0.03);
	}
}

TEST(a_net_without_weights_looks_at_nothing)
{
	struct lw_net net = { .kind = LW_NET_ORDER, .limit_s = 1 };
	struct lw_net_look looks[LW_NET_INPUTS_MAX];
	uint32_t count;

	ck_assert_int_eq(lw_net_explain(&net, looks, &count), 0);
	for (uint32_t input = 0; input < count; input++) {
		ck_assert_double_eq(looks[input].weight, 0);
		ck_assert_double_eq(looks[input].change, 0);
		ck_assert_double_eq(looks[input].flips, 0);
	}
}

TEST(the_same_net_is_explained_the_same)
{
	struct lw_net net = looks_at(LW_NET_ORDER, 2);
	struct lw_net_look one[LW_NET_INPUTS_MAX] = { { 0 } }, two[LW_NET_INPUTS_MAX] = { { 0 } };
	uint32_t count;

	ck_assert_int_eq(lw_net_explain(&net, one, &count), 0);
	ck_assert_int_eq(lw_net_explain(&net, two, &count), 0);
	ck_assert_int_eq(memcmp(one, two, sizeof(one)), 0);
}
