/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: jobs that agree to be stopped and to start again later: names, words and the file. */
#ifndef LW_BASE_STOP_H
#define LW_BASE_STOP_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* doc/dev/format-stops.txt has the file. */
#define LW_STOP_FILE_KIND    "stops"
#define LW_STOP_FILE_VERSION 1
#define LW_STOP_NAME_MAX     40
/* Of jobs, and of kinds. */
#define LW_STOP_FILE_LINES 4096
/* No time is beyond. */
#define LW_STOP_TIME_MAX_S INT64_C(1000000000000)
/* For so long a stop counts, and a kind is not asked again. */
#define LW_STOP_DAY_S  86400
#define LW_STOP_WEEK_S (7 * LW_STOP_DAY_S)

/* Words of a job's comment: it agrees, as well with "=10m" behind, or it never does. */
#define LW_STOP_COMMENT_YES "leeway:stop"
#define LW_STOP_COMMENT_NO  "leeway:no-stop"
/* It may run on more or fewer nodes, as a plan chooses (size.mode). */
#define LW_SIZE_COMMENT "leeway:size"
/*
 * Words of an administrator's comment. The order, which may have "=JOB" behind it, is replaced by
 * the answer: "leeway:stopped=asked:SECONDS,by:SECONDS[,for:JOB][,moves:1][,back:SECONDS]" or
 * "leeway:stop-refused=NAME". All begin with the first.
 */
#define LW_STOP_WORDS        "leeway:stop"
#define LW_STOP_WORD_ORDER   "leeway:stop-now"
#define LW_STOP_WORD_STOPPED "leeway:stopped="
#define LW_STOP_WORD_REFUSED "leeway:stop-refused="
#define LW_STOP_WORD_MAX     128

/* stop.mode */
enum lw_stop_mode {
	LW_STOP_OFF,
	LW_STOP_TELL, /* in the log and the job's AdminComment only */
	LW_STOP_ON,
};

/* stop.for: bits, in the order of its names. */
enum lw_stop_for {
	LW_STOP_FOR_NONE,
	LW_STOP_FOR_SHORT, /* short jobs that wait */
	LW_STOP_FOR_GANG,  /* jobs for which enough is free, on too many nodes */
	LW_STOP_FOR_DEADLINE = 4, /* jobs that would else miss their deadline */
};

/* stop.detect */
enum lw_stop_detect {
	LW_STOP_DETECT_OFF,
	LW_STOP_DETECT_TELL,
	LW_STOP_DETECT_ON,
};

enum lw_stop_state {
#define LW_STOP_STATE(symbol, name, sentence) LW_STOP_##symbol,
#include "base/stop.def"
	LW_STOP_STATES,
};

/* What the job is sent. */
enum lw_stop_way {
	LW_STOP_BY_SIGNAL,  /* its own signal (--signal); it requeues itself */
	LW_STOP_BY_REQUEUE, /* Slurm requeues it: SIGTERM, and SIGKILL after KillWait */
};

/* Whether a job may be asked. */
enum lw_stop_answer {
#define LW_STOP_ANSWER(symbol, name, sentence) LW_STOP_##symbol,
#include "base/stop.def"
	LW_STOP_ANSWERS,
};

/* What a job asks for; all zero: not known. */
struct lw_stop_size {
	uint32_t nodes, cpus;
};

struct lw_stop {
	uint32_t job_id, user;
	uint64_t kind; /* of jobs: the same user and name */
	enum lw_stop_state state;
	enum lw_stop_way way;
	uint32_t for_job; /* that is to have its room first; 0: none */
	uint32_t nodes;
	uint32_t restarts; /* Slurm's count, when it was asked */
	int64_t asked_s;
	int64_t deaf_s;  /* if it still runs then, it does not listen */
	int64_t due_s;   /* by then it is to run again */
	int64_t back_s;  /* when it ran again; 0: not yet */
	int64_t since_s; /* the first stop of the day that stops counts */
	uint32_t stops;
	int64_t expect_s; /* nine of ten jobs like it run no longer; 0: not known, or judged */
	int64_t saved_s;  /* of its runs, as far as it should have saved them */
	bool lost; /* its requeue was forgotten, and has been tried again; not in the file */
	bool late; /* it was not back when it was due, and that was told */
	bool moves; /* another place is kept for it; in the file for people alone */
	bool held; /* it waits, and its user keeps it from running; not in the file */
	struct lw_stop_size size, for_size; /* when it was asked, and of for_job; not in the file */
};

