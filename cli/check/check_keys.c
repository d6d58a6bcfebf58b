/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: the names in slurm.conf, and the words of SchedulerParameters. */

/*
 * An unknown name in slurm.conf stops slurmctld, which names it only then. An unknown word
 * in SchedulerParameters is ignored without a word: slurmctld searches the text for the words
 * that it knows.
 */
#include "cli/check/check.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"
#include "cli/check/slurmkeys.h"

#define WORD_BYTES 128
/* from 24.05 on there may be several prologs and epilogs */
#define SEVERAL_SCRIPTS 0x180500

/* " since 24.11" or " up to 24.05" into BUF, for a KEY that a release does not know. */
static const char *when(const struct lw_slurmkey *key, uint32_t release, char *buf, size_t size)
{
	unsigned number = (release >> 16) * 100 + (release >> 8 & 0xff);
	unsigned at = number < key->first ? key->first : key->last;

	snprintf(buf, size, "%s %02u.%02u", number < key->first ? "since" : "only up to",
		 at / 100, at % 100);
	return buf;
}

static void report_key(struct lw_check *check, enum lw_slurmkey_where where,
		       const struct lw_slurmconf_line *line, const char *name)
{
	const struct lw_slurmkey *key = lw_slurmkey_find(where, name, check->release);
	const struct lw_slurmkey *near = lw_slurmkey_nearest(where, name, check->release);
	char slurm[32], since[32];

	lw_check_slurm(check, slurm, sizeof(slurm));
	if (!key && where == LW_SLURMKEY_GLOBAL &&
	    lw_slurmkey_find(LW_SLURMKEY_PARAM, name, check->release))
		lw_check_add(
			check, LW_CHECK_ERROR, "key-unknown", lw_check_at(line),
			"%s has no setting %s: it is a word of SchedulerParameters, and a blank "
			"or a comma before it went wrong\nwrite SchedulerParameters=...,%s "
			"without blanks",
			slurm, name, name);
	else if (key)
		lw_check_add(check, LW_CHECK_FATAL, "key-release", lw_check_at(line),
			     "%s has no setting %s; it is there %s\ntake it out: slurmctld does "
			     "not start with it",
			     slurm, name, when(key, check->release, since, sizeof(since)));
	else
		lw_check_add(check, LW_CHECK_FATAL, "key-unknown", lw_check_at(line),
			     "%s has no setting \"%s\"%s%s%s: slurmctld does not start\n%s%s",
			     slurm, name, near ? " (did you mean " : "", near ? near->name : "",
			     near ? "?)" : "", near ? "write " : "take it out",
			     near ? near->name : "");
}

/* What to do about the stray of LINE. */
static const char *stray_remedy(const struct lw_slurmconf_line *line)
{
	if (!strcasecmp(line->stray, "Include"))
		return "write Include and one file, at the begin of a line";
	if (!strncasecmp(line->text, "Include", 7))
		return "write one file behind each Include";
	if (line->stray[strlen(line->stray) - 1] == '=')
		return "put a # before it, or give it a value";
	return "put a # before a comment, and values with blanks in quotes";
}

static void check_line_keys(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	static const enum lw_slurmkey_where wheres[] = {
		[LW_CHECK_GLOBAL] = LW_SLURMKEY_GLOBAL,
		[LW_CHECK_NODE] = LW_SLURMKEY_NODE,
		[LW_CHECK_PARTITION] = LW_SLURMKEY_PARTITION,
		/* its first is of the file; those behind are not known here */
		[LW_CHECK_OTHER] = LW_SLURMKEY_GLOBAL,
	};
	enum lw_check_scope scope = lw_check_scope(line);
	uint32_t count = scope == LW_CHECK_OTHER ? 1 : line->pair_count;

	if (line->stray)
		lw_check_add(check, LW_CHECK_FATAL, "conf-syntax", lw_check_at(line),
			     "\"%s\" is no \"Key=value\": slurmctld does not start\n%s",
			     line->stray, stray_remedy(line));
	for (uint32_t i = 0; i < count; i++) {
		const char *name = line->pairs[i].key;
		const struct lw_slurmkey *key =
			lw_slurmkey_find(wheres[scope], name, check->release);

		if (!key || !lw_slurmkey_known(key, check->release))
			report_key(check, wheres[scope], line, name);
		else if (i && scope == LW_CHECK_GLOBAL)
			lw_check_add(check, LW_CHECK_FATAL, "conf-syntax", lw_check_at(line),
				     "%s stands behind %s in one line: slurmctld does not start\n"
				     "give each a line of its own",
				     name, line->pairs[0].key);
	}
}

