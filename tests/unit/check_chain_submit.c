/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway chain submit: what sbatch is told, and what the user. */
#include "cli/common/tools.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"

#include <jansson.h>
#include <signal.h>

/* It gives numbers from 101 on, which a snippet behind it may print in another way. */
#define NUMBER "n=$(($(cat $d/n 2>/dev/null || echo 100) + 1)); echo $n >$d/n\n"
#define ANSWER NUMBER "echo $n"

static void setup(void)
{
	fake_setup();
	fake_command("sbatch", ANSWER);
}

/* ---- what sbatch is told ---- */

static const struct {
	const char *words, *asked;
} lines[] = {
	{ "--links 1 job.sh", "--parsable job.sh\n" },
	{ "--links=3 -N 2 job.sh a -x --links 7",
	  "--parsable -N 2 job.sh a -x --links 7\n"
	  "--parsable -N 2 --dependency=afterany:101 job.sh a -x --links 7\n"
	  "--parsable -N 2 --dependency=afterany:102 job.sh a -x --links 7\n" },
	{ "-n4 --links 2 --time 2-0 --after ok --signal B:USR1@300 job.sh",
	  "--parsable -n4 --time 2-0 --signal=B:USR1@300 job.sh\n"
	  "--parsable -n4 --time 2-0 --signal=B:USR1@300 --dependency=afterok:101 job.sh\n" },
	{ "--links 2 --overlap 10m -t 1-0 job.sh",
	  "--parsable -t 1-0 job.sh\n"
	  "--parsable -t 1-0 --dependency=afterany:101?after:101+1430 job.sh\n" },
	{ "--links 2 --overlap=90s --time=5 --time 1:00:30 job.sh",
	  "--parsable --time=5 --time 1:00:30 job.sh\n"
	  "--parsable --time=5 --time 1:00:30 --dependency=afterany:101?after:101+59 job.sh\n" },
	/* what it already waits for is the first link's */
	{ "--links 2 --depend afterok:7 job.sh",
	  "--parsable --depend afterok:7 job.sh\n"
	  "--parsable --depend afterok:7 --dependency=afterany:101 job.sh\n" },
	{ "--links 2 --wrap=true", "--parsable --wrap=true\n"
				   "--parsable --wrap=true --dependency=afterany:101\n" },
	{ "--links 2 --wrap true -H", "--parsable --wrap true -H\n"
				      "--parsable --wrap true -H --dependency=afterany:101\n" },
	{ "--links 2 -N1 : -N2 job.sh",
	  "--parsable -N1 : -N2 job.sh\n"
	  "--parsable -N1 --dependency=afterany:101 : -N2 job.sh\n" },
	/* a site's own option without a value, as the last before the script */
	{ "--links 2 --container-mount-home -- job.sh -d",
	  "--parsable --container-mount-home -- job.sh -d\n"
	  "--parsable --container-mount-home --dependency=afterany:101 -- job.sh -d\n" },
	{ "--links 2 --container-image=x job.sh",
	  "--parsable --container-image=x job.sh\n"
	  "--parsable --container-image=x --dependency=afterany:101 job.sh\n" },
	/* what stands behind -k is its value */
	{ "--links 1 -kN job.sh", "--parsable -kN job.sh\n" },
	/* options with a value behind a "=" or none do not take the script */
	{ "--links 1 --exclusive -k --nice -vvHN 2 job.sh",
	  "--parsable --exclusive -k --nice -vvHN 2 job.sh\n" },
};

FIXTURE(setup, fake_teardown);

TEST_EACH(sbatch_is_told, LW_COUNT_OF(lines))
{
	char line[256], *asked, *told;
	int rc;

	snprintf(line, sizeof(line), "chain submit %s", lines[_i].words);
	told = scratch_complaint(lw_tools_chain, line, &rc);
	ck_assert_msg(rc == LW_TOOLS_OK && !*told, "%s: %d: %s", line, rc, told);
	asked = scratch_read(scratch_path("sbatch.asked"));
	ck_assert_str_eq(asked, lines[_i].asked);
	free(asked);
	free(told);
}

TEST(numbers_are_printed)
{
	int rc;
	char *told = scratch_complaint(lw_tools_chain, "chain submit --links 3 --after ok job.sh",
				       &rc);
	char *said = scratch_read(scratch_path("out"));

	ck_assert_str_eq(said, "101  link 1 of 3\n"
			       "102  link 2 of 3, when 101 has ended well\n"
			       "103  link 3 of 3, when 102 has ended well\n");
	free(said);
	free(told);
}

