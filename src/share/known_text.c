/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is known of jobs' GPU use as text and back (doc/dev/format-share.txt). */
#include "base/number.h"
#include "share/known.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* The longest line: a key and all its runs. */
#define LINE_MAX_BYTES 2048

static void known_text_print_value(struct lw_strbuf *out, bool has, uint32_t value)
{
	if (has)
		lw_strbuf_add(out, " %" PRIu32, value);
	else
		lw_strbuf_add(out, " -");
}

/* "-" stands for no name, which no word of ours is. */
static const char *known_text_word_or_dash(const char *word)
{
	return *word ? word : "-";
}

static void known_text_print_entry(const struct lw_share_entry *entry, struct lw_strbuf *out)
{
	const struct lw_share_key *key = &entry->key;

	lw_strbuf_add(out, "use %" PRIu32, key->user);
	known_text_print_value(out, key->tag != LW_SHARE_UNTAGGED, key->tag);
	lw_strbuf_add(out, " %s %s %" PRIu64, known_text_word_or_dash(key->name),
		      known_text_word_or_dash(key->type), entry->stamp);
	for (uint32_t i = 0; i < entry->count; i++) {
		const struct lw_share_run *run = &entry->runs[i];

		lw_strbuf_add(out, " %" PRId64, run->end_s);
		known_text_print_value(out, run->use.has_util, run->use.util);
		known_text_print_value(out, run->use.has_sm, run->use.sm);
		known_text_print_value(out, run->use.has_mem, run->use.mem_mib);
		known_text_print_value(out, run->has_membw, run->membw);
	}
	lw_strbuf_add(out, "\n");
}

int lw_share_known_print(const struct lw_share_known *known, struct lw_strbuf *out)
{
	lw_strbuf_add(out, "learned %" PRIu64 "\n", known->learned);
	for (uint32_t i = 0; i < known->count; i++)
		known_text_print_entry(known->entries[i], out);
	return out->error;
}

/* The next word of a line, or NULL. */
static char *known_text_next_word(char **rest)
{
	char *word = *rest, *end;

	if (!word || !*word)
		return NULL;
	end = strchr(word, ' ');
	*rest = end ? end + 1 : NULL;
	if (end)
		*end = '\0';
	return *word ? word : NULL;
}

static bool known_text_take_number(char **rest, uint64_t max, uint64_t *ret_value)
{
	const char *word = known_text_next_word(rest);

	return word && lw_number_read(word, max, ret_value);
}

static bool known_text_take_value(char **rest, uint32_t max, bool *ret_has, uint32_t *ret_value)
{
	const char *word = known_text_next_word(rest);
	uint64_t value = 0;

	if (!word)
		return false;
	*ret_has = strcmp(word, "-") != 0;
	if (*ret_has && !lw_number_read(word, max, &value))
		return false;
	*ret_value = (uint32_t)value;
	return true;
}

static bool known_text_take_name(char **rest, char *name, size_t size)
{
	const char *word = known_text_next_word(rest);
	size_t len = word ? strlen(word) : 0;

	if (!len || len >= size)
		return false;
	for (const char *at = word; *at; at++)
		if (*at <= ' ' || *at >= 127)
			return false;
	if (strcmp(word, "-") != 0)
		memcpy(name, word, len);
	return true;
}

static bool known_text_take_run(char **rest, struct lw_share_run *run)
{
	uint64_t end_s;

	if (!known_text_take_number(rest, LW_SHARE_CLOCK_MAX, &end_s))
		return false;
	run->end_s = (int64_t)end_s;
	return known_text_take_value(rest, 1000, &run->use.has_util, &run->use.util) &&
	       known_text_take_value(rest, 1000, &run->use.has_sm, &run->use.sm) &&
	       known_text_take_value(rest, LW_SHARE_MIB_MAX, &run->use.has_mem,
				     &run->use.mem_mib) &&
	       known_text_take_value(rest, 1000, &run->has_membw, &run->membw);
}

static bool known_text_take_entry(char *line, struct lw_share_entry *entry, uint64_t learned)
{
	char *rest = line;
	const char *word = known_text_next_word(&rest);
	uint64_t user;
	bool tagged;

	if (!word || strcmp(word, "use") != 0 ||
	    !known_text_take_number(&rest, UINT32_MAX - 1, &user) ||
	    !known_text_take_value(&rest, UINT32_MAX - 1, &tagged, &entry->key.tag) ||
	    !known_text_take_name(&rest, entry->key.name, sizeof(entry->key.name)) ||
	    !known_text_take_name(&rest, entry->key.type, sizeof(entry->key.type)) ||
	    !known_text_take_number(&rest, learned, &entry->stamp))
		return false;
	entry->key.user = (uint32_t)user;
	if (!tagged)
		entry->key.tag = LW_SHARE_UNTAGGED;
	while (rest && entry->count < LW_SHARE_RUNS)
		if (!known_text_take_run(&rest, &entry->runs[entry->count++]))
			return false;
	return !rest && entry->count > 0;
}

static int known_text_parse_line(char *line, uint32_t number, struct lw_share_known *known,
				 struct lw_error *err)
{
	struct lw_share_entry entry = { .count = 0 };
	int rc;

	if (number == 1) {
		char *rest = line;
		const char *word = known_text_next_word(&rest);

		if (!word || strcmp(word, "learned") != 0 ||
		    !known_text_take_number(&rest, UINT64_MAX / 2, &known->learned) || rest)
			return lw_error_set(err, -EBADMSG, "line 1: not \"learned NUMBER\"");
		return 0;
	}
	if (!known_text_take_entry(line, &entry, known->learned))
		return lw_error_set(err, -EBADMSG,
				    "line %" PRIu32 ": not \"use USER TAG NAME TYPE STAMP\" and "
				    "1 to %d runs of five numbers",
				    number, LW_SHARE_RUNS);
	rc = lw_share_known_append(known, &entry);
	if (rc == -ENOSPC)
		return lw_error_set(err, -EBADMSG, "line %" PRIu32 ": more than %d keys", number,
				    LW_SHARE_KEYS_MAX);
	if (rc == -EINVAL)
		return lw_error_set(err, -EBADMSG,
				    "line %" PRIu32 ": a key twice or out of order", number);
	return rc ? lw_error_set(err, rc, "out of memory") : 0;
}

int lw_share_known_parse(const char *text, size_t size, struct lw_share_known *ret_known,
			 struct lw_error *err)
{
	struct lw_share_known known = { 0 };
	const char *at = text, *end = text + size;
	uint32_t number = 0;
	int rc = 0;

	while (!rc && (at < end || !number)) {
		const char *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
		char line[LINE_MAX_BYTES];

		number++;
		if (!stop || stop - at >= (ptrdiff_t)sizeof(line) ||
		    memchr(at, '\0', (size_t)(stop - at))) {
			rc = lw_error_set(err, -EBADMSG, "line %" PRIu32 ": no end in %d bytes",
					  number, LINE_MAX_BYTES);
			break;
		}
		memcpy(line, at, (size_t)(stop - at));
		line[stop - at] = '\0';
		rc = known_text_parse_line(line, number, &known, err);
		at = stop + 1;
	}
	if (rc) {
		lw_share_known_fini(&known);
		return rc;
	}
	*ret_known = known;
	return 0;
}
