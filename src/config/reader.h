/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the state of reading leeway.yaml; private to read*.c. */
#ifndef LW_CONFIG_READER_H
#define LW_CONFIG_READER_H

#include "config/config.h"
#include "config/keys.h"
#include "config/mistakes.h"

#include <yaml.h>

/* longer than any key, so that a key that is cut is unknown anyway */
#define PATH_BYTES 128
/* upper bounds of the table, checked in lw_config_parse() */
#define KEYS_MAX 256

struct reader {
	yaml_parser_t parser;
	const char *name;
	const char *text;
	size_t size;
	struct lw_config *cfg;
	struct lw_error *err; /* has the first mistake, or the failure that ended the reading */
	struct lw_mistakes *mistakes;
	bool refused; /* there was a mistake: nothing of the file is used */
	bool printed; /* by lw_config_print(), perhaps of an earlier release */
	/* the line on which each was first given, or 0 */
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
/* The scalar's text, or NULL if it contains a NUL byte. */
const char *lw_reader_text(const yaml_event_t *event);

/*
 * Read to the end of the list or mapping that EVENT opened, if any. Returns as lw_reader_next().
 */
int lw_reader_skip(struct reader *r, const yaml_event_t *event);
/* The same for the next value. */
int lw_reader_skip_value(struct reader *r);

/*
 * Called with one EVENT of a list or mapping; the caller deletes it. 0, or a failure that ends
 * the reading.
 */
typedef int (*lw_reader_item_f)(struct reader *r, const yaml_event_t *event, void *arg);
/*
 * Call ITEM for every event before the next one of type END. ITEM reads on through what belongs
 * to the event, such as the value of a key. Returns ITEM's failure, or as lw_reader_next().
 */
int lw_reader_each(struct reader *r, yaml_event_type_t end, lw_reader_item_f item, void *arg);

/* Set the error of missing memory; -ENOMEM. */
int lw_reader_no_memory(const struct reader *r);
/*
 * Note a mistake on LINE. The reading goes on after it, so that all mistakes are reported at
 * once: the caller skips the value. lw_reader_wrong(): "PATH: WHAT", with PATH quoted if it is
 * no key.
 */
void lw_reader_mistake(struct reader *r, unsigned line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void lw_reader_wrong(struct reader *r, unsigned line, const char *path, const char *what);

#define LW_READER_FIELDS 2

/* One mapping of a list, with the word of each field. */
struct reader_row {
	unsigned line;
	char *text[LW_READER_FIELDS];
};

struct reader_field {
	const char *name;
	const char *wants;   /* after the name: " wants one word" */
	const char *missing; /* "a domain without nodes; add them" */
};

/* A list of mappings with the same fields, and how to report its mistakes. */
struct reader_rows {
	const char *path;    /* of the key */
	const char *such_as; /* an example of a mapping */
	const char *has;     /* "a domain has name and nodes" */
	struct reader_field fields[LW_READER_FIELDS];
	/* Add what was read to LIST, or note a mistake. 0 or -ENOMEM with r->err. */
	int (*take)(struct reader *r, const struct reader_row *row, void *list);
	/* Check LIST as a whole: 0, -ENOMEM, or another failure with ERR and the file's line. */
	int (*check)(void *list, unsigned *ret_line, struct lw_error *err);
};

/* Read a list after its opening event, pass each mapping to ROWS->take, and check the list. */
int lw_reader_rows(struct reader *r, const struct reader_rows *rows, void *list);

/*
 * Read the list of domains of KEY after its opening event, check it and sort it. Fails as
 * lw_reader_next().
 */
int lw_reader_domains(struct reader *r, const struct lw_key *key);
/* The same for islands, without sorting. */
int lw_reader_islands(struct reader *r, const struct lw_key *key);

/*
 * Read the list of rules of KEY after its opening event. Rules with mistakes are left out and
 * noted as such. Fails as lw_reader_next().
 */
int lw_reader_rules(struct reader *r, const struct lw_key *key);

#endif
