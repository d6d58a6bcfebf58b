/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: entry points of sched_backfill.so, which shadows Slurm's own. */
/* job_submit/leeway finds what it asks of us by name (share/ask.h). */
#include "slurm/agent/selfcheck.h"
#include "slurm/agent/thread.h"
#include "slurm/compat/compat.h"
#include "slurm/query/gpulimit.h"
#include "slurm/read/sharebook.h"

#pragma GCC visibility push(default)
extern const char plugin_name[];
extern const char plugin_type[];
extern const uint32_t plugin_version;
extern int init(void);
extern void fini(void);
extern int sched_p_reconfig(void);
extern bool sched_p_leeway_find(const struct lw_share_key *key, int64_t since_s,
				struct lw_share_record *ret_record);
extern bool sched_p_leeway_evades(const job_desc_msg_t *job, const char *gres);
#pragma GCC visibility pop

const char plugin_name[] = "Leeway backfill scheduler";
const char plugin_type[] = "sched/backfill";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

int init(void)
{
	return lw_self_check_start() || lw_thread_start() ? SLURM_ERROR : SLURM_SUCCESS;
}

void fini(void)
{
	lw_thread_stop();
}

int sched_p_reconfig(void)
{
	lw_thread_reconfigure();
	return SLURM_SUCCESS;
}

bool sched_p_leeway_find(const struct lw_share_key *key, int64_t since_s,
			 struct lw_share_record *ret_record)
{
	return lw_sharebook_ask(key, since_s, ret_record);
}

bool sched_p_leeway_evades(const job_desc_msg_t *job, const char *gres)
{
	return lw_gpulimit_evades(job, gres);
}
