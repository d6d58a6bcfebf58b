/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway why: reasons, moments and changes in words. */
#include "cli/why/why.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/when.h"
#include "cli/common/tools.h"
#include "planner/model/statement.h"
#include "predictor/outlook.h"

const char *lw_why_when(int64_t at_s, int64_t now_s, char buf[TOOLS_WHY_WHEN_MAX])
{
	if (at_s == TOOLS_WHY_NONE)
		strcpy(buf, "-");
	else
		lw_when_tell(at_s, now_s, buf);
	return buf;
}

/* Slurm's own text for some jobs that wait for resources. */
#define NODES_AWAY "Nodes required for job are DOWN"

/* Reasons of Slurm's that stand for themselves. */
static const struct {
	const char *name, *why, *help;
} reasons[] = {
	{ "Resources", "not enough is free on its nodes now", "" },
	{ "Priority", "others have their turn first", "" },
	{ "", "Slurm has not looked at it yet", "" },
	{ "Dependency", "it waits for other jobs", "" },
	{ "DependencyNeverSatisfied", "the job that it waits for did not end as it was to",
	  "it will never start: scancel it" },
	{ "BeginTime", "its begin time has not come", "" },
	{ "JobHeldUser", "it is held", "scontrol release it" },
	{ "JobHeldAdmin", "an administrator holds it", "ask the administrator" },
	{ "JobHoldMaxRequeue", "it is held, since it was requeued too often",
	  "look at why it failed, and scontrol release it" },
	{ "Licenses", "a licence that it asks for is not free", "" },
	{ "Reservation", "its reservation has not begun, or is full", "" },
	{ "ReqNodeNotAvail", "nodes that it asks for are reserved or down",
	  "a shorter --time, to end before a maintenance; no --nodelist, if it has one" },
	{ "Nodes", "nodes that it asks for are down, drained or reserved", "" },
	{ "PartitionDown", "its partition is down", "" },
	{ "PartitionInactive", "its partition is inactive", "" },
	{ "PartitionTimeLimit", "its time limit is longer than its partition allows",
	  "a shorter --time, or another partition" },
	{ "PartitionNodeLimit", "it asks for more or fewer nodes than its partition allows",
	  "another number of nodes, or another partition" },
	{ "PartitionConfig", "its partition does not allow what it asks for", "" },
	{ "BadConstraints", "no node has what it asks for", "look at --constraint and --gres" },
	{ "JobArrayTaskLimit", "as many tasks of its array run as may at a time", "" },
	{ "QOSNotAllowed", "its partition does not take jobs of its QOS",
	  "another QOS, or another partition" },
	{ "AccountNotAllowed", "its partition does not take jobs of its account",
	  "another account, or another partition" },
	{ "InvalidQOS", "its QOS is gone, or no longer its user's", "another QOS" },
	{ "InvalidAccount", "its account is gone, or no longer its user's", "another account" },
	{ "QOSUsageThreshold", "its user has used more than its QOS wants for a start",
	  "it may start when earlier use counts less" },
	{ "ReservationDeleted", "its reservation is gone",
	  "scontrol update ReservationName=, and scontrol release it" },
	{ "ReservationInvalid", "its reservation is gone",
	  "scontrol update ReservationName=, and scontrol release it" },
	{ "MaxMemPerLimit", "it asks for more memory than its partition allows",
	  "a smaller --mem, or another partition" },
	{ "DeadLine", "it can no longer meet its deadline", "" },
	{ "Cleaning", "it ran before, and is being cleaned up", "" },
};

/* Words for what a limit is of. */
static const struct {
	const char *part, *word;
} amounts[] = {
	{ "GRES", "GPUs or other GRES" },
	{ "Gres", "GPUs or other GRES" },
	{ "CPURunMin", "CPU minutes" },
	{ "CpuRunMin", "CPU minutes" },
	{ "CpuMin", "CPU minutes" },
	{ "CPUMin", "CPU minutes" },
	{ "Cpu", "CPUs" },
	{ "CPU", "CPUs" },
	{ "Mem", "memory" },
	{ "Node", "nodes" },
	{ "Wall", "time" },
	{ "Billing", "billing units" },
	{ "BB", "burst buffers" },
	{ "License", "licences" },
	{ "Energy", "energy" },
	{ "Submit", "jobs in the queue" },
	{ "Job", "jobs" },
};

