/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: limits of associations and QOS for jobs that start together. */
#include "slurm/query/together.h"

/* What a limit applies to. */
enum what {
	TRES,
	RUN_MINS, /* that running jobs may still take */
	MINS,     /* the same and what ended jobs took; only where limits are safe */
	WHATS
};

/* What the usage is counted for. */
enum owner { QOS, QOS_ACCOUNT, QOS_USER, ASSOC, OWNERS };

/* One usage record of assoc_mgr that a job would add to, with its limits. */
struct use {
	const void *usage; /* which one */
	enum owner owner;
	uint32_t jobs, jobs_max;
	const uint64_t *tres, *run_secs;
	const long double *raw_secs;
	bitstr_t *nodes;	    /* where running jobs have some; or NULL */
	const uint64_t *max[WHATS]; /* NULL: none */
	double factor;              /* of max[TRES], or below 0 */
};

/* What the group would add to one usage. */
struct lw_together_added {
	const void *usage;
	uint32_t jobs;
	uint64_t *tres, *run_secs;
	bitstr_t *nodes; /* its nodes, and those of running jobs; NULL: not known */
};

/* The job that is looked at. */
struct look {
	struct lw_together *group;
	const struct lw_together_job *one;
	uint64_t minutes, secs; /* its time, as it is compared, and as it is counted */
	bool free;              /* its time does not count */
	/*
	 * The limits that a QOS has set: they hide those of the QOS behind it, and of
	 * associations. By owner, what, and TRES; those of associations share them with those of
	 * the QOS itself.
	 */
	bool *hidden;
	bool jobs_hidden[OWNERS];
};

