/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the inside of a history, for history*.c alone. */
#ifndef LW_PREDICTOR_HISTORY_TABLE_H
#define LW_PREDICTOR_HISTORY_TABLE_H

#include "base/grow.h"
#include "base/lookup.h"
#include "predictor/history.h"
#include "predictor/distribution.h"

#define LW_HISTORY_NONE UINT32_MAX

/* What distinguishes keys. */
struct lw_history_tag {
	enum lw_history_level level;
	uint32_t who;	  /* user or partition; 0 if the level has none */
	uint32_t limit_s; /* 0 if the level has none */
};

/* Entries in order of their last learning. */
struct lw_history_list {
	uint32_t oldest, newest, count;
};

/* An entry is in the list of all, and in that of the only user that taught it, or in several. */
enum { LW_HISTORY_ALL, LW_HISTORY_OWN, LW_HISTORY_LISTS };

struct lw_history_entry {
	struct lw_history_tag tag;
	uint32_t chain; /* next of the same bucket */
	uint32_t older[LW_HISTORY_LISTS], newer[LW_HISTORY_LISTS];
	uint32_t owner; /* number of that user's list; NONE: it is in several */
	uint64_t stamp; /* number of jobs learned when it last learned */
	struct lw_window window;
};

struct lw_history {
	struct lw_history_entry *entries;
	uint32_t room;
	uint32_t keys_max;
	uint32_t bucket_count; /* a power of two */
	uint32_t *buckets;
	struct lw_history_list all;
	struct lw_history_list several; /* taught by several users, or from a file: of no
					 * single user */
	struct lw_history_list *owners;
	struct lw_lookup owner_of; /* by user */
	uint32_t owner_count, owner_room;
	struct lw_history_stats stats;
	struct lw_calibration calibration;
	struct lw_habits habits;
	struct lw_speeds speeds;
	struct lw_window
		then[LW_DISTRIBUTION_WINDOWS_MAX]; /* scratch: windows of an earlier time */
};

/* The tag of KEY at LEVEL; false if the job has none there. */
bool lw_history_tag(const struct lw_history_key *key, enum lw_history_level level,
		    struct lw_history_tag *ret_tag);
/*
 * The entry of TAG, made if there is none, now the newest of the list. USER, which may be
 * unknown, teaches it. -ENOMEM. Valid until the next call.
 */
int lw_history_entry_add(struct lw_history *history, const struct lw_history_tag *tag,
			 uint32_t user, struct lw_history_entry **ret_entry);

#endif
