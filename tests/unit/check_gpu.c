/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway gpu: its verdicts, the sliding window, and what it prints. */
#include "cli/common/tools.h"
#include "cli/gpu/gpu.h"
#include "record/file.h"
#include "unit/gpu_play.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <jansson.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the command ---- */

/* Run it; its exit code, and what it wrote in *ret_said for free(). */
static int run(char **argv, char **ret_said)
{
	int argc = 0, rc;

	while (argv[argc])
		argc++;
	rc = scratch_run(lw_tools_gpu, argc, argv);
	*ret_said = scratch_read(scratch_path("out"));
	return rc;
}

/* The parts of a job that runs: open, and locked, while the test lasts. */
static struct lw_record_file *live_parts[2];

static void live_teardown(void)
{
	for (int i = 0; i < 2; i++) {
		lw_record_file_abandon(live_parts[i]);
		live_parts[i] = NULL;
	}
	scratch_teardown();
}

/* A job of two nodes in two directories, its second node idle of late. */
static void write_job(bool live)
{
	static const struct phase busy[] = { { 200, 80, 9000, 1 }, { 0, 0, 0, 0 } };
	static const struct phase waits[] = { { 50, 80, 9000, 1 },
					      { 150, 0, 9000, 1 },
					      { 0, 0, 0, 0 } };
	char other[96];

	snprintf(other, sizeof(other), "%s/other", scratch_dir);
	ck_assert_int_eq(mkdir(other, 0755), 0);
	for (int i = 0; i < 2; i++) {
		struct lw_record *record = make_record(7, i ? "n2" : "n1", 2);
		struct lw_record_file *file = NULL;

		play(record, i ? waits : busy);
		ck_assert_int_eq(
			lw_record_file_create(i ? other : scratch_dir, record, &file, NULL), 0);
		if (live) {
			live_parts[i] = file;
		} else {
			record->head.end_s = START + 2000;
			ck_assert_int_eq(lw_record_file_finish(file, record, NULL), 0);
		}
		lw_record_destroy(record);
	}
}

FIXTURE(scratch_setup, live_teardown);

TEST(job_is_shown)
{
	char other[96], *said;
	char *table[] = { "gpu", "7", "--dir", scratch_dir, "--dir", other, NULL };
	char *as_json[] = { "gpu", "7", "--json", "--dir", scratch_dir, "--dir", other, NULL };
	json_t *o, *gpu;

	write_job(false);
	snprintf(other, sizeof(other), "%s/other", scratch_dir);
	ck_assert_int_eq(run(table, &said), 0);
	ck_assert_msg(strstr(said, "4 GPUs on 2 nodes") != NULL, "%s", said);
	ck_assert_msg(strstr(said, "(33m20s)") != NULL, "%s", said);
	free(said);
	ck_assert_int_eq(run(as_json, &said), 0);
	o = json_loads(said, 0, NULL);
	ck_assert_ptr_nonnull(o);
	ck_assert_str_eq(json_string_value(json_object_get(o, "summary")),
			 "leeway:gpu=n:4,util:50/80,mem:9000/9000M,idle:3000,half:40");
	gpu = json_array_get(
		json_object_get(json_array_get(json_object_get(o, "nodes"), 1), "gpus"), 1);
	ck_assert_int_eq(json_integer_value(json_object_get(gpu, "idle_s")), 1500);
	ck_assert_uint_eq(json_array_size(json_object_get(gpu, "series")), 200);
	json_decref(o);
	free(said);
}

/* Of what the device does not tell there is no figure, nor a time. */
static const struct {
	struct phase phases[2];
	uint32_t mem_total_mib;
	bool idle, empty; /* they are known */
} told[] = {
	{ { { 200, 80, 9000, 1 } }, 40960, true, true },
	{ { { 200, 80, 9000, -1 } }, 0, true, false },
	{ { { 200, -1, -1, -1 } }, 0, false, false },
	{ { { 0, 0, 0, 0 } }, 0, false, false },
};

