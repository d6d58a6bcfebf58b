/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's lists and bitmaps, as much as tests of what reads its records need. */

#include "unit/slurm_stub_sets.h"

#include <ctype.h>

list_t *stub_list_of(struct stub_list *list)
{
	return (list_t *)list;
}

int list_for_each(list_t *list, ListForF f, void *arg)
{
	struct stub_list *stub = (struct stub_list *)list;
	int count = 0;

	for (int i = 0; i < stub->count && f(stub->items[i], arg) >= 0; i++)
		count++;
	return count;
}

void *list_find_first(list_t *list, ListFindF f, void *key)
{
	struct stub_list *stub = (struct stub_list *)list;

	for (int i = 0; i < stub->count; i++)
		if (f(stub->items[i], key))
			return stub->items[i];
	return NULL;
}

/* A bitmap is its size and a word of it. */
bitstr_t *bit_alloc(bitoff_t count)
{
	bitstr_t *bits = calloc(2, sizeof(*bits));

	bits[0] = count;
	return bits;
}

void slurm_bit_free(bitstr_t **bits)
{
	free(*bits);
	*bits = NULL;
}

bitoff_t bit_size(bitstr_t *bits)
{
	return bits[0];
}

void bit_set(bitstr_t *bits, bitoff_t bit)
{
	bits[1] |= INT64_C(1) << bit;
}

int bit_test(bitstr_t *bits, bitoff_t bit)
{
	return bits[1] >> bit & 1;
}

void bit_clear_all(bitstr_t *bits)
{
	bits[1] = 0;
}

void bit_or(bitstr_t *bits, bitstr_t *others)
{
	bits[1] |= others[1];
}

int bit_overlap_any(bitstr_t *bits, bitstr_t *others)
{
	return (bits[1] & others[1]) != 0;
}

/* Names are a letter and the node's number, from 0 on, with commas between. */
int node_name2bitmap(char *names, bool best_effort, bitstr_t **bits,
		     hostlist_t **invalid __attribute__((unused)))
{
	(void)best_effort;
	*bits = bit_alloc(node_record_count);
	for (const char *at = names; at && *at; at++)
		if (isdigit((unsigned char)*at))
			bit_set(*bits, *at - '0');
	return 0;
}
