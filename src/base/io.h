/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: read and write whole files, although read() and write() may stop early. */
#ifndef LW_BASE_IO_H
#define LW_BASE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Read up to SIZE bytes of FD into BUF; fewer only at the end of the file. 0 with the number in
 * *ret_got, or -errno.
 */
int lw_read_all(int fd, char *buf, size_t size, size_t *ret_got);

/* Write SIZE bytes to FD. 0 or -errno; part of the data may be written then. */
int lw_write_all(int fd, const char *data, size_t size);

/*
 * Make an empty file of MODE, less the umask, at PATH, in place of what is there: an old file
 * may have another owner or mode, and a FIFO would block. Returns a descriptor open for writing,
 * or -errno.
 */
int lw_create_anew(const char *path, mode_t mode);

/*
 * Make an empty file of MODE, less the umask, beside PATH, to be renamed to it: PATH.leeway-new,
 * with a number added while another process writes PATH. Its name goes to RET_NAME of SIZE
 * bytes. It is locked until its last descriptor is closed, which must not be before it is
 * renamed or removed. A file that a killed process left there is removed. Returns a descriptor
 * open for writing, or -errno.
 */
int lw_create_beside(const char *path, mode_t mode, char *ret_name, size_t size);

/*
 * End the writing of BESIDE, which lw_create_beside() made for PATH with the descriptor FD. If
 * RC is 0 it replaces PATH, after all of it is on disk if SYNCED. Else it is removed, and PATH
 * is unchanged. All code that may replace a file ends here. FD stays open. RC or -errno.
 */
int lw_replace_by(const char *path, const char *beside, int fd, bool synced, int rc);

/* Replace PATH by SIZE bytes of DATA in this way, with MODE less the umask. 0 or -errno. */
int lw_replace_file(const char *path, mode_t mode, const char *data, size_t size);

/* The folder of PATH, "." if it names none, into BUF of SIZE bytes. 0 or -ENAMETOOLONG. */
int lw_dir_of(const char *path, char *buf, size_t size);

/* Write to disk the directory entry of a file made or renamed at PATH. */
void lw_sync_dir_of(const char *path);

#endif
