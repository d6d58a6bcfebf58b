/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's configuration files as lines of words, read as Slurm reads them. */
#ifndef LW_CLI_COMMON_SLURMCONF_H
#define LW_CLI_COMMON_SLURMCONF_H

#include "base/error.h"

#include <stdint.h>

enum lw_slurmconf_form {
	LW_SLURMCONF_PAIRS, /* slurm.conf, gres.conf, topology.conf: "Key=value Key=value" */
	LW_SLURMCONF_WORDS, /* plugstack.conf: "optional /path argument" */
};

struct lw_slurmconf_pair {
	char *key;
	char *value;
};

struct lw_slurmconf_line {
	const char *file; /* as the cluster knows it, without the root */
	uint32_t number;  /* of its first line */
	char *text;       /* without comment, continued lines joined */
	struct lw_slurmconf_pair *pairs;
	uint32_t pair_count, pair_room;
	char *stray;  /* the first word that is no "Key=value", or NULL */
	char *absent; /* the file that it includes and that could not be opened, or NULL */
	int why;      /* -errno of that */
};

struct lw_slurmconf {
	struct lw_slurmconf_line *lines;
	uint32_t line_count, line_room;
	char **files; /* in the order in which they were opened */
	uint32_t file_count, file_room;
};

/* Where reading ended; FILE is of the struct lw_slurmconf, and empty when out of memory. */
struct lw_slurmconf_fault {
	const char *file;
	uint32_t line; /* 0: the file as a whole */
	struct lw_error err;
};

/*
 * Read PATH, an absolute path below the directory ROOT ("" for none), and what it includes.
 * Empty lines are left out; an Include of a file that cannot be opened is a line without pairs.
 * -ENOENT and other -errno of PATH itself, -ELOOP for too deep an
 * Include, -ENOMEM, each with *ret_fault filled; CONF then holds what was read up to there.
 */
int lw_slurmconf_read(struct lw_slurmconf *conf, enum lw_slurmconf_form form, const char *root,
		      const char *path, struct lw_slurmconf_fault *ret_fault);
void lw_slurmconf_fini(struct lw_slurmconf *conf);

/* The value that LINE gives KEY, in any case, or NULL. */
const char *lw_slurmconf_value(const struct lw_slurmconf_line *line, const char *key);

#endif
