/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: what the settings of Slurm's files are set to. */

/*
 * Slurm's reader refuses a file with a number that is none, and slurmctld ends on a word that it
 * does not know or a plugin that it does not find: after the old one was stopped.
 */
#include "cli/check/check.h"

#include <string.h>
#include <strings.h>

#include "cli/check/slurmvalues.h"

/* The daemon that reads a file, and what a mistake in it does. */
struct reader {
	struct lw_check *check;
	enum lw_slurmkey_where where;
	enum lw_check_severity severity;
	const char *daemon;
};

/* Sites build such plugins of their own; without a Slurm here it is not known if there is one. */
static bool is_extensible(const char *file)
{
	static const char *const kinds[] = { "jobcomp_",      "prep_",          "site_factor_",
					     "burst_buffer_", "node_features_", "slurmctld_" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strncmp(file, kinds[i], strlen(kinds[i])))
			return true;
	}
	return false;
}

/* What a daemon does without the plugin. */
static const char *without_plugin(const struct reader *reader,
				  const struct lw_slurmvalue_fault *fault, char *buf, size_t size)
{
	snprintf(buf, size, "%s does %s", fault->of_node ? "slurmd" : reader->daemon,
		 fault->harmless ? "without it" : "not start");
	return buf;
}

/* slurmctld finds no file of the plugin that FAULT names, unless the site has one. */
static void report_plugin(const struct reader *reader, const struct lw_slurmconf_line *line,
			  const struct lw_slurmconf_pair *pair,
			  const struct lw_slurmvalue_fault *fault)
{
	struct lw_check *check = reader->check;
	char path[PATH_MAX], slurm[32], then[64];
	bool plugins_here = lw_check_find_plugin(check, "sched_backfill.so", path) != NULL;
	bool starts = fault->of_node || fault->harmless;

	if (lw_check_find_plugin(check, fault->plugin, path))
		return;
	if (!plugins_here && is_extensible(fault->plugin)) {
		lw_check_add(check, LW_CHECK_WARNING, "plugin-file", lw_check_at(line),
			     "%s=%s: %s itself has no plugin \"%s\": slurmctld does not start "
			     "unless the site has built one\n%s",
			     pair->key, pair->value, lw_check_slurm(check, slurm, sizeof(slurm)),
			     fault->item, fault->expected);
		return;
	}
	lw_check_add(check, starts ? LW_CHECK_WARNING : reader->severity, "plugin-file",
		     lw_check_at(line), "%s=%s: %s has no plugin \"%s\"%s: %s\n%s", pair->key,
		     pair->value, lw_check_slurm(check, slurm, sizeof(slurm)), fault->item,
		     plugins_here ? ", and no directory of PluginDir has one" : "",
		     without_plugin(reader, fault, then, sizeof(then)), fault->expected);
}

static void report_wrong(const struct reader *reader, const struct lw_slurmconf_line *line,
			 const struct lw_slurmconf_pair *pair,
			 const struct lw_slurmvalue_fault *fault)
{
	char slurm[32];

	lw_check_slurm(reader->check, slurm, sizeof(slurm));
	if (strcmp(fault->item, pair->value) == 0)
		lw_check_add(reader->check, reader->severity, "key-value", lw_check_at(line),
			     "%s=%s: %s does not take this value: %s does not start\n%s",
			     pair->key, pair->value, slurm, reader->daemon, fault->expected);
	else
		lw_check_add(reader->check, reader->severity, "key-value", lw_check_at(line),
			     "%s=%s: %s does not know \"%s\": %s does not start\n%s", pair->key,
			     pair->value, slurm, fault->item, reader->daemon, fault->expected);
}

static void report_removed(const struct reader *reader, const struct lw_slurmconf_line *line,
			   const struct lw_slurmconf_pair *pair)
{
	lw_check_add(reader->check, reader->severity, "key-removed", lw_check_at(line),
		     "%s=%s: the setting was removed, and %s does not start with it\n"
		     "take it out",
		     pair->key, pair->value, reader->daemon);
}

static void check_pair(const struct reader *reader, const struct lw_slurmconf_line *line,
		       const struct lw_slurmconf_pair *pair)
{
	struct lw_check *check = reader->check;
	const struct lw_slurmkey *key =
		lw_slurmkey_find(reader->where, pair->key, check->release);
	struct lw_slurmvalue_fault fault;
	char slurm[32];

	if (!key || !lw_slurmkey_known(key, check->release))
		return;
	switch (lw_slurmvalue_check(key->type, check->release, pair->value, &fault)) {
	case LW_SLURMVALUE_TAKEN:
		break;
	case LW_SLURMVALUE_IGNORED:
		lw_check_add(check, LW_CHECK_NOTE, "key-ignored", lw_check_at(line),
			     "%s has no effect in %s\ntake it out", pair->key,
			     lw_check_slurm(check, slurm, sizeof(slurm)));
		break;
	case LW_SLURMVALUE_REMOVED:
		report_removed(reader, line, pair);
		break;
	case LW_SLURMVALUE_WRONG:
		report_wrong(reader, line, pair, &fault);
		break;
	case LW_SLURMVALUE_PLUGIN:
		report_plugin(reader, line, pair, &fault);
		break;
	}
}

void lw_check_values(struct lw_check *check)
{
	static const enum lw_slurmkey_where wheres[] = {
		[LW_CHECK_GLOBAL] = LW_SLURMKEY_GLOBAL,
		[LW_CHECK_NODE] = LW_SLURMKEY_NODE,
		[LW_CHECK_PARTITION] = LW_SLURMKEY_PARTITION,
	};

	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];
		enum lw_check_scope scope = lw_check_scope(line);
		struct reader reader = { .check = check,
					 .severity = LW_CHECK_FATAL,
					 .daemon = "slurmctld" };

		if (scope == LW_CHECK_OTHER)
			continue;
		reader.where = wheres[scope];
		for (uint32_t j = 0; j < line->pair_count; j++)
			check_pair(&reader, line, &line->pairs[j]);
	}
}

static void report_unknown(const struct reader *reader, const struct lw_slurmconf_line *line,
			   const char *name)
{
	struct lw_check *check = reader->check;
	const struct lw_slurmkey *near = lw_slurmkey_nearest(reader->where, name, check->release);
	char slurm[32];

	lw_check_add(check, reader->severity, "key-unknown", lw_check_at(line),
		     "%s has no setting \"%s\" in this file%s%s%s: %s does not start\n%s%s",
		     lw_check_slurm(check, slurm, sizeof(slurm)), name,
		     near ? " (did you mean " : "", near ? near->name : "", near ? "?)" : "",
		     reader->daemon, near ? "write " : "take it out", near ? near->name : "");
}

void lw_check_table(struct lw_check *check, const struct lw_slurmconf *conf,
		    enum lw_slurmkey_where where, enum lw_check_severity severity,
		    const char *daemon)
{
	const struct reader reader = { check, where, severity, daemon };

	for (uint32_t i = 0; i < conf->line_count; i++) {
		const struct lw_slurmconf_line *line = &conf->lines[i];

		for (uint32_t j = 0; j < line->pair_count; j++) {
			const char *name = line->pairs[j].key;
			const struct lw_slurmkey *key =
				lw_slurmkey_find(where, name, check->release);

			if (!key || !lw_slurmkey_known(key, check->release))
				report_unknown(&reader, line, name);
			else
				check_pair(&reader, line, &line->pairs[j]);
		}
	}
}
