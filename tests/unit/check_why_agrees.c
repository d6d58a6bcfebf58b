/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway why: nothing that it says of a job contradicts the rest. */
#include "base/promise.h"
#include "base/savefile.h"
#include "cli/common/tools.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"
#include "unit/why_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
	const char *row, *wanted; /* as why_says() takes it */
} words[] = {
	/* a plan beyond the promise, by this or an earlier Leeway
	 */
	{ ROW("7", "PENDING", "Resources", "1764171900", "N/A", "g3", "(null)",
	      WORD ",r:reserved,e:70,l:1764168420,s:1764171900,z:e"),
	  "planned   15:45 on g3; promised at the latest 14:47\n|promise   cannot be kept: the job "
	  "that makes the room may run longer than when it was promised" },
	{ ROW("7", "PENDING", "Resources", "1764171900", "N/A", "g3", "(null)",
	      WORD ",r:reserved,l:1764168420,p:60-1830-5430"),
	  "promise   cannot be kept: by hard limits there is no room before" },
	/* what the word plans, and not what Slurm shows since */
	{ ROW("7", "PENDING", "Resources", "1764171900", "N/A", "g3", "(null)",
	      WORD ",r:reserved,l:1764168420,s:1764165720,b:20"),
	  "planned   14:02; promised at the latest 14:47\nlikely|!before it" },
	{ WAITS("Resources", WORD ",r:nodes-down,l:1764168420,z:n,p:60-1830-5430"),
	  "why       its nodes are down or drained: it waits until they are back|"
	  "do        nothing to change in the job|promise   cannot be kept: nodes that it was|"
	  "!nine times" },
	{ WAITS("Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority",
		WORD ",r:nodes-down,l:1764168420,z:n"),
	  "why       its nodes are down or drained|promise   cannot be kept" },
	{ WAITS("Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority",
		""),
	  "why       nodes that it asks for are down, drained or reserved" },
	{ WAITS("Resources", WORD ",r:not-ready,i:QOSMaxGRESPerUser,p:60-1830-5430,t:7200"),
	  "why       the limit QOSMaxGRESPerUser never allows it: GPUs or other GRES of one user|"
	  "do        it will not start as it is|planned   never, as it is|!likely|!sooner" },
	{ WAITS("QOSMaxGRESPerUser", WORD ",r:not-ready,i:QOSMaxGRESPerUser"),
	  "do        it will not start as it is|!may start when" },
	{ WAITS("QOSMaxCpuPerJobLimit", WORD ",r:no-room,p:60-1830-5430"),
	  "do        it will not start as it is|planned   never, as it is|!likely" },
	/* no end of another job helps against a limit of one job, a least amount or used minutes
	 */
	{ WAITS("QOSMaxWallDurationPerJobLimit", ""),
	  "the limit QOSMaxWallDurationPerJobLimit never allows it: time of one job under its QOS|"
	  "do        it will not start as it is: ask for less|planned   never|!may start when" },
	{ WAITS("QOSMinGRES", WORD ",r:no-room,p:600-1830-5430"),
	  "the limit QOSMinGRES never allows it|do        it will not start as it is: ask for more|"
	  "planned   never|!may start when|!likely" },
	{ WAITS("AssocGrpCPUMinutesLimit", ""),
	  "the limit AssocGrpCPUMinutesLimit is used up: CPU minutes of all together under its "
	  "account|do        it may start when earlier use counts less|!jobs under that limit" },
	{ WAITS("QOSGrpWallLimit", ""), "is used up: time of all together|earlier use" },
	{ WAITS("QOSGrpCPURunMinutesLimit", ""),
	  "is reached: CPU minutes of all together|when jobs under that limit end" },
	{ WAITS("MaxJobsPerAccount", ""), "is reached: jobs of one account under its QOS" },
	{ WAITS("QOSNotAllowed", WORD ",r:no-room,p:600-1830-5430"),
	  "why       its partition does not take jobs of its QOS|planned   never|"
	  "!may start when|!likely" },
	{ WAITS("job requeued in held state", WORD ",r:no-room,s:1764171900"),
	  "why       job requeued in held state|planned   no start yet|!15:45" },
	{ WAITS("launch_failed_requeued_held", WORD ",r:no-room,s:1764171900"),
	  "planned   no start yet|!15:45" },
	{ ROW("7", "PENDING", "PartitionInactive", "1764171900", "N/A", "g3", "(null)",
	      WORD ",r:reserved,l:1764168420,s:1764171900"),
	  "why       its partition is inactive|planned   no start yet|!15:45|!promised at" },
	{ ROW("7", "PENDING", "PartitionDown", "1764171900", "N/A", "g3", "(null)",
	      "leeway:latest-start=2025-11-26T14:47:00"),
	  "why       its partition is down|planned   no start yet|!15:45" },
	{ WAITS("ReservationDeleted", WORD ",r:no-room"),
	  "why       its reservation is gone|planned   no start yet" },
	{ WAITS("Job's QOS not permitted to use this partition (short allows a not b)",
		WORD ",r:no-room"),
	  "why       its partition does not take jobs of its QOS|planned   never" },
	{ ROW("7", "PENDING", "Resources", "1764171900", "1764169200", "g3", "(null)",
	      WORD ",r:no-room,s:1764171900,w:m"),
	  "deadline  15:00 at risk: it will miss it by this plan" },
	{ ROW("7", "PENDING", "Resources", "1764171900", "1764169200", "g3", "(null)", ""),
	  "planned   15:45 on g3; not promised|deadline  15:00 at risk: it will miss it by" },
	{ ROW("7", "PENDING", "Resources", "1764165720", "1764169200", "g3", "(null)",
	      WORD ",r:no-room,s:1764165720,w:o,t:28800,p:60-1830-5430"),
	  "deadline  15:00, met by the planned start; that is not promised|!sooner" },
	{ ROW("7", "PENDING", "Resources", "1764165720", "1764169200", "g3", "(null)",
	      WORD ",r:no-room,s:1764165720,w:o,t:3600"),
	  "sooner    with --time=1:00:00" },
	{ ROW("7", "PENDING", "Resources", "1764165720", "N/A", "g3", "(null)",
	      WORD ",r:no-room,s:1764165720,p:7200-9000-9600"),
	  "planned   14:02 on g3|likely    not known|!nine times" },
	/* no change helps a job that waits for something other than room */
	{ WAITS("BeginTime", WORD ",r:reserved,n:1"), "why       its begin time|!sooner" },
	{ WAITS("Licenses", WORD ",r:no-room,t:3600"), "why       a licence|!sooner" },
	/* nor one that leaves no time to be made before the deadline */
	{ ROW("7", "PENDING", "Resources", "N/A", "1764162080", "(null)", "(null)",
	      WORD ",r:no-room,n:1"),
	  "why       not enough free resources|!sooner" },
	{ ROW("7", "PENDING", "Resources", "N/A", "1764162100", "(null)", "(null)",
	      WORD ",r:no-room,n:1"),
	  "sooner    on 1 node it would start now" },
	/* squeue shows the begin time as the start, which is no plan */
	{ ROW("7", "PENDING", "BeginTime", "1764171900", "N/A", "(null)", "(null)", ""),
	  "until     15:45, when its begin time comes|planned   no start yet" },
	/* a command that scontrol takes */
	{ ROW("7_[1-4%2]", "PENDING", "Resources", "N/A", "N/A", "(null)", "(null)",
	      WORD ",r:no-room,t:3600,n:1"),
	  "scontrol update JobId=7_[1-4] TimeLimit=1:00:00|on 1 node it would|!NumNodes" },
	{ ROW("7_[1,3,...]", "PENDING", "Resources", "N/A", "N/A", "(null)", "(null)",
	      WORD ",r:no-room,t:3600"),
	  "with --time=1:00:00 it would start now|!scontrol update" },
	/* nor one of a component alone */
	{ ROW("7+0", "PENDING", "Resources", "N/A", "N/A", "(null)", "(null)",
	      WORD ",r:no-room,n:1"),
	  "why       not enough free resources|!sooner" },
	{ ROW("7", "PENDING", "Resources", "1764338400", "N/A", "n1", "(null)",
	      "leeway:latest-start=2025-11-26T14:47:00"),
	  "planned   11-28T14:00 on n1; not promised\npromised  14:47 at the latest: no longer " },
};

