/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the speeds of a history as text and back (doc/dev/format-history.txt). */
#include "predictor/history_scan.h"

static void print_speed(const struct lw_speed *speed, struct lw_strbuf *out)
{
	const struct lw_speed_key *key = &speed->key;

	lw_strbuf_add(out,
		      "speed %" PRIu32 " %s %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu32
		      " %" PRIu32,
		      key->user, tag_name(key->tag), key->name, key->gpus, speed->stamp,
		      speed->spread_runs, speed->spread);
	for (uint32_t t = 0; t < LW_SPEED_TYPES_MAX; t++)
		if (speed->runs[t])
			lw_strbuf_add(out, " %" PRIu32 " %u %" PRId32, t, speed->runs[t],
				      speed->mean[t]);
	lw_strbuf_add(out, "\n");
}

void lw_speeds_print(const struct lw_speeds *speeds, struct lw_strbuf *out)
{
	for (uint32_t t = 0; t < speeds->type_count; t++)
		lw_strbuf_add(out, "type %s\n", speeds->types[t]);
	for (uint32_t i = 0; i < speeds->count; i++)
		print_speed(&speeds->entries[i], out);
}

static int speed_text_read_type(struct scan *scan, struct lw_speeds *speeds)
{
	const char *end = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
	size_t length = end ? (size_t)(end - scan->at) : LW_SPEED_TYPE_NAME;
	char name[LW_SPEED_TYPE_NAME];

	if (length >= sizeof(name) || memchr(scan->at, '\0', length))
		return history_bad(scan, "no name of a type of GPUs");
	memcpy(name, scan->at, length);
	name[length] = '\0';
	if (lw_speeds_append_type(speeds, name))
		return history_bad(scan, "no name of a type of GPUs, twice, or one too many");
	scan->at = end + 1;
	scan->line++;
	return 0;
}

/* "TYPE RUNS MEAN", types rising from *NEXT on. */
static bool speed_text_take_mean(struct scan *scan, uint32_t *next, struct lw_speed *speed)
{
	uint32_t type, runs, mean;

	if (!take_field(scan, LW_SPEED_TYPES_MAX - 1, &type) || type < *next ||
	    !take_field(scan, LW_SPEED_RUNS_MAX, &runs) || !runs ||
	    !take_field(scan, LW_SPEED_MEAN_MAX, &mean))
		return false;
	speed->runs[type] = (uint8_t)runs;
	speed->mean[type] = (int32_t)mean;
	*next = type + 1;
	return true;
}

static bool take_speed(struct scan *scan, uint64_t stamp_max, struct lw_speed *speed)
{
	struct lw_speed_key *key = &speed->key;
	uint64_t user;
	uint32_t next = 0;

	if (!take_number(scan, LW_HISTORY_NOBODY - 1, &user) || !history_take(scan, " ") ||
	    !take_tag(scan, &key->tag) || !take_field(scan, UINT32_MAX, &key->name) ||
	    !take_field(scan, UINT32_MAX, &key->gpus) || !history_take(scan, " ") ||
	    !take_number(scan, stamp_max, &speed->stamp) ||
	    !take_field(scan, LW_SPEED_RUNS_MAX, &speed->spread_runs) ||
	    !take_field(scan, UINT32_MAX, &speed->spread))
		return false;
	key->user = (uint32_t)user;
	do {
		if (!speed_text_take_mean(scan, &next, speed))
			return false;
	} while (!history_take(scan, "\n"));
	return true;
}

static int read_speed(struct scan *scan, uint64_t stamp_max, struct lw_speeds *speeds)
{
	struct lw_speed speed = { .stamp = 0 };
	int rc;

	if (!take_speed(scan, stamp_max, &speed))
		return history_bad(scan,
				   "not \"speed USER TAG NAME GPUS STAMP\", two numbers, and "
				   "three for each type");
	rc = lw_speeds_append(speeds, &speed);
	if (rc == -EINVAL || rc == -ENOSPC)
		return history_bad(scan, rc == -EINVAL
						 ? "speeds that stand twice, out of order, or "
						   "of no type above"
						 : "more speeds than a history has");
	scan->line++;
	return rc;
}

int lw_speeds_parse(struct scan *scan, uint64_t stamp_max, struct lw_speeds *speeds)
{
	int rc = 0;

	while (!rc && history_take(scan, "type "))
		rc = speed_text_read_type(scan, speeds);
	while (!rc && scan->at < scan->end)
		rc = history_take(scan, "speed ")
			     ? read_speed(scan, stamp_max, speeds)
			     : history_bad(scan, "not \"key ...\", \"gpu ...\", \"type ...\" or "
						 "\"speed ...\", in this order");
	return rc;
}
