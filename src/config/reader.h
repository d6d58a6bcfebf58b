/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the state of reading leeway.yaml; private to read*.c. */
#ifndef LW_CONFIG_READER_H
#define LW_CONFIG_READER_H

#include "config/config.h"
#include "config/keys.h"
#include "config/mistakes.h"

#include <yaml.h>

/* longer than any key of ours, so that what is cut is unknown anyway */
#define PATH_BYTES 128
/* upper bounds of the table, checked in lw_config_parse() */
#define KEYS_MAX 256

struct reader {
	yaml_parser_t parser;
	const char *name;
	const char *text;
	size_t size;
	struct lw_config *cfg;
	struct lw_error *err; /* has the first mistake, or what ended the reading */
	struct lw_mistakes *mistakes;
	bool refused; /* there was one, so that nothing of the file is taken */
	bool printed; /* by lw_config_print(), perhaps of an earlier release */
	/* line on which each was given first, or 0 */
	unsigned key_line[KEYS_MAX];
	unsigned section_line[KEYS_MAX];
};

/* The line, from 1, on which EVENT began. */
unsigned lw_reader_line(const yaml_event_t *event);
/*
 * The next event, to be deleted by the caller. 0; -EINVAL: this is no YAML, and the mistake is
 * noted; -ENOMEM with r->err.
 */
int lw_reader_next(struct reader *r, yaml_event_t *ret_event);
/* The scalar's text, or NULL when it holds a NUL byte. */
const char *lw_reader_text(const yaml_event_t *event);

/* Read to the end of the list or mapping that EVENT opened, if it did. As lw_reader_next(). */
int lw_reader_skip(struct reader *r, const yaml_event_t *event);
/* The same of the value that is still to come. */
int lw_reader_skip_value(struct reader *r);

/* One EVENT of a list or mapping; the caller deletes it. 0, or a failure that ends the reading. */
typedef int (*lw_reader_item_f)(struct reader *r, const yaml_event_t *event, void *arg);
/*
 * Give every event before the next one of type END to ITEM, which reads on through what
 * belongs to it: the value of a key, say. ITEM's failure, or as lw_reader_next().
 */
int lw_reader_each(struct reader *r, yaml_event_type_t end, lw_reader_item_f item, void *arg);

/* Say that there is no memory; -ENOMEM. */
int lw_reader_no_memory(const struct reader *r);
/*
 * Note a mistake on LINE. The reading goes on behind what is wrong, so that all mistakes are
 * told in one go: a caller skips the value. lw_reader_wrong(): "PATH: WHAT", with PATH
 * quoted when it is no key.
 */
void lw_reader_mistake(struct reader *r, unsigned line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void lw_reader_wrong(struct reader *r, unsigned line, const char *path, const char *what);

#define LW_READER_FIELDS 2

/* One mapping of a list, with the word that each field has. */
struct reader_row {
	unsigned line;
	char *text[LW_READER_FIELDS];
};

struct reader_field {
	const char *name;
	const char *wants;   /* behind the name: " wants one word" */
	const char *missing; /* "a domain without nodes; add them" */
};

/* A list of mappings that all have the same fields, and how to complain of it. */
struct reader_rows {
	const char *path;    /* of the key */
	const char *such_as; /* a mapping as an example */
	const char *has;     /* "a domain has name and nodes" */
	struct reader_field fields[LW_READER_FIELDS];
	/* Add what was read to LIST, or note a mistake. 0 or -ENOMEM with r->err. */
	int (*take)(struct reader *r, const struct reader_row *row, void *list);
	/* Check LIST as a whole: 0, -ENOMEM, or another failure with ERR and the file's line. */
	int (*check)(void *list, unsigned *ret_line, struct lw_error *err);
};

/* Read a list behind its opening event, giving each mapping to ROWS->take, and check it. */
int lw_reader_rows(struct reader *r, const struct reader_rows *rows, void *list);

/*
 * Read the list of domains that KEY has, behind its opening event, check it and put it in
 * order. As lw_reader_next() on failure.
 */
int lw_reader_domains(struct reader *r, const struct lw_key *key);
/* The same of islands, whose order stays. */
int lw_reader_islands(struct reader *r, const struct lw_key *key);

/*
 * Read the list of rules that KEY has, behind its opening event. Rules with mistakes are
 * left out and noted as such. As lw_reader_next() on failure.
 */
int lw_reader_rules(struct reader *r, const struct lw_key *key);

#endif
