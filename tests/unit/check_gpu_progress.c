/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway gpu: how far a job says that it is, in each of its forms. */
#include "cli/common/progress.h"
#include "cli/common/tools.h"
#include "record/file.h"
#include "unit/fake_slurm.h"
#include "unit/gpu_records.h"
#include "unit/unit.h"

#include <jansson.h>
#include <string.h>

/* A run from START on, at NOW. */
#define NOW_S      (START + 5000)
#define MARK(from) "leeway:progress=300/1100,at:1700002800,from:" from ",since:1700000400"

static const struct {
	const char *comment;
	int64_t limit_s, now_s;
	const char *told;
} rates[] = {
	{ MARK("100"), 0, NOW_S, "300 of 1100, 5.0 a minute, 2h03m left" },
	{ MARK("100"), START + 6000, NOW_S,
	  "300 of 1100, 5.0 a minute, 2h03m left, more than its time limit has" },
	{ MARK("100"), START + 90000, NOW_S, "300 of 1100, 5.0 a minute, 2h03m left" },
	/* of a job that has ended nothing is left */
	{ MARK("100"), 0, 0, "300 of 1100, 5.0 a minute" },
	{ MARK("299"), 0, 0, "300 of 1100, 1.5 an hour" },
	{ "mine leeway:progress=9000,at:1700000160,from:0,since:1700000100", 0, NOW_S,
	  "9000, 150.0 a second" },
	/* in less than a minute no rate is seen */
	{ "leeway:progress=9000,at:1700000159,from:0,since:1700000100", 0, NOW_S, "9000" },
	{ "leeway:progress=9000,at:1700000160,from:9000,since:1700000100", 0, 0, "9000" },
	{ "leeway:progress=7/9", 0, NOW_S, "7 of 9" },
	{ "leeway:progress=7/9x", 0, NOW_S, "" },
	{ "", 0, NOW_S, "" },
	{ NULL, 0, NOW_S, "" },
};

FIXTURE(fake_setup, fake_teardown);

TEST_EACH(its_rate_is_told, LW_COUNT_OF(rates))
{
	struct lw_strbuf line = LW_STRBUF_INIT;
	struct lw_progress progress;

	lw_progress_read(rates[_i].comment, START, rates[_i].now_s, &progress);
	progress.limit_s = rates[_i].limit_s;
	lw_progress_tell_rate(&progress, rates[_i].now_s, &line);
	ck_assert_str_eq(lw_strbuf_text(&line), rates[_i].told);
	lw_strbuf_fini(&line);
}

/* What the command prints, to be freed. */
static char *shown(const char *line)
{
	int rc;
	char *told = scratch_complaint(lw_tools_gpu, line, &rc);

	ck_assert_msg(rc == LW_TOOLS_OK, "%s: %d: %s", line, rc, told);
	free(told);
	return scratch_read(scratch_path("out"));
}

static void has(char *out, const char *wanted)
{
	ck_assert_msg(strstr(out, wanted) != NULL, "\"%s\" in:\n%s", wanted, out);
	free(out);
}

static void has_not(char *out, const char *unwanted)
{
	ck_assert_msg(strstr(out, unwanted) == NULL, "\"%s\" in:\n%s", unwanted, out);
	free(out);
}

/* squeue has job 77, which has run for 2,000 s and was at 300 of 1,100 steps a minute ago. */
#define RUNS                                                                                     \
	"now=$(date +%s)\n"                                                                      \
	"printf '77|%d|%d|mine leeway:progress=300/1100,at:%d,from:100,since:%d\\n' "            \
	"$((now - 2000)) $((now + 90000)) $((now - 60)) $((now - 1060))\n"

TEST(a_job_that_runs_is_asked_of_slurm)
{
	struct lw_record *record = make_record("n1", "batch", 1);
	struct lw_record_file *part;
	char line[256];

	fill(record, 50, 1);
	record->head.end_s = 0;
	ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &part, NULL), 0);
	fake_command("squeue", RUNS);
	snprintf(line, sizeof(line), "gpu 77 --dir %s", scratch_dir);
	has(shown(line), "still running\nprogress: 300 of 1100, 12.0 a minute, 1h05m left\n\n");
	has(scratch_read(scratch_path("squeue.asked")), "-j 77 -t RUNNING");
	strcat(line, " --json");
	has(shown(line), "\"progress_step\": 300,\n  \"progress_of\": 1100,\n  \"progress_s\": ");
	has(shown(line), "\"progress_per_s\": 0.2,\n  \"progress_done_s\": 1");
	fake_command("squeue", "exit 1");
	has_not(shown(line), "progress");
	lw_record_file_abandon(part);
	lw_record_destroy(record);
}

#define HEADER "echo 'JobID|JobIDRaw|State|ElapsedRaw|AllocTRES|Comment|AdminComment'\n"

TEST(of_a_users_jobs_those_that_say_it_have_a_line)
{
	fake_command("sacct",
		     HEADER "echo '77|77|RUNNING|2000|gres/gpu=4||'\n"
			    "echo '78|78|COMPLETED|3600|gres/gpu=4|" MARK(
				    "100") "|'\n"
					   "echo '79|79|COMPLETED|3600|gres/gpu=4|mine|'");
	fake_command("squeue", RUNS);
	has(shown("gpu"), "no record\n               progress: 300 of 1100, 12.0 a minute, "
			  "1h05m left\n78 ");
	has(shown("gpu --wide"), "no record\n               progress: 300 of 1100, 5.0 a minute\n"
				 "79 ");
	has(scratch_read(scratch_path("squeue.asked")), " -t RUNNING");
	has(shown("gpu --json"), "\"progress_per_s\": 0.2,");
	fake_command("squeue", "exit 1");
	has_not(shown("gpu"), "12.0");
}

/* Where no record is at hand. */
TEST(its_summary_goes_with_it)
{
	fake_command("sacct", HEADER "echo '7|7|COMPLETED|3600|gres/gpu=4|" MARK(
				      "100") "|leeway:gpu=n:4,util:70/99,mem:20/60G,idle:3600'");
	has(shown("gpu 7"), "by its summary\n\nprogress  300 of 1100, 5.0 a minute\n");
	has(shown("gpu 7 --json"), "\"progress_step\": 300");
	fake_command("sacct", "exit 1");
	fake_command("scontrol", "echo 'JobId=7 JobState=COMPLETED AdminComment=leeway:gpu=n:4,"
				 "util:70/99,mem:20/60G,idle:3600 Comment=" MARK("100") " X=1'");
	has(shown("gpu 7"), "by its summary\n\nprogress  300 of 1100, 5.0 a minute\n");
}
