/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: what the user that slurmctld runs as may read and write. */

/*
 * Judged by owners and modes, so that another machine's disk can be judged too. What is not
 * known is allowed: a user from another source than /etc/passwd, a file with an access control
 * list, a directory that the calling user may not read.
 */
#include "cli/check/check.h"

#include <ctype.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/common/tools.h"

#define ACCESS_LIST "system.posix_acl_access"

static FILE *open_below(const struct lw_check *check, const char *path)
{
	char real[PATH_MAX];
	FILE *stream = NULL;

	(void)lw_tools_open_plain(lw_check_path(check, path, real), &stream);
	return stream;
}

static void access_take(const struct passwd *entry, struct lw_check_user *user)
{
	user->uid = entry->pw_uid;
	user->gid = entry->pw_gid;
	snprintf(user->name, sizeof(user->name), "%s", entry->pw_name);
}

/* Find NAME, a name or a number, in /etc/passwd; *ret_there says if that can be read. */
static bool look_up(const struct lw_check *check, const char *name, struct lw_check_user *user,
		    bool *ret_there)
{
	FILE *stream = open_below(check, "/etc/passwd");
	uint64_t uid = 0;
	/* a number that no user has, and a name of digits, are looked up as names */
	bool number = lw_number_read(name, UINT32_MAX - 1, &uid), found = false;
	const struct passwd *entry;

	*ret_there = stream != NULL;
	while (stream && !found && (entry = fgetpwent(stream))) {
		found = number ? entry->pw_uid == uid : !strcmp(entry->pw_name, name);
		if (found)
			access_take(entry, user);
	}
	if (stream)
		fclose(stream);
	return found;
}

static bool ask_system(const char *name, struct lw_check_user *user)
{
	const struct passwd *entry = getpwnam(name);

	if (entry)
		access_take(entry, user);
	return entry != NULL;
}

/* The user that KEY names, into USER, unless that is root. */
static void find_user(struct lw_check *check, const char *key, struct lw_check_user *user)
{
	struct lw_check_place place;
	const char *name = lw_check_global(check, key, &place);
	bool there;

	if (!name || !strcmp(name, "root") || !strcmp(name, "0"))
		return;
	user->known =
		look_up(check, name, user, &there) || (!*check->root && ask_system(name, user));
	/* the disk of another machine does not have the users of its directory service */
	if (!user->known && there && !isdigit((unsigned char)*name))
		lw_check_add(check, *check->root ? LW_CHECK_WARNING : LW_CHECK_FATAL,
			     "slurm-user", place,
			     "%s=%s: there is no such user%s: slurmctld does not start\n"
			     "make it, with the same number on every host",
			     key, name, *check->root ? " in /etc/passwd" : "");
}

static bool is_member(const struct lw_check *check, gid_t gid)
{
	FILE *stream = open_below(check, "/etc/group");
	const struct group *entry;
	bool found = false;

	while (stream && !found && (entry = fgetgrent(stream))) {
		for (char **name = entry->gr_mem; entry->gr_gid == gid && !found && *name; name++)
			found = !strcmp(*name, check->user.name);
	}
	if (stream)
		fclose(stream);
	return found;
}

/* May it do what BITS of rwx say, with a file of ST? */
static bool allows(const struct lw_check *check, const struct stat *st, mode_t bits)
{
	unsigned shift = 0;

	if (st->st_uid == check->user.uid)
		shift = 6;
	else if (st->st_gid == check->user.gid || is_member(check, st->st_gid))
		shift = 3;
	return (st->st_mode >> shift & bits) == bits;
}

/* The same of the file at PATH. */
static bool allows_path(const struct lw_check *check, const char *path, mode_t bits)
{
	char real[PATH_MAX];
	struct stat st;

	lw_check_path(check, path, real);
	return stat(real, &st) || allows(check, &st, bits) ||
	       getxattr(real, ACCESS_LIST, NULL, 0) > 0;
}

bool lw_check_allows(const struct lw_check *check, const char *path, int mode,
		     struct lw_check_obstacle *ret_obstacle)
{
	mode_t bits = (mode & R_OK ? 4 : 0) | (mode & W_OK ? 2 : 0) | (mode & X_OK ? 1 : 0);
	char *slash;

	if (!check->user.known || !check->user.uid)
		return true;
	snprintf(ret_obstacle->path, PATH_MAX, "%s", path);
	snprintf(ret_obstacle->remedy, sizeof(ret_obstacle->remedy), "chmod a+x");
	slash = strchr(ret_obstacle->path + 1, '/');
	for (; slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (!allows_path(check, ret_obstacle->path, 1))
			return false;
		*slash = '/';
	}
	if (bits & 2)
		snprintf(ret_obstacle->remedy, sizeof(ret_obstacle->remedy), "chown %s",
			 check->user.name);
	else
		snprintf(ret_obstacle->remedy, sizeof(ret_obstacle->remedy), "chmod a+r");
	return allows_path(check, path, bits);
}

/* slurmctld makes the directory if it may, and not every host with this file has one. */
static void check_state(struct lw_check *check)
{
	struct lw_check_place place;
	const char *path = lw_check_global(check, "StateSaveLocation", &place);
	struct lw_check_obstacle obstacle;
	char real[PATH_MAX];
	struct stat st;

	if (!path || stat(lw_check_path(check, path, real), &st))
		return;
	if (!S_ISDIR(st.st_mode))
		lw_check_add(check, LW_CHECK_FATAL, "state-dir", place,
			     "StateSaveLocation=%s is no directory: slurmctld does not start\n"
			     "name a directory",
			     path);
	else if (!lw_check_allows(check, path, R_OK | W_OK | X_OK, &obstacle))
		lw_check_add(
			check, LW_CHECK_FATAL, "state-dir", place,
			"StateSaveLocation=%s: SlurmUser %s may not write there, by owner and "
			"mode of %s: slurmctld does not start\n%s %s",
			path, check->user.name, obstacle.path, obstacle.remedy, obstacle.path);
}

void lw_check_access(struct lw_check *check)
{
	struct lw_check_user slurmd = { .known = false };

	find_user(check, "SlurmUser", &check->user);
	find_user(check, "SlurmdUser", &slurmd);
	check_state(check);
}
