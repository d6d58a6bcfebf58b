/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway why --history, by what squeue and sacct tell. */
#include "base/nodeloss.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"
#include "unit/why_rows.h"

#include <jansson.h>

FIXTURE(fake_setup, fake_teardown);

#define PAST                                                                                     \
	"leeway:past=v:1,t:1764158460,p:0-3600,l:0-5400,s:600-5000-b-2,x:1200-r,e:1800-4000-o"

/* A row with AdminComment. */
#define PASSED(state, reason, start, comment, admin_comment)                                     \
	"7|u1|" state "|" reason "|gpu|" start                                                   \
	"|1764158400|N/A|(null)|(null)|(null)|(null)|train|" comment "|" admin_comment "\n"

/* As squeue has it: of a job that waits, and of one that runs. */
TEST(history_is_told)
{
	char *out;

	setup_queue(PASSED("PENDING", "Resources", "N/A", WORD ",s:1764162460", PAST));
	out = said(lw_tools_why, "why 7 --history --now " NOW, 0);
	ck_assert_str_eq(out, "job 7 (train), user u1, partition gpu, submitted 12:00\n"
			      "12:01       first planned: to start 13:01\n"
			      "12:01       promised a start by 13:31\n"
			      "12:11       planned later, 13:24: other jobs came before it (2 "
			      "times)\n"
			      "12:21       Slurm refused to start it: it saw no room where the "
			      "plan had some\n"
			      "12:31       planned sooner, 13:07\n");
	free(out);
	setup_queue(PASSED("RUNNING", "None", "1764161400", "",
			   "a|note " PAST
			   ",w:2000,u:2050-n,s:2060-2900-p,l:2100-5000,g:2940,d:3"));
	out = said(lw_tools_why, "why 7 --history --now " NOW, 0);
	ck_assert_ptr_nonnull(strstr(out, "12:34       the promise was withdrawn\n"));
	ck_assert_ptr_nonnull(
		strstr(out, "12:35       no start can be planned: nodes that it needs are down "
			    "or drained\n12:35       planned later, 12:49: jobs before it in the "
			    "queue start later\n"));
	ck_assert_ptr_nonnull(
		strstr(out, "12:50       started, 11m00s sooner than first planned"));
	ck_assert_ptr_nonnull(
		strstr(out, "            3 earlier changes of the plan are left out"));
	free(out);
	setup_queue(PASSED("PENDING", "Priority", "N/A", "", ""));
	out = said(lw_tools_why, "why 7 --history --now " NOW, 0);
	ck_assert_ptr_nonnull(strstr(out, "no plan of Leeway's had a start of it\n"));
	free(out);
}

/* As accounting has it: squeue has forgotten the job. */
TEST(history_of_an_ended_job_is_told)
{
	json_t *root, *events, *moved, *last;
	char *out;

	setup_queue("");
	fake_command("sacct",
		     "echo 'JobID|State|Submit|Start|End|Reason|User|JobName|Partition|"
		     "AdminComment'\n"
		     "echo '9|COMPLETED|1764158400|1764164000|1764165000|None|u1|train|gpu|" PAST
		     ",g:5540'");
	out = said(lw_tools_why, "why 9 --history --now " NOW, 0);
	ck_assert_ptr_nonnull(strstr(out, "job 9 (train), user u1, partition gpu"));
	ck_assert_ptr_nonnull(strstr(out, "13:33       started, 32m20s later than first planned; "
					  "the promise was broken\n"));
	free(out);
	out = said(lw_tools_why, "why 9 --history --json --now " NOW, 0);
	root = json_loads(out, 0, NULL);
	events = json_object_get(root, "history");
	moved = json_array_get(events, 2);
	last = json_array_get(events, 5);
	ck_assert_uint_eq(json_array_size(events), 6);
	ck_assert_str_eq(json_string_value(json_object_get(last, "event")), "started");
	ck_assert_str_eq(json_string_value(json_object_get(moved, "cause")), "before");
	ck_assert_int_eq(json_integer_value(json_object_get(moved, "start_s")), 1764163460);
	ck_assert_int_eq(json_integer_value(json_object_get(root, "end_s")), 1764165000);
	json_decref(root);
	free(out);
}

