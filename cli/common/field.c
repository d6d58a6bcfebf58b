/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the fields of a row: its columns in a table and its keys in JSON, one line for each. */
#include "cli/common/field.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "cli/common/energy.h"
#include "cli/common/output.h"
#include "cli/common/runs.h"
#include "cli/common/tools.h"

#define CELL_MAX 32

double lw_field_if(bool known, double value)
{
	return known ? value : -1;
}

static bool is_within(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

int lw_field_columns(const char *text)
{
	int columns = 0;

	for (; *text; text++)
		columns += !is_within(*text);
	return columns;
}

/* The bytes of the first MOST characters of TEXT; all if that is below 0. */
static int bytes_of(const char *text, int most)
{
	int bytes = 0;

	for (; text[bytes]; bytes++)
		if (!is_within(text[bytes]) && most-- == 0)
			break;
	return bytes;
}

int lw_field_room(const char *text, int width)
{
	int more = (int)strlen(text) - lw_field_columns(text);

	return width < 0 ? width - more : width + more;
}

static bool is_text(const struct lw_field *field)
{
	return field->form == LW_FIELD_TEXT || field->form == LW_FIELD_CUT;
}

static bool is_known(const struct lw_field *field)
{
	return is_text(field) ? field->text != NULL : field->value >= 0;
}

static const char *cell(const struct lw_field *field, char buf[CELL_MAX])
{
	if (field->text)
		return lw_tools_plain(field->text);
	if (!is_known(field))
		return "-";
	switch (field->form) {
	case LW_FIELD_DURATION:
		lw_duration_print((int64_t)field->value, buf, CELL_MAX);
		break;
	case LW_FIELD_LIMIT:
		lw_runs_limit((int64_t)field->value, buf);
		break;
	case LW_FIELD_ENERGY:
		lw_energy_print(field->value, buf, CELL_MAX);
		break;
	default:
		snprintf(buf, CELL_MAX, "%.0f", field->value);
	}
	return buf;
}

static bool is_end(const struct lw_field *field)
{
	return !field->key && !field->title;
}

/* TEXT in a column of WIDTH, of which MOST characters stay. */
static void add_cell(int width, int most, const char *text, struct lw_strbuf *sb)
{
	int bytes = bytes_of(text, most), blanks = abs(width);

	for (int i = 0; i < bytes; i++)
		blanks -= !is_within(text[i]);
	blanks = blanks > 0 ? blanks : 0;
	if (width > 0)
		lw_strbuf_add(sb, "%*s", blanks, "");
	lw_strbuf_add_bytes(sb, text, (size_t)bytes);
	if (width < 0)
		lw_strbuf_add(sb, "%*s", blanks, "");
}

static void add_line(const struct lw_field *field, bool titles, struct lw_strbuf *sb)
{
	const char *blank = "";
	char buf[CELL_MAX];

	for (; !is_end(field); field++) {
		int most = !titles && field->form == LW_FIELD_CUT ? abs(field->width) : -1;

		if (!field->title)
			continue;
		lw_strbuf_add(sb, "%s", blank);
		add_cell(field->width, most, titles ? field->title : cell(field, buf), sb);
		blank = " ";
	}
}

void lw_fields_row(const struct lw_fields *fields, struct lw_strbuf *sb)
{
	add_line(fields->field, false, sb);
}

static void print_line(const struct lw_fields *fields, bool titles, const char *note)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;

	add_line(fields->field, titles, &sb);
	printf("%s%s\n", lw_strbuf_text(&sb), note);
	lw_strbuf_fini(&sb);
}

void lw_fields_print_titles(struct lw_fields fields, const char *note)
{
	print_line(&fields, true, note);
}

void lw_fields_print(struct lw_fields fields, const char *note)
{
	print_line(&fields, false, note);
}

static json_t *make_value(const struct lw_field *field)
{
	if (!is_known(field))
		return json_null();
	if (is_text(field))
		return lw_output_string(field->text);
	return field->form == LW_FIELD_REAL ? json_real(field->value)
					    : json_integer((json_int_t)field->value);
}

void lw_fields_set(json_t *o, const struct lw_fields *fields, bool nulls)
{
	for (const struct lw_field *field = fields->field; !is_end(field); field++)
		if (field->key && (nulls || is_known(field)))
			json_object_set_new(o, field->key, make_value(field));
}

json_t *lw_fields_json(struct lw_fields fields, bool nulls)
{
	json_t *o = json_object();

	lw_fields_set(o, &fields, nulls);
	return o;
}
