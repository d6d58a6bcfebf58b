/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: settings against the rows of slurmguards.def. */
#include "cli/check/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hosts.h"

struct row {
	struct lw_slurmkey key; /* its name, place and releases */
	enum lw_check_severity severity;
	const char *value, *other;
	const char *what, *remedy;
};

static const struct row rows[] = {
#define TOOLS_SLURM_GUARD(key_where, how, key_name, value, other, first_release, last_release,   \
			  what, remedy)                                                          \
	{ { .where = LW_SLURMKEY_##key_where,                                                    \
	    .name = key_name,                                                                    \
	    .first = first_release,                                                              \
	    .last = last_release },                                                              \
	  LW_CHECK_##how,                                                                        \
	  value,                                                                                 \
	  other,                                                                                 \
	  what,                                                                                  \
	  remedy },
#include "cli/check/slurmguards.def"
};

/* Where settings beside one are looked up. */
struct rows_from {
	struct lw_check *check;
	const char *(*value_of)(const void *from, const char *key);
	const void *from;
};

/* ---- what a value is ---- */

/* Is a word of WORDS, separated by |, in VALUE? */
static bool rows_have_word(const char *value, const char *words)
{
	char word[64];

	for (; *words; words += *words == '|') {
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(words, "|"), words);
		if (strcasestr(value, word))
			return true;
		words += strcspn(words, "|");
	}
	return false;
}

/* Is ITEM[LEN] one of WORDS, or does it begin with one that ends with a star? */
static bool rows_is_word(const char *item, size_t len, const char *words)
{
	for (; *words; words += *words == '|') {
		size_t size = strcspn(words, "|");
		bool begins = size && words[size - 1] == '*';

		size -= begins;
		if ((begins ? len >= size : len == size) && !strncasecmp(item, words, size))
			return true;
		words += size + begins;
	}
	return false;
}

static bool rows_has_other(const char *value, const char *words)
{
	while (*value) {
		size_t len = strcspn(value, ",;");

		if (len && !rows_is_word(value, len, words))
			return true;
		value += len + (value[len] != '\0');
	}
	return false;
}

/* "a>7": the number behind "a" in VALUE */
static bool rows_compare(const char *value, const char *test, size_t name_len)
{
	char name[64], *end;
	const char *at;
	long long number, limit = strtoll(test + name_len + 1, NULL, 10);

	snprintf(name, sizeof(name), "%.*s", (int)name_len, test);
	at = strcasestr(value, name);
	if (!at)
		return false;
	at += name_len;
	number = strtoll(at, &end, 0);
	return end > at && (test[name_len] == '>' ? number > limit : number < limit);
}

static bool rows_is_no_list(struct lw_check *check, const char *value)
{
	struct lw_hosts hosts;
	char list[1024];
	int rc;

	/* a list of numbers has no prefix */
	snprintf(list, sizeof(list), "%s%.1000s", *value == '[' ? "p" : "", value);
	lw_hosts_init(&hosts);
	rc = strlen(value) > 1000 ? 0 : lw_hosts_add(&hosts, list);
	lw_hosts_fini(&hosts);
	if (rc == -ENOMEM)
		check->error = rc;
	return rc == -EINVAL;
}

static bool rows_match(struct lw_check *check, const char *value, const char *test)
{
	size_t name = strcspn(test, "<>");
	const char *first;

	if (!*test)
		return true;
	if (*test == '!')
		return rows_has_other(value, test + 1);
	if (*test == '~')
		return rows_is_no_list(check, value);
	if (test[name])
		return rows_compare(value, test, name);
	if (*test != '2')
		return rows_have_word(value, test);
	first = strcasestr(value, test + 1);
	return first && strcasestr(first + 1, test + 1);
}

/* ---- what else there is ---- */

/* One condition of LEN letters: "+K", "-K=a|b". */
static bool rows_holds(const struct rows_from *from, const char *other, size_t len)
{
	char key[64], words[128] = "";
	size_t name = strcspn(other, "=&");
	const char *value;
	bool there;

	snprintf(key, sizeof(key), "%.*s", (int)name - 1, other + 1);
	if (name < len)
		snprintf(words, sizeof(words), "%.*s", (int)(len - name - 1), other + name + 1);
	value = from->value_of(from->from, key);
	there = value && (!*words || rows_have_word(value, words));
	/* what is not here may be in a file that is not, either */
	return *other == '+' ? there : !there && !from->check->incomplete;
}

static bool rows_all_hold(const struct rows_from *from, const char *other)
{
	while (*other) {
		size_t len = strcspn(other, "&");

		if (!rows_holds(from, other, len))
			return false;
		other += len + (other[len] != '\0');
	}
	return true;
}

static void rows_check(const struct rows_from *from, const struct row *row, const char *value,
		       struct lw_check_place place)
{
	struct lw_check *check = from->check;

	if (value && lw_slurmkey_known(&row->key, check->release) &&
	    rows_match(check, value, row->value) && rows_all_hold(from, row->other))
		lw_check_add(check, row->severity, *row->other ? "key-pair" : "key-value", place,
			     "%s=%.200s: %s\n%s", row->key.name, value, row->what, row->remedy);
}

/* ---- files ---- */

static const char *rows_global(const void *from, const char *key)
{
	return lw_check_global(from, key, NULL);
}

static const char *rows_of_line(const void *from, const char *key)
{
	return lw_slurmconf_value(from, key);
}

static const char *rows_of_node(const void *from, const char *key)
{
	return lw_check_node_value(from, key);
}

void lw_check_rows(struct lw_check *check, const struct lw_slurmconf *conf,
		   enum lw_slurmkey_where where)
{
	for (uint32_t i = 0; i < conf->line_count; i++) {
		const struct lw_slurmconf_line *line = &conf->lines[i];
		const struct rows_from from = { check, rows_of_line, line };

		if (where == LW_SLURMKEY_PARTITION && lw_check_scope(line) != LW_CHECK_PARTITION)
			continue;
		for (size_t j = 0; j < sizeof(rows) / sizeof(rows[0]); j++)
			if (rows[j].key.where == where)
				rows_check(&from, &rows[j],
					   lw_slurmconf_value(line, rows[j].key.name),
					   lw_check_at(line));
	}
}

static void rows_check_node(const struct lw_check_node_line *node)
{
	const struct rows_from from = { node->check, rows_of_node, node };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].key.where == LW_SLURMKEY_NODE)
			rows_check(&from, &rows[i], lw_check_node_value(node, rows[i].key.name),
				   lw_check_at(node->line));
}

void lw_check_slurm_rows(struct lw_check *check)
{
	const struct rows_from from = { check, rows_global, check };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct lw_check_place place;
		const char *value;

		if (rows[i].key.where != LW_SLURMKEY_GLOBAL)
			continue;
		value = lw_check_global(check, rows[i].key.name, &place);
		rows_check(&from, &rows[i], value, place);
	}
	lw_check_each_node_line(check, rows_check_node);
	lw_check_rows(check, &check->slurm, LW_SLURMKEY_PARTITION);
}