/* A cluster in another zone than this host: its reasons have its times, and so has the rest. */
static const struct {
	const char *zone, *row, *wanted;
} zones[] = {
	{ "UTC",
	  ROW("7", "PENDING", "Resources", "1764171900", "N/A", "g3", "(null)",
	      WORD ",tz:-300,r:no-room,s:1764171900"),
	  "submitted 07:00|planned   10:45 on g3|zone      UTC-05:00, the cluster's" },
	{ "UTC",
	  ROW("7", "PENDING", "Resources", "1764171900", "N/A", "g3", "(null)",
	      WORD ",tz:0,r:no-room,s:1764171900"),
	  "planned   15:45 on g3|!zone" },
	{ "CET-1",
	  ROW("7", "PENDING", "Resources", "1764171900", "N/A", "g3", "(null)",
	      WORD ",tz:330,r:no-room,s:1764171900"),
	  "planned   21:15 on g3|zone      UTC+05:30, the cluster's" },
	{ "CET-1",
	  ROW("7", "PENDING", "Resources", "1764171900", "N/A", "g3", "(null)",
	      WORD ",r:no-room,s:1764171900"),
	  "planned   16:45 on g3|!zone" },
};

FIXTURE(fake_setup, fake_teardown);

TEST_EACH(times_are_the_clusters, LW_COUNT_OF(zones))
{
	const char *was = getenv("TZ");
	char *kept = was ? strdup(was) : NULL;

	setenv("TZ", zones[_i].zone, 1);
	tzset();
	why_says(zones[_i].row, zones[_i].wanted);
	if (kept)
		setenv("TZ", kept, 1);
	else
		unsetenv("TZ");
	tzset();
	free(kept);
}

