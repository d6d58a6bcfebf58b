/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the table of configuration keys at run time: find, parse. */

/*
 * Numbers are read here, and written in keys_print.c, and not by strtod() and printf(): those
 * follow LC_NUMERIC, and "0.1" must mean the same in every locale.
 */
#include "config/keys.h"

#include "base/duration.h"
#include "base/plain.h"
#include "base/spell.h"
#include "config/keys_print.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define FIELD(name)	offsetof(struct lw_config, name)
#define NOT_A_NUMBER "no number such as 0.25 (at most 6 decimals)"

/* choices behind a bar, from the planner's tables */
static const char policy_choices[] =
#define LW_POLICY(id, name, traits, help) "|" #name
#include "planner/model/policies.def"
	;
static const char policy_sentence[] =
	"How the queue is planned."
#define LW_POLICY(id, name, traits, help) "\n- " #name ": " help "."
#include "planner/model/policies.def"
	;

static const char order_choices[] =
#define LW_ORDER(id, name, needs, help) "|" #name
#include "planner/model/orders.def"
	;
static const char order_sentence[] =
	"Which job comes first in the queue."
#define LW_ORDER(id, name, needs, help) "\n- " #name ": " help "."
#include "planner/model/orders.def"
	"\nLimit means the time limit. Width means the CPUs of the job, or as many CPUs as its "
	"share of the cluster's GPUs or memory is worth, if that is more.\n"
	"In every order, jobs of a partition with a higher PriorityTier go first.\n"
	"sched.keep_promises says whether a later job may then go before a promised one.";

static const struct lw_key keys[] = {
#define LW_KEY_BOOL(field, path, def, sentence)                                          \
	{ path, LW_KEY_TYPE_BOOL, FIELD(field), def, 0, 1, NULL, sentence },
#define LW_KEY_COUNT(field, path, def, min, max, sentence)                               \
	{ path, LW_KEY_TYPE_COUNT, FIELD(field), def, min, max, NULL, sentence },
#define LW_KEY_DOUBLE(field, path, def, min, max, sentence)                              \
	{ path, LW_KEY_TYPE_DOUBLE, FIELD(field), def, min, max, NULL, sentence },
#define LW_KEY_DURATION(field, path, def, min, max, sentence)                            \
	{ path, LW_KEY_TYPE_DURATION, FIELD(field), def, min, max, NULL, sentence },
#define LW_KEY_ENUM(field, path, def, choices, sentence)                                 \
	{ path, LW_KEY_TYPE_ENUM, FIELD(field), def, 0, 0, choices, sentence },
#define LW_KEY_PATH(field, path, sentence)                                               \
	{ path, LW_KEY_TYPE_PATH, FIELD(field), 0, 0, 0, NULL, sentence },
#define LW_KEY_WORDS(field, path, sentence)                                              \
	{ path, LW_KEY_TYPE_WORDS, FIELD(field), 0, 0, 0, NULL, sentence },
#define LW_KEY_RULES(field, path, sentence)                                              \
	{ path, LW_KEY_TYPE_RULES, FIELD(field), 0, 0, 0, NULL, sentence },
#define LW_KEY_DOMAINS(field, path, sentence)                                            \
	{ path, LW_KEY_TYPE_DOMAINS, FIELD(field), 0, 0, 0, NULL, sentence },
#define LW_KEY_ISLANDS(field, path, sentence)                                            \
	{ path, LW_KEY_TYPE_ISLANDS, FIELD(field), 0, 0, 0, NULL, sentence },
#include "config/keys.def"
};

static const struct lw_section sections[] = {
#define LW_KEY_SECTION(name, sentence) { #name, sentence },
#include "config/keys.def"
};

static const char *keys_last_word(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot + 1 : path;
}

/* Plain decimal digits, with a part after a point when DECIMALS_MAX allows. */
static int keys_parse_decimal(const char *text, int decimals_max, double *ret_value)
{
	int64_t value = 0, scale = 1;
	const char *p = text;

	if (!*p || *p == '.')
		return -EINVAL;
	for (; *p >= '0' && *p <= '9'; p++) {
		/* a larger one is out of every bound; it only must not overflow */
		if (value <= INT64_C(1000000000))
			value = value * 10 + (*p - '0');
	}
	if (*p == '.' && decimals_max > 0) {
		if (!p[1])
			return -EINVAL;
		for (p++; *p >= '0' && *p <= '9' && decimals_max-- > 0; p++) {
			value = value * 10 + (*p - '0');
			scale *= 10;
		}
	}
	if (*p)
		return -EINVAL;
	/* both are exact, so the quotient is the double nearest to the text */
	*ret_value = (double)value / (double)scale;
	return 0;
}

