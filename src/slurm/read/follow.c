/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: followers: jobs that Slurm's queue lacks until a running job ends. */

/*
 * In two passes through all jobs. The first finds the jobs that may follow, and the arrays and
 * names (singleton) that they wait for. The second gathers what is known of these arrays and
 * names, so that many jobs that wait for one array cost no more than one.
 */

#include "slurm/read/follow.h"

#include "base/grow.h"
#include "slurm/keep/since.h"
#include "slurm/layout.h"
#include "slurm/read/nodes.h"
#include "slurm/read/reader.h"
#include "slurm/read/running.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Names are hashed; this tells them from arrays, which go by their number. */
#define IS_NAME (UINT64_C(1) << 63)

/* The jobs of an array, or of a user by one name. */
struct group {
	const char *name; /* the user's, lent; NULL: an array */
	uint32_t user_id;
	struct lw_link first, last; /* to end, of the running jobs */
	uint32_t lowest;	    /* job that waits; 0: none */
};

struct finder {
	struct lw_reader *reader;
	/* that may follow; the locks are not given up before they are judged */
	job_record_t **jobs;
	uint32_t job_count, job_room;
	struct group *groups;
	uint32_t group_count, group_room;
	struct lw_lookup group_of;
	bool by_name; /* some groups are */
	struct lw_lookup running;
	struct lw_link *links; /* scratch, of one job */
	uint32_t link_count, link_room;
	const job_record_t *job; /* of these */
	bool any;
	int rc;
};

static int follow_out_of_memory(struct finder *finder)
{
	finder->rc = lw_error_set(finder->reader->err, -ENOMEM, "out of memory");
	return -1;
}

static uint64_t follow_name_key(const job_record_t *job)
{
	uint64_t hash = lw_hash_mix(LW_HASH_BEGIN, job->user_id);

	return lw_hash_mix_bytes(hash, job->name, strlen(job->name)) | IS_NAME;
}

/* Of a name that has the hash of another one's nothing is known. */
static bool follow_is_of_name(const struct group *group, const job_record_t *job)
{
	return group->name && group->user_id == job->user_id && !strcmp(group->name, job->name);
}

/* NAMED has the name; NULL: it is of an array. */
static int follow_want_group(struct finder *finder, uint64_t key, const job_record_t *named)
{
	struct group group = { .name = named ? named->name : NULL,
			       .user_id = named ? named->user_id : 0 };
	uint32_t ignored;

	if (lw_lookup_get(&finder->group_of, key, &ignored))
		return 0;
	if (lw_grow((void **)&finder->groups, &finder->group_room, finder->group_count + 1,
		    sizeof(*finder->groups)) ||
	    lw_lookup_put(&finder->group_of, key, finder->group_count))
		return follow_out_of_memory(finder);
	finder->groups[finder->group_count++] = group;
	finder->by_name |= (key & IS_NAME) != 0;
	return 0;
}

static const struct group *follow_group_of(const struct finder *finder, uint64_t key)
{
	uint32_t i;

	return lw_lookup_get(&finder->group_of, key, &i) ? &finder->groups[i] : NULL;
}

/* Is the condition still to be met, and ours to look at? */
static bool follow_is_open(const depend_spec_t *spec)
{
	return spec->depend_state == DEPEND_NOT_FULFILLED &&
	       !(spec->depend_flags & SLURM_FLAGS_REMOTE);
}

static int follow_want_groups_of(void *x, void *arg)
{
	const depend_spec_t *spec = x;
	struct finder *finder = arg;

	finder->rc = lw_layout_check_record("a dependency", spec, sizeof(*spec),
					    finder->reader->err);
	if (finder->rc)
		return -1;
	if (!follow_is_open(spec))
		return 0;
	if (spec->depend_type == SLURM_DEPEND_SINGLETON && finder->job->name)
		return follow_want_group(finder, follow_name_key(finder->job), finder->job);
	return spec->array_task_id == INFINITE ? follow_want_group(finder, spec->job_id, NULL)
					       : 0;
}

