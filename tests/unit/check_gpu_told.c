/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway gpu away from the records: by what Slurm's commands tell. */
#include "cli/common/tools.h"
#include "cli/gpu/gpu.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"

#include <jansson.h>

/* An hour on four GPUs. */
static const struct {
	const char *word;
	enum lw_gpu_advice advice;
	const char *line;
} advices[] = {
	{ "n:4,util:87/99,mem:31/40G,idle:0", TOOLS_GPU_ADVICE_NONE, "" },
	{ "n:4,util:0/0,mem:1/1G,idle:14000,empty:14400", TOOLS_GPU_ADVICE_IDLE,
	  "no process used its GPUs: did it need them?" },
	{ "n:4,util:0/3,mem:1/1G,idle:14000", TOOLS_GPU_ADVICE_IDLE,
	  "idle all the time: does the program see its GPUs?" },
	{ "n:4,util:70/99,mem:20/60G,idle:3600,quiet:1", TOOLS_GPU_ADVICE_SOME,
	  "1 of 4 GPUs idle: ask for 3, or use a launcher" },
	{ "n:4,util:20/99,mem:20/60G,idle:3600", TOOLS_GPU_ADVICE_BOUND,
	  "CPU-bound: more CPUs a GPU, or data on a local disk" },
	{ "n:4,util:9/30,mem:20/60G,idle:3600", TOOLS_GPU_ADVICE_LOW,
	  "little to do: a smaller or shared GPU would do" },
	{ "n:1,util:9/30,mem:20/60G,idle:360,shared:1", TOOLS_GPU_ADVICE_LOW,
	  "little to do: a smaller part of a GPU would do" },
	{ "n:4,util:90/99,mem:10/12G,idle:0,half:80", TOOLS_GPU_ADVICE_MEMORY,
	  "half of the memory was never used: 12 of 80 GiB" },
	{ "n:4,util:-,mem:-,idle:0", TOOLS_GPU_ADVICE_NONE, "" },
};

FIXTURE(fake_setup, fake_teardown);

TEST_EACH(the_worst_is_advised, LW_COUNT_OF(advices))
{
	struct lw_summary_word word;
	char comment[128], line[80];

	snprintf(comment, sizeof(comment), "leeway:gpu=%s", advices[_i].word);
	ck_assert_int_eq(lw_summary_decode(comment, &word), 0);
	ck_assert_int_eq(lw_gpu_advise(&word, 3600, false, line, sizeof(line)),
			 advices[_i].advice);
	ck_assert_str_eq(line, advices[_i].line);
	/* a test run tells nothing */
	ck_assert_int_eq(lw_gpu_advise(&word, 60, false, line, sizeof(line)),
			 TOOLS_GPU_ADVICE_NONE);
}

#define WORD "leeway:dl=training leeway:gpu=n:4,util:70/99,mem:20/60G,idle:3600,quiet:1"

#define SHARE_WORD "leeway:share=shard:9,was:gres/gpu:1,lend:600"

static char *told(const char *line, int wanted)
{
	char *err;
	int rc;

	err = scratch_complaint(lw_tools_gpu, line, &rc);
	ck_assert_msg(rc == wanted, "%s: %d: %s", line, rc, err);
	if (wanted)
		return err;
	free(err);
	return scratch_read(scratch_path("out"));
}

/* No line of TEXT is wider than 80 columns. */
static void check_narrow(const char *text)
{
	for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
		ck_assert_msg(strcspn(at, "\n") <= 80, "%.*s", (int)strcspn(at, "\n"), at);
}

TEST(accounting_tells_of_a_job)
{
	json_t *root;
	char *out;

	fake_command("sacct", "echo 'JobIDRaw|State|ElapsedRaw|AdminComment'\n"
			      "echo '7|COMPLETED|3600|" WORD "'");
	out = told("gpu 7", 0);
	check_narrow(out);
	ck_assert_ptr_nonnull(strstr(out, "job 7, COMPLETED, 4 GPUs, 1h00m, by its summary\n"));
	ck_assert_ptr_nonnull(strstr(out, "use       70 % on average, 99 at most\n"));
	ck_assert_ptr_nonnull(strstr(out, "advice    1 of 4 GPUs idle: ask for 3"));
	free(out);
	out = told("gpu 7 --json", 0);
	root = json_loads(out, 0, NULL);
	ck_assert_str_eq(json_string_value(json_object_get(root, "schema")),
			 "leeway.gpu.summary");
	ck_assert_str_eq(json_string_value(json_object_get(root, "advice")), "some_idle");
	ck_assert_int_eq(json_integer_value(json_object_get(root, "mem_mean_mib")), 20 << 10);
	ck_assert_int_eq(json_integer_value(json_object_get(root, "mem_max_mib")), 60 << 10);
	json_decref(root);
	free(out);
}

