/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway gpu: what is read every 10 s, in forms that are finer than that.
 */
#include "cli/common/tools.h"
#include "record/file.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <string.h>

#define START_S 1700000000

/* The part of a job that runs: open, and locked, while the test lasts. */
static struct lw_record_file *part;

static void teardown(void)
{
	lw_record_file_abandon(part);
	scratch_teardown();
}

static void put(struct lw_gpu_sample *sample, enum lw_metric metric, uint32_t value)
{
	sample->has |= 1u << metric;
	sample->value[metric] = value;
}

/* A job that runs, of one GPU read each second, of which SM and its kin are read every tenth. */
static void write_job(int seconds)
{
	struct lw_record_head head = { .job_id = 7,
				       .node = "n1",
				       .step = "batch",
				       .interval_s = 1,
				       .start_s = START_S,
				       .user_id = LW_RECORD_NO_USER,
				       .gpu_count = 1,
				       .gpu[0].id = "GPU-0" };
	struct lw_record *record = NULL;

	ck_assert_int_eq(lw_record_create(&head, &record), 0);
	for (int t = 0; t < seconds; t++) {
		struct lw_gpu_sample sample = { 0 };

		put(&sample, LW_METRIC_UTIL, 90);
		put(&sample, LW_METRIC_MEM, 9000);
		if (t && t % LW_RECORD_SLOW_EVERY_S == 0) {
			put(&sample, LW_METRIC_SM, 61);
			put(&sample, LW_METRIC_TENSOR, 34);
			put(&sample, LW_METRIC_MEMBW, 40);
		}
		ck_assert_int_eq(lw_record_add(record, START_S + t, &sample), 0);
	}
	ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &part, NULL), 0);
	lw_record_destroy(record);
}

/* What the command says with OPTIONS, to be freed. */
static char *shown(const char *options)
{
	char line[512];

	snprintf(line, sizeof(line), "gpu %s --dir %s", options, scratch_dir);
	ck_assert_int_eq(scratch_call(lw_tools_gpu, line), LW_TOOLS_OK);
	return scratch_read(scratch_path("out"));
}

FIXTURE(scratch_setup, teardown);

/* The latest value is of now, whenever that is, until it is too old. */
TEST_RANGE(prometheus_has_the_latest, LW_RECORD_SLOW_EVERY_S - 1, 35)
{
	static const char *const names[] = { "leeway_gpu_sm_busy_percent{",
					     "leeway_gpu_tensor_active_percent{",
					     "leeway_gpu_memory_bandwidth_percent{" };
	char *said;

	write_job(_i);
	said = shown("--prometheus -");
	for (size_t i = 0; i < LW_COUNT_OF(names); i++)
		ck_assert_int_eq(strstr(said, names[i]) != NULL, _i > LW_RECORD_SLOW_EVERY_S);
	ck_assert_ptr_nonnull(strstr(said, "leeway_gpu_utilization_percent{"));
	free(said);
}

/* In the row of the chart there are no gaps between readings, but for the last seconds. */
TEST(chart_has_no_gaps)
{
	char *said, *row;
	size_t len;

	write_job(119);
	said = shown("7 --wide");
	ck_assert_ptr_nonnull(strstr(said, " 61/61 "));
	ck_assert_ptr_nonnull(strstr(said, " 34/34 "));
	ck_assert_ptr_nonnull(strstr(said, " 40/40 "));
	row = strstr(said, "sm   |");
	ck_assert_ptr_nonnull(row);
	row += strlen("sm   |");
	len = strcspn(row, " |");
	ck_assert_uint_ge(len, 50);
	ck_assert_msg(row[len + strspn(row + len, " ")] == '|', "%.80s", row);
	free(said);
}

/* Each line of the drawing is one, without a gap: it moves once. */
static unsigned check_lines(const char *svg)
{
	static const char line[] = "stroke-width=\"1.8\" d=\"";
	unsigned lines = 0;

	for (; (svg = strstr(svg, line)); lines++) {
		const char *move = svg + strlen(line), *end = strstr(svg, "/>");

		ck_assert(*move == 'M' && end);
		ck_assert_msg(strcspn(move + 1, "M>") == (size_t)(strchr(move, '>') - move - 1),
			      "%.200s", move);
		svg = end;
	}
	return lines;
}

/* Charts of what no device tells are left out. */
TEST_EACH(svg_has_lines_without_gaps, 2)
{
	char *svg;

	write_job(_i ? 119 : LW_RECORD_SLOW_EVERY_S);
	svg = shown("7 --svg -");
	ck_assert_uint_eq(check_lines(svg), _i ? 5 : 2);
	ck_assert_int_eq(strstr(svg, "Multiprocessors busy") != NULL, _i);
	ck_assert_int_eq(strstr(svg, "Tensor cores") != NULL, _i);
	ck_assert_int_eq(strstr(svg, "Memory bandwidth") != NULL, _i);
	free(svg);
}
