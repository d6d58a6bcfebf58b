/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: PluginDir, and the plugin files in it. */

/*
 * Slurm takes, for each plugin, the first file of its name in the directories of PluginDir
 * that it can use. Its release is read from its own plugin there: slurmctld takes no other.
 */
#include "cli/check/check.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cli/check/elf.h"

#define DIRS_MAX  32
#define SCHEDULER "sched_backfill.so"
#define SELECTOR  "select_cons_tres.so"

enum owner { NOBODY, OURS, STOCK };

struct dir {
	char path[PATH_MAX];
	bool there;
	enum owner owner; /* of the scheduler plugin in it */
	struct lw_elf_plugin plugin;
};

struct dirs {
	struct dir *all;
	uint32_t count;
	struct lw_check_place place;
	bool named; /* PluginDir is there, else Slurm's own directory was looked for */
};

static bool is_dir(const struct lw_check *check, const char *path)
{
	char real[PATH_MAX];
	struct stat st;

	return !stat(lw_check_path(check, path, real), &st) && S_ISDIR(st.st_mode);
}

/* Which scheduler plugin is in DIR, and what it says of itself. */
static void look_into(const struct lw_check *check, struct dir *dir)
{
	char path[PATH_MAX + sizeof(SCHEDULER)], real[PATH_MAX];
	struct lw_error err;

	dir->there = is_dir(check, dir->path);
	snprintf(path, sizeof(path), "%s/" SCHEDULER, dir->path);
	if (lw_elf_read_plugin(lw_check_path(check, path, real), &dir->plugin, &err))
		return;
	dir->owner = strncmp(dir->plugin.name, "Leeway", 6) == 0 ? OURS : STOCK;
}

static void add_dir(const struct lw_check *check, struct dirs *dirs, const char *path, size_t len)
{
	struct dir *dir = &dirs->all[dirs->count];

	if (dirs->count == DIRS_MAX || !len || len >= PATH_MAX)
		return;
	memset(dir, 0, sizeof(*dir));
	memcpy(dir->path, path, len);
	look_into(check, dir);
	dirs->count++;
}

static void split_path(const struct lw_check *check, struct dirs *dirs, const char *value)
{
	while (*value) {
		size_t len = strcspn(value, ":");

		add_dir(check, dirs, value, len);
		value += len;
		value += *value == ':';
	}
}

/* The first directory that matches PATTERN and has a scheduler plugin of OWNER. */
static bool find_dir(const struct lw_check *check, const char *pattern, enum owner owner,
		     struct dir *ret_dir)
{
	char real[PATH_MAX];
	bool found = false;
	glob_t matches;

	if (glob(lw_check_path(check, pattern, real), 0, NULL, &matches))
		return false;
	for (size_t i = 0; !found && i < matches.gl_pathc; i++) {
		struct dir dir = { .there = true };

		snprintf(dir.path, sizeof(dir.path), "%s",
			 matches.gl_pathv[i] + strlen(check->root));
		look_into(check, &dir);
		found = dir.owner == owner;
		if (found)
			*ret_dir = dir;
	}
	globfree(&matches);
	return found;
}

/* Where distributions and Slurm's own configure put its plugins. */
static bool find_stock(const struct lw_check *check, struct dir *ret_dir)
{
	static const char *const patterns[] = { "/usr/lib/*/slurm-wlm", "/usr/lib64/slurm",
						"/usr/lib/slurm", "/usr/local/lib/slurm" };

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		if (find_dir(check, patterns[i], STOCK, ret_dir))
			return true;
	}
	return false;
}

static bool find_ours(const struct lw_check *check, struct dir *ret_dir)
{
	return find_dir(check, "/usr/lib/*/leeway", OURS, ret_dir) ||
	       find_dir(check, "/usr/lib64/leeway", OURS, ret_dir) ||
	       find_dir(check, "/usr/lib/leeway", OURS, ret_dir) ||
	       find_dir(check, "/usr/local/lib/leeway", OURS, ret_dir);
}

/* As a word of PluginDir: what stands for Slurm's own plugins, on whatever machine this is. */
static const char *stock_path(const struct lw_check *check, const struct dir *ours,
			      struct dir *scratch)
{
	const char *slash = strrchr(ours->path, '/');

	if (find_stock(check, scratch))
		return scratch->path;
	/* packages put them beside each other */
	if (strncmp(ours->path, "/usr/lib/", 9) || slash < ours->path + 9)
		return "DIRECTORY-OF-SLURM'S-PLUGINS";
	snprintf(scratch->path, sizeof(scratch->path), "%.*s/slurm-wlm",
		 (int)(slash - ours->path), ours->path);
	return scratch->path;
}

