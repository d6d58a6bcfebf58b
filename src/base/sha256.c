/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: SHA-256 (FIPS 180-4), by which a file is known again. */
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t roots[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

void lw_sha256_init(struct lw_sha256 *sha)
{
	/* of the square roots of the first 8 */
	static const uint32_t begin[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

	memset(sha, 0, sizeof(*sha));
	memcpy(sha->state, begin, sizeof(begin));
}

static uint32_t turn(uint32_t word, unsigned by)
{
	return word >> by | word << (32 - by);
}

/* The 16 words of a block, and 48 more made of them. */
static void spell_out(const unsigned char *block, uint32_t w[64])
{
	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] +
		       (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
	}
}

static void take_block(struct lw_sha256 *sha, const unsigned char *block)
{
	uint32_t w[64], s[8];

	spell_out(block, w);
	memcpy(s, sha->state, sizeof(s));
	for (int i = 0; i < 64; i++) {
		uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
		uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
		uint32_t one = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + choice +
			       roots[i] + w[i];
		uint32_t two = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + majority;

		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += one;
		s[0] = one + two;
	}
	for (int i = 0; i < 8; i++)
		sha->state[i] += s[i];
}

void lw_sha256_add(struct lw_sha256 *sha, const void *data, size_t size)
{
	const unsigned char *bytes = data;

	while (size) {
		size_t used = sha->size % sizeof(sha->block);
		size_t part = sizeof(sha->block) - used < size ? sizeof(sha->block) - used : size;

		memcpy(sha->block + used, bytes, part);
		sha->size += part;
		bytes += part;
		size -= part;
		if (used + part == sizeof(sha->block))
			take_block(sha, sha->block);
	}
}

void lw_sha256_end(struct lw_sha256 *sha, char ret_text[LW_SHA256_TEXT])
{
	uint64_t bits = sha->size * 8;
	unsigned char length[8];

	for (int i = 0; i < 8; i++)
		length[i] = (unsigned char)(bits >> (56 - 8 * i));
	lw_sha256_add(sha, "\x80", 1);
	while (sha->size % sizeof(sha->block) != sizeof(sha->block) - sizeof(length))
		lw_sha256_add(sha, "", 1);
	lw_sha256_add(sha, length, sizeof(length));
	for (int i = 0; i < 8; i++)
		snprintf(ret_text + 8 * i, 9, "%08x", sha->state[i]);
}
