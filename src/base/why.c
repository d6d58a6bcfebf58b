/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is said of a waiting job, as one word in its SystemComment. */
#include "base/why.h"

#include "base/items.h"
#include "base/number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TIME_MAX_S UINT32_MAX
/* No zone is further from UTC. */
#define ZONE_MAX_MIN 900
#define LETTERS    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Keys of hints, by kind. */
static const char hint_keys[] = "?tngcxyq";

struct out {
	char *text;
	size_t len;
};

static void why_put(struct out *out, const char *key, uint64_t value)
{
	int n = snprintf(out->text + out->len, LW_WHY_MAX - out->len, ",%s:%" PRIu64, key, value);

	/* an item that has no room is left out as a whole */
	if (n > 0 && out->len + (size_t)n < LW_WHY_MAX)
		out->len += (size_t)n;
	else
		out->text[out->len] = '\0';
}

static void why_put_text(struct out *out, const char *text)
{
	size_t len = strlen(text);

	if (out->len + len >= LW_WHY_MAX)
		return;
	memcpy(out->text + out->len, text, len + 1);
	out->len += len;
}

/* Names with characters of the word's own, which no site has, are left out. */
static void why_put_type(struct out *out, const char *key, const struct lw_why_type *type)
{
	char item[LW_WHY_TYPE_MAX + 24];

	if (!*type->name || strcspn(type->name, " \t\r\n;,:") != strlen(type->name))
		return;
	snprintf(item, sizeof(item), ",%s:%s:%" PRIu32, key, type->name, type->done_s);
	why_put_text(out, item);
}

/* A reader of an earlier Leeway takes no word with another deadline than "a" or "r". */
static void why_put_verdicts(struct out *out, const struct lw_statement *why)
{
	bool known = why->deadline == LW_DEADLINE_ACCEPTED || why->deadline == LW_DEADLINE_RISK;

	if (why->planned_s)
		why_put(out, "s", (uint64_t)why->planned_s);
	if (why->unkept)
		why_put_text(out, (char[]){ ',', 'z', ':', why->unkept, '\0' });
	if (why->deadline)
		why_put_text(out, (char[]){ ',', known ? 'd' : 'w', ':', why->deadline, '\0' });
	if (why->never) {
		why_put_text(out, ",i:");
		why_put_text(out, *why->limit ? why->limit : "1");
	}
}

static void why_put_zone(struct out *out, const struct lw_statement *why)
{
	char item[16];

	if (!why->zoned)
		return;
	snprintf(item, sizeof(item), ",tz:%d", why->zone_min);
	why_put_text(out, item);
}

static void why_put_nodes(struct out *out, const struct lw_statement *why)
{
	char item[32];

	if (!why->most_nodes)
		return;
	snprintf(item, sizeof(item), ",u:%" PRIu32 "-%" PRIu32, why->least_nodes,
		 why->most_nodes);
	why_put_text(out, item);
}

static void why_put_likely(struct out *out, const struct lw_statement *why)
{
	char item[80];

	if (!why->likely)
		return;
	snprintf(item, sizeof(item), ",p:%" PRIu32 "-%" PRIu32 "-%" PRIu32, why->low_s,
		 why->p50_s, why->p90_s);
	why_put_text(out, item);
	if (!why->held_count)
		return;
	snprintf(item, sizeof(item), ",k:%" PRIu32 "-%" PRIu32, why->held_percent,
		 why->held_count);
	why_put_text(out, item);
}

bool lw_why_can_name(const char *name)
{
	size_t len = strlen(name);

	return len && len < LW_WHY_PART_MAX && strspn(name, LETTERS "0123456789_.-") == len;
}

static void why_put_hint(struct out *out, const struct lw_statement *why,
			 const struct lw_hint *hint)
{
	char item[LW_WHY_PART_MAX + 4];

	if (hint->kind != LW_HINT_PARTITION) {
		why_put(out, (char[]){ hint_keys[hint->kind], '\0' }, hint->value);
		return;
	}
	if (!lw_why_can_name(why->partition))
		return;
	snprintf(item, sizeof(item), ",q:%s", why->partition);
	why_put_text(out, item);
}

