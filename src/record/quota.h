/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how many GPU records of one user a directory keeps. */
#ifndef LW_RECORD_QUOTA_H
#define LW_RECORD_QUOTA_H

#include "record/record.h"

/*
 * A user can run short jobs without end, and each leaves a record until it is 30 days old. So a
 * directory keeps a bounded number for each user; beyond that, the user's own oldest sixteenth
 * is removed. DIR/users/UID has the names of the user's records, one a line, the newest last.
 * Records of an earlier release come first, in no order.
 */
#define LW_QUOTA_RECORDS 16384
#define LW_QUOTA_BYTES   (UINT64_C(256) << 20)

/*
 * A record of HEAD's job on its node, of BYTES, is about to be put into DIR: note it, and remove
 * records beyond the bound. An OLD record, of an earlier release, replaces no other: -E2BIG. The
 * caller holds the directory's lock. 0, or -errno, and the record must not be put there.
 */
int lw_quota_note(const char *dir, const struct lw_record_head *head, uint64_t bytes, bool old);

#endif
