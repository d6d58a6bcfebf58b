/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job that lost a node runs again at once (recover.mode). */
#include "slurm/apply/recover.h"

#include "base/grow.h"
#include "slurm/apply/again.h"
#include "slurm/compat/compat.h"
#include "slurm/keep/marking.h"
#include "slurm/log.h"
#include "slurm/select/failed.h"
#include "slurm/select/select_link.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A node that fails under one job may be unlucky; under a second one it is suspect. */
static void recover_suspect(struct lw_suspects *suspects, const struct lw_failed *item,
			    const struct lw_recover_rules *rules)
{
	const struct lw_suspect *node =
		lw_suspects_note(suspects, item->node, item->job_id, item->failed_s);

	if (node)
		lw_log_warn(lw_slurm_log(),
			    "node %s failed under job %u, and %" PRId64
			    " minutes before under job %u: for a day it %s last",
			    node->name, node->job, (node->at_s - node->before_s) / 60,
			    node->job_before,
			    rules->mode == LW_RECOVER_ON
				    ? "comes"
				    : "would, with recover.mode=on, come");
}

/* Out of room the job is requeued as Slurm does it. */
static void recover_take(struct lw_failures *failures, struct lw_suspects *suspects,
			 const struct lw_recover_rules *rules)
{
	struct lw_failed_list list = { 0 };

	lw_select_link_tell(&(struct lw_select_news){ .failed = &list });
	for (uint32_t i = 0; rules->mode != LW_RECOVER_OFF && i < list.count; i++) {
		const struct lw_failed *item = &list.items[i];

		(void)lw_failures_note(failures, item->job_id, item->user, item->failed_s,
				       item->node);
		recover_suspect(suspects, item, rules);
	}
	lw_failed_list_fini(&list);
}

static bool recover_is_gone(void *arg, const struct lw_failure *failure)
{
	const job_record_t *job = find_job_record(failure->job_id);

	(void)arg;
	return !job || IS_JOB_FINISHED(job) || job->user_id != failure->user || !job->details;
}

/* The last node that failed under the job; NULL: not known. */
static const char *recover_node_of(const struct lw_failure *failure)
{
	for (uint32_t i = failure->node_count; i > 0; i--)
		if (failure->nodes[i - 1].failed_s == failure->failed_s)
			return failure->nodes[i - 1].name;
	return NULL;
}

static const char *recover_call(const struct lw_failure *failure)
{
	const char *node = recover_node_of(failure);

	return node ? node : "a node";
}

/* The run has ended: is the job left to Slurm after all? */
static bool recover_leaves(const struct lw_failure *failure, const struct lw_recover_rules *rules,
			   struct lw_recovered *recovered)
{
	if (rules->mode == LW_RECOVER_TELL) {
		recovered->told++;
		lw_log_info(lw_slurm_log(),
			    "job %u lost %s: with recover.mode=on it would run again at once",
			    failure->job_id, recover_call(failure));
		return true;
	}
	if (failure->tries <= rules->tries)
		return false;
	recovered->left++;
	lw_log_info(lw_slurm_log(),
		    "job %u lost %s: %u failures in a day are more than recover.tries, it waits "
		    "as Slurm has it",
		    failure->job_id, recover_call(failure), failure->tries);
	return true;
}

static void recover_open(job_record_t *job, const struct lw_failure *failure, int64_t now_s)
{
	struct lw_nodeloss loss = { .at_s = failure->failed_s, .tries = failure->tries };
	const char *node = recover_node_of(failure);

	lw_again(job, now_s);
	snprintf(loss.node, sizeof(loss.node), "%s", node ? node : "");
	lw_marking_lost(job, &loss);
	lw_log_info(lw_slurm_log(), "job %u lost %s: it runs again at once, try %u of the day",
		    failure->job_id, recover_call(failure), failure->tries);
}

static void recover_job(struct lw_failures *failures, struct lw_failure *failure,
			const struct lw_recover_rules *rules, int64_t now_s,
			struct lw_recovered *recovered)
{
	job_record_t *job = find_job_record(failure->job_id);

	if (failure->state == LW_FAILURE_OVER || !job || IS_JOB_COMPLETING(job))
		return;
	if (!IS_JOB_PENDING(job)) {
		lw_failures_set(failures, failure, LW_FAILURE_OVER);
	} else if (failure->state == LW_FAILURE_DUE) {
		if (recover_leaves(failure, rules, recovered)) {
			lw_failures_set(failures, failure, LW_FAILURE_OVER);
			return;
		}
		recover_open(job, failure, now_s);
		recovered->again++;
		lw_failures_set(failures, failure, LW_FAILURE_OPEN);
	}
	recovered->soon |= failure->state == LW_FAILURE_OPEN && lw_again_soon(job, now_s);
}

/* The first in any case: the share of a small cluster may be less than one job. */
static void recover_rank(struct lw_failure *failure, double most, double *taken)
{
	const job_record_t *job = find_job_record(failure->job_id);
	double nodes;

	failure->first = false;
	if (failure->state != LW_FAILURE_OPEN || !job || !job->priority)
		return;
	nodes = job->details->min_nodes;
	if (*taken > 0 && *taken + nodes > most)
		return;
	*taken += nodes;
	failure->first = true;
}

/* Until the queue has been read, it is assumed that other nodes would do. */
static void recover_find_nodes(struct lw_failure *failure)
{
	for (uint32_t i = 0; i < failure->node_count; i++) {
		const node_record_t *node = find_node_record2(failure->nodes[i].name);

		failure->nodes[i].number = node ? (uint32_t)node->index : LW_FAILURE_NO_NODE;
	}
	failure->avoids = true;
	failure->asked = false;
}

void lw_recover_begin(struct lw_failures *failures, struct lw_suspects *suspects,
		      const struct lw_recover_rules *rules, int64_t now_s,
		      struct lw_recovered *recovered)
{
	double taken = 0;

	recovered->soon = false;
	recover_take(failures, suspects, rules);
	if (rules->mode == LW_RECOVER_OFF) {
		lw_failures_clear(failures);
		lw_suspects_clear(suspects);
	}
	lw_suspects_expire(suspects, now_s);
	recovered->suspects = lw_suspects_count(suspects);
	lw_failures_expire(failures, now_s, recover_is_gone, NULL);
	for (uint32_t i = 0; i < lw_failures_count(failures); i++) {
		struct lw_failure *failure = lw_failures_at(failures, i);

		recover_job(failures, failure, rules, now_s, recovered);
		recover_rank(failure, rules->share * node_record_count, &taken);
		recover_find_nodes(failure);
	}
	lw_recover_end(failures);
}

/* Out of memory a job may get a node that failed under it. */
static void recover_add_avoided(struct lw_avoids *avoids, const struct lw_failure *failure)
{
	for (uint32_t i = 0; failure->avoids && i < failure->node_count; i++) {
		if (failure->nodes[i].number == LW_FAILURE_NO_NODE ||
		    lw_grow((void **)&avoids->items, &avoids->room, avoids->count + 1,
			    sizeof(*avoids->items)))
			continue;
		avoids->items[avoids->count++] =
			(struct lw_avoid){ failure->job_id, failure->nodes[i].number };
	}
}

void lw_recover_end(struct lw_failures *failures)
{
	struct lw_avoids avoids = { 0 };

	for (uint32_t i = 0; i < lw_failures_count(failures); i++)
		recover_add_avoided(&avoids, lw_failures_at(failures, i));
	lw_select_link_tell(&(struct lw_select_news){ .avoids = &avoids });
	free(avoids.items);
}
