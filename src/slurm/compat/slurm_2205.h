/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what Slurm 22.05 lacks of 24.11. Included by compat.h alone. */
#ifndef LW_SLURM_COMPAT_2205_H
#define LW_SLURM_COMPAT_2205_H

#include "src/common/gres.h"
#include "src/common/power.h"
#include "src/common/select.h"
#include "src/common/slurm_mcs.h"
#include "src/slurmctld/burst_buffer.h"
#include "src/slurmctld/gres_ctld.h"
#include "src/slurmctld/preempt.h"
#include "src/slurmctld/srun_comm.h"

#define LW_JOB_TEST_MORE      bitstr_t *exceptions
#define LW_JOB_TEST_MORE_ARGS exceptions

typedef struct xlist list_t;
typedef struct job_details job_details_t;

/* The cores that a reservation keeps from a job, all that 22.05 knows of it. */
typedef struct {
	bitstr_t *core_bitmap;
} resv_exc_t;

typedef struct {
	job_record_t *job_ptr;
} job_node_select_t;

#define cluster_license_list		 license_list
#define FEATURE_OP_MOR		 FEATURE_OP_XOR
#define power_down_node_bitmap	 power_node_bitmap
#define gres_stepmgr_set_job_tres_cnt	 gres_ctld_set_job_tres_cnt
#define job_state_set(job, state)	 ((job)->job_state = (state))
#define job_state_reason_string          job_reason_string
/* of each user and account, where it counts none */
#define tres_run_secs			 tres_run_mins

#define lw_slurm_priorities(job)	 ((job)->priority_array)

/* It locks the associations itself. */
#define acct_policy_add_job_submit(job, locked) ((void)(locked), acct_policy_add_job_submit(job))

/* Its manager of RPCs counts among the threads that serve them, and for the one to come, too. */
#define LW_IDLE_RPC_THREADS 2

/* It has no level between error and info. */
#define warning(fmt, ...) info("warning: " fmt, ##__VA_ARGS__)

/* No job takes whole blocks of a topology. */
#define IS_JOB_WHOLE_TOPO(job) ((void)(job), false)

/* It does not say which names it does not know. */
#define node_name2bitmap(names, best, bits, unknown) node_name2bitmap(names, best, bits)

/* It does not log the calling user. */
#define part_policy_valid_qos(part, qos, uid, job) part_policy_valid_qos(part, qos, job)

/* Does AllowGroups of PART let USER_ID in, as far as Slurm knows by now? */
static inline bool lw_slurm_part_lists_user(const part_record_t *part, uint32_t user_id)
{
	for (const uid_t *uid = part->allow_uids; uid && *uid; uid++)
		if (*uid == user_id)
			return true;
	return false;
}

/* The first bit set from FIRST on; -1: none. */
static inline bitoff_t bit_ffs_from_bit(bitstr_t *bits, bitoff_t first)
{
	for (bitoff_t i = first; i < bit_size(bits); i++) {
		if (bit_test(bits, i))
			return i;
	}
	return -1;
}

static inline job_record_t *lw_slurm_sample_job(void)
{
	return NULL;
}

static inline void lw_slurm_sample_job_free(job_record_t *job)
{
	(void)job;
}

/* Three values, not bits. */
static inline bool lw_slurm_is_exclusive(uint8_t value)
{
	return value == WHOLE_NODE_REQUIRED;
}

static inline bool lw_slurm_is_for_one_user(uint8_t value)
{
	return value == WHOLE_NODE_USER;
}

/* --distribution=arbitrary */
static inline bool lw_slurm_is_laid_out(const job_details_t *details)
{
	return details->task_dist == SLURM_DIST_ARBITRARY;
}

static inline bool lw_slurm_lists_sizes(const job_details_t *details)
{
	(void)details;
	return false;
}

static inline slurmdb_qos_rec_t *lw_slurm_queue_qos(const job_queue_rec_t *record)
{
	return record->job_ptr->qos_ptr;
}

static inline list_t *lw_slurm_job_qos_list(const job_record_t *job)
{
	(void)job;
	return NULL;
}

/* As many may be powered up as there are. */
static inline bitstr_t *lw_slurm_most_powered_up(void)
{
	return NULL;
}

/* Nothing outside of the cluster is known to use any. */
static inline uint32_t lw_slurm_licence_deficit(const licenses_t *licence)
{
	(void)licence;
	return 0;
}

/* How long a credential of a job is valid, in seconds. */
static inline int cred_expiration(void)
{
	int lifetime_s = 1200;

	(void)slurm_cred_ctx_get(slurmctld_config.cred_ctx, SLURM_CRED_OPT_EXPIRY_WINDOW,
				 &lifetime_s);
	return lifetime_s;
}

static inline void lw_slurm_count_exit(diag_stats_t *stats)
{
	(void)stats;
}

/* It has none of these yet. */
static inline bool lw_slurm_job_has_extra(const job_record_t *job)
{
	(void)job;
	return false;
}

static inline uint32_t lw_slurm_max_cpus_per_socket(const part_record_t *part)
{
	(void)part;
	return INFINITE;
}

static inline uint32_t lw_slurm_min_exempt_priority(void)
{
	return NO_VAL;
}

/* It has them, and does not heed them. */
static inline const uint64_t *lw_slurm_run_mins(const uint64_t *limits)
{
	(void)limits;
	return NULL;
}

/* It keeps none. */
static inline void lw_slurm_forget_tested_nodes(job_record_t *job)
{
	(void)job;
}

static inline void lw_slurm_job_started(job_record_t *job)
{
	power_g_job_start(job);
}

static inline int lw_2205_job_test_resv(job_record_t *job, time_t *when, bool move_time,
					bitstr_t **nodes, resv_exc_t *exceptions, bool *overlap,
					bool reboot)
{
	return job_test_resv(job, when, move_time, nodes, &exceptions->core_bitmap, overlap,
			     reboot);
}
#define job_test_resv lw_2205_job_test_resv
#define lw_slurm_hostlist hostlist_t

static inline void reservation_delete_resv_exc_parts(resv_exc_t *exceptions)
{
	FREE_NULL_BITMAP(exceptions->core_bitmap);
}

static inline int lw_2205_select_g_job_test(job_record_t *job, bitstr_t *nodes, uint32_t min,
					    uint32_t max, uint32_t wanted, uint16_t mode,
					    list_t *preemptable, list_t **ret_preempted,
					    resv_exc_t *exceptions, void *will_run)
{
	(void)will_run;
	return select_g_job_test(job, nodes, min, max, wanted, mode, preemptable, ret_preempted,
				 exceptions->core_bitmap);
}
#define select_g_job_test lw_2205_select_g_job_test

static inline int lw_2205_select_nodes(job_node_select_t *selection, bool test_only,
				       bool submission, uint32_t scheduler)
{
	return select_nodes(selection->job_ptr, test_only, NULL, NULL, submission, scheduler);
}
#define select_nodes lw_2205_select_nodes

#endif
