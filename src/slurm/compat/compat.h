/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the one place that knows which Slurm it is built for. */
#ifndef LW_SLURM_COMPAT_H
#define LW_SLURM_COMPAT_H

/*
 * Includes Slurm's internal headers and gives every release the names of the newest,
 * 26.05; callers are written for that one and hold no #if. What a release lacks of its
 * successor is in the file of its name. It is retired by deleting that file and the lines
 * that name it here; configure finds out which are needed (m4/x_ac_slurm_compat.m4).
 */

#ifndef NDEBUG
#error "build with NDEBUG: slurmctld does not export what its asserts call, and would die"
#endif

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurm_version.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/common/assoc_mgr.h"
#include "src/common/bitstring.h"
#include "src/common/hostlist.h"
#include "src/common/job_resources.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/xhash.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/acct_policy.h"
#include "src/slurmctld/fed_mgr.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/licenses.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/node_scheduler.h"
#include "src/slurmctld/proc_req.h"
#include "src/slurmctld/reservation.h"
#include "src/slurmctld/slurmctld.h"
#include "src/slurmctld/state_save.h"

_Static_assert(SLURM_VERSION_NUMBER == LW_SLURM_NUMBER,
	       "the Slurm headers are not of the release that configure read");

#ifndef HAVE_SLURM_INTERFACES
#include "slurm/compat/slurm_2205.h"
#else
#include "src/common/job_features.h"
#include "src/common/job_state_reason.h"
#include "src/interfaces/burst_buffer.h"
#include "src/interfaces/gres.h"
#include "src/interfaces/mcs.h"
#include "src/interfaces/preempt.h"
#include "src/interfaces/select.h"
#include "src/stepmgr/gres_stepmgr.h"

/* What hostlist_create() gives. */
#define lw_slurm_hostlist hostlist_t *

/* What select_p_job_test() is told after its first eight arguments. */
#define LW_JOB_TEST_MORE      resv_exc_t *exceptions, will_run_data_t *will_run
#define LW_JOB_TEST_MORE_ARGS exceptions, will_run

/* Threads that are counted as serving RPCs while there are none. */
#define LW_IDLE_RPC_THREADS 0

/* A record as slurmctld makes them, to look at; NULL where there is no way to have one. */
static inline job_record_t *lw_slurm_sample_job(void)
{
	return job_record_create();
}

static inline void lw_slurm_sample_job_free(job_record_t *job)
{
	job_record_delete(job);
}

/* Is VALUE, a whole_node, that of a job which shares its nodes with no other job? */
static inline bool lw_slurm_is_exclusive(uint8_t value)
{
	return value & WHOLE_NODE_REQUIRED;
}

/* Is it that of a job which shares its nodes only with jobs of its user? */
static inline bool lw_slurm_is_for_one_user(uint8_t value)
{
	return value & WHOLE_NODE_USER;
}

/* Does AllowGroups of PART let USER_ID in, as far as Slurm knows by now? */
static inline bool lw_slurm_part_lists_user(const part_record_t *part, uint32_t user_id)
{
	for (int i = 0; i < part->allow_uids_cnt; i++)
		if (part->allow_uids[i] == user_id)
			return true;
	return false;
}

/* Does the user say how many tasks go to each node? */
static inline bool lw_slurm_is_laid_out(const job_details_t *details)
{
	return details->arbitrary_tpn != NULL;
}

/* Does the user list the numbers of nodes that will do (--nodes=1,2,4)? */
static inline bool lw_slurm_lists_sizes(const job_details_t *details)
{
	return details->job_size_bitmap != NULL;
}

/* The QOS of a queue record; 0 or NULL where a job has only one. */
static inline slurmdb_qos_rec_t *lw_slurm_queue_qos(const job_queue_rec_t *record)
{
	return record->qos_ptr;
}

static inline list_t *lw_slurm_job_qos_list(const job_record_t *job)
{
	return job->qos_list;
}

/* How many of these licences are in use outside of the cluster. */
static inline uint32_t lw_slurm_licence_deficit(const licenses_t *licence)
{
	return licence->last_deficit;
}

static inline void lw_slurm_count_exit(diag_stats_t *stats)
{
	stats->bf_exit[BF_EXIT_END]++;
}

/* No job preempts a job of at least this priority; read as Slurm reads it when it starts. */
static inline uint32_t lw_slurm_min_exempt_priority(void)
{
	static const char key[] = "min_exempt_priority=";
	const char *at = xstrcasestr(slurm_conf.preempt_params, key);

	return at ? (uint32_t)strtoul(at + sizeof(key) - 1, NULL, 10) : NO_VAL;
}

/* Does JOB demand something of the field Extra of its nodes (--extra)? */
static inline bool lw_slurm_job_has_extra(const job_record_t *job)
{
	return job->extra_constraints != NULL;
}

/* How many CPUs of a socket the jobs of PART may have; INFINITE: all. */
static inline uint32_t lw_slurm_max_cpus_per_socket(const part_record_t *part)
{
	return part->max_cpus_per_socket;
}

/* The nodes that are powered up, if there may be no more of them (max_powered_nodes); or NULL. */
static inline bitstr_t *lw_slurm_most_powered_up(void)
{
	return max_powered_nodes != NO_VAL &&
			       (uint32_t)bit_set_count(power_up_node_bitmap) >= max_powered_nodes
		       ? power_up_node_bitmap
		       : NULL;
}

/* The nodes of a test whether JOB would run, which its limits would be counted by later. */
static inline void lw_slurm_forget_tested_nodes(job_record_t *job)
{
	FREE_NULL_BITMAP(job->node_bitmap_preempt);
}

