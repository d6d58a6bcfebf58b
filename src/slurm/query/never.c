/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a limit with which a job cannot start, whatever is free. */
#include "slurm/query/never.h"

/* What a limit is of. */
enum scope { GROUP, ACCOUNT, USER, JOB, A_NODE, MINUTES, LEAST, SCOPES };
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
	[A_NODE] = { WAIT_QOS_MAX_CPU_PER_NODE, WAIT_QOS_MAX_MEM_PER_NODE,
		     WAIT_QOS_MAX_UNK_PER_NODE, WAIT_QOS_MAX_GRES_PER_NODE,
		     WAIT_QOS_MAX_UNK_PER_NODE },
	[MINUTES] = { WAIT_QOS_MAX_CPU_MINS_PER_JOB, WAIT_QOS_MAX_MEM_MINS_PER_JOB,
		      WAIT_QOS_MAX_NODE_MINS_PER_JOB, WAIT_QOS_MAX_GRES_MINS_PER_JOB,
		      WAIT_QOS_MAX_UNK_MINS_PER_JOB },
	[LEAST] = { WAIT_QOS_MIN_CPU, WAIT_QOS_MIN_MEM, WAIT_QOS_MIN_NODE, WAIT_QOS_MIN_GRES,
		    WAIT_QOS_MIN_UNK },
};
static const uint32_t assoc_reasons[SCOPES][KINDS] = {
	[GROUP] = { WAIT_ASSOC_GRP_CPU, WAIT_ASSOC_GRP_MEM, WAIT_ASSOC_GRP_NODE,
		    WAIT_ASSOC_GRP_GRES, WAIT_ASSOC_GRP_UNK },
	[JOB] = { WAIT_ASSOC_MAX_CPU_PER_JOB, WAIT_ASSOC_MAX_MEM_PER_JOB,
		  WAIT_ASSOC_MAX_NODE_PER_JOB, WAIT_ASSOC_MAX_GRES_PER_JOB,
		  WAIT_ASSOC_MAX_UNK_PER_JOB },
	[A_NODE] = { WAIT_ASSOC_MAX_CPU_PER_NODE, WAIT_ASSOC_MAX_MEM_PER_NODE,
		     WAIT_ASSOC_MAX_UNK_PER_NODE, WAIT_ASSOC_MAX_GRES_PER_NODE,
		     WAIT_ASSOC_MAX_UNK_PER_NODE },
	[MINUTES] = { WAIT_ASSOC_MAX_CPU_MINS_PER_JOB, WAIT_ASSOC_MAX_MEM_MINS_PER_JOB,
		      WAIT_ASSOC_MAX_NODE_MINS_PER_JOB, WAIT_ASSOC_MAX_GRES_MINS_PER_JOB,
		      WAIT_ASSOC_MAX_UNK_MINS_PER_JOB },
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
	limits[A_NODE] = qos->max_tres_pn_ctld;
	limits[MINUTES] = qos->max_tres_mins_pj_ctld;
	limits[LEAST] = qos->min_tres_pj_ctld;
	return limits[scope] ? limits[scope][tres] : INFINITE64;
}

