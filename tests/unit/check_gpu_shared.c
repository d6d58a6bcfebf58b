/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of who shared a GPU with whom, in leeway gpu and leeway report. */
#include "cli/gpu/gpu_shared.h"

#include "base/savefile.h"
#include "cli/common/tools.h"
#include "cli/report/report_shared.h"
#include "record/file.h"
#include "share/known.h"
#include "unit/fake_slurm.h"
#include "unit/records.h"
#include "unit/unit.h"

#include <jansson.h>
#include <math.h>

static const struct {
	const char *word, *who, *cost;
} words[] = {
	{ "n:1,util:87/99,mem:31/40G,idle:0,sm:50", "", "" },
	{ "n:1,util:20/30,mem:1/2G,idle:0,sm:31,shared:1,dutil:80,dsm:55,with:12+14",
	  "shared with 12, 14", "SM 31 % alone, 55 % together; all tenants 80 % of the time" },
	{ "n:1,util:20/30,mem:1/2G,idle:0,shared:1,dutil:80,with:12", "shared with 12",
	  "all tenants 80 % of the time" },
	{ "n:1,util:20/30,mem:1/2G,idle:0,sm:31,shared:1", "could be shared, but no job came",
	  "SM 31 % alone" },
	{ "n:1,util:-,mem:-,idle:0,unsup:1,shared:1,dsm:100,dutil:100,"
	  "with:4294967291+4294967292+4294967293+4294967294+4294967290",
	  "shared with 4294967291, 4294967292, 4294967293, 4294967294 ...",
	  "SM 100 % together; all tenants 100 % of the time" },
};

FIXTURE(scratch_setup, scratch_teardown);

TEST_EACH(a_summary_tells_who_and_what, LW_COUNT_OF(words))
{
	char comment[256], text[TOOLS_GPU_SHARED_TEXT];
	struct lw_summary_word word;
	json_t *o;

	snprintf(comment, sizeof(comment), "leeway:gpu=%s", words[_i].word);
	ck_assert_int_eq(lw_summary_decode(comment, &word), 0);
	lw_gpu_shared_who(&word, text, sizeof(text));
	ck_assert_str_eq(text, words[_i].who);
	lw_gpu_shared_cost(&word, text, sizeof(text));
	ck_assert_str_eq(text, words[_i].cost);
	o = lw_gpu_shared_json(&word);
	ck_assert_int_eq(json_is_null(o), !word.shared);
	if (word.shared)
		ck_assert_uint_eq(json_array_size(json_object_get(o, "with")), word.with_count);
	json_decref(o);
}

static char *told(const char *line)
{
	int rc;
	char *err = scratch_complaint(lw_tools_gpu, line, &rc);

	ck_assert_msg(!rc, "%s: %d: %s", line, rc, err);
	free(err);
	return scratch_read(scratch_path("out"));
}

static void has(const char *text, const char *what)
{
	ck_assert_msg(strstr(text, what) != NULL, "no \"%s\" in:\n%s", what, text);
}

/* A minute alone, then a minute beside job 12, and a line for the memory. */
static void write_shared(void)
{
	const struct lw_record_event event = { START + 60, 36500, "warned" };
	struct lw_record *record = make_record("batch", 1, 10);
	struct lw_record_file *file = NULL;

	record->head.shared = true;
	for (int i = 0; i < 12; i++) {
		struct lw_gpu_sample sample = { .has = 1u << LW_METRIC_UTIL };

		sample.value[LW_METRIC_UTIL] = i < 6 ? 45 : 38;
		sample.has |=
			i < 6 ? 1u << LW_METRIC_SM : 1u << LW_METRIC_DSM | 1u << LW_METRIC_DUTIL;
		sample.value[LW_METRIC_SM] = 31;
		sample.value[LW_METRIC_DSM] = 55;
		sample.value[LW_METRIC_DUTIL] = 80;
		ck_assert_int_eq(lw_record_add(record, START + 10 * i, &sample), 0);
	}
	lw_record_note_neighbour(record, 0, 12, START + 60);
	lw_record_note_event(record, &event);
	ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &file, NULL), 0);
	record->head.end_s = START + 120;
	ck_assert_int_eq(lw_record_file_finish(file, record, NULL), 0);
	lw_record_destroy(record);
}

TEST(a_record_tells_alone_from_together)
{
	char line[256], *text;
	json_t *o, *node;

	write_shared();
	snprintf(line, sizeof(line), "gpu 77 --dir %s", scratch_dir);
	text = told(line);
	has(text, "n1           0 shared with job 12, seen ");
	has(text, "its own utilisation         45 % alone  38 % together\n");
	has(text, "the GPU's SM activity       31 % alone  55 % together\n");
	has(text, "warned that memory ran short: 36500 MiB of the GPU in use\n");
	free(text);
	snprintf(line, sizeof(line), "gpu 77 --json --dir %s", scratch_dir);
	text = told(line);
	o = json_loads(text, 0, NULL);
	node = json_array_get(json_object_get(o, "nodes"), 0);
	ck_assert(json_is_true(json_object_get(node, "shared")));
	ck_assert_int_eq(json_integer_value(json_object_get(
				 json_array_get(json_object_get(node, "neighbours"), 0), "job")),
			 12);
	ck_assert_str_eq(json_string_value(json_object_get(
				 json_array_get(json_object_get(node, "events"), 0), "event")),
			 "warned");
	json_decref(o);
	free(text);
}

