/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's search in a bitmap of slurm_stub_sets.c. */
#include <stdint.h>

/* Slurm's headers are not included: in those of 22.05 there is one of the same name to call. */
int64_t bit_ffs_from_bit(const int64_t *bits, int64_t bit);

int64_t bit_ffs_from_bit(const int64_t *bits, int64_t bit)
{
	for (; bit < bits[0]; bit++)
		if (bits[1] >> bit & 1)
			return bit;
	return -1;
}