size_t lw_why_encode(const struct lw_statement *why, char word[LW_WHY_MAX])
{
	struct out out = { .text = word };

	out.len = (size_t)snprintf(word, LW_WHY_MAX, LW_WHY_START "v:%d", LW_WHY_VERSION);
	why_put(&out, "at", (uint64_t)why->at_s);
	why_put_zone(&out, why);
	if (*why->reason) {
		why_put_text(&out, ",r:");
		why_put_text(&out, why->reason);
	}
	if (why->before)
		why_put(&out, "b", why->before);
	if (why->head)
		why_put(&out, "h", why->head);
	if (why->after)
		why_put(&out, "e", why->after);
	if (why->stopped)
		why_put(&out, "j", why->stopped);
	if (why->latest_s)
		why_put(&out, "l", (uint64_t)why->latest_s);
	why_put_verdicts(&out, why);
	why_put_type(&out, "f", &why->faster);
	why_put_type(&out, "o", &why->other);
	if (why->cramped)
		why_put_text(&out, ",m:1");
	why_put_nodes(&out, why);
	why_put_likely(&out, why);
	for (int i = 0; i < LW_WHY_HINTS && why->hints[i].kind; i++)
		why_put_hint(&out, why, &why->hints[i]);
	return out.len;
}

/* The numbers of ITEM with dashes between; false unless they are COUNT. */
static bool why_take_numbers(const char *item, uint32_t *numbers, int count)
{
	for (int i = 0; i < count; i++) {
		uint64_t number;

		if ((i && *item++ != '-') || !lw_number_take(&item, TIME_MAX_S, &number))
			return false;
		numbers[i] = (uint32_t)number;
	}
	return *item == '\0';
}

static bool why_take_partition(const char *value, struct lw_statement *why, struct lw_hint *hint)
{
	if (!lw_why_can_name(value))
		return false;
	memcpy(why->partition, value, strlen(value) + 1);
	hint->value = 1;
	return true;
}

static bool why_take_hint(char key, const char *value, struct lw_statement *why)
{
	const char *found = strchr(hint_keys + 1, key);

	for (int i = 0; i < LW_WHY_HINTS; i++) {
		if (why->hints[i].kind)
			continue;
		why->hints[i].kind = (uint8_t)(found - hint_keys);
		if (key == 'q')
			return why_take_partition(value, why, &why->hints[i]);
		return why_take_numbers(value, &why->hints[i].value, 1);
	}
	return true;
}

static bool why_take_reason(const char *value, struct lw_statement *why)
{
	size_t len = strlen(value);

	if (!len || len >= sizeof(why->reason) ||
	    strspn(value, "abcdefghijklmnopqrstuvwxyz-") != len)
		return false;
	memcpy(why->reason, value, len + 1);
	return true;
}

static bool why_take_nodes(const char *value, struct lw_statement *why)
{
	uint32_t n[2];

	if (!why_take_numbers(value, n, 2) || !n[0] || n[0] > n[1])
		return false;
	why->least_nodes = n[0];
	why->most_nodes = n[1];
	return true;
}

static bool why_take_likely(const char *value, struct lw_statement *why)
{
	uint32_t n[3];

	if (!why_take_numbers(value, n, 3) || n[0] > n[1] || n[1] > n[2])
		return false;
	why->low_s = n[0];
	why->p50_s = n[1];
	why->p90_s = n[2];
	return why->likely = true;
}

static bool why_take_held(const char *value, struct lw_statement *why)
{
	uint32_t n[2];

	if (!why_take_numbers(value, n, 2) || n[0] > 100)
		return false;
	why->held_percent = n[0];
	why->held_count = n[1];
	return true;
}

static bool why_take_time(const char *value, int64_t *ret_s)
{
	uint32_t at_s;

	if (!why_take_numbers(value, &at_s, 1))
		return false;
	*ret_s = at_s;
	return true;
}