static const char *amount_of(const char *reason)
{
	for (size_t i = 0; i < sizeof(amounts) / sizeof(amounts[0]); i++)
		if (strstr(reason, amounts[i].part))
			return amounts[i].word;
	return "use";
}

static const char *whose(const char *reason)
{
	if (strstr(reason, "PerUser"))
		return "of one user ";
	if (strstr(reason, "PerAccount"))
		return "of one account ";
	if (strstr(reason, "PerJob"))
		return "of one job ";
	if (strstr(reason, "PerNode"))
		return "on one node ";
	return strstr(reason, "Grp") ? "of all together " : "";
}

/* What limits do, by a part of their names: the first that fits. "": all others. */
static const struct limit_kind {
	const char *part, *does, *help;
} limit_kinds[] = {
	{ "QOSMin", "never allows it",
	  "it will not start as it is: ask for more, or for another QOS" },
	{ "PerJob", "never allows it",
	  "it will not start as it is: ask for less, or for another QOS" },
	{ "PerNode", "never allows it",
	  "it will not start as it is: ask for less, or for another QOS" },
	{ "RunMin", "is reached", "it may start when jobs under that limit end" },
	{ "Minutes", "is used up",
	  "it may start when earlier use counts less, or with less --time" },
	{ "GrpWall", "is used up", "it may start when earlier use counts less" },
	{ "", "is reached", "it may start when jobs under that limit end" },
};

static const struct limit_kind never_kind = {
	"", "never allows it", "it will not start as it is: ask for less, or for another QOS"
};

static const struct limit_kind *kind_of(const char *reason)
{
	const struct limit_kind *kind = limit_kinds;

	while (!strstr(reason, kind->part))
		kind++;
	return kind;
}

/* Names of limits are made of parts: QOSMaxGRESPerUser, AssocGrpCpuLimit. */
static void of_limit(const char *reason, bool never, struct lw_strbuf *why,
		     struct lw_strbuf *help)
{
	const struct limit_kind *kind = kind_of(reason);

	/* the planner knows of a limit for all together that one job alone is beyond it */
	if (never && strcmp(kind->does, never_kind.does) != 0)
		kind = &never_kind;
	lw_strbuf_add(why, "the limit %s %s: %s %sunder its %s", lw_tools_plain(reason),
		      kind->does, amount_of(reason), whose(reason),
		      strncmp(reason, "Assoc", 5) == 0 ? "account" : "QOS");
	lw_strbuf_add(help, "%s", kind->help);
}

/* What Slurm says in a sentence for reasons that have a name, too. */
static const struct {
	const char *begin, *name;
} sentences[] = {
	{ "Job's QOS not permitted to use this partition", "QOSNotAllowed" },
	{ "Job's account not permitted to use this partition", "AccountNotAllowed" },
};

static const char *name_of(const char *reason)
{
	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++)
		if (strncmp(reason, sentences[i].begin, strlen(sentences[i].begin)) == 0)
			return sentences[i].name;
	return reason;
}

static void of_slurm(const struct lw_why_job *job, struct lw_strbuf *why, struct lw_strbuf *help)
{
	const char *reason = name_of(job->reason);
	size_t len = strcspn(reason, " ,(");

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (strlen(reasons[i].name) != len || strncmp(reasons[i].name, reason, len) != 0)
			continue;
		lw_strbuf_add(why, "%s", reasons[i].why);
		lw_strbuf_add(help, "%s", reasons[i].help);
		if (strcmp(reasons[i].name, "Dependency") == 0 && *job->after)
			lw_strbuf_add(why, ": %s", lw_tools_plain(job->after));
		return;
	}
	if (strncmp(reason, "QOS", 3) == 0 || strncmp(reason, "Assoc", 5) == 0 ||
	    strncmp(reason, "Max", 3) == 0)
		of_limit(reason, job->why.never, why, help);
	else
		lw_strbuf_add(why, "%s", lw_tools_plain(reason));
}

