/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the CRC-32 of IEEE 802.3, the same as zlib's crc32(). */
#include "base/crc32.h"

/* Bit by bit: our files are small, and a table would be the larger part of the code. */
uint32_t lw_crc32_add(uint32_t crc, const void *data, size_t size)
{
	const unsigned char *p = data;

	crc = ~crc;
	for (size_t i = 0; i < size; i++) {
		crc ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

uint32_t lw_crc32(const void *data, size_t size)
{
	return lw_crc32_add(0, data, size);
}