/* Jobs of a kind that are not asked again, and why: DEAF, ENDS or ANEW. */
struct lw_stop_kind {
	uint32_t user;
	uint64_t kind;
	enum lw_stop_answer why;
	int64_t at_s;
	char name[LW_STOP_NAME_MAX]; /* the beginning of the jobs' name, for people */
};

/* On its way, from when it is asked until it runs again. */
static inline bool lw_stop_is_out(const struct lw_stop *stop)
{
	return stop->state != LW_STOP_RUNS;
}

/* The share of all nodes that may be out is also of this one. */
static inline bool lw_stop_has_share(const struct lw_stop *stop)
{
	return lw_stop_is_out(stop) && !stop->held;
}

/* It ran again, and its stops are of another day: nothing of it counts at NOW_S. */
static inline bool lw_stop_is_over(const struct lw_stop *stop, int64_t now_s)
{
	return !lw_stop_is_out(stop) && now_s - stop->since_s >= LW_STOP_DAY_S;
}

/* Its stops within a day before NOW_S. */
static inline uint32_t lw_stop_today(const struct lw_stop *stop, int64_t now_s)
{
	return now_s - stop->since_s < LW_STOP_DAY_S ? stop->stops : 0;
}

/* A job asked at ASKED_S yields until then to the job with its room. From then on it goes first.
 */
static inline int64_t lw_stop_first_s(int64_t asked_s, int64_t due_s)
{
	return asked_s + (due_s - asked_s) / 2;
}

/* Is a job of SIZE still no larger than it WAS? */
static inline bool lw_stop_has_kept(const struct lw_stop_size *size,
				    const struct lw_stop_size *was)
{
	return !was->nodes || (size->nodes <= was->nodes && size->cpus <= was->cpus);
}

/* Of a job of SIZE that was stopped: has it let others go first for long enough, or a place? */
static inline bool lw_stop_goes_first(const struct lw_stop *stop, const struct lw_stop_size *size,
				      int64_t now_s)
{
	return stop->state == LW_STOP_WAITS && lw_stop_has_kept(size, &stop->size) &&
	       (stop->moves || now_s >= lw_stop_first_s(stop->asked_s, stop->due_s));
}

/* A plan asks no job that has run for less; one that was STOPPED before is left alone longer. */
static inline int64_t lw_stop_rest_s(int64_t lease_s, int64_t back_s, bool stopped)
{
	return stopped && lease_s < back_s ? back_s : lease_s;
}

/* Jobs of that kind may be asked again at NOW_S. */
static inline bool lw_stop_kind_is_over(const struct lw_stop_kind *kind, int64_t now_s)
{
	return now_s - kind->at_s >= LW_STOP_WEEK_S;
}

/* The kind of the jobs of USER with that name, which may be NULL. */
uint64_t lw_stop_kind_of(uint32_t user, const char *name);

const char *lw_stop_state_name(enum lw_stop_state state);
const char *lw_stop_answer_name(enum lw_stop_answer answer);
/* As the end of a sentence: "it does not agree: ...". */
const char *lw_stop_answer_text(enum lw_stop_answer answer);

/* Where a job agrees: texts may be NULL. */
struct lw_stop_terms {
	const char *who; /* stop.who: "qos:NAME" and "partition:NAME" */
	const char *comment, *qos, *partition;
};

/* Does the job agree to be stopped? *ret_saves_s: how often it saves, 0: it did not say. */
bool lw_stop_agrees(const struct lw_stop_terms *terms, int64_t *ret_saves_s);

/* The word for a job that was asked. */
void lw_stop_word(const struct lw_stop *stop, char word[LW_STOP_WORD_MAX]);
/* Read it in an administrator's comment, which may be NULL; false: there is none. */
bool lw_stop_word_read(const char *comment, struct lw_stop *ret_stop);

/* ---- the file ---- */

/* Each may return -errno to end the reading. */
struct lw_stop_taker {
	int (*take)(void *arg, const struct lw_stop *stop);
	int (*take_kind)(void *arg, const struct lw_stop_kind *kind);
	void *arg;
};

void lw_stop_print(const struct lw_stop *stop, struct lw_strbuf *out);
void lw_stop_kind_print(const struct lw_stop_kind *kind, struct lw_strbuf *out);
/*
 * The payload of the file at PATH, SIZE bytes and a NUL, which is cut into pieces. -EBADMSG with
 * ERR: a line is wrong, not in its place, or one too many; or -errno of a taker.
 */
int lw_stop_parse(char *text, size_t size, const char *path, const struct lw_stop_taker *taker,
		  struct lw_error *err);

#endif
