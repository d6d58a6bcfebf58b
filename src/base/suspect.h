/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a node that failed under two different jobs within a day, as a line of its file. */
#ifndef LW_BASE_SUSPECT_H
#define LW_BASE_SUSPECT_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

/* The file in StateSaveLocation (doc/dev/format-suspects.txt), as base/savefile.h has it. */
#define LW_SUSPECTS_FILE    "leeway_suspects"
#define LW_SUSPECTS_KIND    "suspects"
#define LW_SUSPECTS_VERSION 1

#define LW_SUSPECT_NAME_MAX 64
/* Within so long a node has to fail again, and for so long after that it is suspect. */
#define LW_SUSPECT_DAY_S 86400

struct lw_suspect {
	char name[LW_SUSPECT_NAME_MAX];
	/* the last failure, and that of another job before it: 0, there is none */
	uint32_t job, job_before;
	int64_t at_s, before_s;
};

/* Did it fail under two different jobs? */
static inline bool lw_suspect_is(const struct lw_suspect *node)
{
	return node->job_before != 0;
}

/* "node n17 34 1700003600 12 1700000000"; the last two are 0 without a failure before. */
void lw_suspect_print(const struct lw_suspect *node, struct lw_strbuf *out);
/* False: that is no such line. */
bool lw_suspect_parse(const char *line, struct lw_suspect *ret_node);

/*
 * Call EACH for the node of every line of PAYLOAD, which is changed; it returns 0, or what ends
 * the reading. -EBADMSG with ERR: a line is wrong.
 */
typedef int (*lw_suspect_f)(void *arg, const struct lw_suspect *node);
int lw_suspects_read(char *payload, lw_suspect_f each, void *arg, struct lw_error *err);

#endif