/* ": done 17:10 on a100, 19:40 on v100"; ": done 17:10 on a100, v100 has too little memory" */
static void add_types(const struct lw_why_job *job, struct lw_strbuf *why)
{
	const struct lw_statement *told = &job->why;
	char faster[TOOLS_WHY_WHEN_MAX], other[TOOLS_WHY_WHEN_MAX];

	if (!*told->faster.name || !*told->other.name)
		return;
	lw_strbuf_add(why, ": done %s on %s, ",
		      lw_why_when(told->at_s + told->faster.done_s, told->at_s, faster),
		      lw_tools_plain(told->faster.name));
	if (told->cramped) {
		lw_strbuf_add(why, "%s has too little memory by earlier runs",
			      lw_tools_plain(told->other.name));
		return;
	}
	lw_strbuf_add(why, "%s on %s",
		      lw_why_when(told->at_s + told->other.done_s, told->at_s, other),
		      lw_tools_plain(told->other.name));
}

/* The plan's sentence, or a shorter one where the word tells what the plan's leaves open. */
static const char *plan_sentence(const struct lw_statement *told, enum lw_reason reason)
{
	bool types = *told->faster.name && *told->other.name;

	if (reason == LW_REASON_COUNT)
		return lw_tools_plain(told->reason);
	if (reason != LW_REASON_WAITS_FOR_TYPE || !types)
		return lw_reason_sentence(reason);
	return told->cramped || told->faster.done_s < told->other.done_s
		       ? "there is room now, but on GPUs that it waits for it ends sooner"
		       : "there is room now, but GPUs that it waits for take less energy";
}

/* What a user can do about it. */
static void plan_help(const struct lw_statement *told, enum lw_reason reason,
		      struct lw_strbuf *help)
{
	if (reason == LW_REASON_WAITS_FOR_TYPE && *told->other.name && !told->cramped)
		lw_strbuf_add(help, "to start now all the same, ask for %s by name",
			      lw_tools_plain(told->other.name));
	if (reason == LW_REASON_WAITS_FOR_REPAIR)
		lw_strbuf_add(help, "nothing to change in the job: sinfo -R shows why they are");
	if (reason == LW_REASON_WAITS_FOR_NODES)
		lw_strbuf_add(help, "ask for less a node, or for other nodes: sinfo -N -o "
				    "\"%%N %%c %%m %%G\" shows what they have");
}

static void of_plan(const struct lw_why_job *job, struct lw_strbuf *why, struct lw_strbuf *help)
{
	enum lw_reason reason = lw_reason_find(job->why.reason);

	lw_strbuf_add(why, "%s", plan_sentence(&job->why, reason));
	plan_help(&job->why, reason, help);
	if (job->why.head && reason == LW_REASON_WAITS_FOR_HEAD)
		lw_strbuf_add(why, " (job %" PRIu32 ")", job->why.head);
	add_types(job, why);
	if (job->why.stopped)
		lw_strbuf_add(why, "; job %" PRIu32 " was asked to stop and make room for it",
			      job->why.stopped);
	else if (job->why.after)
		lw_strbuf_add(why, "; the end of job %" PRIu32 " makes the room", job->why.after);
	if (job->why.most_nodes)
		lw_strbuf_add(why, "; the plan chooses its number of nodes: %" PRIu32,
			      job->why.least_nodes);
	if (job->why.most_nodes > job->why.least_nodes)
		lw_strbuf_add(why, " to %" PRIu32, job->why.most_nodes);
	if (job->why.before)
		lw_strbuf_add(why, "; %" PRIu32 " job%s before it", job->why.before,
			      job->why.before == 1 ? " is" : "s are");
}

bool lw_why_is_for_room(const char *reason)
{
	return !*reason || strcmp(reason, "Resources") == 0 || strcmp(reason, "Priority") == 0 ||
	       strncmp(reason, "planned ", 8) == 0 ||
	       strncmp(reason, NODES_AWAY, strlen(NODES_AWAY)) == 0;
}

bool lw_why_begins_later(const struct lw_why_job *job)
{
	return strncmp(job->reason, "BeginTime", 9) == 0;
}

bool lw_why_is_planned(const struct lw_why_job *job)
{
	return !job->told && strncmp(job->reason, "planned ", 8) == 0;
}

void lw_why_sentence(const struct lw_why_job *job, struct lw_strbuf *why, struct lw_strbuf *help)
{
	if (!job->waits)
		lw_strbuf_add(why, "it does not wait: %s", lw_tools_plain(job->state));
	else if (job->told && *job->why.limit)
		of_limit(job->why.limit, true, why, help);
	else if (job->told && *job->why.reason && lw_why_is_for_room(job->reason))
		of_plan(job, why, help);
	else if (lw_why_is_planned(job))
		lw_strbuf_add(why, "%s", lw_tools_plain(job->reason));
	else
		of_slurm(job, why, help);
}

