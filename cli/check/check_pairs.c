/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: settings that need each other, and settings that must be there. */
#include "cli/check/check.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Slurm's default */
#define MAX_JOB_ID 0x03ff0000UL
/* slurmctld of 24.11 tries munge as it starts; that of 22.05 does not */
#define TRIES_MUNGE 0x180b00

enum relation { NEEDS, EXCLUDES };

struct pair {
	struct lw_slurmkey key; /* its name and releases */
	const char *word;
	enum relation relation;
	const char *other, *others;
};

static const struct pair pairs[] = {
#define TOOLS_SLURM_PAIR(key_name, word, relation, other, others, first_release, last_release)   \
	{ { .name = key_name, .first = first_release, .last = last_release },                    \
	  word,                                                                                  \
	  relation,                                                                              \
	  other,                                                                                 \
	  others },
#include "cli/check/slurmpairs.def"
};

/*
 * The first of WORDS, separated by |, that is in VALUE, in BUF, or NULL. "" stands for anything,
 * "#" for any number but 0, "=0" for that value and no other.
 */
static const char *find_word(const char *value, const char *words, char *buf, size_t size)
{
	snprintf(buf, size, "%.*s", (int)strcspn(words, "|"), words);
	if (!value)
		return NULL;
	if (!strcmp(words, "#"))
		return strtol(value, NULL, 0) ? buf : NULL;
	if (*words == '=')
		return strcmp(value, words + 1) ? NULL : buf;
	for (; *words; words += *words == '|') {
		snprintf(buf, size, "%.*s", (int)strcspn(words, "|"), words);
		if (strcasestr(value, buf))
			return buf;
		words += strcspn(words, "|");
	}
	return *buf ? NULL : buf;
}

/* WORD is of the value of PAIR's key, and OTHER was found or, if it is needed, looked for. */
static void pairs_report(struct lw_check *check, const struct pair *pair,
			 struct lw_check_place place, const char *word, const char *other)
{
	const char *key = pair->key.name;

	if (pair->relation == EXCLUDES)
		lw_check_add(check, LW_CHECK_FATAL, "key-pair", place,
			     "%s=%s and %s=%s exclude each other: slurmctld does not start\n"
			     "take one of them out",
			     key, word, pair->other, other);
	else
		lw_check_add(check, LW_CHECK_FATAL, "key-pair", place,
			     "%s%s%s needs %s%s%s: slurmctld does not start\n"
			     "add that, or take this out",
			     key, *word ? "=" : "", word, pair->other, *other ? "=" : "", other);
}

static void check_pair(struct lw_check *check, const struct pair *pair)
{
	struct lw_check_place place;
	const char *value = lw_check_global(check, pair->key.name, &place);
	const char *other = lw_check_global(check, pair->other, NULL);
	char word[64], other_word[64];
	bool needs = pair->relation == NEEDS;

	if (!lw_slurmkey_known(&pair->key, check->release) ||
	    !find_word(value, pair->word, word, sizeof(word)) ||
	    (find_word(other, pair->others, other_word, sizeof(other_word)) != NULL) == needs ||
	    (check->incomplete && needs))
		return;
	if (needs) /* the first of them will do */
		snprintf(other_word, sizeof(other_word), "%.*s", (int)strcspn(pair->others, "|"),
			 pair->others);
	pairs_report(check, pair, place, *word == '#' || *word == '=' ? value : word, other_word);
}

static bool is_given(const struct lw_check *check, const char *key)
{
	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		if (lw_slurmconf_value(&check->slurm.lines[i], key))
			return true;
	}
	return false;
}

/* Without these there is no cluster. */
static void check_missing(struct lw_check *check)
{
	/* up to 22.05 there must be a partition */
	static const struct lw_slurmkey partition = { .first = 2205, .last = 2205 };
	struct lw_check_place place = lw_check_at_slurm_conf(check);

	if (!is_given(check, "ClusterName"))
		lw_check_add(check, LW_CHECK_FATAL, "key-missing", place,
			     "has no ClusterName: slurmctld does not start\nClusterName=NAME");
	if (!is_given(check, "SlurmctldHost") && !is_given(check, "ControlMachine"))
		lw_check_add(check, LW_CHECK_FATAL, "key-missing", place,
			     "has no SlurmctldHost: slurmctld does not start\n"
			     "SlurmctldHost=NAME, of the host where slurmctld runs");
	if (check->release && lw_slurmkey_known(&partition, check->release) &&
	    !is_given(check, "PartitionName"))
		lw_check_add(check, LW_CHECK_FATAL, "key-missing", place,
			     "has no PartitionName: slurmctld does not start\n"
			     "PartitionName=NAME Nodes=ALL Default=YES");
}

