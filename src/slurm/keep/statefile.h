/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: files of ours in StateSaveLocation: what cannot be read is kept beside its successor. */
#ifndef LW_SLURM_STATEFILE_H
#define LW_SLURM_STATEFILE_H

#include "base/error.h"
#include "base/log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed it may be freed. Who loads it sets the first four, which are borrowed. */
struct lw_statefile {
	const char *kind; /* and version: as in base/savefile.h */
	unsigned version;
	const char *what; /* what begins afresh without it, in the log: "promises start" */
	const struct lw_log *log;
	char *path;
	int64_t loaded_s; /* when it was loaded */
	bool unread;      /* what is there was not read, and must not be replaced */
};

/*
 * Takes the payload, which may be cut into pieces but is not to be kept. Nothing of it holds
 * when this fails; -EBADMSG or -ENOTSUP with ERR: it is damaged, or of a later version.
 */
typedef int (*lw_statefile_parse_f)(void *arg, char *text, size_t size, struct lw_error *err);

/*
 * Read FILE, which is at PATH, by PARSE, if there is one. PATH is copied. A damaged one is reported
 * and set aside at once, to PATH.damaged-SECONDS, and one of a later version to
 * PATH.newer-SECONDS. One that cannot be opened or read is reported and stays where it is, for
 * somebody may put it right, until the next save. 0 or -ENOMEM.
 */
int lw_statefile_load(struct lw_statefile *file, const char *path, int64_t now_s,
		      lw_statefile_parse_f parse, void *arg);
void lw_statefile_fini(struct lw_statefile *file);

/*
 * Write the payload, after what could not be read there has been set aside. 0, or -errno with ERR;
 * then PATH is as it was.
 */
int lw_statefile_save(struct lw_statefile *file, const void *data, size_t size,
		      struct lw_error *err);

#endif