TEST_EACH(what_is_not_told_is_null, LW_COUNT_OF(told))
{
	char *said, *argv[] = { "gpu", "8", "--json", "--dir", scratch_dir, NULL };
	struct lw_record *record = make_record(8, "n1", 1);
	struct lw_record_file *file = NULL;
	json_t *o, *gpu;

	record->head.gpu[0].mem_total_mib = told[_i].mem_total_mib;
	play(record, told[_i].phases);
	ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &file, NULL), 0);
	record->head.end_s = START + 2000;
	ck_assert_int_eq(lw_record_file_finish(file, record, NULL), 0);
	lw_record_destroy(record);
	ck_assert_int_eq(run(argv, &said), 0);
	o = json_loads(said, 0, NULL);
	gpu = json_array_get(
		json_object_get(json_array_get(json_object_get(o, "nodes"), 0), "gpus"), 0);
	ck_assert_int_eq(json_is_integer(json_object_get(gpu, "memory_total_mib")),
			 told[_i].mem_total_mib > 0);
	ck_assert_int_eq(json_is_integer(json_object_get(gpu, "idle_s")), told[_i].idle);
	ck_assert_int_eq(json_is_integer(json_object_get(gpu, "empty_s")), told[_i].empty);
	ck_assert_int_eq(json_is_null(json_object_get(gpu, "empty_s")), !told[_i].empty);
	json_decref(o);
	free(said);
}

TEST(svg_is_drawn)
{
	char other[96], svg[96], *said, *text;
	char *argv[] = { "gpu", "7", "--svg", svg, "--dir", scratch_dir, "--dir", other, NULL };

	write_job(false);
	snprintf(other, sizeof(other), "%s/other", scratch_dir);
	snprintf(svg, sizeof(svg), "%s/use.svg", scratch_dir);
	ck_assert_int_eq(run(argv, &said), 0);
	free(said);
	text = scratch_read(svg);
	ck_assert_ptr_nonnull(strstr(text, "n2 GPU 1"));
	ck_assert_ptr_nonnull(strstr(text, "GPUs of job 7: Utilisation"));
	ck_assert_ptr_nonnull(strstr(text, "Power: not known"));
	ck_assert_ptr_nonnull(strstr(text, "</svg>"));
	free(text);
}

TEST(idle_gpus_are_found)
{
	char other[96], now[16], *said;
	char *text[] = { "gpu",   "--idle",    "--window", "20m", "--now", now,
			 "--dir", scratch_dir, "--dir",    other, NULL };
	char *as_json[] = { "gpu",    "--idle", "--window",  "20m",   "--now", now,
			    "--json", "--dir",  scratch_dir, "--dir", other,   NULL };
	char *longer[] = { "gpu",   "--idle",    "--window", "30m", "--now", now,
			   "--dir", scratch_dir, "--dir",    other, NULL };
	json_t *list, *job;

	write_job(true);
	snprintf(other, sizeof(other), "%s/other", scratch_dir);
	snprintf(now, sizeof(now), "%d", START + 2000);
	ck_assert_int_eq(run(text, &said), LW_TOOLS_FOUND);
	ck_assert_msg(strstr(said, "2 of 4 25m") != NULL, "%s", said);
	free(said);
	ck_assert_int_eq(run(as_json, &said), LW_TOOLS_FOUND);
	list = json_loads(said, 0, NULL);
	job = json_array_get(json_object_get(list, "jobs"), 0);
	ck_assert_str_eq(json_string_value(json_object_get(job, "job")), "7");
	ck_assert_str_eq(json_string_value(json_object_get(list, "schema")), "leeway.gpu.idle");
	ck_assert_int_eq(json_integer_value(json_object_get(list, "schema_version")), 1);
	ck_assert_int_eq(json_integer_value(json_object_get(job, "idle_gpus")), 2);
	ck_assert_int_eq(json_integer_value(json_object_get(job, "idle_since_s")), START + 500);
	json_decref(list);
	free(said);
	ck_assert_int_eq(run(longer, &said), 0);
	ck_assert_str_eq(said, "no job holds idle GPUs\n");
	free(said);
	as_json[3] = longer[3];
	ck_assert_int_eq(run(as_json, &said), 0);
	ck_assert_ptr_nonnull(strstr(said, "\"jobs\": []"));
	free(said);
}

