/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: read and write whole files, whatever read() and write() do in between. */
#ifndef LW_BASE_IO_H
#define LW_BASE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Read up to SIZE bytes of FD into BUF; fewer only at the end of the file. 0 with how
 * many in *ret_got, or -errno.
 */
int lw_read_all(int fd, char *buf, size_t size, size_t *ret_got);

/* Write SIZE bytes to FD. 0 or -errno; part of it may be written then. */
int lw_write_all(int fd, const char *data, size_t size);

/*
 * Make an empty file of MODE, less the umask, at PATH, in place of what is there: a file left over
 * may have another owner or mode, and a FIFO would keep us waiting. Open for writing, or -errno.
 */
int lw_create_anew(const char *path, mode_t mode);

/*
 * Make an empty file of MODE, less the umask, beside PATH, to be renamed to it: PATH.leeway-new, or
 * with a number behind it while others write PATH. Its name goes to RET_NAME of SIZE bytes. It is
 * locked until the last descriptor of it is closed, which must not be before it is renamed or
 * removed; what a killed process left there is taken away. Open for writing, or -errno.
 */
int lw_create_beside(const char *path, mode_t mode, char *ret_name, size_t size);

/*
 * End the writing of BESIDE, which lw_create_beside() made for PATH and FD is: it takes the place
 * of PATH if RC is 0, after the disk has all of it where SYNCED; else it is removed, and PATH is as
 * it was. Whoever writes a file that may be there already ends here. FD stays open. RC or -errno.
 */
int lw_replace_by(const char *path, const char *beside, int fd, bool synced, int rc);

/* Replace PATH by SIZE bytes of DATA in that way, with MODE less the umask. 0 or -errno. */
int lw_replace_file(const char *path, mode_t mode, const char *data, size_t size);

/* The folder that PATH is in, "." without one, into BUF of SIZE bytes. 0 or -ENAMETOOLONG. */
int lw_dir_of(const char *path, char *buf, size_t size);

/* Have the disk take what was made or renamed at PATH: the entry in its directory. */
void lw_sync_dir_of(const char *path);

#endif
