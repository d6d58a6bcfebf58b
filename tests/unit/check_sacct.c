/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of reading what sacct prints: its rows, and its values. */
#include "cli/common/sacct.h"

#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>

static const struct {
	const char *text;
	int64_t value;
} amounts[] = {
	{ "0", 0 },	   { "12", 12 },	{ "1.5K", 1500 },     { "1.50K", 1500 },
	{ "2M", 2000000 }, { "9G", UINT32_MAX }, { "4294967296", UINT32_MAX },
	{ "1.0005K", 1001 }, { "", 0 },		{ "-2", 0 },	      { "x", 0 },
	{ "inf", 0 },	   { "0x10", 0 },
};

FIXTURE(scratch_setup, scratch_teardown);

TEST_EACH(amounts_have_suffixes, LW_COUNT_OF(amounts))
{
	ck_assert_int_eq(lw_sacct_amount(amounts[_i].text), amounts[_i].value);
}

static const struct {
	const char *tres;
	int64_t gpus, cpus, mem_mib;
} tres[] = {
	{ "cpu=4,gres/gpu:a100=2", 2, 4, 0 },
	{ "cpu=4,gres/gpu:a100=2,gres/gpu:v100=3,mem=2G", 5, 4, 2048 },
	/* the types are parts of the whole */
	{ "cpu=4,gres/gpu=5,gres/gpu:a100=2,gres/gpu:v100=3", 5, 4, 0 },
	{ "gres/gpu:a100=2,gres/gpu=5", 5, 0, 0 },
	{ "cpu=1.5K,gres/gpumem=80G,gres/gpuutil=90", 0, 1500, 0 },
	{ "gres/gpu:a100,cpu=1", 0, 1, 0 },
	{ "vmem=5G,mem=1.5T", 0, 0, 1572864 },
	{ "mem=1P", 0, 0, 1073741824 },
	{ "mem=1024K", 0, 0, 1 },
	{ "mem=7", 0, 0, 7 },
	{ "", 0, 0, 0 },
};

TEST_EACH(tres_are_read, LW_COUNT_OF(tres))
{
	ck_assert_int_eq(lw_sacct_gpus(tres[_i].tres), tres[_i].gpus);
	ck_assert_int_eq(lw_sacct_tres(tres[_i].tres, "cpu"), tres[_i].cpus);
	ck_assert_int_eq(lw_sacct_mem_mib(tres[_i].tres), tres[_i].mem_mib);
}

#define PARTS "leeway:share=shard:9,was:gres/gpu:1"

static const struct {
	const char *tres, *comment;
	int64_t gpus;
} held[] = {
	{ "cpu=4,gres/gpu=2", "", 2 },
	{ "cpu=4,gres/shard=9", "", 1 },
	{ "cpu=4,gres/mps=50", NULL, 1 },
	/* where accounting does not keep them, the word tells */
	{ "cpu=4", "x " PARTS " y", 1 },
	{ "cpu=4,gres/gpu=2", PARTS, 2 },
	/* it had to leave before it started */
	{ "cpu=4", "leeway:share=none,was:shard:4,left:memory", 0 },
	{ "cpu=4,gres/shard=0", "", 0 },
	{ "cpu=4,gres/shardlike=3", "leeway:share=", 0 },
};

TEST_EACH(parts_of_a_gpu_are_one_held, LW_COUNT_OF(held))
{
	ck_assert_int_eq(lw_sacct_gpus_held(held[_i].tres, held[_i].comment), held[_i].gpus);
}

static const struct {
	const char *id;
	uint32_t tasks;
	bool cut;
} arrays[] = {
	{ "12", 1, false },
	{ "12_4", 1, false },
	{ "12_[3-5,9%2]", 4, false },
	{ "101_[0-10:2]", 6, false },
	{ "101_[0-10:3%2]", 4, false },
	{ "101_[1,4-8:2,20]", 5, false },
	{ "101_[1,3,5,...]", 3, true },
	{ "101_[1-3,...", 3, true },
	{ "101_[1-3", 3, true },
	{ "101_[0-10:0]", 11, false },
	{ "101_[5-1]", 1, false },
	{ "101_[0-4294967295]", LW_SACCT_TASKS_MAX + 1, false },
};

TEST(a_step_is_told)
{
	ck_assert(lw_sacct_is_step("105.batch"));
	ck_assert(lw_sacct_is_step("105_3.0"));
	ck_assert(lw_sacct_is_step("105+1.extern"));
	ck_assert(!lw_sacct_is_step("105_[1,3,...]"));
	ck_assert(!lw_sacct_is_step("105"));
}

TEST_EACH(tasks_are_counted, LW_COUNT_OF(arrays))
{
	bool cut = !arrays[_i].cut;

	ck_assert_uint_eq(lw_sacct_tasks(arrays[_i].id, &cut), arrays[_i].tasks);
	ck_assert_int_eq(cut, arrays[_i].cut);
}

static const struct {
	const char *text;
	int rc;
	int64_t limit_s;
} limits[] = {
	{ "60", 0, 3600 },	     { "01:00:00", 0, 3600 },  { "1-12:00:00", 0, 129600 },
	{ "UNLIMITED", 0, -1 },	     { "", 0, -1 },	       { "Partition_Limit", 0, -1 },
	/* INFINITE and NO_VAL */
	{ "4294967295", 0, -1 },     { "4294967294", 0, -1 },  { "4294967293", 0, 257698037580 },
	{ "1h", -EINVAL, 0 },	     { "soon", -EINVAL, 0 },   { "1:2:3:4", -EINVAL, 0 },
};

