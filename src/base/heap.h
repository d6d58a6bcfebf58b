/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a heap in an array: who comes first is on top. */
#ifndef LW_BASE_HEAP_H
#define LW_BASE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

/*
 * LW_HEAP(NAME, TYPE, BEFORE) defines functions for arrays of TYPE, whose room the caller sees to:
 *
 *	NAME_push(heap, count, item)	put ITEM in; COUNT points to how many there are
 *	NAME_pop(heap, count)		take out the first, and return it; there must be one
 *	NAME_replace(heap, count, item)	put ITEM in place of the first of COUNT
 *	NAME_make(heap, count)		make a heap of COUNT items in any order
 *
 * BEFORE(a, b), of pointers to const TYPE, says whether *A comes first. Of two items that differ in
 * anything that matters it says so of one: else the order would be one that nobody chose. Each
 * costs O(log count), and make O(count).
 *
 * A macro, since some are in the innermost loops of a plan, where a call for each comparison is
 * dear.
 */
#define LW_HEAP(name, type, before)                                                            \
	/* ITEM goes to AT, or as far below as others come first. */                           \
	LW_HEAP_F void name##_sink(type *heap, uint32_t count, uint32_t at, type item)         \
	{                                                                                      \
		uint32_t child;                                                                \
		for (; (child = 2 * at + 1) < count; at = child) {                             \
			if (child + 1 < count && before(&heap[child + 1], &heap[child]))       \
				child++;                                                       \
			if (!before(&heap[child], &item))                                      \
				break;                                                         \
			heap[at] = heap[child];                                                \
		}                                                                              \
		heap[at] = item;                                                               \
	}                                                                                      \
	LW_HEAP_F void name##_replace(type *heap, uint32_t count, type item)                   \
	{                                                                                      \
		name##_sink(heap, count, 0, item);                                             \
	}                                                                                      \
	LW_HEAP_F void name##_push(type *heap, uint32_t *count, type item)                     \
	{                                                                                      \
		uint32_t at = (*count)++;                                                      \
		for (; at && before(&item, &heap[(at - 1) / 2]); at = (at - 1) / 2)            \
			heap[at] = heap[(at - 1) / 2];                                         \
		heap[at] = item;                                                               \
	}                                                                                      \
	LW_HEAP_F type name##_pop(type *heap, uint32_t *count)                                 \
	{                                                                                      \
		type first = heap[0];                                                          \
		(*count)--;                                                                    \
		name##_sink(heap, *count, 0, heap[*count]);                                    \
		return first;                                                                  \
	}                                                                                      \
	LW_HEAP_F void name##_make(type *heap, uint32_t count)                                 \
	{                                                                                      \
		for (uint32_t at = count / 2; at-- > 0;)                                       \
			name##_sink(heap, count, at, heap[at]);                                \
	}

/* Nobody needs all of them. */
#define LW_HEAP_F __attribute__((unused)) static inline

#endif
