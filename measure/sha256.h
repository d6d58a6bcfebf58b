/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: SHA-256, by which a file is known again, as text. The sums are nettle's. */
#ifndef LW_MEASURE_SHA256_H
#define LW_MEASURE_SHA256_H

#include <nettle/sha2.h>

#define LW_SHA256_TEXT (2 * SHA256_DIGEST_SIZE + 1)

static inline void lw_sha256_add(struct sha256_ctx *sha, const void *data, size_t size)
{
	sha256_update(sha, size, data);
}

/* The sum of all that SHA was given, as hexadecimal digits. */
void lw_sha256_text(struct sha256_ctx *sha, char ret_text[LW_SHA256_TEXT]);

#endif
