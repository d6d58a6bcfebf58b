/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: why each waiting job waits (leeway why), as the agent tells its user. */
#ifndef LW_SLURM_AGENT_OUTLOOK_H
#define LW_SLURM_AGENT_OUTLOOK_H

#include "slurm/agent/agent.h"

/*
 * agent->outlooks is NULL if users are not told; these functions then do nothing. Failures are
 * logged, and users are told less.
 */

/* Begin or end telling users, as the settings say; what was learned is in StateSaveLocation. */
void lw_tell_use(struct lw_agent *agent);
/*
 * After a plan of READING: learn, prepare the words, and find hints for some jobs within a
 * moment of processor time. Needs no locks. agent->plan must not change, and the policy makes
 * further plans.
 */
void lw_tell_think(struct lw_agent *agent, struct lw_reading *reading);
/*
 * Write the prepared words, before the records show the nodes of the new plan: what became of the
 * old ones tells why a start is later. Needs the lock of jobs for writing, held by SESSION.
 */
void lw_tell_write(struct lw_agent *agent, struct lw_session *session);
/* Remove all words: another scheduler plans now. Needs the lock of jobs for writing. */
void lw_tell_clear(struct lw_agent *agent);
void lw_tell_save(struct lw_agent *agent, int64_t now_s, bool at_once);
/* Free it, unsaved. */
void lw_tell_end(struct lw_agent *agent);

#endif
