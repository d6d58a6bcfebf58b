/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway chain show: the links of a chain, and the time between them. */
#include "cli/chain/links.h"
#include "cli/common/tools.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"

#include <jansson.h>

#define SACCT_HEAD "JobID|User|State|Submit|Start|End|SubmitLine|JobName\n"
#define QUEUED(id, state, submit, start, end, after, reason, comment)                            \
	id "|u1|" state "|" submit "|" start "|" end "|" after "|" reason "|train|" comment "\n"
#define TOLD(id, state, submit, start, end, line)                                                \
	id "|u1|" state "|" submit "|" start "|" end "|sbatch " line " job.sh|train\n"

/* The queue and accounting of these rows; squeue knows the jobs of which it prints a row. */
static void setup_cluster(const char *queue, const char *accounting)
{
	scratch_write("queue", queue);
	scratch_write("accounting", accounting);
	fake_command(
		"squeue",
		"[ \"$SLURM_TIME_FORMAT\" = %s ] && [ -z \"$SQUEUE_PARTITION\" ] || exit 8\n"
		"case $* in\n"
		"*'-j '*) job=${*#*-j }; job=${job%% *}\n"
		"grep -aE \"^$job[|_+]\" $d/queue ||\n"
		"{ echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1; } ;;\n"
		"*'-u u1 '*) cat $d/queue ;;\n"
		"esac");
	fake_command("sacct", "case $* in\n"
			      "*'-j '*) job=${*#*-j }; job=${job%% *}\n"
			      "head -n 1 $d/accounting; grep -aE \"^$job[|_+]\" $d/accounting ;;\n"
			      "*'-u u1 '*) cat $d/accounting ;;\n"
			      "esac\ntrue");
}

/* The JSON of OPTIONS, which must work. */
static json_t *show(const char *options)
{
	char line[256], *told;
	json_t *root;
	int rc;

	setenv("SQUEUE_PARTITION", "other", 1);
	snprintf(line, sizeof(line), "chain show --json --now 100000%s%s", *options ? " " : "",
		 options);
	told = scratch_complaint(lw_tools_chain, line, &rc);
	ck_assert_msg(rc == LW_TOOLS_OK && !*told, "%s: %d: %s", line, rc, told);
	free(told);
	root = json_load_file(scratch_path("out"), 0, NULL);
	ck_assert_str_eq(json_string_value(json_object_get(root, "schema")),
			 *options ? "leeway.chain.show" : "leeway.chain.list");
	return root;
}

/* A number of a link, or -1 for null. */
static int64_t number_of(json_t *link, const char *name)
{
	json_t *number = json_object_get(link, name);

	ck_assert_msg(json_is_null(number) || json_is_integer(number), "%s", name);
	return json_is_null(number) ? -1 : json_integer_value(number);
}

/* "101 102:2 103", the links with their runs; then their interruptions, "- 0 60". */
static void check_links(json_t *root, const char *jobs, const char *interruptions)
{
	struct lw_strbuf ids = LW_STRBUF_INIT, pauses = LW_STRBUF_INIT;
	json_t *link;
	size_t i;

	json_array_foreach(json_object_get(root, "links"), i, link)
	{
		int64_t pause = number_of(link, "interruption_s"), run = number_of(link, "run");

		lw_strbuf_add(&ids, "%s%s", i ? " " : "",
			      json_string_value(json_object_get(link, "job")));
		if (run != 1)
			lw_strbuf_add(&ids, ":%d", (int)run);
		lw_strbuf_add(&pauses, "%s", i ? " " : "");
		if (pause < 0)
			lw_strbuf_add(&pauses, "-");
		else
			lw_strbuf_add(&pauses, "%d", (int)pause);
	}
	ck_assert_str_eq(lw_strbuf_text(&ids), jobs);
	ck_assert_str_eq(lw_strbuf_text(&pauses), interruptions);
	lw_strbuf_fini(&ids);
	lw_strbuf_fini(&pauses);
}

