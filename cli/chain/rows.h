/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway chain show: a user's jobs, as squeue and sacct tell of them. */
#ifndef LW_CLI_CHAIN_ROWS_H
#define LW_CLI_CHAIN_ROWS_H

#include "cli/chain/chain.h"

enum lw_chain_phase {
	TOOLS_CHAIN_WAITS,
	TOOLS_CHAIN_RUNS,
	TOOLS_CHAIN_ENDED,
};

/* One run of a job, of a task of an array or of a part of a het job, or its wait for one. */
struct lw_chain_row {
	uint32_t base; /* the job's number; of an array or a het job its first */
	char *id;      /* as squeue shows it: "12", "12_3", "12_[4-9%1]", "12+1" */
	char *user, *name, *state;
	char *reason;    /* why it waits, or "" */
	char *after;     /* what it waits for, or waited for: a value of --dependency, or "" */
	bool one_by_one; /* a task of an array of which one runs at a time */
	enum lw_chain_phase phase;
	/* TOOLS_CHAIN_NONE where it is not known; the start of one that waits is what Slurm shows
	 */
	int64_t submit_s, start_s, end_s;
	int64_t limit_s;  /* when one that runs is ended at the latest */
	int64_t latest_s; /* the latest start, which was promised */
	bool queued;      /* squeue has it */
};

/* By base, then as they follow each other. */
struct lw_chain_rows {
	struct lw_chain_row *rows;
	uint32_t count, room;
	char *missing; /* why accounting told nothing, for people; NULL: it did */
};

/*
 * All jobs of the user of job BASE, or of the array or het job of a job of that number; *BASE
 * becomes its number. Accounting is asked for jobs since SINCE_S before the job was submitted,
 * or before NOW_S. -ENOENT with ERR: the job is not known, or hidden; -EIO and others. Finish it
 * in all cases.
 */
int lw_chain_read(uint32_t *base, int64_t since_s, int64_t now_s, struct lw_chain_rows *rows,
		  struct lw_error *err);
/* The same of all jobs of USER, since FROM_S. There may be none. */
int lw_chain_read_user(const char *user, int64_t from_s, struct lw_chain_rows *rows,
		       struct lw_error *err);
void lw_chain_rows_fini(struct lw_chain_rows *rows);
void lw_chain_row_fini(struct lw_chain_row *row);

/* ---- for lw_chain_read(): parse.c ---- */

/* Ask SQUEUE, or sacct, with OPTIONS, and add what it prints. As lw_rows_ask(). */
int lw_chain_ask_rows(bool squeue, const char *const *options, struct lw_chain_rows *rows,
		      struct lw_error *err);
/* Add TEXT, which it printed. */
int lw_chain_add_rows(bool squeue, const char *text, struct lw_chain_rows *rows,
		      struct lw_error *err);
/* Bring them into their order, and make one of what both told of the same run. */
void lw_chain_merge(struct lw_chain_rows *rows);

#endif