static void read_dirs(struct lw_check *check, struct dirs *dirs)
{
	const char *value = lw_check_global(check, "PluginDir", &dirs->place);
	struct dir stock;

	dirs->named = value != NULL;
	if (value) {
		split_path(check, dirs, value);
	} else if (find_stock(check, &stock)) {
		dirs->all[dirs->count++] = stock;
		snprintf(check->plugin_dir, sizeof(check->plugin_dir), "%s", stock.path);
	}
}

static const struct dir *first_of(const struct dirs *dirs, enum owner owner)
{
	for (uint32_t i = 0; i < dirs->count; i++) {
		if (dirs->all[i].owner == owner)
			return &dirs->all[i];
	}
	return NULL;
}

/* What is in it runs as slurmctld: only the owner of the machine may change it. */
static void check_owner(struct lw_check *check, const char *path, const struct stat *st,
			struct lw_check_place place)
{
	struct stat root;
	char real[PATH_MAX];

	if (stat(lw_check_path(check, "/", real), &root) ||
	    (st->st_uid == root.st_uid && !(st->st_mode & (S_IWGRP | S_IWOTH))))
		return;
	lw_check_add(check, LW_CHECK_ERROR, "plugin-writable", place,
		     "%s can be changed by others than root, and what is in it runs as "
		     "slurmctld\nchown root:root %s && chmod go-w %s",
		     path, path, path);
}

static void check_modes(struct lw_check *check, const char *path, struct lw_check_place place)
{
	char real[PATH_MAX];
	struct stat st;
	mode_t needed;

	if (stat(lw_check_path(check, path, real), &st))
		return;
	check_owner(check, path, &st, place);
	needed = S_ISDIR(st.st_mode) ? S_IROTH | S_IXOTH : S_IROTH;
	if ((st.st_mode & needed) != needed)
		lw_check_add(check, LW_CHECK_ERROR, "plugin-unreadable", place,
			     "%s cannot be read by all users, and users' commands load plugins, "
			     "too\nchmod a+rX %s",
			     path, path);
}

/* Is it built for the Slurm that is here? */
static bool check_release(struct lw_check *check, const char *path,
			  const struct lw_elf_plugin *plugin, uint32_t mask,
			  struct lw_check_place place)
{
	char built[16], here[16];

	if ((check->release & LW_SLURM_ANY_MICRO) == LW_SLURM_ANY_MICRO)
		mask &= ~LW_SLURM_ANY_MICRO;
	if (!check->release || (plugin->version & mask) == (check->release & mask))
		return true;
	lw_check_add(check, LW_CHECK_ERROR, "plugin-release", place,
		     "%s was built for Slurm %s, and this is Slurm %s: it will be refused\n"
		     "install the leeway that was built for Slurm %s",
		     path, lw_check_release(plugin->version, built, sizeof(built)),
		     lw_check_release(check->release, here, sizeof(here)), here);
	return false;
}

bool lw_check_plugin_file(struct lw_check *check, const char *path, const char *type,
			  uint32_t mask, struct lw_check_place place)
{
	struct lw_elf_plugin plugin;
	struct lw_error err;
	char real[PATH_MAX];

	if (lw_elf_read_plugin(lw_check_path(check, path, real), &plugin, &err)) {
		lw_check_add(check, LW_CHECK_ERROR, "plugin-broken", place,
			     "%s %s\ninstall it again", path, err.text);
		return false;
	}
	check_modes(check, path, place);
	if (!plugin.version || strcmp(plugin.type, type)) {
		lw_check_add(check, LW_CHECK_ERROR, "plugin-type", place,
			     "%s says that it is \"%s\" and not \"%s\"\ninstall it again", path,
			     plugin.type, type);
		return false;
	}
	return check_release(check, path, &plugin, mask, place);
}

const char *lw_check_find_plugin(const struct lw_check *check, const char *file, char *buf)
{
	const char *value = lw_check_global(check, "PluginDir", NULL) ?: check->plugin_dir;
	char real[PATH_MAX];
	struct stat st;

	for (; *value; value += *value == ':') {
		size_t len = strcspn(value, ":");

		snprintf(buf, PATH_MAX, "%.*s/%s", (int)len, value, file);
		if (len && !stat(lw_check_path(check, buf, real), &st))
			return buf;
		value += len;
	}
	return NULL;
}

static void check_there(struct lw_check *check, const struct dirs *dirs)
{
	for (uint32_t i = 0; dirs->named && i < dirs->count; i++) {
		const char *path = dirs->all[i].path;

		if (!dirs->all[i].there)
			lw_check_add(
				check, LW_CHECK_FATAL, "plugin-dir-missing", dirs->place,
				"PluginDir names %s, which is not there: neither daemons nor "
				"commands start\nmkdir -p %s, on every host that reads this file",
				path, path);
	}
}

