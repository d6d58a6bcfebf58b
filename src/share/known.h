/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what jobs that ran alone used of a GPU, by user, tag, name and GPU type. */
#ifndef LW_SHARE_KNOWN_H
#define LW_SHARE_KNOWN_H

#include "base/error.h"
#include "base/strbuf.h"
#include "share/rule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * For each key it keeps the last LW_SHARE_RUNS runs, and gives the 95 % quantiles of what they
 * used, by nearest rank: for few runs the largest. Runs that ended before the time that a caller
 * gives do not count.
 *
 * Memory: at most LW_SHARE_KEYS_MAX keys of some 600 bytes, so 2.5 MiB, an eighth of them for
 * one user. A further key replaces the one of the same user, or of all, that has not learned for
 * longest (base/quota.h). Finding one is O(log keys).
 *
 * Pure: no clock, no file. The same runs in the same order make the same bytes.
 */
#define LW_SHARE_RUNS	   20
#define LW_SHARE_KEYS_MAX  4096
#define LW_SHARE_NAME_MAX  48 /* with the 0; longer names are cut */
#define LW_SHARE_TYPE_MAX  32
#define LW_SHARE_CLOCK_MAX (INT64_C(1) << 40)

struct lw_share_key {
	uint32_t user;
	uint32_t tag; /* a class of the tagger, or LW_SHARE_UNTAGGED */
	char name[LW_SHARE_NAME_MAX];
	char type[LW_SHARE_TYPE_MAX]; /* of the GPU; "": the cluster names none */
};
#define LW_SHARE_UNTAGGED UINT32_MAX

/* Means over one GPU and the time of the run; the memory is a peak. */
struct lw_share_run {
	struct lw_share_use use;
	bool has_membw;
	uint32_t membw; /* thousandths of the memory's speed */
	int64_t end_s;
};

struct lw_share_entry {
	struct lw_share_key key;
	uint64_t stamp; /* number of runs learned when it last learned */
	uint32_t count; /* runs held, the oldest first */
	struct lw_share_run runs[LW_SHARE_RUNS];
};

struct lw_share_known {
	struct lw_share_entry **entries; /* by key */
	uint32_t count, room;
	uint64_t learned;
};

/* What is known of a key. */
struct lw_share_record {
	uint32_t runs; /* the runs that count */
	int64_t last_s;
	struct lw_share_use use; /* quantiles */
	bool has_membw;
	uint32_t membw;
};

/* Make a key; longer texts are cut, NULL is "". */
struct lw_share_key lw_share_key(uint32_t user, uint32_t tag, const char *name, const char *type);

/* Learn one run. A zeroed table is empty. -ENOMEM: it is not learned. */
int lw_share_known_add(struct lw_share_known *known, const struct lw_share_key *key,
		       const struct lw_share_run *run);
/*
 * Append a whole entry, as read from a file. -EINVAL if its key is not after all others;
 * -ENOSPC, -ENOMEM.
 */
int lw_share_known_append(struct lw_share_known *known, const struct lw_share_entry *entry);
/* Free all it holds; safe on a zeroed one; it is zeroed afterwards. */
void lw_share_known_fini(struct lw_share_known *known);

/*
 * What the runs that ended after SINCE_S (INT64_MIN: all) say of KEY. False: nothing. For a KEY
 * without a type, the largest figures of all its types.
 */
bool lw_share_known_find(const struct lw_share_known *known, const struct lw_share_key *key,
			 int64_t since_s, struct lw_share_record *ret_record);
/* The same of one entry. */
bool lw_share_entry_record(const struct lw_share_entry *entry, int64_t since_s,
			   struct lw_share_record *ret_record);

/*
 * The table as text for base/savefile (doc/dev/format-share.txt). -ENOMEM is also kept in OUT.
 */
#define LW_SHARE_FILE_KIND    "share"
#define LW_SHARE_FILE_VERSION 1
int lw_share_known_print(const struct lw_share_known *known, struct lw_strbuf *out);
/*
 * Read it back into *RET_KNOWN; any bytes are safe. -EBADMSG with ERR naming the line; -ENOMEM.
 * On failure *RET_KNOWN is unchanged.
 */
int lw_share_known_parse(const char *text, size_t size, struct lw_share_known *ret_known,
			 struct lw_error *err);

#endif
