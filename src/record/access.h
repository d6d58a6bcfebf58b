/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which users may read a record, may have written it, or write it now. */
#ifndef LW_RECORD_ACCESS_H
#define LW_RECORD_ACCESS_H

#include "record/record.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/*
 * A record says what a user's job used of GPUs. The user and root may read it, and a group if
 * the site names one. No user may be able to make, change, hide or delay a record. So records
 * are kept only where root (or the user that runs this) alone can write, files of other users
 * are not trusted, and a growing record has a lock that only its writer can take.
 */

/*
 * Can only root and the caller's own user put anything in the place of DIR, of its contents, or
 * of a directory or link on the way to it? 0; -EPERM with ERR naming what is wrong; -errno.
 */
int lw_access_check_dir(const char *dir, struct lw_error *err);

/* Does the file belong to root or the caller's own user, so that no other user made it? */
bool lw_access_is_trusted(const struct stat *st);

/*
 * Let HEAD's user and HEAD's group read FD, a new file of mode 0600. The user gets an ACL,
 * because the owner of a file may change it. 0; -EOPNOTSUPP: the file system has no ACLs, and
 * the user cannot read it; -errno.
 */
int lw_access_let_read(int fd, const struct lw_record_head *head);

/* The group that may read a file with ST besides its user and root; 0: none. */
uint32_t lw_access_group_of(const struct stat *st);

/* The number of a group by name or number. -ENOENT or -errno with ERR. */
int lw_access_find_group(const char *text, uint32_t *ret_group, struct lw_error *err);

/*
 * Lock FD, open for writing, as long as it is open, also in children. 0; -EAGAIN: it is locked;
 * -errno. A process that may only read a file cannot take this lock; flock() would let it.
 */
int lw_access_lock(int fd);
/* Has a process locked the file of FD, open for reading, in this way? */
bool lw_access_is_locked(int fd);

#endif
