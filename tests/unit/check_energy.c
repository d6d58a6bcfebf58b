/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the energy of GPU jobs, from the reading to what the tools tell. */
#include "cli/common/energy.h"
#include "cli/common/tools.h"
#include "record/file.h"
#include "record/sampler.h"
#include "record/summary.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <jansson.h>

#define START_S 1700000000

static struct lw_record *make_record(const char *step, uint32_t gpus, int64_t start_s)
{
	struct lw_record_head head = { .job_id = 7,
				       .node = "n1",
				       .interval_s = 10,
				       .start_s = START_S + start_s,
				       .user_id = LW_RECORD_NO_USER,
				       .gpu_count = gpus };
	struct lw_record *record = NULL;

	snprintf(head.step, sizeof(head.step), "%s", step);
	for (uint32_t g = 0; g < gpus; g++) {
		head.gpu[g].index = g;
		snprintf(head.gpu[g].id, sizeof(head.gpu[g].id), "GPU-%u", g);
	}
	ck_assert_int_eq(lw_record_create(&head, &record), 0);
	return record;
}

/* READINGS of WATTS, of all GPUs; negative: they do not tell. */
static void draw(struct lw_record *record, int readings, int watts)
{
	for (int i = 0; i < readings; i++) {
		struct lw_gpu_sample samples[LW_RECORD_GPUS_MAX] = { { 0 } };

		for (uint32_t g = 0; g < record->head.gpu_count; g++) {
			samples[g].has = 1u << LW_METRIC_UTIL;
			samples[g].has |= watts < 0 ? 0 : 1u << LW_METRIC_POWER;
			samples[g].value[LW_METRIC_POWER] = (uint32_t)watts;
		}
		ck_assert_int_eq(lw_record_add(record, record->head.start_s + 10 * i, samples),
				 0);
	}
	record->head.end_s = record->head.start_s + 10 * readings;
}

static struct lw_gpu_summary gpu_of(const struct lw_record *record, uint32_t gpu)
{
	struct lw_gpu_summary sum;

	lw_summary_gpu(record, gpu, &sum);
	return sum;
}

/* One GPU, read for so long, and what its counter said of a part of it; -1: it has none. */
static const struct {
	const char *what;
	int readings, watts;
	int64_t counted_j, covered_s, length_s;
	int64_t want_j; /* -1: not known */
} sums[] = {
	{ "power alone", 6, 300, -1, 0, 60, 18000 },
	{ "the counter goes before the power", 6, 300, 18500, 60, 60, 18500 },
	{ "they begin some seconds apart", 6, 300, 18500, 52, 60, 18500 },
	{ "the power tells of what the counter did not see", 60, 300, 30000, 100, 600, 180000 },
	{ "a counter without readings of the power", 6, -1, 18500, 60, 60, 18500 },
	{ "the same, of half the time", 60, -1, 30000, 300, 600, 60000 },
	{ "neither", 6, -1, -1, 0, 60, -1 },
	{ "a job shorter than a reading stands for", 1, 300, -1, 0, 3, 900 },
	{ "nothing was drawn, which is known", 6, 0, -1, 0, 60, 0 },
};

TEST_EACH(energy_is_counted_or_integrated, LW_COUNT_OF(sums))
{
	struct lw_record *record = make_record("batch", 1, 0);
	struct lw_gpu_summary sum;

	draw(record, sums[_i].readings, sums[_i].watts);
	record->head.end_s = START_S + sums[_i].length_s;
	if (sums[_i].counted_j >= 0)
		lw_record_note_energy(record, 0, 5000, 5000 + (uint64_t)sums[_i].counted_j * 1000,
				      sums[_i].covered_s);
	sum = gpu_of(record, 0);
	ck_assert_msg(sum.has_energy == (sums[_i].want_j >= 0), "%s", sums[_i].what);
	if (sum.has_energy)
		ck_assert_msg((int64_t)sum.energy_j == sums[_i].want_j, "%s: %llu", sums[_i].what,
			      (unsigned long long)sum.energy_j);
	lw_record_destroy(record);
}