/* As far as Slurm's own test goes before it looks at dependencies; see the head of follow.h. */
static bool may_follow(const job_record_t *job)
{
	return IS_JOB_PENDING(job) && !IS_JOB_COMPLETING(job) && !IS_JOB_REVOKED(job) &&
	       job->priority && job->details && job->part_ptr && !job->het_job_id &&
	       !job->fed_details && !job->burst_buffer && !job->license_list && !job->resv_list &&
	       !lw_slurm_job_qos_list(job) && !job->details->prolog_running &&
	       (!job->step_list || !list_count(job->step_list));
}

static bool follow_has_dependencies(const job_record_t *job)
{
	int count = job->state_reason == WAIT_DEPENDENCY && job->details->depend_list
			    ? list_count(job->details->depend_list)
			    : 0;

	return count && count <= LW_LINKS_MAX;
}

/* Do as many tasks of its array run as may? */
static bool follow_waits_for_task(const job_record_t *job)
{
	return job->state_reason == WAIT_ARRAY_TASK_LIMIT && job->array_job_id;
}

static int follow_gather_follower(void *x, void *arg)
{
	job_record_t *job = x;
	struct finder *finder = arg;

	if (!may_follow(job) || (!follow_has_dependencies(job) && !follow_waits_for_task(job)))
		return 0;
	finder->rc = lw_layout_check_job(job, finder->reader->err);
	if (finder->rc)
		return -1;
	if (lw_grow((void **)&finder->jobs, &finder->job_room, finder->job_count + 1,
		    sizeof(*finder->jobs)))
		return follow_out_of_memory(finder);
	finder->jobs[finder->job_count++] = job;
	if (follow_waits_for_task(job))
		return follow_want_group(finder, job->array_job_id, NULL);
	finder->job = job;
	list_for_each(job->details->depend_list, follow_want_groups_of, finder);
	return finder->rc ? -1 : 0;
}

/* What the end of JOB, which may be NULL, means to a job that waits for it. */
static struct lw_link follow_end_of(const struct finder *finder, const job_record_t *job)
{
	int64_t now_s = finder->reader->context->now_s;
	struct lw_link link = { .state = LW_LINK_OPEN };

	if (!job || IS_JOB_PENDING(job))
		return link;
	link.job_id = lw_slurm_job_id(job);
	if (IS_JOB_COMPLETING(job)) {
		link.state = LW_LINK_DUE;
		link.when_s = now_s + LW_COMPLETING_S;
	} else if (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) {
		link.state = LW_LINK_RUNS;
		link.when_s = lw_hard_end_s(job, now_s);
	}
	return link;
}

/* JOB is of GROUP. Ended jobs do not count. */
static void follow_count_member(const struct finder *finder, struct group *group,
				const job_record_t *job)
{
	uint32_t job_id = lw_slurm_job_id(job);
	struct lw_link link = follow_end_of(finder, job);

	if (IS_JOB_PENDING(job) && (!group->lowest || job_id < group->lowest))
		group->lowest = job_id;
	if (link.state == LW_LINK_OPEN)
		return;
	group->last = lw_link_later(group->last, link);
	/* an array may run another task as soon as one is being cleaned up */
	if (link.state == LW_LINK_RUNS)
		group->first = group->first.state == LW_LINK_RUNS
				       ? lw_link_sooner(group->first, link)
				       : link;
}

static int follow_count_groups(void *x, void *arg)
{
	const job_record_t *job = x;
	struct finder *finder = arg;
	uint32_t i;

	if (job->array_job_id && lw_lookup_get(&finder->group_of, job->array_job_id, &i))
		follow_count_member(finder, &finder->groups[i], job);
	/*
	 * a singleton does not wait for a job that is being cleaned up, unless that is requeued
	 */
	if (finder->by_name && job->name && (IS_JOB_PENDING(job) || !IS_JOB_COMPLETING(job)) &&
	    lw_lookup_get(&finder->group_of, follow_name_key(job), &i) &&
	    follow_is_of_name(&finder->groups[i], job))
		follow_count_member(finder, &finder->groups[i], job);
	return 0;
}

/* All of an array are to end. */
static struct lw_link follow_end_of_array(const struct finder *finder, uint32_t array_job_id)
{
	const struct group *group = follow_group_of(finder, array_job_id);
	const struct lw_link open = { .state = LW_LINK_OPEN };

	return group && !group->lowest ? group->last : open;
}

