/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: names of users and others as numbers, and hashed. */
#ifndef LW_CLI_COMMON_NAMES_H
#define LW_CLI_COMMON_NAMES_H

#include "base/error.h"
#include "base/lookup.h"

#include <stdint.h>

/* Names in order of appearance: the place is the number. Zeroed there is none. */
struct lw_ana_names {
	char **texts;
	uint32_t count, room;
	struct lw_lookup lookup;
};

/* The number of TEXT, a new one if need be. -ENOMEM. */
int lw_ana_names_number(struct lw_ana_names *names, const char *text, uint32_t *ret_number);
void lw_ana_names_fini(struct lw_ana_names *names);

/* The salt of hashes, so that names cannot be found by trying all. */
#define ANA_SALT_MIN 16

struct lw_ana_salt {
	unsigned char bytes[64];
	uint32_t size;
};

/* Drawn at random, or the first bytes of the file PATH, of which there must be MIN. */
int lw_ana_salt_make(struct lw_ana_salt *salt, const char *path, struct lw_error *err);
/* Put "KIND-" and ten digits of a hash in the place of each name. -ENOMEM. */
int lw_ana_names_hash(struct lw_ana_names *names, const char *kind,
		      const struct lw_ana_salt *salt);

#endif
