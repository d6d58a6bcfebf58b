/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the parts of leeway live: what Slurm says now, and the page of it. */
#ifndef LW_CLI_LIVE_LIVE_H
#define LW_CLI_LIVE_LIVE_H

#include "base/error.h"
#include "base/promise.h"
#include "base/strbuf.h"
#include "base/why.h"

#include <stdbool.h>
#include <stdint.h>

#define LIVE_NONE      INT64_C(-1)
#define LIVE_HORIZON_S 86400

/* As much as a page of a large cluster shows of each; how much is left out it says. */
#define LIVE_WAITING_ROWS 40
#define LIVE_RUNNING_ROWS 24
#define LIVE_REASON_ROWS  12
#define LIVE_PROMISE_ROWS 20
#define LIVE_NODE_ROWS    60
#define LIVE_NODE_CELLS   2048
#define LIVE_NODE_JOBS    4
#define LIVE_METRIC_ROWS  40
#define LIVE_IDLE_ROWS    20
#define LIVE_LIKELY_ROWS  20

/* A row of squeue. */
struct lw_live_job {
	char *id, *user, *partition, *name, *reason, *nodes;
	bool runs;      /* it has nodes; else it waits */
	uint32_t tasks; /* of an array that waits */
	uint32_t cpus, gpus, node_count;
	int64_t start_s;  /* or the planned start; LIVE_NONE */
	int64_t end_s;    /* by its limit; LIVE_NONE: it has none, or no start */
	int64_t latest_s; /* the latest start promised; LIVE_NONE */
	bool fails;       /* that cannot be kept, by what is said of it */
	int64_t p50_s, p90_s; /* by when it likely starts; LIVE_NONE: not told */
};

struct lw_live_node {
	char *name, *state, *type; /* of its GPUs; "" for none */
	bool usable;
	uint32_t cpus, cpus_used, gpus, gpus_used;
	uint32_t job_count, jobs[LIVE_NODE_JOBS]; /* places in live.jobs */
};

/* A job that holds GPUs in which nothing was done for a while. */
struct lw_live_idle {
	uint32_t job_id, idle, all;
	int64_t since_s;
};

/* A line of sdiag. */
struct lw_live_metric {
	char *part, *name, *value;
};

/* What is known of one moment. Zeroed there is nothing. */
struct live {
	int64_t now_s, every_s;
	struct lw_statement zoned; /* the first word that has the cluster's zone */
	char *cluster, *state_dir, *release;
	bool users, node_names; /* may be shown */
	struct lw_live_job *jobs;
	uint32_t job_count, job_room;
	uint32_t odd_count; /* values of squeue that cannot be */
	struct lw_error odd; /* the first: of which job, and what was taken */
	struct lw_live_node *nodes;
	uint32_t node_count, node_room;
	struct lw_live_metric *metrics;
	uint32_t metric_count, metric_room;
	char *no_metrics; /* why there are none, or NULL */

	struct lw_promise_totals totals;
	struct lw_promise *promises; /* the open ones, by latest start */
	uint32_t promise_count, promise_room;
	char *no_promises; /* why the file tells nothing, or NULL */

	char *suspects; /* nodes that failed under two jobs; NULL: none, or not known */

	bool has_idle; /* there are records to look at */
	struct lw_live_idle *idle; /* most GPUs first */
	uint32_t idle_count, idle_room;
	char *no_idle; /* why not all is known, or NULL */
};

/* Which names are shown. */
enum lw_live_names {
	LIVE_BY_PRIVATE_DATA, /* the names that PrivateData does not hide */
	LIVE_NO_USERS,        /* no names of users and jobs */
	LIVE_ALL_NAMES,
};

/* ---- asking Slurm ---- */

/* All of it, through Slurm's commands. -EIO with ERR when one that must answer does not. */
int lw_live_ask(struct live *live, enum lw_live_names names, struct lw_error *err);
void lw_live_fini(struct live *live);

/* Ask squeue for jobs, and add them. As lw_rows_ask(). */
int lw_live_ask_jobs(struct live *live, struct lw_error *err);
/* Add the rows that it printed. -ENOMEM, or -EINVAL, with ERR. */
int lw_live_add_jobs(struct live *live, const char *text, struct lw_error *err);
/* Add the lines of "scontrol -d -o show node". -ENOMEM with ERR. */
int lw_live_add_nodes(struct live *live, const char *text, struct lw_error *err);
/* Note on each node the first jobs that run there. -ENOMEM with ERR. */
int lw_live_place_jobs(struct live *live, struct lw_error *err);
/* Add what sdiag counts and times. -ENOMEM with ERR. */
int lw_live_add_metrics(struct live *live, const char *text, struct lw_error *err);
/* Read the promise file in live->state_dir; why it cannot be is noted. -ENOMEM with ERR. */
int lw_live_read_promises(struct live *live, struct lw_error *err);
/* Read which nodes failed under two jobs, where that file can be read. -ENOMEM with ERR. */
int lw_live_read_suspects(struct live *live, struct lw_error *err);
/* Find idle GPUs by the records of jobs in DIR; what cannot be read is noted. -ENOMEM with ERR. */
int lw_live_read_idle(struct live *live, const char *dir, struct lw_error *err);

/* ---- the page ---- */

/* The whole page. */
void lw_live_page(const struct live *live, struct lw_strbuf *sb);
/* Slurm did not answer. */
struct lw_live_fault {
	int64_t now_s, every_s;
	const char *why;
};
/* Append PAGE, one of ours, with a sentence on it of when it is, and why. -EINVAL: it is none. */
int lw_live_page_old(const char *page, const struct lw_live_fault *fault, struct lw_strbuf *sb);
/* A page for when there is none yet: Slurm does not answer. */
void lw_live_page_empty(int64_t every_s, struct lw_strbuf *sb);

/* The sections of it. */
void lw_live_show_gantt(const struct live *live, struct lw_strbuf *sb);
void lw_live_show_forecast(const struct live *live, struct lw_strbuf *sb);
void lw_live_show_likely(const struct live *live, struct lw_strbuf *sb);
void lw_live_show_reasons(const struct live *live, struct lw_strbuf *sb);
void lw_live_show_promises(const struct live *live, struct lw_strbuf *sb);
/* Nothing where no records are looked at. */
void lw_live_show_idle(const struct live *live, struct lw_strbuf *sb);
void lw_live_show_nodes(const struct live *live, struct lw_strbuf *sb);
/* Of that section: the nodes that failed under two jobs. */
void lw_live_show_suspects(const struct live *live, struct lw_strbuf *sb);

/* ---- what the sections share ---- */

/* "<h2>TEXT</h2>" */
void lw_live_heading(struct lw_strbuf *sb, const char *text);
/* "<TAG>TEXT</TAG>", escaped. */
void lw_live_cell(struct lw_strbuf *sb, const char *tag, const char *text);
/* Does the job wait, with a start planned within the page's hours? */
bool lw_live_is_planned(const struct live *live, const struct lw_live_job *job);

#endif