/* "NAME:SECONDS" */
static bool why_take_type(const char *value, struct lw_why_type *type)
{
	size_t len = strcspn(value, ":");

	if (!len || len >= sizeof(type->name) || !value[len] ||
	    !why_take_numbers(value + len + 1, &type->done_s, 1))
		return false;
	memcpy(type->name, value, len);
	type->name[len] = '\0';
	return true;
}

static bool why_take_letter(const char *value, const char *letters, char *ret_letter)
{
	*ret_letter = *value;
	return *value && !value[1] && strchr(letters, *value);
}

/* "1", or the name of the limit. */
static bool why_take_never(const char *value, struct lw_statement *why)
{
	size_t len = strlen(value);

	why->never = true;
	if (strcmp(value, "1") == 0)
		return true;
	if (!len || len >= sizeof(why->limit) || strspn(value, LETTERS) != len)
		return false;
	memcpy(why->limit, value, len + 1);
	return true;
}

/* "120" or "-300" */
static bool why_take_zone(const char *value, struct lw_statement *why)
{
	bool west = *value == '-';
	uint32_t minutes;

	if (!why_take_numbers(value + west, &minutes, 1) || minutes > ZONE_MAX_MIN)
		return false;
	why->zone_min = (int16_t)(west ? -(int)minutes : (int)minutes);
	return why->zoned = true;
}

/* One item; those of later Leeways are passed over. */
static bool why_take_item(const char *key, const char *value, struct lw_statement *why)
{
	if (strcmp(key, "at") == 0)
		return why_take_time(value, &why->at_s);
	if (strcmp(key, "tz") == 0)
		return why_take_zone(value, why);
	if (key[1])
		return true;
	switch (*key) {
	case 'r':
		return why_take_reason(value, why);
	case 'b':
		return why_take_numbers(value, &why->before, 1);
	case 'h':
		return why_take_numbers(value, &why->head, 1);
	case 'e':
		return why_take_numbers(value, &why->after, 1);
	case 'j':
		return why_take_numbers(value, &why->stopped, 1);
	case 'l':
		return why_take_time(value, &why->latest_s);
	case 'd':
		return why_take_letter(value, "ar", &why->deadline);
	case 'w':
		return why_take_letter(value, "mo", &why->deadline);
	case 'z':
		return why_take_letter(value, "nevo", &why->unkept);
	case 's':
		return why_take_time(value, &why->planned_s);
	case 'i':
		return why_take_never(value, why);
	case 'f':
		return why_take_type(value, &why->faster);
	case 'o':
		return why_take_type(value, &why->other);
	case 'm':
		why->cramped = true;
		return strcmp(value, "1") == 0;
	case 'u':
		return why_take_nodes(value, why);
	case 'p':
		return why_take_likely(value, why);
	case 'k':
		return why_take_held(value, why);
	case 'v':
		return true;
	default:
		return *key && *key != '?' && strchr(hint_keys, *key)
			       ? why_take_hint(*key, value, why)
			       : true;
	}
}

int lw_why_decode(const char *comment, struct lw_statement *ret_why)
{
	struct lw_statement why = { 0 };
	char word[LW_WHY_MAX], *rest = word, *item, *value;
	int rc = lw_items_read(comment, LW_WHY_START, word, sizeof(word));

	if (rc)
		return rc;
	while ((item = lw_items_next(&rest, &value)))
		if (!value || !why_take_item(item, value, &why))
			return -EINVAL;
	if (!why.at_s)
		return -EINVAL;
	*ret_why = why;
	return 0;
}

void lw_hints_drop(struct lw_hint hints[LW_WHY_HINTS], const struct lw_hint *hint)
{
	int kept = 0;

	for (int i = 0; i < LW_WHY_HINTS && hints[i].kind; i++)
		if (hints[i].kind != hint->kind || hints[i].value != hint->value)
			hints[kept++] = hints[i];
	if (kept < LW_WHY_HINTS)
		hints[kept].kind = LW_HINT_NONE;
}
