/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how much of a table that many users fill one of them may have. */
#ifndef LW_BASE_QUOTA_H
#define LW_BASE_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

/*
 * If each job of a user has a limit or a name of its own, each of them makes a new entry.
 * Beyond its quota these take the place of its own oldest entry. So one user pushes out an eighth
 * of what others taught at most, and of that the oldest.
 */
static inline uint32_t lw_quota(uint32_t max)
{
	return max <= 512 ? 64 : max / 8;
}

/* A table in the order of its users. Of COUNT entries at most MAX are to be held. */
struct lw_quota_table {
	const void *entries;
	uint32_t count, max;
	uint32_t (*user)(const void *entries, uint32_t at);
	uint64_t (*stamp)(const void *entries, uint32_t at); /* when it learned last */
};

/*
 * USER is to have one more entry. Must one go? That is *RET_AT then: the oldest of that user, if
 * it is at its quota; else, in a full table, the oldest of those that are beyond theirs, or of
 * all. Of equal age it is the first. O(log entries + quota); in a full table O(entries).
 */
bool lw_quota_victim(const struct lw_quota_table *table, uint32_t user, uint32_t *ret_at);

#endif
