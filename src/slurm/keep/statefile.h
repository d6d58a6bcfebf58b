/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: files in StateSaveLocation: an unreadable file is kept beside its successor. */
#ifndef LW_SLURM_STATEFILE_H
#define LW_SLURM_STATEFILE_H

#include "base/error.h"
#include "base/log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* May be freed if zeroed. The caller of load sets the first four, which are borrowed. */
struct lw_statefile {
	const char *kind; /* and version: as in base/savefile.h */
	unsigned version;
	const char *what; /* what starts afresh without it, for the log: "promises start" */
	const struct lw_log *log;
	char *path;
	int64_t loaded_s; /* when it was loaded */
	bool unread;      /* the file there was not read, and must not be replaced */
};

/*
 * Parses the payload, which it may change but must not keep. If it fails, nothing of the payload
 * is used; -EBADMSG or -ENOTSUP with ERR: it is damaged, or of a later version.
 */
typedef int (*lw_statefile_parse_f)(void *arg, char *text, size_t size, struct lw_error *err);

/*
 * Read FILE at PATH, if it exists, with PARSE. PATH is copied. A damaged file is reported and
 * set aside at once as PATH.damaged-SECONDS, a file of a later version as PATH.newer-SECONDS. A
 * file that cannot be opened or read is reported and stays until the next save, since an
 * administrator may put it right. 0 or -ENOMEM.
 */
int lw_statefile_load(struct lw_statefile *file, const char *path, int64_t now_s,
		      lw_statefile_parse_f parse, void *arg);
void lw_statefile_fini(struct lw_statefile *file);

/*
 * Write the payload; an unread file there is set aside first. 0, or -errno with ERR and PATH
 * unchanged.
 */
int lw_statefile_save(struct lw_statefile *file, const void *data, size_t size,
		      struct lw_error *err);

#endif