/* A link can only wait for one on its own cluster. */
TEST(a_cluster_is_kept)
{
	char *asked, *told;
	int rc;

	fake_command("sbatch", NUMBER "echo 'You have 7 hours left.'\necho \"$n;north\"");
	told = scratch_complaint(lw_tools_chain, "chain submit --links 2 -M north,south job.sh",
				 &rc);
	ck_assert_int_eq(rc, LW_TOOLS_OK);
	asked = scratch_read(scratch_path("sbatch.asked"));
	ck_assert_str_eq(asked, "--parsable -M north,south job.sh\n"
				"--parsable -M north,south --clusters=north "
				"--dependency=afterany:101 job.sh\n");
	free(asked);
	free(told);
}

/* A message of the site comes through at once, and plain. */
TEST(a_warning_is_passed_on)
{
	int rc;
	char *told;

	fake_command("sbatch", ANSWER "\nprintf 'sbatch: low \\033[2J funds' >&2");
	told = scratch_complaint(lw_tools_chain, "chain submit --links 1 job.sh", &rc);
	ck_assert_int_eq(rc, LW_TOOLS_OK);
	ck_assert_str_eq(told, "sbatch: low ?[2J funds\n");
	free(told);
}

/* ---- wrong usage: nothing is sent ---- */

static const struct {
	const char *words, *told;
} refused[] = {
	{ "", "say submit or show" },
	{ "sumbit", "\"sumbit\" is not submit or show" },
	{ "submit", "how many jobs? Give --links N" },
	{ "submit job.sh", "how many jobs? Give --links N" },
	{ "submit --links", "its value is missing" },
	{ "submit --links 0 job.sh", "--links: \"0\" is not a whole number of 1 to 1000" },
	{ "submit --links 1000000000 job.sh", "--links: \"1000000000\" is not" },
	{ "submit --links -2 job.sh", "--links: \"-2\" is not" },
	{ "submit --links 2x job.sh", "--links: \"2x\" is not" },
	{ "submit --links 3", "which script?" },
	{ "submit --links 3 -N 2", "which script?" },
	{ "submit --links 3 --", "which script?" },
	{ "submit --links 3 -N1 : -N2", "which script?" },
	{ "submit --links 3 -N1 : -N2 : --", "which script?" },
	{ "submit --links 3 -N", "-N: its value is missing" },
	{ "submit --links 3 --wrap=true job.sh", "\"job.sh\": a script, and --wrap" },
	{ "submit --links 3 --overlap 10m job.sh", "add --time, as in the script" },
	{ "submit --links 3 --overlap 10m job.sh --time 60", "add --time, as in the script" },
	{ "submit --links 3 --overlap 10m -J --time=60 job.sh", "add --time, as in the script" },
	{ "submit --links 3 --overlap 10m --time 10 job.sh", "more than half of the limit" },
	{ "submit --links 3 --overlap 31m --time 60 job.sh", "three jobs would run" },
	{ "submit --links 3 --overlap 1m --time 9 --time-min=5 job.sh", "leave it out" },
	{ "submit --links 3 --overlap 1m --time 99999999-0 job.sh", "needs a limit such as" },
	{ "submit --links 3 --overlap 10m --time UNLIMITED job.sh", "needs a limit such as" },
	{ "submit --links 3 --overlap 10m --time 1:2:3:4 job.sh", "needs a limit such as" },
	{ "submit --links 3 --overlap 10m --after ok -t9 job.sh", "leave out --after ok" },
	{ "submit --links 3 --overlap 10 job.sh", "has no unit" },
	{ "show --overlap 10m", "belong to submit" },
	{ "submit --links 3 --after never job.sh", "--after: \"never\" is not any or ok" },
	{ "submit --links 3 --since 1d job.sh", "--since and --now belong to show" },
	{ "submit --links 3 --pyxis job.sh",
	  "--pyxis: is \"job.sh\" its value, or the script? Write --pyxis=job.sh, or \"--\"" },
	{ "submit --links 3 --test-only job.sh",
	  "--test-only of sbatch makes no chain: see --dry-" },
	{ "submit --links 3 --wait job.sh", "--wait of sbatch makes no chain" },
	{ "submit --links 3 -vQ job.sh", "-vQ of sbatch makes no chain" },
	{ "submit --links 3 --json=/nowhere/x job.sh", "/nowhere/x: cannot write" },
	{ "show 1 2", "more than one job" },
	{ "show 0", "\"0\" is no job id" },
	{ "show 12x", "\"12x\" is no job id" },
	{ "show -- -1", "\"-1\" is no job id" },
	{ "show 4294967296", "\"4294967296\" is no job id" },
	{ "show 12_x", "\"12_x\" is no job id" },
	{ "show 12 --links 3", "belong to submit" },
};

