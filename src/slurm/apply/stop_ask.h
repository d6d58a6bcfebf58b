/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: ask one job to stop. */
#ifndef LW_SLURM_STOP_ASK_H
#define LW_SLURM_STOP_ASK_H

#include "slurm/compat/compat.h"
#include "slurm/keep/stops.h"

#include <stdint.h>

struct lw_history;

/* All need LW_LOCKS_ALL. */

/* What JOB, which runs, is by itself. The texts are its own. */
void lw_stop_describe(const job_record_t *job, struct lw_stop_case *ret_case);
/*
 * The rest: whether other jobs wait for its end, for which all jobs are looked at, and how long
 * such jobs run. HISTORY is NULL: not known.
 */
void lw_stop_describe_more(const job_record_t *job, const struct lw_history *history,
			   int64_t now_s, struct lw_stop_case *it);
/* Ask JOB, of which all is in IT, if it may be asked. Its user is told. */
enum lw_stop_answer lw_stop_ask(struct lw_stops *stops, const struct lw_stop_rules *rules,
				job_record_t *job, const struct lw_stop_case *it, int64_t now_s);
/* Set what became of STOP in JOB's comment. */
void lw_stop_mark(job_record_t *job, const struct lw_stop *stop);

#endif
