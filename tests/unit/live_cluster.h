/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a cluster that scripts make up, and the live page of it. */
#ifndef LW_TESTS_LIVE_CLUSTER_H
#define LW_TESTS_LIVE_CLUSTER_H

#include "base/strbuf.h"
#include "cli/common/tools.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"

#define NOW   ((long)time(NULL))
#define PAGES "live/index.html"

static inline void write_config(const char *private_data)
{
	char text[400];

	snprintf(text, sizeof(text),
		 "Configuration data as of now\nClusterName             = c<1>\n"
		 "PrivateData             = %s\nSLURM_VERSION           = 24.11.5\n"
		 "StateSaveLocation       = %s\n",
		 private_data, scratch_dir);
	scratch_write("config", text);
}

/* One that runs on four nodes, a promised one, one that is planned, and one that is not. */
static inline void write_queue(void)
{
	char text[4000];

	snprintf(text, sizeof(text),
		 "11|anna|RUNNING|p1|4|32|cpu=32,node=4,gres/gpu=16|N/A|N/A|%ld|%ld|4:00:00|"
		 "n[1-4]|(null)|None|<script>alert(1)</script>|x|(null)\n"
		 "12|bo|PENDING|p1|1|8|cpu=8,node=1|gres:gpu:a100:4|N/A|%ld|N/A|1:00:00||n1|"
		 "planned 14:02 on n1 after job 11|named|leeway:latest-start=2099-01-02T03:04:05\n"
		 "13_[1-7%%2]|bo|PENDING|p2|2|2|cpu=2,node=2|N/A|N/A|%ld|N/A|UNLIMITED||n[1-2]|"
		 "Priority|second\n line|leeway:why=v:1,at:%ld,p:60-7200-14400\n"
		 "14|eve|PENDING|p2|1|2|cpu=2,node=1|N/A|N/A|N/A|N/A|10:00||(null)|"
		 "Dependency|later|(null)\n"
		 "15|eve|CANCELLED|p2|1|2|cpu=2|N/A|N/A|9|9|10:00||(null)|None|gone|(null)\n",
		 NOW - 3600, NOW + 3 * 3600, NOW + 6 * 3600, NOW + 12 * 3600, NOW);
	scratch_write("queue", text);
}

/* Four are full, one has a GPU to spare, one no CPU for its GPU, and one is down. */
static inline void write_nodes(void)
{
	struct lw_strbuf text = LW_STRBUF_INIT;

	for (int i = 1; i <= 7; i++)
		lw_strbuf_add(&text,
			      "NodeName=n%d Arch=x86_64 CPUAlloc=%d CPUEfctv=16 CPUTot=16 "
			      "Gres=gpu:a100:4(S:0,1),license:9 GresUsed=gpu:a100:%d(IDX:0,2-3) "
			      "OS=Linux 6.1 #1 SMP State=%s ThreadsPerCore=1 Partitions=p1 "
			      "Comment=State=no Reason=<i>why</i> [root@now]\n",
			      i, i == 6 ? 16 : 8, i <= 4 ? 4 : i == 7 ? 0 : 3,
			      i <= 4 ? "ALLOCATED" : i == 7 ? "DOWN*" : "MIXED");
	scratch_write("nodes", lw_strbuf_text(&text));
	lw_strbuf_fini(&text);
}

static inline void write_sdiag(void)
{
	scratch_write("stats", "Server thread count:  3\nJobs submitted: 812\n\n"
			       "Main schedule statistics (microseconds):\n\tLast cycle:   1234\n"
			       "Backfilling stats\n\tLast cycle: 41234\n"
			       "\tLast cycle when: Thu Nov 26 22:00:00 2026 (1764194400)\n"
			       "\tLast depth cycle: 77\n"
			       "Remote Procedure Call statistics by user\n\tLast cycle: 99\n");
}

static inline void write_commands(void)
{
	fake_command("squeue", "[ \"$SLURM_TIME_FORMAT\" = %s ] && [ -z \"$SQUEUE_USERS\" ] &&\n"
			       "exec cat $d/queue");
	fake_command("scontrol", "case $* in *config*) exec cat $d/config ;;\n"
				 "*' -o '*node*) exec cat $d/nodes ;; esac\nexit 9");
	fake_command("sdiag", "exec cat $d/stats");
}

static inline void setup(void)
{
	fake_setup();
	write_config("none");
	write_queue();
	write_nodes();
	write_sdiag();
	write_commands();
	setenv("SQUEUE_USERS", "other", 1);
}

/* What OPTIONS come to; what is said on standard error goes to *RET_SAID, if it is asked for. */
static inline int live(const char *options, char **ret_said)
{
	char line[400], *said;
	int rc;

	snprintf(line, sizeof(line), "live %s/live --once%s", scratch_dir, options);
	said = scratch_complaint(lw_tools_live, line, &rc);
	if (ret_said)
		*ret_said = said;
	else
		free(said);
	return rc;
}

/* The page of OPTIONS, to be freed. */
static inline char *page_of(const char *options)
{
	ck_assert_int_eq(live(options, NULL), LW_TOOLS_OK);
	return scratch_read(scratch_path(PAGES));
}

static inline void has(const char *page, const char *text)
{
	ck_assert_msg(strstr(page, text) != NULL, "no \"%s\"", text);
}

static inline void lacks(const char *page, const char *text)
{
	ck_assert_msg(strstr(page, text) == NULL, "\"%s\" is there", text);
}

#endif
