/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs may preempt which, as preemption classes of running jobs. */
#include "slurm/read/preempt_classes.h"

#include "base/grow.h"
#include "base/search.h"
#include "slurm/query/eligible.h"

#include <stdlib.h>

static bool preempt_classes_is_same(const struct lw_preempt_class *a,
				    const struct lw_preempt_class *b)
{
	return a->part == b->part && a->qos == b->qos && a->yields == b->yields &&
	       a->lent == b->lent && a->het_job_id == b->het_job_id;
}

static uint32_t classes_find(const struct lw_preempt_class *list, uint32_t first, uint32_t count,
			     const struct lw_preempt_class *kind)
{
	uint32_t i = first;

	while (i < count && !preempt_classes_is_same(&list[i], kind))
		i++;
	return i;
}

static struct lw_preempt_class preempt_classes_running_kind(const job_record_t *job)
{
	return (struct lw_preempt_class){ .part = job->part_ptr,
					  .qos = job->qos_ptr,
					  .yields = job->warn_flags & KILL_JOB_RESV };
}

/* The first component of a het job, which Slurm asks about all of them; else the job itself. */
static job_record_t *preempt_classes_leader_of(job_record_t *job)
{
	job_record_t *leader = job->het_job_id ? find_job_record(job->het_job_id) : NULL;

	return leader && leader->het_job_list ? leader : job;
}

static int preempt_classes_is_of_another(void *x, void *arg)
{
	struct lw_preempt_class of_job = preempt_classes_running_kind(x);

	return !preempt_classes_is_same(&of_job, arg);
}

/* The same of a whole het job. */
static struct lw_preempt_class preempt_classes_whole_kind(job_record_t *job)
{
	job_record_t *leader = preempt_classes_leader_of(job);
	struct lw_preempt_class kind = preempt_classes_running_kind(leader);

	if (leader->het_job_list &&
	    list_find_first(leader->het_job_list, preempt_classes_is_of_another, &kind))
		kind.het_job_id = leader->het_job_id;
	return kind;
}

static struct lw_preempt_class preempt_classes_waiting_kind(job_record_t *job)
{
	return (struct lw_preempt_class){ .part = job->part_ptr,
					  .qos = job->qos_ptr,
					  .lent = job_uses_max_start_delay_resv(job)
							  ? job->resv_ptr
							  : NULL };
}

/* PreemptMode=WITHIN: may jobs of this QOS preempt other jobs of it with a lower priority? */
static bool preempt_classes_is_within(const slurmdb_qos_rec_t *qos)
{
	return qos && ((qos->preempt_mode | slurm_conf.preempt_mode) & PREEMPT_MODE_WITHIN) &&
	       !xstrcmp(slurm_conf.preempt_type, "preempt/qos");
}

static bool preempt_classes_is_exempt(job_record_t *job)
{
	return job->priority > lw_slurm_min_exempt_priority() ||
	       acct_policy_is_job_preempt_exempt(job);
}

static int preempt_classes_is_exempt_part(void *x, void *arg)
{
	(void)arg;
	return preempt_classes_is_exempt(x);
}

/* Is any component of a het job? */
static bool preempt_classes_is_wholly_exempt(job_record_t *job)
{
	list_t *parts = preempt_classes_leader_of(job)->het_job_list;

	return parts ? list_find_first(parts, preempt_classes_is_exempt_part, NULL) != NULL
		     : preempt_classes_is_exempt(job);
}

/*
 * From when on may JOB have left its nodes to a preemptor, if it cannot be preempted at once? 0:
 * it can; INT64_MAX: never. Of het jobs only that they can now is known.
 */
static int64_t preempt_classes_yields_s(job_record_t *job)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	time_t from;

	if (!preempt_classes_is_wholly_exempt(job))
		return 0;
	if (job->het_job_id || job->priority > lw_slurm_min_exempt_priority() ||
	    slurm_job_preempt_mode(job) == PREEMPT_MODE_OFF)
		return INT64_MAX;
	assoc_mgr_lock(&locks);
	from = acct_policy_get_preemptable_time(job);
	assoc_mgr_unlock(&locks);
	return (int64_t)from + slurm_job_get_grace_time(job);
}

static int preempt_classes_note_priority(struct lw_preempt_classes *kinds, uint32_t priority)
{
	int rc = lw_grow((void **)&kinds->priorities, &kinds->priority_room,
			 kinds->priority_count + 1, sizeof(*kinds->priorities));

	if (!rc)
		kinds->priorities[kinds->priority_count++] = priority;
	return rc;
}