/* What no counter can have counted is as if it had not. */
static const struct {
	uint64_t before_mj, after_mj;
	int64_t covered_s;
} wrong[] = {
	{ 5000, 4999, 60 },               /* the driver was loaded anew */
	{ 0, 100000001ull * 1000, 1000 }, /* 100 kW */
	{ 0, 5000, 0 },
	{ 0, 5000, -3 }, /* the clock was set back */
};

TEST_EACH(a_counter_that_cannot_be_is_left_out, LW_COUNT_OF(wrong))
{
	struct lw_record *record = make_record("batch", 1, 0);

	draw(record, 6, 300);
	lw_record_note_energy(record, 0, wrong[_i].before_mj, wrong[_i].after_mj,
			      wrong[_i].covered_s);
	ck_assert_uint_eq(record->head.gpu[0].energy.covered_s, 0);
	ck_assert_uint_eq(gpu_of(record, 0).energy_j, 18000);
	lw_record_destroy(record);
}

static struct lw_record *print_and_parse(const struct lw_record *record, const char *more)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_record *again = NULL;
	struct lw_error err;

	lw_record_print(record, &text);
	lw_strbuf_add(&text, "%s", more);
	ck_assert_int_eq(lw_record_parse("r", text.text, text.len, &again, &err), 0);
	lw_strbuf_fini(&text);
	return again;
}

TEST_EACH(energy_is_written_and_read_back, 2)
{
	struct lw_record *record = make_record("batch", 2, 0), *again;

	if (_i)
		draw(record, 6, 300);
	lw_record_note_energy(record, 1, 0, 21400 * 1000, 60);
	again = print_and_parse(record, "");
	ck_assert_uint_eq(again->damaged, 0);
	ck_assert_uint_eq(again->head.gpu[0].energy.covered_s, 0);
	ck_assert_uint_eq(again->head.gpu[1].energy.covered_s, 60);
	ck_assert_uint_eq(again->head.gpu[1].energy.joules, 21400);
	lw_record_destroy(again);
	lw_record_destroy(record);
}

/* Steps that count one after the other, and at once; or only one of them counts. */
static const struct {
	int64_t second_at_s;
	int64_t counted_j[2];
	int64_t want_j;
} steps[] = {
	{ 100, { 31000, 32000 }, 63000 },
	{ 100, { 31000, -1 }, 61000 }, /* the other's mean power */
	{ 100, { -1, 32000 }, 62000 },
	{ 0, { 31000, 31500 }, 31000 }, /* the same time: not twice */
	{ 0, { -1, 31500 }, 31500 },
};

TEST_EACH(steps_add_up_once, LW_COUNT_OF(steps))
{
	struct lw_record *a = make_record("0", 1, 0);
	struct lw_record *b = make_record("1", 1, steps[_i].second_at_s);
	struct lw_record *both[] = { a, b };

	for (int i = 0; i < 2; i++) {
		draw(both[i], 10, 300);
		if (steps[_i].counted_j[i] >= 0)
			lw_record_note_energy(both[i], 0, 0,
					      (uint64_t)steps[_i].counted_j[i] * 1000, 100);
	}
	ck_assert_int_eq(lw_record_merge(a, b), 0);
	ck_assert_int_eq((int64_t)gpu_of(a, 0).energy_j, steps[_i].want_j);
	lw_record_destroy(a);
	lw_record_destroy(b);
}

/* Into an empty record, as of a first step that was never read: once, and not twice. */
TEST(a_step_is_taken_over_once)
{
	struct lw_record *a = make_record("0", 0, 0), *b = make_record("1", 2, 0);

	draw(b, 10, 300);
	lw_record_note_energy(b, 1, 0, 31000 * 1000, 100);
	ck_assert_int_eq(lw_record_merge(a, b), 0);
	ck_assert_uint_eq(gpu_of(a, 1).energy_j, 31000);
	lw_record_destroy(a);
	lw_record_destroy(b);
}

TEST(energy_has_a_unit_that_fits)
{
	static const struct {
		double joules;
		const char *text;
	} texts[] = { { 0, "0 J" },         { 3599, "3599 J" },   { 3600, "1.0 Wh" },
		      { 540000, "150 Wh" }, { 3.6e6, "1.0 kWh" }, { 4.5e8, "125 kWh" },
		      { 7.2e9, "2.0 MWh" } };

	for (size_t i = 0; i < LW_COUNT_OF(texts); i++) {
		char buf[LW_ENERGY_TEXT_MAX];

		lw_energy_print(texts[i].joules, buf, sizeof(buf));
		ck_assert_str_eq(buf, texts[i].text);
	}
}

