/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what users are told of each job that waits (leeway why), as the agent does it. */
#ifndef LW_SLURM_AGENT_OUTLOOK_H
#define LW_SLURM_AGENT_OUTLOOK_H

#include "slurm/agent/agent.h"

/*
 * agent->outlooks is NULL where nobody is to be told; then these functions do nothing. Failures
 * are logged, and less is said.
 */

/* Begin or end telling, as the settings say; what was learned is in StateSaveLocation. */
void lw_tell_use(struct lw_agent *agent);
/*
 * After a plan of READING: learn, prepare what is to be said, and find out for some jobs what
 * would let them start now, as far as a moment of processor time goes. Needs no locks;
 * agent->plan stands, and the policy plans again.
 */
void lw_tell_think(struct lw_agent *agent, struct lw_reading *reading);
/* Write what was prepared. Needs the lock of jobs for writing, held by SESSION. */
void lw_tell_write(struct lw_agent *agent, struct lw_session *session);
/* Take all of it off: somebody else plans now. Needs the lock of jobs for writing. */
void lw_tell_clear(struct lw_agent *agent);
void lw_tell_save(struct lw_agent *agent, int64_t now_s, bool at_once);
/* Forget it, unsaved. */
void lw_tell_end(struct lw_agent *agent);

#endif