TEST_EACH(limits_are_read, LW_COUNT_OF(limits))
{
	struct lw_error err = { "" };
	int64_t limit_s = 0;

	ck_assert_int_eq(lw_sacct_limit(limits[_i].text, &limit_s, &err), limits[_i].rc);
	if (!limits[_i].rc)
		ck_assert_int_eq(limit_s, limits[_i].limit_s);
	else
		ck_assert_ptr_nonnull(strstr(err.text, limits[_i].text));
}

/* Rows under a header line, and what of them is JobID, JobName and State: "-" for a bad one. */
static const struct {
	const char *text;
	const char *rows;
} tables[] = {
	{ "JobID|JobName|State\n1|a|COMPLETED\n2|b|FAILED\n", "1,a,COMPLETED;2,b,FAILED;" },
	/* the first half of a row is lost: the one before is whole */
	{ "JobID|JobName|State\n1|a|COMPLETED\n|b|FAILED\n3|c|FAILED\n",
	  "1,a,COMPLETED;,b,FAILED;3,c,FAILED;" },
	{ "JobID|JobName|State\n1|a|COMPLETED\nb|FAILED\n", "1,a,COMPLETED;-" },
	/* as --parsable has it */
	{ "JobID|JobName|State|\n1|a|COMPLETED|\n", "1,a,COMPLETED;" },
	{ "JobID|JobName|State\n1|a|b|COMPLETED\n", "1,a|b,COMPLETED;" },
	{ "JobID|JobName|State\n1||||COMPLETED\n", "1,||,COMPLETED;" },
	/* the form of what follows tells where a name ends */
	{ "JobID|JobName|Comment|State|Comment\n1|a|b|x|CANCELLED by 7|y|z\n",
	  "1,a|b,CANCELLED by 7;" },
	{ "JobID|Constraints|Submit|State|JobName\n1|[a|b]|100|TIMEOUT|n|100|FAILED|x\n",
	  "1,n|100|FAILED|x,TIMEOUT;" },
	{ "JobName|State|JobID\na|b|FAILED|12_3\nc|TIMEOUT|13\n", "12_3,a|b,FAILED;13,c,TIMEOUT;" },
	{ "JobID|JobName|State\n1|a\nb|COMPLETED\n2|c|FAILED\n", "1,a b,COMPLETED;2,c,FAILED;" },
	{ "AdminComment|JobID|JobName|State\nx\ny|1|a|FAILED\n|2|b|FAILED\n",
	  "1,a,FAILED;2,b,FAILED;" },
	/* a row cut short, and one with columns that nothing explains */
	{ "JobID|JobName|State\n1|a\n2|b|FAILED\n", "-2,b,FAILED;" },
	{ "JobID|State|User|JobName\n1|FAILED|u\n2|FAILED|u|b\n", "-2,b,FAILED;" },
	{ "JobID|State|User\n1|FAILED|u|v\n2|FAILED|u\n", "-2,,FAILED;" },
	{ "JobID|JobName|State\n", "" },
};

TEST_EACH(rows_are_cut, LW_COUNT_OF(tables))
{
	struct lw_strbuf rows = LW_STRBUF_INIT;
	struct lw_error err = { "" };
	struct lw_sacct sacct;
	char **f;
	int rc, name;

	ck_assert_msg(!lw_sacct_open(&sacct, scratch_write("a", tables[_i].text), &err), "%s",
		      err.text);
	name = lw_sacct_column(&sacct, "None|JobName");
	while ((rc = lw_sacct_next(&sacct, &f, &err))) {
		if (rc > 0)
			lw_strbuf_add(&rows, "%s,%s,%s;", f[lw_sacct_column(&sacct, "JobID")],
				      name < 0 ? "" : f[name],
				      f[lw_sacct_column(&sacct, "State")]);
		else
			lw_strbuf_add(&rows, "-");
	}
	ck_assert_str_eq(lw_strbuf_text(&rows), tables[_i].rows);
	lw_strbuf_fini(&rows);
	lw_sacct_fini(&sacct);
}

/* --format=ALL, and more */
TEST(columns_may_be_many)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error err = { "" };
	struct lw_sacct sacct;
	char **f;

	for (int i = 0; i < 300; i++)
		lw_strbuf_add(&text, "Column%d|", i);
	lw_strbuf_add(&text, "JobID\n");
	for (int i = 0; i < 300; i++)
		lw_strbuf_add(&text, "%d|", i);
	lw_strbuf_add(&text, "77\n");
	ck_assert_int_eq(lw_sacct_open(&sacct, scratch_write("a", text.text), &err), 0);
	ck_assert_int_eq(lw_sacct_next(&sacct, &f, &err), 1);
	ck_assert_str_eq(f[lw_sacct_column(&sacct, "JobID")], "77");
	ck_assert_str_eq(f[lw_sacct_column(&sacct, "Column299")], "299");
	ck_assert_int_eq(lw_sacct_next(&sacct, &f, &err), 0);
	lw_sacct_fini(&sacct);
	lw_strbuf_fini(&text);
}

static const struct {
	const char *text, *says;
} headers[] = {
	{ "", "a:1: empty" },
	{ "105|105|ann|1000|1100\n", "a:1: no header line" },
	{ "105\n", "a:1: no header line" },
	{ "       JobID    JobName\n", "a:1: the columns are not parted by |" },
	{ "JobID,JobName,State\n", "a:1: the columns are not parted by |" },
};

TEST_EACH(a_header_is_wanted, LW_COUNT_OF(headers))
{
	struct lw_error err = { "" };
	struct lw_sacct sacct;

	ck_assert_int_eq(lw_sacct_open(&sacct, scratch_write("a", headers[_i].text), &err),
			 -EINVAL);
	ck_assert_msg(strstr(err.text, headers[_i].says) != NULL, "\"%s\" wants \"%s\"", err.text,
		      headers[_i].says);
}
