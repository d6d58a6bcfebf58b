/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: plugstack.conf, by which Slurm loads the SPANK plugin leeway.so. */
#include "cli/check/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/check/elf.h"
#include "record/access.h"
#include "record/watch.h"

/* SPANK plugins need the same release, but may be of another micro release. */
#define MINOR     0xffff00
#define WORDS_MAX 32

/* By then the job that lends its GPU waits for it. */
#define GUESTS_INTERVAL_MAX_S 20

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
static int spank_split(char *text, char **words)
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

/* The group that may also read records: each node looks it up by name. */
static void check_group(struct lw_check *check, const char *name, struct lw_check_place place)
{
	struct lw_error err;
	uint32_t group;

	if (*name && lw_access_find_group(name, &group, &err))
		lw_check_add(check, LW_CHECK_WARNING, "spank-group", place,
			     "%s: records are read by their users and root alone\n"
			     "make the group on every node, or correct its name",
			     err.text);
}

static void add_of_guests(struct lw_check *check, struct lw_check_place place, const char *what)
{
	if (lw_check_has_guests(check))
		lw_check_add(
			check, LW_CHECK_WARNING, "share-guests", place,
			"%s, and share.opportunistic is set: nothing sees that an owner leaves "
			"its GPU idle, or works again\n"
			"optional leeway.so interval=10s, on all nodes of share.where",
			what);
}

static void check_interval(struct lw_check *check, uint32_t interval_s,
			   struct lw_check_place place)
{
	if (lw_check_has_guests(check) && interval_s > GUESTS_INTERVAL_MAX_S)
		lw_check_add(
			check, LW_CHECK_WARNING, "share-guests", place,
			"interval=%us, and share.opportunistic is set: a guest stays so long "
			"on a GPU whose owner works again\ninterval=%us at most",
			interval_s, GUESTS_INTERVAL_MAX_S);
}

/* Our line: "optional /path/leeway.so source=auto"; is there one before it? */
static void check_line(struct lw_check *check, const struct lw_slurmconf_line *line, char **words,
		       int count, bool again)
{
	struct lw_check_place place = lw_check_at(line);
	struct sink sink = { check, place };
	struct lw_log log = { take_line, &sink, LW_LOG_INFO };
	struct lw_watch_options options;
	char buf[PATH_MAX], real[PATH_MAX];
	const char *path = plugin_path(check, words[1], buf);
	struct stat st;
	bool required = !strcmp(words[0], "required");

	if (required)
		lw_check_add(check, LW_CHECK_WARNING, "spank-required", place,
			     "leeway.so is required: a host without it starts no job\n"
			     "write optional");
	if (!path || stat(lw_check_path(check, path, real), &st)) {
		add_of_guests(check, place, "leeway.so is not there");
		lw_check_add(
			check, required ? LW_CHECK_ERROR : LW_CHECK_WARNING, "spank-file", place,
			"%s is not there: no use of GPUs is recorded\ninstall it, or correct "
			"the path",
			words[1]);
	} else {
		lw_check_plugin_file(check, path, "spank", MINOR, place);
	}
	lw_watch_options_read(&options, count - 2, words + 2, &log);
	check_group(check, options.group, place);
	/* only the first line counts */
	if (!again)
		check_interval(check, options.interval_s, place);
}

