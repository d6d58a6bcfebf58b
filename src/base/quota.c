/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how much of a table shared by many users one user may have. */
#include "base/quota.h"

#include "base/search.h"

/* The oldest of entries FIRST to END, of which there is one. */
static uint32_t quota_oldest_of(const struct lw_quota_table *table, uint32_t first, uint32_t end)
{
	uint32_t oldest = first;

	for (uint32_t at = first + 1; at < end; at++)
		if (table->stamp(table->entries, at) < table->stamp(table->entries, oldest))
			oldest = at;
	return oldest;
}

static uint32_t quota_end_of(const struct lw_quota_table *table, uint32_t first)
{
	uint32_t user = table->user(table->entries, first), at;

	LW_SEARCH(at, table->count, table->user(table->entries, at) <= user);
	return at;
}

/* In a full table; those of a user beyond its quota come from a file of old. */
static uint32_t quota_oldest_of_all(const struct lw_quota_table *table)
{
	uint32_t found = table->count;

	for (uint32_t first = 0, end; first < table->count; first = end) {
		uint32_t oldest;

		end = quota_end_of(table, first);
		if (end - first <= lw_quota(table->max))
			continue;
		oldest = quota_oldest_of(table, first, end);
		if (found == table->count ||
		    table->stamp(table->entries, oldest) < table->stamp(table->entries, found))
			found = oldest;
	}
	return found < table->count ? found : quota_oldest_of(table, 0, table->count);
}

bool lw_quota_victim(const struct lw_quota_table *table, uint32_t user, uint32_t *ret_at)
{
	uint32_t first, end;

	LW_SEARCH(first, table->count, table->user(table->entries, first) < user);
	LW_SEARCH(end, table->count, table->user(table->entries, end) <= user);
	if (end - first >= lw_quota(table->max))
		*ret_at = quota_oldest_of(table, first, end);
	else if (table->count >= table->max)
		*ret_at = quota_oldest_of_all(table);
	else
		return false;
	return true;
}
