/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: why a job waits and until when, as one word in its SystemComment. */
#ifndef LW_BASE_WHY_H
#define LW_BASE_WHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * "leeway:why=v:1,at:1764162000,r:would-delay,b:12,h:7781,l:1764165600,p:60-1800-7200,k:91-1240,
 * t:7200", without a blank: doc/dev/format-why.txt. Unknown values are left out; a reader skips
 * items that it does not know. It cannot use a word that begins with another version.
 */
#define LW_WHY_START      "leeway:why="
#define LW_WHY_VERSION    1
/* The word is renewed every ten minutes, even without news: an older one was left behind. */
#define LW_WHY_STALE_S    1800
/* No clock is ahead by more. */
#define LW_WHY_AHEAD_S 300
/* A hint is shown for this long: five minutes, and ten without news. */
#define LW_WHY_HINTS_S    900
#define LW_WHY_MAX        304
#define LW_WHY_REASON_MAX 24
#define LW_WHY_HINTS      3
#define LW_WHY_TYPE_MAX   24 /* room for a name */
#define LW_WHY_PART_MAX   40

/* A change with which a job would start now. */
enum lw_hint_kind {
	LW_HINT_NONE,
	LW_HINT_LIMIT,    /* a time limit of this many seconds */
	LW_HINT_NODES,    /* this many nodes */
	LW_HINT_GPUS,     /* this many GPUs a node, or in all if the job asks so */
	LW_HINT_CPUS,     /* this many CPUs a node, or in all if the job asks so */
	LW_HINT_SHARED,   /* without --exclusive */
	LW_HINT_ANY_TYPE, /* GPUs of any type */
	LW_HINT_PARTITION, /* in another partition */
};

struct lw_hint {
	uint32_t value;
	uint8_t kind; /* enum lw_hint_kind */
};

/* A type of GPUs, and when the job is expected to end there, counted from at_s. */
struct lw_why_type {
	char name[LW_WHY_TYPE_MAX]; /* "": none */
	uint32_t done_s;
};

struct lw_why {
	int64_t at_s;                   /* when the plan was made */
	char reason[LW_WHY_REASON_MAX]; /* a name of planner/model/reason.def */
	uint32_t before;                /* jobs ahead of it */
	uint32_t head;    /* job with the promised start that it must not delay; 0: none, or
			   * not told */
	uint32_t after;   /* the running job that makes the room by its end; 0: not known */
	int64_t latest_s; /* its promised latest start; 0: no promise */
	char deadline;    /* 'a': accepted, 'r': at risk; 0: no deadline that counts */
	struct lw_why_type faster, other; /* the type that it waits for, and the type that it
					   * could have at once */
	bool cramped; /* the other has less memory than its earlier runs needed */
	bool likely;      /* are the next three known? Counted from at_s. */
	uint32_t low_s, p50_s, p90_s;
	uint32_t held_percent, held_count;  /* how often starts came by p90, and of how many */
	struct lw_hint hints[LW_WHY_HINTS]; /* the first of kind NONE ends them */
	char partition[LW_WHY_PART_MAX];    /* the partition of a hint on one, or "" */
};

/* Write WHY as a word; returns its length. */
size_t lw_why_encode(const struct lw_why *why, char word[LW_WHY_MAX]);
/* Can the word hold NAME, of a partition? Other names are left out. */
bool lw_why_can_name(const char *name);
/* Find and read it in COMMENT (may be NULL). -ENOENT: none; -EINVAL: damaged; -ENOTSUP. */
int lw_why_decode(const char *comment, struct lw_why *ret_why);

#endif
