/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway why: what squeue tells of jobs that wait. */
#include "cli/why/why.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/common/sacct.h"
#include "cli/common/slurmcall.h"
#include "record/account.h"

#define UNKNOWN_JOB "Invalid job id"

static const char format[] = "JobArrayID:|,UserName:|,State:|,Reason:|,Partition:|,StartTime:|,"
			     "SubmitTime:|,Deadline:|,SchedNodes:|,Dependency:|,Reservation:|,"
			     "Licenses:|,Name:|,system_comment:";
static const char header[] = "JobID|User|State|Reason|Partition|Start|Submit|Deadline|SchedNodes|"
			     "Dependency|Reservation|Licenses|JobName|SystemComment\n";
enum {
	ID,
	USER,
	STATE,
	REASON,
	PARTITION,
	START,
	SUBMIT,
	DEADLINE,
	NODES,
	AFTER,
	RESERVATION,
	LICENSES,
	NAME,
	COMMENT,
	COLUMNS
};

static void fini_job(struct lw_why_job *job)
{
	free(job->id);
	free(job->user);
	free(job->name);
	free(job->state);
	free(job->reason);
	free(job->partition);
	free(job->after);
	free(job->nodes);
	free(job->reservation);
	free(job->licences);
	free(job->until);
}

void lw_why_fini(struct lw_why_jobs *jobs)
{
	for (uint32_t i = 0; i < jobs->count; i++)
		fini_job(&jobs->jobs[i]);
	free(jobs->jobs);
	memset(jobs, 0, sizeof(*jobs));
}

static int64_t time_of(const char *text)
{
	int64_t at_s;

	return lw_sacct_time(text, "", &at_s, NULL) || at_s == LW_SACCT_NONE || !at_s
		       ? TOOLS_WHY_NONE
		       : at_s;
}

static int64_t latest_of(const char *comment)
{
	int64_t latest_s = lw_slurm_latest_start(comment);

	return latest_s < 0 ? TOOLS_WHY_NONE : latest_s;
}

/* What squeue prints for nothing is nothing. */
static char *copy(const char *text)
{
	bool none = strcmp(text, "(null)") == 0 || strcmp(text, "N/A") == 0 ||
		    strcmp(text, "None") == 0;

	return strdup(none ? "" : text);
}

static int add_job(struct lw_why_jobs *jobs, char *const *fields)
{
	struct lw_why_job job = {
		.id = strdup(fields[ID]),
		.user = strdup(fields[USER]),
		.name = strdup(fields[NAME]),
		.state = strdup(fields[STATE]),
		.reason = copy(fields[REASON]),
		.partition = strdup(fields[PARTITION]),
		.after = copy(fields[AFTER]),
		.nodes = copy(fields[NODES]),
		.reservation = copy(fields[RESERVATION]),
		.licences = copy(fields[LICENSES]),
		.start_s = time_of(fields[START]),
		.submit_s = time_of(fields[SUBMIT]),
		.deadline_s = time_of(fields[DEADLINE]),
		.latest_s = latest_of(fields[COMMENT]),
		.until_s = TOOLS_WHY_NONE,
	};

	if (!job.id || !job.user || !job.name || !job.state || !job.reason || !job.partition ||
	    !job.after || !job.nodes || !job.reservation || !job.licences ||
	    lw_grow((void **)&jobs->jobs, &jobs->room, jobs->count + 1, sizeof(*jobs->jobs))) {
		fini_job(&job);
		return -ENOMEM;
	}
	job.waits = strncmp(job.state, "PENDING", 7) == 0;
	job.told = job.waits && !lw_why_decode(fields[COMMENT], &job.why);
	jobs->jobs[jobs->count++] = job;
	return 0;
}

static int add_rows(struct lw_sacct *table, const char *command, struct lw_why_jobs *jobs,
		    struct lw_error *err)
{
	char **row;
	int rc;

