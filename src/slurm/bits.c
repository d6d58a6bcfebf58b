/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: conversion between Slurm's bitmaps and our sets. */

/* Part of both plugins: refers to nothing that only slurmctld has. */

#include "slurm/bits.h"

#include <errno.h>

int lw_bits_to_set(bitstr_t *bits, uint32_t count, struct lw_bitset *ret_set)
{
	if (lw_bitset_init(ret_set, count))
		return -ENOMEM;
	lw_bits_foreach(bits, i) {
		if (i >= count)
			break;
		lw_bitset_set(ret_set, (uint32_t)i);
	}
	return 0;
}

void lw_bits_copy_set(bitstr_t *bits, const struct lw_bitset *set)
{
	uint32_t i;

	bit_clear_all(bits);
	lw_bitset_foreach(set, i) {
		if (i < bit_size(bits))
			bit_set(bits, i);
	}
}

bitstr_t *lw_bits_of_set(const struct lw_bitset *set, uint32_t count)
{
	bitstr_t *bits = bit_alloc(count);

	lw_bits_copy_set(bits, set);
	return bits;
}
