/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what keep/outlook.c and keep/outlook_ask.c share; they alone include it. */
#ifndef LW_SLURM_OUTLOOK_PARTS_H
#define LW_SLURM_OUTLOOK_PARTS_H

#include "base/lookup.h"
#include "planner/order/ahead.h"
#include "slurm/keep/outlook.h"
#include "slurm/keep/outlook_room.h"
#include "slurm/keep/outlook_word.h"
#include "slurm/keep/statefile.h"

/* One job that waits for room. */
struct lw_outlook_entry {
	uint32_t job_id, user_id, written_s, hinted_s;
	uint32_t hash,
		told; /* of what is written but its time, of what is shown elsewhere, too */
	struct lw_outlook_sample samples[LW_OUTLOOK_AGES];
	struct lw_hint hints[LW_WHY_HINTS];
	uint8_t sample_count;
	bool seen, has_word;
	bool prepared; /* the reading has it in other partitions */
	bool over;     /* its user has too many entries in this cycle */
};

/* A word to write; word is where it begins in words, or UINT32_MAX: none. */
struct lw_outlook_due {
	uint32_t job_id, word;
};

/* A job that room is kept for, and from when on. */
struct lw_outlook_kept {
	uint32_t job_id;
	int64_t start_s;
};

struct lw_outlooks {
	char *path;
	struct lw_statefile file;
	struct lw_outlook *learned;
	struct lw_outlook_entry *entries; /* in order of the snapshots that had them first */
	uint32_t count, room;
	struct lw_ahead ahead;
	struct lw_outlook_heads heads;
	struct lw_outlook_kept kept[LW_OUTLOOK_HEADS_MAX]; /* of the last plan */
	uint32_t kept_count;
	int64_t sooner_s; /* since then no plan keeps room for more, or from an earlier time on */
	struct lw_outlook_room places;
	struct lw_lookup index; /* of entries, until the write of a cycle */
	struct lw_outlook_due *due;
	uint32_t due_count, due_room;
	char *words; /* LW_WHY_MAX each */
	uint32_t word_count, word_room;
	char (*parts)[LW_WHY_PART_MAX]; /* names that hints have; the first has number 1 */
	uint32_t part_count, part_room;
	uint32_t cursor, asked; /* where the next cycle goes on writing, and asking */
	uint32_t again, turn;   /* where this one goes on asking again, and how often it asked */
	int64_t saved_s;
	bool dirty;
};

/* The entry of JOB_ID, until one is added or dropped; NULL: there is none. */
struct lw_outlook_entry *lw_outlook_entry(struct lw_outlooks *outlooks, uint32_t job_id);

/* Are the changes that were found for it of the moment? */
static inline bool lw_outlook_is_hinted(const struct lw_outlook_entry *entry, int64_t now_s)
{
	return entry->hints[0].kind && entry->hinted_s + (int64_t)LW_OUTLOOK_HINT_S >= now_s;
}

/* Note for which jobs PLAN keeps room: what was found before does not hold if that is more. */
void lw_outlook_note_kept(struct lw_outlooks *outlooks, const struct lw_plan *plan,
			  int64_t now_s);

#endif