TEST(prometheus_reads_the_last_values)
{
	char other[96], path[96], *said, *text;
	char *argv[] = {
		"gpu", "--prometheus", path, "--dir", scratch_dir, "--dir", other, NULL
	};

	write_job(true);
	snprintf(other, sizeof(other), "%s/other", scratch_dir);
	snprintf(path, sizeof(path), "%s/leeway.prom", scratch_dir);
	ck_assert_int_eq(run(argv, &said), 0);
	free(said);
	text = scratch_read(path);
	ck_assert_ptr_nonnull(strstr(text, "# TYPE leeway_gpu_utilization_percent gauge\n"));
	ck_assert_ptr_nonnull(strstr(text,
				     "leeway_gpu_memory_used_bytes{jobid=\"7\",user=\"root\","
				     "node=\"n1\",gpu=\"0\",uuid=\"GPU-n1-0\"} 9437184000\n"));
	ck_assert_ptr_nonnull(strstr(text,
				     "leeway_gpu_idle_seconds_total{jobid=\"7\",user=\"root\","
				     "node=\"n2\",gpu=\"1\",uuid=\"GPU-n2-1\"} 1500\n"));
	ck_assert_ptr_null(strstr(text, "power"));
	free(text);
}

#define ACCOUNTING "JobID|State|ElapsedRaw|AllocTRES|AdminComment\n"

static const char accounting[] =
	ACCOUNTING
	"12|COMPLETED|3600|gres/gpu=2,node=1|leeway:dl=training,gang=0,conf=90,ev=torchrun "
	"leeway:gpu=n:2,util:50/99,mem:31/40G,idle:720\n"
	"13_4|CANCELLED by 0|1800|gres/gpu=1|note\n"
	"14|COMPLETED|60|billing=4,node=1|\n";

TEST(prometheus_labels_are_escaped)
{
	char path[96], *said, *text;
	char *argv[] = { "gpu", "--prometheus", path, "--dir", scratch_dir, NULL };
	struct lw_record *record = make_record(8, "a\"b\\", 1);
	struct lw_record_file *file = NULL;

	play(record, (const struct phase[]){ { 3, 50, 100, 1 }, { 0 } });
	ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &file, NULL), 0);
	snprintf(path, sizeof(path), "%s/leeway.prom", scratch_dir);
	ck_assert_int_eq(run(argv, &said), 0);
	free(said);
	text = scratch_read(path);
	ck_assert_ptr_nonnull(strstr(text, "node=\"a\\\"b\\\\\",gpu=\"0\""));
	free(text);
	lw_record_file_abandon(file);
	lw_record_destroy(record);
}

TEST(user_is_summed_up)
{
	char path[96], *said;
	char *text[] = { "gpu", "--user", "root", "--sacct", path, NULL };
	char *as_json[] = { "gpu", "--user", "root", "--sacct", path, "--json", NULL };
	json_t *o, *totals;

	snprintf(path, sizeof(path), "%s", scratch_write("jobs", accounting));
	ck_assert_int_eq(run(text, &said), 0);
	ck_assert_msg(strstr(said,
			     "2 jobs with GPUs, 1 of them recorded; 2.5 GPU-hours\nidle 0.2 "
			     "(10 %)") != NULL,
		      "%s", said);
	ck_assert_ptr_nonnull(strstr(said, "no record"));
	free(said);
	ck_assert_int_eq(run(as_json, &said), 0);
	o = json_loads(said, 0, NULL);
	totals = json_object_get(o, "totals");
	ck_assert_int_eq(json_integer_value(json_object_get(totals, "jobs")), 2);
	ck_assert(json_real_value(json_object_get(totals, "util_mean")) > 49.9);
	ck_assert_uint_eq(json_array_size(json_object_get(o, "jobs")), 2);
	json_decref(o);
	free(said);
	scratch_write("jobs", ACCOUNTING "13|COMPLETED|60|gres/gpu=1|\n");
	ck_assert_int_eq(run(text, &said), 0);
	ck_assert_msg(strstr(said, "\n1 job with GPUs, 0 of them recorded") != NULL, "%s", said);
	free(said);
	scratch_write("jobs", ACCOUNTING "12|COMPLETED\n");
	ck_assert_int_eq(run(text, &said), LW_TOOLS_FAILED);
	free(said);
}