static unsigned long number_of(const struct lw_check *check, const char *key,
			       unsigned long fallback)
{
	const char *text = lw_check_global(check, key, NULL);

	return text ? strtoul(text, NULL, 0) : fallback;
}

/* The first number of a job may not be above the last. */
static void check_job_ids(struct lw_check *check)
{
	struct lw_check_place place;
	const char *first = lw_check_global(check, "FirstJobId", &place);

	if (first && number_of(check, "FirstJobId", 1) > number_of(check, "MaxJobId", MAX_JOB_ID))
		lw_check_add(check, LW_CHECK_FATAL, "key-pair", place,
			     "FirstJobId=%s is above MaxJobId: slurmctld does not start\n"
			     "make it smaller",
			     first);
}

/* How many of the items of LIST are WORDS? */
static unsigned count_words(const char *list, const char *const *words, size_t count)
{
	unsigned found = 0;

	for (size_t i = 0; i < count; i++)
		found += lw_check_listed(list, words[i]);
	return found;
}

/* What is allocated: one unit, with memory or without; select/linear knows memory alone. */
static void check_units(struct lw_check *check)
{
	static const char *const units[] = { "CR_CPU",         "CR_Core",
					     "CR_Socket",      "CR_CPU_Memory",
					     "CR_Core_Memory", "CR_Socket_Memory",
					     "CR_Memory" };
	const size_t all = sizeof(units) / sizeof(units[0]);
	struct lw_check_place place;
	const char *params = lw_check_global(check, "SelectTypeParameters", &place);
	const char *select = lw_check_global(check, "SelectType", NULL);
	const char *why = NULL;

	if (!params)
		return;
	if (count_words(params, units, all) > 1)
		why = "has more than one of CR_CPU, CR_Core, CR_Socket, CR_Memory and the like";
	else if (select && strcasestr(select, "cons_") && !count_words(params, units, all - 1))
		why = "has none of CR_CPU, CR_Core and CR_Socket";
	else if (lw_check_listed(params, "CR_ONE_TASK_PER_CORE") &&
		 (lw_check_listed(params, "CR_CPU") || lw_check_listed(params, "CR_CPU_Memory")))
		why = "has CR_ONE_TASK_PER_CORE with CR_CPU";
	if (why)
		lw_check_add(check, LW_CHECK_FATAL, "key-pair", place,
			     "SelectTypeParameters=%s %s: slurmctld does not start\n"
			     "such as CR_Core_Memory",
			     params, why);
}

/* Where AuthInfo has no "=", it is the path of munge's socket. */
static void check_socket(struct lw_check *check)
{
	struct lw_check_place place;
	const char *info = lw_check_global(check, "AuthInfo", &place);
	const char *type = lw_check_global(check, "AuthType", NULL);
	const char *socket = info ? strcasestr(info, "socket=") : NULL;
	bool tries = !check->release || check->release >= TRIES_MUNGE;

	if (!info || (type && !strcasestr(type, "munge")) || (!socket && strchr(info, '=')))
		return;
	if (*(socket ? strchr(socket, '=') + 1 : info) == '/')
		return;
	lw_check_add(check, tries ? LW_CHECK_FATAL : LW_CHECK_ERROR, "key-value", place,
		     "AuthInfo=%s does not have munge's socket by an absolute path: %s\n"
		     "such as AuthInfo=socket=/run/munge/munge.socket.2",
		     info, tries ? "slurmctld does not start" : "no command gets an answer");
}

void lw_check_pairs(struct lw_check *check)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		check_pair(check, &pairs[i]);
	check_job_ids(check);
	check_units(check);
	check_socket(check);
	if (!check->incomplete)
		check_missing(check);
}