static int keys_fail(struct lw_error *err, const char *text, const char *what)
{
	char quoted[80];

	return lw_error_set(err, -EINVAL, "%s is %s", lw_key_quote(text, quoted, sizeof(quoted)),
			    what);
}

static int keys_check_bounds(const struct lw_key *key, const char *text, double value,
			     struct lw_error *err)
{
	struct lw_strbuf bound = LW_STRBUF_INIT;
	bool above = value > key->max;
	int rc;

	if (value >= key->min && value <= key->max)
		return 0;
	lw_key_print_number(key, above ? key->max : key->min, &bound);
	rc = lw_error_set(err, -EINVAL, "%.40s is %s %s", text, above ? "above" : "below",
			  lw_strbuf_text(&bound));
	lw_strbuf_fini(&bound);
	return rc;
}

static int keys_parse_bool(const char *text, double *ret_value, struct lw_error *err)
{
	static const char *const yes[] = { "yes", "true", "on" };
	static const char *const no[] = { "no", "false", "off" };

	for (size_t i = 0; i < COUNT_OF(yes); i++) {
		if (!strcasecmp(text, yes[i]) || !strcasecmp(text, no[i])) {
			*ret_value = !strcasecmp(text, yes[i]);
			return 0;
		}
	}
	return keys_fail(err, text, "neither yes nor no");
}

static int keys_parse_enum(const struct lw_key *key, const char *text, double *ret_value,
			   struct lw_error *err)
{
	struct lw_strbuf list = LW_STRBUF_INIT;
	char quoted[80];
	int idx = 0;

	for (const char *p = key->choices; p; p = lw_choice_next(p), idx++) {
		if (strlen(text) == lw_choice_len(p) && !strncmp(text, p, lw_choice_len(p))) {
			*ret_value = idx;
			return 0;
		}
	}
	lw_choices_print(key->choices, &list);
	lw_error_set(err, -EINVAL, "%s is none of %s", lw_key_quote(text, quoted, sizeof(quoted)),
		     lw_strbuf_text(&list));
	lw_strbuf_fini(&list);
	return -EINVAL;
}

static int keys_parse_duration(const char *text, double *ret_value, struct lw_error *err)
{
	char why[LW_DURATION_WHY], quoted[80];
	int64_t seconds = 0;
	int rc = lw_duration_parse(text, &seconds);

	if (rc == -ERANGE)
		return keys_fail(err, text, "longer than any duration");
	if (rc && !text[strspn(text, "0123456789")] && *text) {
		lw_duration_refused(text, why, sizeof(why));
		return lw_error_set(err, -EINVAL, "%s %s",
				    lw_key_quote(text, quoted, sizeof(quoted)), why);
	}
	if (rc)
		return keys_fail(err, text, "no duration such as 90s, 15m, 2h30m or 1-00:00:00");
	*ret_value = (double)seconds;
	return 0;
}

static int keys_parse_number(const struct lw_key *key, const char *text, double *ret_value,
			     struct lw_error *err)
{
	bool whole = key->type == LW_KEY_TYPE_COUNT;
	double value = 0;
	int rc = 0;

	if (key->type == LW_KEY_TYPE_BOOL)
		return keys_parse_bool(text, ret_value, err);
	if (key->type == LW_KEY_TYPE_ENUM)
		return keys_parse_enum(key, text, ret_value, err);
	if (key->type == LW_KEY_TYPE_DURATION)
		rc = keys_parse_duration(text, &value, err);
	else if (keys_parse_decimal(text, whole ? 0 : LW_KEY_DECIMALS, &value))
		rc = keys_fail(err, text, whole ? "no whole number" : NOT_A_NUMBER);
	if (!rc)
		rc = keys_check_bounds(key, text, value, err);
	if (!rc)
		*ret_value = value;
	return rc;
}

/* WHAT it is called in what is said of it. */
static int keys_parse_text(const char *text, const char *what, char **field, struct lw_error *err)
{
	char *copy = NULL;

	if (strlen(text) >= PATH_MAX)
		return lw_error_set(err, -EINVAL, "%s longer than %d bytes",
				    strcmp(what, "path") ? "the words are" : "the path is",
				    PATH_MAX - 1);
	if (!lw_plain_is_line(text))
		return keys_fail(err, text,
				 strcmp(what, "path")
					 ? "no words: there is a character that does not print"
					 : "no path: it holds a character that does not print");
	if (*text) {
		copy = strdup(text);
		if (!copy)
			return lw_error_set(err, -ENOMEM, "out of memory");
	}
	free(*field);
	*field = copy;
	return 0;
}

