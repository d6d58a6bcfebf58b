/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job's end on a node: whatever its steps left is put in order and told. */
#ifndef LW_RECORD_JOBEND_H
#define LW_RECORD_JOBEND_H

#include "record/watch.h"

/* In the directory of records: it was said that there is no slurmdbd. */
#define LW_JOBEND_TOLD ".no-slurmdbd"

/*
 * When no step of JOB_ID is left on NODE, merge their records, also of steps that were
 * killed. On the first node of NODES, a list such as "n[1-4,7]" (NULL: not known, then on
 * each), send the summary to accounting, unless the batch step could send it. Waits at
 * most some seconds for steps on other nodes that share the directory. What fails is told
 * to LOG, one line; that there is no slurmdbd once, until there is one.
 */
void lw_jobend_run(const struct lw_watch_options *options, uint32_t job_id, const char *node,
		   const char *nodes, const struct lw_log *log);

/* Whether NODE is the first of the list NODES. */
bool lw_jobend_is_first(const char *nodes, const char *node);

#endif