/* Settings of which each line adds one, and not replaces the last. */
static bool may_repeat(const struct lw_check *check, const char *key)
{
	static const char *const scripts[] = { "Prolog", "Epilog", "PrologSlurmctld",
					       "EpilogSlurmctld" };

	if (!strcasecmp(key, "SlurmctldHost"))
		return true;
	return LW_CHECK_WORD(key, scripts) >= 0 &&
	       (!check->release || check->release >= SEVERAL_SCRIPTS);
}

/* Lists to which others add as well: a line added for Leeway takes away what the site had. */
static bool is_shared(const char *key)
{
	static const char *const keys[] = { "AccountingStorageTRES", "GresTypes",
					    "JobSubmitPlugins",      "PluginDir",
					    "PrologFlags",           "SchedulerParameters" };

	return LW_CHECK_WORD(key, keys) >= 0;
}

/* Is PAIR of line INDEX given again behind that? */
static void check_twice(struct lw_check *check, uint32_t index,
			const struct lw_slurmconf_pair *pair)
{
	struct lw_check_place place = lw_check_at(&check->slurm.lines[index]);

	for (uint32_t i = index + 1; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *later = &check->slurm.lines[i];
		const char *value = lw_slurmconf_value(later, pair->key);

		if (lw_check_scope(later) != LW_CHECK_GLOBAL || !value)
			continue;
		if (is_shared(pair->key) && !strstr(value, pair->value))
			lw_check_add(
				check, LW_CHECK_ERROR, "key-twice", place,
				"%s is given again in %s:%u, and only that counts: \"%s\" is "
				"lost\nmake one line of both",
				pair->key, later->file, later->number, pair->value);
		else
			lw_check_add(check, LW_CHECK_WARNING, "key-twice", place,
				     "%s is given again in %s:%u, and only that counts\n"
				     "make one line of both",
				     pair->key, later->file, later->number);
		return;
	}
}

void lw_check_keys(struct lw_check *check)
{
	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];

		check_line_keys(check, line);
		if (lw_check_scope(line) != LW_CHECK_GLOBAL)
			continue;
		for (uint32_t j = 0; j < line->pair_count; j++) {
			if (!may_repeat(check, line->pairs[j].key))
				check_twice(check, i, &line->pairs[j]);
		}
	}
}

static void report_param(struct lw_check *check, struct lw_check_place place, const char *name)
{
	const struct lw_slurmkey *key = lw_slurmkey_find(LW_SLURMKEY_PARAM, name, check->release);
	const struct lw_slurmkey *near =
		lw_slurmkey_nearest(LW_SLURMKEY_PARAM, name, check->release);
	const struct lw_slurmkey_elsewhere *other = lw_slurmkey_elsewhere(name);
	char slurm[32], since[32];

	lw_check_slurm(check, slurm, sizeof(slurm));
	if (other)
		lw_check_add(check, LW_CHECK_WARNING, "param-elsewhere", place,
			     "SchedulerParameters: %s ignores %s, which %s %s\n%s=%s", slurm,
			     name, other->how, other->key, other->key, name);
	else if (key)
		lw_check_add(check, LW_CHECK_WARNING, "param-release", place,
			     "SchedulerParameters: %s ignores %s; it is there %s\ntake it out",
			     slurm, name, when(key, check->release, since, sizeof(since)));
	else
		lw_check_add(check, LW_CHECK_WARNING, "param-unknown", place,
			     "SchedulerParameters: %s ignores \"%s\"%s%s%s\n%s%s", slurm, name,
			     near ? " (did you mean " : ", which it does not know",
			     near ? near->name : "", near ? "?)" : "",
			     near ? "write " : "take it out", near ? near->name : "");
}

/* Slurm reads a number as far as it goes, and does not look whether it has room for it. */
static void check_number(struct lw_check *check, struct lw_check_place place,
			 const struct lw_slurmkey *key, const char *value)
{
	char *end;
	long number;

	errno = 0;
	number = strtol(value, &end, 10);
	if (end == value)
		lw_check_add(check, LW_CHECK_WARNING, "param-value", place,
			     "SchedulerParameters: %s=%s is no number\nwrite %s=NUMBER",
			     key->name, value, key->name);
	else if (errno || number > INT_MAX || number < INT_MIN)
		lw_check_add(check, LW_CHECK_WARNING, "param-value", place,
			     "SchedulerParameters: %s=%s is beyond what Slurm can read, and it "
			     "does not say so\nat most %d",
			     key->name, value, INT_MAX);
	else if (*end && strcasecmp(key->name, "delay_boot"))
		lw_check_add(check, LW_CHECK_WARNING, "param-value", place,
			     "SchedulerParameters: of %s=%s Slurm reads %ld, and passes over "
			     "\"%s\"\nwrite %s=NUMBER",
			     key->name, value, number, end, key->name);
}