TEST_EACH(a_slip_is_told, LW_COUNT_OF(refused))
{
	char line[256], *told;
	int rc;

	snprintf(line, sizeof(line), "chain%s%s", *refused[_i].words ? " " : "",
		 refused[_i].words);
	told = scratch_complaint(lw_tools_chain, line, &rc);
	ck_assert_msg(strstr(told, refused[_i].told) != NULL, "%s: %s", line, told);
	ck_assert_msg(rc == (strstr(line, "nowhere") ? LW_TOOLS_FAILED : LW_TOOLS_USAGE),
		      "%s: exit code %d", line, rc);
	ck_assert_int_ne(access(scratch_path("sbatch.asked"), F_OK), 0);
	free(told);
}

/* ---- a chain that is not whole ---- */

#define SENT "Sent, and left as they are: 101 102\nTo cancel them:  scancel 101 102\n"

static const struct {
	const char *body;    /* of sbatch at the third link */
	const char *told[3]; /* parts of what is told */
	bool doubtful;       /* the third may have been sent */
} failures[] = {
	{ "echo 'sbatch: error: one' >&2; echo 'sbatch: error: no more' >&2; exit 1",
	  { "link 3 of 5 was not sent: sbatch failed: sbatch: error: no more\n" },
	  false },
	{ "exit 7", { "sbatch failed: exit status 7\n" }, false },
	{ "kill -9 $$", { "sbatch failed: it was ended by signal 9\n" }, true },
	{ "true", { "sbatch printed no number of a job\n" }, true },
	{ "echo Submitted batch job 103",
	  { "no number of a job, but: Submitted batch job 103\n" },
	  true },
	{ "echo 103x", { "no number of a job, but: 103x\n" }, true },
	{ "echo 0", { "no number of a job, but: 0\n" }, true },
	{ "echo 99999999999", { "no number of a job, but: 99999999999\n" }, true },
	{ "printf 'a\\033[2Jb\\n'", { "but: a?[2Jb" }, true },
	{ "printf '\\377\\n' >&2; exit 1", { "sbatch failed: ?\n" }, false },
	{ "head -c 1048576 /dev/zero | tr '\\0' 7",
	  { "sbatch printed far more than the number of a job\n" },
	  true },
	{ "yes 7 | head -c 1048576", { "sbatch printed far more than the number" }, true },
	{ "head -c 1048576 /dev/zero | tr '\\0' 7 >&2; exit 1",
	  { "sbatch failed: 777777" },
	  false },
	{ "echo 103; exit 1",
	  { "Job 103 may have been sent, though: see squeue -j 103\n" },
	  false },
	{ "rm $0; echo 103; kill -INT $PPID",
	  { "link 4 of 5 was not sent: interrupted\n",
	    "Sent, and left as they are: 101 102 103\n", "--links 2 --dependency=afterany:103" },
	  false },
};

TEST_EACH(what_was_sent_is_told, LW_COUNT_OF(failures))
{
	char body[512], *told;
	bool third = !strstr(failures[_i].body, "PPID");
	int rc;

	snprintf(body, sizeof(body), NUMBER "[ $n = 103 ] || { echo $n; exit; }\n%s",
		 failures[_i].body);
	fake_command("sbatch", body);
	told = scratch_complaint(lw_tools_chain, "chain submit --links 5 job.sh", &rc);
	ck_assert_int_eq(rc, LW_TOOLS_FAILED);
	for (int i = 0; i < 3 && failures[_i].told[i]; i++)
		ck_assert_msg(strstr(told, failures[_i].told[i]) != NULL, "%s", told);
	ck_assert_msg(!third || strstr(told, SENT) != NULL, "%s", told);
	ck_assert_msg(!third || strstr(told, "--links 3 --dependency=afterany:102\n") != NULL,
		      "%s", told);
	ck_assert_msg(!strstr(told, "That link may have been sent") == !failures[_i].doubtful,
		      "%s", told);
	ck_assert_ptr_null(strpbrk(told, "\x1b\xff"));
	free(told);
}

TEST(no_sbatch_is_told)
{
	char *told;
	int rc;

	setenv("PATH", scratch_dir, 1);
	ck_assert_int_eq(unlink(scratch_path("sbatch")), 0);
	told = scratch_complaint(lw_tools_chain, "chain submit --links 5 job.sh", &rc);
	ck_assert_int_eq(rc, LW_TOOLS_FAILED);
	ck_assert_str_eq(told, "leeway chain: link 1 of 5 was not sent: there is no sbatch in "
			       "PATH\nNo job was sent.\nleeway chain: the chain is not whole\n");
	free(told);
}

/* Where what is printed gets lost, the chain is sent, and the numbers are told elsewhere. */
TEST_EACH(a_full_disk_loses_no_job, 2)
{
	const char *line =
		_i ? "chain submit --links 2 --json job.sh" : "chain submit --links 2 job.sh";
	char *told;
	int rc;

	ck_assert_int_eq(symlink("/dev/full", scratch_path("out")), 0);
	told = scratch_complaint(lw_tools_chain, line, &rc);
	clearerr(stdout);
	ck_assert_int_eq(rc, LW_TOOLS_FAILED);
	ck_assert_msg(strstr(told, "scancel 101 102\n") != NULL, "%s", told);
	ck_assert_ptr_null(strstr(told, "To go on"));
	free(told);
}