/* LIMITS of a QOS on the minutes that the jobs of each user or account may still run. */
static inline const uint64_t *lw_slurm_run_mins(const uint64_t *limits)
{
	return limits;
}

/* Tell the parts of Slurm that want to know of a start of JOB by the scheduler plugin. */
static inline void lw_slurm_job_started(job_record_t *job)
{
	(void)job;
}
#endif

#ifdef HAVE_SLURM_NODEINFO
#include "slurm/compat/slurm_2411.h"
#else
/* The priorities of JOB, by partition and QOS, if it has several; or NULL. */
#define lw_slurm_priorities(job) ((job)->prio_mult ? (job)->prio_mult->priority_array : NULL)

/*
 * Is no node nearer to some than to others, as Slurm has it? There may be several topologies, of
 * which we do not know which one a partition has.
 */
static inline bool lw_slurm_is_flat(void)
{
	return false;
}

/* Are some nodes nearer to each other, for certain? What slurm.conf says holds without a yaml. */
static inline bool lw_slurm_has_topology(void)
{
	return !xstrcmp(slurm_conf.topology_plugin, "topology/tree") ||
	       !xstrcmp(slurm_conf.topology_plugin, "topology/block");
}

/* What nodes, partitions or accounts have changed of reservations is to be heeded by now. */
static inline void lw_slurm_validate_reservations(void)
{
	validate_all_reservations(true, false);
}

/* The cluster's licences, to be given back; NULL: there are none. A copy, without names. */
static inline list_t *lw_slurm_licences(void)
{
	return cluster_license_copy();
}

static inline void lw_slurm_licences_free(list_t *licences)
{
	FREE_NULL_LIST(licences);
}

/* What to call a licence: its number. */
static inline void lw_slurm_licence_name(const licenses_t *licence, char *text, size_t size)
{
	snprintf(text, size, "%u", (unsigned)licence->id.lic_id);
}

static inline bool lw_slurm_licence_is(const licenses_t *licence, const char *name)
{
	return licence->id.hres_id == NO_VAL16 &&
	       licence->id.lic_id == strtoul(name, NULL, 10);
}

/* Is it a number of one thing, neither one of several nor tied to nodes? */
static inline bool lw_slurm_licence_is_plain(const licenses_t *licence)
{
	return licence->id.hres_id == NO_VAL16 && !licence->op_or;
}
#endif

#ifndef HAVE_SLURM_SELECT_CORE
#include "slurm/compat/slurm_2505.h"
#else
#define LW_REQUEUE_LOSES_LICENCES false

/* The QOS of JOB for a while, or for good; the number is what Slurm tells others. */
static inline void lw_slurm_use_qos(job_record_t *job, slurmdb_qos_rec_t *qos)
{
	job->qos_ptr = qos;
	if (qos)
		job->qos_id = qos->id;
}
#endif

#ifndef HAVE_SLURM_JOB_STEP_ID
#include "slurm/compat/slurm_2511.h"
#else
#define lw_slurm_job_id(job) ((job)->step_id.job_id)

/* Launch the batch script of a het job; its leader's start left that to the last component. */
static inline void lw_slurm_launch_leader(job_record_t *job)
{
	if (job->het_job_id)
		launch_het_job_leader(job);
}

#define LW_LOCK_SELECT_NODE  .select_node = WRITE_LOCK,

/*
 * What jobs hold of NODE as of the last select_g_select_nodeinfo_set_all(). All code that
 * changes it holds the lock of nodes too, so a writer of nodes needs no other lock.
 */
static inline bool lw_slurm_allocated(const node_record_t *node, uint16_t *ret_cpus,
				      uint64_t *ret_mem_mib)
{
	const node_select_stats_t *stats = node_select_stats_array[node->index];

	if (!stats)
		return false;
	*ret_cpus = stats->alloc_cpus;
	*ret_mem_mib = stats->alloc_memory;
	return true;
}
#endif

#include "slurm/compat/topology.h"

/*
 * A word that slurmctld's threads write without a lock that we hold, or could: as it is right now,
 * and read once, whatever the compiler would rather do.
 */
#define lw_slurm_peek(word) __atomic_load_n(&(word), __ATOMIC_RELAXED)

/*
 * Is slurmctld complete? The scheduler plugin starts while it reads its configuration, before
 * jobs, federation and MCS are there; the thread that saves the state is made after them.
 */
static inline bool lw_slurm_is_up(void)
{
	return lw_slurm_peek(slurmctld_config.thread_id_save) != 0;
}

/* Would it rather have other nodes than it asks for (--prefer)? */
static inline bool lw_slurm_job_prefers(const job_record_t *job)
{
	return job->details->prefer != NULL;
}

/* The priority of JOB, which has several partitions and one QOS, in the one of that number. */
static inline uint32_t lw_slurm_part_priority(const job_record_t *job, uint32_t index)
{
	const uint32_t *priorities = lw_slurm_priorities(job);

	return priorities ? priorities[index] : job->priority;
}

/* Let Slurm's tests look at the features that JOB asks for, or at those it would rather have. */
static inline void lw_slurm_use_features(job_record_t *job, bool prefer)
{
	job_details_t *details = job->details;

	details->features_use = prefer ? details->prefer : details->features;
	details->feature_list_use = prefer ? details->prefer_list : details->feature_list;
}

/* What stock backfill holds while it looks at and starts jobs. */
#define LW_LOCKS_ALL                                                                             \
	((slurmctld_lock_t){ .conf = READ_LOCK,                                                  \
			     .job = WRITE_LOCK,                                                  \
			     .node = WRITE_LOCK,                                                 \
			     .part = READ_LOCK,                                                  \
			     LW_LOCK_SELECT_NODE.fed = READ_LOCK })

#endif