static void promises_say(const char *state_dir, const char *wanted)
{
	char script[4400], *out;

	snprintf(script, sizeof(script), "echo; echo 'StateSaveLocation = %s'", state_dir);
	fake_command("scontrol", script);
	out = said(lw_tools_promises, "promises --now " NOW, 0);
	ck_assert_ptr_nonnull(strstr(out, wanted));
	ck_assert_ptr_nonnull(strstr(out, "zone      UTC-05:00, the cluster's\n"));
	free(out);
}

/* Whether the files are read or squeue alone. */
TEST(promises_are_told_in_the_clusters_zone)
{
	const struct lw_promise open = { 7, 1764150000, 1764165720, 1764168420, 4, 0, 0 };
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error err;

	setenv("TZ", "UTC", 1);
	tzset();
	lw_promise_print(&open, &text);
	ck_assert(!lw_savefile_write(scratch_path("leeway_promises"), LW_PROMISE_FILE_KIND,
				     LW_PROMISE_FILE_VERSION, text.text, text.len, &err));
	lw_strbuf_fini(&text);
	setup_queue(ROW("7", "PENDING", "Resources", "1764165720", "N/A", "g3", "(null)",
			WORD ",tz:-300,r:reserved,s:1764165720,l:1764168420"));
	promises_say(scratch_dir, "7          09:02            09:47\n");
	promises_say("/no/such/dir", "7          09:02            09:47\n");
}

TEST_EACH(why_says_nothing_against_itself, LW_COUNT_OF(words))
{
	why_says(words[_i].row, words[_i].wanted);
}