/* Who was given parts of a GPU, by its word alone where there is no summary, or beside it. */
static const struct {
	const char *comment, *says, *parts;
	bool summary;
} marks[] = {
	{ "leeway:share=shard:4,was:gres/gpu:1,util:20", "shares a GPU: shard:4 in place of gres",
	  "shard:4", false },
	{ SHARE_WORD, "lends its GPU while it leaves it idle, after 10m", "shard:9", false },
	{ SHARE_WORD ",idle:yes", "lends its GPU, and left it idle: guests may be there now",
	  "shard:9", false },
	{ "leeway:share=shard:1,was:gres/gpu:1,guest:yes",
	  "is a guest on a GPU that another job lends", "shard:1", false },
	{ "leeway:share=none,was:shard:4,left:memory",
	  "had to leave a shared GPU: memory ran out there", NULL, false },
	{ SHARE_WORD " leeway:gpu=n:1,util:9/30,mem:20/60G,idle:360",
	  "lends its GPU while it leaves it idle, after 10m", "shard:9", true },
};

TEST_EACH(the_share_word_is_told, LW_COUNT_OF(marks))
{
	char body[512], *out;
	json_t *root, *share;

	snprintf(body, sizeof(body),
		 "echo 'JobIDRaw|State|ElapsedRaw|AdminComment'\necho '7|RUNNING|3600|%s'",
		 marks[_i].comment);
	fake_command("sacct", body);
	fake_command("scontrol", "exit 1");
	out = told("gpu 7", 0);
	check_narrow(out);
	ck_assert_msg(strstr(out, marks[_i].says) != NULL, "%s", out);
	ck_assert(!!strstr(out, "job 7, RUNNING, 1h00m, without a summary\n") ==
		  !marks[_i].summary);
	ck_assert_ptr_null(strstr(out, "or shared GPU would do"));
	free(out);
	out = told("gpu 7 --json", 0);
	root = json_loads(out, 0, NULL);
	share = json_object_get(root, "share");
	ck_assert(json_is_null(json_object_get(root, "idle_s")) == !marks[_i].summary);
	if (marks[_i].parts)
		ck_assert_str_eq(json_string_value(json_object_get(share, "parts")),
				 marks[_i].parts);
	else
		ck_assert_str_eq(json_string_value(json_object_get(share, "left")), "memory");
	json_decref(root);
	free(out);
}

/* Of a job that runs the node told slurmctld what accounting does not know yet. */
TEST(slurmctld_knows_more_of_who_lends)
{
	char *out;

	fake_command("sacct", "echo 'JobIDRaw|State|ElapsedRaw|AdminComment'\n"
			      "echo '7|RUNNING|3600|" SHARE_WORD "'");
	fake_command("scontrol", "echo 'JobId=7 JobState=RUNNING AdminComment=" SHARE_WORD
				 ",idle:yes NodeList=n1'");
	out = told("gpu 7", 0);
	ck_assert_ptr_nonnull(strstr(out, "guests may be there now"));
	free(out);
}

#define RICH                                                                                     \
	"leeway:gpu=n:2,util:70/99,mem:20/60G,power:200/300,idle:360,sm:31,tensor:5,membw:44,"   \
	"energy:7200000/1"

