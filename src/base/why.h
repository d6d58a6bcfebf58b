/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is said of a waiting job, and that as one word in its SystemComment. */
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
#define LW_WHY_START   "leeway:why="
#define LW_WHY_VERSION 1
/* The word is renewed every ten minutes, even without news: an older one was left behind. */
#define LW_WHY_STALE_S 1800
/* No clock is ahead by more. */
#define LW_WHY_AHEAD_S 300
/* A hint is shown for this long: five minutes, and ten without news. */
#define LW_WHY_HINTS_S    900
#define LW_WHY_MAX        304
#define LW_WHY_REASON_MAX 24
#define LW_WHY_HINTS      3
#define LW_WHY_TYPE_MAX   24 /* room for a name */
#define LW_WHY_PART_MAX   40
#define LW_WHY_LIMIT_MAX  40

/* A change with which a job would start now. */
enum lw_hint_kind {
	LW_HINT_NONE,
	LW_HINT_LIMIT,     /* a time limit of this many seconds */
	LW_HINT_NODES,     /* this many nodes */
	LW_HINT_GPUS,      /* this many GPUs a node, or in all if the job asks so */
	LW_HINT_CPUS,      /* this many CPUs a node, or in all if the job asks so */
	LW_HINT_SHARED,    /* without --exclusive */
	LW_HINT_ANY_TYPE,  /* GPUs of any type */
	LW_HINT_PARTITION, /* in another partition */
};

/* Why a promise cannot be kept, as the word has it. */
enum lw_unkept {
	LW_UNKEPT_NODES = 'n', /* nodes that it was based on are gone */
	LW_UNKEPT_END = 'e',   /* the job that makes the room may run longer */
	LW_UNKEPT_NEVER = 'v', /* it can never start as it is */
	LW_UNKEPT_ROOM = 'o',  /* by hard limits there is no room before */
};

/* What becomes of a deadline, as the word has it. */
enum lw_deadline_end {
	LW_DEADLINE_ACCEPTED = 'a', /* room is kept by which it is met */
	LW_DEADLINE_RISK = 'r',     /* the planner accepts deadlines, and not this one yet */
	LW_DEADLINE_MET = 'o',      /* by the planned start it is met; no room is kept for that */
	LW_DEADLINE_MISSED = 'm',   /* by the planned start it is missed */
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

/*
 * All that is said of one waiting job. planner/model/statement.h makes it, so that nothing in it
 * contradicts the rest, and every command, reason and page prints it.
 */
struct lw_statement {
	int64_t at_s;                 /* when the plan was made */
	bool zoned;                   /* is the next one known? */
	int16_t zone_min;             /* the cluster's time then, so many minutes east of UTC */
	bool never;                   /* it can never start as it is */
	char limit[LW_WHY_LIMIT_MAX]; /* Slurm's name of the limit that never allows it, or "" */
	int64_t planned_s;            /* its planned start; 0: none */
	char reason[LW_WHY_REASON_MAX]; /* a name of planner/model/reason.def */
	uint32_t before;                /* jobs ahead of it */
	uint32_t head;      /* job with the promised start that it must not delay; 0: none, or
			     * not told */
	uint32_t stopped;   /* the job that was asked to stop for it; 0: none, or not told */
	uint32_t after;     /* the running job that makes the room by its end; 0: not known */
	/* the nodes of which a plan gives it some (size.mode); 0: as many as it asks for */
	uint32_t least_nodes, most_nodes;
	int64_t latest_s;   /* its promised latest start; 0: no promise */
	char unkept;        /* why the promise cannot be kept: lw_unkept; 0: it can */
	int64_t deadline_s; /* its deadline, which the word does not have; 0: none, or not known
			     */
	char deadline;      /* what becomes of that: lw_deadline_end; 0: not known */
	struct lw_why_type faster, other; /* the type that it waits for, and the type that it
					   * could have at once */
	bool cramped; /* the other has less memory than its earlier runs needed */
	bool likely;  /* are the next three known? Counted from at_s. */
	uint32_t low_s, p50_s, p90_s;
	uint32_t held_percent, held_count;  /* how often starts came by p90, and of how many */
	struct lw_hint hints[LW_WHY_HINTS]; /* the first of kind NONE ends them */
	char partition[LW_WHY_PART_MAX];    /* the partition of a hint on one, or "" */
};

/* Take HINT out of HINTS, if it is there. */
void lw_hints_drop(struct lw_hint hints[LW_WHY_HINTS], const struct lw_hint *hint);

/* Write WHY as a word; returns its length. */
size_t lw_why_encode(const struct lw_statement *why, char word[LW_WHY_MAX]);
/* Can the word hold NAME, of a partition? Other names are left out. */
bool lw_why_can_name(const char *name);
/* Find and read it in COMMENT (may be NULL). -ENOENT: none; -EINVAL: damaged; -ENOTSUP. */
int lw_why_decode(const char *comment, struct lw_statement *ret_why);

#endif
