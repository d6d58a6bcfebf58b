/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: who may read a record, who may have written it, and who is writing it now. */
#ifndef LW_RECORD_ACCESS_H
#define LW_RECORD_ACCESS_H

#include "record/record.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/*
 * A record says what a user's job made of GPUs: that user reads it, root does, and a group
 * where the site names one. And a user must not be able to make, change, hide or delay one: so
 * it is kept only where nobody but root (or who runs this) can write, no file of somebody else
 * is believed, and a lock says that a record grows which only its writer can take.
 */

/*
 * Whether nobody but root and the caller's own user can put anything in the place of DIR, of
 * what is in it, or of a directory or link on the way to it. 0; -EPERM with ERR naming what is
 * wrong; -errno.
 */
int lw_access_check_dir(const char *dir, struct lw_error *err);

/* Whether a file is root's or the caller's own user's, so that nobody else made it up. */
bool lw_access_is_trusted(const struct stat *st);

/*
 * Let FD, a new file of mode 0600, be read by HEAD's user and HEAD's group: the user through an
 * ACL, since who owns a file may change it. 0; -EOPNOTSUPP: the file system has no ACLs, and
 * the user is left out; -errno.
 */
int lw_access_let_read(int fd, const struct lw_record_head *head);

/* The group that may read a file of ST besides its user and root; 0: none. */
uint32_t lw_access_group_of(const struct stat *st);

/* A group's number by its name or number. -ENOENT or -errno with ERR. */
int lw_access_find_group(const char *text, uint32_t *ret_group, struct lw_error *err);

/*
 * Lock FD, which is open for writing, as long as it is open, also in children. 0; -EAGAIN: it is
 * locked; -errno. Who may only read a file cannot take this lock, as flock() would let them.
 */
int lw_access_lock(int fd);
/* Whether somebody has the file of FD, which is open for reading, locked in that way. */
bool lw_access_is_locked(int fd);

#endif
