/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the files that slurmctld's plugin keeps, as one table: make one, and read it back. */
#ifndef LW_TESTS_KEEPERS_H
#define LW_TESTS_KEEPERS_H

#include "base/log.h"

#include <stdbool.h>
#include <stdint.h>

#define KEEPER_NOW_S 1000000

struct keeper {
	const char *name;
	/* Write to PATH, by the keeper's own means, so that it has so many entries, or had more. */
	int (*make)(const char *path, uint32_t entries);
	/* Read it: how many entries it has; below 0: -errno, told to LOG. */
	int64_t (*load)(const char *path, const struct lw_log *log);
	bool stays; /* what is damaged is left where it is */
};

extern const struct keeper keepers[];
extern const unsigned keeper_count;

#endif
