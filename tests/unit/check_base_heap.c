/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of base/heap: who comes first is on top, whatever was done before. */
#include "base/heap.h"
#include "property/prng.h"

#include "unit/unit.h"

struct item {
	uint32_t key, id;
};

static bool before(const struct item *a, const struct item *b)
{
	return a->key != b->key ? a->key < b->key : a->id < b->id;
}

LW_HEAP(items, struct item, before)

#define ROUNDS 200
#define MOST   60

/* Few keys, so that ids often decide. */
static struct item draw(struct prng *prng, uint32_t id)
{
	return (struct item){ .key = prng_between(prng, 0, 9), .id = id };
}

/* All come out in order, each once. */
static void empty(struct item *heap, uint32_t count, const bool *in)
{
	bool out[2 * MOST] = { false };
	struct item last = { 0, 0 }, item;

	while (count) {
		item = items_pop(heap, &count);
		ck_assert(!before(&item, &last));
		ck_assert(in[item.id] && !out[item.id]);
		out[item.id] = true;
		last = item;
	}
	for (int i = 0; i < 2 * MOST; i++)
		ck_assert(in[i] == out[i]);
}

TEST_EACH(pushed_come_out_in_order, ROUNDS)
{
	struct prng prng = { (uint64_t)_i };
	uint32_t many = prng_between(&prng, 0, MOST), count = 0;
	struct item heap[MOST];
	bool in[2 * MOST] = { false };

	for (uint32_t i = 0; i < many; i++) {
		items_push(heap, &count, draw(&prng, i));
		ck_assert_uint_eq(count, i + 1);
		in[i] = true;
	}
	empty(heap, count, in);
}

TEST_EACH(made_come_out_in_order, ROUNDS)
{
	struct prng prng = { (uint64_t)_i };
	uint32_t count = prng_between(&prng, 0, MOST);
	struct item heap[MOST];
	bool in[2 * MOST] = { false };

	for (uint32_t i = 0; i < count; i++) {
		heap[i] = draw(&prng, i);
		in[i] = true;
	}
	items_make(heap, count);
	empty(heap, count, in);
}

TEST_EACH(the_first_is_replaced, ROUNDS)
{
	struct prng prng = { (uint64_t)_i };
	uint32_t many = prng_between(&prng, 1, MOST), count = 0;
	struct item heap[MOST];
	bool in[2 * MOST] = { false };

	for (uint32_t i = 0; i < many; i++) {
		items_push(heap, &count, draw(&prng, i));
		in[i] = true;
	}
	for (uint32_t i = 0; i < MOST; i++) {
		for (uint32_t k = 1; k < count; k++)
			ck_assert(before(&heap[0], &heap[k]));
		in[heap[0].id] = false;
		in[MOST + i] = true;
		items_replace(heap, count, draw(&prng, MOST + i));
	}
	empty(heap, count, in);
}

/* The last one may go, and there is nothing to order. */
TEST(one_is_taken_out)
{
	struct item heap[1], item;
	uint32_t count = 0;

	items_push(heap, &count, (struct item){ 7, 3 });
	item = items_pop(heap, &count);
	ck_assert_uint_eq(count, 0);
	ck_assert(item.key == 7 && item.id == 3);
	items_make(heap, 0);
}