/* ---- whole chains ---- */

static const struct {
	const char *what, *queue, *accounting, *job, *links, *interruptions;
	const char *next; /* NULL: none */
	int64_t sum_s;
} chains[] = {
	{ "from the middle of a chain, and not its neighbours",
	  QUEUED("103", "RUNNING", "10", "5100", "99999999", "(null)", "None", "(null)")
		  QUEUED("104", "PENDING", "10", "N/A", "N/A", "afterany:103(unfulfilled)",
			 "Dependency", "(null)") QUEUED("200", "PENDING", "10", "N/A", "N/A",
							"(null)", "Priority", "(null)"),
	  SACCT_HEAD TOLD("101", "TIMEOUT", "10", "1000", "2000", "--parsable")
		  TOLD("102", "TIMEOUT", "10", "2000", "5000", "--dependency=afterany:101") TOLD(
			  "103", "RUNNING", "10", "5100", "Unknown", "-n2 -dafterany:102")
			  TOLD("104", "PENDING", "10", "Unknown", "Unknown",
			       "--depend afterany:103") TOLD("199", "COMPLETED", "10", "20", "30",
							     "-d 7 --dependency singletons"),
	  "103", "101 102 103 104", "- 0 100 -", "104", 100 },
	{ "one that waits though the one before has ended",
	  QUEUED("102", "PENDING", "10", "120000", "N/A", "(null)", "Priority", "(null)"),
	  SACCT_HEAD TOLD("101", "TIMEOUT", "10", "1000", "99000", "")
		  TOLD("102", "PENDING", "10", "Unknown", "Unknown", "-d afterany:101"),
	  "101", "101 102", "- 1000", "102", 0 },
	{ "one that can never start has no interruption",
	  QUEUED("102", "PENDING", "10", "N/A", "N/A", "afterok:101(failed)",
		 "DependencyNeverSatisfied", "(null)"),
	  SACCT_HEAD TOLD("101", "FAILED", "10", "1000", "99000", "")
		  TOLD("102", "PENDING", "10", "Unknown", "Unknown", "-d afterok:101"),
	  "101", "101 102", "- -", "102", 0 },
	{ "a job that was requeued",
	  QUEUED("101", "RUNNING", "2000", "2600", "9999999", "(null)", "None", "(null)"),
	  SACCT_HEAD TOLD("101", "REQUEUED", "10", "1000", "2000", "")
		  TOLD("101", "RUNNING", "2000", "2600", "Unknown", ""),
	  "101", "101 101:2", "- 600", NULL, 600 },
	{ "one that waits again, of which accounting has only the run before",
	  QUEUED("101", "PENDING", "2000", "N/A", "N/A", "(null)", "BeginTime", "(null)"),
	  SACCT_HEAD TOLD("101", "NODE_FAIL", "10", "1000", "90000", ""), "101", "101 101:2",
	  "- 10000", "101", 0 },
	{ "an array of which one task runs at a time",
	  QUEUED("50_[4-5%1]", "PENDING", "10", "N/A", "N/A", "(null)", "JobArrayTaskLimit",
		 "(null)")
		  QUEUED("50_3", "RUNNING", "10", "3700", "9999999", "(null)", "None", "(null)"),
	  SACCT_HEAD TOLD("50_1", "COMPLETED", "10", "1000", "2000", "--array=1-5%1")
		  TOLD("50_2", "COMPLETED", "10", "2060", "3000", "--array=1-5%1")
			  TOLD("50_3", "RUNNING", "10", "3700", "Unknown", "--array=1-5%1")
				  TOLD("50_[3-5%1]", "PENDING", "10", "Unknown", "Unknown",
				       "--array=1-5%1"),
	  "50_2", "50_1 50_2 50_3 50_[4-5%1]", "- 60 700 -", "50_[4-5%1]", 760 },
	{ "a whole array, and what waits for all of it", "",
	  SACCT_HEAD TOLD("50_1", "COMPLETED", "10", "1000", "2000", "-a 1-2%10")
		  TOLD("50_2", "COMPLETED", "10", "1100", "2500", "-a 1-2%10")
			  TOLD("51", "COMPLETED", "10", "2510", "3000", "-d afterok:50"),
	  "51", "50 51", "- 10", NULL, 10 },
	{ "a job of several predecessors waits for the last",
	  QUEUED("9", "PENDING", "10", "N/A", "N/A", "afterok:7(unfulfilled),afterany:8(unf)",
		 "Dependency", "(null)"),
	  SACCT_HEAD TOLD("7", "COMPLETED", "10", "1000", "99500", "")
		  TOLD("8", "COMPLETED", "10", "1000", "99900", "-d after:7"),
	  "9", "7 8 9", "- - 100", "9", 0 },
	{ "one whose predecessors have not all ended",
	  QUEUED("9", "PENDING", "10", "N/A", "N/A", "afterany:8(unfulfilled)", "Dependency",
		 "(null)")
		  QUEUED("8", "RUNNING", "10", "2000", "N/A", "(null)", "None", "(null)"),
	  SACCT_HEAD TOLD("7", "COMPLETED", "10", "1000", "99500", "")
		  TOLD("8", "RUNNING", "10", "2000", "Unknown", "")
			  TOLD("10", "PENDING", "10", "Unknown", "Unknown", "-d afterany:7:8"),
	  "10", "7 8 10", "- - -", "10", 0 },
	{ "an array of which many tasks run at a time", "",
	  SACCT_HEAD TOLD("50_1", "COMPLETED", "10", "1000", "2000", "-a 1-2%10")
		  TOLD("50_2", "COMPLETED", "10", "1100", "2500", "-a 1-2%10"),
	  "50", "50", "-", NULL, 0 },
	{ "predecessors of higher numbers, as scontrol can make them", "",
	  SACCT_HEAD TOLD("300", "COMPLETED", "10", "1000", "2000",
			  "") TOLD("205", "COMPLETED", "10", "2000", "3000", "-d afterany:300")
		  TOLD("99", "COMPLETED", "10", "1000", "1500", "")
			  TOLD("101", "COMPLETED", "10", "3000", "4000", "-d afterany:205:99"),
	  "101", "99 300 205 101", "- - 0 0", NULL, 0 },
	{ "one by one by name",
	  QUEUED("33", "PENDING", "12", "N/A", "N/A", "singleton(unfulfilled)", "Dependency",
		 "(null)"),
	  SACCT_HEAD TOLD("31", "COMPLETED", "10", "1000", "2000", "")
		  TOLD("32", "RUNNING", "11", "2005", "Unknown", "-d singleton"),
	  "32", "31 32 33", "- 5 -", "33", 5 },
	{ "a predecessor that nobody tells of",
	  QUEUED("12", "PENDING", "10", "N/A", "N/A", "afterany:11(unfulfilled)", "Dependency",
		 "(null)"),
	  SACCT_HEAD, "12", "11:0 12", "- -", "12", 0 },
	{ "a link that was cancelled before it began",
	  QUEUED("102", "CANCELLED", "10", "1500", "1500", "(null)", "None", "(null)"),
	  SACCT_HEAD TOLD("101", "COMPLETED", "10", "1000", "2000", "")
		  TOLD("102", "CANCELLED by 7", "10", "None", "1500", "-d afterany:101"),
	  "101", "101 102", "- -", NULL, 0 },
	{ "links that wait for each other end nowhere",
	  QUEUED("5", "PENDING", "10", "N/A", "N/A", "afterany:6(unfulfilled)", "Dependency", "x")
		  QUEUED("6", "PENDING", "10", "N/A", "N/A", "afterany:5(unfulfilled)",
			 "Dependency", "x"),
	  SACCT_HEAD, "5", "5 6", "- -", "5", 0 },
};

