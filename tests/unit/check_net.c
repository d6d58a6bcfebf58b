/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of sim/net, its text, the order learned and the gate. */
#include "lab/sim/model_file.h"

#include "lab/sim/nets.h"
#include "planner/order/order.h"
#include "unit/unit.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Passes input FROM, times BY, through the first unit of each layer; BIAS is added at the end. */
static struct lw_net one_input(enum lw_net_kind kind, uint32_t from, float by, float bias)
{
	struct lw_net net = { .kind = kind, .limit_s = 1000 };
	uint32_t inputs = kind == LW_NET_ORDER ? 8 : 7, at = 32;

	net.weights[at + from * 32] = 1;
	at += inputs * 32 + 16;
	net.weights[at] = 1;
	at += 32 * 16 + 8;
	net.weights[at] = 1;
	at += 16 * 8;
	net.weights[at++] = bias;
	net.weights[at] = by;
	return net;
}

/* input, in the order of lw_net_inputs(); what it is of the facts below */
static const struct {
	enum lw_net_kind kind;
	uint32_t input;
	float value;
} inputs[] = {
	{ LW_NET_ORDER, 0, 0.25F },
	{ LW_NET_ORDER, 1, 0.512F },
	{ LW_NET_ORDER, 2, 0.125F },
	{ LW_NET_ORDER, 3, 0.75F },
	{ LW_NET_ORDER, 4, 1 },
	/* 2^9, and 2^5 of the 2^9 that twice the cluster is */
	{ LW_NET_ORDER, 5, 0.45F },
	{ LW_NET_ORDER, 6, 5.0F / 9 },
	{ LW_NET_ORDER, 7, 0.5F },
	{ LW_NET_INSPECTOR, 0, 0.25F },
	{ LW_NET_INSPECTOR, 1, 0.512F },
	{ LW_NET_INSPECTOR, 2, 0.125F },
	{ LW_NET_INSPECTOR, 3, 0.5F },
	{ LW_NET_INSPECTOR, 4, 1 },
	{ LW_NET_INSPECTOR, 5, 0.5F },
	{ LW_NET_INSPECTOR, 6, 0.0625F },
};

TEST_EACH(a_net_is_told_what_its_words_say, LW_COUNT_OF(inputs))
{
	const struct lw_net_facts facts = {
		.waited_s = 10800,
		.limit_s = 512,
		.width = 0.125,
		.memory = 0.75,
		.cpus = 256,
		.free = 0.5,
		.held_s = 21600,
		.delay = 0.0625,
	};
	struct lw_net net = one_input(inputs[_i].kind, inputs[_i].input, 2, 0.5F);
	float read[LW_NET_INPUTS_MAX];

	lw_net_read(&net, &facts, read);
	ck_assert_float_eq_tol(read[inputs[_i].input], inputs[_i].value, 1e-6F);
	ck_assert_float_eq_tol(lw_net_run(&net, read), 2 * inputs[_i].value + 0.5F, 1e-6F);
}

/* What is below 0 is not passed on. */
TEST(units_pass_on_what_is_above_zero)
{
	struct lw_net net = one_input(LW_NET_ORDER, 0, 2, 0.5F);
	const float read[LW_NET_INPUTS_MAX] = { -1 };

	ck_assert_float_eq_tol(lw_net_run(&net, read), 0.5F, 1e-6F);
}

TEST_EACH(inputs_are_shares, LW_NET_KINDS)
{
	const struct lw_net_facts facts = {
		.waited_s = 1e9, .limit_s = 1e12, .width = 7, .memory = 7, .cpus = 2,
		.free = 2, .held_s = 1e9, .delay = 9,
	};
	struct lw_net net = { .kind = (enum lw_net_kind)_i, .limit_s = 1 };
	float read[LW_NET_INPUTS_MAX];

	lw_net_read(&net, &facts, read);
	for (uint32_t i = 0; i < LW_NET_INPUTS_MAX; i++) {
		ck_assert_float_ge(read[i], 0);
		ck_assert_float_le(read[i], 1);
	}
}

