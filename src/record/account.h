/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a finished job's admin_comment, which only accounting still lets us change. */
#ifndef LW_RECORD_ACCOUNT_H
#define LW_RECORD_ACCOUNT_H

#include "base/error.h"
#include "base/strbuf.h"
#include "record/record.h"

/*
 * slurmctld refuses every update of a job that has ended, slurmdbd does not. We ask it
 * through sacct and sacctmgr, as an administrator would, so that no code of Slurm's
 * accounting runs in a process that was not made for it.
 *
 * BIN is the directory of the commands, "" for PATH. Each command gets at most
 * LW_ACCOUNT_LIMIT_S seconds.
 */
#define LW_ACCOUNT_LIMIT_S    20
#define LW_ACCOUNT_OUTPUT_MAX (64 << 20)

/*
 * Run ARGV (NULL-terminated; the first word is looked for in BIN) and take what it writes
 * to standard output to OUT, which may be NULL. If it fails without a word, it is run again,
 * three times in all. -EIO with ERR when it fails: the last line of its complaint, never
 * of its output, or else the signal or the status it ended with. -EFBIG when it writes more than
 * LW_ACCOUNT_OUTPUT_MAX bytes.
 */
int lw_account_run(const char *bin, const char *const *argv, struct lw_strbuf *out,
		   struct lw_error *err);

/* A job as accounting knows it. */
struct lw_account_job {
	char name[64]; /* "12", "12_3" or "12+1" */
	bool ended;    /* accounting has heard of its end */
	char *comment; /* its admin_comment, for free() */
};

/*
 * Find raw job id JOB_ID (an array task, a het component are jobs of their own) in TEXT,
 * the answer to "sacct -n -P -o JobIDRaw,JobID,End,AdminComment". -ENOENT: it is not there.
 * -ENOMEM.
 */
int lw_account_find(const char *text, uint32_t job_id, struct lw_account_job *ret_job);

/* How a comment is put there. */
struct lw_account_how {
	const char *bin;
	bool js1;    /* with the summary that jobstats reads */
	bool change; /* else only tell what it would be */
};

/*
 * Put the summary of RECORDS (all of one job) into its admin_comment, see lw_comment_make(), and
 * the whole of it into *ret_comment for free(), which may be NULL.
 * -ENOTSUP: the cluster has no slurmdbd. -ENOENT: accounting does not know the job. -EAGAIN: it
 * has not heard of the job's end, with which slurmctld sends the admin_comment that the job
 * has, tag and all, over whatever stands there by then. -EINVAL: the comment has what sacctmgr
 * cannot carry: a quotation mark or, before 24.11, capital letters (JS1, which is nothing but,
 * is left out there); -EIO and others with ERR.
 */
int lw_account_put(const struct lw_account_how *how, struct lw_record *const *records,
		   uint32_t count, char **ret_comment, struct lw_error *err);

#endif
