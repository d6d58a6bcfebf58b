/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is right when jobs are asked to stop, kept beside slurm/keep/stops.c. */
#ifndef LW_TESTS_STOPBOOK_H
#define LW_TESTS_STOPBOOK_H

#include "base/strbuf.h"
#include "property/stopworld.h"
#include "slurm/keep/leasing.h"

#define STOPBOOK_PAGES 1000

struct stopbook_counts {
	uint32_t asked, back, deaf, ended, over; /* a stop ends in one of the four */
	uint32_t late, anew, withdrawn;
	uint32_t unsaved; /* slurmctld was killed before it had saved them */
};

/* A job that was asked within a day, or is out. */
struct stopbook_page {
	uint32_t id, user, nodes, restarts, stops;
	bool out, opened, late, back;
	int64_t asked_s, due_s, deaf_s;
	int64_t first_s; /* of the stops of that day */
};

/* All zero is empty. */
struct stopbook {
	struct stopbook_page pages[STOPBOOK_PAGES];
	uint32_t page_count;
	int64_t lessons[WORLD_USERS + 1][MANNERS]; /* when, by user and name; 0: none */
	struct stopbook_counts count;
};

/* Where it is written what goes on, and what is not right. */
struct stopbook_case {
	struct stopbook *book;
	const struct world *world;
	const struct lw_stop_rules *rules;
	struct lw_strbuf *why;
};

/* Each of these returns 0, or -1 with WHY. */

/* The keeper gave that answer. */
int stopbook_judged(const struct stopbook_case *it, const struct world_job *job,
		    enum lw_stop_answer answer, enum lw_stop_way way);
/* It made that entry; JOB has not heard of it yet. */
int stopbook_asked(const struct stopbook_case *it, const struct world_job *job,
		   const struct lw_stop *stop);
/* Slurm refused. */
void stopbook_withdrawn(const struct stopbook_case *it, const struct world_job *job);
/* It has seen JOB, which may be NULL, and the entry went from BEFORE to AFTER. */
int stopbook_stepped(const struct stopbook_case *it, const struct lw_stop *before,
		     const struct lw_stop *after, const struct world_job *job, bool yields,
		     enum lw_stop_event event);
/* After lw_stops_expire(): it has what is here, and nothing else. */
int stopbook_table(const struct stopbook_case *it, struct lw_stops *stops);
/* After lw_leasing_begin(). */
int stopbook_rooms(const struct stopbook_case *it, const struct lw_leasing *leasing,
		   struct lw_stops *stops);

/* slurmctld died: what is right is what KEPT has. */
void stopbook_restore(struct stopbook *book, const struct stopbook *kept);
/* How many jobs are out. */
uint32_t stopbook_out(const struct stopbook *book);
void stopbook_add(struct stopbook_counts *sum, const struct stopbook_counts *count);

#endif