/* No other job of the user by that name may run, and none that came before may wait. */
static struct lw_link follow_end_of_name(const struct finder *finder, const job_record_t *job)
{
	const struct group *group =
		job->name ? follow_group_of(finder, follow_name_key(job)) : NULL;
	const struct lw_link open = { .state = LW_LINK_OPEN };

	return group && follow_is_of_name(group, job) && group->lowest == lw_slurm_job_id(job)
		       ? group->last
		       : open;
}

/* After the start of another job, and so long. */
static struct lw_link follow_start_of(const depend_spec_t *spec, const job_record_t *other)
{
	struct lw_link link = { .state = LW_LINK_OPEN };

	if (spec->array_task_id == INFINITE || !other || IS_JOB_PENDING(other) ||
	    !other->start_time || !spec->depend_time)
		return link;
	link.state = LW_LINK_DUE;
	link.when_s = (int64_t)other->start_time + spec->depend_time;
	return link;
}

static struct lw_link follow_link_of(const struct finder *finder, const depend_spec_t *spec)
{
	const job_record_t *job = finder->job, *other;
	struct lw_link link = { .state = LW_LINK_OPEN };

	switch (spec->depend_type) {
	case SLURM_DEPEND_SINGLETON:
		return follow_end_of_name(finder, job);
	case SLURM_DEPEND_AFTER_CORRESPOND:
		/* tasks that have a record of their own wait for the like ones */
		if (job->array_task_id == NO_VAL || job->array_task_id == INFINITE)
			return link;
		other = find_job_array_rec(spec->job_id, job->array_task_id);
		break;
	case SLURM_DEPEND_AFTER:
	case SLURM_DEPEND_AFTER_ANY:
	case SLURM_DEPEND_AFTER_OK:
	case SLURM_DEPEND_AFTER_NOT_OK:
		other = find_job_array_rec(spec->job_id, spec->array_task_id);
		break;
	default:
		return link;
	}
	if (spec->depend_type == SLURM_DEPEND_AFTER)
		return follow_start_of(spec, other);
	if (spec->array_task_id == INFINITE && spec->depend_type != SLURM_DEPEND_AFTER_CORRESPOND)
		return follow_end_of_array(finder, spec->job_id);
	return follow_end_of(finder, other);
}

static int follow_collect_link(void *x, void *arg)
{
	const depend_spec_t *spec = x;
	struct finder *finder = arg;
	struct lw_link link = { .state = LW_LINK_OPEN };

	if (lw_grow((void **)&finder->links, &finder->link_room, finder->link_count + 1,
		    sizeof(*finder->links)))
		return follow_out_of_memory(finder);
	if (spec->depend_state == DEPEND_FULFILLED)
		link.state = LW_LINK_MET;
	else if (spec->depend_state == DEPEND_FAILED)
		link.state = LW_LINK_FAILED;
	else if (follow_is_open(spec))
		link = follow_link_of(finder, spec);
	finder->any |= (spec->depend_flags & SLURM_FLAGS_OR) != 0;
	finder->links[finder->link_count++] = link;
	return 0;
}

/* Slurm's test after the dependencies: only a reservation that has begun. */
static bool follow_has_reservation(job_record_t *job)
{
	return !job->resv_name || (job->resv_ptr && job_test_resv_now(job) == SLURM_SUCCESS);
}

/* What JOB waits for; false: it is not to be planned. */
static bool follow_judge_follower(struct finder *finder, job_record_t *job,
				  struct lw_follow *follow)
{
	const struct group *group = follow_group_of(finder, job->array_job_id);
	int64_t now_s = finder->reader->context->now_s;
	uint32_t ignored;

	finder->job = job;
	finder->link_count = 0;
	finder->any = false;
	if (follow_waits_for_task(job)) {
		if (!group || !lw_links_join(&group->first, 1, false, follow))
			return false;
	} else {
		list_for_each(job->details->depend_list, follow_collect_link, finder);
		if (finder->rc ||
		    !lw_links_join(finder->links, finder->link_count, finder->any, follow))
			return false;
	}
	follow->job_id = lw_slurm_job_id(job);
	/* it started, or ended, since the running jobs were read: the next reading has it right */
	if (follow->after && !lw_lookup_get(&finder->running, follow->after, &ignored))
		return false;
	/* Slurm forgets it once it has passed; that of a requeued job is only a pause */
	if (job->details->begin_time > now_s && !job->restart_cnt)
		lw_since_begins(finder->reader->context->since, follow->job_id, job->user_id,
				job->details->begin_time);
	return lw_link_begin(follow, job->details->begin_time, now_s) &&
	       follow_has_reservation(job);
}