FIXTURE(fake_setup, fake_teardown);

TEST_EACH(a_chain_is_found, LW_COUNT_OF(chains))
{
	json_t *root, *sums, *next;

	setup_cluster(chains[_i].queue, chains[_i].accounting);
	root = show(chains[_i].job);
	check_links(root, chains[_i].links, chains[_i].interruptions);
	sums = json_object_get(root, "interruptions");
	ck_assert_int_eq(number_of(sums, "total_s"), chains[_i].sum_s);
	next = json_object_get(root, "next");
	ck_assert_msg(chains[_i].next ? json_is_string(next) : json_is_null(next), "%s",
		      chains[_i].what);
	if (chains[_i].next)
		ck_assert_str_eq(json_string_value(next), chains[_i].next);
	ck_assert(json_is_null(json_object_get(root, "accounting_error")));
	json_decref(root);
}

/* What Slurm shows of the next start, and what was promised; a name and a comment with bars. */
TEST(starts_are_shown)
{
	json_t *root, *link;

	setup_cluster("102|u1|PENDING|10|2000|N/A|afterany:101(unfulfilled)|planned 00:33|a|b\n"
		      "c leeway:latest-start=1970-01-01T05:00:00|"
		      "bb|x leeway:latest-start=1970-01-01T01:00:00\n"
		      "101|u1|RUNNING|10|1000|2000|(null)|None|a|b\nc|(null)\n",
		      SACCT_HEAD);
	root = show("101");
	check_links(root, "101 102", "- -");
	link = json_array_get(json_object_get(root, "links"), 0);
	ck_assert_int_eq(number_of(link, "start_s"), 1000);
	ck_assert_int_eq(number_of(link, "limit_end_s"), 2000);
	ck_assert_int_eq(number_of(link, "end_s"), -1);
	ck_assert_int_eq(number_of(link, "shown_start_s"), -1);
	link = json_array_get(json_object_get(root, "links"), 1);
	ck_assert_int_eq(number_of(link, "start_s"), -1);
	ck_assert_int_eq(number_of(link, "shown_start_s"), 2000);
	ck_assert_int_eq(number_of(link, "latest_start_s"), 3600);
	ck_assert_str_eq(json_string_value(json_object_get(link, "reason")), "planned 00:33");
	json_decref(root);
}

