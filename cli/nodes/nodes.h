/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway nodes: how jobs fared on each node, beside their like on other nodes. */
#ifndef LW_CLI_NODES_NODES_H
#define LW_CLI_NODES_NODES_H

#include "base/error.h"
#include "base/hosts.h"
#include "cli/common/field.h"
#include "cli/common/names.h"
#include "measure/exact.h"

#include <stdbool.h>
#include <stdint.h>

#define LW_NODES_DIRS_MAX 64
#define LW_NODES_NONE     UINT32_MAX
/* Of a node so many jobs are named that failed there, the first ones. */
#define LW_NODES_JOBS     8
#define LW_NODES_JOB_TEXT 24
/* What chance gives this seldom, over all nodes that were tested, is a finding. */
#define LW_NODES_CHANCE 0.05

struct lw_nodes_request {
	const char *sacct; /* a file in place of the command; NULL: none */
	const char *json;  /* where to; NULL: as text */
	int64_t since_s;
	const char *dirs[LW_NODES_DIRS_MAX]; /* of GPU records; none: these are not looked at */
	uint32_t dir_count;
	bool suspect, all;
	struct lw_hosts names; /* these alone; none: all */
};

/* ---- what ran ---- */

enum lw_nodes_end {
	LW_NODES_OTHER,  /* cancelled, preempted, cut by its limit: tells nothing of a node */
	LW_NODES_WELL,   /* COMPLETED */
	LW_NODES_FAILED, /* FAILED, OUT_OF_MEMORY */
	LW_NODES_LOST,   /* a node went down */
};

/* One run of a job; of a job that was requeued each is one. */
struct lw_nodes_run {
	uint32_t kind; /* runs that are alike, which started on one day */
	uint32_t base; /* the same of any day */
	uint32_t user, set;
	uint32_t day; /* on which it started, of some beginning */
	int64_t end_s, ran_s;
	enum lw_nodes_end ended;
	uint32_t lost_node; /* by number; LW_NODES_NONE: not known */
	uint32_t row;       /* its place among all */
	char job[LW_NODES_JOB_TEXT];
};

/* The nodes of runs, by number, in places FIRST to FIRST + COUNT - 1. */
struct lw_nodes_set {
	uint32_t first, count;
};

/* What Leeway noted in a later run of a job: it had lost NODE at that time. */
struct lw_nodes_note {
	char job[LW_NODES_JOB_TEXT];
	int64_t at_s;
	uint32_t node;
};

/* A job's records on several nodes, of which one may be behind. */
struct lw_nodes_gang {
	uint32_t first, count; /* the nodes that are compared, among places */
	uint32_t behind;       /* by number; LW_NODES_NONE: none */
};

/* Zeroed there is none. */
struct lw_nodes_log {
	struct lw_ana_names nodes, kinds, bases, users, sets;
	struct lw_nodes_set *set; /* by their numbers */
	uint32_t set_room;
	uint32_t *places;
	uint32_t place_count, place_room;
	struct lw_nodes_run *runs;
	uint32_t count, room;
	struct lw_nodes_note *notes;
	uint32_t note_count, note_room;
	struct lw_nodes_gang *gangs;
	uint32_t gang_count, gang_room;
	uint32_t unread; /* jobs of which accounting names no nodes, or no such list */
};

/*
 * Ask sacct for all runs, or read them from a file. -EINVAL, -EIO, -ENOMEM, -errno with ERR. In
 * either case it is to be finished.
 */
int lw_nodes_read(struct lw_nodes_log *log, const struct lw_nodes_request *request,
		  struct lw_error *err);
/* Add the jobs of GPU records in the folders of REQUEST. -ENOMEM, -errno with ERR. */
int lw_nodes_read_records(struct lw_nodes_log *log, const struct lw_nodes_request *request,
			  struct lw_error *err);
