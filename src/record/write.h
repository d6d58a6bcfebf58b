/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: make files and folders of a directory of GPU records so that no user can interfere. */
#ifndef LW_RECORD_WRITE_H
#define LW_RECORD_WRITE_H

#include "record/record.h"

#include <sys/types.h>

/* Write SIZE bytes to FD and to the disk. 0 or -errno. */
int lw_files_write_through(int fd, const char *data, size_t size);

/*
 * Write PATH, with TEXT of RECORD, by way of PATH.new; *ret_fd is open and locked. *ret_hidden:
 * its user cannot read it, because there are no ACLs. 0 or -errno.
 */
int lw_files_write_anew(const char *path, const struct lw_record *record,
			const struct lw_strbuf *text, int *ret_fd, bool *ret_hidden);

/* Make DIR, mode 0755, if it does not exist. -EPERM: users could put files there. -errno. */
int lw_files_make_dir(const char *dir, struct lw_error *err);

/*
 * Make the folder PATH with MODE, in a directory that lw_access_check_dir() accepted. Anything
 * else with that name is set aside. 0 or -errno.
 */
int lw_files_make_folder(const char *path, mode_t mode);

#endif
