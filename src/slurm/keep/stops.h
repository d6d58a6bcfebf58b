/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that were asked to stop, where each is on its way back, and what was learned. */
#ifndef LW_SLURM_STOPS_H
#define LW_SLURM_STOPS_H

#include "base/log.h"
#include "base/stop.h"

/*
 * A job runs, is asked, leaves its nodes, waits, and runs again. Its entry lasts until then, and
 * for a day from its first stop, which is counted against stop.per_day. All is kept across
 * restarts of slurmctld (doc/dev/format-stops.txt): a job that was asked before is taken up
 * again.
 */
struct lw_stops;

/*
 * Further jobs are not asked. Once half of these are used, each user may have an eighth
 * (base/quota.h).
 */
#define LW_STOPS_MAX LW_STOP_FILE_LINES
/* A job that still runs so long after it was asked, or two saves, is deaf. */
#define LW_STOP_DEAF_S 600
/* So much longer than nine of ten like it a job may run that goes on from its saves. */
#define LW_STOP_ANEW_S 600

struct lw_stop_rules {
	enum lw_stop_mode mode;
	enum lw_stop_for for_jobs;
	const char *who; /* borrowed */
	double gain;     /* of a stop that a plan orders */
	int64_t lease_s; /* a job has run so long before it is asked */
	int64_t back_s;  /* and runs again so long after that, as promised */
	int64_t save_s;  /* what a save takes */
	uint32_t per_day;
	double share; /* of the nodes */
	double widest; /* of that share, of one job; with for_jobs */
	bool grows;    /* a job may be stopped to go on on more nodes (size.mode) */
};

/* A running job that might be asked. Texts may be NULL. */
struct lw_stop_case {
	uint32_t job_id, user, restarts, nodes, all_nodes;
	const char *name, *comment, *qos, *partition;
	int64_t start_s;
	int64_t limit_s, deadline_s; /* which Slurm ends it for, waiting or not; 0: none */
	int64_t expect_s;    /* nine of ten jobs like it run no longer; 0: not known */
	int64_t signal_s;    /* it has a signal of its own (--signal), so long before its limit */
	int64_t kill_wait_s; /* between SIGTERM and SIGKILL */
	uint32_t for_job;    /* that is to have its room; 0: none */
	uint32_t beside;     /* nodes of jobs that are to be asked before it, for the same job */
	bool moves;          /* another place is kept for it */
	bool signalled;      /* it has one ... */
	bool sent;           /* ... and had it by now */
	bool batch, requeues, het, federated, cron, buffer, reserved, licences, depended;
};

/* May the job be asked now, and how? Not of a job that never agreed, whatever else it is. */
enum lw_stop_answer lw_stops_judge(struct lw_stops *stops, const struct lw_stop_rules *rules,
				   const struct lw_stop_case *it, int64_t now_s,
				   enum lw_stop_way *ret_way);
/* It has been asked so. The entry, until the next call that adds or drops one; NULL: no memory.
 */
struct lw_stop *lw_stops_ask(struct lw_stops *stops, const struct lw_stop_rules *rules,
			     const struct lw_stop_case *it, enum lw_stop_way way, int64_t now_s);

/* It could not be asked after all. */
void lw_stops_withdraw(struct lw_stops *stops, struct lw_stop *stop);

/* Is another place kept for it? Not across restarts of slurmctld. */
void lw_stops_set_moves(struct lw_stops *stops, struct lw_stop *stop, bool moves);

/* What is seen of a job. */
enum lw_stop_seen {
	LW_STOP_SEEN_RUNNING,
	LW_STOP_SEEN_LEAVING, /* completing, whatever comes then */
	LW_STOP_SEEN_WAITING,
	LW_STOP_SEEN_ENDED, /* by itself, well or not */
	LW_STOP_SEEN_GONE,  /* ended by others, or forgotten */
};

struct lw_stop_sight {
	enum lw_stop_seen seen;
	uint32_t restarts;
	const char *name;
	int64_t start_s; /* of this run */
	bool yields;     /* the job that is to have its room still waits for it */
	bool held;       /* it may not run for long, as its user wants it */
};

/* What to do, or to tell. */
enum lw_stop_event {
	LW_STOP_NOTHING,
	LW_STOP_STAYS, /* it waits, and another job is to have its room first */
	LW_STOP_OPENS, /* it waits, and is to begin as soon as there is room */
	LW_STOP_BACK,
	LW_STOP_IS_DEAF,   /* it ran on: its kind is not asked again */
	LW_STOP_HAS_ENDED, /* instead: likewise */
	LW_STOP_IS_LOST,   /* it ended since Slurm forgot the requeue: once */
	LW_STOP_IS_ANEW,   /* it began anew: it has run for too long since to have gone on */
	LW_STOP_IS_OVER,   /* ended by others: the entry is done with */
};

/*
 * STOP is seen so. After HAS_ENDED and IS_OVER lw_stops_expire() drops it. STOP->late is set, once,
 * when it waits longer than promised, or began later than that between two looks.
 */
enum lw_stop_event lw_stops_step(struct lw_stops *stops, struct lw_stop *stop,
				 const struct lw_stop_sight *sight, int64_t now_s);
/* Drop what is over at NOW_S: jobs that ran again a day ago, and old lessons. */
void lw_stops_expire(struct lw_stops *stops, int64_t now_s);

/* The entry of JOB_ID, or NULL; also of NULL STOPS. */
struct lw_stop *lw_stops_find(const struct lw_stops *stops, uint32_t job_id);
/* By number, in order of job ids, below the count. */
struct lw_stop *lw_stops_at(struct lw_stops *stops, uint32_t i);
uint32_t lw_stops_count(const struct lw_stops *stops);
uint32_t lw_stops_kind_count(const struct lw_stops *stops);
uint32_t lw_stops_kind_count_of(const struct lw_stops *stops, uint32_t user);

/*
 * Read PATH if there is one; a damaged file is reported and set aside, like that of promises. 0
 * or -ENOMEM. LOG is borrowed; NOW_S is the time.
 */
int lw_stops_create(const char *path, int64_t now_s, const struct lw_log *log,
		    struct lw_stops **ret_stops);
void lw_stops_destroy(struct lw_stops *stops);
/* Write the file, if it has changed. 0, or -errno with ERR. */
int lw_stops_save(struct lw_stops *stops, struct lw_error *err);

#endif
