/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: figures side by side: one table, written row by row as text or on a page. */
#ifndef LW_CLI_CHART_TABLE_H
#define LW_CLI_CHART_TABLE_H

#include "base/strbuf.h"
#include "cli/chart/look.h"

#include <stdint.h>
#include <stdio.h>

#define LW_TABLE_COLUMNS 16
/* Room for what a cell says. */
#define LW_TABLE_CELL 48

struct lw_table_column {
	const char *title;          /* cut to WIDTH in the text */
	const struct lw_look *look; /* gives the title its colour on the page; NULL: none */
	int width;                  /* in the text */
};

/* The caller sets where it goes, and of a text the widths; then come the columns, then rows. */
struct lw_table {
	FILE *out;              /* a text, or */
	struct lw_strbuf *page; /* a table of HTML */
	int name_width;         /* of the column of names, in the text */
	int indent;             /* of the rows' names in it */
	struct lw_table_column columns[LW_TABLE_COLUMNS];
	uint32_t count;
	uint32_t at; /* the column of the next cell */
};

/* Add a column, one of at most LW_TABLE_COLUMNS. TITLE and LOOK stay the caller's. */
void lw_table_add(struct lw_table *table, const char *title, const struct lw_look *look,
		  int width);
/* The line of titles; NAME stands above the names of rows. */
void lw_table_begin(const struct lw_table *table, const char *name);
/* A line above rows that belong together. */
void lw_table_part(const struct lw_table *table, const char *name);
/* Begin a row. As many cells follow as there are columns; the last one ends it. */
void lw_table_row(const struct lw_table *table, const char *name);
/* TEXT, and below it on the page how far off it may be: SPREAD, or NULL. */
void lw_table_cell(struct lw_table *table, const char *text, const char *spread);
void lw_table_end(const struct lw_table *table);

#endif