enum lw_why_likely lw_why_judge(const struct lw_why_job *job, int64_t now_s)
{
	const struct lw_statement *why = &job->why;

	if (!job->told || !why->likely)
		return TOOLS_WHY_UNKNOWN;
	if (lw_why_at(job, why->p90_s) < now_s)
		return TOOLS_WHY_OVERDUE;
	return lw_outlook_is_wide(why->low_s, why->p90_s) ? TOOLS_WHY_WIDE : TOOLS_WHY_LIKELY;
}

const char *lw_why_unkept(const struct lw_why_job *job)
{
	switch (job->why.unkept) {
	case LW_UNKEPT_NODES:
		return "nodes that it was based on are down, drained or reserved";
	case LW_UNKEPT_END:
		return "the job that makes the room may run longer than when it was promised";
	case LW_UNKEPT_NEVER:
		return "it will not start as it is";
	case LW_UNKEPT_ROOM:
		return "by hard limits there is no room before";
	default:
		return NULL;
	}
}

/* "2:00:00", as --time takes it. */
static void print_limit(uint32_t limit_s, char *buf, size_t size)
{
	snprintf(buf, size, "%" PRIu32 ":%02" PRIu32 ":00", limit_s / 3600, limit_s / 60 % 60);
}

/*
 * The command that makes CHANGE of the job, as scontrol takes it: of the tasks of an array, not
 * with how many may run at a time, and no list that squeue has cut.
 */
static void add_command(const struct lw_why_job *job, const char *change,
			struct lw_strbuf *command)
{
	const char *id = lw_tools_plain(job->id);
	int len = (int)strcspn(id, "%");

	if (!strstr(id, "..."))
		lw_strbuf_add(command, "scontrol update JobId=%.*s%s %s", len, id,
			      id[len] ? "]" : "", change);
}

void lw_why_hint(const struct lw_why_job *job, const struct lw_hint *hint,
		 struct lw_strbuf *words, struct lw_strbuf *command)
{
	char limit[32], change[LW_WHY_PART_MAX + 32];

	switch ((enum lw_hint_kind)hint->kind) {
	case LW_HINT_LIMIT:
		print_limit(hint->value, limit, sizeof(limit));
		lw_strbuf_add(words, "with --time=%s", limit);
		snprintf(change, sizeof(change), "TimeLimit=%s", limit);
		add_command(job, change, command);
		break;
	case LW_HINT_NODES:
		lw_strbuf_add(words, "on %" PRIu32 " node%s", hint->value,
			      hint->value == 1 ? "" : "s");
		snprintf(change, sizeof(change), "NumNodes=%" PRIu32, hint->value);
		/* scontrol changes the size of one job at a time */
		if (!strchr(job->id, '['))
			add_command(job, change, command);
		break;
	case LW_HINT_GPUS:
		lw_strbuf_add(words, "with %" PRIu32 " GPU%s where it asks for more", hint->value,
			      hint->value == 1 ? "" : "s");
		break;
	case LW_HINT_CPUS:
		lw_strbuf_add(words, "with %" PRIu32 " CPU%s where it asks for more", hint->value,
			      hint->value == 1 ? "" : "s");
		break;
	case LW_HINT_SHARED:
		lw_strbuf_add(words, "without --exclusive");
		break;
	case LW_HINT_ANY_TYPE:
		lw_strbuf_add(words, "with GPUs of any type");
		break;
	case LW_HINT_PARTITION:
		lw_strbuf_add(words, "in partition %s", lw_tools_plain(job->why.partition));
		snprintf(change, sizeof(change), "Partition=%s",
			 lw_tools_plain(job->why.partition));
		add_command(job, change, command);
		break;
	case LW_HINT_NONE:
		break;
	}
}

const char *lw_why_deadline(const struct lw_why_job *job)
{
	switch (job->why.deadline) {
	case LW_DEADLINE_ACCEPTED:
		return "accepted";
	case LW_DEADLINE_RISK:
		return "at risk";
	case LW_DEADLINE_MET:
		return "met";
	case LW_DEADLINE_MISSED:
		return "will miss";
	default:
		return NULL;
	}
}