/* Another's plugin without which Slurm does not go on: is it there, and of this release? */
static void check_required(struct lw_check *check, const struct lw_slurmconf_line *line,
			   const char *plugin)
{
	struct lw_check_place place = lw_check_at(line);
	char buf[PATH_MAX], real[PATH_MAX], here[16], built[16];
	const char *path = plugin_path(check, plugin, buf);
	struct lw_elf_plugin elf;
	struct lw_error err;

	/* where no Slurm is, its directory is not known */
	if (!path && !lw_check_find_plugin(check, "sched_backfill.so", buf))
		return;
	if (!path || lw_elf_read_plugin(lw_check_path(check, path, real), &elf, &err))
		lw_check_add(
			check, LW_CHECK_WARNING, "spank-required-file", place,
			"%s is required, and %s here: where that is so, slurmd does not start "
			"steps, and sbatch, srun and salloc fail\n"
			"install it on every host, or write optional",
			plugin, path ? "cannot be read" : "is not found");
	else if (check->release && elf.version &&
		 (elf.version & MINOR) != (check->release & MINOR))
		lw_check_add(
			check, LW_CHECK_WARNING, "spank-required-release", place,
			"%s is required, and was built for Slurm %s: Slurm %s refuses it, and "
			"sbatch, srun, salloc and steps fail\nbuild it for Slurm %s",
			plugin, lw_check_release(elf.version, built, sizeof(built)),
			lw_check_release(check->release, here, sizeof(here)), here);
}

/* slurmctld sends nodes without files of their own plugstack.conf, and nothing it includes. */
static void check_sent(struct lw_check *check, const struct lw_slurmconf_line *line,
		       const char *stack)
{
	const char *params = lw_check_global(check, "SlurmctldParameters", NULL);

	if (lw_check_listed(params, "enable_configless") &&
	    (lw_check_global(check, "PlugStackConfig", NULL) || strcmp(line->file, stack)))
		lw_check_add(
			check, LW_CHECK_WARNING, "spank-configless", lw_check_at(line),
			"enable_configless sends nodes %s/plugstack.conf, and not this file: "
			"they record no use of GPUs\nwrite the line into that file",
			check->conf_dir);
}

/*
 * Is LINE of the file STACK, or of one it includes, ours? Then it is checked; FIRST is the
 * line of ours before it, or NULL.
 */
static bool look_at(struct lw_check *check, const struct lw_slurmconf_line *line,
		    const char *stack, const struct lw_slurmconf_line *first)
{
	char *words[WORDS_MAX], *text = strdup(line->text);
	bool ours, taken;
	int count;

	if (!text) {
		check->error = -ENOMEM;
		return false;
	}
	count = spank_split(text, words);
	ours = count >= 2 && !strcmp(base_name(words[1]), "leeway.so");
	taken = ours && (!strcmp(words[0], "optional") || !strcmp(words[0], "required"));
	if (ours && !taken)
		lw_check_add(check, LW_CHECK_ERROR, "spank-word", lw_check_at(line),
			     "Slurm ignores a line that begins with \"%s\"\nwrite optional",
			     words[0]);
	else if (taken && first)
		lw_check_add(check, LW_CHECK_WARNING, "spank-twice", lw_check_at(line),
			     "leeway.so is in %s:%u already, and only that counts\ntake one out",
			     first->file, first->number);
	if (taken) {
		check_line(check, line, words, count, first != NULL);
		check_sent(check, line, stack);
	} else if (count >= 2 && !ours && !strcmp(words[0], "required")) {
		check_required(check, line, words[1]);
	}
	free(text);
	return taken;
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
	const struct lw_slurmconf_line *first = NULL;
	char path[PATH_MAX];
	int rc = lw_slurmconf_read(&stack, LW_SLURMCONF_WORDS, check->root,
				   stack_path(check, path), &fault);

	if (rc && rc != -ENOENT)
		lw_check_unreadable(check, rc, &fault);
	lw_check_absent(check, &stack, LW_CHECK_NOTE, NULL);
	for (uint32_t i = 0; i < stack.line_count; i++) {
		if (look_at(check, &stack.lines[i], path, first) && !first)
			first = &stack.lines[i];
	}
	if (!first && check->in_path)
		lw_check_add(check, LW_CHECK_WARNING, "spank-missing",
			     (struct lw_check_place){ path, 0 },
			     "has no line for leeway.so: no use of GPUs is recorded\n"
			     "optional leeway.so, on the compute nodes");
	if (!first)
		add_of_guests(check, (struct lw_check_place){ path, 0 },
			      "has no line for leeway.so");
	lw_slurmconf_fini(&stack);
}
