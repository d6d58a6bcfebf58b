/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: what sharing GPUs needs of leeway.yaml and slurm.conf. */
#include "cli/check/check.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "cli/check/slurmvalues.h"

#define LEAST_LOADED "LL_SHARED_GRES"
/* 22.05.8 is known to be so, 24.11.5 not to be; nothing is known of those between. */
#define WHOLE_SINCE 0x170200

static const char *gres_of(const struct lw_check *check)
{
	return check->config.share_gres ? "mps" : "shard";
}

/* What leaves all jobs with whole GPUs. */
static void check_complete(struct lw_check *check)
{
	const struct lw_config *config = &check->config;
	const struct {
		bool missing;
		const char *key, *text;
	} needed[] = {
		{ !config->share_where, "where",
		  "share.where is empty: no job shares a GPU\nname partitions and QOS whose nodes "
		  "have share.gres" },
		{ !config->share_memory_mib, "memory_mib",
		  "share.memory_mib is 0: no job shares a GPU\nsay how much memory one of the GPUs "
		  "of share.where has" },
		{ !config->share_record && !lw_check_only_guests(check), "record",
		  "share.record is empty: nothing is known of jobs, and none shares a GPU\nname a "
		  "file that SlurmUser may write" },
		{ config->share_record && !config->sched_predict, "record",
		  "share.record is not written with sched.predict no, and no job shares a "
		  "GPU\nsched.predict: yes" },
	};

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (needed[i].missing)
			lw_check_add(check, LW_CHECK_WARNING, "share-idle",
				     lw_check_at_setting(check, needed[i].key), "%s",
				     needed[i].text);
	if (!lw_check_listed(lw_check_global(check, "JobSubmitPlugins", NULL), "leeway") &&
	    !lw_check_listed(lw_check_global(check, "JobSubmitPlugins", NULL),
			     "job_submit/leeway"))
		lw_check_add(check, LW_CHECK_WARNING, "share-idle",
			     lw_check_at_setting(check, "share.mode"),
			     "share.mode is set, and JobSubmitPlugins has no leeway: no job shares "
			     "a GPU\nJobSubmitPlugins=leeway");
}

/* Is DIR the one that slurmctld makes by itself? Not every host has it. */
static bool is_state(const struct lw_check *check, const char *dir)
{
	const char *state = lw_check_global(check, "StateSaveLocation", NULL);
	size_t len = state ? strlen(state) : 0;

	while (len > 1 && state[len - 1] == '/')
		len--;
	return len && strlen(dir) == len && !memcmp(dir, state, len);
}

static void check_record_dir(struct lw_check *check, struct lw_check_place place, const char *dir)
{
	const char *user = lw_check_global(check, "SlurmUser", NULL) ?: "root";
	struct lw_check_obstacle obstacle;
	char real[PATH_MAX];
	struct stat st;
	bool there = !stat(lw_check_path(check, dir, real), &st);

	if (there ? !S_ISDIR(st.st_mode) : !is_state(check, dir))
		lw_check_add(check, LW_CHECK_WARNING, "share-record", place,
			     "share.record: the directory %s is not there: nothing is kept of "
			     "jobs, and none shares a GPU\ninstall -d -o %s %s",
			     dir, user, dir);
	else if (there && !lw_check_allows(check, dir, W_OK | X_OK, &obstacle))
		lw_check_add(
			check, LW_CHECK_WARNING, "share-record", place,
			"share.record: SlurmUser %s may not write to %s, by owner and mode of "
			"%s: nothing is kept of jobs, and none shares a GPU\n%s %s",
			user, dir, obstacle.path, obstacle.remedy, obstacle.path);
}

/* It is written beside its place and renamed; what is no file is left as it is. */
static void check_record(struct lw_check *check)
{
	struct lw_check_place place = lw_check_at_setting(check, "record");
	const char *path = check->config.share_record;
	char dir[PATH_MAX], real[PATH_MAX];
	struct stat st;

	if (!path || lw_dir_of(path, dir, sizeof(dir)))
		return;
	check_record_dir(check, place, dir);
	if (!lstat(lw_check_path(check, path, real), &st) && !S_ISREG(st.st_mode) &&
	    !S_ISLNK(st.st_mode))
		lw_check_add(check, LW_CHECK_WARNING, "share-record", place,
			     "share.record: %s is %s: nothing is kept of jobs, and none shares a "
			     "GPU\nname a file that SlurmUser may write",
			     path, S_ISDIR(st.st_mode) ? "a directory" : "no plain file");
}

