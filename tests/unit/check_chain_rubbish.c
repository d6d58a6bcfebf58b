/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway chain show where squeue or sacct print what is no answer. */
#include "cli/common/tools.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"

#define SACCT_HEAD "JobID|User|State|Submit|Start|End|SubmitLine|JobName\n"
#define QUEUED     "101|u1|PENDING|10|N/A|N/A|(null)|None|train|(null)\n"
#define TOLD       "101|u1|PENDING|10|Unknown|Unknown|sbatch job.sh|train\n"

FIXTURE(fake_setup, fake_teardown);

/* A chain is shown by the rows that are some, and of the others it is said how many there are. */
TEST(rows_that_are_none_are_counted)
{
	char *told;
	int rc;

	fake_command("squeue", "echo 101; echo '" QUEUED "'");
	fake_command("sacct", "printf '" SACCT_HEAD "x|u1\n" TOLD "'");
	told = scratch_complaint(lw_tools_chain, "chain show 101", &rc);
	ck_assert_int_eq(rc, LW_TOOLS_OK);
	ck_assert_msg(strstr(told, "leeway chain: 1 of 2 rows of squeue cannot be read and are "
				   "left out\n") &&
			      strstr(told, "leeway chain: 1 of 2 rows of sacct cannot be read"),
		      "%s", told);
	free(told);
}

/* Who was answered rubbish has not been told that there is no chain. */
static const struct {
	const char *squeue, *sacct, *told;
	int rc;
} list_garbage[] = {
	{ "echo this is no squeue", "echo '" SACCT_HEAD "'",
	  "nothing that squeue printed can be read as jobs", LW_TOOLS_FAILED },
	{ "true", "echo this is no sacct", "Accounting told nothing (sacct:1: no header line",
	  LW_TOOLS_OK },
	{ "true", "echo '" SACCT_HEAD "'; echo '7|u1'",
	  "Accounting told nothing (nothing that sacct printed can be read as jobs",
	  LW_TOOLS_OK },
};

TEST_EACH(a_list_is_not_of_garbage, LW_COUNT_OF(list_garbage))
{
	char *told, *out;
	int rc;

	fake_command("squeue", list_garbage[_i].squeue);
	fake_command("sacct", list_garbage[_i].sacct);
	told = scratch_complaint(lw_tools_chain, "chain show", &rc);
	out = scratch_read(scratch_path("out"));
	ck_assert_int_eq(rc, list_garbage[_i].rc);
	ck_assert_msg(strstr(rc ? told : out, list_garbage[_i].told) != NULL, "%s%s", told, out);
	free(out);
	free(told);
}
