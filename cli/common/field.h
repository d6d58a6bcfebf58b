/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the fields of a row: its columns in a table and its keys in JSON, one line for each. */
#ifndef LW_CLI_COMMON_FIELD_H
#define LW_CLI_COMMON_FIELD_H

#include "base/strbuf.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* What a field is in the table and in JSON. */
enum lw_field_form {
	LW_FIELD_WHOLE,    /* a whole number; all but text are whole numbers in JSON */
	LW_FIELD_REAL,     /* rounded in the table, a real number in JSON */
	LW_FIELD_DURATION, /* seconds, as lw_duration_print() has them */
	LW_FIELD_LIMIT,    /* seconds, as --time takes them */
	LW_FIELD_ENERGY,   /* joules */
	LW_FIELD_TEXT,
	LW_FIELD_CUT, /* a text that the column cuts to its width */
};

struct lw_field {
	const char *key;   /* NULL: JSON does not have it */
	const char *title; /* NULL: the table does not have it */
	int width;         /* of the column; negative: to the left */
	enum lw_field_form form;
	double value;     /* below 0: unknown, "-" and null */
	const char *text; /* NULL: unknown. Of a number: stands in the table in place of it. */
};

/* A field with neither key nor title ends them. */
#define LW_FIELDS_MAX 24
struct lw_fields {
	struct lw_field field[LW_FIELDS_MAX];
};

/* VALUE if it is KNOWN, or what stands for unknown. */
double lw_field_if(bool known, double value);

/* How many columns TEXT takes, which is UTF-8. */
int lw_field_columns(const char *text);
/* WIDTH columns in the bytes that printf() counts, for TEXT, which may have characters of many. */
int lw_field_room(const char *text, int width);

/* The columns of a row, with blanks between them. */
void lw_fields_row(const struct lw_fields *fields, struct lw_strbuf *sb);
/* A line with the titles, or the columns, and NOTE on standard output. */
void lw_fields_print_titles(struct lw_fields fields, const char *note);
void lw_fields_print(struct lw_fields fields, const char *note);
/* Into O, or a new object; what is unknown is null with NULLS, and is left out without. */
void lw_fields_set(json_t *o, const struct lw_fields *fields, bool nulls);
json_t *lw_fields_json(struct lw_fields fields, bool nulls);

#endif