/* Limits of a job's own association are those of its parents, where it has none. */
static uint64_t never_of_assoc(const slurmdb_assoc_rec_t *assoc, enum scope scope, int tres)
{
	const uint64_t *limits = scope == JOB       ? assoc->max_tres_ctld
				 : scope == A_NODE  ? assoc->max_tres_pn_ctld
				 : scope == MINUTES ? assoc->max_tres_mins_ctld
						    : assoc->grp_tres_ctld;

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

/* On the most nodes that it may have: of each at least so much. 0: it may have any number. */
static uint64_t never_a_node(const job_record_t *job, uint64_t asked)
{
	return job->details->max_nodes ? asked / job->details->max_nodes : 0;
}

/* By its limit, and not what --time-min or the partition may make of that. */
static uint64_t never_minutes(const job_record_t *job, uint64_t asked)
{
	uint64_t minutes = job->time_limit;

	if (job->time_limit == NO_VAL || job->time_min)
		return 0;
	if (job->qos_ptr && job->qos_ptr->flags & QOS_FLAG_USAGE_FACTOR_SAFE)
		return 0;
	return asked < UINT32_MAX ? asked * minutes : 0;
}

/* Is what JOB asks for of TRES beyond LIMIT, wherever it starts? */
static bool never_beyond(const job_record_t *job, enum scope scope, int tres, uint64_t limit)
{
	uint64_t asked = job->tres_req_cnt[tres];

	switch (scope) {
	case A_NODE:
		return never_a_node(job, asked) > limit;
	case MINUTES:
		return never_minutes(job, asked) > limit;
	case LEAST:
		return asked < limit;
	default:
		return asked > limit;
	}
}

/* Does an association of the job, which no QOS hides, allow less of TRES than it asks for? */
static bool never_by_assoc(const struct never *look, enum scope scope, int tres)
{
	const slurmdb_assoc_rec_t *assoc = look->job->assoc_ptr;

	for (; assoc; assoc = scope == GROUP ? assoc->usage->parent_assoc_ptr : NULL) {
		uint64_t limit = never_of_assoc(assoc, scope, tres);

		/* by Slurm, that scales limits of amounts alone */
		if (limit != INFINITE64 && look->factor > 0 && (scope == GROUP || scope == JOB))
			limit = (uint64_t)((double)limit * look->factor);
		if (limit != INFINITE64 && never_beyond(look->job, scope, tres, limit))
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
		return never_beyond(look->job, scope, tres, limit)
			       ? qos_reasons[scope][never_kind(tres)]
			       : WAIT_NO_REASON;
	if (scope != ACCOUNT && scope != USER && scope != LEAST &&
	    never_by_assoc(look, scope, tres))
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

/*
 * Is it known that the job gets no more than it asks for? Of CPUs it may, of memory too, and on
 * nodes of its own even of GPUs.
 */
static bool never_is_exact(const job_record_t *job, int tres)
{
	return !xstrcmp(assoc_mgr_tres_array[tres]->type, "gres") &&
	       !xstrchr(assoc_mgr_tres_array[tres]->name, ':') && !job->details->whole_node;
}

static uint32_t never_by_any(const struct never *look)
{
	uint32_t reason = WAIT_NO_REASON;

	for (int tres = 0; tres < slurmctld_tres_cnt && reason == WAIT_NO_REASON; tres++) {
		enum scope scopes = never_is_exact(look->job, tres) ? SCOPES : LEAST;

		if (!never_counts(look->job, tres))
			continue;
		for (enum scope scope = GROUP; scope < scopes && reason == WAIT_NO_REASON;
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

/* The QOS of the job of LOOK, the first of which hides limits of the second. */
static void never_look(struct never *look)
{
	acct_policy_set_qos_order((job_record_t *)look->job, &look->first, &look->second);
	look->factor = never_factor(look->first);
	if (look->factor < 0)
		look->factor = never_factor(look->second);
}

static bool never_is_limited(const job_record_t *job)
{
	return (accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) && job->assoc_ptr &&
	       job->tres_req_cnt && !never_has_several(job);
}

/* ---- minutes of all together, which are used up ---- */

static const uint32_t qos_used[KINDS] = { WAIT_QOS_GRP_CPU_MIN, WAIT_QOS_GRP_MEM_MIN,
					  WAIT_QOS_GRP_NODE_MIN, WAIT_QOS_GRP_GRES_MIN,
					  WAIT_QOS_GRP_UNK_MIN };
static const uint32_t assoc_used[KINDS] = { WAIT_ASSOC_GRP_CPU_MIN, WAIT_ASSOC_GRP_MEM_MIN,
					    WAIT_ASSOC_GRP_NODE_MIN, WAIT_ASSOC_GRP_GRES_MIN,
					    WAIT_ASSOC_GRP_UNK_MIN };

static bool never_has_minutes(const slurmdb_qos_rec_t *qos, int tres)
{
	return qos && qos->grp_tres_mins_ctld && qos->grp_tres_mins_ctld[tres] != INFINITE64;
}

static bool never_is_spent(const uint64_t *limits, const long double *used, int tres)
{
	return limits && used && limits[tres] != INFINITE64 &&
	       (uint64_t)(used[tres] / 60) >= limits[tres];
}

static uint32_t never_spent(const struct never *look, int tres)
{
	const slurmdb_qos_rec_t *qos =
		never_has_minutes(look->first, tres) ? look->first : look->second;

	if (never_has_minutes(qos, tres))
		return never_is_spent(qos->grp_tres_mins_ctld, qos->usage->usage_tres_raw, tres)
			       ? qos_used[never_kind(tres)]
			       : WAIT_NO_REASON;
	for (const slurmdb_assoc_rec_t *assoc = look->job->assoc_ptr; assoc;
	     assoc = assoc->usage->parent_assoc_ptr)
		if (never_is_spent(assoc->grp_tres_mins_ctld, assoc->usage->usage_tres_raw, tres))
			return assoc_used[never_kind(tres)];
	return WAIT_NO_REASON;
}

static uint32_t never_by_spent(const struct never *look)
{
	const slurmdb_qos_rec_t *qos = look->job->qos_ptr;
	uint32_t reason = WAIT_NO_REASON;

	/* what a QOS does not count is never spent */
	if (qos && !(qos->usage_factor > 0))
		return WAIT_NO_REASON;
	for (int tres = 0; tres < slurmctld_tres_cnt && reason == WAIT_NO_REASON; tres++)
		if (never_counts(look->job, tres))
			reason = never_spent(look, tres);
	return reason;
}

uint32_t lw_limit_against(const job_record_t *job, bool *ret_never)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .tres = READ_LOCK };
	struct never look = { .job = job };
	uint32_t reason;

	*ret_never = false;
	if (!never_is_limited(job))
		return WAIT_NO_REASON;
	assoc_mgr_lock(&locks);
	never_look(&look);
	reason = never_by_any(&look);
	*ret_never = reason != WAIT_NO_REASON;
	if (!*ret_never)
		reason = never_by_spent(&look);
	assoc_mgr_unlock(&locks);
	return reason;
}