	while ((rc = lw_sacct_next_row(table, &row, err)) > 0)
		if (add_job(jobs, row))
			return lw_error_set(err, -ENOMEM, "out of memory");
	return rc ? rc : lw_sacct_passed(table, command, err);
}

int lw_why_read(const char *text, const char *command, struct lw_why_jobs *jobs,
		struct lw_error *err)
{
	struct lw_strbuf whole = LW_STRBUF_INIT;
	struct lw_sacct table;
	int rc;

	lw_strbuf_add(&whole, "%s%s", header, text);
	rc = whole.error ? lw_error_set(err, -ENOMEM, "out of memory")
			 : lw_sacct_of_text(&table, lw_strbuf_text(&whole), "squeue", err);
	lw_strbuf_fini(&whole);
	if (rc)
		return rc;
	rc = add_rows(&table, command, jobs, err);
	lw_sacct_fini(&table);
	return rc;
}

/* Reasons of Slurm's with which a job starts at no time, whatever was planned before. */
static const char *const never[] = { "JobHeldUser", "JobHeldAdmin", "DependencyNeverSatisfied" };

/* What the word of JOB may be believed of at NOW_S. */
static void doubt(struct lw_why_job *job, int64_t now_s)
{
	/* clocks differ by less: of such a word nothing is known */
	job->told = job->told && job->why.at_s - now_s <= LW_WHY_AHEAD_S;
	/* what was promised once holds */
	if (job->told && job->why.latest_s)
		job->latest_s = job->why.latest_s;
	if (job->told && now_s - job->why.at_s > LW_WHY_HINTS_S)
		job->why.hints[0].kind = LW_HINT_NONE;
	job->stale = job->told && now_s - job->why.at_s > LW_WHY_STALE_S;
	job->told = job->told && !job->stale;
}

void lw_why_doubt(struct lw_why_jobs *jobs, int64_t now_s)
{
	for (uint32_t i = 0; i < jobs->count; i++) {
		struct lw_why_job *job = &jobs->jobs[i];

		doubt(job, now_s);
		for (size_t r = 0; r < sizeof(never) / sizeof(never[0]); r++)
			if (strncmp(job->reason, never[r], strlen(never[r])) == 0)
				job->told = job->stale = false;
	}
}

static bool is_told(const struct lw_why_jobs *jobs, uint32_t count, const char *id)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(jobs->jobs[i].id, id) == 0)
			return true;
	return false;
}

/* squeue prints a job as often as it is named. */
static void drop_twice(struct lw_why_jobs *jobs)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < jobs->count; i++) {
		if (is_told(jobs, kept, jobs->jobs[i].id))
			fini_job(&jobs->jobs[i]);
		else
			jobs->jobs[kept++] = jobs->jobs[i];
	}
	jobs->count = kept;
}

int lw_why_ask(const struct lw_why_asked *asked, struct lw_why_jobs *ret_jobs,
	       struct lw_error *err)
{
	const char *option = asked->ids ? "-j" : asked->user ? "-u" : NULL;
	const char *argv[] = { "squeue",
			       "-h",
			       "-a",
			       "-t",
			       asked->ids ? "all" : "PENDING",
			       "-O",
			       format,
			       option,
			       asked->ids ? asked->ids : asked->user,
			       NULL };
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error why = { "" };
	int rc;

	memset(ret_jobs, 0, sizeof(*ret_jobs));
	lw_slurm_environment();
	rc = lw_account_run("", argv, &text, &why);
	if (rc)
		rc = lw_error_set(err, strstr(why.text, UNKNOWN_JOB) ? -ENOENT : rc, "%s",
				  why.text);
	else
		rc = lw_why_read(lw_strbuf_text(&text), asked->command, ret_jobs, err);
	lw_strbuf_fini(&text);
	if (rc)
		lw_why_fini(ret_jobs);
	else if (asked->ids)
		drop_twice(ret_jobs);
	return rc;
}
