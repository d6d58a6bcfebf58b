/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: files of ours in StateSaveLocation that may be lost, but not in silence. */
#ifndef LW_SLURM_STATEFILE_H
#define LW_SLURM_STATEFILE_H

#include "base/error.h"
#include "base/log.h"

#include <stddef.h>
#include <stdint.h>

struct lw_statefile {
	const char *path;
	const char *kind; /* and version: as in base/savefile.h */
	unsigned version;
	const char *what; /* what begins afresh without it, in the log: "promises start" */
	const struct lw_log *log;
};

/*
 * Takes the payload, which may be cut into pieces but is not to be kept. Nothing of it holds
 * when this fails; -EBADMSG or -ENOTSUP with ERR: it is damaged.
 */
typedef int (*lw_statefile_parse_f)(void *arg, char *text, size_t size, struct lw_error *err);

/*
 * Read FILE by PARSE, if there is one. A damaged one is reported and set aside, one that cannot
 * be read is reported and left alone until the next save. 0 or -ENOMEM.
 */
int lw_statefile_load(const struct lw_statefile *file, int64_t now_s, lw_statefile_parse_f parse,
		      void *arg);

#endif