void lw_nodes_log_fini(struct lw_nodes_log *log);
/* Add NODE to the places. -ENOMEM. */
int lw_nodes_add_place(struct lw_nodes_log *log, uint32_t node);

/* ---- what that says ---- */

enum lw_nodes_about {
	LW_NODES_DOWN,   /* it goes down under jobs */
	LW_NODES_FAILS,  /* jobs fail more often there than their like elsewhere */
	LW_NODES_SLOW,   /* jobs take longer there */
	LW_NODES_BEHIND, /* its GPUs do less than the others of the same job */
	LW_NODES_ABOUTS,
};
const char *lw_nodes_about_name(enum lw_nodes_about about);

struct lw_nodes_test {
	bool known; /* there is enough for a finding, had all that could have turned out badly */
	bool found;
	double p; /* of chance alone; below 0: not tested */
};

struct lw_nodes_strata {
	struct lw_exact_stratum *items;
	uint32_t count, room;
};

/* A node. Of runs that could be compared the first of each kind and day is a trial. */
struct lw_nodes_node {
	const char *name;
	uint32_t runs;
	int64_t held_s; /* by jobs, one or more */
	uint32_t down;  /* it went down; jobs that were lost at once count once */
	uint32_t doubt; /* jobs on several nodes that lost one of them, which is not known */
	uint32_t brief; /* failed within five minutes */
	uint32_t tried, failed;             /* runs that could be compared */
	uint32_t tried_apart, failed_apart; /* the same on other nodes */
	uint32_t failed_kinds, failed_users, failed_days; /* of trials that failed */
	uint32_t timed; /* trials that ended well, and took so many times as long as is known */
	double slower;  /* half of them took at least this many times as long; 0: not known */
	uint32_t gangs, behind;
	struct lw_nodes_test test[LW_NODES_ABOUTS];
	char job[LW_NODES_JOBS][LW_NODES_JOB_TEXT]; /* that failed or were lost there */
	uint32_t jobs;
	/* scratch */
	struct lw_nodes_strata strata[LW_NODES_ABOUTS];
	double *times; /* of timed runs */
	uint32_t time_room;
};

struct lw_nodes_judged {
	struct lw_nodes_node *nodes; /* findings first, then by name */
	uint32_t count;
	uint32_t tested[LW_NODES_ABOUTS]; /* nodes */
};

/* Judge all nodes of LOG, which is to stay, and is put in order. -ENOMEM. */
int lw_nodes_judge(struct lw_nodes_log *log, struct lw_nodes_judged *judged);
void lw_nodes_judged_fini(struct lw_nodes_judged *judged);
/* Parts of it: failures of like runs, and their times; the tests of each node. -ENOMEM. */
int lw_nodes_compare(struct lw_nodes_log *log, struct lw_nodes_node *nodes);
void lw_nodes_test_all(struct lw_nodes_judged *judged);

/* Is anything found of NODE, or known? */
bool lw_nodes_is_found(const struct lw_nodes_node *node);
bool lw_nodes_is_known(const struct lw_nodes_node *node);

/* ---- how it is shown ---- */

/* Does REQUEST name NODE, or all? */
bool lw_nodes_is_named(const struct lw_nodes_request *request, const struct lw_nodes_node *node);
/* And has it a finding, if only these are asked for? */
bool lw_nodes_is_wanted(const struct lw_nodes_request *request, const struct lw_nodes_node *node);
/* How many nodes with a finding REQUEST names. */
uint32_t lw_nodes_count_found(const struct lw_nodes_request *request,
			      const struct lw_nodes_judged *judged);
void lw_nodes_print(const struct lw_nodes_request *request, const struct lw_nodes_judged *judged);
/* To the file of REQUEST. -EIO, -ENOMEM with ERR. */
int lw_nodes_json(const struct lw_nodes_request *request, const struct lw_nodes_log *log,
		  const struct lw_nodes_judged *judged, struct lw_error *err);

#endif
