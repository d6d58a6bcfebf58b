/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/suspects: nodes that failed under two jobs within a day. */
#include "slurm/keep/suspects.h"

#include "base/savefile.h"
#include "unit/last_error.h"
#include "unit/scratch.h"

#include <stdint.h>
#include <string.h>

#define NOW  500000
#define HOUR 3600

static struct lw_suspects *suspects;

static void open_suspects(void)
{
	ck_assert_int_eq(lw_suspects_create(scratch_path("suspects"), NOW, &test_log, &suspects),
			 0);
}

static void setup(void)
{
	last_error[0] = '\0';
	scratch_setup();
	open_suspects();
}

static void teardown(void)
{
	lw_suspects_destroy(suspects);
	scratch_teardown();
}

static void restart(void)
{
	struct lw_error err;

	ck_assert_int_eq(lw_suspects_save(suspects, &err), 0);
	lw_suspects_destroy(suspects);
	open_suspects();
}

FIXTURE(setup, teardown);

/* Two failures of n1: the second of JOB, so long after the first, which was of job 7. */
static const struct {
	uint32_t job;
	int64_t after_s;
	bool suspect;
} seconds[] = {
	{ 8, HOUR, true },
	{ 7, HOUR, false }, /* the job itself may break it */
	{ 8, 0, false },    /* one failure takes all jobs along */
	{ 8, LW_SUSPECT_APART_S - 1, false },
	{ 8, LW_SUSPECT_APART_S, true },
	{ 8, LW_SUSPECT_DAY_S - 1, true },
	{ 8, LW_SUSPECT_DAY_S, false },
};

TEST_EACH(two_jobs_make_a_node_suspect, LW_COUNT_OF(seconds))
{
	const struct lw_suspect *node;

	ck_assert_ptr_null(lw_suspects_note(suspects, "n1", 7, NOW));
	node = lw_suspects_note(suspects, "n1", seconds[_i].job, NOW + seconds[_i].after_s);
	ck_assert_int_eq(node != NULL, seconds[_i].suspect);
	ck_assert_int_eq(lw_suspects_has(suspects, "n1"), seconds[_i].suspect);
	ck_assert_uint_eq(lw_suspects_count(suspects), seconds[_i].suspect);
	if (node) {
		ck_assert_uint_eq(node->job, 8);
		ck_assert_uint_eq(node->job_before, 7);
		ck_assert_int_eq(node->before_s, NOW);
	}
}

TEST(nodes_are_told_apart)
{
	lw_suspects_note(suspects, "n2", 7, NOW);
	lw_suspects_note(suspects, "n1", 8, NOW + HOUR);
	ck_assert(!lw_suspects_has(suspects, "n1"));
	ck_assert(!lw_suspects_has(suspects, "n2"));
	ck_assert(!lw_suspects_has(suspects, "n3"));
	ck_assert(!lw_suspects_has(NULL, "n1"));
}

TEST(it_is_told_once)
{
	lw_suspects_note(suspects, "n1", 7, NOW);
	ck_assert_ptr_nonnull(lw_suspects_note(suspects, "n1", 8, NOW + HOUR));
	ck_assert_ptr_null(lw_suspects_note(suspects, "n1", 9, NOW + 2 * HOUR));
	ck_assert(lw_suspects_has(suspects, "n1"));
}

TEST(a_day_after_the_last_failure_it_is_forgotten)
{
	lw_suspects_note(suspects, "n1", 7, NOW);
	lw_suspects_note(suspects, "n1", 8, NOW + HOUR);
	lw_suspects_expire(suspects, NOW + HOUR + LW_SUSPECT_DAY_S - 1);
	ck_assert(lw_suspects_has(suspects, "n1"));
	lw_suspects_expire(suspects, NOW + HOUR + LW_SUSPECT_DAY_S);
	ck_assert(!lw_suspects_has(suspects, "n1"));
}

TEST(a_restart_of_slurmctld_forgets_nothing)
{
	lw_suspects_note(suspects, "n1", 7, NOW);
	lw_suspects_note(suspects, "n2", 7, NOW);
	lw_suspects_note(suspects, "n1", 8, NOW + HOUR);
	restart();
	ck_assert(lw_suspects_has(suspects, "n1"));
	ck_assert(!lw_suspects_has(suspects, "n2"));
	lw_suspects_note(suspects, "n2", 8, NOW + HOUR);
	ck_assert(lw_suspects_has(suspects, "n2"));
	lw_suspects_clear(suspects);
	restart();
	ck_assert(!lw_suspects_has(suspects, "n1"));
	ck_assert_str_eq(last_error, "");
}

TEST(no_name_no_job_and_no_room_are_left_out)
{
	char name[LW_SUSPECT_NAME_MAX + 1];

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ck_assert_ptr_null(lw_suspects_note(suspects, NULL, 7, NOW));
	ck_assert_ptr_null(lw_suspects_note(suspects, "", 7, NOW));
	ck_assert_ptr_null(lw_suspects_note(suspects, name, 7, NOW));
	ck_assert_ptr_null(lw_suspects_note(suspects, "n1", 0, NOW));
	for (uint32_t i = 0; i < LW_SUSPECTS_MAX; i++) {
		snprintf(name, sizeof(name), "m%u", i);
		lw_suspects_note(suspects, name, 7, NOW);
	}
	lw_suspects_note(suspects, "n1", 7, NOW);
	ck_assert_ptr_null(lw_suspects_note(suspects, "n1", 8, NOW + HOUR));
	ck_assert_ptr_nonnull(lw_suspects_note(suspects, "m5", 8, NOW + HOUR));
}

static const char *const damaged[] = {
	"node n1 7 100 0 0\nnode n1 8 100 0 0\n", /* twice */
	"node n1 7 100 7 50\n",
	"node n1 7 100 8 101\n",
	"node n1 0 100 0 0\n",
	"node n1 7 100 0\n",
	"node n1 7 100 0 0 1\n",
	"node  7 100 0 0\n",
	"job n1 7 100 0 0\n",
	"node n1 4294967296 100 0 0\n",
	"node n1 7 1000000000001 0 0\n",
};

TEST_EACH(a_damaged_file_is_set_aside, LW_COUNT_OF(damaged))
{
	struct lw_error err;

	ck_assert_int_eq(lw_savefile_write(scratch_path("suspects"), LW_SUSPECTS_KIND,
					   LW_SUSPECTS_VERSION, damaged[_i], strlen(damaged[_i]),
					   &err),
			 0);
	lw_suspects_destroy(suspects);
	open_suspects();
	ck_assert_ptr_nonnull(strstr(last_error, "set aside"));
	lw_suspects_note(suspects, "n1", 7, NOW);
	ck_assert_ptr_nonnull(lw_suspects_note(suspects, "n1", 9, NOW + HOUR));
}
