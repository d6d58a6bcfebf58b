/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: that a job lost a node and runs again for that, as one word in its AdminComment. */
#ifndef LW_BASE_NODELOSS_H
#define LW_BASE_NODELOSS_H

#include <stdbool.h>
#include <stdint.h>

/* "leeway:lost-node=at:1764162000,try:1,node:n17" (recover.mode); without a node: not known. */
#define LW_NODELOSS_START    "leeway:lost-node="
#define LW_NODELOSS_NODE_MAX 64
#define LW_NODELOSS_WORD_MAX 128

struct lw_nodeloss {
	int64_t at_s;   /* when the node failed */
	uint32_t tries; /* failures of that day */
	char node[LW_NODELOSS_NODE_MAX]; /* "": not known */
};

/* A name with characters of the word's own is left out. */
void lw_nodeloss_word(const struct lw_nodeloss *loss, char word[LW_NODELOSS_WORD_MAX]);
/* Find and read it in COMMENT (may be NULL); false: there is none, or it is damaged. */
bool lw_nodeloss_read(const char *comment, struct lw_nodeloss *ret_loss);

#endif
