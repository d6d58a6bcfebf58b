/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: is this slurmctld the one that our headers describe? */
#ifndef LW_SLURM_SELFCHECK_H
#define LW_SLURM_SELFCHECK_H

#include "base/error.h"
#include "slurm/lock/session.h"

/*
 * Before the plugin starts: slurmctld's global objects and a job record of our own
 * (layout.h). Takes no lock. 0, or -EBADMSG and a line in Slurm's log: do not start.
 */
int lw_self_check_start(void);

/*
 * Before each reading: all nodes and partitions; jobs are looked at when they are read. HOLD,
 * of LW_LOCKS_ALL, is given up now and then. 0; -EBADMSG with ERR: no record may be trusted;
 * -EAGAIN: there are none yet; or what lw_session_yield() says.
 */
int lw_self_check_tables(struct lw_session *session, struct lw_error *err);

#endif