/* Can PARTS be divided so that no more than so many TENANTS find room (share/request.h)? */
static bool divides(uint32_t parts, uint32_t tenants)
{
	return (parts / (tenants + 1) + 1) * tenants <= parts;
}

bool lw_check_parts_fit(const struct lw_check *check)
{
	const struct lw_config *config = &check->config;

	return divides(config->share_parts, config->share_tenants) &&
	       (!lw_check_has_guests(check) || config->share_parts > config->share_tenants);
}

uint32_t lw_check_parts_advised(const struct lw_check *check)
{
	uint32_t tenants = check->config.share_tenants;
	/* with so many shards it can; of MPS a part is a percentage */
	uint32_t parts = check->config.share_gres ? 100 : 5 * tenants;

	/* more than were given, in any case */
	while (parts <= check->config.share_parts || !divides(parts, tenants))
		parts++;
	return parts;
}

static void check_parts(struct lw_check *check)
{
	uint32_t parts = check->config.share_parts, tenants = check->config.share_tenants;

	if (divides(parts, tenants))
		return;
	lw_check_add(
		check, LW_CHECK_ERROR, "share-parts", lw_check_at_setting(check, "parts"),
		"share.parts %u cannot be divided among share.tenants %u so that no more find "
		"room: no job shares a GPU\nshare.parts: %u, for %u tenants, and as many in "
		"Gres= and gres.conf for each GPU",
		parts, tenants, lw_check_parts_advised(check), tenants);
}

static void check_gres_types(struct lw_check *check)
{
	struct lw_check_place place;
	const char *types = lw_check_global(check, "GresTypes", &place);

	if (lw_check_listed(types, gres_of(check)) || (!types && check->incomplete))
		return;
	lw_check_add(check, LW_CHECK_ERROR, "share-gres", place,
		     "share.gres is %s, and GresTypes does not have it: jobs that are to share are "
		     "refused\nGresTypes=%s%s%s, and Gres= and gres.conf of the nodes with it",
		     gres_of(check), types ? types : "gpu", ",", gres_of(check));
}

/* Of whole GPUs Slurm 22.05 counts how many are free of parts, and then gives any. */
static void check_release(struct lw_check *check)
{
	if (!check->release || check->release >= WHOLE_SINCE)
		return;
	lw_check_add(check, LW_CHECK_ERROR, "share-release",
		     lw_check_at_setting(check, "share.mode"),
		     "Slurm 22.05 gives jobs that ask for a whole GPU one of which others hold "
		     "parts: jobs that did not opt in share, too\nshare.mode: off, or a later "
		     "Slurm");
}

/* Does this release take it? */
static bool knows_least_loaded(const struct lw_check *check)
{
	struct lw_slurmvalue_fault fault;

	return check->release && lw_slurmvalue_check(LW_SLURMTYPE_SELECT_PARAMS, check->release,
						     LEAST_LOADED, &fault) == LW_SLURMVALUE_TAKEN;
}

/* The rule holds where Slurm gives all parts of a job on one GPU. */
static void check_select(struct lw_check *check)
{
	struct lw_check_place place;
	const char *params = lw_check_global(check, "SelectTypeParameters", &place);

	if (lw_check_listed(params, "MULTIPLE_SHARING_GRES_PJ"))
		lw_check_add(check, LW_CHECK_ERROR, "share-spread", place,
			     "SelectTypeParameters has MULTIPLE_SHARING_GRES_PJ: the parts of one "
			     "job may be on several GPUs, and which jobs share is not as "
			     "leeway.yaml has it\ntake it out where share.mode is set");
	if (!knows_least_loaded(check) || lw_check_listed(params, LEAST_LOADED) ||
	    (!params && check->incomplete))
		return;
	lw_check_add(check, LW_CHECK_NOTE, "share-packed", place,
		     "SelectTypeParameters has no " LEAST_LOADED
		     ": Slurm puts jobs that share on "
		     "one GPU of a node while others are free\nadd it to have them apart "
		     "while there is room");
}