/* ---- as text ---- */

static const char table[] =
	"user u1, name train, 3 links\n\n"
	"link job        state         start                     end                    "
	"interruption  latest start        note\n"
	"   1 101        TIMEOUT       1970-01-01 00:16:40       1970-01-01 00:33:20    "
	"-             -\n"
	"   2 102        RUNNING       1970-01-01 00:35:00       by 1970-01-01 01:00:00 "
	"1m40s         -\n"
	"   3 103        PENDING       shown 1970-01-01 01:00:00 -                      "
	"-             1970-01-01 01:30:00 planned 01:00\n"
	"\ninterruptions so far: 1, together 1m40s, the longest 1m40s\n"
	"next: job 103, shown to start 1970-01-01 01:00:00, promised at the latest "
	"1970-01-01 01:30:00\n";

TEST(a_chain_is_a_table)
{
	char *told, *said;
	int rc;

	setup_cluster(QUEUED("102", "RUNNING", "10", "2100", "3600", "(null)", "None", "(null)")
			      QUEUED("103", "PENDING", "10", "3600", "N/A",
				     "afterany:102(unfulfilled)", "planned 01:00",
				     "leeway:latest-start=1970-01-01T01:30:00"),
		      SACCT_HEAD TOLD("101", "TIMEOUT", "10", "1000", "2000", "")
			      TOLD("102", "RUNNING", "10", "2100", "Unknown", "-d afterany:101"));
	told = scratch_complaint(lw_tools_chain, "chain show --now 3000 102", &rc);
	ck_assert_int_eq(rc, LW_TOOLS_OK);
	said = scratch_read(scratch_path("out"));
	ck_assert_str_eq(said, table);
	free(said);
	free(told);
}