/* ---- the tools ---- */

static json_t *call_json(int (*command)(int, char **), const char *line)
{
	json_t *root;

	ck_assert_int_eq(scratch_call(command, line), LW_TOOLS_OK);
	root = json_load_file(scratch_path("out"), 0, NULL);
	ck_assert_ptr_nonnull(root);
	return root;
}

static double number(const json_t *o, const char *key)
{
	ck_assert_msg(json_is_number(json_object_get(o, key)), "no number %s", key);
	return json_number_value(json_object_get(o, key));
}

static void says(int (*command)(int, char **), const char *line, const char *wanted)
{
	char *said;

	ck_assert_int_eq(scratch_call(command, line), LW_TOOLS_OK);
	said = scratch_read(scratch_path("out"));
	ck_assert_msg(strstr(said, wanted) != NULL, "no \"%s\" in: %s", wanted, said);
	free(said);
}

FIXTURE(scratch_setup, scratch_teardown);

/* The counter is the script's, of each moment. */
TEST(fake_counts_energy)
{
	static const struct {
		int64_t t_s;
		uint64_t mj[2];
	} counts[] = { { -1, { LW_SAMPLER_NO_ENERGY, LW_SAMPLER_NO_ENERGY } },
		       { 0, { 1000000, 1000000 } },
		       { 9, { 1000000, 1000000 } },
		       { 10, { 4500000, LW_SAMPLER_NO_ENERGY } } };
	struct lw_gpu gpus[2] = { { .index = 0 }, { .index = 2 } };
	struct lw_error err;
	void *state = NULL;

	scratch_write("script", "* 0 90 1000 300 60 - - - - - - 1000\n"
				"0 10 90 1000 300 60 - - - - - - 4500\n"
				"2 10 90 1000 300 60\n");
	ck_assert_int_eq(
		lw_sampler_fake.open(scratch_path("script"), gpus, 2, 5000, &state, &err), 0);
	for (size_t i = 0; i < LW_COUNT_OF(counts); i++) {
		uint64_t mj[2];

		lw_sampler_fake.energy(state, 5000 + counts[i].t_s, mj);
		ck_assert_uint_eq(mj[0], counts[i].mj[0]);
		ck_assert_uint_eq(mj[1], counts[i].mj[1]);
	}
	lw_sampler_fake.close(state);
}

/* A job of two GPUs, of which one counts and the other tells nothing. */
TEST(a_job_is_shown)
{
	struct lw_record *record = make_record("batch", 2, 0);
	struct lw_record_file *part = NULL;
	char line[256];
	json_t *root;

	draw(record, 360, -1);
	lw_record_note_energy(record, 1, 0, 720000 * 1000, 3600);
	ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &part, NULL), 0);
	snprintf(line, sizeof(line), "gpu 7 --dir %s", scratch_dir);
	says(lw_tools_gpu, line, "\nenergy of the GPUs so far: 200 Wh (1 of 2 tell)\n");
	snprintf(line, sizeof(line), "gpu --prometheus - --dir %s", scratch_dir);
	says(lw_tools_gpu, line,
	     "\nleeway_gpu_energy_joules_total{jobid=\"7\",user=\"\","
	     "node=\"n1\",gpu=\"1\",uuid=\"GPU-1\"} 720000\n");
	snprintf(line, sizeof(line), "gpu 7 --json --dir %s", scratch_dir);
	root = call_json(lw_tools_gpu, line);
	ck_assert(number(root, "energy_j") == 720000);
	ck_assert(number(root, "energy_gpus") == 1);
	ck_assert_ptr_nonnull(
		strstr(json_string_value(json_object_get(root, "summary")), ",energy:720000/1"));
	json_decref(root);
	lw_record_file_abandon(part);
	lw_record_destroy(record);
}