/* The command, whose standard output is a pipe that nobody reads any more. */
static int unread(int argc, char **argv)
{
	int ends[2], saved = dup(STDOUT_FILENO), rc;

	ck_assert(!pipe(ends) && saved >= 0);
	close(ends[0]);
	dup2(ends[1], STDOUT_FILENO);
	close(ends[1]);
	rc = lw_tools_chain(argc, argv);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	clearerr(stdout);
	return rc;
}

TEST(a_reader_that_goes_loses_no_job)
{
	int rc;
	char *told = scratch_complaint(unread, "chain submit --links 3 job.sh", &rc);

	ck_assert_int_eq(rc, LW_TOOLS_FAILED);
	ck_assert_msg(strstr(told, "scancel 101 102 103\n") != NULL, "%s", told);
	free(told);
}

/* ---- --dry-run and JSON ---- */

TEST(a_dry_run_is_for_a_shell)
{
	char *argv[] = { "chain",     "submit", "--dry-run", "--links", "3",
			 "--comment", "a 'b'",  "job.sh",    "$HOME",   NULL };
	char *said, *told;
	int rc;

	told = scratch_told(lw_tools_chain, 9, argv, &rc);
	ck_assert_int_eq(rc, LW_TOOLS_OK);
	said = scratch_read(scratch_path("out"));
	ck_assert_str_eq(said,
			 "id1=$(sbatch --parsable --comment 'a '\\''b'\\''' job.sh '$HOME')\n"
			 "id2=$(sbatch --parsable --comment 'a '\\''b'\\''' "
			 "--dependency=afterany:${id1%%;*} job.sh '$HOME')\n"
			 "id3=$(sbatch --parsable --comment 'a '\\''b'\\''' "
			 "--dependency=afterany:${id2%%;*} job.sh '$HOME')\n");
	ck_assert_int_ne(access(scratch_path("sbatch.asked"), F_OK), 0);
	free(said);
	free(told);
}

TEST(a_dry_run_quotes_what_is_a_pattern)
{
	char *argv[] = { "chain", "submit",    "--dry-run", "--links",  "2",
			 "--time", "2:00:00", "--overlap", "5m", "job.sh", NULL };
	int rc;
	char *told = scratch_told(lw_tools_chain, 10, argv, &rc);
	char *said = scratch_read(scratch_path("out"));

	ck_assert_int_eq(rc, LW_TOOLS_OK);
	ck_assert_ptr_nonnull(strstr(said, " \"--dependency=afterany:${id1%%;*}?after:"
					   "${id1%%;*}+115\" job.sh)\n"));
	free(said);
	free(told);
}

/* A name that is a command to a terminal is one to the shell alone. */
TEST(a_dry_run_prints)
{
	char *argv[] = { "chain", "submit", "--dry-run", "--links",
			 "1",     "j\033[31m'\xc2\x9b.sh", "two\nlines", NULL };
	char *said, *told;
	int rc;

	told = scratch_told(lw_tools_chain, 7, argv, &rc);
	ck_assert_int_eq(rc, LW_TOOLS_OK);
	said = scratch_read(scratch_path("out"));
	ck_assert_str_eq(said, "id1=$(sbatch --parsable $'j\\033[31m\\'\\302\\233.sh' "
			       "$'two\\012lines')\n");
	free(said);
	free(told);
}

TEST(json_has_what_was_sent)
{
	json_t *root, *links;
	char *told;
	int rc;

	fake_command("sbatch", NUMBER "[ $n = 103 ] && exit 9\necho $n");
	told = scratch_complaint(lw_tools_chain, "chain submit --links 3 --json job.sh", &rc);
	ck_assert_int_eq(rc, LW_TOOLS_FAILED);
	root = json_load_file(scratch_path("out"), 0, NULL);
	ck_assert_str_eq(json_string_value(json_object_get(root, "schema")),
			 "leeway.chain.submit");
	links = json_object_get(root, "links");
	ck_assert_int_eq(json_array_size(links), 2);
	ck_assert(json_is_null(json_object_get(json_array_get(links, 0), "after")));
	ck_assert_str_eq(json_string_value(json_object_get(json_array_get(links, 1), "job")),
			 "102");
	ck_assert_str_eq(json_string_value(json_object_get(json_array_get(links, 1), "after")),
			 "101");
	ck_assert_int_eq(json_integer_value(json_object_get(root, "asked")), 3);
	ck_assert(json_is_false(json_object_get(root, "whole")));
	ck_assert_str_eq(json_string_value(json_object_get(root, "error")),
			 "sbatch failed: exit status 9");
	json_decref(root);
	free(told);
}
