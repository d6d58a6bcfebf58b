/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what ended jobs of one GPU made of it, kept for job_submit/leeway (share.record). */
#ifndef LW_SLURM_SHAREBOOK_H
#define LW_SLURM_SHAREBOOK_H

#include "base/error.h"
#include "base/log.h"
#include "share/known.h"
#include "slurm/read/learn.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Only jobs of the partitions of share.where count, whose GPUs are of one type, which had one GPU
 * as a whole: of parts the recorder has no readings. The file is as doc/dev/format-share.txt has
 * it. One thread at a time has a book, but any may ask the open one.
 */
struct lw_sharebook;

/* Where it is and of what, as in leeway.yaml; borrowed. */
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
/* Is it of TERMS? */
bool lw_sharebook_is(const struct lw_sharebook *book, const struct lw_sharebook_terms *terms);

/* What was noted and not taught is forgotten. */
void lw_sharebook_begin(struct lw_sharebook *book);
/* JOB ended and teaches LESSON; note it if it says something of its GPU. 0 or -ENOMEM. */
int lw_sharebook_note(struct lw_sharebook *book, const struct lw_finished *job,
		      const struct lw_history_job *lesson);
/* Learn what was noted, in order of ends. */
void lw_sharebook_teach(struct lw_sharebook *book);

/* Have BOOK be the open one of this process, until it is destroyed; NULL: none is. */
void lw_sharebook_open(struct lw_sharebook *book);
/*
 * As lw_share_known_find() of the open book. job_submit asks in RPC threads, under Slurm's locks:
 * it waits for one run to be learned at most, and no file is touched. False, too, if none is
 * open.
 */
bool lw_sharebook_ask(const struct lw_share_key *key, int64_t since_s,
		      struct lw_share_record *ret_record);

/* Write the file if anything was learned since. 0, or -errno with ERR. */
int lw_sharebook_save(struct lw_sharebook *book, struct lw_error *err);

#endif