TEST(text_of_others_is_plain)
{
	char *told, *said;
	int rc;

	setup_cluster("101|u1|PENDING|10|N/A|N/A|(null)|a\x1b[2J|tr\x07\xff"
		      "ain|(null)\n",
		      SACCT_HEAD);
	told = scratch_complaint(lw_tools_chain, "chain show 101", &rc);
	ck_assert_int_eq(rc, LW_TOOLS_OK);
	said = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(said, "name tr??ain, 1 link\n"));
	ck_assert_ptr_nonnull(strstr(said, "a?[2J"));
	ck_assert_ptr_null(strpbrk(said, "\x1b\x07\xff"));
	free(said);
	free(told);
}

/* ---- what is not there ---- */

static const struct {
	const char *squeue, *sacct, *told;
} failures[] = {
	{ "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1",
	  "echo '" SACCT_HEAD "'",
	  "there is no job 7 that you may see: squeue has it not, or no longer, and accounting "
	  "neither" },
	/* of another user, where jobs are private */
	{ "true", "echo 'Slurm accounting storage is disabled' >&2; exit 1",
	  "no job 7 that you may see: squeue has it not, or no longer, and accounting: none is "
	  "kept" },
	{ "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1", "true",
	  "squeue failed: slurm_load_jobs error: Unable to contact slurm controller" },
	{ "echo '7\x1b[2J' >&2; exit 1", "true", "squeue failed: 7?[2J" },
	{ "head -c 1048576 /dev/zero | tr '\\0' 7", "head -c 1048576 /dev/zero | tr '\\0' 7",
	  "nothing that squeue printed can be read as jobs" },
	{ "echo '7|u1'; echo; echo '7||'", "exit 3",
	  "nothing that squeue printed can be read as jobs" },
	{ "true", "exit 3", "accounting: sacct failed: exit status 3" },
	{ "true", "echo this is no sacct", "accounting: sacct:1: no header line" },
	{ "true", "echo '" SACCT_HEAD "'; echo '7|u1'; echo '|||||||'",
	  "accounting: nothing that sacct printed can be read as jobs" },
};

TEST_EACH(what_is_not_known_is_told, LW_COUNT_OF(failures))
{
	char *told;
	int rc;

	fake_command("squeue", failures[_i].squeue);
	fake_command("sacct", failures[_i].sacct);
	told = scratch_complaint(lw_tools_chain, "chain show 7", &rc);
	ck_assert_int_eq(rc, LW_TOOLS_FAILED);
	ck_assert_msg(strstr(told, failures[_i].told) != NULL, "%s", told);
	free(told);
}

/* What is in the queue is shown, and that there is no more. */
TEST(accounting_may_be_away)
{
	char *told, *said;
	int rc;

	setup_cluster(QUEUED("101", "RUNNING", "10", "1000", "2000", "(null)", "None", "(null)")
			      QUEUED("102", "PENDING", "10", "N/A", "N/A",
				     "afterok:101(unfulfilled)", "Dependency", "(null)"),
		      "");
	fake_command("sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1");
	told = scratch_complaint(lw_tools_chain, "chain show 102", &rc);
	ck_assert_int_eq(rc, LW_TOOLS_OK);
	said = scratch_read(scratch_path("out"));
	ck_assert_msg(strstr(said, "2 links\n") && strstr(said, "no start is shown\n") &&
			      strstr(said, "Accounting told nothing (none is kept): links that"),
		      "%s", said);
	free(said);
	free(told);
}

/* ---- what a job waits for ---- */

