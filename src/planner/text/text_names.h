/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: names of nodes in texts: escaped, and numbered ones folded to n[0-15]. */
#ifndef LW_PLANNER_TEXT_NAMES_H
#define LW_PLANNER_TEXT_NAMES_H

#include "base/strbuf.h"
#include "planner/model/snapshot.h"
#include "planner/text/text_scan.h"

/*
 * A name is printed as it is, but every byte that means something in the formats or
 * would surprise a terminal becomes %XX; the empty name is %00.
 */
void lw_text_add_name(struct lw_strbuf *out, const char *name);
/* Undo it: *ret_name is NUL-terminated. False when WORD is no such name. */
bool lw_text_get_name(const struct lw_text_word *word, char ret_name[LW_TEXT_NAME_MAX]);

/* Does NEXT follow NAME by counting on, as n9 and n10 or n09 and n10 do? */
bool lw_text_name_follows(const char *name, const char *next);
/* Append the names FIRST .. LAST, COUNT of them, each following the one before. */
void lw_text_add_name_run(struct lw_strbuf *out, const char *first, const char *last,
			  uint32_t count);
/*
 * Append the names of the nodes of ALLOCS[COUNT], in that order, as n[0-3,7],login.
 * SNAP names them.
 */
void lw_text_add_alloc_names(struct lw_strbuf *out, const struct lw_snapshot *snap,
			     const struct lw_alloc *allocs, uint32_t count);

/* What "n[08-11]" stands for. A plain name has count 1 and no digits. */
struct lw_text_name_run {
	char prefix[LW_TEXT_NAME_MAX];
	uint32_t first, count;
	int digits; /* at least so many, zeros in front */
};

bool lw_text_get_name_run(const struct lw_text_word *word,
			  struct lw_text_name_run *ret_run);
/* Write name number INDEX of RUN into BUF. False when it is too long. */
bool lw_text_run_name(const struct lw_text_name_run *run, uint32_t index,
		      char buf[LW_TEXT_NAME_MAX]);

#endif