static void write_known(void)
{
	const struct lw_share_run run = { .use = { true, true, true, 200, 310, 1000 },
					  .end_s = 1700000000 };
	struct lw_share_key key = lw_share_key(0, LW_SHARE_UNTAGGED, "mine", "");
	struct lw_share_known known = { 0 };
	struct lw_strbuf out = LW_STRBUF_INIT;
	struct lw_error err;

	ck_assert_int_eq(lw_share_known_add(&known, &key, &run), 0);
	key = lw_share_key(4242, LW_SHARE_UNTAGGED, "anothers", "");
	ck_assert_int_eq(lw_share_known_add(&known, &key, &run), 0);
	ck_assert_int_eq(lw_share_known_print(&known, &out), 0);
	ck_assert_int_eq(lw_savefile_write(scratch_path("known"), LW_SHARE_FILE_KIND,
					   LW_SHARE_FILE_VERSION, out.text, out.len, &err),
			 0);
	lw_strbuf_fini(&out);
	lw_share_known_fini(&known);
}

/* Of that user alone; without the option there is nothing of it. */
TEST(a_user_sees_what_is_known_of_his_runs)
{
	char line[512], *text;

	write_known();
	scratch_write("jobs", "JobID|State|ElapsedRaw|AllocTRES|AdminComment\n"
			      "7|COMPLETED|3600|cpu=4|leeway:gpu=n:1,util:20/30,mem:1/2G,idle:0,"
			      "shared:1,dutil:80,with:12\n"
			      "8|OUT_OF_MEMORY|9|cpu=4,gres/gpu=1|\n"
			      "9|CANCELLED by 1000|9|cpu=4,gres/gpu=1|\n");
	snprintf(line, sizeof(line), "gpu --user root --sacct %s/jobs --share %s/known",
		 scratch_dir, scratch_dir);
	setenv("TZ", "UTC", 1);
	text = told(line);
	unsetenv("TZ");
	has(text, " 2023-11-14 22:13\n");
	has(text, "\n               shared with 12\n");
	has(text, "\n8              OUT_OF_MEMORY    1 ");
	has(text, "\n9              CANCELLED        1 ");
	has(text, "known for sharing GPUs, 95 % quantiles");
	has(text, " mine ");
	ck_assert_ptr_null(strstr(text, "anothers"));
	free(text);
	snprintf(line, sizeof(line), "gpu --user root --sacct %s/jobs", scratch_dir);
	text = told(line);
	ck_assert_ptr_null(strstr(text, "known for sharing"));
	free(text);
}

/* ---- the report ---- */

#define HEAD                                                                                     \
	"JobIDRaw|JobID|User|Submit|Start|End|State|NNodes|NCPUS|AllocTRES|JobName|AdminComment\n"
#define ROW(id, name, use)                                                                       \
	id "|" id "|a|1|2|9|COMPLETED|1|1|cpu=1|" name "|leeway:gpu=n:1," use "\n"

/* Two of one name that ran alone, and pairs. NAN: what was kept is not known. */
static const struct {
	const char *rows;
	double kept;
	bool any;
} reports[] = {
	{ ROW("1", "x", "sm:30") ROW("2", "x", "sm:40"), NAN, false },
	{ ROW("1", "x", "sm:30") ROW("2", "x", "sm:40") ROW("3", "x", "shared:1,dsm:63,with:4")
		  ROW("4", "x", "shared:1,dsm:63,with:3"),
	  0.9, true },
	/* nobody of that name ran alone: by what it did itself before somebody came */
	{ ROW("1", "x", "sm:30,shared:1,dsm:60,with:2") ROW("2", "y", "sm:30,shared:1"), 1,
	  true },
	{ ROW("1", "x", "shared:1,dsm:60,with:2") ROW("2", "y", "sm:30,shared:1"), NAN, true },
	{ ROW("1", "x", "sm:30,shared:1,dsm:60,with:99"), NAN, true },
	{ ROW("1", "x", "sm:30,shared:1,with:2") ROW("2", "y", "sm:30"), NAN, true },
};

TEST_EACH(what_is_kept_of_the_speed_is_reported, LW_COUNT_OF(reports))
{
	struct lw_report report = { .count = 1 };
	struct lw_error err = { "" };
	char text[2048];
	json_t *list, *kept;
	struct lw_strbuf page = LW_STRBUF_INIT;
	struct lw_table table = { .page = &page };
	struct lw_report_rows rows = { .report = &report, .table = &table };

	snprintf(text, sizeof(text), "%s%s", HEAD, reports[_i].rows);
	scratch_write("sacct.psv", text);
	ck_assert_msg(!lw_run_load(&report.runs[0], scratch_dir, &err), "%s", err.text);
	lw_table_add(&table, "run", NULL, 0);
	lw_report_shared_rows(&rows);
	ck_assert_int_eq(strlen(lw_strbuf_text(&page)) > 0, reports[_i].any);
	lw_strbuf_fini(&page);
	list = lw_report_shared_json(&report.runs[0]);
	ck_assert_int_eq(json_array_size(list) > 0, reports[_i].any);
	kept = json_object_get(json_array_get(list, 0), "kept");
	if (!isnan(reports[_i].kept))
		ck_assert_double_eq_tol(json_real_value(kept), reports[_i].kept, 1e-9);
	else
		ck_assert(!reports[_i].any || json_is_null(kept));
	json_decref(list);
	lw_run_fini(&report.runs[0]);
}