#define USER_HEAD "JobID|State|ElapsedRaw|AllocTRES|AdminComment\n"
static const char user_rows[] =
	USER_HEAD "1|COMPLETED|3600|cpu=16,gres/gpu=2|leeway:gpu=n:2,util:9/9,mem:-,idle:0,"
		  "pow:300/400,energy:2160000\n"
		  "2|COMPLETED|3600|cpu=8,gres/gpu=4|leeway:gpu=n:4,util:9/9,mem:-,idle:0,"
		  "energy:1080000/3\n"
		  "3|COMPLETED|3600|cpu=8,gres/gpu=1|leeway:gpu=n:1,util:9/9,mem:-,idle:0\n";

TEST(a_users_jobs_are_shown)
{
	char line[256];
	json_t *root, *totals, *job;

	snprintf(line, sizeof(line), "gpu --user 0 --sacct %s", scratch_write("user", user_rows));
	says(lw_tools_gpu, line, "\nenergy of GPUs 900 Wh (2 jobs), share of nodes 128 Wh\n");
	scratch_write("yaml", "energy:\n  cpu_w: 10\n");
	snprintf(line, sizeof(line), "gpu --user 0 --json --config %s --sacct %s",
		 scratch_path("yaml"), scratch_path("user"));
	root = call_json(lw_tools_gpu, line);
	totals = json_object_get(root, "totals");
	ck_assert(number(totals, "energy_j") == 3240000);
	ck_assert(number(totals, "node_energy_j") == 32 * 10 * 3600);
	ck_assert(number(totals, "metered") == 2);
	job = json_array_get(json_object_get(root, "jobs"), 1);
	ck_assert(number(job, "energy_j") == 1080000);
	ck_assert(number(job, "energy_gpus") == 3);
	job = json_array_get(json_object_get(root, "jobs"), 2);
	ck_assert_ptr_null(json_object_get(job, "energy_j"));
	json_decref(root);
}

#define RUN_HEAD                                                                                 \
	"JobIDRaw|JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES|User|Account|AdminComment\n"
#define RUN_ROW(id, user, account, energy)                                                       \
	id "|" id "|1000|1000|4600|COMPLETED|1|10|cpu=10,gres/gpu=1|" user "|" account           \
	   "|leeway:gpu=n:1,util:9/9,mem:-,idle:0" energy "\n"

TEST(a_report_tells_by_user_and_account)
{
	static const char rows[] = RUN_HEAD RUN_ROW("1", "ann", "bio", ",energy:3600000")
		RUN_ROW("2", "bob", "bio", ",energy:7200000") RUN_ROW("3", "ann", "chem", "");
	json_t *root, *energy, *one;
	char line[256];

	scratch_write("sacct.psv", rows);
	snprintf(line, sizeof(line), "report %s", scratch_dir);
	says(lw_tools_report, line, "GPUs, as recorded                           3.0 kWh");
	says(lw_tools_report, line, "share of nodes                               120 Wh");
	says(lw_tools_report, line, "bob                                         2.0 kWh");
	snprintf(line, sizeof(line), "report -q --json %s", scratch_dir);
	root = call_json(lw_tools_report, line);
	energy = json_object_get(json_array_get(json_object_get(root, "runs"), 0), "energy");
	ck_assert(number(energy, "energy_j") == 10.8e6);
	ck_assert(number(energy, "metered") == 2);
	one = json_array_get(json_object_get(energy, "accounts"), 1);
	ck_assert_str_eq(json_string_value(json_object_get(one, "account")), "chem");
	ck_assert(json_is_null(json_object_get(one, "energy_j")));
	ck_assert(number(one, "node_energy_j") == 144000);
	one = json_array_get(json_object_get(energy, "users"), 1);
	ck_assert_str_eq(json_string_value(json_object_get(one, "user")), "ann");
	ck_assert(number(one, "energy_j") == 3.6e6 && number(one, "jobs") == 2);
	json_decref(root);
}

/* Of jobs without records nothing is said at all. */
TEST(a_report_without_records_is_silent)
{
	char line[256], *said;

	scratch_write("sacct.psv", RUN_HEAD RUN_ROW("1", "ann", "bio", ""));
	snprintf(line, sizeof(line), "report %s", scratch_dir);
	ck_assert_int_eq(scratch_call(lw_tools_report, line), LW_TOOLS_OK);
	said = scratch_read(scratch_path("out"));
	ck_assert_ptr_null(strstr(said, "Energy"));
	free(said);
}
