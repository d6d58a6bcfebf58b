/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: SHA-256, by which a file is known again, as text. The sums are nettle's. */
#include "measure/sha256.h"

#include <nettle/version.h>
#include <stdio.h>

void lw_sha256_text(struct sha256_ctx *sha, char ret_text[LW_SHA256_TEXT])
{
	uint8_t sum[SHA256_DIGEST_SIZE];

#if NETTLE_VERSION_MAJOR < 4
	sha256_digest(sha, sizeof(sum), sum);
#else
	sha256_digest(sha, sum);
#endif
	for (size_t i = 0; i < sizeof(sum); i++)
		snprintf(ret_text + 2 * i, 3, "%02x", sum[i]);
}
