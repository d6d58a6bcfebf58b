/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a finished job's admin_comment, which only accounting still lets us change. */
#ifndef LW_RECORD_ACCOUNT_H
#define LW_RECORD_ACCOUNT_H

#include "base/error.h"
#include "base/strbuf.h"
#include "record/record.h"

/*
 * slurmctld refuses every update of a job that has ended; slurmdbd does not. Leeway asks it
 * through sacct and sacctmgr, as an administrator would, so that no code of Slurm's accounting
 * runs in a process that was not made for it.
 *
 * BIN is the directory of the commands, "" for PATH. Each command gets at most
 * LW_ACCOUNT_LIMIT_S seconds.
 */
#define LW_ACCOUNT_LIMIT_S    20
#define LW_ACCOUNT_OUTPUT_MAX (64 << 20)

/*
 * Run ARGV (NULL-terminated; the first word is searched in BIN) and append its standard output
 * to OUT, which may be NULL. If it fails without a word, it is run again, three times in all.
 * -EIO with ERR if it fails: the last line of its standard error, or else its signal or exit
 * status. -EFBIG if it writes more than LW_ACCOUNT_OUTPUT_MAX bytes.
 */
int lw_account_run(const char *bin, const char *const *argv, struct lw_strbuf *out,
		   struct lw_error *err);

/* A job in the accounting. */
struct lw_account_job {
	char name[64]; /* "12", "12_3" or "12+1" */
	bool ended;    /* accounting knows its end */
	char *comment; /* its admin_comment, for free() */
};

/*
 * Find job JOB_ID (array tasks and het components are jobs of their own) in TEXT, the output of
 * "sacct -n -P -o JobIDRaw,JobID,End,AdminComment". -ENOENT: it is not there. -ENOMEM.
 */
int lw_account_find(const char *text, uint32_t job_id, struct lw_account_job *ret_job);

/* How to put a comment there. */
struct lw_account_how {
	const char *bin;
	bool js1;    /* with the summary for jobstats */
	bool change; /* false: only say what it would be */
};

/*
 * Put the summary of RECORDS (all of one job) into its admin_comment, see lw_comment_make(), and
 * the whole comment into *ret_comment for free(), which may be NULL. -ENOTSUP: the cluster has
 * no slurmdbd. -ENOENT: accounting does not know the job. -EAGAIN: it does not know the job's
 * end yet; with the end slurmctld sends the job's own admin_comment, with its tag, and
 * overwrites whatever is there. -EINVAL: the comment contains what sacctmgr cannot carry: a
 * quotation mark or, before 24.11, capital letters (JS1, which has them throughout, is then left
 * out); -EIO and others with ERR.
 */
int lw_account_put(const struct lw_account_how *how, struct lw_record *const *records,
		   uint32_t count, char **ret_comment, struct lw_error *err);

#endif