/* Of how many lines the first curve in SVG is made. */
__attribute__((noinline)) static uint32_t count_lines(const char *svg)
{
	const char *curve = strstr(svg, "stroke-width=\"1.8\" d=\"");
	uint32_t lines = 0;

	for (curve = curve ? strstr(curve, " d=\"") + 4 : ""; *curve && *curve != '"'; curve++)
		lines += *curve == 'M';
	return lines;
}

/* For ten minutes nothing was read, and then again; a reading that comes late is no gap. */
TEST(a_gap_in_the_readings_is_one_in_the_chart)
{
	char svg[96], *said, *text;
	char *argv[] = { "gpu", "8", "--svg", svg, "--dir", scratch_dir, NULL };
	struct lw_gpu_sample sample = { 1u << LW_METRIC_UTIL, { [LW_METRIC_UTIL] = 50 } };
	struct lw_record *record = make_record(8, "n1", 1);
	struct lw_record_file *file = NULL;

	for (int64_t s = 0; s < 1200; s += s == 300 ? 20 : s == 320 ? 600 : 10)
		ck_assert_int_eq(lw_record_add(record, START + s, &sample), 0);
	ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &file, NULL), 0);
	snprintf(svg, sizeof(svg), "%s/use.svg", scratch_dir);
	ck_assert_int_eq(run(argv, &said), 0);
	free(said);
	text = scratch_read(svg);
	ck_assert_uint_eq(count_lines(text), 2);
	ck_assert_ptr_null(strstr(text, "nan"));
	free(text);
	lw_record_file_abandon(file);
	lw_record_destroy(record);
}

/* Of long before the job: there the chart has no place, and no end. */
TEST(a_clock_set_back_leaves_the_chart_alone)
{
	char svg[96], *said, *text;
	char *argv[] = { "gpu", "8", "--svg", svg, "--dir", scratch_dir, NULL };
	struct lw_gpu_sample sample = { 1u << LW_METRIC_UTIL, { [LW_METRIC_UTIL] = 50 } };
	struct lw_record *record = make_record(8, "n1", 1);
	struct lw_record_file *file = NULL;

	play(record, (const struct phase[]){ { 30, 50, 100, 1 }, { 0 } });
	ck_assert_int_eq(lw_record_add(record, START - 1600000000, &sample), 0);
	ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &file, NULL), 0);
	snprintf(svg, sizeof(svg), "%s/use.svg", scratch_dir);
	ck_assert_int_eq(run(argv, &said), 0);
	free(said);
	text = scratch_read(svg);
	ck_assert_ptr_nonnull(strstr(text, "</svg>"));
	ck_assert_ptr_null(strstr(text, "-266666"));
	free(text);
	lw_record_file_abandon(file);
	lw_record_destroy(record);
}

/* Types alone in AllocTRES, nothing there of a job with shares, and a comment of many lines. */
#define WORD "leeway:gpu=n:1,util:50/60,mem:1/1G,idle:0"
#define ODD                                                                                      \
	ACCOUNTING                                                                                \
	"13|COMPLETED|3600|cpu=4,gres/gpu:a100=2,gres/gpu:h100=1,node=1|\n"                       \
	"14|COMPLETED|3600|cpu=4,gres/shard=2,node=1|" WORD "\n"                                  \
	"15|COMPLETED|3600|cpu=4,gres/gpu=1,gres/gpu:a100=1|" WORD " a\n2026\nline more | so\n"    \
	"16|COMPLETED|3600|cpu=4,gres/gpu:,gres/gpumem=5G|\n"

TEST(odd_rows_are_summed_up)
{
	char path[96], *said;
	char *text[] = { "gpu", "--user", "root", "--sacct", path, NULL };

	snprintf(path, sizeof(path), "%s", scratch_write("jobs", ODD));
	ck_assert_int_eq(run(text, &said), 0);
	ck_assert_msg(strstr(said, "3 jobs with GPUs, 2 of them recorded; 5.0 GPU-hours") != NULL,
		      "%s", said);
	free(said);
}