static const struct {
	const char *text;
	uint32_t count, ids[4];
	bool singleton;
} afters[] = {
	{ "", 0, { 0 }, false },
	{ "(null)", 0, { 0 }, false },
	{ "afterany:12(unfulfilled)", 1, { 12 }, false },
	{ "afterok:12:13_4,afternotok:14_*(failed)", 3, { 12, 13, 14 }, false },
	{ "afterok:12?aftercorr:12:15", 2, { 12, 15 }, false },
	{ "after:3+5,singleton(unfulfilled)", 0, { 0 }, true },
	{ "afterany:", 0, { 0 }, false },
	{ "afterany:x:3", 0, { 0 }, false },
	{ "afterany:99999999999", 0, { 0 }, false },
	{ "afterburstbuffer:9", 0, { 0 }, false },
};

TEST_EACH(a_dependency_is_read, LW_COUNT_OF(afters))
{
	uint32_t ids[TOOLS_CHAIN_AFTER_MAX];
	bool singleton;
	uint32_t count = lw_chain_after(afters[_i].text, ids, &singleton);

	ck_assert_uint_eq(count, afters[_i].count);
	for (uint32_t i = 0; i < count; i++)
		ck_assert_uint_eq(ids[i], afters[_i].ids[i]);
	ck_assert_int_eq(singleton, afters[_i].singleton);
}

/* Two chains, of which the second stood still for longer, and jobs that are in none. */
static void setup_chains(void)
{
	scratch_write("queue", QUEUED("104", "PENDING", "10", "N/A", "N/A",
				      "afterany:103(unfulfilled)", "Dependency", "(null)")
				       QUEUED("300", "PENDING", "10", "N/A", "N/A", "afterok:9",
					      "Dependency", "(null)"));
	scratch_write("accounting",
		      SACCT_HEAD TOLD("9", "COMPLETED", "10", "20", "30", "-d singletons")
			      TOLD("103", "RUNNING", "10", "5100", "Unknown", "-d afterany:102")
				      TOLD("102", "TIMEOUT", "10", "2000", "5000", "")
					      TOLD("201", "TIMEOUT", "10", "1000", "2000", "")
						      TOLD("202", "TIMEOUT", "10", "9000", "9500",
							   "-d afterany:201"));
	fake_command("squeue", "cat $d/queue");
	fake_command("sacct", "cat $d/accounting");
}

TEST(all_chains_are_listed)
{
	char *told, *out;
	json_t *root;
	int rc;

	setup_chains();
	told = scratch_complaint(lw_tools_chain, "chain show --now 100000", &rc);
	ck_assert_msg(rc == LW_TOOLS_OK && !*told, "%d: %s", rc, told);
	free(told);
	out = scratch_read(scratch_path("out"));
	ck_assert_str_eq(
		out,
		"first job    name                 links stood still     longest  next\n"
		"201          train                    2       1h56m       1h56m  -\n"
		"102          train                    3       1m40s       1m40s  104\n"
		"9            train                    2           -           -  300\n");
	free(out);
	out = scratch_read(scratch_path("sacct.asked"));
	ck_assert_ptr_nonnull(strstr(out, " -S 1970-01-02T"));
	free(out);
	root = show("");
	ck_assert_uint_eq(json_array_size(json_object_get(root, "chains")), 3);
	ck_assert_str_eq(
		json_string_value(json_object_get(json_object_get(root, "made_with"), "command")),
		"leeway chain show --json --now 100000");
	json_decref(root);
}

TEST(there_may_be_no_chain)
{
	char *told, *out;
	int rc;

	fake_command("squeue", "true");
	fake_command("sacct", "echo 'accounting storage is disabled' >&2; exit 1");
	told = scratch_complaint(lw_tools_chain, "chain show", &rc);
	ck_assert_msg(rc == LW_TOOLS_OK && !*told, "%d: %s", rc, told);
	free(told);
	out = scratch_read(scratch_path("out"));
	ck_assert_ptr_nonnull(strstr(out, "no chain\nAccounting told nothing (none is kept)"));
	free(out);
}
