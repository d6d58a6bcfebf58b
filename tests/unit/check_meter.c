/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/keep/meter: the text of metrics, and where it goes. */
#include "slurm/keep/meter.h"

#include "unit/meter_lines.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <sys/stat.h>

static void setup(void)
{
	scratch_setup();
	lw_meter_init(&meter);
}

static const char *const families[] = {
#define LW_FAMILY(name, type, help) "# HELP " name " " help "\n# TYPE " name " " #type "\n",
#include "slurm/keep/meter.def"
};

FIXTURE(setup, scratch_teardown);

TEST(every_family_is_there_once_and_in_order)
{
	char *text = printed(), *at = text, *found;

	for (size_t i = 0; i < LW_COUNT_OF(families); i++) {
		found = strstr(at, families[i]);
		ck_assert_msg(found, "%s", families[i]);
		at = found + 1;
		ck_assert_ptr_null(strstr(at, families[i]));
	}
	free(text);
}

/* A dashboard cannot tell "none yet" from "not there". */
TEST(counters_are_there_from_the_first)
{
	ck_assert(has_line("leeway_sched_starts_total{by=\"slurm\"} 0"));
	ck_assert(has_line("leeway_sched_cycle_seconds_total{part=\"read\"} 0.000000"));
	ck_assert(!has_line("leeway_sched_jobs_waiting 0"));
}

static const struct {
	enum lw_meter_id id;
	int64_t value;
	const char *line;
} numbers[] = {
	{ LW_METER_WAITING, 12, "leeway_sched_jobs_waiting 12" },
	{ LW_METER_THINK, 1500000, "leeway_sched_cycle_seconds_total{part=\"think\"} 1.500000" },
	{ LW_METER_FRAGMENTATION, 1, "leeway_sched_gpu_fragmentation_ratio 0.000001" },
	{ LW_METER_FRAGMENTATION, -1500000, "leeway_sched_gpu_fragmentation_ratio -1.500000" },
	{ LW_METER_READ, INT64_MAX,
	  "leeway_sched_cycle_seconds_total{part=\"read\"} 9223372036854.775807" },
	{ LW_METER_REASON_WAITS_FOR_ROOM, 3, "leeway_sched_decisions{reason=\"no-room\"} 3" },
};

TEST_EACH(a_number_is_exact, LW_COUNT_OF(numbers))
{
	lw_meter_set(&meter, numbers[_i].id, numbers[_i].value);
	ck_assert(has_line(numbers[_i].line));
}

TEST(labels_are_escaped)
{
	struct lw_meter_info odd = info;
	struct lw_strbuf out = LW_STRBUF_INIT;

	odd.policy = "a\"b\\c\nd";
	lw_meter_set(&meter, LW_METER_INFO, 1);
	ck_assert_int_eq(lw_meter_print(&meter, &odd, &out), 0);
	ck_assert_ptr_nonnull(strstr(out.text,
				     "\nleeway_sched_info{version=\"0.1\",slurm=\"24.11.5\","
				     "policy=\"a\\\"b\\\\c\\nd\",order=\"given\","
				     "planner=\"leeway\"} 1\n"));
	lw_strbuf_fini(&out);
}

TEST(a_counter_only_grows)
{
	lw_meter_add(&meter, LW_METER_GONE, 2);
	lw_meter_add(&meter, LW_METER_GONE, -5);
	ck_assert(has_line("leeway_sched_gone_total 2"));
	lw_meter_add(&meter, LW_METER_GONE, INT64_MAX);
	ck_assert(has_line("leeway_sched_gone_total 2"));
}

TEST(what_stock_plans_has_no_gauges)
{
	lw_meter_set(&meter, LW_METER_WAITING, 12);
	lw_meter_add(&meter, LW_METER_GONE, 2);
	lw_meter_unset_gauges(&meter);
	ck_assert(!has_line("leeway_sched_jobs_waiting 12"));
	ck_assert(has_line("leeway_sched_gone_total 2"));
}

/* When, what took how long, and what is told then. */
static const struct {
	int64_t at_s, value, most;
} cycles[] = { { 1000, 5, 5 }, { 1010, 3, 5 }, { 1059, 4, 5 }, { 1060, 1, 5 }, { 1100, 2, 5 },
	       { 1119, 1, 5 }, { 1120, 1, 2 }, { 1180, 1, 1 }, { 1400, 3, 3 }, { 10, 2, 2 } };

TEST(the_longest_is_seen_for_a_minute_at_least)
{
	for (size_t i = 0; i < LW_COUNT_OF(cycles); i++) {
		lw_meter_most(&meter, LW_METER_CYCLE_LONGEST, cycles[i].at_s, cycles[i].value);
		ck_assert_int_eq(meter.value[LW_METER_CYCLE_LONGEST], cycles[i].most);
	}
}

TEST(slurms_counters_begin_anew_at_night)
{
	uint32_t seen = 100;

	ck_assert_uint_eq(lw_meter_grown(&seen, 107), 7);
	ck_assert_uint_eq(lw_meter_grown(&seen, 107), 0);
	ck_assert_uint_eq(lw_meter_grown(&seen, 3), 3);
	ck_assert_uint_eq(lw_meter_grown(&seen, 5), 2);
}

static int write_to(const char *name, struct lw_error *err)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc;

	lw_strbuf_add(&text, "leeway_sched_planning 1\n");
	rc = lw_meter_write(scratch_path(name), &text, err);
	lw_strbuf_fini(&text);
	return rc;
}

TEST(all_may_read_the_file_whatever_the_umask)
{
	mode_t before = umask(0077);
	struct lw_error err;
	struct stat st;
	char *text;

	for (int i = 0; i < 2; i++) {
		ck_assert_msg(!write_to("m.prom", &err), "%s", err.text);
		ck_assert_int_eq(lstat(scratch_path("m.prom"), &st), 0);
		ck_assert_uint_eq(st.st_mode, S_IFREG | 0644);
	}
	umask(before);
	text = scratch_read(scratch_path("m.prom"));
	ck_assert_str_eq(text, "leeway_sched_planning 1\n");
	free(text);
	ck_assert_int_ne(access(scratch_path("m.prom.leeway-new"), F_OK), 0);
}

/* Neither is it written to nor replaced. */
static void check_refused(const char *name)
{
	struct stat before, after;
	struct lw_error err;

	ck_assert_int_eq(lstat(scratch_path(name), &before), 0);
	ck_assert_int_eq(write_to(name, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "something else than a file"));
	ck_assert_int_eq(lstat(scratch_path(name), &after), 0);
	ck_assert_uint_eq(before.st_ino, after.st_ino);
}

TEST(what_is_no_file_is_left_alone)
{
	ck_assert_int_eq(mkfifo(scratch_path("fifo"), 0600), 0);
	check_refused("fifo");
	ck_assert_int_eq(mkdir(scratch_path("dir"), 0700), 0);
	check_refused("dir");
	ck_assert_int_eq(symlink("/dev/null", scratch_path("link")), 0);
	check_refused("link");
}

TEST(a_folder_that_is_not_there_is_told)
{
	struct lw_error err;

	ck_assert_int_eq(write_to("none/m.prom", &err), -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.text, "none/m.prom"));
}