TEST(a_summary_tells_of_energy)
{
	static const struct {
		const char *name;
		int value;
	} figures[] = { { "energy_j", 7200000 },
			{ "energy_gpus", 1 },
			{ "sm_mean", 31 },
			{ "tensor_mean", 5 },
			{ "membw_mean", 44 } };
	json_t *root;
	char *out;

	fake_command("sacct", "echo 'JobIDRaw|State|ElapsedRaw|AdminComment'\n"
			      "echo '7|COMPLETED|3600|" RICH "'\n"
			      "echo '8|COMPLETED|3600|" WORD "'");
	out = told("gpu 7", 0);
	ck_assert_msg(strstr(out, "\nenergy of the GPUs: 2.0 kWh (1 of 2 tell)\n") != NULL, "%s",
		      out);
	ck_assert_ptr_nonnull(strstr(out, "SM        31 % of the multiprocessors busy\n"));
	ck_assert_ptr_nonnull(strstr(out, "tensor    5 % of what the tensor cores can do\n"));
	ck_assert_ptr_nonnull(strstr(out, "bandwidth 44 % of the memory's\n"));
	free(out);
	out = told("gpu 7 --json", 0);
	root = json_loads(out, 0, NULL);
	for (size_t i = 0; i < LW_COUNT_OF(figures); i++)
		ck_assert_int_eq(json_integer_value(json_object_get(root, figures[i].name)),
				 figures[i].value);
	json_decref(root);
	free(out);
	/* what nobody measured is not told, and null */
	out = told("gpu 8", 0);
	ck_assert_ptr_null(strstr(out, "energy"));
	free(out);
	out = told("gpu 8 --json", 0);
	root = json_loads(out, 0, NULL);
	ck_assert(json_is_null(json_object_get(root, "energy_j")));
	json_decref(root);
	free(out);
}

TEST(without_accounting_slurmctld_does)
{
	char *out;

	fake_command("sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1");
	fake_command("scontrol", "echo 'JobId=7 JobName=x UserId=u1(1) JobState=RUNNING "
				 "AdminComment=" WORD " NodeList=n1'");
	out = told("gpu 7", 0);
	ck_assert_ptr_nonnull(strstr(out, "job 7, RUNNING, 4 GPUs, by its summary\n"));
	free(out);
}

TEST(nobody_tells)
{
	char *err, line[4300];

	fake_command("sacct", "echo 'JobIDRaw|State|ElapsedRaw|AdminComment'");
	fake_command("scontrol", "exit 1");
	err = told("gpu 7", LW_TOOLS_FAILED);
	ck_assert_ptr_nonnull(strstr(err, "nor has Slurm a summary of it"));
	free(err);
	/* who says where records are to be has nobody else asked */
	unlink(scratch_path("scontrol.asked"));
	snprintf(line, sizeof(line), "gpu 7 --dir %s", scratch_dir);
	free(told(line, LW_TOOLS_FAILED));
	ck_assert_int_ne(access(scratch_path("scontrol.asked"), F_OK), 0);
}

/* Who could not be asked has not said that there is none. */
TEST(slurm_cannot_be_asked)
{
	char *err, line[4300];

	fake_command("sacct", "echo 'sacct: error: no slurmdbd' >&2; exit 1");
	fake_command("scontrol", "exit 1");
	err = told("gpu 7", LW_TOOLS_FAILED);
	ck_assert_ptr_nonnull(strstr(err, "nor does Slurm tell: sacct failed: sacct: error: no"));
	ck_assert_ptr_nonnull(strstr(err, "run this there (squeue -j 7 -o %N names them)"));
	free(err);
	snprintf(line, sizeof(line), "gpu 7 --svg %s/x.svg", scratch_dir);
	err = told(line, LW_TOOLS_FAILED);
	ck_assert_ptr_null(strstr(err, "Slurm"));
	free(err);
	err = told("gpu --bin /no/such", LW_TOOLS_FAILED);
	ck_assert_ptr_nonnull(strstr(err, "/no/such/sacct: No such file or directory: is Slurm "
					  "installed here?"));
	free(err);
}

#define HEADER "JobIDRaw|State|ElapsedRaw|AdminComment\\n"

/* What is no answer is none that says there is no summary. */
static const struct {
	const char *sacct, *scontrol, *said;
} garbage[] = {
	{ "this is no sacct\\n", "exit 1", "nor does Slurm tell: sacct:1: no header line" },
	{ "JobIDRaw|State\\n7|COMPLETED\\n", "exit 1", "sacct printed no column ElapsedRaw" },
	{ HEADER "|||\\nx|7|COMPLETED|\\n", "exit 1",
	  "nothing that sacct printed can be read as jobs" },
	{ HEADER, "echo this is no scontrol", "nothing that scontrol printed can be read" },
	{ "", "echo this is no scontrol", "sacct:1: empty" },
};

