/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the limit with which a job cannot start even on an empty cluster. */
#include "slurm/query/never.h"

/* What a limit is of. */
enum scope { GROUP, ACCOUNT, USER, JOB, SCOPES };
/* Which TRES it is of, for the reason. */
enum kind { CPU, MEM, NODE, GRES, OTHER, KINDS };

static const uint32_t qos_reasons[SCOPES][KINDS] = {
	[GROUP] = { WAIT_QOS_GRP_CPU, WAIT_QOS_GRP_MEM, WAIT_QOS_GRP_NODE, WAIT_QOS_GRP_GRES,
		    WAIT_QOS_GRP_UNK },
	[ACCOUNT] = { WAIT_QOS_MAX_CPU_PER_ACCT, WAIT_QOS_MAX_MEM_PER_ACCT,
		      WAIT_QOS_MAX_NODE_PER_ACCT, WAIT_QOS_MAX_GRES_PER_ACCT,
		      WAIT_QOS_MAX_UNK_PER_ACCT },
	[USER] = { WAIT_QOS_MAX_CPU_PER_USER, WAIT_QOS_MAX_MEM_PER_USER,
		   WAIT_QOS_MAX_NODE_PER_USER, WAIT_QOS_MAX_GRES_PER_USER,
		   WAIT_QOS_MAX_UNK_PER_USER },
	[JOB] = { WAIT_QOS_MAX_CPU_PER_JOB, WAIT_QOS_MAX_MEM_PER_JOB, WAIT_QOS_MAX_NODE_PER_JOB,
		  WAIT_QOS_MAX_GRES_PER_JOB, WAIT_QOS_MAX_UNK_PER_JOB },
};
static const uint32_t assoc_reasons[SCOPES][KINDS] = {
	[GROUP] = { WAIT_ASSOC_GRP_CPU, WAIT_ASSOC_GRP_MEM, WAIT_ASSOC_GRP_NODE,
		    WAIT_ASSOC_GRP_GRES, WAIT_ASSOC_GRP_UNK },
	[JOB] = { WAIT_ASSOC_MAX_CPU_PER_JOB, WAIT_ASSOC_MAX_MEM_PER_JOB,
		  WAIT_ASSOC_MAX_NODE_PER_JOB, WAIT_ASSOC_MAX_GRES_PER_JOB,
		  WAIT_ASSOC_MAX_UNK_PER_JOB },
};

static enum kind never_kind(int tres)
{
	switch (tres) {
	case TRES_ARRAY_CPU:
		return CPU;
	case TRES_ARRAY_MEM:
		return MEM;
	case TRES_ARRAY_NODE:
		return NODE;
	default:
		return xstrcmp(assoc_mgr_tres_array[tres]->type, "gres") ? OTHER : GRES;
	}
}

/* The limit of QOS, which may be NULL; INFINITE64: none. */
static uint64_t never_of_qos(const slurmdb_qos_rec_t *qos, enum scope scope, int tres)
{
	const uint64_t *limits[SCOPES];

	if (!qos)
		return INFINITE64;
	limits[GROUP] = qos->grp_tres_ctld;
	limits[ACCOUNT] = qos->max_tres_pa_ctld;
	limits[USER] = qos->max_tres_pu_ctld;
	limits[JOB] = qos->max_tres_pj_ctld;
	return limits[scope] ? limits[scope][tres] : INFINITE64;
}

/* Limits of a job's own association are those of its parents, where it has none. */
static uint64_t never_of_assoc(const slurmdb_assoc_rec_t *assoc, enum scope scope, int tres)
{
	const uint64_t *limits = scope == JOB ? assoc->max_tres_ctld : assoc->grp_tres_ctld;

	return limits ? limits[tres] : INFINITE64;
}

/* By so much a QOS scales the limits of associations; below 0: not at all. */
static double never_factor(const slurmdb_qos_rec_t *qos)
{
	return qos && !fuzzy_equal(qos->limit_factor, INFINITE) ? qos->limit_factor : -1;
}

struct never {
	const job_record_t *job;
	slurmdb_qos_rec_t *first, *second; /* the first hides limits of the second */
	double factor;
};

/* Does an association of the job, which no QOS hides, allow less of TRES than it asks for? */
static bool never_by_assoc(const struct never *look, enum scope scope, int tres)
{
	const slurmdb_assoc_rec_t *assoc = look->job->assoc_ptr;

	for (; assoc; assoc = scope == JOB ? NULL : assoc->usage->parent_assoc_ptr) {
		uint64_t limit = never_of_assoc(assoc, scope, tres);

		if (limit != INFINITE64 && look->factor > 0)
			limit = (uint64_t)((double)limit * look->factor);
		if (look->job->tres_req_cnt[tres] > limit)
			return true;
	}
	return false;
}

static uint32_t never_by_scope(const struct never *look, enum scope scope, int tres)
{
	uint64_t limit = never_of_qos(look->first, scope, tres);

	if (limit == INFINITE64)
		limit = never_of_qos(look->second, scope, tres);
	if (limit != INFINITE64)
		return look->job->tres_req_cnt[tres] > limit
			       ? qos_reasons[scope][never_kind(tres)]
			       : WAIT_NO_REASON;
	if ((scope == GROUP || scope == JOB) && never_by_assoc(look, scope, tres))
		return assoc_reasons[scope][never_kind(tres)];
	return WAIT_NO_REASON;
}

/* What the job is charged for billing and energy is not known before it runs. */
static bool never_counts(const job_record_t *job, int tres)
{
	return tres != TRES_ARRAY_BILLING && tres != TRES_ARRAY_ENERGY &&
	       job->tres_req_cnt[tres] && job->tres_req_cnt[tres] != NO_CONSUME_VAL64 &&
	       !(job->limit_set.tres && job->limit_set.tres[tres] == ADMIN_SET_LIMIT);
}

static uint32_t never_by_any(const struct never *look)
{
	uint32_t reason = WAIT_NO_REASON;

	for (int tres = 0; tres < slurmctld_tres_cnt; tres++) {
		if (!never_counts(look->job, tres))
			continue;
		for (enum scope scope = GROUP; scope < SCOPES && reason == WAIT_NO_REASON;
		     scope++)
			reason = never_by_scope(look, scope, tres);
	}
	return reason;
}

static bool never_has_several(const job_record_t *job)
{
	return job->part_ptr_list || lw_slurm_job_qos_list(job) || job->resv_list ||
	       job->het_job_id;
}

uint32_t lw_never_allowed(const job_record_t *job)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .tres = READ_LOCK };
	struct never look = { .job = job };
	uint32_t reason;

	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) || !job->assoc_ptr ||
	    !job->tres_req_cnt || never_has_several(job))
		return WAIT_NO_REASON;
	assoc_mgr_lock(&locks);
	acct_policy_set_qos_order((job_record_t *)job, &look.first, &look.second);
	look.factor = never_factor(look.first);
	if (look.factor < 0)
		look.factor = never_factor(look.second);
	reason = never_by_any(&look);
	assoc_mgr_unlock(&locks);
	return reason;
}
