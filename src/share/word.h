/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the word in AdminComment that says by what a job shares a GPU. */
#ifndef LW_SHARE_WORD_H
#define LW_SHARE_WORD_H

#include "base/sharemark.h"
#include "share/rule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * "leeway:share=shard:4,was:gres/gpu:1,util:20,sm:5,mem:1000M": it has four shards in place of what
 * it asked for, since its earlier runs used so much. It is written once, as the job is submitted;
 * who shares with whom is decided by it, whatever its later runs show. Pure.
 */
#define LW_SHARE_WORD LW_SHAREMARK_PREFIX

struct lw_share_word {
	uint32_t parts;
	struct lw_share_use use;
	/* for the node: when to warn it, and when it must leave (base/sharemark.h); 0: never. of:
	 * parts of a GPU */
	uint32_t mem_warn, mem_hard, of;
};

/* Write the word. False: no room in SIZE bytes. */
bool lw_share_word_print(const char *gres, const char *was, const struct lw_share_word *word,
			 char *ret_text, size_t size);
/* Find it among the words of COMMENT (may be NULL). False: it is not there, or is no such word. */
bool lw_share_word_find(const char *comment, struct lw_share_word *ret_word);

#endif
