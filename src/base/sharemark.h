/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the word in a job's admin_comment that says which part of a GPU it was given. */
#ifndef LW_BASE_SHAREMARK_H
#define LW_BASE_SHAREMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * job_submit/leeway writes it, once. It decides which jobs share, whatever later runs show. The
 * SPANK plugin follows it on the node: a job without it never opted in and is left alone. Users
 * cannot write there.
 *
 *   leeway:share=shard:4,was:gres/gpu:1,util:20.5,sm:5,mem:1000M,limit:900/970/10
 *                                            four of the ten shards of a GPU, in place of what it
 *                                            asked for, since its earlier runs used so much of it
 *   leeway:share=none,was:shard:4,left:memory
 *                                            it had to leave one
 *   leeway:share=shard:9,was:gres/gpu:1,lend:600,idle:yes
 *                                            it lends what it leaves idle for 600 s, and does now
 *   leeway:share=shard:1,was:gres/gpu:1,guest:yes
 *                                            it is a guest on such a GPU
 */
#define LW_SHAREMARK_PREFIX "leeway:share="
#define LW_SHAREMARK_MAX    256
#define LW_SHAREMARK_GRES   64
/* No record has more; larger values count as this. */
#define LW_SHARE_MIB_MAX UINT32_C(16777216)

/* What a job uses of one GPU when it is alone there. */
struct lw_share_use {
	bool has_util, has_sm, has_mem;
	uint32_t util, sm; /* thousandths */
	uint32_t mem_mib;  /* at its peak */
};

struct lw_sharemark {
	char gres[16];               /* the GRES with its parts: "shard"; "": it had to leave */
	uint32_t parts;              /* number of its parts; 0 with gres alone */
	char was[LW_SHAREMARK_GRES]; /* the request that they replaced: "gres/gpu:1" */
	struct lw_share_use use;
	/* thousandths of the GPU's memory; 0: its memory is not watched */
	uint32_t mem_warn, mem_hard;
	uint32_t of;   /* parts of a whole GPU; with mem_hard */
	char left[16]; /* why it had to leave a shared GPU: "memory"; "": it had not */
	/* it lends its GPU after leaving it idle for so many seconds; 0: it does not */
	uint32_t lend_s;
	bool idle;  /* it left it idle, and its GPU is open to guests; set by the SPANK plugin */
	bool guest; /* it is a guest */
};

/* Write it as one word. 0, or -ENOSPC if SIZE is too small (LW_SHAREMARK_MAX is enough). */
int lw_sharemark_print(const struct lw_sharemark *mark, char *buf, size_t size);

/* Find and read it in ADMIN_COMMENT (may be NULL). -ENOENT: none. -EINVAL: damaged. */
int lw_sharemark_read(const char *admin_comment, struct lw_sharemark *ret_mark);

/* All parts of a GPU, as "shard:10": no other job finds room beside them. */
void lw_sharemark_all_parts(const struct lw_sharemark *mark, char buf[LW_SHAREMARK_GRES]);

/*
 * The mark of a job with MARK that must leave for WHY, and asks for the request before MARK
 * again.
 */
struct lw_sharemark lw_sharemark_leaving(const struct lw_sharemark *mark, const char *why);

#endif
