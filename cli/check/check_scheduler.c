/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: the plugins that slurm.conf asks for, and what starts jobs. */
#include "cli/check/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "config/starters.h"

/* beyond any time in minutes or days, and still safe to multiply */
#define TIME_MAX UINT32_MAX

/* the history is written this often, and a crash takes what is newer (doc/dev/slurm.md) */
#define HISTORY_WRITE_S 120
/* a job is learned from this long after its end */
#define LEARN_S       5
#define MIN_JOB_AGE_S 300
#define BF_WINDOW_MIN 1440
/* above that, users notice that only the cycle starts jobs */
#define PATIENT_S 10
/* select/linear was the default before 23.11 */
#define CONS_TRES_DEFAULT 0x170b00
/* of Slurm's own levels */
#define LOG_INFO  3
#define LOG_DEBUG 5

static void check_types(struct lw_check *check)
{
	struct lw_check_place place;
	const char *type = lw_check_global(check, "SchedulerType", &place);

	if (type && strcasecmp(type, "sched/backfill") && strcasecmp(type, "backfill")) {
		check->loads = false;
		lw_check_add(check, LW_CHECK_ERROR, "sched-type", place,
			     "SchedulerType=%s: Leeway is only loaded for sched/backfill\n"
			     "SchedulerType=sched/backfill",
			     type);
	}
	type = lw_check_global(check, "SelectType", &place);
	if (!type && check->release && check->release < CONS_TRES_DEFAULT && !check->incomplete)
		type = "select/linear";
	if (type && strcasecmp(type, "select/cons_tres") && strcasecmp(type, "cons_tres"))
		lw_check_add(
			check, LW_CHECK_ERROR, "select-type", place,
			"SelectType is %s: Leeway plans and places for select/cons_tres only\n"
			"SelectType=select/cons_tres; running jobs are lost when it changes, "
			"so drain first",
			type);
}

/* "1-12:30:00", "90", "INFINITE" in minutes; -1 for no limit, -2 for no time at all. */
static int64_t parse_minutes(const char *text)
{
	uint64_t part[3] = { 0, 0, 0 }, days = 0;
	const char *dash = strchr(text, '-');
	int count = 0;

	if (!strcasecmp(text, "INFINITE") || !strcasecmp(text, "UNLIMITED") ||
	    !strcmp(text, "-1"))
		return -1;
	if (dash) {
		if (!lw_number_take(&text, TIME_MAX, &days) || text != dash)
			return -2;
		text = dash + 1;
	}
	for (; count < 3 && *text; count++) {
		if (!lw_number_take(&text, TIME_MAX, &part[count]) || (*text && *text != ':'))
			return -2;
		text += *text == ':';
	}
	/* "days-hours:minutes:seconds", "minutes", "minutes:seconds", "hours:minutes:seconds" */
	if (dash)
		return (int64_t)(days * 1440 + part[0] * 60 + part[1]);
	return (int64_t)(count == 3 ? part[0] * 60 + part[1] : part[0]);
}

/*
 * Stock backfill looks no further ahead than bf_window: longer jobs may starve under it, if it
 * ever plans.
 */
static void check_window(struct lw_check *check)
{
	int64_t window = lw_check_param(check, "bf_window", BF_WINDOW_MIN), longest = 0;
	const struct lw_slurmconf_line *where = NULL;

	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];
		const char *limit = lw_slurmconf_value(line, "MaxTime");

		if (lw_check_scope(line) != LW_CHECK_PARTITION || !limit ||
		    parse_minutes(limit) <= longest)
			continue;
		longest = parse_minutes(limit);
		where = line;
	}
	if (!where || longest <= window)
		return;
	lw_check_add(check, LW_CHECK_WARNING, "bf-window", lw_check_at(where),
		     "MaxTime is %" PRId64 " minutes, and stock backfill looks %" PRId64
		     " minutes ahead: when it plans, after a hand-over or a roll back, long jobs "
		     "may starve\nSchedulerParameters: bf_window=%" PRId64,
		     longest, window, longest);
}

/* A limit of a partition. */
struct limit {
	bool given;
	int64_t minutes; /* -1: none */
};

/* That of LINE, or *DEFAULTED, which "DEFAULT" changes. */
static struct limit limit_of(const struct lw_slurmconf_line *line, const char *key,
			     struct limit *defaulted)
{
	const char *text = lw_slurmconf_value(line, key);
	struct limit limit = *defaulted;

	if (text)
		limit = (struct limit){ true, parse_minutes(text) };
	if (!strcasecmp(line->pairs[0].value, "DEFAULT"))
		*defaulted = limit;
	return limit;
}

/* "MaxTime of partition main is unlimited, and it has no DefaultTime" into BUF. */
static const char *say_limits(const char *name, bool longest, bool usual, char *buf, size_t size)
{
	if (longest && usual)
		snprintf(buf, size, "MaxTime and DefaultTime of partition %s are unlimited",
			 name);
	else if (longest || usual)
		snprintf(buf, size, "%s of partition %s is unlimited, and it has no %s",
			 longest ? "MaxTime" : "DefaultTime", name,
			 longest ? "DefaultTime" : "MaxTime");
	else
		snprintf(buf, size, "partition %s has no MaxTime and no DefaultTime", name);
	return buf;
}