/* The words at their ends, too. */
TEST(line_ends_of_a_file_may_be_cr_lf)
{
	char path[96], *said, *same;
	char *text[] = { "gpu", "--user", "root", "--sacct", path, NULL };

	snprintf(path, sizeof(path), "%s",
		 scratch_write("jobs", ACCOUNTING "14|COMPLETED|3600|gres/gpu=1|" WORD "\r\n"
				       "\r\n15|COMPLETED|3600|gres/gpu=1|leeway:dl=none,5,-\r\n"));
	ck_assert_int_eq(run(text, &said), 0);
	scratch_write("jobs", ACCOUNTING "14|COMPLETED|3600|gres/gpu=1|" WORD "\n"
			      "\n15|COMPLETED|3600|gres/gpu=1|leeway:dl=none,5,-\n");
	ck_assert_int_eq(run(text, &same), 0);
	ck_assert_str_eq(said, same);
	free(said);
	free(same);
}

static char *const misuses[][6] = {
	{ "gpu", "7", "--since", "1d" },
	{ "gpu", "7", "--idle" },
	{ "gpu", "7", "8" },
	{ "gpu", "publish" },
	{ "gpu", "7", "--yes" },
	{ "gpu", "--idle", "--owed" },
	{ "gpu", "publish", "7", "--owed" },
	{ "gpu", "7", "--json", "--svg", "x" },
	{ "gpu", "--idle", "--sacct", "x" },
	{ "gpu", "--idle", "--window", "soon" },
	{ "gpu", "--colour" },
};

TEST_EACH(misuse_is_told, LW_COUNT_OF(misuses))
{
	char *argv[7] = { NULL }, *said;

	for (int i = 0; i < 6; i++)
		argv[i] = misuses[_i][i];
	ck_assert_int_eq(run(argv, &said), LW_TOOLS_USAGE);
	free(said);
}

TEST(publish_says_what_it_would_do)
{
	char other[96], *said, text[200];
	char *dry[] = { "gpu",   "publish",   "7",     "--bin", scratch_dir,
			"--dir", scratch_dir, "--dir", other,   NULL };
	char *wet[] = { "gpu",       "publish", "7",         "8",     "--yes", "--bin",
			scratch_dir, "--dir",   scratch_dir, "--dir", other,   NULL };

	write_job(false);
	snprintf(other, sizeof(other), "%s/other", scratch_dir);
	chmod(scratch_write("sacct", "#!/bin/sh\necho '7|7|E|hand'\n"), 0755);
	snprintf(text, sizeof(text), "#!/bin/sh\necho \"$@\" > %s/called\n", scratch_dir);
	chmod(scratch_write("sacctmgr", text), 0755);
	ck_assert_int_eq(run(dry, &said), 0);
	ck_assert_str_eq(said, "job 7: would set hand leeway:gpu=n:4,util:50/80,mem:9000/9000M,"
			       "idle:3000,half:40\n");
	free(said);
	ck_assert_int_ne(access(scratch_path("called"), F_OK), 0);
	/* job 8 has no record: told, and job 7 is done all the same */
	ck_assert_int_eq(run(wet, &said), LW_TOOLS_FAILED);
	free(said);
	ck_assert_int_eq(access(scratch_path("called"), F_OK), 0);
}

/* What the node that tells could not send, and nothing else; then it owes nothing more. */
TEST(publish_finds_what_is_owed)
{
	char *argv[] = { "gpu",       "publish", "--owed",    "--yes", "--bin",
			 scratch_dir, "--dir",   scratch_dir, NULL };
	char *said;

	write_job(false);
	chmod(scratch_write("sacct", "#!/bin/sh\necho '7|7|E|hand'\n"), 0755);
	chmod(scratch_write("sacctmgr", "#!/bin/sh\n[ ! -e \"$0.down\" ]\n"), 0755);
	ck_assert_int_eq(run(argv, &said), 0);
	ck_assert_str_eq(said, "");
	free(said);
	ck_assert_int_eq(lw_record_note_owed(scratch_dir, 7, "n1"), 0);
	scratch_write("sacctmgr.down", "");
	ck_assert_int_eq(run(argv, &said), LW_TOOLS_FAILED);
	free(said);
	ck_assert_int_eq(unlink(scratch_path("sacctmgr.down")), 0);
	ck_assert_int_eq(run(argv, &said), 0);
	ck_assert_msg(strncmp(said, "job 7: set hand leeway:gpu=n:", 29) == 0, "%s", said);
	free(said);
	ck_assert_int_eq(run(argv, &said), 0);
	ck_assert_str_eq(said, "");
	free(said);
}
