/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the table of configuration keys at run time. */
#ifndef LW_CONFIG_KEYS_H
#define LW_CONFIG_KEYS_H

#include "base/error.h"
#include "base/strbuf.h"
#include "config/config.h"

#include <stddef.h>

enum lw_key_type {
	LW_KEY_TYPE_BOOL,
	LW_KEY_TYPE_COUNT,
	LW_KEY_TYPE_DOUBLE,
	LW_KEY_TYPE_DURATION,
	LW_KEY_TYPE_ENUM,
	LW_KEY_TYPE_PATH,
	LW_KEY_TYPE_WORDS,
	LW_KEY_TYPE_RULES, /* read by read_rules.c, not by lw_key_parse() */
	LW_KEY_TYPE_DOMAINS, /* nor these: read_domains.c */
	LW_KEY_TYPE_ISLANDS,
};

struct lw_key {
	const char *path; /* "sched.relax" */
	enum lw_key_type type;
	size_t offset;	     /* of its field in struct lw_config, or in that of another table */
	double def;	     /* numbers, also bool and enum; a path has none */
	double min, max;     /* count, double, duration */
	const char *choices; /* enum: "fcfs|easy|relaxed" */
	const char *sentence;
};

struct lw_section {
	const char *name;
	const char *sentence;
};

/* The keys in the order of keys.def, which keeps those of a section together. */
const struct lw_key *lw_keys(size_t *ret_count);
const struct lw_section *lw_sections(size_t *ret_count);

/* NULL when there is none of that name. */
const struct lw_key *lw_key_find(const char *path);
const struct lw_section *lw_section_find(const char *name);

/*
 * Where the key PATH, or with VALUE that value of PATH, of an earlier release went: a sentence
 * to put after "PATH: ". NULL: no earlier release had it.
 */
const char *lw_key_gone(const char *path, const char *value);

/* The key or section that PATH was most likely meant to be, or NULL. */
const char *lw_key_nearest(const char *path);

/*
 * Set KEY's field in CFG, the struct that its offset is of, from TEXT. -EINVAL with ERR as
 * "3.0 is above 2.0" (the caller adds where), -ENOMEM; CFG is then untouched.
 */
int lw_key_parse(const struct lw_key *key, const char *text, void *cfg, struct lw_error *err);

/* Append the value that KEY has in CFG, as YAML that lw_key_parse() reads back. */
void lw_key_print(const struct lw_key *key, const struct lw_config *cfg, struct lw_strbuf *out);

/* Append what values KEY takes and its default: "0.0 to 2.0; default 0.1". */
void lw_key_describe(const struct lw_key *key, struct lw_strbuf *out);

/*
 * Write TEXT into BUF in quotes, fit for a log line: cut when long, with ? for every
 * byte that is not printable ASCII. Returns BUF.
 */
const char *lw_key_quote(const char *text, char *buf, size_t size);

#endif
