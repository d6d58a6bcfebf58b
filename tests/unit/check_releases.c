/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of releases: as if all were in order from the beginning. */
#include "planner/time/releases.h"
#include "property/prng.h"

#include "unit/unit.h"

#define ROUNDS 300
#define MOST   40
#define STEPS  30
#define NOW_S  1000

/* The same by an array that is sorted for each question. */
struct plain {
	struct lw_release items[MOST + STEPS];
	uint32_t count;
};

static int by_end(const void *a, const void *b)
{
	const struct lw_release *x = a, *y = b;

	if (x->end_s != y->end_s)
		return x->end_s < y->end_s ? -1 : 1;
	return x->job_id < y->job_id ? -1 : x->job_id > y->job_id;
}

/* In order of their ends, as a simulator has them, or in any order. Few ends, so ids decide. */
static void make_runs(struct prng *prng, struct lw_snapshot *snap, bool sorted)
{
	uint32_t count = prng_between(prng, 0, MOST);
	const struct lw_alloc alloc = { 0 };
	int64_t end_s = NOW_S - 2;

	ck_assert_int_eq(lw_snapshot_add_node(snap, "n", &alloc.res, true, NULL), 0);
	for (uint32_t i = 0; i < count; i++) {
		struct lw_running job = { .job_id = i + 1, .expect_s = prng_between(prng, 0, 9) };

		end_s = sorted ? end_s + prng_between(prng, 0, 2)
			       : NOW_S + (int64_t)prng_between(prng, 0, 20) - 2;
		job.start_s = NOW_S - prng_between(prng, 1, 5);
		job.end_s = end_s;
		ck_assert_int_eq(lw_snapshot_add_running(snap, &job, &alloc, 1, NULL), 0);
	}
	ck_assert(!sorted || snap->running_sorted);
}

static void plain_begin(struct plain *plain, const struct lw_snapshot *snap, enum lw_ends ends,
			int64_t until_s)
{
	plain->count = 0;
	for (uint32_t i = 0; i < snap->running_count; i++) {
		int64_t end_s = lw_running_end_s(&snap->running[i], NOW_S, ends);

		if (end_s <= until_s)
			plain->items[plain->count++] = (struct lw_release){
				.end_s = end_s,
				.job_id = snap->running[i].job_id,
				.alloc_count = 1,
			};
	}
}

static struct lw_release *plain_find(struct plain *plain, uint32_t job_id)
{
	for (uint32_t i = 0; i < plain->count; i++)
		if (plain->items[i].job_id == job_id)
			return &plain->items[i];
	return NULL;
}

/* The first few of both are the same, and no more are there. */
static void look(struct lw_releases *releases, struct plain *plain, uint32_t few)
{
	qsort(plain->items, plain->count, sizeof(*plain->items), by_end);
	for (uint32_t i = 0; i < few; i++) {
		const struct lw_release *release = lw_releases_at(releases, i);

		ck_assert_int_eq(release != NULL, i < plain->count);
		if (!release)
			break;
		ck_assert_int_eq(release->end_s, plain->items[i].end_s);
		ck_assert_uint_eq(release->job_id, plain->items[i].job_id);
		ck_assert_uint_eq(release->alloc_count, plain->items[i].alloc_count);
	}
}

static void add(struct prng *prng, struct lw_releases *releases, struct plain *plain)
{
	struct lw_release release = { .end_s = NOW_S + prng_between(prng, 1, 40),
				      .job_id = 1000 + plain->count,
				      .alloc_count = 1,
				      .planned = true };

	plain->items[plain->count++] = release;
	ck_assert_int_eq(lw_releases_add(releases, &release), 0);
}

static void change(struct prng *prng, struct lw_releases *releases, struct plain *plain)
{
	uint32_t run = prng_between(prng, 0, releases->snap->running_count - 1);
	struct lw_release *same = plain_find(plain, releases->snap->running[run].job_id);
	int64_t by_s = prng_between(prng, 1, 10);

	if (prng_between(prng, 0, 1)) {
		lw_releases_drop(releases, run);
		if (same)
			same->alloc_count = 0;
		return;
	}
	lw_releases_prolong(releases, run, by_s);
	if (same)
		same->end_s += by_s;
}

static void compare(uint64_t seed, bool sorted, enum lw_ends ends, int64_t until_s)
{
	struct prng prng = { seed };
	struct lw_releases releases;
	struct lw_snapshot snap;
	struct plain plain;

	lw_snapshot_init(&snap, NOW_S);
	lw_releases_init(&releases);
	make_runs(&prng, &snap, sorted);
	for (int again = 0; again < 2; again++) {
		plain_begin(&plain, &snap, ends, until_s);
		ck_assert_int_eq(lw_releases_begin(&releases, &snap, ends, until_s), 0);
		for (uint32_t step = 0; step < STEPS; step++) {
			switch (prng_between(&prng, 0, 5)) {
			case 0:
				look(&releases, &plain, MOST + STEPS);
				break;
			case 1:
			case 2:
				add(&prng, &releases, &plain);
				break;
			case 3:
				if (snap.running_count)
					change(&prng, &releases, &plain);
				break;
			default:
				look(&releases, &plain, prng_between(&prng, 0, 9));
			}
		}
		look(&releases, &plain, MOST + STEPS);
	}
	lw_releases_fini(&releases);
	lw_snapshot_fini(&snap);
}

TEST_EACH(hard_ends_of_sorted_jobs, ROUNDS)
{
	compare((uint64_t)_i, true, LW_ENDS_HARD, INT64_MAX);
}

TEST_EACH(hard_ends_of_jobs_in_any_order, ROUNDS)
{
	compare((uint64_t)_i, false, LW_ENDS_HARD, INT64_MAX);
}

TEST_EACH(expected_ends_up_to_a_time, ROUNDS)
{
	compare((uint64_t)_i, _i % 2, LW_ENDS_EXPECTED, NOW_S + 4);
}
