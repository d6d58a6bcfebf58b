/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: lists of small mappings in leeway.yaml; each mapping must have all keys. */
#include "config/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What is being read. */
struct reading {
	const struct reader_rows *rows;
	void *list;
	struct reader_row row;
};

static void rows_wrong(struct reader *r, const struct reading *reading, unsigned line,
		       const char *before, const char *what)
{
	char text[160];

	snprintf(text, sizeof(text), "%s%s", before, what);
	lw_reader_wrong(r, line, reading->rows->path, text);
}

/* Printable and in one piece: it will be in logs. */
static bool read_rows_is_word(const char *text)
{
	while (*text > ' ' && *text < 0x7f)
		text++;
	return !*text;
}

/* The word that EVENT has for FIELD. */
static int read_rows_take_value(struct reader *r, struct reading *reading, int field,
				const yaml_event_t *event)
{
	const char *text = event->type == YAML_SCALAR_EVENT ? lw_reader_text(event) : NULL;
	const struct reader_field *known = &reading->rows->fields[field];
	unsigned line = lw_reader_line(event);

	if (!text || !*text || !read_rows_is_word(text))
		rows_wrong(r, reading, line, known->name, known->wants);
	else if (reading->row.text[field])
		rows_wrong(r, reading, line, known->name, " is given twice; keep one");
	else if (!(reading->row.text[field] = strdup(text)))
		return lw_reader_no_memory(r);
	return lw_reader_skip(r, event);
}

/* One "name: x", the key being in EVENT and the value still to come. */
static int read_rows_read_pair(struct reader *r, const yaml_event_t *event, void *arg)
{
	const char *word = event->type == YAML_SCALAR_EVENT ? lw_reader_text(event) : NULL;
	struct reading *reading = arg;
	yaml_event_t value;
	int field = 0, rc;

	while (field < LW_READER_FIELDS &&
	       (!word || strcmp(word, reading->rows->fields[field].name)))
		field++;
	if (field == LW_READER_FIELDS) {
		rows_wrong(r, reading, lw_reader_line(event), reading->rows->has,
			   ", and nothing else");
		rc = lw_reader_skip(r, event);
		return rc ? rc : lw_reader_skip_value(r);
	}
	rc = lw_reader_next(r, &value);
	if (rc)
		return rc;
	rc = read_rows_take_value(r, reading, field, &value);
	yaml_event_delete(&value);
	return rc;
}

/* Take the row that was read, unless something is missing. */
static int read_rows_take_row(struct reader *r, const struct reading *reading)
{
	const struct reader_rows *rows = reading->rows;
	bool whole = true;

	for (int i = 0; i < LW_READER_FIELDS; i++) {
		if (reading->row.text[i])
			continue;
		rows_wrong(r, reading, reading->row.line, "", rows->fields[i].missing);
		whole = false;
	}
	return whole ? rows->take(r, &reading->row, reading->list) : 0;
}

static int read_rows_read_row(struct reader *r, const yaml_event_t *event, void *arg)
{
	uint32_t mistakes = r->mistakes->count;
	struct reading *reading = arg;
	int rc;

	reading->row = (struct reader_row){ .line = lw_reader_line(event) };
	if (event->type != YAML_MAPPING_START_EVENT) {
		rows_wrong(r, reading, reading->row.line, "wants a mapping such as ",
			   reading->rows->such_as);
		return lw_reader_skip(r, event);
	}
	rc = lw_reader_each(r, YAML_MAPPING_END_EVENT, read_rows_read_pair, reading);
	if (!rc && r->mistakes->count == mistakes)
		rc = read_rows_take_row(r, reading);
	for (int i = 0; i < LW_READER_FIELDS; i++)
		free(reading->row.text[i]);
	return rc;
}

int lw_reader_rows(struct reader *r, const struct reader_rows *rows, void *list)
{
	struct reading reading = { .rows = rows, .list = list };
	uint32_t mistakes = r->mistakes->count;
	struct lw_error err = { "" };
	unsigned line = 0;
	int rc = lw_reader_each(r, YAML_SEQUENCE_END_EVENT, read_rows_read_row, &reading);

	/* of rows that lack some, what they are together says little */
	if (rc || r->mistakes->count != mistakes)
		return rc;
	rc = rows->check(list, &line, &err);
	if (rc == -ENOMEM)
		return lw_reader_no_memory(r);
	if (rc)
		lw_reader_wrong(r, line, rows->path, err.text);
	return 0;
}
