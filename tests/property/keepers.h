/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the files that slurmctld's plugin keeps, as one table: make one, and read it back. */
#ifndef LW_TESTS_KEEPERS_H
#define LW_TESTS_KEEPERS_H

#include "base/log.h"

#include <stdbool.h>
#include <stdint.h>

#define KEEPER_NOW_S 1000000

struct keeper {
	const char *name; /* of its file */
	const char *kind; /* in the header of the file */
	/* Write to PATH, by the keeper's own means, so that it has so many entries, or had more.
	 */
	int (*make)(const char *path, uint32_t entries);
	/* Read it: how many entries it has; below 0: -errno, told to LOG. */
	int64_t (*load)(const char *path, const struct lw_log *log);
	bool stays;          /* what is damaged is left where it is */
	uint32_t most;       /* entries that it keeps; 0: all */
	unsigned files;      /* that it has */
	const char *written; /* where it writes what NAME was before; NULL: there */
	bool lines; /* each line has a check of its own: property_torn_record.c is about it */
};

/* How many entries KEEPER has when it was made with so many. */
static inline int64_t keeper_entries(const struct keeper *keeper, uint32_t entries)
{
	return keeper->most && keeper->most < entries ? keeper->most : entries;
}

/* Those that need a plan to have something to keep (keepers_planned.c). */
int keeper_make_guarded(const char *path, uint32_t entries);
int64_t keeper_load_guarded(const char *path, const struct lw_log *log);
int keeper_make_outlook(const char *path, uint32_t entries);
int64_t keeper_load_outlook(const char *path, const struct lw_log *log);

/* A job's GPU record, whose samples are the entries (keepers_record.c). */
int keeper_make_record(const char *path, uint32_t entries);
int64_t keeper_load_record(const char *path, const struct lw_log *log);

extern const struct keeper keepers[];
extern const unsigned keeper_count;

#endif