TEST(a_stop_is_told)
{
	static const char stopped[] = "leeway:stopped=asked:1764160200,by:1764165720";
	char row[512], *out;
	json_t *root;

	snprintf(row, sizeof(row), PASSED("PENDING", "BeginTime", "N/A", "", "mine %s,for:9"),
		 stopped);
	setup_queue(row);
	out = said(lw_tools_why, "why 7 --now " NOW, 0);
	ck_assert_ptr_nonnull(strstr(out, "\nstopped   12:30 for job 9; back by 14:02\n"));
	free(out);
	out = said(lw_tools_why, "why 7 --json --now " NOW, 0);
	root = json_loads(out, 0, NULL);
	ck_assert_int_eq(json_integer_value(json_object_get(root, "stopped_s")), 1764160200);
	ck_assert(json_is_null(json_object_get(root, "back_s")));
	json_decref(root);
	free(out);
	/* another node is kept for it */
	snprintf(row, sizeof(row),
		 PASSED("PENDING", "BeginTime", "N/A", "", "%s,for:9,moves:1"), stopped);
	setup_queue(row);
	out = said(lw_tools_why, "why 7 --now " NOW, 0);
	ck_assert_ptr_nonnull(
		strstr(out, "\nmoved     12:30 to make room for job 9; back by 14:02\n"));
	free(out);
	/* it was back, and waits for another reason */
	snprintf(row, sizeof(row),
		 PASSED("PENDING", "Priority", "N/A", "", "%s,back:1764161000"), stopped);
	setup_queue(row);
	out = said(lw_tools_why, "why 7 --now " NOW, 0);
	ck_assert_ptr_null(strstr(out, "\nstopped "));
	free(out);
}

/* A word that is none is passed over. */
static const struct {
	const char *state, *comment, *wanted; /* "": nothing */
} losses[] = {
	{ "PENDING", "mine leeway:lost-node=at:1764160200,try:1,node:n17",
	  "\nlost      n17 12:30: it runs again at once, elsewhere if other nodes would do; try "
	  "1 of the day\n" },
	{ "RUNNING", "leeway:lost-node=at:1764160200,try:2,node:n17 mine",
	  "\nlost      n17 12:30: it ran again; try 2 of the day\n" },
	{ "PENDING", "leeway:lost-node=at:1764160200,try:1",
	  "\nlost      a node 12:30: it runs again at once; try 1 of the day\n" },
	{ "RUNNING", "leeway:lost-node=at:1764160200,try:1,node:", "" },
	{ "RUNNING", "leeway:lost-node=at:1764160200,try:1,node:a,b", "" },
	{ "RUNNING", "leeway:lost-node=at:1764160200,try:0,node:n17", "" },
	{ "RUNNING", "leeway:lost-node=try:1,node:n17", "" },
	{ "RUNNING", "leeway:lost-node=", "" },
};

TEST_EACH(a_lost_node_is_told, LW_COUNT_OF(losses))
{
	bool any = *losses[_i].wanted;
	char row[512], *out;

	snprintf(row, sizeof(row), PASSED("%s", "None", "1764161400", "", "%s"), losses[_i].state,
		 losses[_i].comment);
	setup_queue(row);
	out = said(lw_tools_why, "why 7 --now " NOW, 0);
	ck_assert_msg(any ? strstr(out, losses[_i].wanted) != NULL : !strstr(out, "\nlost "),
		      "%s", out);
	free(out);
	out = said(lw_tools_why, "why 7 --json --now " NOW, 0);
	ck_assert_int_eq(strstr(out, "\"lost_s\": 1764160200") != NULL, any);
	free(out);
}

TEST(a_lost_node_is_written_as_it_is_read)
{
	struct lw_nodeloss loss = { 1764160200, 3, "n17" }, read;
	char word[LW_NODELOSS_WORD_MAX];

	lw_nodeloss_word(&loss, word);
	ck_assert_str_eq(word, "leeway:lost-node=at:1764160200,try:3,node:n17");
	ck_assert(lw_nodeloss_read(word, &read));
	ck_assert_int_eq(read.at_s, loss.at_s);
	ck_assert_uint_eq(read.tries, 3);
	ck_assert_str_eq(read.node, "n17");
	strcpy(loss.node, "a b");
	lw_nodeloss_word(&loss, word);
	ck_assert_str_eq(word, "leeway:lost-node=at:1764160200,try:3");
}
