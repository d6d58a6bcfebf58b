/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: whether Slurm takes a value, by the type of its setting and by release. */
#include "cli/check/slurmvalues.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/spell.h"

/* at most this many words are listed after an unknown one */
#define LISTED_MAX 12

enum form {
	FORM_ANY,
	FORM_NUMBER,
	FORM_FLOAT,
	FORM_TIME,
	FORM_ONE,
	FORM_LIST,
	FORM_RLIMITS,
	FORM_PLUGIN,
	FORM_PORTS,
	FORM_PORT,
	FORM_LICENSES,
	FORM_PATHS,
	FORM_PATH,
	FORM_HOST,
	FORM_WEIGHTS,
	FORM_IGNORED,
	FORM_REMOVED,
};

enum daemon { DAEMON_CTLD, DAEMON_NODE, DAEMON_NONE };

struct type {
	enum form form;
	enum daemon daemon;
	uint64_t least, most;
	const char *text;
};

static const struct type types[] = {
#define TOOLS_SLURM_TYPE(type, form, daemon, least, most, text)                                  \
	[LW_SLURMTYPE_##type] = { FORM_##form, DAEMON_##daemon, least, most, text },
#include "cli/check/slurmvalues.def"
};

/* As a key, so that its releases are compared alike. */
struct word {
	enum lw_slurmtype type;
	struct lw_slurmkey key;
};

static const struct word words[] = {
#define TOOLS_SLURM_WORD(type, word, first_release, last_release)                                \
	{ LW_SLURMTYPE_##type, { .name = word, .first = first_release, .last = last_release } },
#include "cli/check/slurmvalues.def"
};

#define WORD_COUNT (sizeof(words) / sizeof(words[0]))

static bool is_unlimited(const char *value)
{
	return !strcasecmp(value, "UNLIMITED") || !strcasecmp(value, "INFINITE");
}

/* A number as strtoul() reads it, in base 8, 10 or 16; the largest stands for UNLIMITED. */
static bool take_number(const struct type *type, const char *value)
{
	uint64_t number = type->most > UINT32_MAX ? UINT64_MAX : UINT32_MAX;
	char *end;

	if (type->most <= UINT16_MAX)
		number = UINT16_MAX;
	if (!is_unlimited(value)) {
		errno = 0;
		number = strtoull(value, &end, 0);
		if (type->most > UINT16_MAX && tolower((unsigned char)*end) == 'k') {
			number *= 1024;
			end++;
		}
		if (*end || errno == ERANGE || *value == '-')
			return false;
	}
	return number >= type->least && number <= type->most;
}

static bool take_float(const char *value)
{
	char *end;

	if (is_unlimited(value))
		return true;
	errno = 0;
	strtod(value, &end);
	return !*end && errno != ERANGE;
}

/* Enough groups of digits for its dashes and colons? */
static bool is_time(const char *value)
{
	unsigned groups = 0, dashes = 0, colons = 0;

	for (const char *p = value; *p; p++) {
		if (isdigit((unsigned char)*p))
			groups += p == value || !isdigit((unsigned char)p[-1]);
		else if (*p == '-' && !colons)
			dashes++;
		else if (*p == ':')
			colons++;
		else
			return false;
	}
	return groups && dashes <= 1 && colons <= 2 && (!colons || groups >= colons + 1 + dashes);
}

static bool take_time(const struct type *type, const char *value)
{
	if (!strcmp(value, "-1") || is_unlimited(value))
		return !type->least;
	if (!is_time(value))
		return false;
	/* any digit but 0 makes a minute, or is seconds only, which are not judged */
	return !type->least || strpbrk(value, "123456789") != NULL;
}

static bool take_ports(const char *value)
{
	char *end;
	long first = strtol(value, &end, 10), last = first + 1;

	if (*end == '-')
		last = strtol(end + 1, NULL, 10);
	else if (*end)
		return false;
	return first > 0 && last > first;
}

/* One number, or a list of them, of which no more is asked than digits. */
static bool take_port(const char *value)
{
	unsigned long port = strtoul(value, NULL, 10);

	if (value[strspn(value, "0123456789")])
		return strpbrk(value, "0123456789") != NULL;
	return port > 0 && port <= UINT16_MAX;
}

/* "matlab:20;ansys=5,stata" */
static bool take_licenses(const char *value)
{
	while (*value) {
		size_t len = strcspn(value, ",;"), name = strcspn(value, ":=,;");
		char *end;

		for (size_t i = 0; i < name; i++) {
			if (isspace((unsigned char)value[i]))
				return false;
		}
		if (name < len && (strtol(value + name + 1, &end, 10) < 0 || end != value + len))
			return false;
		value += len;
		value += *value != '\0';
	}
	return true;
}

/* TRES with a weight each; a name may have / and : in it. */
static bool take_weights(const char *value)
{
	for (; *value; value += strcspn(value, ",")) {
		size_t len, name;

		value += strspn(value, ",");
		len = strcspn(value, ",");
		name = strcspn(value, "=");
		if (len && (!name || name + 1 >= len))
			return false;
	}
	return true;
}

static bool take_paths(const char *value)
{
	if (!strcasecmp(value, "none"))
		return true;
	for (; *value; value += strcspn(value, ",")) {
		value += strspn(value, ",");
		if (*value && *value != '/')
			return false;
	}
	return true;
}

static bool take_host(const char *value)
{
	const char *open = strchr(value, '('), *close = strchr(value, ')');

	return !open == !close && (!close || !close[1]);
}

/* Does the release know WORD, and is it ITEM? */
static bool is_word(const struct word *word, enum lw_slurmtype type, uint32_t release,
		    const char *item)
{
	size_t len = strlen(word->key.name);

	if (word->type != type || !lw_slurmkey_known(&word->key, release))
		return false;
	if (word->key.name[len - 1] == '*')
		return !strncasecmp(word->key.name, item, len - 1);
	if (types[type].form == FORM_RLIMITS)
		return !strcmp(word->key.name, item);
	return !strcasecmp(word->key.name, item);
}

static bool knows(enum lw_slurmtype type, uint32_t release, const char *item)
{
	for (size_t i = 0; i < WORD_COUNT; i++) {
		if (is_word(&words[i], type, release, item))
			return true;
	}
	return false;
}

/* Of TEXT, up to what may be anything. */
static void values_lower(const char *text, char *buf, size_t size)
{
	size_t len = 0;

	for (; text[len] && text[len] != '*' && len + 1 < size; len++)
		buf[len] = (char)tolower((unsigned char)text[len]);
	buf[len] = '\0';
}

static bool is_list(enum form form)
{
	return form == FORM_LIST || form == FORM_RLIMITS;
}

/* The word that was most likely meant, or all words if they are few. */
static void say_expected(enum lw_slurmtype type, uint32_t release, const char *item,
			 struct lw_slurmvalue_fault *fault)
{
	char list[LW_SLURMVALUE_TEXT / 2] = "", wrote[LW_SPELL_MAX + 2], other[LW_SPELL_MAX + 2];
	const char *meant = NULL;
	struct lw_guess guess;
	size_t count = 0, len = 0;

	values_lower(item, wrote, sizeof(wrote));
	lw_guess_init(&guess, wrote);
	for (size_t i = 0; i < WORD_COUNT; i++) {
		const char *name = words[i].key.name;

		if (words[i].type != type || !lw_slurmkey_known(&words[i].key, release) ||
		    (isdigit((unsigned char)*name) && (!name[1] || name[1] == '*')))
			continue;
		values_lower(name, other, sizeof(other));
		if (lw_guess_try_at(&guess, name, lw_spell_distance(wrote, other)))
			meant = name;
		if (count++ < LISTED_MAX && len < sizeof(list))
			len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%.*s",
						len ? ", " : "", (int)strcspn(name, "*"), name);
	}
	if (meant)
		snprintf(fault->expected, sizeof(fault->expected), "write %.*s",
			 (int)strcspn(meant, "*"), meant);
	else if (count)
		snprintf(fault->expected, sizeof(fault->expected), "%s %s%s",
			 is_list(types[type].form) ? types[type].text : "one of", list,
			 count > LISTED_MAX ? " and others; see slurm.conf(5)" : "");
	else
		snprintf(fault->expected, sizeof(fault->expected), "take it out");
}

/* Without "jobacct_gather/" where that is TEXT. */
static const char *short_name(const char *item, const char *text)
{
	size_t len = strlen(text);

	return !strncmp(item, text, len) && item[len] == '/' ? item + len + 1 : item;
}

/* One plugin of a list. A word of Slurm's ends it where none is to be loaded. */
static bool take_plugin(enum lw_slurmtype type, uint32_t release, const char *item)
{
	const char *name = short_name(item, types[type].text);

	/* where none is a word, Slurm looks for it anywhere in the value */
	return knows(type, release, name) ||
	       (strcasestr(name, "none") && knows(type, release, "none"));
}

static enum lw_slurmvalue take_items(enum lw_slurmtype type, uint32_t release, const char *value,
				     struct lw_slurmvalue_fault *fault)
{
	bool plugin = types[type].form == FORM_PLUGIN;
	const char *separators = types[type].form == FORM_ONE ? "" : ",";

	while (*value) {
		size_t len = strcspn(value, separators);
		const char *name;

		snprintf(fault->item, sizeof(fault->item), "%.*s", (int)len, value);
		value += len;
		value += *value != '\0';
		if (!len || len >= sizeof(fault->item) ||
		    (plugin ? take_plugin(type, release, fault->item)
			    : knows(type, release, fault->item)))
			continue;
		name = short_name(fault->item, types[type].text);
		say_expected(type, release, plugin ? name : fault->item, fault);
		if (!plugin)
			return LW_SLURMVALUE_WRONG;
		snprintf(fault->plugin, sizeof(fault->plugin), "%.40s_%.80s.so", types[type].text,
			 name);
		return LW_SLURMVALUE_PLUGIN;
	}
	return LW_SLURMVALUE_TAKEN;
}

static bool has_words(enum form form)
{
	return form == FORM_ONE || is_list(form) || form == FORM_PLUGIN;
}

static bool take_scalar(const struct type *type, const char *value)
{
	switch (type->form) {
	case FORM_NUMBER:
		return take_number(type, value);
	case FORM_FLOAT:
		return take_float(value);
	case FORM_TIME:
		return take_time(type, value);
	case FORM_PORTS:
		return take_ports(value);
	case FORM_PORT:
		return take_port(value);
	case FORM_LICENSES:
		return take_licenses(value);
	case FORM_PATHS:
		return take_paths(value);
	case FORM_PATH:
		return *value == '/';
	case FORM_WEIGHTS:
		return take_weights(value);
	case FORM_HOST:
		return take_host(value);
	default:
		return true;
	}
}

enum lw_slurmvalue lw_slurmvalue_check(enum lw_slurmtype type, uint32_t release,
				       const char *value, struct lw_slurmvalue_fault *ret_fault)
{
	const struct type *of = &types[type];

	memset(ret_fault, 0, sizeof(*ret_fault));
	ret_fault->of_node = of->daemon == DAEMON_NODE;
	ret_fault->harmless = of->daemon == DAEMON_NONE;
	if (of->form == FORM_IGNORED)
		return LW_SLURMVALUE_IGNORED;
	if (of->form == FORM_REMOVED)
		return of->least <= of->most && take_number(of, value) ? LW_SLURMVALUE_IGNORED
								       : LW_SLURMVALUE_REMOVED;
	/* these stand alone */
	if (of->form == FORM_RLIMITS && (!strcmp(value, "ALL") || !strcmp(value, "NONE")))
		return LW_SLURMVALUE_TAKEN;
	if (has_words(of->form))
		return take_items(type, release, value, ret_fault);
	if (take_scalar(of, value))
		return LW_SLURMVALUE_TAKEN;
	snprintf(ret_fault->item, sizeof(ret_fault->item), "%s", value);
	snprintf(ret_fault->expected, sizeof(ret_fault->expected), "%s", of->text);
	return LW_SLURMVALUE_WRONG;
}
