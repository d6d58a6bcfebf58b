/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway limit, by what sacct tells. */
#include "cli/common/tools.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"

#include <jansson.h>
#include <time.h>

#define HEADER "JobID|State|ElapsedRaw|TimelimitRaw|JobName\n"
/* ten runs of 100 to 1000 seconds, one name with a bar; what failed does not count */
#define TEN                                                                                      \
	"1|COMPLETED|1000|1440|a|b\n2|COMPLETED|100|1440|a|b\n3|COMPLETED|200|1440|a|b\n"        \
	"4|COMPLETED|300|1440|a|b\n5|COMPLETED|400|1440|a|b\n6|COMPLETED|500|1440|a|b\n"         \
	"7|COMPLETED|600|1440|a|b\n8|COMPLETED|700|1440|a|b\n9|COMPLETED|800|1440|a|b\n"         \
	"10|COMPLETED|900|120|a|b\n11|FAILED|5000|1440|a|b\n12|CANCELLED by 7|9000|1440|a|b\n"   \
	"13|RUNNING|9000|1440|a|b\n"

static char *said(const char *line, int wanted)
{
	int rc;
	char *told = scratch_complaint(lw_tools_limit, line, &rc);

	ck_assert_msg(rc == wanted, "%s: %d: %s", line, rc, told);
	if (wanted)
		return told;
	free(told);
	return scratch_read(scratch_path("out"));
}

static const struct {
	const char *rows, *line, *wanted; /* a line of it, blanks put together */
} tables[] = {
	{ TEN, "limit", "\na|b 10 0:08:20 0:15:00 0:16:40 2:00:00 0:20:00\n" },
	{ "1|COMPLETED|100000|Partition_Limit|x\n2|COMPLETED|90000|UNLIMITED|x\n"
	  "3_4|COMPLETED|80000||x\n",
	  "limit x", "\nx 3 1-01:00:00 1-03:46:40 1-03:46:40 - 1-07:00:00\n" },
	{ "1|COMPLETED|10|60|x\n2|TIMEOUT|3600|60|x\n3|COMPLETED|10|60|x\n", "limit",
	  "\nx 3 0:00:10 1:00:00 1:00:00 1:00:00 more: 1 cut\n" },
	{ "1|COMPLETED|10|60|x\n2|COMPLETED|10|60|x\n", "limit",
	  "\nx 2 0:00:10 0:00:10 0:00:10 1:00:00 too few runs\n" },
	{ "1|COMPLETED|10|60|rare\n2|COMPLETED|10|60|often\n3|COMPLETED|10|60|often\n", "limit",
	  "too few runs\nrare 1" },
	{ "1|COMPLETED|10|60|x\n", "limit y", "no job of yours ended" },
	{ "", "limit", "no job of yours ended" },
	{ "1|FAILED|-1|60|x\n", "limit", "no job of yours ended" },
};

/* Runs of blanks in TEXT become one. */
static void put_together(char *text)
{
	char *to = text;

	for (const char *at = text; *at; at++)
		if (*at != ' ' || at == text || at[-1] != ' ')
			*to++ = *at;
	*to = '\0';
}

FIXTURE(fake_setup, fake_teardown);

TEST_EACH(limits_are_told, LW_COUNT_OF(tables))
{
	char rows[2048], *out;

	snprintf(rows, sizeof(rows), HEADER "%s", tables[_i].rows);
	scratch_write("rows", rows);
	fake_command("sacct", "cat $d/rows");
	out = said(tables[_i].line, 0);
	put_together(out);
	ck_assert_msg(strstr(out, tables[_i].wanted) != NULL, "no \"%s\" in:\n%s",
		      tables[_i].wanted, out);
	free(out);
}

/* What is said of ROWS, HEADER before them. */
static char *told_of(const char *rows, int wanted)
{
	char *told;
	int rc;

	scratch_write("rows", rows);
	fake_command("sacct", "cat $d/rows");
	told = scratch_complaint(lw_tools_limit, "limit", &rc);
	ck_assert_msg(rc == wanted, "%d: %s", rc, told);
	return told;
}

/* A limit by half of the runs would look like one by all. */
TEST(rows_that_cannot_be_read_are_counted)
{
	char *told = told_of(HEADER "1|COMPLETED|10|60|x\n2|COMPLETED|ten|60|x\n3|COMPLETED\n"
				    "4|COMPLETED|10|60|x\n",
			     0);

	ck_assert_str_eq(told, "leeway limit: 2 of 4 rows of sacct cannot be read and are left "
			       "out\n");
	free(told);
	told = told_of(HEADER "1|COMPLETED|-1|60|x\n", LW_TOOLS_FAILED);
	ck_assert_ptr_nonnull(strstr(told, "nothing that sacct printed can be read"));
	free(told);
}

TEST(columns_are_found_by_name)
{
	char *told =
		told_of("JobName|TimelimitRaw|ElapsedRaw|State|JobID\nx|60|10|COMPLETED|1\n", 0);

	ck_assert_str_eq(told, "");
	free(told);
	told = told_of("JobID|State\n1|COMPLETED\n", LW_TOOLS_FAILED);
	ck_assert_ptr_nonnull(strstr(told, "no column ElapsedRaw"));
	free(told);
}

TEST(sacct_is_asked_for_these)
{
	char *asked;

	fake_command("sacct", "printf '" HEADER "'");
	free(said("limit --user u2 --since 7d", 0));
	asked = scratch_read(scratch_path("sacct.asked"));
	ck_assert_ptr_nonnull(strstr(asked, "-S now-604800seconds -u u2 "));
	free(asked);
}

TEST(there_is_json)
{
	json_t *root, *row;
	char *out;

	scratch_write("rows", HEADER TEN);
	fake_command("sacct", "cat $d/rows");
	out = said("limit --json", 0);
	root = json_loads(out, 0, NULL);
	ck_assert_str_eq(json_string_value(json_object_get(root, "schema")), "leeway.limit");
	row = json_array_get(json_object_get(root, "names"), 0);
	ck_assert_int_eq(json_integer_value(json_object_get(row, "p90_s")), 900);
	ck_assert_int_eq(json_integer_value(json_object_get(row, "advised_s")), 1200);
	json_decref(root);
	free(out);
}

TEST(failures_are_told)
{
	char *told;

	fake_command("sacct", "echo 'no slurmdbd' >&2; exit 1");
	told = said("limit", LW_TOOLS_FAILED);
	ck_assert_ptr_nonnull(strstr(told, "no slurmdbd"));
	free(told);
	told = said("limit a b", LW_TOOLS_USAGE);
	free(told);
	told = said("limit --since 0", LW_TOOLS_USAGE);
	ck_assert_ptr_nonnull(strstr(told, "--since"));
	free(told);
}

/* Far more than it takes; comparing each name with all others takes far more than this. */
#define NAMES_CPU_S 4

TEST(many_names_are_told_soon)
{
	clock_t begun;
	char *out;

	fake_command("sacct", "printf '" HEADER "'; seq 150000 |"
			      " sed 's/.*/&|COMPLETED|9|60|n&/'");
	begun = clock();
	out = said("limit", 0);
	ck_assert_int_lt((clock() - begun) / CLOCKS_PER_SEC,
			 getenv("LW_QUICK") ? 10 * NAMES_CPU_S : NAMES_CPU_S);
	ck_assert_ptr_nonnull(strstr(out, "\nn150000 "));
	free(out);
}
