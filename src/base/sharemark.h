/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the word in a job's admin_comment that says which part of a GPU it was given. */
#ifndef LW_BASE_SHAREMARK_H
#define LW_BASE_SHAREMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * job_submit/leeway writes it (share/word.h), and the SPANK plugin goes by it on the node: a job
 * without it never opted in, and nothing is done to it. Users cannot write there.
 *
 *   leeway:share=shard:4,was:gres/gpu:1,mem:1000M,limit:900/970/10   4 shards of a GPU of 10
 *   leeway:share=none,was:shard:4,left:memory                        it had to leave one
 */
#define LW_SHAREMARK_PREFIX "leeway:share="
#define LW_SHAREMARK_MAX    192
#define LW_SHAREMARK_GRES   64

struct lw_sharemark {
	char has[LW_SHAREMARK_GRES]; /* what it has: "shard:4"; "none": it had to leave */
	char was[LW_SHAREMARK_GRES]; /* in place of this: "gres/gpu:1" */
	/* thousandths of the GPU's memory; 0: not watched for that */
	uint32_t mem_warn, mem_hard;
	uint32_t parts; /* that a GPU has */
	char left[16]; /* why it had to leave a shared GPU: "memory"; "": it did not */
};

/* Write it as one word. 0, or -ENOSPC where SIZE, LW_SHAREMARK_MAX at best, does not hold it. */
int lw_sharemark_print(const struct lw_sharemark *mark, char *buf, size_t size);

/* Find and read it in ADMIN_COMMENT (may be NULL). -ENOENT: none. -EINVAL: damaged. */
int lw_sharemark_read(const char *admin_comment, struct lw_sharemark *ret_mark);

/* All parts of a GPU, as "shard:10": nobody finds room beside them. */
void lw_sharemark_all_parts(const struct lw_sharemark *mark, char buf[LW_SHAREMARK_GRES]);

/* The mark of a job with MARK that must leave for WHY, and asks again for what MARK has as was. */
struct lw_sharemark lw_sharemark_leaving(const struct lw_sharemark *mark, const char *why);

#endif