/* In each of its partitions, as Slurm would. */
struct appending {
	job_record_t *job;
	list_t *queue;
	uint32_t index;
};

static int follow_append_in_part(void *x, void *arg)
{
	struct appending *appending = arg;
	job_record_t *job = appending->job;
	job_queue_req_t request = {
		.job_ptr = job,
		.job_queue = appending->queue,
		.part_ptr = x,
		.prio = job->part_ptr_list ? lw_slurm_part_priority(job, appending->index)
					   : job->priority,
	};

	appending->index++;
	job_queue_append_internal(&request);
	return 0;
}

static int follow_append_follower(struct finder *finder, const struct lw_follow *follow,
				  job_record_t *job, list_t *queue)
{
	struct lw_follows *follows = &finder->reader->follows;
	struct appending appending = { .job = job, .queue = queue };

	if (lw_grow((void **)&follows->items, &follows->room, follows->count + 1,
		    sizeof(*follows->items)) ||
	    lw_lookup_put(&follows->index, follow->job_id, follows->count))
		return follow_out_of_memory(finder);
	follows->items[follows->count++] = *follow;
	if (job->part_ptr_list)
		list_for_each(job->part_ptr_list, follow_append_in_part, &appending);
	else
		follow_append_in_part(job->part_ptr, &appending);
	return 0;
}

static int follow_know_running(struct finder *finder)
{
	const struct lw_snapshot *snap = &finder->reader->reading->snap;

	for (uint32_t i = 0; i < snap->running_count; i++) {
		if (lw_lookup_put(&finder->running, snap->running[i].job_id, i))
			return follow_out_of_memory(finder);
	}
	return 0;
}

static void follow_judge_all(struct finder *finder, list_t *queue)
{
	if (!finder->job_count || follow_know_running(finder))
		return;
	if (finder->group_count)
		list_for_each(job_list, follow_count_groups, finder);
	for (uint32_t i = 0; !finder->rc && i < finder->job_count; i++) {
		struct lw_follow follow;

		if (follow_judge_follower(finder, finder->jobs[i], &follow))
			follow_append_follower(finder, &follow, finder->jobs[i], queue);
	}
}

int lw_follows_find(struct lw_reader *reader, list_t *queue)
{
	struct finder finder = { .reader = reader };

	if (!reader->context->chain)
		return 0;
	list_for_each(job_list, follow_gather_follower, &finder);
	if (!finder.rc)
		follow_judge_all(&finder, queue);
	free(finder.jobs);
	free(finder.groups);
	free(finder.links);
	lw_lookup_fini(&finder.group_of);
	lw_lookup_fini(&finder.running);
	return finder.rc;
}

const struct lw_follow *lw_follows_of(const struct lw_follows *follows, const job_record_t *job)
{
	uint32_t i;

	if (!lw_lookup_get(&follows->index, lw_slurm_job_id(job), &i))
		return NULL;
	return &follows->items[i];
}

bool lw_follows_take(struct lw_follows *follows, const job_record_t *job)
{
	const struct lw_follow *follow = lw_follows_of(follows, job);
	uint32_t taken = 0;
	uint64_t key;

	if (!follow || !follow->after)
		return true;
	key = (uint64_t)follow->after << 32 | job->user_id;
	lw_lookup_get(&follows->taken, key, &taken);
	if (taken >= LW_FOLLOWERS_MAX)
		return false;
	/* with no memory for the count one more is read */
	(void)lw_lookup_put(&follows->taken, key, taken + 1);
	return true;
}

void lw_follows_fini(struct lw_follows *follows)
{
	free(follows->items);
	lw_lookup_fini(&follows->index);
	lw_lookup_fini(&follows->taken);
	memset(follows, 0, sizeof(*follows));
}
