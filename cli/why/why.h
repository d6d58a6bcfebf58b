/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the parts of leeway why and leeway when share. */
#ifndef LW_CLI_WHY_WHY_H
#define LW_CLI_WHY_WHY_H

#include <jansson.h>

#include "base/error.h"
#include "base/nodeloss.h"
#include "base/past.h"
#include "base/stop.h"
#include "base/strbuf.h"
#include "base/why.h"
#include "cli/common/progress.h"

#include <stdbool.h>
#include <stdint.h>

#define TOOLS_WHY_NONE INT64_MIN /* no such time */

/* A job as squeue tells of it. Texts are never NULL. */
struct lw_why_job {
	char *id, *user, *name, *state, *reason, *partition, *after, *nodes;
	char *reservation, *licences, *qos;
	int64_t start_s, submit_s, deadline_s, latest_s;
	int64_t end_s;       /* of a job that squeue no longer has */
	struct lw_past past; /* what became of it while it waited; count 0: not known */
	struct lw_stop stop; /* it was stopped; asked_s 0: not, or not known */
	struct lw_nodeloss loss; /* it lost a node, and runs again for that; tries 0: not known */
	struct lw_progress progress; /* what it says of itself: lw_why_progress() */
	int64_t until_s; /* what it waits for is over then: lw_why_until() ... */
	char *until;     /* ... in words; NULL: not known, or not asked for */
	bool waits, told;  /* told: the planner says why */
	bool stale;        /* it said so too long ago */
	bool others;       /* stock plans it, since leeway.yaml leaves it to stock */
	bool lapsed;       /* a start was promised, and no planner keeps that now */
	struct lw_statement why; /* what is said of it: lw_why_doubt() makes it whole */
};

struct lw_why_jobs {
	struct lw_why_job *jobs;
	uint32_t count, room;
};

/* What to ask for: jobs, or those of a user that wait; NULL and NULL: those of all. */
struct lw_why_asked {
	const char *command; /* named in messages */
	const char *ids;     /* parted by commas; a job that is named twice is told once */
	const char *user;
	bool past; /* what became of them so far, too */
	bool qos;  /* their QOS, too */
};

/* The jobs that Leeway plans, in words; NULL: any. */
struct lw_why_canary {
	char *partitions, *qos;
};

/* Ask squeue. -ENOENT with ERR: it knows no such job; other -errno with ERR. */
int lw_why_ask(const struct lw_why_asked *asked, struct lw_why_jobs *ret_jobs,
	       struct lw_error *err);
/*
 * Believe no word of the planner's that was left behind or is of a time to come, nor one on a job
 * that it does not plan. What is said of the others is what Slurm's own fields have. From then on
 * start_s, latest_s and deadline_s are for this alone: all that is printed is in why.
 */
void lw_why_doubt(struct lw_why_jobs *jobs, int64_t now_s);
/* The same of sacct, of jobs that have ended. -ENOENT: there is none, or no accounting. */
int lw_why_ask_ended(const char *ids, struct lw_why_jobs *ret_jobs);
/*
 * Read which jobs are Leeway's (sched.partitions) from leeway.yaml beside slurm.conf: all, if that
 * cannot be read on this host. To be finished in any case.
 */
void lw_why_canary_read(struct lw_why_canary *ret_canary);
void lw_why_canary_fini(struct lw_why_canary *canary);
/* Note which of JOBS are left to stock by it. */
void lw_why_note_others(const struct lw_why_canary *canary, struct lw_why_jobs *jobs);
/* Ask Slurm until when a reservation or a licence keeps JOB waiting, if one does. */
void lw_why_until(struct lw_why_job *job, int64_t now_s);
/* Ask Slurm how far JOB is, if it runs and says so. */
void lw_why_progress(struct lw_why_job *job, int64_t now_s);
/*
 * Rows as squeue prints them, for COMMAND. -EINVAL with ERR when there are some and none is a
 * job's; -ENOMEM with ERR.
 */
int lw_why_read(const char *text, const char *command, struct lw_why_jobs *jobs,
		struct lw_error *err);
void lw_why_fini(struct lw_why_jobs *jobs);

#define TOOLS_WHY_WHEN_MAX 48
/* A moment as base/when.h tells it, or "-". */
const char *lw_why_when(int64_t at_s, int64_t now_s, char buf[TOOLS_WHY_WHEN_MAX]);

/*
 * By Slurm's REASON, may a job start as soon as there is room? Then the plan says why it does not,
 * and which change of the job would help.
 */
bool lw_why_is_for_room(const char *reason);
/* Is its begin time to come? What squeue shows as its start is that, and no plan. */
bool lw_why_begins_later(const struct lw_why_job *job);
/* Is the plan told in Slurm's reason alone? Then that says whether a start is promised. */
bool lw_why_is_planned(const struct lw_why_job *job);
/* Why it waits, and what its user may do, as a sentence each; the second may be "". */
void lw_why_sentence(const struct lw_why_job *job, struct lw_strbuf *why, struct lw_strbuf *help);
/* What of the likely start may be said. */
enum lw_why_likely {
	TOOLS_WHY_UNKNOWN, /* nothing was learned yet, or the planner says nothing */
	TOOLS_WHY_WIDE,    /* not predictable */
	TOOLS_WHY_LIKELY,
	TOOLS_WHY_OVERDUE, /* it waits longer than nine of ten */
};
enum lw_why_likely lw_why_judge(const struct lw_why_job *job, int64_t now_s);
/* The moment WAIT_S after the plan was made. */
static inline int64_t lw_why_at(const struct lw_why_job *job, uint32_t wait_s)
{
	return job->why.at_s + wait_s;
}
/* Why the promise cannot be kept, as half a sentence; NULL: it can, or there is none. */
const char *lw_why_unkept(const struct lw_why_job *job);
/* HINT as words, and as a command that makes the change, or "". */
void lw_why_hint(const struct lw_why_job *job, const struct lw_hint *hint,
		 struct lw_strbuf *words, struct lw_strbuf *command);
/* "accepted", "at risk", "met", "will miss" or NULL. */
const char *lw_why_deadline(const struct lw_why_job *job);

/*
 * From now on tell times in the cluster's zone, if a word of JOBS has it and this host's is
 * other; lw_why_print_zone() says so below what is printed. Not before all answers of Slurm's
 * commands are read: these have times in the zone that they were asked in.
 */
void lw_why_use_zone(const struct lw_why_jobs *jobs);
/* The same by the word SAID alone. */
void lw_why_use_zone_of(const struct lw_statement *said);
void lw_why_print_zone(void);
/* One job at length, and one in a row of a table. */
void lw_why_print(const struct lw_why_job *job, int64_t now_s);
/* The tasks of an array: each record that waits, and how many run. */
void lw_why_print_array(const struct lw_why_jobs *jobs, int64_t now_s);
void lw_why_print_table(const struct lw_why_jobs *jobs, int64_t now_s);
/* Jobs that have ended. */
void lw_why_print_ended(const struct lw_why_jobs *jobs, int64_t now_s);
/* What became of each job while it waited. */
void lw_why_print_history(const struct lw_why_jobs *jobs, int64_t now_s);
void lw_why_print_past(const struct lw_why_job *job, int64_t now_s);
/* A list; NULL: out of memory. */
json_t *lw_why_past_json(const struct lw_why_job *job);
/* NULL: out of memory. */
json_t *lw_why_json(const struct lw_why_job *job, int64_t now_s);

#endif
