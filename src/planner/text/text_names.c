/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: names of nodes in texts: escaped, and numbered ones folded to n[0-15]. */
#include "planner/text/text_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* More digits than these at the end of a name belong to what is before the number. */
#define DIGITS_MAX 9

/* A name cut into what is before its number and the number. */
struct numbered {
	size_t prefix; /* length */
	int digits;    /* 0: no number */
	uint32_t number;
};

static bool text_names_is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (c && strchr("._-+/@~", c));
}

static void text_names_add_name_bytes(struct lw_strbuf *out, const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text_names_is_plain(name[i]))
			lw_strbuf_add_bytes(out, &name[i], 1);
		else
			lw_strbuf_add(out, "%%%02X", (unsigned char)name[i]);
	}
}

void lw_text_add_name(struct lw_strbuf *out, const char *name)
{
	if (!*name)
		lw_strbuf_add(out, "%%00");
	text_names_add_name_bytes(out, name, strlen(name));
}

static int text_names_hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool lw_text_get_name(const struct lw_text_word *word, char ret_name[LW_TEXT_NAME_MAX])
{
	size_t len = 0;
	int high, low;

	if (!word->len)
		return false;
	for (size_t i = 0; i < word->len; i++) {
		if (len + 1 >= LW_TEXT_NAME_MAX)
			return false;
		if (text_names_is_plain(word->at[i])) {
			ret_name[len++] = word->at[i];
			continue;
		}
		if (word->at[i] != '%' || word->len - i < 3)
			return false;
		high = text_names_hex(word->at[i + 1]);
		low = text_names_hex(word->at[i + 2]);
		/* %00 is the empty name, never a part of one */
		if (high < 0 || low < 0 || (high + low == 0 && word->len != 3))
			return false;
		ret_name[len++] = (char)(high * 16 + low);
		i += 2;
	}
	ret_name[len] = '\0';
	return true;
}

static struct numbered names_split(const char *name)
{
	struct numbered n = { .prefix = strlen(name) };

	while (n.prefix && n.digits < DIGITS_MAX && name[n.prefix - 1] >= '0' &&
	       name[n.prefix - 1] <= '9') {
		n.prefix--;
		n.digits++;
	}
	for (const char *p = name + n.prefix; *p; p++)
		n.number = n.number * 10 + (uint32_t)(*p - '0');
	return n;
}

static bool text_names_same_prefix(const char *a, const struct numbered *na, const char *b,
				   const struct numbered *nb)
{
	return na->digits && nb->digits && na->prefix == nb->prefix &&
	       !memcmp(a, b, na->prefix);
}

bool lw_text_name_follows(const char *name, const char *next)
{
	struct numbered a = names_split(name), b = names_split(next);
	char expected[16];

	if (!text_names_same_prefix(name, &a, next, &b))
		return false;
	snprintf(expected, sizeof(expected), "%0*" PRIu32, a.digits, a.number + 1);
	return !strcmp(expected, next + b.prefix);
}

void lw_text_add_name_run(struct lw_strbuf *out, const char *first, const char *last,
			  uint32_t count)
{
	struct numbered n = names_split(first);

	if (count == 1) {
		lw_text_add_name(out, first);
		return;
	}
	text_names_add_name_bytes(out, first, n.prefix);
	lw_strbuf_add(out, "[%s-%s]", first + n.prefix, last + n.prefix);
}

/* Names of one prefix, at least two: n[0-3,7]. */
static void text_names_add_family(struct lw_strbuf *out, const struct lw_snapshot *snap,
				  const struct lw_alloc *allocs, uint32_t count)
{
	size_t prefix = names_split(snap->nodes[allocs[0].node].name).prefix;
	const char *first, *last, *next;
	uint32_t i = 0;

	text_names_add_name_bytes(out, snap->nodes[allocs[0].node].name, prefix);
	while (i < count) {
		first = last = snap->nodes[allocs[i].node].name;
		lw_strbuf_add(out, "%c%s", i ? ',' : '[', first + prefix);
		for (i++; i < count; i++) {
			next = snap->nodes[allocs[i].node].name;
			if (!lw_text_name_follows(last, next))
				break;
			last = next;
		}
		if (last != first)
			lw_strbuf_add(out, "-%s", last + prefix);
	}
	lw_strbuf_add(out, "]");
}

void lw_text_add_alloc_names(struct lw_strbuf *out, const struct lw_snapshot *snap,
			     const struct lw_alloc *allocs, uint32_t count)
{
	const char *name, *next;
	struct numbered n, m;
	uint32_t i = 0, end;

	while (i < count) {
		name = snap->nodes[allocs[i].node].name;
		n = names_split(name);
		for (end = i + 1; end < count; end++) {
			next = snap->nodes[allocs[end].node].name;
			m = names_split(next);
			if (!text_names_same_prefix(name, &n, next, &m))
				break;
		}
		if (i)
			lw_strbuf_add(out, ",");
		if (end == i + 1)
			lw_text_add_name(out, name);
		else
			text_names_add_family(out, snap, allocs + i, end - i);
		i = end;
	}
}

bool lw_text_get_name_run(const struct lw_text_word *word,
			  struct lw_text_name_run *ret_run)
{
	struct lw_text_word high = *word, low, prefix;
	uint64_t from, to;
	char shown[16];

	ret_run->first = 0;
	ret_run->count = 1;
	ret_run->digits = 0;
	if (!lw_text_cut(&high, '[', &prefix))
		return lw_text_get_name(&prefix, ret_run->prefix);
	ret_run->prefix[0] = '\0';
	if (prefix.len && !lw_text_get_name(&prefix, ret_run->prefix))
		return false;
	if (!high.len || high.at[high.len - 1] != ']')
		return false;
	high.len--;
	if (!lw_text_cut(&high, '-', &low) || low.len > DIGITS_MAX ||
	    high.len > DIGITS_MAX)
		return false;
	if (!lw_text_number(&low, UINT32_MAX, &from) ||
	    !lw_text_number(&high, UINT32_MAX, &to))
		return false;
	/* "[8-011]" does not say how n9 is spelt */
	snprintf(shown, sizeof(shown), "%0*" PRIu64, (int)low.len, to);
	if (to <= from || !lw_text_is(&high, shown))
		return false;
	ret_run->first = (uint32_t)from;
	ret_run->count = (uint32_t)(to - from + 1);
	ret_run->digits = (int)low.len;
	return true;
}

bool lw_text_run_name(const struct lw_text_name_run *run, uint32_t index,
		      char buf[LW_TEXT_NAME_MAX])
{
	int len;

	if (!run->digits) {
		memcpy(buf, run->prefix, LW_TEXT_NAME_MAX);
		return true;
	}
	len = snprintf(buf, LW_TEXT_NAME_MAX, "%s%0*" PRIu32, run->prefix, run->digits,
		       run->first + index);
	return len > 0 && len < LW_TEXT_NAME_MAX;
}
