/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the code that judging almost any job runs, in one place; for the tagger alone. */
/*
 * Between two submissions slurmctld does much else, and the processor's caches forget this
 * code. What is fetched line by line as it is needed takes many times as long as what is
 * asked for at once, and for that it must lie together: in a section of its own, whose
 * bounds the linker tells, whatever else is linked and in whichever order.
 */
#ifndef LW_POLICY_TAG_HOT_H
#define LW_POLICY_TAG_HOT_H

#include <stddef.h>
#include <stdint.h>

#define LW_TAG_HOT __attribute__((section("lw_tag_hot")))
/* Code that is rarely needed: not to be made a part of its caller. */
#define LW_TAG_RARE __attribute__((noinline))
/* Code that only scripts need of which not all is read. */
#define LW_TAG_LONG __attribute__((section("lw_tag_long")))

/* of a cache, on what most clusters are made of; another is no mistake */
#define LW_TAG_CACHE_LINE 64

extern const char __start_lw_tag_hot[] __attribute__((visibility("hidden")));
extern const char __stop_lw_tag_hot[] __attribute__((visibility("hidden")));

extern const char __start_lw_tag_long[] __attribute__((visibility("hidden")));
extern const char __stop_lw_tag_long[] __attribute__((visibility("hidden")));

/* Ask for SIZE bytes from FROM on, whatever is there. */
static inline void lw_tag_prefetch(const void *from, size_t size)
{
	for (size_t at = 0; at < size; at += LW_TAG_CACHE_LINE)
		__builtin_prefetch((const char *)from + at);
}

static inline void lw_tag_prefetch_code(void)
{
	lw_tag_prefetch(__start_lw_tag_hot, (size_t)(__stop_lw_tag_hot - __start_lw_tag_hot));
}

static inline void lw_tag_prefetch_long(void)
{
	lw_tag_prefetch(__start_lw_tag_long, (size_t)(__stop_lw_tag_long - __start_lw_tag_long));
}

#endif
