/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what ended jobs with one GPU used of it, kept for job_submit/leeway (share.record). */
#ifndef LW_SLURM_SHAREBOOK_H
#define LW_SLURM_SHAREBOOK_H

#include "base/error.h"
#include "base/log.h"
#include "share/known.h"
#include "slurm/read/learn.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Only jobs with one whole GPU count, in partitions of share.where with GPUs of one type: the
 * recorder has no readings of parts. The file is described in doc/dev/format-share.txt. One
 * thread at a time uses a book, but any thread may query the open one.
 */
struct lw_sharebook;

/* The file and what it is of, from leeway.yaml; borrowed. */
struct lw_sharebook_terms {
	const char *path;
	const char *where; /* share.where */
	const char *gpu_type;
};

/* As lw_learn_create(). */
int lw_sharebook_create(const struct lw_sharebook_terms *terms, int64_t now_s,
			const struct lw_log *log, struct lw_sharebook **ret_book);
/* Does not save. */
void lw_sharebook_destroy(struct lw_sharebook *book);
/* Was it made with TERMS? */
bool lw_sharebook_is(const struct lw_sharebook *book, const struct lw_sharebook_terms *terms);

/* Forget what was noted and not taught. */
void lw_sharebook_begin(struct lw_sharebook *book);
/* JOB ended with LESSON: note it if it says something of its GPU. 0 or -ENOMEM. */
int lw_sharebook_note(struct lw_sharebook *book, const struct lw_finished *job,
		      const struct lw_history_job *lesson);
/* Learn what was noted, in order of ends. */
void lw_sharebook_teach(struct lw_sharebook *book);

/* Make BOOK the open one of this process, until it is destroyed; NULL: none. */
void lw_sharebook_open(struct lw_sharebook *book);
/*
 * lw_share_known_find() of the open book, for RPC threads of job_submit under Slurm's locks. It
 * waits at most until one run is learned, and touches no file. Also false if no book is open.
 */
bool lw_sharebook_ask(const struct lw_share_key *key, int64_t since_s,
		      struct lw_share_record *ret_record);

/* Write the file if anything was learned since. 0, or -errno with ERR. */
int lw_sharebook_save(struct lw_sharebook *book, struct lw_error *err);

#endif
