/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a heap in an array, with the first item on top. */
#ifndef LW_BASE_HEAP_H
#define LW_BASE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

/*
 * LW_HEAP(NAME, TYPE, BEFORE) defines functions for arrays of TYPE; the caller provides their
 * room:
 *
 *	NAME_push(heap, count, item)	add ITEM; COUNT points to the number of items
 *	NAME_pop(heap, count)		take out the first, and return it; there must be one
 *	NAME_replace(heap, count, item)	put ITEM in place of the first of COUNT
 *	NAME_make(heap, count)		make a heap of COUNT items in any order
 *
 * BEFORE(a, b), of pointers to const TYPE, says whether *A comes first. If two items differ in
 * anything that matters, it must put one before the other, or the order would be arbitrary. Each
 * function costs O(log count), make O(count).
 *
 * A macro, because some heaps are in the innermost loops of a plan, where a call for each
 * comparison is expensive.
 */
#define LW_HEAP(name, type, before)                                                            \
	/* Put ITEM at AT, or below the items that come first. */                              \
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

/* No file uses all of them. */
#define LW_HEAP_F __attribute__((unused)) static inline

#endif