/* The number of a kind of running jobs, which is added if it is new; 0: there are too many. */
static uint32_t classes_number(struct lw_preempt_classes *kinds,
			       const struct lw_preempt_class *of_job)
{
	uint32_t kind;

	if (!kinds->running_count)
		kinds->running_count = 1;
	kind = classes_find(kinds->running, 1, kinds->running_count, of_job);
	if (kind == LW_PREEMPT_CLASSES_MAX)
		return 0;
	/* those of het jobs, each of its own, leave half to all others */
	if (kind == kinds->running_count && of_job->het_job_id &&
	    kind >= LW_PREEMPT_CLASSES_MAX / 2)
		return 0;
	if (kind == kinds->running_count)
		kinds->running[kinds->running_count++] = *of_job;
	return kind;
}

void lw_preempt_classes_of_running(struct lw_preempt_classes *kinds, job_record_t *job,
				   struct lw_running *ret_running)
{
	struct lw_preempt_class of_job = preempt_classes_whole_kind(job);
	int64_t yields_s;
	uint32_t kind;

	ret_running->preempt_class = ret_running->priority = 0;
	if (!slurm_preemption_enabled() && !of_job.yields)
		return;
	yields_s = preempt_classes_yields_s(job);
	kind = yields_s == INT64_MAX ? 0 : classes_number(kinds, &of_job);
	/* a job without a class here is not planned to be preempted */
	if (!kind || (preempt_classes_is_within(of_job.qos) &&
		      preempt_classes_note_priority(kinds, job->priority)))
		return;
	ret_running->preempt_class = kind;
	ret_running->yields_s = yields_s;
	if (yields_s)
		kinds->running[kind].exempt_id = job->job_id;
	ret_running->priority = preempt_classes_is_within(of_job.qos) ? job->priority : 0;
}

void lw_preempt_classes_fini(struct lw_preempt_classes *kinds)
{
	free(kinds->priorities);
	*kinds = (struct lw_preempt_classes){ 0 };
}

/* What of a job's record says as what it runs. */
struct guise {
	part_record_t *part;
	slurmdb_qos_rec_t *qos;
};

static struct guise preempt_classes_put_on(job_record_t *job, struct guise guise)
{
	struct guise was = { job->part_ptr, job->qos_ptr };

	job->part_ptr = guise.part;
	job->qos_ptr = guise.qos;
	return was;
}

/* Would it be preempted at once, if it started? */
static bool preempt_classes_goes_at_once(job_record_t *job)
{
	time_t start_time = job->start_time;
	bool exempt;

	job->start_time = time(NULL);
	exempt = preempt_classes_is_exempt(job);
	job->start_time = start_time;
	return !exempt && slurm_job_preempt_mode(job) != PREEMPT_MODE_OFF;
}

void lw_preempt_classes_note_standby(struct lw_preempt_classes *kinds,
				     const job_queue_rec_t *record)
{
	job_record_t *job = record->job_ptr;
	slurmdb_qos_rec_t *qos = lw_slurm_queue_qos(record);
	struct lw_preempt_class of_job;
	struct guise was;
	uint32_t kind;
	bool noted;

	if (!qos || !(qos->flags & QOS_FLAG_NO_RESERVE) || job->het_job_id)
		return;
	was = preempt_classes_put_on(job, (struct guise){ record->part_ptr, qos });
	of_job = preempt_classes_running_kind(job);
	kind = classes_find(kinds->running, 1, kinds->running_count, &of_job);
	noted = kind < kinds->running_count && kinds->running[kind].job_id;
	if (!noted && preempt_classes_goes_at_once(job) &&
	    (kind = classes_number(kinds, &of_job)))
		kinds->running[kind].job_id = lw_slurm_job_id(job);
	preempt_classes_put_on(job, was);
}

uint32_t lw_preempt_classes_of_standby(const struct lw_preempt_classes *kinds,
				       const job_record_t *job)
{
	struct lw_preempt_class of_job = preempt_classes_running_kind(job);
	uint32_t kind = classes_find(kinds->running, 1, kinds->running_count, &of_job);

	return kind < kinds->running_count && kinds->running[kind].job_id ? kind : 0;
}

struct answer {
	const struct lw_preempt_classes *kinds;
	uint64_t preempts;
};

static int preempt_classes_add_kind(void *x, void *arg)
{
	struct lw_preempt_class of_job = preempt_classes_whole_kind(x);
	struct answer *answer = arg;
	uint32_t count = answer->kinds->running_count;
	uint32_t kind = classes_find(answer->kinds->running, 1, count, &of_job);

	if (kind < count)
		answer->preempts |= UINT64_C(1) << kind;
	return 0;
}

static job_queue_rec_t preempt_classes_as_queued(job_record_t *job)
{
	return (job_queue_rec_t){ .job_ptr = job,
				  .part_ptr = job->part_ptr,
				  .priority = job->priority };
}

