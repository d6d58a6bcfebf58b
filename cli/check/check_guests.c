/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: what guests on GPUs that others lend need of leeway.yaml and slurm.conf. */
#include "cli/check/check.h"

#include <string.h>
#include <strings.h>

#include "cli/check/elf.h"

#define WHOLE_SINCE 0x170200
#define SEPARATORS  " \t,;"

static void add_at_key(struct lw_check *check, enum lw_check_severity level, const char *text)
{
	lw_check_add(check, level, "share-guests", lw_check_at_setting(check, "opportunistic"),
		     "%s", text);
}

/* job_submit/leeway compares all of it with the QOS of a job. */
static void check_name(struct lw_check *check, const char *name)
{
	static const char *const fronts[] = { "qos:", "account:", "partition:" };
	const char *first = name + strspn(name, SEPARATORS), *rest = first;

	rest += strcspn(rest, SEPARATORS);
	if (rest[strspn(rest, SEPARATORS)])
		add_at_key(check, LW_CHECK_ERROR,
			   "share.opportunistic has several names, and no job is in all of these "
			   "QOS: there are no guests\nname one QOS");
	else if (first != name || *rest)
		lw_check_add(check, LW_CHECK_ERROR, "share-guests",
			     lw_check_at_setting(check, "opportunistic"),
			     "share.opportunistic is \"%s\", and no QOS has blanks, commas or "
			     "semicolons in its name: there are no guests\n"
			     "%s%.*s",
			     name, rest > first ? "share.opportunistic: " : "name one QOS",
			     (int)(rest - first), first);
	for (size_t i = 0; i < sizeof(fronts) / sizeof(fronts[0]); i++)
		if (!strncasecmp(first, fronts[i], strlen(fronts[i])))
			lw_check_add(check, LW_CHECK_ERROR, "share-guests",
				     lw_check_at_setting(check, "opportunistic"),
				     "share.opportunistic is \"%s\", and not the name of a QOS "
				     "alone: there are no guests\n"
				     "the name of the QOS, without %s",
				     name, fronts[i]);
}

/* Settings with which there are no guests. */
static void check_settings(struct lw_check *check)
{
	const struct lw_config *config = &check->config;

	if (!config->share_mode)
		add_at_key(check, LW_CHECK_WARNING,
			   "share.opportunistic is set, and share.mode is off: there are no "
			   "guests\nshare.mode: slice");
	else if (config->share_mode != LW_SHARE_SLICE)
		add_at_key(check, LW_CHECK_ERROR,
			   "share.opportunistic is set, and share.mode is mps: what a guest and "
			   "its owner do is not told apart there, and there are no guests\n"
			   "share.mode: slice, or leave share.opportunistic out");
	check_name(check, config->share_opportunistic);
	/* of fewer no job at all has one, which lw_check_share() says */
	if (config->share_parts == config->share_tenants)
		lw_check_add(
			check, LW_CHECK_ERROR, "share-guests",
			lw_check_at_setting(check, "parts"),
			"share.parts %u is not above share.tenants %u: there is no part of a "
			"GPU that a guest alone would take, and there are no guests\n"
			"share.parts: %u, for %u tenants, and as many in Gres= and gres.conf for "
			"each GPU",
			config->share_parts, config->share_tenants, lw_check_parts_advised(check),
			config->share_tenants);
}

static void check_release(struct lw_check *check)
{
	if (check->release && check->release < WHOLE_SINCE)
		add_at_key(check, LW_CHECK_ERROR,
			   "Slurm 22.05 has no guests on GPUs: it gives jobs that ask for a whole "
			   "GPU one of which others hold parts\n"
			   "leave share.opportunistic out, or a later Slurm");
}

/* A guest has to go at any moment, and without accounting there is no QOS. */
static void check_slurm(struct lw_check *check)
{
	struct lw_check_place place;
	const char *requeue = lw_check_global(check, "JobRequeue", &place);
	const char *storage;

	if (requeue && !strcmp(requeue, "0"))
		lw_check_add(check, LW_CHECK_WARNING, "share-guests", place,
			     "JobRequeue=0: only jobs of share.opportunistic that say --requeue "
			     "are guests\nJobRequeue=1, or tell users of it");
	storage = lw_check_global(check, "AccountingStorageType", &place);
	if ((!storage && check->incomplete) ||
	    (storage && strcasecmp(storage, "accounting_storage/none") != 0))
		return;
	lw_check_add(check, LW_CHECK_ERROR, "share-guests", place,
		     "share.opportunistic is a QOS, and without accounting there is none\n"
		     "AccountingStorageType=accounting_storage/slurmdbd");
}

/* Slurm's own puts guests on any GPU, where they go at once. */
static void check_selector(struct lw_check *check)
{
	char path[PATH_MAX], real[PATH_MAX];
	struct lw_elf_plugin plugin;
	struct lw_error err;

	/* one that cannot be read, or of another release, is told elsewhere */
	if (!check->in_path || !lw_check_find_plugin(check, "select_cons_tres.so", path) ||
	    lw_elf_read_plugin(lw_check_path(check, path, real), &plugin, &err) ||
	    !strncmp(plugin.name, "Leeway", strlen("Leeway")))
		return;
	add_at_key(check, LW_CHECK_WARNING,
		   "share.opportunistic needs Leeway's select_cons_tres.so, and PluginDir has "
		   "Slurm's own first: it puts guests anywhere, and they go again at once\n"
		   "install Leeway's, in a directory before Slurm's");
}

void lw_check_guests(struct lw_check *check)
{
	if (check->yaml_bad || !check->config.share_opportunistic)
		return;
	check_settings(check);
	check_release(check);
	check_slurm(check);
	if (lw_check_has_guests(check))
		check_selector(check);
}
