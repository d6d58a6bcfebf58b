/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what one replay left behind: sacct, squeue samples, sdiag, meta data. */
#ifndef LW_CLI_COMMON_RUN_H
#define LW_CLI_COMMON_RUN_H

#include "base/error.h"
#include "base/promise.h"
#include "measure/ettr.h"
#include "record/summary.h"

#include <stdbool.h>
#include <stdint.h>

#define LW_RUN_NONE INT64_C(-1)

/* Which part of slurmctld started a job (sacct's Flags). */
enum lw_run_starter {
	LW_RUN_BY_NOBODY, /* not started, or not recorded */
	LW_RUN_BY_SUBMIT,
	LW_RUN_BY_MAIN,
	LW_RUN_BY_BACKFILL,
	LW_RUN_STARTERS,
};

struct lw_run_job {
	char *id;     /* as squeue shows it: "12" or "12_3" */
	char *raw_id; /* JobIDRaw */
	char *name;
	char *state;    /* first word: COMPLETED, CANCELLED, ... */
	char *user;     /* "": not said */
	char *account;  /* the same */
	char *node_list; /* "": none, or not said */
	uint32_t tasks; /* above 1 for the waiting rest of an array */
	bool tasks_cut; /* at least so many: sacct cut their list off */
	int64_t submit_s;
	int64_t start_s;   /* NONE: never had nodes */
	int64_t end_s;     /* NONE: still running or waiting */
	int64_t shown_s;   /* first start shown while it headed the queue; NONE */
	int64_t planned_s; /* first start planned of it, by its past; NONE */
	int64_t nodes;
	int64_t cpus;
	int64_t gpus;
	int64_t gpus_held; /* one, too, of which it had parts */
	int64_t mem_mib;
	int64_t limit_s; /* NONE: not said, or without limit */
	/* what it asked for, where that is recorded; 0: not said */
	int64_t asked_nodes;
	int64_t asked_cpus;
	int64_t asked_gpus;
	int64_t asked_mem_mib;
	enum lw_run_starter starter;
	uint32_t row;  /* its place in the file */
	bool shifted;
	bool energy_known; /* of its GPUs, from its record */
	double energy_j;
	struct lw_summary_word use; /* of its GPUs; all 0 without a record */
	bool restart;               /* an earlier run of it was interrupted */
	bool has_pace;
	struct lw_pace pace; /* how far it said that it is */
};

/* What the driver told sbatch of a submission, beside its script; all tasks of an array. */
struct lw_run_told {
	unsigned long id; /* of the job, or of its array; 0: refused */
	int64_t time_s;   /* when it was submitted, or refused */
	int64_t due_s;    /* it should have ended by then; NONE: no deadline */
	uint32_t tasks;
	uint32_t weight;  /* what a second after that costs */
	uint32_t at_most; /* of its tasks at a time; 0: all */
	char *run_s;      /* how long its program runs: "60", or "5,7,9" of tasks; "": not said */
	char *after;      /* "afterok:7:9,singleton"; "": nothing */
};

struct lw_run {
	char *dir;
	/* meta.json */
	char *label;
	char *slurm_version;
	char *workload;
	char *sha256;
	char *started;
	bool by_stock; /* which promises nothing */
	double factor; /* of the clock; 0: not said */
	int64_t nodes, gpus_per_node, cpus_per_node;
	int64_t mem_mib_per_node; /* 0: not said */
	int64_t submitted; /* tasks the driver meant to submit; NONE: not said */
	/* submitted.tsv */
	uint32_t refused;    /* tasks that sbatch refused */
	double late_mean_s;  /* behind the workload's times; negative: not said */
	int64_t late_max_s;  /* NONE: not said */
	int64_t arrivals_s;  /* from the workload's first submission to its last; NONE: not said */
	struct lw_run_told *told; /* those of which there is something to tell */
	uint32_t told_count, told_room;
	/* sacct.psv, by JobIDRaw; of a requeued job the last row only */
	struct lw_run_job *jobs;
	uint32_t job_count;
	uint32_t room;
	uint32_t requeues; /* rows left out for that */
	uint32_t doubles;  /* jobs with the id of another one */
	uint32_t shifted;  /* jobs that end later than their row says: see lw_row_times() */
	uint32_t preempted; /* rows of jobs that had to leave */
	struct lw_ettr ettr; /* of all rows of runs that ended */
	bool lenient;      /* set before loading: bad rows are left out */
	uint32_t bad_rows; /* how many were */
	struct lw_error bad; /* the first of them: its line, and why */
	const char *lacks[4]; /* which columns a workload wants are missing, as sentences */
	uint32_t lack_count;
	/* squeue.tsv */
	bool has_samples; /* else nothing is known of the starts shown */
	/* leeway_promises */
	bool has_promises; /* else nothing is known of promises: older replays left none */
	struct lw_promise_totals promises;
	uint32_t open_promises;
	/* sdiag.txt; NONE: not said */
	int64_t sdiag_started;
	int64_t sdiag_backfilled;
	int64_t sdiag_main_mean_us;
	int64_t sdiag_backfill_mean_us;
};

/*
 * Load DIR. sacct.psv must be there and be read whole; meta.json, squeue.tsv, sdiag.txt,
 * submitted.tsv and leeway_promises may be absent: then their figures are, and a line on stderr
 * says so, but of the last under stock. -EINVAL, -EBADMSG name the file, and its line; -ENOMEM;
 * -errno of a file.
 */
int lw_run_load(struct lw_run *run, const char *dir, struct lw_error *err);
void lw_run_fini(struct lw_run *run);

/* The job squeue or sacct call ID, or NULL; "12_[3-7]" means its first task. */
struct lw_run_job *lw_run_find(const struct lw_run *run, const char *id);

/* Note what columns FIELDS, COUNT of them, of submitted.tsv tell of a submission. -EINVAL,
 * -ENOMEM. */
int lw_run_add_told(struct lw_run *run, char *const *fields, uint32_t count);
void lw_run_free_told(struct lw_run *run);

/* The columns of submitted.tsv. */
enum lw_run_submitted {
	LW_SUBMITTED_NUMBER,
	LW_SUBMITTED_ID, /* or "refused" */
	LW_SUBMITTED_TIME,
	LW_SUBMITTED_LATE,
	LW_SUBMITTED_TASKS, /* older replays end before this, or behind it */
	LW_SUBMITTED_DUE,
	LW_SUBMITTED_WEIGHT,
	LW_SUBMITTED_RUN,
	LW_SUBMITTED_AFTER,
	LW_SUBMITTED_AT_MOST,
	LW_SUBMITTED_COLUMNS,
};
/* Beyond any time there, and still safe to subtract. */
#define LW_SUBMITTED_TIME_MAX_S (INT64_C(1) << 40)

/* Parts of lw_run_load. */
int lw_run_load_sacct(struct lw_run *run, const char *path, struct lw_error *err);
/* The same of the open file FD, if it is not negative, from where it is; PATH is its name then. */
int lw_run_load_sacct_fd(struct lw_run *run, int fd, const char *path, struct lw_error *err);
int lw_run_load_squeue(struct lw_run *run, const char *path, struct lw_error *err);
int lw_run_load_submitted(struct lw_run *run, const char *path, struct lw_error *err);

#endif
