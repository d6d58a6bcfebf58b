/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: the payload of a history file, what it predicts, and what it learns. */
#include "fuzz/fuzz.h"

#include "predictor/predict.h"

#include <stdlib.h>
#include <string.h>

static char *print(const struct lw_history *history, size_t *ret_size)
{
	struct lw_strbuf text = LW_STRBUF_INIT;

	fuzz_check(!lw_history_print(history, &text));
	*ret_size = text.len;
	return text.text;
}

/* Printed, parsed and printed again it must be the same bytes. */
static void print_and_parse(const struct lw_history *history)
{
	struct lw_error err = { "" };
	struct lw_history *read;
	size_t size, again_size;
	char *text = print(history, &size), *again;

	fuzz_check(!lw_history_parse(text, size, 0, &read, &err));
	again = print(read, &again_size);
	fuzz_check(size == again_size && !memcmp(text, again, size));
	free(text);
	free(again);
	lw_history_destroy(read);
}

static void predict(const struct lw_history *history, const struct lw_history_key *key)
{
	const int64_t limit_s = key->limit_s < 1 ? 1 : key->limit_s;
	struct lw_estimate estimate;

	for (int64_t elapsed_s = -1; elapsed_s < limit_s; elapsed_s = elapsed_s * 3 + 5) {
		int64_t mean_s = lw_predict_mean(history, key, elapsed_s);
		int64_t half_s = lw_predict_quantile(history, key, elapsed_s, 0.5);
		int64_t most_s = lw_predict_quantile(history, key, elapsed_s, 0.9);
		double alive = lw_predict_survival(history, key, elapsed_s, elapsed_s + 7);

		fuzz_check(mean_s > elapsed_s && mean_s <= limit_s);
		fuzz_check(half_s > elapsed_s && half_s <= most_s && most_s <= limit_s);
		fuzz_check(alive >= 0 && alive <= 1);
		lw_predict_excess(history, key, elapsed_s, limit_s / 2);
		lw_predict_survival_points(history, key, elapsed_s);
	}
	fuzz_check(lw_predict_rank(history, key, 3) <= lw_predict_mean(history, key, 0));
	fuzz_check(lw_predict_tail_ms(history, key) >= 1);
	lw_predict_fresh_until(history, key);
	lw_predict_estimate(history, key, &estimate);
}

static void ask(const struct lw_history *history)
{
	struct lw_history_view view;
	uint32_t cursor = 0, asked = 0;

	while (asked++ < 8 && lw_history_next(history, &cursor, &view)) {
		const struct lw_history_key key = {
			.user = view.who,
			.partition = view.who,
			.limit_s = view.limit_s ? view.limit_s : 3600,
			.width = 4,
			.now_s = 1000,
		};
		struct lw_gpu_use use;
		const struct lw_habit_key habit = { view.who, asked % 6, (uint32_t)key.limit_s };

		predict(history, &key);
		lw_habits_expect(lw_history_habits(history), &habit, &use);
		lw_history_communicates(history, view.who, asked % 6, key.limit_s, false);
	}
}

/* Bytes that are left over for learning. */
struct rest {
	const uint8_t *data;
	size_t size;
};

static uint64_t take(struct rest *rest, unsigned bytes)
{
	uint64_t number = 0;

	while (bytes--)
		number = number << 8 | fuzz_take(&rest->data, &rest->size);
	return number;
}

static struct lw_gpu_use take_use(struct rest *rest)
{
	uint8_t has = (uint8_t)take(rest, 1);

	return (struct lw_gpu_use){
		.has_util = has & 1,
		.has_mem = has & 2,
		.has_nvlink = has & 4,
		.has_pcie = has & 8,
		.has_sm = has & 16,
		.has_tensor = has & 32,
		.has_membw = has & 64,
		.util_percent = (uint32_t)take(rest, 1) % 101,
		.idle_permille = (uint32_t)take(rest, 2) % 1001,
		.mem_mib = (uint32_t)take(rest, 4),
		.nvlink_mib_s = (uint32_t)take(rest, 4),
		.pcie_mib_s = (uint32_t)take(rest, 4),
		.sm_percent = (uint32_t)take(rest, 1) % 101,
		.tensor_percent = (uint32_t)take(rest, 1) % 101,
		.membw_percent = (uint32_t)take(rest, 1) % 101,
	};
}

static struct lw_history_job take_job(struct rest *rest)
{
	uint8_t how = (uint8_t)take(rest, 1);

	return (struct lw_history_job){
		.user = (uint32_t)take(rest, how & 1 ? 4 : 1),
		.partition = (uint32_t)take(rest, how & 1 ? 4 : 1),
		.limit_s = (int64_t)take(rest, how & 2 ? 8 : 3),
		.run_s = (int64_t)take(rest, how & 4 ? 8 : 3),
		.end_s = (int64_t)take(rest, how & 8 ? 8 : 3),
		.killed_at_limit = how & 16,
		.width = (uint32_t)take(rest, how & 32 ? 4 : 1),
		.tag = how & 64 ? LW_HABIT_UNTAGGED : how % 5,
		.nodes = (uint32_t)take(rest, how & 32 ? 4 : 1),
		.gpu = take_use(rest),
	};
}

/* A history never forgets how to learn. */
static void learn(struct lw_history *history, const uint8_t *data, size_t size)
{
	struct rest rest = { data, size };

	for (int i = 0; i < 4; i++) {
		struct lw_history_job job = take_job(&rest);

		lw_history_add(history, &job);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how = fuzz_take(&data, &size);
	const uint8_t *lessons = data + size;
	size_t lesson_size = 0;
	struct lw_history *history;
	struct lw_error err = { "" };
	char *text;
	int rc;

	if (how & 1) { /* the end is jobs to learn */
		lesson_size = size < 400 ? size : 400;
		lessons -= lesson_size;
		size -= lesson_size;
	}
	/* behind it nothing may be read */
	text = malloc(size ? size : 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	rc = lw_history_parse(text, size, how & 2 ? 3 : 0, &history, &err);
	free(text);
	if (rc) {
		fuzz_check_told(err.text);
		if (!(how & 1) || lw_history_create(0, &history))
			return 0;
	}
	print_and_parse(history);
	ask(history);
	if (how & 1) {
		learn(history, lessons, lesson_size);
		print_and_parse(history);
		ask(history);
	}
	lw_history_destroy(history);
	return 0;
}
