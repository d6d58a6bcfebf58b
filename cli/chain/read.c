/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway chain show: squeue and sacct are asked for all jobs of a user. */
#include "cli/chain/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/chain/member.h"
#include "cli/common/slurmcall.h"

/* What sacct says where there is no slurmdbd. */
#define NO_ACCOUNTING "accounting storage is disabled"

/* Ask squeue for what OPTION VALUE selects. -ENOENT: it knows no such job. */
static int ask_squeue(const char *option, const char *value, struct lw_chain_rows *rows,
		      struct lw_error *err)
{
	const char *options[] = { "-t", "all", option, value, NULL };

	return lw_chain_ask_rows(true, options, rows, err);
}

/* The same of sacct, since SINCE unless that is NULL; what keeps it from telling is in ROWS. */
static int ask_accounting(const char *option, const char *value, const char *since,
			  struct lw_chain_rows *rows, struct lw_error *err)
{
	const char *options[] = { "-D", option, value, since ? "-S" : NULL, since, NULL };
	struct lw_error why = { "" };
	int rc = lw_chain_ask_rows(false, options, rows, &why);

	if (!rc || rc == -ENOMEM)
		return rc ? lw_error_set(err, rc, "out of memory") : 0;
	free(rows->missing);
	rows->missing = strdup(strcasestr(why.text, NO_ACCOUNTING) ? "none is kept" : why.text);
	return rows->missing ? 0 : lw_error_set(err, -ENOMEM, "out of memory");
}

/* Find any row of the job: it has the user and the array or het job that it belongs to. */
static int find_job(uint32_t job, struct lw_chain_rows *rows, struct lw_error *err)
{
	char digits[16];
	int rc;

	snprintf(digits, sizeof(digits), "%" PRIu32, job);
	rc = ask_squeue("-j", digits, rows, err);
	if (rc && rc != -ENOENT)
		return rc;
	rc = rows->count ? 0 : ask_accounting("-j", digits, NULL, rows, err);
	if (rc || rows->count)
		return rc;
	return lw_error_set(
		err, -ENOENT,
		"there is no job %" PRIu32 " that you may see: squeue has it not, or no "
		"longer, and accounting%s%s",
		job, rows->missing ? ": " : " neither", rows->missing ? rows->missing : "");
}

static void print_since(int64_t since_s, char *buf, size_t size)
{
	time_t since = (time_t)(since_s > 86400 ? since_s : 86400);
	struct tm tm;

	if (!localtime_r(&since, &tm) || !strftime(buf, size, "%Y-%m-%dT%H:%M:%S", &tm))
		snprintf(buf, size, "1970-01-02");
}

/* The job has gone from the queue in between, or its user may not be asked for: FIRST is all. */
static void keep_first(struct lw_chain_rows *rows, struct lw_chain_rows *first)
{
	struct lw_chain_rows others = *rows;

	*rows = *first;
	free(rows->missing);
	rows->missing = others.missing;
	others.missing = NULL;
	*first = others;
	lw_chain_merge(rows);
}

/* All that both tell of USER's jobs since FROM_S, as they tell it. */
static int ask_user(const char *user, int64_t from_s, struct lw_chain_rows *rows,
		    struct lw_error *err)
{
	char since[32];
	int rc = ask_squeue("-u", user, rows, err);

	/* no job of the user is left in the queue */
	if (rc && rc != -ENOENT)
		return rc;
	print_since(from_s, since, sizeof(since));
	return ask_accounting("-u", user, since, rows, err);
}

int lw_chain_read_user(const char *user, int64_t from_s, struct lw_chain_rows *rows,
		       struct lw_error *err)
{
	int rc;

	memset(rows, 0, sizeof(*rows));
	lw_slurm_environment();
	rc = ask_user(user, from_s, rows, err);
	if (!rc)
		lw_chain_merge(rows);
	return rc;
}

int lw_chain_read(uint32_t *base, int64_t since_s, int64_t now_s, struct lw_chain_rows *rows,
		  struct lw_error *err)
{
	struct lw_chain_rows first = { 0 };
	int64_t from_s = now_s;
	int rc;

	memset(rows, 0, sizeof(*rows));
	lw_slurm_environment();
	rc = find_job(*base, &first, err);
	if (!rc) {
		*base = first.rows[0].base;
		if (first.rows[0].submit_s >= 0 && first.rows[0].submit_s < from_s)
			from_s = first.rows[0].submit_s;
		rc = ask_user(first.rows[0].user, from_s - since_s, rows, err);
	}
	if (!rc)
		lw_chain_merge(rows);
	if (!rc && lw_chain_group(rows, *base) == rows->count)
		keep_first(rows, &first);
	lw_chain_rows_fini(&first);
	return rc;
}
