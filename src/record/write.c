/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: make files and folders of a directory of GPU records so that no user can interfere. */
#include "record/write.h"

#include "record/access.h"

#include "base/io.h"
#include "base/savefile.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int lw_files_write_through(int fd, const char *data, size_t size)
{
	int rc = lw_write_all(fd, data, size);

	return !rc && fdatasync(fd) && errno != EINVAL ? -errno : rc;
}

int lw_files_write_anew(const char *path, const struct lw_record *record,
			const struct lw_strbuf *text, int *ret_fd, bool *ret_hidden)
{
	char temp[PATH_MAX];
	int fd, rc, access_rc;

	if (text->error)
		return text->error;
	if (snprintf(temp, sizeof(temp), "%s.new", path) >= (int)sizeof(temp))
		return -ENAMETOOLONG;
	fd = lw_create_anew(temp, 0600);
	if (fd < 0)
		return fd;
	rc = lw_access_lock(fd);
	/* whatever the job's umask, which slurmstepd takes over */
	access_rc = rc ? 0 : lw_access_let_read(fd, &record->head);
	*ret_hidden = access_rc == -EOPNOTSUPP;
	if (access_rc && !*ret_hidden)
		rc = access_rc;
	if (!rc)
		rc = lw_files_write_through(fd, text->text, text->len);
	if (!rc && rename(temp, path))
		rc = -errno;
	if (rc) {
		unlink(temp);
		close(fd);
		return rc;
	}
	lw_sync_dir_of(path);
	*ret_fd = fd;
	return 0;
}

int lw_files_make_dir(const char *dir, struct lw_error *err)
{
	int rc;

	if (!mkdir(dir, 0755))
		rc = chmod(dir, 0755) ? -errno : 0; /* the umask is the job's */
	else
		rc = errno == EEXIST ? 0 : -errno;
	if (rc)
		return lw_error_set(err, rc, "%s: cannot make the record directory: %s", dir,
				    strerror(-rc));
	return lw_access_check_dir(dir, err);
}

static int write_make_new_folder(const char *path, mode_t mode)
{
	return mkdir(path, mode) || chmod(path, mode) ? -errno : 0;
}

int lw_files_make_folder(const char *path, mode_t mode)
{
	int rc = write_make_new_folder(path, mode);
	int64_t stamp = (int64_t)time(NULL);
	struct stat st;

	if (rc != -EEXIST)
		return rc;
	if (lstat(path, &st))
		return -errno;
	if (S_ISDIR(st.st_mode) && lw_access_is_trusted(&st))
		return st.st_mode & (S_IWGRP | S_IWOTH) && chmod(path, mode) ? -errno : 0;
	rc = lw_savefile_set_aside(path, "damaged", &stamp, NULL);
	return rc ? rc : write_make_new_folder(path, mode);
}
