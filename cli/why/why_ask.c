/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway why: what squeue tells of jobs that wait. */
#include "cli/why/why.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cli/common/rows.h"
#include "cli/common/slurmcall.h"
#include "planner/model/statement.h"

/* What may hold bars stands last: a name can then not be taken for what is Slurm's. */
static const enum lw_column needs[] = {
	LW_COL_JOB,          LW_COL_USER,           LW_COL_STATE,       LW_COL_REASON,
	LW_COL_PARTITION,    LW_COL_START,          LW_COL_SUBMIT,      LW_COL_DEADLINE,
	LW_COL_PLANNED_LIST, LW_COL_DEPENDENCY,     LW_COL_RESERVATION, LW_COL_LICENSES,
	LW_COL_NAME,         LW_COL_SYSTEM_COMMENT, LW_COL_END_OF_LIST
};

/* For its history, and a stop; and whether Leeway plans it. */
static const enum lw_column past_uses[] = { LW_COL_COMMENT, LW_COL_END_OF_LIST };
static const enum lw_column past_qos_uses[] = { LW_COL_QOS, LW_COL_COMMENT, LW_COL_END_OF_LIST };
static const enum lw_column qos_uses[] = { LW_COL_QOS, LW_COL_END_OF_LIST };

/* Of sacct. */
static const enum lw_column ended_needs[] = { LW_COL_JOB,        LW_COL_STATE, LW_COL_SUBMIT,
					      LW_COL_START,      LW_COL_END,   LW_COL_REASON,
					      LW_COL_END_OF_LIST };
static const enum lw_column ended_uses[] = { LW_COL_USER, LW_COL_NAME, LW_COL_PARTITION,
					     LW_COL_COMMENT, LW_COL_END_OF_LIST };

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
	free(job->qos);
	free(job->until);
}

void lw_why_fini(struct lw_why_jobs *jobs)
{
	for (uint32_t i = 0; i < jobs->count; i++)
		fini_job(&jobs->jobs[i]);
	free(jobs->jobs);
	memset(jobs, 0, sizeof(*jobs));
}

static int64_t time_of(const struct lw_row *row, enum lw_column column)
{
	int64_t at_s;

	return lw_row_value(row, column, &at_s, NULL) || at_s == LW_SACCT_NONE || !at_s
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

static int add_job(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct lw_why_jobs *jobs = to;
	struct lw_why_job job = {
		.id = strdup(row->job),
		.user = strdup(row->user),
		.name = strdup(row->name),
		.state = strdup(row->state),
		.reason = copy(row->reason),
		.partition = strdup(row->partition),
		.after = copy(row->dependency),
		.nodes = copy(row->planned_list),
		.reservation = copy(row->reservation),
		.licences = copy(row->licenses),
		.qos = copy(row->qos),
		.start_s = time_of(row, LW_COL_START),
		.submit_s = time_of(row, LW_COL_SUBMIT),
		.deadline_s = time_of(row, LW_COL_DEADLINE),
		.latest_s = latest_of(row->system_comment),
		.end_s = time_of(row, LW_COL_END),
		.until_s = TOOLS_WHY_NONE,
	};

	(void)err;
	if (!job.id || !job.user || !job.name || !job.state || !job.reason || !job.partition ||
	    !job.after || !job.nodes || !job.reservation || !job.licences || !job.qos ||
	    lw_grow((void **)&jobs->jobs, &jobs->room, jobs->count + 1, sizeof(*jobs->jobs))) {
		fini_job(&job);
		return -ENOMEM;
	}
	job.waits = strncmp(job.state, "PENDING", 7) == 0;
	job.told = job.waits && !lw_why_decode(row->system_comment, &job.why);
	(void)lw_past_decode(row->comment, &job.past);
	(void)lw_stop_word_read(row->comment, &job.stop);
	(void)lw_nodeloss_read(row->comment, &job.loss);
	jobs->jobs[jobs->count++] = job;
	return 0;
}

static struct lw_rows why_reader(const char *command, struct lw_why_jobs *jobs)
{
	return (struct lw_rows){
		.needs = needs, .of_squeue = true, .command = command, .take = add_job, .to = jobs
	};
}

int lw_why_read(const char *text, const char *command, struct lw_why_jobs *jobs,
		struct lw_error *err)
{
	struct lw_rows rows = why_reader(command, jobs);

	return lw_rows_of_text(&rows, text, err);
}

/* Reasons of Slurm's with which a job starts at no time, whatever was planned before. */
static const struct {
	const char *part;
	bool ever; /* it may once that is over */
} never[] = {
	{ "JobHeldUser", true },
	{ "JobHeldAdmin", true },
	{ "JobHoldMaxRequeue", true },
	/* texts of Slurm's, which squeue may print with "_" */
	{ "requeued in held state", true },
	{ "requeued_in_held_state", true },
	{ "requeued held", true },
	{ "requeued_held", true },
	/* the next cycle plans it no more, but the word of the last one stands until then */
	{ "PartitionDown", true },
	{ "PartitionInactive", true },
	{ "DependencyNeverSatisfied", false },
	{ "PartitionTimeLimit", false },
	{ "PartitionNodeLimit", false },
	{ "BadConstraints", false },
	{ "PartitionConfig", false },
	{ "NotAllowed", false },
	{ "not permitted to use this partition", false },
	{ "InvalidQOS", false },
	{ "InvalidAccount", false },
	{ "ReservationDeleted", true },
	{ "ReservationInvalid", true },
	{ "MaxMemPerLimit", false },
	{ "QOSMin", false },
	{ "PerJob", false },
	{ "PerNode", false },
};

/* May JOB still be told of a change? That of a het job would be one of its leader alone. */
static bool is_helped(const struct lw_why_job *job, int64_t now_s)
{
	return now_s - job->why.at_s <= LW_WHY_HINTS_S && lw_why_is_for_room(job->reason) &&
	       !strchr(job->id, '+');
}

/* What the word of JOB may be believed of at NOW_S. */
static void doubt(struct lw_why_job *job, int64_t now_s)
{
	/* clocks differ by less: of such a word nothing is known */
	job->told = job->told && job->why.at_s - now_s <= LW_WHY_AHEAD_S;
	/* what was promised once holds */
	if (job->told && job->why.latest_s)
		job->latest_s = job->why.latest_s;
	else if (!job->told)
		job->why = (struct lw_statement){ .at_s = now_s };
	if (!is_helped(job, now_s))
		job->why.hints[0].kind = LW_HINT_NONE;
	job->stale = job->told && now_s - job->why.at_s > LW_WHY_STALE_S;
	job->told = job->told && !job->stale;
	if (job->stale)
		job->why = (struct lw_statement){ .at_s = job->why.at_s };
}

/* By Slurm's reason JOB does not start: what was planned of it is over. */
static void heed_reason(struct lw_why_job *job, int64_t now_s)
{
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
		if (!strstr(job->reason, never[i].part))
			continue;
		if (!job->why.never)
			job->why =
				(struct lw_statement){ .at_s = now_s, .never = !never[i].ever };
		job->told = job->stale = false;
		job->start_s = TOOLS_WHY_NONE;
	}
}

