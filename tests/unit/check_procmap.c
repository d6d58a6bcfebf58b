/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of lab/sim/procmap.h: no two jobs ever have the same processor. */
#include "lab/sim/procmap.h"

#include "measure/machine.h"
#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct lw_snapshot snap;
static struct lw_procmap map;

/* Three nodes of four CPUs and two GPUs. */
static void setup(bool by_gpus)
{
	const struct lw_machine machine = { .nodes = 3, .cpus_per_node = 4, .gpus_per_node = 2 };

	ck_assert_int_eq(lw_machine_build(&machine, &snap), 0);
	ck_assert_int_eq(lw_procmap_init(&map, &snap, by_gpus, 8), 0);
}

static void teardown(void)
{
	ck_assert_int_eq(map.error, 0);
	lw_procmap_fini(&map);
	lw_snapshot_fini(&snap);
}

static void take(uint32_t job, uint32_t node, uint32_t cpus, uint16_t gpus)
{
	struct lw_alloc alloc = { .node = node, .res.cpus = cpus };

	alloc.res.gpus[0] = gpus;
	lw_procmap_take(&map, job, &alloc, 1);
}

static void check(uint32_t job, const char *wanted)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;

	lw_procmap_print(&map, job, &sb);
	ck_assert_str_eq(lw_strbuf_text(&sb), wanted);
	lw_strbuf_fini(&sb);
}

/* The lowest that are free, on the node that the planner chose. */
TEST(the_lowest_are_taken)
{
	setup(false);
	take(0, 1, 2, 0);
	take(1, 1, 1, 0);
	take(2, 0, 4, 0);
	check(0, "4-5");
	check(1, "6");
	check(2, "0-3");
	lw_procmap_give(&map, 0);
	take(3, 1, 3, 0);
	check(3, "4-5 7");
	check(0, "4-5"); /* it is still known what it had */
	lw_procmap_give(&map, 1);
	lw_procmap_give(&map, 2);
	lw_procmap_give(&map, 3);
	ck_assert_uint_eq(map.free_count, 1);
	ck_assert_uint_eq(map.free[0].last, 11);
	teardown();
}

TEST(several_nodes_are_in_order)
{
	struct lw_alloc allocs[3] = { { .node = 2, .res.cpus = 4 },
				      { .node = 0, .res.cpus = 3 },
				      { .node = 1, .res.cpus = 4 } };

	setup(false);
	lw_procmap_take(&map, 0, allocs, 3);
	check(0, "0-2 4-11");
	take(1, 0, 1, 0);
	check(1, "3");
	teardown();
}

/* Of a machine with GPUs they count, and who has none has no processor. */
TEST(gpus_are_the_processors)
{
	setup(true);
	take(0, 2, 1, 2);
	take(1, 2, 3, 0);
	check(0, "4-5");
	check(1, "");
	teardown();
}

/* What is not there is not given twice. */
TEST(more_than_there_is_is_less)
{
	setup(false);
	take(0, 0, 3, 0);
	take(1, 0, 3, 0);
	check(1, "3");
	check(7, "");
	check(99, "");
	teardown();
}

/* Who is stopped and goes on elsewhere has what it had last, and gives that back alone. */
TEST(who_goes_on_has_the_last)
{
	setup(false);
	take(0, 0, 2, 0);
	lw_procmap_give(&map, 0);
	take(1, 0, 3, 0);
	take(0, 1, 2, 0);
	check(0, "4-5");
	lw_procmap_give(&map, 0);
	take(2, 0, 4, 0);
	check(2, "3"); /* 0 to 2 are those of 1 */
	teardown();
}

TEST(a_guest_keeps_what_was_its_host_s)
{
	setup(true);
	take(0, 0, 1, 1);
	lw_procmap_join(&map, 1, 0);
	check(1, "0");
	lw_procmap_pass(&map, 0, 1);
	lw_procmap_give(&map, 0);
	lw_procmap_join(&map, 2, 1);
	lw_procmap_give(&map, 2);
	take(3, 0, 1, 1);
	check(3, "1");
	lw_procmap_give(&map, 1);
	take(4, 0, 1, 1);
	check(4, "0");
	teardown();
}

/* As another process of this program writes them. */
TEST(what_jobs_had_is_read_again)
{
	struct lw_procmap written;
	FILE *file = tmpfile();

	setup(false);
	take(0, 1, 2, 0);
	take(2, 0, 4, 0);
	take(1, 1, 1, 0);
	lw_procmap_give(&map, 0);
	take(3, 1, 3, 0);
	ck_assert_int_eq(lw_procmap_write(&map, file), 0);
	rewind(file);
	written = map;
	map = (struct lw_procmap){ 0 };
	ck_assert_int_eq(lw_procmap_read(&map, file), 0);
	lw_procmap_fini(&written);
	check(0, "4-5");
	check(2, "0-3");
	check(3, "4-5 7");
	check(7, "");
	teardown();
	/* there is no more in it */
	ck_assert_int_eq(lw_procmap_read(&map, file), -EIO);
	lw_procmap_fini(&map);
	(void)fclose(file);
}
