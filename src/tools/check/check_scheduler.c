/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: what kinds of plugins slurm.conf asks for, and who starts jobs. */
#include "tools/check/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config/starters.h"

/* the history is written this often, and a crash takes what is newer (design.md) */
#define HISTORY_WRITE_S 120
/* a job is learned from this long after its end */
#define LEARN_S       5
#define MIN_JOB_AGE_S 300
#define BF_WINDOW_MIN 1440
/* above that, users notice that only the cycle starts jobs */
#define PATIENT_S 10
/* select/linear was the default before 23.11 */
#define CONS_TRES_DEFAULT 0x170b00

static void check_types(struct lw_check *check)
{
	struct lw_check_place place;
	const char *type = lw_check_global(check, "SchedulerType", &place);

	if (type && strcasecmp(type, "sched/backfill") && strcasecmp(type, "backfill"))
		lw_check_add(check, LW_CHECK_ERROR, "sched-type", place,
			     "SchedulerType=%s: Leeway is only loaded for sched/backfill\n"
			     "SchedulerType=sched/backfill",
			     type);
	type = lw_check_global(check, "SelectType", &place);
	if (!type && check->release && check->release < CONS_TRES_DEFAULT)
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
	unsigned long part[3] = { 0, 0, 0 }, days = 0;
	const char *dash = strchr(text, '-');
	int count = 0;

	if (!strcasecmp(text, "INFINITE") || !strcasecmp(text, "UNLIMITED") ||
	    !strcmp(text, "-1"))
		return -1;
	if (dash) {
		days = strtoul(text, NULL, 10);
		text = dash + 1;
	}
	for (; count < 3 && *text; count++) {
		char *end;

		part[count] = strtoul(text, &end, 10);
		if (end == text || (*end && *end != ':'))
			return -2;
		text = *end ? end + 1 : end;
	}
	/* "days-hours:minutes:seconds", "minutes", "minutes:seconds", "hours:minutes:seconds" */
	if (dash)
		return (int64_t)(days * 1440 + part[0] * 60 + part[1]);
	return (int64_t)(count == 3 ? part[0] * 60 + part[1] : part[0]);
}

/* Stock backfill looks no further ahead than bf_window: longer jobs may starve under it. */
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
		     " minutes ahead: when it plans (het jobs, after a roll back), long jobs may "
		     "starve\nSchedulerParameters: bf_window=%" PRId64,
		     longest, window, longest);
}

static bool preempts(const struct lw_check *check)
{
	const char *type = lw_check_global(check, "PreemptType", NULL);

	return type && strcasecmp(type, "preempt/none") && strcasecmp(type, "none");
}

/* Under the policy leeway others than the plugin start promised jobs too early. */
static void check_others_start(struct lw_check *check, struct lw_check_place place,
			       struct lw_starters starters)
{
	if (check->yaml_bad || check->config.sched_policy != LW_SCHED_LEEWAY)
		return;
	if (preempts(check))
		lw_check_add(
			check, LW_CHECK_NOTE, "starters-preempt", place,
			"slurmctld must start jobs itself, since it preempts: of what "
			"sched.policy leeway gains over easy, a quarter is not to be had here");
	else
		lw_check_add(check, LW_CHECK_NOTE, "starters", place,
			     "slurmctld starts promised jobs itself%s%s%s: a quarter of what "
			     "sched.policy leeway gains over easy is not used\n"
			     "SchedulerParameters: sched_interval=-1,defer",
			     starters.main_loop ? " in its main loop" : "",
			     starters.main_loop && starters.submit ? " and" : "",
			     starters.submit ? " at submission" : "");
}

/* Nobody but the plugin starts jobs, if there is a plugin that does. */
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

static void check_starters(struct lw_check *check)
{
	struct lw_check_place place;
	const char *params = lw_check_global(check, "SchedulerParameters", &place);
	struct lw_starters starters = lw_starters_of(params);

	if (!starters.main_loop)
		check_only_plugin(check, place);
	if (check->loads && (starters.main_loop || starters.submit))
		check_others_start(check, place, starters);
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

void lw_check_scheduler(struct lw_check *check)
{
	check_types(check);
	check_window(check);
	check_starters(check);
	check_history(check);
}
