/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the shortest files that the subcommands read. */
#ifndef LW_TESTS_TOOL_FILES_H
#define LW_TESTS_TOOL_FILES_H

static const char snapshot[] = "lw-snapshot 1\nnow 0\ngpu-type 0 a100\n"
			       "node 0-1 n[0-1] cpus=4 gpu:a100=2\nset 0 all 0-1\n";
/* A job of two processors. */
#define SWF(submit) "1 " submit " 0 50 2 -1 -1 2 60 -1 1 1 1 -1 -1 -1 -1 -1\n"
static const char trace_text[] = "; MaxProcs: 4\n" SWF("0");

#define ACCOUNTING "JobID|State|ElapsedRaw|AllocTRES|AdminComment\n"
#define HISTORY "JobID|UID|Partition|TimelimitRaw|ElapsedRaw|State|End|ReqCPUS|AdminComment\n"
#define RUN(id, limit) id "|7|p|" limit "|60|COMPLETED|100|1|"

#endif
