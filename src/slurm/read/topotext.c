/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's topology as its plugins print it, line by line. */
#include "slurm/read/topotext.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_topo_records_fini(struct lw_topo_records *records)
{
	for (uint32_t i = 0; i < records->count; i++) {
		free(records->items[i].name);
		free(records->items[i].nodes);
	}
	free(records->items);
	memset(records, 0, sizeof(*records));
}

/* What follows KEY= in the line at AT of LEN bytes; NULL: it is not there. */
static const char *topotext_find(const char *at, size_t len, const char *key, size_t *ret_len)
{
	const char *end = at + len;
	size_t key_len = strlen(key);

	while (at < end) {
		const char *word = at;

		while (at < end && *at != ' ')
			at++;
		if ((size_t)(at - word) > key_len && !memcmp(word, key, key_len)) {
			*ret_len = (size_t)(at - word) - key_len;
			return word + key_len;
		}
		while (at < end && *at == ' ')
			at++;
	}
	return NULL;
}

static uint32_t topotext_find_number(const char *at, size_t len, const char *key)
{
	size_t digits;
	const char *text = topotext_find(at, len, key, &digits);

	return text ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

static int topotext_add(struct lw_topo_records *records, const char *name, size_t name_len,
			const char *nodes, size_t nodes_len, uint32_t level)
{
	struct lw_topo_record *record;

	if (lw_grow((void **)&records->items, &records->room, records->count + 1,
		    sizeof(*records->items)))
		return -ENOMEM;
	record = &records->items[records->count++];
	record->name = strndup(name, name_len);
	record->nodes = strndup(nodes, nodes_len);
	record->level = level;
	return record->name && record->nodes ? 0 : -ENOMEM;
}

static int topotext_read_line(struct lw_topo_records *records, const char *line, size_t len)
{
	size_t name_len = 0, nodes_len;
	const char *nodes = topotext_find(line, len, "Nodes=", &nodes_len);
	const char *name = topotext_find(line, len, "SwitchName=", &name_len);
	uint32_t level = topotext_find_number(line, len, "Level=");

	if (!name) {
		name = topotext_find(line, len, "BlockName=", &name_len);
		if (!name)
			name = topotext_find(line, len, "AggregatedBlock=", &name_len);
		level = topotext_find_number(line, len, "BlockSize=");
		records->blocks |= name != NULL;
	}
	return name && nodes ? topotext_add(records, name, name_len, nodes, nodes_len, level) : 0;
}

/* Few levels, and Slurm prints most in order already: a stable insertion. */
static void topotext_sort(struct lw_topo_records *records)
{
	for (uint32_t i = 1; i < records->count; i++) {
		struct lw_topo_record record = records->items[i];
		uint32_t at = i;

		for (; at && records->items[at - 1].level < record.level; at--)
			records->items[at] = records->items[at - 1];
		records->items[at] = record;
	}
}

int lw_topo_records_read(struct lw_topo_records *ret_records, const char *text)
{
	struct lw_topo_records records = { 0 };

	while (*text) {
		size_t len = strcspn(text, "\n");

		if (topotext_read_line(&records, text, len)) {
			lw_topo_records_fini(&records);
			return -ENOMEM;
		}
		text += len + (text[len] == '\n');
	}
	topotext_sort(&records);
	*ret_records = records;
	return 0;
}
