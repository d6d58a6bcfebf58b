/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: plugstack.conf, by which Slurm loads the SPANK plugin leeway.so. */
#include "tools/check/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "record/watch.h"

/* SPANK plugins need the same release, but may be of another micro release. */
#define MINOR     0xffff00
#define WORDS_MAX 32

struct sink {
	struct lw_check *check;
	struct lw_check_place place;
};

static void take_line(void *arg, enum lw_log_level level, const char *text)
{
	const struct sink *sink = arg;

	(void)level;
	lw_check_add(sink->check, LW_CHECK_WARNING, "spank-option", sink->place,
		     "%s\nleeway-spank(8) has all options", text);
}

/* Split TEXT, which is changed, at blanks. */
static int split(char *text, char **words)
{
	int count = 0;
	char *rest = NULL;

	for (char *word = strtok_r(text, " \t", &rest); word && count < WORDS_MAX;
	     word = strtok_r(NULL, " \t", &rest))
		words[count++] = word;
	return count;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Where Slurm will find PLUGIN: as it is, or in PluginDir. */
static const char *plugin_path(const struct lw_check *check, const char *plugin, char *buf)
{
	if (*plugin == '/')
		return plugin;
	return lw_check_find_plugin(check, plugin, buf);
}

/* Our line: "optional /path/leeway.so source=auto". */
static void check_line(struct lw_check *check, const struct lw_slurmconf_line *line, char **words,
		       int count)
{
	struct lw_check_place place = lw_check_at(line);
	struct sink sink = { check, place };
	struct lw_log log = { take_line, &sink, LW_LOG_INFO };
	struct lw_watch_options options;
	char buf[PATH_MAX], real[PATH_MAX];
	const char *path = plugin_path(check, words[1], buf);
	struct stat st;
	bool required = !strcasecmp(words[0], "required");

	if (required)
		lw_check_add(check, LW_CHECK_WARNING, "spank-required", place,
			     "leeway.so is required: a host without it starts no job\n"
			     "write optional");
	if (!path || stat(lw_check_path(check, path, real), &st))
		lw_check_add(
			check, required ? LW_CHECK_ERROR : LW_CHECK_WARNING, "spank-file", place,
			"%s is not there: no use of GPUs is recorded\ninstall it, or correct "
			"the path",
			words[1]);
	else
		lw_check_plugin_file(check, path, "spank", MINOR, place);
	lw_watch_options_read(&options, count - 2, words + 2, &log);
}

/* Is LINE ours? Then it is checked. */
static bool look_at(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	char *words[WORDS_MAX], *text = strdup(line->text);
	bool ours;
	int count;

	if (!text) {
		check->error = -ENOMEM;
		return false;
	}
	count = split(text, words);
	ours = count >= 2 && !strcmp(base_name(words[1]), "leeway.so");
	if (ours)
		check_line(check, line, words, count);
	free(text);
	return ours;
}

/* The path of plugstack.conf, and where it is said. */
static const char *stack_path(const struct lw_check *check, char *buf)
{
	const char *path = lw_check_global(check, "PlugStackConfig", NULL);

	if (path && *path == '/')
		snprintf(buf, PATH_MAX, "%s", path);
	else
		snprintf(buf, PATH_MAX, "%.2000s/%.2000s", check->conf_dir,
			 path ? path : "plugstack.conf");
	return buf;
}

void lw_check_spank(struct lw_check *check)
{
	struct lw_slurmconf_fault fault = { .file = "" };
	struct lw_slurmconf stack;
	char path[PATH_MAX];
	bool found = false;
	int rc = lw_slurmconf_read(&stack, LW_SLURMCONF_WORDS, check->root,
				   stack_path(check, path), &fault);

	if (rc == -ENOMEM)
		check->error = rc;
	else if (rc && rc != -ENOENT)
		lw_check_add(check, LW_CHECK_ERROR, "conf-unreadable",
			     (struct lw_check_place){ fault.file, fault.line }, "%s\ncorrect it",
			     fault.err.text);
	for (uint32_t i = 0; i < stack.line_count; i++)
		found |= look_at(check, &stack.lines[i]);
	if (!found && check->in_path)
		lw_check_add(check, LW_CHECK_WARNING, "spank-missing",
			     (struct lw_check_place){ path, 0 },
			     "has no line for leeway.so: no use of GPUs is recorded\n"
			     "optional leeway.so, on the compute nodes");
	lw_slurmconf_fini(&stack);
}