static int keys_parse_path(const char *text, char **field, struct lw_error *err)
{
	if (*text && *text != '/')
		return keys_fail(err, text, "no absolute path");
	return keys_parse_text(text, "path", field, err);
}

const struct lw_key *lw_keys(size_t *ret_count)
{
	*ret_count = COUNT_OF(keys);
	return keys;
}

const struct lw_section *lw_sections(size_t *ret_count)
{
	*ret_count = COUNT_OF(sections);
	return sections;
}

const struct lw_key *lw_key_find(const char *path)
{
	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		if (!strcmp(keys[i].path, path))
			return &keys[i];
	}
	return NULL;
}

const struct lw_section *lw_section_find(const char *name)
{
	for (size_t i = 0; i < COUNT_OF(sections); i++) {
		if (!strcmp(sections[i].name, name))
			return &sections[i];
	}
	return NULL;
}

/* What earlier releases had; value NULL: the key as a whole. */
static const struct {
	const char *path, *value, *sentence;
} gone[] = {
	{ "sched.order", "learned",
	  "went to the laboratory: try a trained net by leeway sim --set sched.order=learned" },
	{ "sched.model", NULL, "went to the laboratory: give the net to leeway sim --model" },
	{ "sched.inspector", NULL,
	  "went to the laboratory: try an inspector by leeway sim --set sim.inspector=learned" },
	{ "sched.inspect_cap", NULL,
	  "went to the laboratory: leeway sim --set sim.inspect_cap=TIME" },
};

const char *lw_key_gone(const char *path, const char *value)
{
	for (size_t i = 0; i < COUNT_OF(gone); i++)
		if (strcmp(path, gone[i].path) == 0 &&
		    (value ? gone[i].value && strcmp(value, gone[i].value) == 0 : !gone[i].value))
			return gone[i].sentence;
	return NULL;
}

const char *lw_key_nearest(const char *path)
{
	struct lw_guess guess;

	lw_guess_init(&guess, path);
	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		unsigned d = lw_spell_distance(path, keys[i].path);

		/* the right word in the wrong section, or in none */
		if (!strcmp(keys_last_word(path), keys_last_word(keys[i].path)) && d > 1)
			d = 1;
		(void)lw_guess_try_at(&guess, keys[i].path, d);
	}
	for (size_t i = 0; i < COUNT_OF(sections); i++) {
		unsigned d = lw_spell_distance(path, sections[i].name);

		/* "scheduler:" */
		if (!strchr(path, '.') && d > 1 &&
		    !strncmp(path, sections[i].name, strlen(sections[i].name)))
			d = 1;
		(void)lw_guess_try_at(&guess, sections[i].name, d);
	}
	return guess.name;
}

int lw_key_parse(const struct lw_key *key, const char *text, void *cfg, struct lw_error *err)
{
	char *field = (char *)cfg + key->offset;
	double value = 0;
	int rc;

	if (key->type == LW_KEY_TYPE_PATH)
		return keys_parse_path(text, (char **)(void *)field, err);
	if (key->type == LW_KEY_TYPE_WORDS)
		return keys_parse_text(text, "words", (char **)(void *)field, err);
	if (key->type == LW_KEY_TYPE_RULES)
		return lw_error_set(err, -EINVAL, "wants a list of rules, not a value");
	if (key->type == LW_KEY_TYPE_DOMAINS)
		return lw_error_set(err, -EINVAL, "wants a list of domains, not a value");
	if (key->type == LW_KEY_TYPE_ISLANDS)
		return lw_error_set(err, -EINVAL, "wants a list of islands, not a value");
	if (!*text)
		return lw_error_set(err, -EINVAL, "has no value");
	rc = keys_parse_number(key, text, &value, err);
	if (rc)
		return rc;
	if (key->type == LW_KEY_TYPE_BOOL)
		*(bool *)(void *)field = value != 0;
	else if (key->type == LW_KEY_TYPE_COUNT)
		*(uint32_t *)(void *)field = (uint32_t)value;
	else if (key->type == LW_KEY_TYPE_DOUBLE)
		*(double *)(void *)field = value;
	else if (key->type == LW_KEY_TYPE_DURATION)
		*(int64_t *)(void *)field = (int64_t)value;
	else
		*(int *)(void *)field = (int)value;
	return 0;
}

const char *lw_key_quote(const char *text, char *buf, size_t size)
{
	size_t len = 0, n = strlen(text);
	bool cut = n > size - 6;

	buf[len++] = '"';
	for (size_t i = 0; i < n && len < size - (cut ? 5 : 2); i++)
		buf[len++] = text[i] >= ' ' && text[i] < 0x7f ? text[i] : '?';
	snprintf(buf + len, size - len, "%s\"", cut ? "..." : "");
	return buf;
}
