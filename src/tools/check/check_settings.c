/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: leeway.yaml. */
#include "tools/check/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The line in "/path/leeway.yaml:12: what"; moves *text to what. */
static uint32_t take_line(const char **text, const char *path)
{
	size_t len = strlen(path);
	uint32_t line = 0;
	char *end;

	if (strncmp(*text, path, len) || (*text)[len] != ':')
		return 0;
	*text += len + 1;
	line = (uint32_t)strtoul(*text, &end, 10);
	if (end != *text && *end == ':')
		*text = end + 1;
	else
		line = 0;
	*text += strspn(*text, " ");
	return line;
}

static void report(struct lw_check *check, const char *real, struct lw_check_place place,
		   const struct lw_error *err)
{
	const char *text = err->text;

	place.line = take_line(&text, real);
	lw_check_add(
		check, LW_CHECK_ERROR, "yaml", place,
		"%s\nnone of the file is taken until this is right; leeway.yaml(5) has all keys",
		text);
}

static void check_dump_dir(struct lw_check *check, struct lw_check_place place)
{
	const char *dir = check->config.sched_dump_dir;
	char real[PATH_MAX];
	struct stat st;

	if (!dir || (!stat(lw_check_path(check, dir, real), &st) && S_ISDIR(st.st_mode)))
		return;
	lw_check_add(check, LW_CHECK_WARNING, "dump-dir", place,
		     "sched.dump_dir: %s is not there: no cycle is written\n"
		     "install -d -o %s %s",
		     dir, lw_check_global(check, "SlurmUser", NULL) ?: "root", dir);
}

void lw_check_settings(struct lw_check *check)
{
	static const char name[] = "/leeway.yaml";
	/* lives in the check, as places do */
	const char *path = check->yaml_path;
	struct lw_check_place place = { path, 0 };
	struct lw_error err = { "" };
	char real[PATH_MAX];
	int rc;

	snprintf(check->yaml_path, PATH_MAX, "%.*s%s", (int)(PATH_MAX - sizeof(name)),
		 check->conf_dir, name);
	rc = lw_config_load(lw_check_path(check, path, real), &check->config, &err);
	if (rc == -ENOENT) {
		lw_check_add(
			check, LW_CHECK_NOTE, "yaml-missing", place,
			"is not there: Leeway plans by its defaults\n"
			"copy the commented example of the documentation here to change that");
	} else if (rc == -ENOMEM) {
		check->error = rc;
	} else if (rc) {
		check->yaml_bad = true;
		report(check, real, place, &err);
	} else {
		check_dump_dir(check, place);
	}
}
