/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: words about types of GPUs in settings: "TYPE:REST TYPE:REST". */
#ifndef LW_CONFIG_TYPEWORD_H
#define LW_CONFIG_TYPEWORD_H

#include <stdbool.h>

#define LW_TYPEWORD_NAME_MAX 64

struct lw_typeword {
	char text[LW_TYPEWORD_NAME_MAX + 16];
	const char *type; /* shorter than LW_TYPEWORD_NAME_MAX; NULL: it is no TYPE:REST */
	char *rest;
	/* for errors: the word in its place, and how much of it to show */
	const char *at;
	int shown;
};

/*
 * Take the next word off *WORDS, NULL for none, and move past it. False: there is none.
 * *RET_WORD points into itself and into *WORDS.
 */
bool lw_typeword_next(const char **words, struct lw_typeword *ret_word);

#endif
