/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how much of a table shared by many users one user may have. */
#ifndef LW_BASE_QUOTA_H
#define LW_BASE_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

/*
 * If each job of a user has a limit or a name of its own, each makes a new entry. Beyond the
 * user's quota a new entry replaces the user's own oldest one. So one user displaces at most an
 * eighth of what other users taught, and the oldest first.
 */
static inline uint32_t lw_quota(uint32_t max)
{
	return max <= 512 ? 64 : max / 8;
}

/*
 * Is there room for one more in a table of COUNT entries, of which the user has HAS? In one that
 * is half full no user has more than the quota.
 */
static inline bool lw_quota_admits(uint32_t count, uint32_t max, uint32_t has)
{
	return count < max / 2 || (count < max && has < lw_quota(max));
}

/* A table sorted by user. Of its COUNT entries at most MAX may stay. */
struct lw_quota_table {
	const void *entries;
	uint32_t count, max;
	uint32_t (*user)(const void *entries, uint32_t at);
	uint64_t (*stamp)(const void *entries, uint32_t at); /* time of its last change */
};

/*
 * USER gets one more entry. Must an entry go? Then *RET_AT is the entry: the user's oldest, if
 * the user is at the quota; else, in a full table, the oldest of users beyond their quota, or of
 * all. Of equal age the first. O(log entries + quota); in a full table O(entries).
 */
bool lw_quota_victim(const struct lw_quota_table *table, uint32_t user, uint32_t *ret_at);

#endif
