/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: JobSubmitPlugins, and the scripts that slurmctld runs. */
#include "cli/check/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/spell.h"

/* from 24.11 on slurmctld dies of a prolog that it cannot run; before, it did without */
#define STRICT_PROLOGS 0x180b00

/* One of JobSubmitPlugins: with "job_submit/" before it, or without. */
static const char *short_name(const char *name)
{
	return strncasecmp(name, "job_submit/", 11) ? name : name + 11;
}

/* Those of Slurm's own that change nothing a tag is made of, nor AdminComment. */
static bool changes_jobs(const char *name)
{
	static const char *const harmless[] = {
		"all_partitions",    "defaults", "logging",   "partition", "pbs",
		"require_timelimit", "throttle", "cray_aries"
	};

	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++) {
		if (!strcmp(name, harmless[i]))
			return false;
	}
	return true;
}

/* Slurm asks them one after the other. */
static void check_submit_order(struct lw_check *check, const char *name,
			       struct lw_check_place place)
{
	if (changes_jobs(name))
		lw_check_add(check, LW_CHECK_WARNING, "job-submit-order", place,
			     "JobSubmitPlugins has %s behind leeway: what it changes of a job is "
			     "not seen, and it may write over the tag\nput leeway last",
			     name);
}

/* NAME is of JobSubmitPlugins; is it BEHIND_OURS? */
static void check_submit_file(struct lw_check *check, const char *name, bool behind_ours,
			      struct lw_check_place place)
{
	bool ours = strcmp(name, "leeway") == 0;
	char file[NAME_MAX], path[PATH_MAX];
	struct lw_guess guess;

	snprintf(file, sizeof(file), "job_submit_%s.so", name);
	if (lw_check_find_plugin(check, file, path)) {
		if (ours)
			lw_check_plugin_file(check, path, "job_submit/leeway", LW_CHECK_MICRO,
					     place);
		else if (behind_ours)
			check_submit_order(check, name, place);
		return;
	}
	lw_guess_init(&guess, name);
	lw_check_add(check, LW_CHECK_FATAL, "job-submit-file", place,
		     "JobSubmitPlugins names %s, but no directory of PluginDir has %s: slurmctld "
		     "does not start\n%s",
		     name, file,
		     ours ? "take it out, or put Leeway's directory first in PluginDir"
		     : lw_guess_try(&guess, "leeway") ? "write leeway"
						      : "take it out, or correct it");
}

/* Also with blanks, with which Slurm does not find it. */
static bool is_ours(const char *name)
{
	static const char ours[] = "leeway";
	const char *end;

	name = short_name(name + strspn(name, " \t"));
	end = name + strlen(ours);
	return strncmp(name, ours, strlen(ours)) == 0 && !end[strspn(end, " \t")];
}

static void say_twice(struct lw_check *check, struct lw_check_place place)
{
	lw_check_add(
		check, LW_CHECK_ERROR, "job-submit-twice", place,
		"JobSubmitPlugins names leeway twice: slurmctld starts it twice, and asks it "
		"twice about each job\nname it once, last");
}

/* Slurm takes what is between two commas for a name, also the blanks. */
static void say_blank(struct lw_check *check, const char *name, struct lw_check_place place)
{
	lw_check_add(check, LW_CHECK_FATAL, "job-submit-file", place,
		     "JobSubmitPlugins has a blank in \"%s\", which counts as part of the name: "
		     "slurmctld does not start\nwrite commas alone between the names",
		     name);
}

/* Settings with which Slurm loads a plugin that needs a script beside slurm.conf. */
static void check_scripts(struct lw_check *check)
{
	static const struct {
		const char *key, *plugin, *script;
		enum lw_check_severity severity;
		const char *effect;
	} scripts[] = {
		{ "JobSubmitPlugins", "job_submit/lua", "job_submit.lua", LW_CHECK_FATAL,
		  "slurmctld does not start" },
		{ "JobCompType", "jobcomp/lua", "jobcomp.lua", LW_CHECK_FATAL,
		  "slurmctld does not start" },
		{ "CliFilterPlugins", "cli_filter/lua", "cli_filter.lua", LW_CHECK_WARNING,
		  "sbatch, srun and salloc fail where it is" },
	};
	char path[PATH_MAX + 32], real[PATH_MAX];
	struct stat st;

	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
		struct lw_check_place place;
		const char *list = lw_check_global(check, scripts[i].key, &place);

		snprintf(path, sizeof(path), "%s/%s", check->conf_dir, scripts[i].script);
		if ((!lw_check_listed(list, scripts[i].plugin) &&
		     !lw_check_listed(list, strchr(scripts[i].plugin, '/') + 1)) ||
		    !stat(lw_check_path(check, path, real), &st))
			continue;
		lw_check_add(check, scripts[i].severity, "script-missing", place,
			     "%s has lua, and %s is missing: %s\nwrite it, or take lua out",
			     scripts[i].key, path, scripts[i].effect);
	}
}

static void check_prolog(struct lw_check *check, const struct lw_slurmconf_line *line,
			 const struct lw_slurmconf_pair *pair)
{
	bool strict = check->release >= STRICT_PROLOGS;
	struct lw_check_obstacle obstacle;
	char real[PATH_MAX];
	struct stat st;
	bool there = !stat(lw_check_path(check, pair->value, real), &st);
	/* root, too, cannot run a file without any x bit */
	bool runs = there && st.st_mode & 0111;

	if (*pair->value != '/' || (runs && lw_check_allows(check, pair->value, X_OK, &obstacle)))
		return;
	lw_check_add(check, strict ? LW_CHECK_FATAL : LW_CHECK_WARNING, "script-missing",
		     lw_check_at(line), "%s=%s %s: slurmctld %s\n%s", pair->key, pair->value,
		     there ? "is none that SlurmUser may run" : "is not there",
		     strict ? "does not start" : "does without it",
		     there ? "chmod a+rx, also of the directories above it"
			   : "write it, or correct the path");
}

/* The scripts that slurmctld runs beside each job. */
static void check_prologs(struct lw_check *check)
{
	static const char *const keys[] = { "PrologSlurmctld", "EpilogSlurmctld" };

	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];

		for (uint32_t j = 0; j < line->pair_count; j++) {
			if (lw_check_scope(line) == LW_CHECK_GLOBAL &&
			    LW_CHECK_WORD(line->pairs[j].key, keys) >= 0)
				check_prolog(check, line, &line->pairs[j]);
		}
	}
}

/* One that is not found stops slurmctld; ours missing is half a Leeway. */
void lw_check_submit(struct lw_check *check, bool plugins_here)
{
	struct lw_check_place place;
	const char *list = lw_check_global(check, "JobSubmitPlugins", &place);
	char *names = strdup(list ? list : ""), *rest = names, *name;
	bool has_ours = false;

	if (!names)
		check->error = -ENOMEM;
	while (names && (name = strsep(&rest, ","))) {
		bool ours = is_ours(name);

		if (strpbrk(name, " \t"))
			say_blank(check, name, place);
		else if (ours && has_ours)
			say_twice(check, place);
		else if (*name && (plugins_here || ours))
			check_submit_file(check, short_name(name), has_ours, place);
		has_ours |= ours;
	}
	free(names);
	if (!has_ours && check->in_path)
		lw_check_add(check, LW_CHECK_WARNING, "job-submit-missing", place,
			     "JobSubmitPlugins has no leeway: jobs get no tag in "
			     "AdminComment\nJobSubmitPlugins=%s%sleeway",
			     list ? list : "", list ? "," : "");
	check_scripts(check);
	if (plugins_here)
		check_prologs(check);
}
