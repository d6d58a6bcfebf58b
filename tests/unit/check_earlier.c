/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of upgrades: files of each version there has been are read, and go on. */

/*
 * tests/state has a file of every version of each format that slurmctld or a node keeps, written
 * by a program of that time: KIND-VERSION[-WHICH].ENTRIES. Who raises a version adds the one that
 * was.
 */
#include "property/keepers.h"

#include "base/savefile.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char last_error[1024];

static void keep_error(void *arg, enum lw_log_level level, const char *line)
{
	(void)arg;
	if (level == LW_LOG_ERROR)
		snprintf(last_error, sizeof(last_error), "%s", line);
}

static const struct lw_log test_log = { .write = keep_error, .level = LW_LOG_INFO };

static void setup(void)
{
	scratch_setup();
	last_error[0] = '\0';
}

static const char *path_of(const struct keeper *keeper)
{
	return scratch_path(keeper->name);
}

static const char *written_by(const struct keeper *keeper)
{
	return scratch_path(keeper->written ? keeper->written : keeper->name);
}

/* The version that KEEPER writes, by its header. */
static unsigned version_of(const struct keeper *keeper)
{
	unsigned version = 0;
	char *text;

	ck_assert_int_eq(keeper->make(path_of(keeper), 3), 0);
	text = scratch_read(written_by(keeper));
	ck_assert_int_eq(sscanf(text, "lw-%*s %u", &version), 1);
	free(text);
	ck_assert_uint_ge(version, 1);
	ck_assert_int_eq(unlink(written_by(keeper)), 0);
	return version;
}

/* KEEPER reads the file at FROM, and goes on with it. */
static void go_on(const struct keeper *keeper, const char *from)
{
	long entries = strtol(strrchr(from, '.') + 1, NULL, 10);
	char *text = scratch_read(from);
	int64_t found;

	if (keeper->written)
		unlink(written_by(keeper));
	scratch_write(keeper->name, text);
	free(text);
	found = keeper->load(path_of(keeper), &test_log);
	ck_assert_msg(found == entries && !*last_error, "%s: %ld entries, %s", from, (long)found,
		      last_error);
	if (keeper->most == 1)
		return;
	/* what comes beside it is written with it, and read again */
	ck_assert_int_eq(keeper->make(path_of(keeper), (uint32_t)entries + 5), 0);
	ck_assert_int_ge(keeper->load(path_of(keeper), &test_log), entries);
	ck_assert_str_eq(last_error, "");
}

FIXTURE(setup, scratch_teardown);

TEST_EACH(every_earlier_version_is_read_and_goes_on, keeper_count)
{
	const struct keeper *keeper = &keepers[_i];
	unsigned latest = version_of(keeper);

	for (unsigned version = 1; version <= latest; version++) {
		char pattern[512];
		glob_t found;

		snprintf(pattern, sizeof(pattern), LW_STATE "/%s-%u[.-]*", keeper->kind, version);
		ck_assert_msg(!glob(pattern, 0, NULL, &found), "there is no %s", pattern);
		for (size_t i = 0; i < found.gl_pathc; i++)
			go_on(keeper, found.gl_pathv[i]);
		globfree(&found);
	}
}

/* None that keeps a file of lines: what is newer there is left, and nothing is begun afresh. */
TEST_EACH(a_later_version_is_named_and_left_whole, keeper_count)
{
	static const char text[] = "what a later Leeway wrote\n";
	const struct keeper *keeper = &keepers[_i];
	char aside[300], wanted[300];
	struct lw_error err;
	char *kept;
	size_t size;

	if (keeper->lines)
		return;
	snprintf(aside, sizeof(aside), "%s%s", path_of(keeper),
		 keeper->stays ? "" : ".newer-1000000");
	ck_assert_int_eq(
		lw_savefile_write(path_of(keeper), keeper->kind, 99, text, strlen(text), &err),
		0);
	keeper->load(path_of(keeper), &test_log);
	snprintf(wanted, sizeof(wanted), "%s: version 99 is newer than ours", path_of(keeper));
	ck_assert_msg(strstr(last_error, wanted), "%s", last_error);
	ck_assert_msg(!lw_savefile_read(aside, keeper->kind, 99, &kept, &size, &err), "%s",
		      err.text);
	ck_assert_str_eq(kept, text);
	free(kept);
	/* an upgrade puts it back by its name: nothing has been lost of it */
	if (keeper->stays)
		return;
	ck_assert_int_eq(keeper->make(path_of(keeper), 3), 0);
	ck_assert_msg(!lw_savefile_read(aside, keeper->kind, 99, &kept, &size, &err), "%s",
		      err.text);
	free(kept);
}
