/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the end of a job on a node: merge the records of its steps and send the summary. */
#ifndef LW_RECORD_JOBEND_H
#define LW_RECORD_JOBEND_H

#include "record/watch.h"

/* In the directory of records: it was logged that there is no slurmdbd. */
#define LW_JOBEND_TOLD ".no-slurmdbd"

/*
 * When no step of JOB_ID is left on NODE, merge their records, also of killed steps. On the
 * first node of NODES, a list such as "n[1-4,7]" (NULL: not known, then on each node), send the
 * summary to accounting, unless the batch step could. Waits at most some seconds for steps on
 * other nodes that share the directory. A failure is one line in LOG; a missing slurmdbd is
 * logged once until there is one.
 */
void lw_jobend_run(const struct lw_watch_options *options, uint32_t job_id, const char *node,
		   const char *nodes, const struct lw_log *log);

/* Is NODE the first of the list NODES? */
bool lw_jobend_is_first(const char *nodes, const char *node);

#endif
