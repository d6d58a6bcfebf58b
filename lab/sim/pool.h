/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: pieces of work that do not need each other, in processes of their own. */
#ifndef LW_LAB_SIM_POOL_H
#define LW_LAB_SIM_POOL_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More at once than any machine has processors. */
#define LW_POOL_MOST 4096

/*
 * Each piece is begun here, done in a process of its own, and ended here. Pieces end in their
 * order, so that what comes of them is the same however many are done at once. If one fails, the
 * others are killed; if this process is killed, so are they.
 */
struct lw_pool {
	uint32_t count;
	uint32_t at_once; /* up to 1: all is done in this process */
	/* Each NULL or 0, or -errno. Of what work() does, only what is in lw_pool_room() stays. */
	int (*begin)(void *arg, uint32_t piece);
	int (*work)(void *arg, uint32_t piece);
	int (*end)(void *arg, uint32_t piece);
	/* NULL, or called a few times a second while other processes work. */
	void (*show)(void *arg);
	void *arg;
};

/* 0, or with ERR what a piece returned, -errno of a new process, or -ECHILD: one was killed. */
int lw_pool_run(const struct lw_pool *pool, struct lw_error *err);
/* Will that be in processes of their own? */
bool lw_pool_is_apart(const struct lw_pool *pool);

/* How many processors this process may use. */
uint32_t lw_pool_processors(void);

/* SIZE zeroed bytes that all pieces begun later share with this process; NULL: no memory. */
void *lw_pool_room(size_t size);
/* Free them; ROOM may be NULL. */
void lw_pool_room_free(void *room, size_t size);

#endif
