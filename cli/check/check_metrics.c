/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: where sched.metrics of leeway.yaml has the file of metrics written. */
#include "cli/check/check.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"

/* What each finding begins with. */
#define KEY "sched.metrics: "

static void check_dir(struct lw_check *check, struct lw_check_place place, const char *dir)
{
	const char *user = lw_check_global(check, "SlurmUser", NULL) ?: "root";
	struct lw_check_obstacle obstacle;
	char real[PATH_MAX];
	struct stat st;

	if (stat(lw_check_path(check, dir, real), &st) || !S_ISDIR(st.st_mode))
		lw_check_add(check, LW_CHECK_WARNING, "metrics", place,
			     KEY "%s is not there: no metrics are written\n"
				 "install -d -o %s %s",
			     dir, user, dir);
	else if (!lw_check_allows(check, dir, W_OK | X_OK, &obstacle))
		lw_check_add(check, LW_CHECK_WARNING, "metrics", place,
			     KEY "SlurmUser %s may not write to %s, by owner and mode of %s: no "
				 "metrics are written\n"
				 "%s %s, or let a group of its own write there",
			     user, dir, obstacle.path, obstacle.remedy, obstacle.path);
}

static bool is_below(const char *path, const char *dir)
{
	size_t len = dir ? strlen(dir) : 0;

	while (len && dir[len - 1] == '/')
		len--;
	return len && !strncmp(path, dir, len) && path[len] == '/';
}

/* Backup controllers share that directory, and others may not look into it. */
static void check_state(struct lw_check *check, struct lw_check_place place, const char *path)
{
	const char *state = lw_check_global(check, "StateSaveLocation", NULL);

	if (is_below(path, state))
		lw_check_add(check, LW_CHECK_WARNING, "metrics-state", place,
			     KEY "%s is in StateSaveLocation, which is slurmctld's own, and "
				 "shared by its backups\n"
				 "name a file in the directory that node_exporter reads",
			     path);
}

static void check_target(struct lw_check *check, struct lw_check_place place, const char *path)
{
	size_t len = strlen(path);
	char real[PATH_MAX];
	struct stat st;

	if (!lstat(lw_check_path(check, path, real), &st) && !S_ISREG(st.st_mode))
		lw_check_add(check, LW_CHECK_WARNING, "metrics", place,
			     KEY "%s is no file, and left as it is: no metrics are written\n"
				 "name another place",
			     path);
	else if (len < strlen(".prom") || strcmp(path + len - strlen(".prom"), ".prom"))
		lw_check_add(check, LW_CHECK_NOTE, "metrics-name", place,
			     KEY "node_exporter reads files that end in .prom only\n"
				 "name it %s.prom",
			     path);
}

void lw_check_metrics(struct lw_check *check)
{
	struct lw_check_place place = lw_check_at_setting(check, "metrics");
	const char *path = check->config.sched_metrics;
	char dir[PATH_MAX];

	if (!path || lw_dir_of(path, dir, sizeof(dir)))
		return;
	check_dir(check, place, dir);
	check_state(check, place, path);
	check_target(check, place, path);
}
