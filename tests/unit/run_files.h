/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the files of a run that leeway report reads. */
#ifndef LW_TESTS_RUN_FILES_H
#define LW_TESTS_RUN_FILES_H

#include "cli/common/tools.h"
#include "unit/scratch.h"

#include <getopt.h>

#define HEAD                                                                             \
	"JobIDRaw|JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES|Flags|AdminComment|JobName\n"
#define TRES "billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=4G,node=1"

/* Two that ran, one cancelled while it waited, one that runs, and the rest of an array. */
static const char sacct[] =
	HEAD "11|11|1000|1000|1100|COMPLETED|1|8|" TRES "|SchedSubmit,StartReceived||a\n"
	     "12|12|1000|1100|1200|TIMEOUT|1|8|" TRES "|SchedMain||b\n"
	     "13|13|1010|None|1050|CANCELLED by 1000|1|8|||with | inside|c\n"
	     "14|14|1020|1200|Unknown|RUNNING|1|8|" TRES "|SchedBackfill||d\n"
	     "15|15_[3-5,7%2]|1030|Unknown|Unknown|PENDING|1|8||||e\n";

static const char squeue[] =
	"#time_epoch\tjobid\tstate\tpriority_rank\tstart\treason\tnodes\n"
	"1010\t12\tPENDING\t2\t1050\tPriority\t-\n"
	"1020\t12\tPENDING\t1\t1090\tResources\tn1\n"
	"1030\t12\tPENDING\t1\t1080\tResources\tn1\n"
	"1040\t14\tPENDING\t1\t-\tResources\t-\n"
	"1050\t14\tPENDING\t1\t1300\tDependency\t-\n"
	"1060\t14\tPENDING\t1\t1250\tResources\t-\n";

static const char meta[] =
	"{\"label\": \"stock\", \"factor\": 20, \"nodes\": 2, \"gpus_per_node\": 4, "
	"\"cpus_per_node\": 16, \"jobs\": 6, \"tasks\": 8, \"slurm_version\": \"24.11.5\", "
	"\"workload\": \"<w>.tsv\"}";

static const char sdiag[] =
	"Jobs started:   42\n\nMain schedule statistics (microseconds):\n"
	"\tMean cycle:    1500\n\nBackfilling stats\n"
	"\tTotal backfilled jobs (since last slurm start): 7\n"
	"\tMean cycle:    2500\n";

static inline void write_run(const char *rows)
{
	scratch_write("sacct.psv", rows);
	scratch_write("squeue.tsv", squeue);
	scratch_write("meta.json", meta);
	scratch_write("sdiag.txt", sdiag);
}

/* As main() does it, but more than once in a process. */
static inline int run_report(int argc, char **argv)
{
	optind = 0;
	return lw_tools_report(argc, argv);
}

#endif
