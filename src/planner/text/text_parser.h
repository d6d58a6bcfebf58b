/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the state of the snapshot reader; private to text_parse.c and text_jobs.c. */
#ifndef LW_PLANNER_TEXT_PARSER_H
#define LW_PLANNER_TEXT_PARSER_H

#include "planner/model/snapshot.h"
#include "planner/text/text_scan.h"

/* A short text must not be able to ask for all memory. */
#define LW_TEXT_NODES_MAX 131072

struct lw_text_parser {
	struct lw_text_in in;
	struct lw_snapshot *snap;
	struct lw_alloc *allocs; /* of the job being read */
	uint32_t alloc_count, alloc_room;
	struct lw_need *needs; /* of the co-allocation being read, which is the next one */
	uint32_t need_count, need_room;
	uint32_t policies;
};

/* Give the text of a snapshot adder, which returned RC, its place. */
int lw_text_at_line(const struct lw_text_parser *p, int rc);
/* -ENOMEM, with its text. */
int lw_text_no_memory(const struct lw_text_parser *p);
/* Take the next word off LINE, which must be there; FIELD is for the message. */
int lw_text_need_word(const struct lw_text_parser *p, struct lw_text_word *line,
		      const char *field, struct lw_text_word *ret_word);
/* Call ADD for each range of LIST, such as 0-3,7: ascending, all below node_count. */
int lw_text_ranges(struct lw_text_parser *p, struct lw_text_word *list,
		   int (*add_f)(struct lw_text_parser *p, uint32_t first, uint32_t last,
				void *arg),
		   void *arg);

/* The rest of a line "need NUMBER FIELD...": lines of one co-allocation follow each other. */
int lw_text_get_need(struct lw_text_parser *p, struct lw_text_word *line);
/* The lines of a co-allocation, if any, are over: make it. */
int lw_text_end_coallocation(struct lw_text_parser *p);
/* The rest of a line of a running, or a waiting, job. */
int lw_text_get_run(struct lw_text_parser *p, struct lw_text_word *line);
int lw_text_get_wait(struct lw_text_parser *p, struct lw_text_word *line);
/* That of what is kept for a waiting job. */
int lw_text_get_keep(struct lw_text_parser *p, struct lw_text_word *line);

#endif