static uint64_t together_sum_of(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* A waiting job that names no time limit gets that of its partition. */
static uint32_t together_time_limit_of(const job_record_t *job)
{
	const part_record_t *part = job->part_ptr;

	if (job->time_limit != NO_VAL)
		return job->time_limit;
	return part->default_time ? part->default_time : part->max_time;
}

static void together_look_begin(struct look *look)
{
	const job_record_t *job = look->one->job;
	const slurmdb_qos_rec_t *qos = job->qos_ptr;
	uint32_t minutes = together_time_limit_of(job);

	look->secs = (uint64_t)minutes * 60;
	if (qos && qos->usage_factor >= 0) {
		look->secs = (uint64_t)((double)look->secs * qos->usage_factor);
		look->free = qos->usage_factor == 0.0;
		if ((qos->flags & QOS_FLAG_USAGE_FACTOR_SAFE) &&
		    (minutes != INFINITE || qos->usage_factor < 1.0))
			minutes = (uint32_t)((double)minutes * qos->usage_factor);
	}
	look->minutes = minutes;
	look->hidden = xcalloc((size_t)OWNERS * WHATS * (size_t)slurmctld_tres_cnt, sizeof(bool));
}

static struct lw_together_added *together_added_to(struct lw_together *group,
						   const struct use *use)
{
	struct lw_together_added *added;

	for (uint32_t i = 0; i < group->count; i++) {
		if (group->items[i].usage == use->usage)
			return &group->items[i];
	}
	if (group->count == group->room) {
		group->room = group->room ? 2 * group->room : 16;
		xrecalloc(group->items, group->room, sizeof(*group->items));
	}
	added = &group->items[group->count++];
	*added = (struct lw_together_added){
		.usage = use->usage,
		.tres = xcalloc((size_t)slurmctld_tres_cnt, sizeof(uint64_t)),
		.run_secs = xcalloc((size_t)slurmctld_tres_cnt, sizeof(uint64_t)),
		.nodes = use->nodes ? bit_copy(use->nodes) : bit_alloc(node_record_count),
	};
	return added;
}

/* Scale what associations allow by the QOS, as Slurm does. */
static uint64_t together_scaled_by(uint64_t limit, double factor)
{
	double value = (double)limit * factor;

	if (factor <= 0 || limit == INFINITE64)
		return limit;
	return value < (double)INT64_MAX ? (uint64_t)value : INFINITE64;
}

/*
 * The limit of USE on WHAT of TRES number I; INFINITE64: none, or another limit hides it. From
 * then on, a limit of a QOS hides others.
 */
static uint64_t together_limit_of(struct look *look, const struct use *use, enum what what, int i)
{
	enum owner owner = use->owner == ASSOC ? QOS : use->owner;
	bool *hidden =
		&look->hidden[((size_t)owner * WHATS + what) * (size_t)slurmctld_tres_cnt + i];
	uint64_t limit = use->max[what] ? use->max[what][i] : INFINITE64;

	if (limit == INFINITE64 || *hidden ||
	    (what != RUN_MINS && look->one->job->limit_set.tres &&
	     look->one->job->limit_set.tres[i] == ADMIN_SET_LIMIT))
		return INFINITE64;
	if (use->owner != ASSOC)
		*hidden = true;
	return what == TRES ? together_scaled_by(limit, use->factor) : limit;
}

/*
 * How many nodes ADDED would have with the job: each counts once, if it is known. Otherwise the
 * nodes of an association may all be the same ones.
 */
static uint64_t together_nodes_with(const struct look *look,
				    const struct lw_together_added *added, enum owner owner)
{
	uint64_t before = added->tres[TRES_ARRAY_NODE], more = look->one->tres[TRES_ARRAY_NODE];
	uint64_t sum = together_sum_of(before, more), both;

	if ((!added->nodes || !look->one->nodes) && owner == ASSOC)
		return before > more ? before : more;
	if (!added->nodes || !look->one->nodes)
		return sum;
	both = (uint64_t)bit_overlap(added->nodes, (bitstr_t *)look->one->nodes);
	return both < more ? sum - both : before;
}

/* What would count against the limit of USE on WHAT of TRES number I. */
static uint64_t together_used_with(const struct look *look, const struct use *use,
				   const struct lw_together_added *added, enum what what, int i)
{
	uint64_t minutes;

	if (what == TRES)
		return together_sum_of(
			use->tres[i],
			i == TRES_ARRAY_NODE
				? together_nodes_with(look, added, use->owner)
				: together_sum_of(added->tres[i], look->one->tres[i]));
	minutes = together_sum_of(together_sum_of(use->run_secs[i], added->run_secs[i]) / 60,
				  look->minutes * look->one->tres[i]);
	return what == MINS ? together_sum_of(minutes, (uint64_t)(use->raw_secs[i] / 60))
			    : minutes;
}

/* If the group has nothing yet, Slurm's own answer holds. */
static bool together_is_within(struct look *look, const struct use *use,
			       const struct lw_together_added *added, enum what what, int i)
{
	uint64_t limit = together_limit_of(look, use, what, i);

	if (limit == INFINITE64 || !look->one->tres[i] || (what != TRES && look->free) ||
	    !(what == TRES ? added->tres[i] : added->run_secs[i]))
		return true;
	return together_used_with(look, use, added, what, i) <= limit;
}

/* The reasons that Slurm gives: see together_reason_of(). */
enum {
	FOR_JOBS,
	FOR_CPU,
	FOR_MEM,
	FOR_NODE,
	FOR_GRES,
	FOR_OTHER,
	FOR_RUN_MINS,
	FOR_MINS,
	REASONS
};
static const uint32_t reasons[OWNERS][REASONS] = {
	[QOS] = { WAIT_QOS_GRP_JOB, WAIT_QOS_GRP_CPU, WAIT_QOS_GRP_MEM, WAIT_QOS_GRP_NODE,
		  WAIT_QOS_GRP_GRES, WAIT_QOS_GRP_UNK, WAIT_QOS_GRP_UNK_RUN_MIN,
		  WAIT_QOS_GRP_UNK_MIN },
	[QOS_ACCOUNT] = { WAIT_QOS_MAX_JOB_PER_ACCT, WAIT_QOS_MAX_CPU_PER_ACCT,
			  WAIT_QOS_MAX_MEM_PER_ACCT, WAIT_QOS_MAX_NODE_PER_ACCT,
			  WAIT_QOS_MAX_GRES_PER_ACCT, WAIT_QOS_MAX_UNK_PER_ACCT,
			  WAIT_QOS_MAX_UNK_PER_ACCT, WAIT_QOS_MAX_UNK_PER_ACCT },
	[QOS_USER] = { WAIT_QOS_MAX_JOB_PER_USER, WAIT_QOS_MAX_CPU_PER_USER,
		       WAIT_QOS_MAX_MEM_PER_USER, WAIT_QOS_MAX_NODE_PER_USER,
		       WAIT_QOS_MAX_GRES_PER_USER, WAIT_QOS_MAX_UNK_PER_USER,
		       WAIT_QOS_MAX_UNK_PER_USER, WAIT_QOS_MAX_UNK_PER_USER },
	[ASSOC] = { WAIT_ASSOC_GRP_JOB, WAIT_ASSOC_GRP_CPU, WAIT_ASSOC_GRP_MEM,
		    WAIT_ASSOC_GRP_NODE, WAIT_ASSOC_GRP_GRES, WAIT_ASSOC_GRP_UNK,
		    WAIT_ASSOC_GRP_UNK_RUN_MIN, WAIT_ASSOC_GRP_UNK_MIN },
};

static uint32_t together_reason_of(enum owner owner, enum what what, int i)
{
	int column = FOR_OTHER;

	if (what != TRES)
		column = what == MINS ? FOR_MINS : FOR_RUN_MINS;
	else if (i == TRES_ARRAY_CPU)
		column = FOR_CPU;
	else if (i == TRES_ARRAY_MEM)
		column = FOR_MEM;
	else if (i == TRES_ARRAY_NODE)
		column = FOR_NODE;
	else if (!xstrcmp(assoc_mgr_tres_array[i]->type, "gres"))
		column = FOR_GRES;
	return reasons[owner][column];
}

static bool together_refuse_for(const struct look *look, uint32_t reason)
{
	xfree(look->one->job->state_desc);
	look->one->job->state_reason = reason;
	return false;
}

static void together_count_in(const struct look *look, struct lw_together_added *added,
			      enum owner owner)
{
	const uint64_t *tres = look->one->tres;
	uint64_t nodes = together_nodes_with(look, added, owner);

	added->jobs++;
	for (int i = 0; i < slurmctld_tres_cnt; i++) {
		/* Slurm counts neither while the job runs */
		if (i == TRES_ARRAY_ENERGY || tres[i] == NO_CONSUME_VAL64)
			continue;
		added->tres[i] =
			i == TRES_ARRAY_NODE ? nodes : together_sum_of(added->tres[i], tres[i]);
		added->run_secs[i] = together_sum_of(added->run_secs[i], tres[i] * look->secs);
	}
	if (!look->one->nodes)
		FREE_NULL_BITMAP(added->nodes);
	else if (added->nodes)
		bit_or(added->nodes, (bitstr_t *)look->one->nodes);
}

/* Does the job fit into USE? If so, it is counted there. */
static bool together_use_fits(struct look *look, const struct use *use)
{
	struct lw_together_added *added = together_added_to(look->group, use);

	if (use->jobs_max != INFINITE && added->jobs && use->jobs + added->jobs >= use->jobs_max)
		return together_refuse_for(look, reasons[use->owner][FOR_JOBS]);
	for (enum what what = TRES; what < WHATS; what++) {
		if (what == MINS && !(accounting_enforce & ACCOUNTING_ENFORCE_SAFE))
			continue;
		for (int i = 0; i < slurmctld_tres_cnt; i++)
			if (!together_is_within(look, use, added, what, i))
				return together_refuse_for(
					look, together_reason_of(use->owner, what, i));
	}
	together_count_in(look, added, use->owner);
	return true;
}

/* The limit MAX on jobs, unless a QOS has set one of this OWNER before. */
static uint32_t together_jobs_of(struct look *look, enum owner owner, uint32_t max)
{
	if (look->jobs_hidden[owner])
		return INFINITE;
	look->jobs_hidden[owner] = max != INFINITE;
	return max;
}

/* The use of each user or account under QOS. */
static bool together_each_fits(struct look *look, enum owner owner,
			       const slurmdb_used_limits_t *used, uint32_t jobs_max,
			       const uint64_t *tres_max, const uint64_t *run_mins_max)
{
	return together_use_fits(
		look, &(struct use){
			      .usage = used,
			      .owner = owner,
			      .jobs = used->jobs,
			      .jobs_max = together_jobs_of(look, owner, jobs_max),
			      .tres = used->tres,
			      .run_secs = used->tres_run_secs,
			      .nodes = used->node_bitmap,
			      .max = { tres_max, lw_slurm_run_mins(run_mins_max), NULL },
			      .factor = -1,
		      });
}

/* Slurm's own test has made the records of the user and of the account if there were none. */
static bool together_qos_fits(struct look *look, slurmdb_qos_rec_t *qos)
{
	slurmdb_qos_usage_t *usage;

	if (!qos)
		return true;
	usage = qos->usage;
	return together_use_fits(look,
				 &(struct use){
					 .usage = usage,
					 .owner = QOS,
					 .jobs = usage->grp_used_jobs,
					 .jobs_max = together_jobs_of(look, QOS, qos->grp_jobs),
					 .tres = usage->grp_used_tres,
					 .run_secs = usage->grp_used_tres_run_secs,
					 .raw_secs = usage->usage_tres_raw,
					 .nodes = usage->grp_node_bitmap,
					 .max = { qos->grp_tres_ctld, qos->grp_tres_run_mins_ctld,
						  qos->grp_tres_mins_ctld },
					 .factor = -1,
				 }) &&
	       together_each_fits(
		       look, QOS_ACCOUNT,
		       acct_policy_get_acct_used_limits(&usage->acct_limit_list,
							look->one->job->assoc_ptr->acct),
		       qos->max_jobs_pa, qos->max_tres_pa_ctld, qos->max_tres_run_mins_pa_ctld) &&
	       together_each_fits(look, QOS_USER,
				  acct_policy_get_user_used_limits(&usage->user_limit_list,
								   look->one->job->user_id),
				  qos->max_jobs_pu, qos->max_tres_pu_ctld,
				  qos->max_tres_run_mins_pu_ctld);
}

/* How many jobs ASSOC may have; only the job's own has a limit beside the group's. */
static uint32_t together_jobs_of_assoc(const struct look *look, const slurmdb_assoc_rec_t *assoc)
{
	uint32_t max = look->jobs_hidden[QOS] ? INFINITE : assoc->grp_jobs;

	if (assoc == look->one->job->assoc_ptr && !look->jobs_hidden[QOS_ACCOUNT] &&
	    !look->jobs_hidden[QOS_USER] && assoc->max_jobs < max)
		max = assoc->max_jobs;
	return max;
}

static bool together_assoc_fits(struct look *look, const slurmdb_assoc_rec_t *assoc,
				double factor)
{
	const slurmdb_assoc_usage_t *usage = assoc->usage;

	return together_use_fits(
		look, &(struct use){
			      .usage = usage,
			      .owner = ASSOC,
			      .jobs = usage->used_jobs,
			      .jobs_max = together_jobs_of_assoc(look, assoc),
			      .tres = usage->grp_used_tres,
			      .run_secs = usage->grp_used_tres_run_secs,
			      .raw_secs = usage->usage_tres_raw,
			      .nodes = usage->grp_node_bitmap,
			      .max = { assoc->grp_tres_ctld, assoc->grp_tres_run_mins_ctld,
				       assoc->grp_tres_mins_ctld },
			      .factor = factor,
		      });
}

/* By how much QOS scales what associations allow; below 0: not at all. */
static double together_factor_of(const slurmdb_qos_rec_t *qos)
{
	return qos && !fuzzy_equal(qos->limit_factor, INFINITE) ? qos->limit_factor : -1;
}

bool lw_together_fits(struct lw_together *group, const struct lw_together_job *job)
{
	struct look look = { .group = group, .one = job };
	slurmdb_qos_rec_t *first, *second;
	double factor;
	bool fits;

	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) || !job->job->assoc_ptr)
		return true;
	together_look_begin(&look);
	acct_policy_set_qos_order(job->job, &first, &second);
	factor = together_factor_of(first);
	if (factor < 0)
		factor = together_factor_of(second);
	fits = together_qos_fits(&look, first) && together_qos_fits(&look, second);
	for (const slurmdb_assoc_rec_t *assoc = job->job->assoc_ptr; fits && assoc;
	     assoc = assoc->usage->parent_assoc_ptr)
		fits = together_assoc_fits(&look, assoc, factor);
	xfree(look.hidden);
	return fits;
}

void lw_together_fini(struct lw_together *group)
{
	for (uint32_t i = 0; i < group->count; i++) {
		xfree(group->items[i].tres);
		xfree(group->items[i].run_secs);
		FREE_NULL_BITMAP(group->items[i].nodes);
	}
	xfree(group->items);
	*group = (struct lw_together){ 0 };
}