/* Ours before stock's, and stock's behind it. */
static bool check_order(struct lw_check *check, const struct dirs *dirs)
{
	const struct dir *ours = first_of(dirs, OURS), *stock = first_of(dirs, STOCK);
	struct dir found;

	if (stock && ours > stock) {
		lw_check_add(check, LW_CHECK_ERROR, "plugin-dir-order", dirs->place,
			     "PluginDir has %s behind %s, and Slurm takes the first plugin: Leeway "
			     "never runs\nPluginDir=%s:%s",
			     ours->path, stock->path, ours->path, stock->path);
		return false;
	}
	if (stock)
		return true;
	lw_check_add(check, LW_CHECK_FATAL, "plugin-dir-no-stock", dirs->place,
		     "PluginDir has no directory with Slurm's own plugins: Slurm does not start\n"
		     "add it behind %s, such as %s:%s",
		     ours->path, ours->path, stock_path(check, ours, &found));
	return false;
}

/* Commands of users go through the directories above it, too. */
static void check_above(struct lw_check *check, const char *dir, struct lw_check_place place)
{
	char path[PATH_MAX], real[PATH_MAX], *slash;
	struct stat st;

	snprintf(path, sizeof(path), "%s", dir);
	while ((slash = strrchr(path, '/')) && slash != path) {
		*slash = '\0';
		if (stat(lw_check_path(check, path, real), &st) || st.st_mode & S_IXOTH)
			continue;
		lw_check_add(check, LW_CHECK_ERROR, "plugin-unreadable", place,
			     "%s is below %s, which not all users may enter: neither slurmctld's "
			     "user nor users' commands reach the plugins\nchmod a+x %s",
			     dir, path, path);
	}
}

/* Two plugins plan together: one without the other loads, and does half the work. */
static bool check_pair(struct lw_check *check, const struct dir *ours,
		       struct lw_check_place place)
{
	char path[PATH_MAX + sizeof(SELECTOR)], real[PATH_MAX];
	struct stat st;
	bool loads;

	snprintf(path, sizeof(path), "%s/" SCHEDULER, ours->path);
	loads = lw_check_plugin_file(check, path, "sched/backfill", LW_CHECK_MICRO, place);
	snprintf(path, sizeof(path), "%s/" SELECTOR, ours->path);
	if (!stat(lw_check_path(check, path, real), &st))
		lw_check_plugin_file(check, path, "select/cons_tres", LW_CHECK_MICRO, place);
	else
		lw_check_add(check, LW_CHECK_WARNING, "plugin-missing", place,
			     "%s is not there: Slurm's own places GPU jobs\ninstall it again",
			     path);
	check_modes(check, ours->path, place);
	check_above(check, ours->path, place);
	return loads;
}

static void say_not_enabled(struct lw_check *check, const struct dirs *dirs)
{
	const struct dir *stock = first_of(dirs, STOCK);
	struct dir ours;

	if (find_ours(check, &ours))
		lw_check_add(check, LW_CHECK_WARNING, "not-enabled", dirs->place,
			     "Leeway is installed but not switched on: stock Slurm plans the "
			     "queue\nPluginDir=%s:%s",
			     ours.path, stock ? stock->path : "DIRECTORY-OF-SLURM'S-PLUGINS");
	else
		lw_check_add(
			check, LW_CHECK_WARNING, "not-enabled", dirs->place,
			"no directory of PluginDir has Leeway's plugins: stock Slurm plans the "
			"queue\ninstall the plugins, and put their directory first in PluginDir");
}

static void say_unsupported(struct lw_check *check, struct lw_check_place place)
{
	char release[16], releases[128];

	lw_check_add(check, LW_CHECK_WARNING, "release-unsupported", place,
		     "this is Slurm %s, and leeway check has the names of %s: what it says of "
		     "names may be wrong",
		     lw_check_release(check->release, release, sizeof(release)),
		     lw_slurmkey_releases(releases, sizeof(releases)));
}

static void check_dirs(struct lw_check *check, const struct dirs *dirs)
{
	const struct dir *ours = first_of(dirs, OURS), *stock = first_of(dirs, STOCK);

	if (!check->release && stock)
		check->release = stock->plugin.version;
	if (!check->release)
		lw_check_add(check, LW_CHECK_NOTE, "release-unknown", dirs->place,
			     "no Slurm is found here: names are compared with those of all "
			     "releases\nsay which it is with --release");
	else if (!lw_slurmkey_supports(check->release))
		say_unsupported(check, dirs->place);
	check_there(check, dirs);
	check->in_path = ours != NULL;
	if (!ours) {
		say_not_enabled(check, dirs);
		return;
	}
	check->loads = check_pair(check, ours, dirs->place);
	check->loads &= check_order(check, dirs);
}

void lw_check_plugins(struct lw_check *check)
{
	struct dirs dirs = { .all = calloc(DIRS_MAX, sizeof(*dirs.all)) };

	if (!dirs.all) {
		check->error = -ENOMEM;
		return;
	}
	read_dirs(check, &dirs);
	check_dirs(check, &dirs);
	lw_check_submit(check, first_of(&dirs, STOCK) != NULL);
	free(dirs.all);
}
