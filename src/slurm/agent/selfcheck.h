/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: does this slurmctld have the records that our headers describe? */
#ifndef LW_SLURM_SELFCHECK_H
#define LW_SLURM_SELFCHECK_H

#include "base/error.h"
#include "slurm/lock/session.h"

/*
 * Check before the plugin starts: slurmctld's global objects and a job record made for this
 * purpose (layout.h). Takes no lock. 0, or -EBADMSG and a line in Slurm's log: the plugin must
 * not start.
 */
int lw_self_check_start(void);

/*
 * Check before each reading: all nodes and partitions; jobs are checked when they are read.
 * SESSION, which holds LW_LOCKS_ALL, yields now and then. 0; -EBADMSG with ERR: no record may be
 * trusted; -EAGAIN: there are no records yet; or the result of lw_session_yield().
 */
int lw_self_check_tables(struct lw_session *session, struct lw_error *err);

#endif
