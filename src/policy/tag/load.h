/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: four or eight bytes of a text as a number; private to this folder. */
#ifndef LW_POLICY_TAG_LOAD_H
#define LW_POLICY_TAG_LOAD_H

#include <stdint.h>
#include <string.h>

/* The first byte is the lowest on every machine. */
static inline uint32_t lw_tag_load_4(const char *text)
{
	uint32_t value;

	memcpy(&value, text, sizeof(value));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value = __builtin_bswap32(value);
#endif
	return value;
}

static inline uint64_t lw_tag_load_8(const char *text)
{
	uint64_t value;

	memcpy(&value, text, sizeof(value));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value = __builtin_bswap64(value);
#endif
	return value;
}

#endif