/* Without a word of the planner's a promise is one that it left behind, unless its reason is
 * there. */
static void settle(struct lw_why_job *job)
{
	struct lw_statement *said = &job->why;

	job->lapsed = job->latest_s != TOOLS_WHY_NONE && !job->told && !lw_why_is_planned(job);
	if (job->latest_s != TOOLS_WHY_NONE && !job->lapsed)
		said->latest_s = job->latest_s;
	if (job->deadline_s != TOOLS_WHY_NONE)
		said->deadline_s = job->deadline_s;
	if (!said->planned_s && job->start_s != TOOLS_WHY_NONE && !lw_why_begins_later(job))
		said->planned_s = job->start_s;
	lw_statement_settle(NULL, said);
}

void lw_why_doubt(struct lw_why_jobs *jobs, int64_t now_s)
{
	for (uint32_t i = 0; i < jobs->count; i++) {
		struct lw_why_job *job = &jobs->jobs[i];

		if (!job->waits)
			continue;
		doubt(job, now_s);
		heed_reason(job, now_s);
		settle(job);
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
	const char *options[] = { "-t", asked->ids ? "all" : "PENDING",
				  asked->ids    ? "-j"
				  : asked->user ? "-u"
						: NULL,
				  asked->ids ? asked->ids : asked->user, NULL };
	struct lw_rows rows = why_reader(asked->command, ret_jobs);
	int rc;

	rows.uses = asked->past && asked->qos ? past_qos_uses
		    : asked->past             ? past_uses
		    : asked->qos              ? qos_uses
					      : NULL;
	memset(ret_jobs, 0, sizeof(*ret_jobs));
	lw_slurm_environment();
	rc = lw_rows_ask(&rows, "", options, err);
	if (rc)
		lw_why_fini(ret_jobs);
	else if (asked->ids)
		drop_twice(ret_jobs);
	return rc;
}

/* squeue hides a job that has not ended: so does this. */
static int add_ended(void *to, const struct lw_row *row, struct lw_error *err)
{
	return time_of(row, LW_COL_END) == TOOLS_WHY_NONE ? 0 : add_job(to, row, err);
}

int lw_why_ask_ended(const char *ids, struct lw_why_jobs *ret_jobs)
{
	const char *options[] = { "-j", ids, NULL };
	struct lw_rows rows = { .needs = ended_needs,
				.uses = ended_uses,
				.command = "why",
				.lenient = true,
				.take = add_ended,
				.to = ret_jobs };
	struct lw_error why;

	memset(ret_jobs, 0, sizeof(*ret_jobs));
	if (!lw_rows_ask(&rows, "", options, &why) && ret_jobs->count)
		return 0;
	lw_why_fini(ret_jobs);
	return -ENOENT;
}
