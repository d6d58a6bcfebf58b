/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that wait as squeue prints them, and what a command makes of them. */
#ifndef LW_TESTS_WHY_ROWS_H
#define LW_TESTS_WHY_ROWS_H

#include "cli/common/tools.h"
#include "unit/fake_slurm.h"

#include <stdio.h>
#include <string.h>

/* id, reason, start, deadline, nodes, after, comment; NOW is 13:00 UTC, that of all tests. */
#define NOW      "1764162000"
#define RESV     "(null)"
#define LICENCES "(null)"
#define ROW(id, state, reason, start, deadline, nodes, after, comment)                           \
	id "|u1|" state "|" reason "|gpu|" start "|1764158400|" deadline "|" nodes "|" after     \
	   "|" RESV "|" LICENCES "|train|" comment "\n"
#define WAITS(reason, comment)                                                                   \
	ROW("7", "PENDING", reason, "N/A", "N/A", "(null)", "(null)", comment)
#define WORD "leeway:why=v:1,at:1764161970"

/* The file queue, in a shell. Most rows do not say what an administrator's comment is. */
#define SHOW_QUEUE                                                                               \
	"case $* in\n"                                                                           \
	"*admin_comment*) awk -F'|' '{ print $0 (NF < 15 ? \"|\" : \"\") }' $d/queue ;;\n"        \
	"*) cat $d/queue ;;\n"                                                                   \
	"esac\n"

static void setup_queue(const char *queue)
{
	scratch_write("queue", queue);
	fake_command(
		"squeue",
		"[ \"$SLURM_TIME_FORMAT\" = %s ] && [ -z \"$SQUEUE_FORMAT\" ] || exit 8\n"
		"case $* in\n"
		"*'-j 9'*) echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1 ;;\n"
		"esac\n"
		SHOW_QUEUE);
	setenv("SQUEUE_FORMAT", "%i", 1);
}

/* What LINE prints; it ends with RC. */
static char *said(int (*command)(int, char **), const char *line, int wanted)
{
	char *told;
	int rc;

	told = scratch_complaint(command, line, &rc);
	ck_assert_msg(rc == wanted, "%s: %d: %s", line, rc, told);
	if (wanted)
		return told;
	ck_assert_str_eq(told, "");
	free(told);
	return scratch_read(scratch_path("out"));
}

/* leeway why of ROW has WANTED: lines of it, parted by "|"; behind "!" what is not there. */
static inline void why_says(const char *row, const char *wanted)
{
	char lines[512], *rest = lines, *part, *out;

	setup_queue(row);
	out = said(lw_tools_why, "why 7 --now " NOW, 0);
	snprintf(lines, sizeof(lines), "%s", wanted);
	while ((part = strsep(&rest, "|"))) {
		bool without = *part == '!';

		ck_assert_msg(!strstr(out, part + without) == without, "\"%s\" in:\n%s", part,
			      out);
	}
	free(out);
}

#endif
