/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the words of a job's GPU record in its admin_comment. */
#ifndef LW_RECORD_COMMENT_H
#define LW_RECORD_COMMENT_H

#include "base/error.h"
#include "record/record.h"

/* A comment that would be longer with our words is left alone. */
#define LW_COMMENT_MAX 16384
#define LW_JS1_PREFIX  "JS1:"

/*
 * The form that tools of the jobstats family read from admin_comment: "JS1:" and, in base64, a
 * gzipped JSON object with the nodes' GPUs: utilisation (mean), memory (maximum, total). CPU
 * figures are left out: the record has none. *ret_text is for free(). -ENOMEM.
 */
int lw_js1_encode(struct lw_record *const *records, uint32_t count, char **ret_text);

/*
 * Write OLD (may be NULL) into BUF of SIZE bytes with the summary of RECORDS in place of an
 * earlier one. With JS1, that form comes first, where its readers look. All other text stays.
 * -ENOSPC if it would be too long, -ENOMEM.
 */
int lw_comment_make(const char *old, struct lw_record *const *records, uint32_t count, bool js1,
		    char *buf, size_t size);

#endif
