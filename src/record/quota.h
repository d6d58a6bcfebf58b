/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how many GPU records of one user a directory keeps. */
#ifndef LW_RECORD_QUOTA_H
#define LW_RECORD_QUOTA_H

#include "record/record.h"

/*
 * A user can run short jobs without end, and each leaves a record until it is 30 days old. So a
 * directory keeps so many of one user; beyond that the user's own oldest sixteenth goes.
 * DIR/users/UID has their names, one a line, the newest last. Records of an earlier release are
 * first, in no order.
 */
#define LW_QUOTA_RECORDS 16384
#define LW_QUOTA_BYTES   (UINT64_C(256) << 20)

/*
 * A record of HEAD's job on its node, of BYTES, is about to lie in DIR: note it, and remove what
 * it is too much for. One that is OLD, of an earlier release, takes no other's place: -E2BIG.
 * The caller holds the directory's lock. 0, or -errno, and the record must not be put there.
 */
int lw_quota_note(const char *dir, const struct lw_record_head *head, uint64_t bytes, bool old);

#endif
