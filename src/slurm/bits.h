/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: conversion between Slurm's bitmaps and our sets. */
#ifndef LW_SLURM_BITS_H
#define LW_SLURM_BITS_H

#include "base/bitset.h"
#include "slurm/compat/compat.h"

/* For each bit I that is set in BITS, from the first to the last; declares I, a bitoff_t. */
#define lw_bits_foreach(bits, i)                                                                 \
	for (bitoff_t i = 0; (i = bit_ffs_from_bit((bits), i)) >= 0; i++)

/* Make *RET_SET (not initialised) from the set bits of BITS below COUNT. -ENOMEM. */
int lw_bits_to_set(bitstr_t *bits, uint32_t count, struct lw_bitset *ret_set);

/* A new bitmap of COUNT bits with the members of SET; the caller frees it with bit_free(). */
bitstr_t *lw_bits_of_set(const struct lw_bitset *set, uint32_t count);

/* Make BITS, which keeps its size, equal to SET. */
void lw_bits_copy_set(bitstr_t *bits, const struct lw_bitset *set);

#endif