/* A job that says nothing of its time then has no end that others could be planned behind. */
static void check_limits(struct lw_check *check)
{
	struct limit longest_default = { false, -1 }, usual_default = { false, -1 };
	char what[400];

	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];
		struct limit longest, usual;

		if (lw_check_scope(line) != LW_CHECK_PARTITION)
			continue;
		longest = limit_of(line, "MaxTime", &longest_default);
		usual = limit_of(line, "DefaultTime", &usual_default);
		if (longest.minutes != -1 || usual.minutes != -1 ||
		    !strcasecmp(line->pairs[0].value, "DEFAULT"))
			continue;
		lw_check_add(
			check, LW_CHECK_WARNING, "no-limit", lw_check_at(line),
			"%s: a job without --time counts as a year long; it never passes one that "
			"waits, and a job that waits for its nodes is promised a start in a year\n"
			"DefaultTime=1-0, or MaxTime; or MaxWall of every QOS",
			say_limits(line->pairs[0].value, longest.given, usual.given, what,
				   sizeof(what)));
	}
}

static void check_overrun(struct lw_check *check)
{
	struct lw_check_place place;
	const char *over = lw_check_global(check, "OverTimeLimit", &place);

	if (over && parse_minutes(over) == -1)
		lw_check_add(
			check, LW_CHECK_WARNING, "over-time-limit", place,
			"OverTimeLimit=%s: no job is killed at its limit, so no end is known, "
			"and promised starts lie a year ahead\nOverTimeLimit=MINUTES",
			over);
}

static bool preempts(const struct lw_check *check)
{
	const char *type = lw_check_global(check, "PreemptType", NULL);

	return type && strcasecmp(type, "preempt/none") && strcasecmp(type, "none");
}

/* How PreemptMode=TEXT preempts. */
struct preemption {
	bool gang, suspend;
	uint32_t modes; /* that preempt */
	bool wrong;     /* a word that Slurm does not know, or several modes */
};

static struct preemption read_preemption(const char *text)
{
	struct preemption mode = { 0 };
	bool within = false;
	uint32_t off = 0;

	while (*text) {
		size_t len = strcspn(text, ",");
		char word[16];

		snprintf(word, sizeof(word), "%.*s", (int)len, text);
		text += len;
		text += *text == ',';
		if (!strcasecmp(word, "gang")) {
			mode.gang = true;
		} else if (!strcasecmp(word, "suspend") || !strcasecmp(word, "on")) {
			mode.suspend = true;
			mode.modes++;
		} else if (!strcasecmp(word, "cancel") || !strcasecmp(word, "requeue")) {
			mode.modes++;
		} else if (!strcasecmp(word, "off") || !strcasecmp(word, "cluster")) {
			off++;
		} else if (!strcasecmp(word, "within")) {
			within = true;
		} else if (len && strcasecmp(word, "priority")) {
			mode.wrong = true;
		}
	}
	mode.wrong |= mode.modes + off > 1 || (mode.gang && within);
	return mode;
}

/* Pairs of PreemptType and PreemptMode with which slurmctld does not start. */
static void check_preemption(struct lw_check *check)
{
	struct lw_check_place type_place, place;
	const char *type = lw_check_global(check, "PreemptType", &type_place);
	const char *text = lw_check_global(check, "PreemptMode", &place);
	struct preemption mode = read_preemption(text ? text : "");
	/* the other of the two may be in a file that is not here */
	bool both = (type && text) || !check->incomplete;

	if (mode.wrong)
		lw_check_add(check, LW_CHECK_FATAL, "preempt-mode", place,
			     "PreemptMode=%s is not one mode: slurmctld does not start\n"
			     "OFF, CANCEL, REQUEUE or SUSPEND,GANG",
			     text);
	else if (mode.suspend && !mode.gang)
		lw_check_add(check, LW_CHECK_FATAL, "preempt-mode", place,
			     "PreemptMode=%s without GANG: slurmctld does not start\n"
			     "PreemptMode=SUSPEND,GANG",
			     text);
	else if (both && preempts(check) && !mode.modes)
		lw_check_add(check, LW_CHECK_FATAL, "preempt-mode", text ? place : type_place,
			     "PreemptType=%s, and PreemptMode is %s: slurmctld does not start\n"
			     "PreemptMode=REQUEUE, CANCEL or SUSPEND,GANG",
			     type, text ? text : "not set");
	else if (both && !preempts(check) && mode.modes)
		lw_check_add(check, LW_CHECK_FATAL, "preempt-mode", place,
			     "PreemptMode=%s, and no PreemptType: slurmctld does not start\n"
			     "PreemptType=preempt/qos or preempt/partition_prio, or take it out",
			     text);
}