/* A word that is known, with VALUE behind its = or NULL. */
static void check_value(struct lw_check *check, struct lw_check_place place,
			const struct lw_slurmkey *key, const char *value)
{
	if (key->has_value && (!value || !*value))
		lw_check_add(check, LW_CHECK_WARNING, "param-value", place,
			     "SchedulerParameters: %s has no value, and is ignored\n"
			     "write %s=NUMBER, without blanks",
			     key->name, key->name);
	else if (!key->has_value && value)
		lw_check_add(
			check, LW_CHECK_WARNING, "param-value", place,
			"SchedulerParameters: %s takes no value: it is on, also with \"=%s\"\n"
			"write %s, or take it out to switch it off",
			key->name, value, key->name);
	else if (key->has_value && strcasecmp(key->name, "bf_hetjob_prio"))
		check_number(check, place, key, value);
}

/*
 * Does only stock backfill heed this word? bf_window is tested separately, and Leeway also heeds
 * bf_interval=-1.
 */
static bool is_stocks(const char *name, const char *value)
{
	static const char *const ours[] = { "bf_hetjob_immediate", "bf_hetjob_prio",
					    "bf_min_age_reserve",  "bf_min_prio_reserve",
					    "bf_one_resv_per_job", "bf_window",
					    "bf_yield_rpc_cnt",    "bf_yield_rpc_count" };

	if (!strcasecmp(name, "bf_interval") && value && atoi(value) == -1)
		return false;
	return LW_CHECK_WORD(name, ours) < 0 &&
	       (!strncasecmp(name, "bf_", 3) || !strcasecmp(name, "max_job_bf"));
}

/* One word of the list; true when only stock backfill heeds it. */
static bool check_param(struct lw_check *check, struct lw_check_place place, char *word)
{
	char *value = strchr(word, '=');
	const struct lw_slurmkey *key;

	if (value == word) {
		lw_check_add(check, LW_CHECK_WARNING, "param-unknown", place,
			     "SchedulerParameters: \"%s\" has no word before its \"=\", and is "
			     "ignored: a comma too many?\nwrite WORD%s",
			     word, word);
		return false;
	}
	if (value)
		*value++ = '\0';
	key = lw_slurmkey_find(LW_SLURMKEY_PARAM, word, check->release);
	if (!key || !lw_slurmkey_known(key, check->release)) {
		report_param(check, place, word);
		return false;
	}
	check_value(check, place, key, value);
	return is_stocks(word, value);
}

void lw_check_params(struct lw_check *check)
{
	struct lw_strbuf stocks = LW_STRBUF_INIT;
	struct lw_check_place place;
	const char *list = lw_check_global(check, "SchedulerParameters", &place);
	char word[WORD_BYTES];
	bool empty = false;

	while (list && *list) {
		size_t len, end;

		/* it is searched for the words: blanks beside them, in quotes, do not matter */
		list += strspn(list, " \t");
		len = end = strcspn(list, ",");
		while (end && isblank((unsigned char)list[end - 1]))
			end--;
		snprintf(word, sizeof(word), "%.*s", (int)end, list);
		empty |= !end;
		if (end && check_param(check, place, word))
			lw_strbuf_add(&stocks, "%s%s", stocks.len ? ", " : "", word);
		list += len;
		list += *list == ',';
	}
	if (empty)
		lw_check_add(check, LW_CHECK_NOTE, "param-empty", place,
			     "SchedulerParameters: a comma too many, with no word behind it\n"
			     "take it out");
	if (stocks.len && check->loads)
		lw_check_add(
			check, LW_CHECK_NOTE, "param-stock", place,
			"SchedulerParameters: only stock backfill heeds %s, and Leeway plans the "
			"queue\nsched.interval and the other keys of leeway.yaml(5) stand for them",
			lw_strbuf_text(&stocks));
	if (stocks.error)
		check->error = stocks.error;
	lw_strbuf_fini(&stocks);
}
