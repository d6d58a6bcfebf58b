/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the CRC-32 of IEEE 802.3, the same as zlib's crc32(). */
#ifndef LW_BASE_CRC32_H
#define LW_BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

uint32_t lw_crc32(const void *data, size_t size);
/* Go on from CRC, the checksum of the bytes before. */
uint32_t lw_crc32_add(uint32_t crc, const void *data, size_t size);

#endif