/* Only the plugin starts jobs, if there is a plugin that does. */
static void check_only_plugin(struct lw_check *check, struct lw_check_place place)
{
	if (preempts(check))
		lw_check_add(
			check, LW_CHECK_ERROR, "starters-nobody", place,
			"sched_interval=-1 switches off the main loop, which alone preempts: "
			"jobs that must preempt others never start\ntake sched_interval=-1 out "
			"of SchedulerParameters");
	else if (check->loads && check->config.sched_min_interval_s > PATIENT_S)
		lw_check_add(
			check, LW_CHECK_WARNING, "starters-slow", place,
			"sched_interval=-1: jobs start in a cycle of Leeway only, and these are "
			"at least %" PRId64 " s apart\nsched.min_interval: 5s",
			check->config.sched_min_interval_s);
	else if (!check->loads)
		lw_check_add(
			check, LW_CHECK_WARNING, "starters-slow", place,
			"sched_interval=-1: jobs start in a cycle of stock backfill only, every "
			"%ld s\ntake it out of SchedulerParameters when Leeway is taken out",
			lw_check_param(check, "bf_interval", 30));
}

/* Slurm's word for no backfill is Leeway's for no planning. */
static void check_off(struct lw_check *check, struct lw_check_place place, bool main_loop)
{
	if (main_loop)
		lw_check_add(
			check, LW_CHECK_WARNING, "planning-off", place,
			"bf_interval=-1: nothing plans the queue, and jobs start in order of their "
			"priority only\ntake bf_interval=-1 out of SchedulerParameters");
	else
		lw_check_add(
			check, LW_CHECK_ERROR, "starters-nobody", place,
			"sched_interval=-1 and bf_interval=-1: neither the main loop nor backfill "
			"looks for jobs to start, and waiting jobs never do\ntake "
			"bf_interval=-1 out of SchedulerParameters");
}

static void check_starters(struct lw_check *check)
{
	struct lw_check_place place;
	const char *params = lw_check_global(check, "SchedulerParameters", &place);
	struct lw_starters starters = lw_starters_of(params);

	if (lw_check_param(check, "bf_interval", 30) == -1) {
		check_off(check, place, starters.main_loop);
		return;
	}
	if (!starters.main_loop)
		check_only_plugin(check, place);
	if (check->loads && !starters.submit)
		lw_check_add(
			check, LW_CHECK_NOTE, "starters-defer", place,
			"defer: Slurm starts no job when it is submitted, and refuses each srun "
			"and salloc with --immediate\nLeeway does not need it: take defer out of "
			"SchedulerParameters if users miss that");
}

/* What the predictor learns from is Slurm's list of ended jobs. */
static void check_history(struct lw_check *check)
{
	struct lw_check_place place;
	const char *text = lw_check_global(check, "MinJobAge", &place);
	long age = text ? strtol(text, NULL, 10) : MIN_JOB_AGE_S;
	int64_t least = check->config.sched_interval_s + LEARN_S;

	if (!check->config.sched_predict)
		return;
	if (least < HISTORY_WRITE_S)
		least = HISTORY_WRITE_S;
	if (age < least)
		lw_check_add(
			check, LW_CHECK_WARNING, "min-job-age", place,
			"MinJobAge is %ld s: slurmctld forgets ended jobs before the predictor "
			"has learned from all of them\nMinJobAge=%d",
			age, MIN_JOB_AGE_S);
}

/* The level of KEY=, as a word or its number, or FALLBACK. */
static long log_level(const struct lw_check *check, const char *key, long fallback,
		      struct lw_check_place *ret_place)
{
	static const char *const words[] = { "quiet", "fatal",  "error",  "info",   "verbose",
					     "debug", "debug2", "debug3", "debug4", "debug5" };
	struct lw_check_place place;
	const char *text = lw_check_global(check, key, &place);
	int level;

	if (!text)
		return fallback;
	*ret_place = place;
	level = LW_CHECK_WORD(text, words);
	return level < 0 ? strtol(text, NULL, 10) : level;
}

/* What log.level lets through goes to Slurm's log at the level of the same name. */
static void check_log(struct lw_check *check)
{
	struct lw_check_place place = lw_check_at_slurm_conf(check);
	long to_syslog = log_level(check, "SlurmctldSyslogDebug", 0, &place);
	long level = log_level(check, "SlurmctldDebug", LOG_INFO, &place);

	if (level < to_syslog)
		level = to_syslog;
	if (check->config.log_level == LW_LOG_DEBUG && level < LOG_DEBUG)
		lw_check_add(check, LW_CHECK_WARNING, "log-level", place,
			     "log.level: debug, and SlurmctldDebug is lower: slurmctld writes no "
			     "line for each job\nSlurmctldDebug=debug");
	else if (check->config.log_level >= LW_LOG_INFO && level < LOG_INFO)
		lw_check_add(
			check, LW_CHECK_WARNING, "log-level", place,
			"SlurmctldDebug is below info: slurmctld does not write what plans the "
			"queue, nor the line of each cycle\nSlurmctldDebug=info");
}

void lw_check_scheduler(struct lw_check *check)
{
	check_types(check);
	check_window(check);
	check_limits(check);
	check_overrun(check);
	check_preemption(check);
	check_log(check);
	check_starters(check);
	check_history(check);
}
