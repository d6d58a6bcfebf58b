/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what became of a job while it waited, as one word in its AdminComment. */
#ifndef LW_BASE_PAST_H
#define LW_BASE_PAST_H

#include "base/why.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * "leeway:past=v:1,t:1764162000,p:0-3600,l:0-5400,s:120-4000-b,x:300-r-3,g:4100":
 * doc/dev/format-past.txt. It stays when the job starts and ends, so accounting has it.
 */
#define LW_PAST_START   "leeway:past="
#define LW_PAST_VERSION 1
#define LW_PAST_MAX     320
/* The most events that are kept of a job: beyond them the oldest moves of its start go. */
#define LW_PAST_EVENTS 10
/* A start that moves by less has not moved. */
#define LW_PAST_MOVE_S 60

enum lw_past_kind {
	LW_PAST_PLANNED = 'p',  /* it has its first planned start, then_s */
	LW_PAST_PROMISED = 'l', /* it is promised a start by then_s */
	LW_PAST_LOST = 'w',     /* the promise was withdrawn */
	LW_PAST_LATER = 's',    /* its planned start has moved to then_s, which is later */
	LW_PAST_SOONER = 'e',   /* the same, and it is sooner */
	LW_PAST_NO_START = 'u', /* it has no planned start any more */
	LW_PAST_REFUSED = 'x',  /* Slurm refused its start, for the last time at at_s */
	LW_PAST_STARTED = 'g',
};

enum lw_past_cause {
	LW_PAST_NODES = 'n',  /* nodes that it needs are gone */
	LW_PAST_LONGER = 'e', /* the job that makes the room may run longer */
	LW_PAST_OTHER = 'a',  /* another job makes the room now */
	LW_PAST_BEFORE = 'b', /* jobs came before it */
	LW_PAST_BEHIND = 'p', /* jobs that are before it start later */
	LW_PAST_RETRY = 'x',  /* Slurm refused its start */
	LW_PAST_TYPE = 't',   /* it waits for GPUs of another type */
	LW_PAST_CLEANED = 'c',  /* a job has left its nodes, which are still being cleaned up */
	LW_PAST_DEADLINE = 'd', /* its accepted deadline leaves time, and other jobs go first */
	LW_PAST_CAUSE = 'o',  /* none of these */
	/* of a refusal */
	LW_PAST_ROOM = 'r',  /* Slurm saw no room */
	LW_PAST_LIMIT = 'l', /* a limit */
};

struct lw_past_event {
	int64_t at_s, then_s;
	uint32_t times; /* of moves and refusals: in a row, for the same cause */
	char kind;      /* lw_past_kind */
	char cause;     /* lw_past_cause; 0: it needs none */
};

struct lw_past {
	struct lw_past_event events[LW_PAST_EVENTS]; /* in order of time */
	uint32_t count;
	uint32_t left_out; /* earlier moves that had to make room */
};

/* Is it a move of the planned start? */
static inline bool lw_past_is_move(const struct lw_past_event *event)
{
	return event->kind == LW_PAST_LATER || event->kind == LW_PAST_SOONER;
}

/* What became of the nodes that a job was planned on, where its start is later now. */
struct lw_past_facts {
	bool nodes_gone; /* some are down or drained */
	bool longer;     /* a job that was there may run longer than until the planned start */
	bool taken;      /* a job has started there since */
	bool cleaned;    /* some are still being cleaned up after a job */
	int64_t queued_s; /* the job may start since then, by its record; 0: not known */
};

/*
 * Note what is NEWS in what is said of the job; it was WAS before, all zero at first. FACTS are
 * those of a start that is later now than in WAS. A job that was held or requeued since its last
 * plan has a first plan again.
 */
void lw_past_note(struct lw_past *past, const struct lw_statement *was,
		  const struct lw_statement *news, const struct lw_past_facts *facts);
/* Note an event without a start of its own: a refusal for CAUSE, or the job's start (0). */
void lw_past_add(struct lw_past *past, enum lw_past_kind kind, int64_t at_s, char cause);
/* Is the start at START_S, or a later one, noted? */
bool lw_past_has_start(const struct lw_past *past, int64_t start_s);

/* The word; "" if there is no event. */
void lw_past_encode(const struct lw_past *past, char word[LW_PAST_MAX]);
/* Find and read it in COMMENT (may be NULL). -ENOENT: none; -EINVAL: damaged; -ENOTSUP. */
int lw_past_decode(const char *comment, struct lw_past *ret_past);

#endif
