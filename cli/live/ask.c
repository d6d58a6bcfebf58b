/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway live: ask Slurm's commands for all that the page shows. */
#include "cli/live/live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/slurmcall.h"
#include "cli/why/why.h"
#include "record/account.h"

/*
 * The value behind KEY in the answer of "scontrol show config", where "KEY = VALUE" stands on a
 * line of its own; to be freed, "" without one.
 */
static char *setting_of(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		const char *at = text + len;

		if (strncmp(text, key, len) != 0 || (*at != ' ' && *at != '='))
			continue;
		at += strspn(at, " ");
		if (*at != '=')
			continue;
		at += 1 + strspn(at + 1, " ");
		return strndup(at, strcspn(at, "\n"));
	}
	return strdup("");
}

/* Is WORD in LIST, of words parted by commas? */
static bool is_in(const char *list, const char *word)
{
	for (; *list; list += strcspn(list, ","), list += *list == ',') {
		size_t len = strcspn(list, ", ");

		if ((len == strlen(word) && strncasecmp(list, word, len) == 0) ||
		    (len == 3 && strncasecmp(list, "all", 3) == 0))
			return true;
	}
	return false;
}

/* The page never shows what PrivateData hides: its maker may see more than its readers. */
static void judge_names(struct live *live, const char *private_data, enum lw_live_names names)
{
	bool hidden = is_in(private_data, "jobs") || is_in(private_data, "users");

	live->users = names == LIVE_ALL_NAMES || (names == LIVE_BY_PRIVATE_DATA && !hidden);
	live->node_names = names == LIVE_ALL_NAMES || !is_in(private_data, "nodes");
}

static int ask_config(struct live *live, enum lw_live_names names, struct lw_error *err)
{
	const char *argv[] = { "scontrol", "show", "config", NULL };
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc = lw_account_run("", argv, &text, err);
	char *private_data;

	if (rc) {
		lw_strbuf_fini(&text);
		return rc;
	}
	private_data = setting_of(lw_strbuf_text(&text), "PrivateData");
	live->cluster = setting_of(lw_strbuf_text(&text), "ClusterName");
	live->release = setting_of(lw_strbuf_text(&text), "SLURM_VERSION");
	live->state_dir = setting_of(lw_strbuf_text(&text), "StateSaveLocation");
	if (private_data)
		judge_names(live, private_data, names);
	/* settings that cannot be read do not say that all may be shown */
	if (private_data && !*private_data)
		rc = lw_error_set(err, -EIO,
				  "nothing that scontrol printed can be read as the "
				  "configuration: is it Slurm's?");
	if (!private_data || !live->cluster || !live->release || !live->state_dir)
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	free(private_data);
	lw_strbuf_fini(&text);
	return rc;
}

typedef int (*add_f)(struct live *live, const char *text, struct lw_error *err);

static int ask_and_add(struct live *live, const char *const *argv, add_f add,
		       struct lw_error *err)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc = lw_account_run("", argv, &text, err);

	if (!rc)
		rc = add(live, lw_strbuf_text(&text), err);
	lw_strbuf_fini(&text);
	return rc;
}

/* Not all may ask for it, and the rest of the page is worth having. */
static int ask_metrics(struct live *live, struct lw_error *err)
{
	const char *argv[] = { "sdiag", NULL };
	struct lw_error why = { "" };
	int rc = ask_and_add(live, argv, lw_live_add_metrics, &why);

	if (!rc || rc == -ENOMEM)
		return rc ? lw_error_set(err, rc, "out of memory") : 0;
	live->no_metrics = strdup(why.text);
	return live->no_metrics ? 0 : lw_error_set(err, -ENOMEM, "out of memory");
}

int lw_live_ask(struct live *live, enum lw_live_names names, struct lw_error *err)
{
	const char *scontrol[] = { "scontrol", "-a", "-d", "-o", "show", "node", NULL };
	int rc;

	lw_slurm_environment();
	rc = ask_config(live, names, err);
	if (!rc)
		rc = lw_live_ask_jobs(live, err);
	if (!rc)
		rc = ask_and_add(live, scontrol, lw_live_add_nodes, err);
	if (!rc)
		rc = lw_live_place_jobs(live, err);
	if (!rc)
		rc = ask_metrics(live, err);
	if (!rc)
		rc = lw_live_read_promises(live, err);
	if (!rc)
		rc = lw_live_read_suspects(live, err);
	if (!rc)
		lw_why_use_zone_of(&live->zoned);
	return rc;
}
