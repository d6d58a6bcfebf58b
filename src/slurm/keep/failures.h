/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that lost a node while they ran, and were requeued for it. */
#ifndef LW_SLURM_FAILURES_H
#define LW_SLURM_FAILURES_H

#include "base/error.h"
#include "base/log.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * An entry lasts for a day after the job's last failure, or until the job ends. It is kept across
 * restarts of slurmctld (doc/dev/format-failures.txt).
 */
struct lw_failures;

/*
 * Further jobs are requeued as Slurm does it. Once half of these are used, each user may have an
 * eighth, so that other users' jobs have entries (base/quota.h).
 */
#define LW_FAILURES_MAX 4096
/* Of a job that lost more nodes, and of longer names, the rest is not known. */
#define LW_FAILURE_NODES_MAX 8
#define LW_FAILURE_NAME_MAX  64
/* For so long a failure counts, and a failed node is avoided. */
#define LW_FAILURE_DAY_S 86400

enum lw_failure_state {
	LW_FAILURE_OVER, /* it runs again, or is left to Slurm */
	LW_FAILURE_DUE,  /* it is to run again at once */
	LW_FAILURE_OPEN, /* and Slurm lets it */
};

struct lw_failed_node {
	char name[LW_FAILURE_NAME_MAX];
	int64_t failed_s;
	uint32_t number; /* in Slurm's table, at this reading; LW_FAILURE_NO_NODE: not there */
};
#define LW_FAILURE_NO_NODE UINT32_MAX

struct lw_failure {
	uint32_t job_id, user;
	int64_t failed_s; /* the last failure */
	int64_t since_s;  /* the first of the day that tries counts */
	uint32_t tries;   /* failures of that day */
	enum lw_failure_state state;
	struct lw_failed_node nodes[LW_FAILURE_NODES_MAX];
	uint32_t node_count;
	/* of this reading */
	bool first;  /* it goes before other jobs */
	bool avoids; /* it does without these nodes: others would do */
	bool asked;  /* and a record of the queue was looked at for that */
};

/*
 * Read PATH if there is one; a damaged file is reported and set aside, like that of promises. 0
 * or -ENOMEM. LOG is borrowed; NOW_S is the time.
 */
int lw_failures_create(const char *path, int64_t now_s, const struct lw_log *log,
		       struct lw_failures **ret_failures);
void lw_failures_destroy(struct lw_failures *failures);

/*
 * JOB_ID of USER was requeued at FAILED_S because of NODE; NULL: its name is not known. Of one
 * failure with several nodes it is called once for each. The entry, which is DUE, until the next
 * call that adds or drops one; NULL: there is no room.
 */
struct lw_failure *lw_failures_note(struct lw_failures *failures, uint32_t job_id, uint32_t user,
				    int64_t failed_s, const char *node);

/* The entry of JOB_ID, or NULL; also of NULL FAILURES. */
struct lw_failure *lw_failures_find(struct lw_failures *failures, uint32_t job_id);
/* By number, in order of job ids, below the count. */
struct lw_failure *lw_failures_at(struct lw_failures *failures, uint32_t i);
uint32_t lw_failures_count(const struct lw_failures *failures);

/* Set the state of an entry. */
void lw_failures_set(struct lw_failures *failures, struct lw_failure *failure,
		     enum lw_failure_state state);
/*
 * Drop an entry if its job is gone, as GONE says, or if its day is over at NOW_S. Forget nodes
 * that failed more than a day ago.
 */
typedef bool (*lw_failures_gone_f)(void *arg, const struct lw_failure *failure);
void lw_failures_expire(struct lw_failures *failures, int64_t now_s, lw_failures_gone_f gone,
			void *arg);
void lw_failures_clear(struct lw_failures *failures);

/* Write the file, if it has changed. 0, or -errno with ERR. */
int lw_failures_save(struct lw_failures *failures, struct lw_error *err);

#endif
