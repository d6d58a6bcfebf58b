/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway chain: jobs of which each begins when the one before has ended. */
#ifndef LW_CLI_CHAIN_CHAIN_H
#define LW_CLI_CHAIN_CHAIN_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Longer chains are a slip of the hand: a year of links of nine hours. */
#define TOOLS_CHAIN_LINKS_MAX 1000
/* As many predecessors of one job are told. */
#define TOOLS_CHAIN_AFTER_MAX 64

/* A time that is not known, or none. */
#define TOOLS_CHAIN_NONE INT64_C(-1)

enum lw_chain_after {
	TOOLS_CHAIN_ANY, /* however the one before ended */
	TOOLS_CHAIN_OK,  /* only if it ended well */
};

struct lw_chain_request {
	uint32_t links; /* 0: not said */
	uint32_t after; /* enum lw_chain_after */
	bool has_after;
	const char *signal;
	int64_t overlap_s; /* a link begins so long before the limit of the one before; 0: after it
			    */
	bool has_overlap;
	bool dry_run;
	int64_t since_s;
	bool has_since;
	uint32_t now_s;   /* 0: the clock's */
	const char *json; /* where to; NULL: as text */
	const char *job;
};

/* ---- what is written behind sbatch (line.c) ---- */

/* Its words, in two: what stands before the place of one more option, and from there on. */
struct lw_chain_line {
	char **words;
	int count;
	int options; /* how many before that place */
};

/*
 * Find that place in the COUNT WORDS, which are borrowed: before the script, the first ":" of a
 * het job, or "--". -EINVAL with ERR: there is no script, or what makes no chain is asked for.
 */
int lw_chain_read_line(char **words, int count, struct lw_chain_line *ret_line,
		       struct lw_error *err);
/* Is WORD an option of sbatch with the next word as its value? False for unknown ones. */
bool lw_chain_takes_next(const char *word);

/*
 * How many minutes after the start of a link of LINE, which has a limit, the next one may begin, to
 * overlap it by OVERLAP_S. -EINVAL with ERR.
 */
int lw_chain_overlap(const struct lw_chain_line *line, int64_t overlap_s, uint32_t *ret_after_min,
		     struct lw_error *err);

/* Send the chain, or print what would be done. -EINVAL or another -errno with ERR. */
int lw_chain_submit(const struct lw_chain_request *request, const struct lw_chain_line *line,
		    struct lw_error *err);

/* Show the chain of request->job, or all of the calling user if that is NULL. Likewise. */
int lw_chain_show(const struct lw_chain_request *request, struct lw_error *err);
int lw_chain_list(const struct lw_chain_request *request, struct lw_error *err);

#endif
