/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway report: runs whose jobs came late are not compared. */
#include "cli/report/report.h"
#include "unit/run_files.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One submission on time and one late by so many of 1000 seconds, of two runs; -1: not told. */
static const struct {
	int late_s[2];
	int code;
	bool has_ratio;
} lateness[] = {
	{ { 0, 0 }, LW_TOOLS_OK, true },
	{ { 40, 20 }, LW_TOOLS_OK, true }, /* 20 s on average, which is 2 % */
	{ { 41, 0 }, LW_TOOLS_LATE, false },
	{ { 0, 3368 }, LW_TOOLS_LATE, false },
	{ { -1, 0 }, LW_TOOLS_OK, true },
	{ { -1, -1 }, LW_TOOLS_OK, true },
	{ { -1, 3368 }, LW_TOOLS_LATE, false },
};

static void write_submitted(const char *name, int late_s)
{
	char text[128];

	snprintf(text, sizeof(text), "1\t11\t5000\t0\t1\n2\t12\t%d\t%d\t1\n", 6000 + late_s,
		 late_s);
	if (late_s >= 0)
		scratch_write(name, text);
}

static void write_pair(const int late_s[2])
{
	ck_assert_int_eq(mkdir(scratch_path("other"), 0700), 0);
	write_run(sacct);
	scratch_write("other/sacct.psv", sacct);
	scratch_write("other/meta.json", "{\"label\": \"leeway\"}");
	write_submitted("submitted.tsv", late_s[0]);
	write_submitted("other/submitted.tsv", late_s[1]);
}

static void check_text(const char *text, const char *first, bool late, bool has_ratio)
{
	const char *sentence = strstr(text, "Do not believe these figures");
	const char *row = strstr(text, first);

	ck_assert_msg(!sentence == !late, "%s", text);
	/* what comes first has more behind it */
	ck_assert(!sentence || strlen(sentence) > strlen(row));
	ck_assert_msg(!strstr(text, "ratio") == !has_ratio, "%s", text);
	ck_assert_msg(!has_ratio || strstr(text, "1.00"), "%s", text);
}

static void check_words(const char *file, const char *first, bool late, bool has_ratio)
{
	char *text = scratch_read(scratch_path(file));

	check_text(text, first, late, has_ratio);
	free(text);
}

FIXTURE(scratch_setup, scratch_teardown);

/* What has come too late is another workload: the reader is told first, and gets no ratio. */
TEST_EACH(what_came_late_is_not_compared, LW_COUNT_OF(lateness))
{
	char other[PATH_MAX];
	char *argv[] = { "report", "-q", scratch_dir, other, "--out", scratch_dir, NULL };
	bool late = lateness[_i].code == LW_TOOLS_LATE;
	json_t *json;

	snprintf(other, sizeof(other), "%s/other", scratch_dir);
	write_pair(lateness[_i].late_s);
	ck_assert_int_eq(run_report(6, argv), lateness[_i].code);
	check_words("report.txt", "wait, mean", late, lateness[_i].has_ratio);
	check_words("report.html", "<svg", late, lateness[_i].has_ratio);
	json = json_load_file(scratch_path("report.json"), 0, NULL);
	ck_assert_int_eq(json_is_true(json_object_get(json, "too_late")), late);
	json_decref(json);
}

/* A run in which fewer jobs start has other means, and nothing is divided by them. */
TEST(other_jobs_are_not_compared)
{
	static const int in_time[2] = { 0, 0 };
	char other[96], *text;
	char *argv[] = { "report", "-q", scratch_dir, other, "--out", scratch_dir, NULL };
	json_t *json;

	snprintf(other, sizeof(other), "%s/other", scratch_dir);
	write_pair(in_time);
	scratch_write("other/sacct.psv",
		      HEAD "11|11|1000|1000|1100|COMPLETED|1|8|" TRES "|SchedSubmit||a\n"
			   "12|12|1000|None|1200|CANCELLED|1|8|||x|b\n");
	ck_assert_int_eq(run_report(6, argv), LW_TOOLS_OK);
	text = scratch_read(scratch_path("report.txt"));
	ck_assert_msg(strstr(text, "These means are of different jobs, by more than 1 %") != NULL,
		      "%s", text);
	ck_assert_ptr_nonnull(strstr(text, "1 jobs of 2 started under leeway"));
	ck_assert_ptr_null(strstr(text, "ratio\n"));
	/* nor is the count of the first that of all */
	ck_assert_msg(strstr(text, " (3 and 1 jobs) ") != NULL, "%s", text);
	free(text);
	text = scratch_read(scratch_path("report.html"));
	ck_assert_ptr_nonnull(strstr(text, "These means are of different jobs"));
	ck_assert_ptr_null(strstr(text, ">ratio<"));
	free(text);
	json = json_load_file(scratch_path("report.json"), 0, NULL);
	ck_assert(json_is_false(json_object_get(json, "comparable")));
	json_decref(json);
}

static double real_of(const json_t *run, const char *key)
{
	const json_t *value = json_object_get(run, key);

	ck_assert_msg(value != NULL, "%s", key);
	return json_is_null(value) ? -1 : json_number_value(value);
}

/* Mean, greatest and share of the span of arrivals; without submitted.tsv nothing is known. */
TEST_EACH(lateness_is_told, 2)
{
	char *argv[] = { "report", "-q", scratch_dir, "--out", scratch_dir, NULL };
	static const double known[2][4] = { { 1684, 3368, 1000, 1.684 }, { -1, -1, -1, -1 } };
	char *table;
	json_t *json, *run;

	write_run(sacct);
	write_submitted("submitted.tsv", _i ? -1 : 3368);
	ck_assert_int_eq(run_report(5, argv), _i ? LW_TOOLS_OK : LW_TOOLS_LATE);
	json = json_load_file(scratch_path("report.json"), 0, NULL);
	run = json_array_get(json_object_get(json, "runs"), 0);
	ck_assert_double_eq_tol(real_of(run, "lateness_mean_s"), known[_i][0], 1e-9);
	ck_assert_double_eq_tol(real_of(run, "lateness_max_s"), known[_i][1], 1e-9);
	ck_assert_double_eq_tol(real_of(run, "arrivals_s"), known[_i][2], 1e-9);
	ck_assert_double_eq_tol(real_of(run, "lateness_share"), known[_i][3], 1e-9);
	json_decref(json);
	table = scratch_read(scratch_path("report.txt"));
	ck_assert_ptr_nonnull(strstr(table, _i ? "how late its jobs were submitted is not known"
					       : "28m04s"));
	free(table);
}

/* All at once: there is no span that it could be a share of. */
TEST(a_burst_is_not_judged)
{
	char *argv[] = { "report", "-q", scratch_dir, "--out", scratch_dir, NULL };

	write_run(sacct);
	scratch_write("submitted.tsv", "1\t11\t5003\t3\t1\n2\t12\t5009\t9\t1\n");
	ck_assert_int_eq(run_report(5, argv), LW_TOOLS_OK);
	check_words("report.txt", "wait, mean", false, false);
}