TEST(the_order_is_by_the_net)
{
	struct lw_net net = one_input(LW_NET_ORDER, 1, -2, 0);
	struct lw_netrun run = { .nets.order = &net, .free = 1 };
	struct lw_outside outside = { .for_now = false };
	struct lw_policy_params params = { .order = LW_ORDER_OUTSIDE, .outside = &outside };
	struct lw_class class = { .limit_s = 250, .request.nodes_min = 1 };
	struct lw_waiting job = { 0 };
	struct lw_scale scale = { .cpus = 8 };
	struct lw_order_view view = { &scale, 0, &class, &job, &params };

	lw_netrun_plug(&run, &outside);
	ck_assert_double_eq_tol(lw_order_key(LW_ORDER_OUTSIDE, &view), 0.5, 1e-6);
	params.outside = NULL;
	ck_assert_double_eq(lw_order_key(LW_ORDER_OUTSIDE, &view), 0);
}

/*
 * held since, promised; is it held at 5000, where the cap is 1000, and when is the inspector
 * asked again then?
 */
static const struct {
	int64_t held_s, promise_s;
	bool holds;
	int64_t again_s;
} holds[] = {
	{ 0, LW_NO_TIME, true, 5600 },    { 4001, LW_NO_TIME, true, 5001 },
	{ 4400, LW_NO_TIME, true, 5400 }, { 4000, LW_NO_TIME, false, 0 },
	{ 100, LW_NO_TIME, false, 0 },    { 0, 9000, false, 0 },
};

TEST_EACH(an_inspector_holds_for_its_cap_and_no_promised_job, LW_COUNT_OF(holds))
{
	struct lw_net net = one_input(LW_NET_INSPECTOR, 4, 1, 0);
	const struct lw_nets nets = { .inspector = &net, .inspect_cap_s = 1000 };
	const struct lw_policy_params params = { .order = LW_ORDER_GIVEN };
	struct lw_netrun run;
	struct lw_class class = { .limit_s = 250, .request.nodes_min = 1 };
	struct lw_waiting job = { .job_id = 3, .promise_s = holds[_i].promise_s };
	struct lw_scale scale = { .cpus = 8 };
	struct lw_order_view view = { &scale, 5000, &class, &job, &params };

	ck_assert_int_eq(lw_netrun_init(&run, &nets, 3), 0);
	run.free = 1;
	run.held_s[3] = holds[_i].held_s;
	ck_assert_int_eq(lw_netrun_holds(&run, &view), holds[_i].holds);
	if (holds[_i].holds)
		ck_assert_int_eq(lw_netrun_held(&run, 3, 5000), holds[_i].again_s);
	/* and none of which the net does not say so */
	run.free = 0;
	ck_assert(!lw_netrun_holds(&run, &view));
	lw_netrun_fini(&run);
}

static struct lw_model some_model(enum lw_net_kind kind)
{
	struct lw_model model = { .net = { .kind = kind, .limit_s = 64800 },
				  .order = "saf",
				  .rule = "fcfs",
				  .trace = "00ff",
				  .first_job = 1,
				  .last_job = 5000,
				  .seed = 7,
				  .length = 768,
				  .rounds = 150,
				  .without = 343932926472,
				  .with = 4713 };

	for (uint32_t i = 0; i < lw_net_weights(kind); i++)
		model.net.weights[i] = (float)((int)i - 400) / LW_NET_UNIT * 1009;
	model.net.weights[0] = -(float)LW_NET_UNITS_MAX / LW_NET_UNIT;
	return model;
}

