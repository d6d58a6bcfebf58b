/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a dumped cycle, whatever was put in the place of its files. */
#include "slurm/agent/dump.h"

#include "unit/scratch.h"
#include "unit/unit.h"

#include <sys/stat.h>

#define SNAP "cycle-000003.snap"
#define PLAN "cycle-000003.plan"

static int dump(struct lw_error *err)
{
	const struct lw_dump_place place = { scratch_dir, 10, 13 };
	struct lw_policy_params params;
	struct lw_snapshot snap;
	struct lw_plan plan;
	int rc;

	lw_policy_params_default(&params);
	lw_snapshot_init(&snap, 1000);
	lw_plan_init(&plan);
	rc = lw_dump_cycle(&place, &params, &snap, &plan, err);
	lw_plan_fini(&plan);
	lw_snapshot_fini(&snap);
	return rc;
}

/* It is a file of ours alone that begins as such a one does. */
static void check_file(const char *name, const char *begin)
{
	char *text = scratch_read(scratch_path(name));
	struct stat st;

	ck_assert_int_eq(lstat(scratch_path(name), &st), 0);
	ck_assert(S_ISREG(st.st_mode));
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	ck_assert_msg(!strncmp(text, begin, strlen(begin)), "%s: %s", name, text);
	free(text);
}

static void check_dumped(void)
{
	struct lw_error err;

	ck_assert_msg(!dump(&err), "%s", err.text);
	check_file(SNAP, "lw-snapshot ");
	check_file(PLAN, "lw-plan ");
}

FIXTURE(scratch_setup, scratch_teardown);

TEST(twice_into_the_same_files)
{
	check_dumped();
	check_dumped();
}

/* The folder may be one where users can make files. */
TEST(a_file_of_somebody_else_is_not_written_to)
{
	char *text;

	scratch_write("theirs", "theirs");
	ck_assert_int_eq(link(scratch_path("theirs"), scratch_path(SNAP)), 0);
	ck_assert_int_eq(symlink(scratch_path("theirs"), scratch_path(PLAN)), 0);
	check_dumped();
	text = scratch_read(scratch_path("theirs"));
	ck_assert_str_eq(text, "theirs");
	free(text);
}

TEST(a_fifo_does_not_keep_us_waiting)
{
	ck_assert_int_eq(mkfifo(scratch_path(SNAP), 0666), 0);
	check_dumped();
}

TEST(what_is_wrong_is_said)
{
	struct lw_error err;

	ck_assert_int_eq(mkdir(scratch_path(PLAN), 0700), 0);
	ck_assert_int_lt(dump(&err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, PLAN));
}