/* Would JOB preempt waiting jobs of the class KIND? The noted job may have changed since. */
static bool would_preempt(const struct lw_preempt_class *kind, job_record_t *job)
{
	job_record_t *other = kind->job_id ? find_job_record(kind->job_id) : NULL;
	job_queue_rec_t preemptor = preempt_classes_as_queued(job), preemptee;
	struct guise was;
	bool preempts;

	if (!other || other == job || !IS_JOB_PENDING(other) || !lw_job_has_qos(other, kind->qos))
		return false;
	was = preempt_classes_put_on(other, (struct guise){ (part_record_t *)kind->part,
							    (slurmdb_qos_rec_t *)kind->qos });
	preemptee = preempt_classes_as_queued(other);
	preempts = preempt_g_job_preempt_check(&preemptor, &preemptee);
	preempt_classes_put_on(other, was);
	return preempts;
}

/*
 * Would JOB preempt running jobs of the class KIND once they can be? Slurm does not list them as
 * preemptable.
 */
static bool preempt_classes_will_preempt(const struct lw_preempt_class *kind, job_record_t *job)
{
	job_record_t *other = kind->exempt_id ? find_job_record(kind->exempt_id) : NULL;
	job_queue_rec_t preemptor = preempt_classes_as_queued(job), preemptee;

	if (!other || !IS_JOB_RUNNING(other))
		return false;
	preemptee = preempt_classes_as_queued(other);
	return preempt_g_job_preempt_check(&preemptor, &preemptee);
}

static uint64_t classes_ask(const struct lw_preempt_classes *kinds, job_record_t *job)
{
	struct answer answer = { .kinds = kinds };
	list_t *jobs = slurm_find_preemptable_jobs(job);

	if (jobs)
		list_for_each(jobs, preempt_classes_add_kind, &answer);
	FREE_NULL_LIST(jobs);
	for (uint32_t kind = 1; kind < kinds->running_count; kind++) {
		if (would_preempt(&kinds->running[kind], job) ||
		    preempt_classes_will_preempt(&kinds->running[kind], job))
			answer.preempts |= UINT64_C(1) << kind;
	}
	return answer.preempts;
}

/*
 * Does priority decide whether waiting JOB may preempt jobs of running kind KIND? The QOS of
 * these may have been deleted since they were read: it is not looked at.
 */
static bool preempt_classes_goes_by_priority(const struct lw_preempt_class *job,
					     const struct lw_preempt_class *kind)
{
	return preempt_classes_is_within(job->qos) && kind->qos == job->qos &&
	       !(kind->yields && job->lent);
}

static uint64_t preempt_classes_kinds_by_priority(const struct lw_preempt_classes *kinds,
						  const struct lw_preempt_class *job)
{
	uint64_t found = 0;

	for (uint32_t i = 1; i < kinds->running_count; i++) {
		if (preempt_classes_goes_by_priority(job, &kinds->running[i]))
			found |= UINT64_C(1) << i;
	}
	return found;
}

static int preempt_classes_compare_priorities(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * One more than the highest priority of a running job that is below PRIORITY, or 0: alike jobs
 * that are above the same running ones stay of one class.
 */
static uint32_t preempt_classes_above_running(struct lw_preempt_classes *kinds, uint32_t priority)
{
	uint32_t at;

	if (kinds->priority_count && !kinds->priorities_sorted)
		qsort(kinds->priorities, kinds->priority_count, sizeof(*kinds->priorities),
		      preempt_classes_compare_priorities);
	kinds->priorities_sorted = true;
	LW_SEARCH(at, kinds->priority_count, kinds->priorities[at] < priority);
	return at ? kinds->priorities[at - 1] + 1 : 0;
}

static const struct lw_preempt_class *
waiting_of(struct lw_preempt_classes *kinds, job_record_t *job, struct lw_preempt_class *scratch)
{
	uint32_t i = classes_find(kinds->waiting, 0, kinds->waiting_count, scratch);

	if (i < kinds->waiting_count)
		return &kinds->waiting[i];
	scratch->by_priority = preempt_classes_kinds_by_priority(kinds, scratch);
	scratch->preempts = classes_ask(kinds, job) & ~scratch->by_priority;
	if (i == LW_PREEMPT_CLASSES_MAX)
		return scratch;
	kinds->waiting[kinds->waiting_count++] = *scratch;
	return scratch;
}

void lw_preempt_classes_preempted_by(struct lw_preempt_classes *kinds, job_record_t *job,
				     struct lw_constraints *constraints)
{
	struct lw_preempt_class scratch = preempt_classes_waiting_kind(job);
	const struct lw_preempt_class *kind;

	constraints->preempts = constraints->preempts_lower = 0;
	constraints->lower_than = 0;
	if (kinds->running_count < 2)
		return;
	kind = waiting_of(kinds, job, &scratch);
	constraints->preempts = kind->preempts;
	if (kind->by_priority)
		constraints->lower_than = preempt_classes_above_running(kinds, job->priority);
	if (constraints->lower_than)
		constraints->preempts_lower = kind->by_priority;
}