TEST_EACH(what_is_no_answer_is_told, LW_COUNT_OF(garbage))
{
	char body[256], *err;

	snprintf(body, sizeof(body), "printf '%s'", garbage[_i].sacct);
	fake_command("sacct", body);
	fake_command("scontrol", garbage[_i].scontrol);
	err = told("gpu 7", LW_TOOLS_FAILED);
	ck_assert_msg(strstr(err, garbage[_i].said) != NULL, "%s", err);
	free(err);
}

/* One row of a job is enough; columns may stand in any order, and numbers may be none. */
TEST(among_garbage_a_row_is_found)
{
	char *out;

	fake_command("sacct", "echo 'State|JobIDRaw|AdminComment|ElapsedRaw'\n"
			      "echo '|||'; echo 'COMPLETED|7|" WORD "|3600'");
	out = told("gpu 7", 0);
	ck_assert_ptr_nonnull(strstr(out, "job 7, COMPLETED, 4 GPUs, 1h00m, by its summary\n"));
	free(out);
	fake_command("sacct", "echo 'JobIDRaw|State|ElapsedRaw|AdminComment'\n"
			      "echo '7|COMPLETED|-3600|" WORD "'");
	out = told("gpu 7", 0);
	ck_assert_ptr_nonnull(strstr(out, "job 7, COMPLETED, 4 GPUs, by its summary\n"));
	free(out);
}

TEST(a_summary_that_is_not_written_is_no_missing_one)
{
	char *err;

	fake_command("sacct", "echo 'JobIDRaw|State|ElapsedRaw|AdminComment'\n"
			      "echo '7|COMPLETED|3600|" WORD "'");
	err = told("gpu 7 --json=/dev/full", LW_TOOLS_FAILED);
	ck_assert_ptr_nonnull(strstr(err, "/dev/full: cannot write all of it"));
	ck_assert_ptr_null(strstr(err, "record"));
	free(err);
}

TEST(without_a_word_ones_own_jobs_are_shown)
{
	char *out, *asked;

	fake_command("sacct", "echo 'JobID|State|ElapsedRaw|AllocTRES|AdminComment'\n"
			      "echo '7|COMPLETED|3600|gres/gpu=4|" WORD "'\n"
			      "echo '8|CANCELLED by 1000|90000|gres/gpu=1|'");
	out = told("gpu", 0);
	check_narrow(out);
	ck_assert_ptr_nonnull(strstr(out, "7              COMPLETED        4   1h00m    70/99"));
	ck_assert_ptr_nonnull(strstr(out, "               1 of 4 GPUs idle: ask for 3"));
	free(out);
	free(told("gpu --since 2d", 0));
	asked = scratch_read(scratch_path("sacct.asked"));
	ck_assert_ptr_nonnull(strstr(asked, "-S now-172800seconds"));
	free(asked);
	out = told("gpu --wide", 0);
	ck_assert_ptr_nonnull(strstr(out, " training "));
	free(out);
}

/* Parts of a GPU are one, whether accounting keeps shards or the word alone tells. */
TEST(jobs_with_parts_are_listed)
{
	char *out;

	fake_command("sacct", "echo 'JobID|State|ElapsedRaw|AllocTRES|AdminComment'\n"
			      "echo '7|COMPLETED|3600|cpu=4,gres/shard=9|" SHARE_WORD "'\n"
			      "echo '8|COMPLETED|3600|cpu=4|" SHARE_WORD "'\n"
			      "echo '9|COMPLETED|3600|cpu=4|'");
	out = told("gpu", 0);
	ck_assert_ptr_nonnull(strstr(out, "7              COMPLETED        1   1h00m        -"));
	ck_assert_ptr_nonnull(strstr(out, "\n8              COMPLETED        1   1h00m"));
	ck_assert_ptr_nonnull(strstr(out, "no record\n               lends its GPU while it"));
	check_narrow(out);
	ck_assert_ptr_nonnull(strstr(out, "2 jobs with GPUs, 0 of them recorded; 2.0 GPU-hours"));
	free(out);
}
