/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: figures side by side: one table, written row by row as text or on a page. */
#include "cli/chart/table.h"

#include <inttypes.h>
#include <stdbool.h>

#include "cli/chart/chart.h"
#include "cli/common/tools.h"

void lw_table_add(struct lw_table *table, const char *title, const struct lw_look *look,
		  int width)
{
	if (table->count < LW_TABLE_COLUMNS)
		table->columns[table->count++] = (struct lw_table_column){ title, look, width };
}

/* printf() counts bytes: WIDTH grows by those of TEXT that take no column. */
static int width_for(const char *text, int width)
{
	for (; *text; text++)
		width += ((unsigned char)*text & 0xC0) == 0x80;
	return width;
}

static void print_name(const struct lw_table *table, int indent, const char *name)
{
	const char *plain = lw_tools_plain(name);

	fprintf(table->out, "%*s%-*s", indent, "", width_for(plain, table->name_width - indent),
		plain);
}

/* Begin a cell, as <tag>, in the colour of LOOK unless that is NULL. */
static void add_cell(const struct lw_table *table, const char *tag, const struct lw_look *look,
		     const char *text)
{
	if (look)
		lw_page_coloured(table->page, tag, look);
	else
		lw_strbuf_add(table->page, "<%s>", tag);
	lw_chart_add_text(table->page, text);
}

static void add_title(const struct lw_table *table, const struct lw_look *look, const char *title)
{
	add_cell(table, "th", look, title);
	lw_strbuf_add(table->page, "</th>");
}

void lw_table_begin(const struct lw_table *table, const char *name)
{
	const struct lw_table_column *column = table->columns, *end = column + table->count;

	if (table->out) {
		print_name(table, 0, name);
		for (; column < end; column++)
			fprintf(table->out, " %*.*s", column->width, column->width,
				lw_tools_plain(column->title));
		fputc('\n', table->out);
		return;
	}
	lw_page_table(table->page);
	lw_strbuf_add(table->page, "<thead><tr>");
	add_title(table, NULL, name);
	for (; column < end; column++)
		add_title(table, column->look, column->title);
	lw_strbuf_add(table->page, "</tr></thead>\n");
}

void lw_table_part(const struct lw_table *table, const char *name)
{
	if (table->out) {
		fprintf(table->out, "\n%s\n", name);
		return;
	}
	lw_strbuf_add(table->page, "<tr class=\"part\"><th colspan=\"%" PRIu32 "\">",
		      table->count + 1);
	lw_chart_add_text(table->page, name);
	lw_strbuf_add(table->page, "</th></tr>\n");
}

void lw_table_row(const struct lw_table *table, const char *name)
{
	if (table->out) {
		print_name(table, table->indent, name);
		return;
	}
	lw_strbuf_add(table->page, "<tr>");
	add_cell(table, "td", NULL, name);
}

/* A cell of the page ends where the next one begins, or the row ends. */
void lw_table_cell(struct lw_table *table, const char *text, const char *spread)
{
	bool last = table->at + 1 == table->count;

	if (table->out) {
		fprintf(table->out, " %*s%s", table->columns[table->at].width, text,
			last ? "\n" : "");
	} else {
		lw_strbuf_add(table->page, "</td>");
		add_cell(table, "td", NULL, text);
		if (spread) {
			lw_strbuf_add(table->page, "<br><span class=\"sd\">± ");
			lw_chart_add_text(table->page, spread);
			lw_strbuf_add(table->page, "</span>");
		}
		if (last)
			lw_strbuf_add(table->page, "</td></tr>\n");
	}
	table->at = last ? 0 : table->at + 1;
}

void lw_table_end(const struct lw_table *table)
{
	if (!table->out)
		lw_page_table_end(table->page);
}