TEST_EACH(a_model_reads_back, LW_NET_KINDS)
{
	struct lw_model model = some_model((enum lw_net_kind)_i), back;
	char path[] = "/tmp/lw-net-XXXXXX";
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error err = { "" };
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(lw_model_print(&model, &text), 0);
	ck_assert_int_eq(write(fd, lw_strbuf_text(&text), text.len), (ssize_t)text.len);
	ck_assert_msg(!lw_model_load(path, &back, &err), "%s", err.text);
	ck_assert_mem_eq(back.net.weights, model.net.weights, sizeof(model.net.weights));
	ck_assert_int_eq(back.net.kind, model.net.kind);
	ck_assert_int_eq(back.net.limit_s, 64800);
	ck_assert_str_eq(back.order, "saf");
	ck_assert_str_eq(back.rule, "fcfs");
	ck_assert_str_eq(back.trace, "00ff");
	ck_assert_uint_eq(back.first_job, 1);
	ck_assert_uint_eq(back.last_job, 5000);
	ck_assert_uint_eq(back.seed, 7);
	ck_assert_uint_eq(back.length, 768);
	ck_assert_uint_eq(back.rounds, 150);
	ck_assert_uint_eq(back.without, 343932926472);
	ck_assert_uint_eq(back.with, 4713);
	/* one letter of a weight */
	ck_assert_int_eq(pwrite(fd, "9", 1, (off_t)text.len - 2), 1);
	ck_assert_int_eq(lw_model_load(path, &back, &err), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(err.text, "checksum"));
	close(fd);
	unlink(path);
	lw_strbuf_fini(&text);
}

/* Zero has no sign in a file, so that what is printed reads back to the same bits. */
TEST(zero_has_no_sign)
{
	struct lw_model model = some_model(LW_NET_ORDER), back;
	struct lw_strbuf text = LW_STRBUF_INIT, other = LW_STRBUF_INIT;
	struct lw_error err = { "" };
	const char *payload, *at;

	ck_assert_int_eq(lw_model_print(&model, &text), 0);
	payload = strchr(lw_strbuf_text(&text), '\n') + 1;
	at = strstr(payload, "-8388607");
	lw_strbuf_add(&other, "%.*s-0%s", (int)(at - payload), payload, at + 8);
	ck_assert_int_eq(lw_model_parse("m", lw_strbuf_text(&other), &back, &err), 0);
	ck_assert(!signbit(back.net.weights[0]));
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&other);
}

/* what stands in a good text; what stands there instead; what is told */
static const struct {
	const char *from, *to, *told;
} faults[] = {
	{ "kind order", "kind chaos", "m:2: kind: unknown 'chaos'" },
	{ "kind order", "kind", "m:2: kind: missing" },
	{ "inputs wait limit", "inputs wait user", "m:3: inputs: others than this release knows" },
	{ "limit 64800", "limit 0", "m:4: limit: out of bounds '0'" },
	{ "order saf", "order saf sjf", "m:5: order: unexpected 'sjf'" },
	{ "rule fcfs", "rul fcfs", "m:6: rule: expected before 'rul'" },
	{ "jobs 1-5000", "jobs 9-5", "m:8: jobs: no range '9-5'" },
	{ "seed 7", "seed 4294967296", "m:9: seed: out of bounds" },
	{ "weights 961", "weights 960", "m:14: weights: out of bounds '960'" },
	{ "-8388607 ", "-8388608 ", "m:15: weights: out of bounds '-8388608'" },
	{ "-8388607 ", "- ", "m:15: weights: out of bounds '-'" },
	{ "-8388607 ", "", "weights: too few" },
	{ "-8388607 ", "1 -8388607 ", "weights: too many" },
};

TEST_EACH(a_fault_is_told_by_its_line, LW_COUNT_OF(faults))
{
	struct lw_model model = some_model(LW_NET_ORDER), back;
	struct lw_strbuf text = LW_STRBUF_INIT, other = LW_STRBUF_INIT;
	struct lw_error err = { "" };
	const char *payload, *at;

	ck_assert_int_eq(lw_model_print(&model, &text), 0);
	payload = strchr(lw_strbuf_text(&text), '\n') + 1;
	ck_assert_int_eq(lw_model_parse("m", payload, &back, &err), 0);
	memset(&back, 0x5a, sizeof(back));
	at = strstr(payload, faults[_i].from);
	ck_assert_ptr_nonnull(at);
	lw_strbuf_add(&other, "%.*s%s%s", (int)(at - payload), payload, faults[_i].to,
		      at + strlen(faults[_i].from));
	ck_assert_int_eq(lw_model_parse("m", lw_strbuf_text(&other), &back, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, faults[_i].told), "%s", err.text);
	ck_assert_uint_eq(back.seed, 0x5a5a5a5a);
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&other);
}