/* Jobs that the rule lets share are ended then, and no user is warned before. */
static void check_memory(struct lw_check *check)
{
	double limit = check->config.share_memory_limit, hard = check->config.share_memory_hard;

	if (hard <= 0 || hard > limit)
		return;
	lw_check_add(check, LW_CHECK_WARNING, "share-memory",
		     lw_check_at_setting(check, "memory_hard"),
		     "share.memory_hard %g is not above share.memory_limit %g: jobs that may share "
		     "are ended without a warning before\n"
		     "share.memory_hard: between share.memory_limit and 1",
		     hard, limit);
}

/* Only slurmdbd knows the limits; the settings that keep them from counting parts are here. */
static void check_limits(struct lw_check *check)
{
	static const char *const holds[] = { "limits", "safe", "all" };
	struct lw_check_place place;
	const char *enforce = lw_check_global(check, "AccountingStorageEnforce", &place);
	const char *tres = lw_check_global(check, "AccountingStorageTRES", NULL);
	char gres[16];
	bool held = false;

	snprintf(gres, sizeof(gres), "gres/%s", gres_of(check));
	for (size_t i = 0; i < sizeof(holds) / sizeof(holds[0]); i++)
		held = held || lw_check_listed(enforce, holds[i]);
	if (!held || lw_check_listed(tres, gres))
		return;
	lw_check_add(check, LW_CHECK_NOTE, "share-limits", place,
		     "AccountingStorageEnforce is %s, and AccountingStorageTRES has no %s: jobs "
		     "that a limit on gres/gpu holds, by slurmdbd, do not share\nadd %s, and give "
		     "the users with such a limit the same on %s",
		     enforce, gres, gres, gres);
}

#define SEPARATORS " \t,;"

/* What job_submit/leeway takes (share/request.h); all else it passes over without a word. */
struct words {
	const char *key, *id;
	const char *kinds[2]; /* which stand before a colon and a name */
	const char *alone;    /* a word of its own, or NULL */
	const char *expected;
};

static const struct words where_words = {
	"where", "share-where", { "partition", "qos" }, NULL, "partition:NAME or qos:NAME"
};
static const struct words who_words = {
	"who", "share-who", { "account", "qos" }, "comment", "comment, account:NAME or qos:NAME"
};

/* Is it "KIND:NAME"? */
static bool is_kind(const char *word, size_t len, const char *kind)
{
	size_t kind_len = strlen(kind);

	return len > kind_len + 1 && word[kind_len] == ':' && !memcmp(word, kind, kind_len);
}

static bool is_taken(const struct words *words, const char *word, size_t len)
{
	if (words->alone && len == strlen(words->alone) && !memcmp(word, words->alone, len))
		return true;
	return is_kind(word, len, words->kinds[0]) || is_kind(word, len, words->kinds[1]);
}

static void check_list(struct lw_check *check, const struct words *words, const char *list)
{
	if (list && !list[strspn(list, SEPARATORS)])
		lw_check_add(check, LW_CHECK_ERROR, words->id,
			     lw_check_at_setting(check, words->key),
			     "share.%s is \"%s\", without a word: no job shares\n%s", words->key,
			     list, words->expected);
	while (list && *list) {
		size_t len = strcspn(list, SEPARATORS);

		if (len && !is_taken(words, list, len))
			lw_check_add(
				check, LW_CHECK_ERROR, words->id,
				lw_check_at_setting(check, words->key),
				"share.%s has \"%.*s\", which is not %s: no job shares by it\n"
				"%s, each with its own word before the colon, in small letters",
				words->key, (int)len, list, words->expected, words->expected);
		list += len;
		list += strspn(list, SEPARATORS);
	}
}

/* Words of share.where and share.who that say nothing. */
static void check_share_words(struct lw_check *check)
{
	check_list(check, &where_words, check->config.share_where);
	check_list(check, &who_words, check->config.share_who);
}

void lw_check_share(struct lw_check *check)
{
	if (check->yaml_bad || !check->config.share_mode)
		return;
	check_complete(check);
	check_share_words(check);
	check_record(check);
	check_release(check);
	check_parts(check);
	check_memory(check);
	check_gres_types(check);
	check_limits(check);
	check_select(check);
}
