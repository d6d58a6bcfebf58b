/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: why a job waits and until when, as one word in its SystemComment. */
#ifndef LW_BASE_WHY_H
#define LW_BASE_WHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * "leeway:why=v:1,at:1764162000,r:would-delay,b:12,h:7781,l:1764165600,p:60-1800-7200,k:91-1240,
 * t:7200", without a blank: doc/dev/format-why.txt. What is not known is left out; a reader
 * passes over items that it does not know. A word that begins with another version is of no use
 * to it.
 */
#define LW_WHY_START      "leeway:why="
#define LW_WHY_VERSION    1
/* It is written anew every ten minutes, without news as well: an older one was left behind. */
#define LW_WHY_STALE_S    1800
/* Nobody's clock is ahead by more. */
#define LW_WHY_AHEAD_S 300
/* What would let a job start now is told for so long: five minutes, and ten without news. */
#define LW_WHY_HINTS_S    900
#define LW_WHY_MAX        304
#define LW_WHY_REASON_MAX 24
#define LW_WHY_HINTS      3
#define LW_WHY_TYPE_MAX   24 /* room for a name */
#define LW_WHY_PART_MAX   40

/* What would let a job start now. */
enum lw_hint_kind {
	LW_HINT_NONE,
	LW_HINT_LIMIT,    /* a time limit of so many seconds */
	LW_HINT_NODES,    /* so many nodes */
	LW_HINT_GPUS,     /* so many GPUs a node, or in all where the job asks so */
	LW_HINT_CPUS,     /* so many CPUs a node, or in all where the job asks so */
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
	uint32_t before;                /* jobs that have their turn before it */
	uint32_t head;    /* whose promised start it must not delay; 0: nobody's, or not told */
	uint32_t after;   /* the running job whose end makes the room; 0: not known */
	int64_t latest_s; /* it was promised to start by then; 0: nothing was promised */
	char deadline;    /* 'a': accepted, 'r': at risk; 0: it has none that counts */
	struct lw_why_type faster, other; /* that it waits for, and that it could have at once */
	bool cramped; /* the other has less memory than its earlier runs needed */
	bool likely;      /* are the next three known? Counted from at_s. */
	uint32_t low_s, p50_s, p90_s;
	uint32_t held_percent, held_count;  /* how often starts came by p90; of so many */
	struct lw_hint hints[LW_WHY_HINTS]; /* the first of kind NONE ends them */
	char partition[LW_WHY_PART_MAX];    /* that of the hint on one, or "" */
};

/* Write WHY as a word; its length. */
size_t lw_why_encode(const struct lw_why *why, char word[LW_WHY_MAX]);
/* Can the word hold NAME, of a partition? Others are not told. */
bool lw_why_can_name(const char *name);
/* Find and read it in COMMENT (may be NULL). -ENOENT: none; -EINVAL: damaged; -ENOTSUP. */
int lw_why_decode(const char *comment, struct lw_why *ret_why);

#endif
