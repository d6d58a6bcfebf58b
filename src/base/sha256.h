/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: SHA-256, to recognise a file. */
#ifndef LW_BASE_SHA256_H
#define LW_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define LW_SHA256_TEXT 65 /* as hexadecimal digits, with the NUL */

struct lw_sha256 {
	uint32_t state[8];
	uint64_t size; /* of all bytes so far */
	unsigned char block[64];
};

void lw_sha256_init(struct lw_sha256 *sha);
void lw_sha256_add(struct lw_sha256 *sha, const void *data, size_t size);
/* The sum of all bytes; nothing may be added after it. */
void lw_sha256_end(struct lw_sha256 *sha, char ret_text[LW_SHA256_TEXT]);

#endif
