/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: files and folders of a directory of GPU records, made so that no user is in the way. */
#ifndef LW_RECORD_WRITE_H
#define LW_RECORD_WRITE_H

#include "record/record.h"

#include <sys/types.h>

/* Write SIZE bytes to FD, and have the disk take them. 0 or -errno. */
int lw_files_write_through(int fd, const char *data, size_t size);

/*
 * Make PATH of TEXT, RECORD's, by way of PATH.new; *ret_fd is open and locked. *ret_hidden: its
 * user cannot read it, since there are no ACLs. 0 or -errno.
 */
int lw_files_write_anew(const char *path, const struct lw_record *record,
			const struct lw_strbuf *text, int *ret_fd, bool *ret_hidden);

/* Make DIR, mode 0755, when it is not there. -EPERM: users could put files there. -errno. */
int lw_files_make_dir(const char *dir, struct lw_error *err);

/*
 * Make the folder PATH, in a directory that lw_access_check_dir() found right, with MODE. What
 * has the name and is no folder of ours is set aside. 0 or -errno.
 */
int lw_files_make_folder(const char *path, mode_t mode);

#endif
