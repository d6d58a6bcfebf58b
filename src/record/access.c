/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which users may read a record, may have written it, or write it now. */
#include "record/access.h"

#include "base/number.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

/* A large group's members fill it. */
#define GROUP_ENTRY_MAX (1 << 20)

/* ---- what others can write ---- */

/* The real user: slurmstepd is for moments its job's user, with root's right to files kept. */
static bool access_is_ours(uid_t owner)
{
	return !owner || owner == getuid();
}

bool lw_access_is_trusted(const struct stat *st)
{
	return access_is_ours(st->st_uid);
}

/* Whether others may make and rename entries; of a sticky directory only what is their own. */
static bool access_is_open_to_others(const struct stat *st)
{
	return st->st_mode & S_IWOTH || (st->st_mode & S_IWGRP && st->st_gid);
}

/* PATH is a directory or link on the way, or the directory itself. */
static int access_check_step(const char *path, bool last, struct lw_error *err)
{
	struct stat st;

	if (lstat(path, &st))
		return lw_error_set(err, -errno, "%s: %s", path, strerror(errno));
	if (!access_is_ours(st.st_uid))
		return lw_error_set(err, -EPERM,
				    "%s belongs to user %" PRIu32 ", who could put false records "
				    "there: it must be root's",
				    path, (uint32_t)st.st_uid);
	if (S_ISLNK(st.st_mode))
		return 0;
	if (access_is_open_to_others(&st) && (last || !(st.st_mode & S_ISVTX)))
		return lw_error_set(
			err, -EPERM,
			"others than root may write in %s, and could put false records "
			"there: chmod go-w",
			path);
	if (last && !S_ISDIR(st.st_mode))
		return lw_error_set(err, -ENOTDIR, "%s: %s", path, strerror(ENOTDIR));
	return 0;
}

/* Each directory or link of an absolute PATH, from the root on. */
static int access_check_steps(const char *path, struct lw_error *err)
{
	char step[PATH_MAX];
	int rc = access_check_step("/", !path[1], err);

	for (const char *p = path; !rc && *p;) {
		p += strspn(p, "/");
		if (!*p)
			break;
		p += strcspn(p, "/");
		if ((size_t)(p - path) >= sizeof(step))
			return lw_error_set(err, -ENAMETOOLONG, "%s: too long", path);
		memcpy(step, path, (size_t)(p - path));
		step[p - path] = '\0';
		rc = access_check_step(step, !p[strspn(p, "/")], err);
	}
	return rc;
}

/* The links on the way, and where they lead to. */
int lw_access_check_dir(const char *dir, struct lw_error *err)
{
	char *real;
	int rc = *dir == '/' ? access_check_steps(dir, err) : 0;

	if (rc)
		return rc;
	real = realpath(dir, NULL);
	if (!real)
		return lw_error_set(err, -errno, "%s: %s", dir, strerror(errno));
	rc = access_check_steps(real, err);
	free(real);
	return rc;
}

/* ---- readers ---- */

/* The kernel's own form of an ACL in an extended attribute, little-endian. */
#define ACL_ATTRIBUTE "system.posix_acl_access"
#define ACL_VERSION   2
#define ACL_READ      4
#define ACL_WRITE     2
#define ACL_NO_ID     UINT32_MAX

enum { ACL_OWNER = 1, ACL_USER = 2, ACL_GROUP = 4, ACL_MASK = 0x10, ACL_OTHER = 0x20 };

struct acl_entry {
	uint16_t tag, rights;
	uint32_t id;
};

struct acl {
	uint32_t version;
	struct acl_entry entry[5]; /* in the order of their tags */
};

static struct acl_entry access_make_entry(unsigned tag, unsigned rights, uint32_t id)
{
	return (struct acl_entry){ htole16((uint16_t)tag), htole16((uint16_t)rights),
				   htole32(id) };
}

static int access_set_acl(int fd, uint32_t user, bool group)
{
	struct acl acl = { .version = htole32(ACL_VERSION) };

	acl.entry[0] = access_make_entry(ACL_OWNER, ACL_READ | ACL_WRITE, ACL_NO_ID);
	acl.entry[1] = access_make_entry(ACL_USER, ACL_READ, user);
	acl.entry[2] = access_make_entry(ACL_GROUP, group ? ACL_READ : 0, ACL_NO_ID);
	acl.entry[3] = access_make_entry(ACL_MASK, ACL_READ, ACL_NO_ID);
	acl.entry[4] = access_make_entry(ACL_OTHER, 0, ACL_NO_ID);
	return fsetxattr(fd, ACL_ATTRIBUTE, &acl, sizeof(acl), 0) ? -errno : 0;
}

int lw_access_let_read(int fd, const struct lw_record_head *head)
{
	gid_t wanted = head->group_id ? head->group_id : getgid();
	/* a directory may give its own group to what is made in it */
	bool group = !fchown(fd, (uid_t)-1, wanted) && head->group_id;
	int rc = fchmod(fd, group ? 0640 : 0600) ? -errno : 0;

	if (!rc && head->user_id != LW_RECORD_NO_USER && head->user_id != getuid())
		rc = access_set_acl(fd, head->user_id, group);
	return rc;
}

uint32_t lw_access_group_of(const struct stat *st)
{
	return st->st_mode & S_IRGRP && st->st_gid != getgid() ? st->st_gid : 0;
}

int lw_access_find_group(const char *text, uint32_t *ret_group, struct lw_error *err)
{
	struct group entry, *found = NULL;
	char *buf = NULL;
	uint64_t number;
	int rc = ERANGE;

	if (lw_number_read(text, UINT32_MAX - 1, &number)) {
		*ret_group = (uint32_t)number;
		return 0;
	}
	for (size_t size = 1024; rc == ERANGE && size <= GROUP_ENTRY_MAX; size *= 4) {
		free(buf);
		buf = malloc(size);
		rc = buf ? getgrnam_r(text, &entry, buf, size, &found) : ENOMEM;
	}
	if (found)
		*ret_group = entry.gr_gid;
	free(buf);
	if (rc)
		return lw_error_set(err, -rc, "group=%s: %s", text, strerror(rc));
	return found ? 0 : lw_error_set(err, -ENOENT, "group=%s: no such group here", text);
}

/* ---- writers ---- */

int lw_access_lock(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (!fcntl(fd, F_OFD_SETLK, &lock))
		return 0;
	return errno == EACCES ? -EAGAIN : -errno;
}

bool lw_access_is_locked(int fd)
{
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };

	return !fcntl(fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
}
