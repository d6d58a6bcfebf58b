/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the subcommands that call Slurm's own commands share. */
#include "cli/common/slurmcall.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cli/common/tools.h"
#include "record/account.h"

/* Our word in SystemComment (src/slurm/keep/mark.h). */
#define LATEST_START "leeway:latest-start="

void lw_slurm_environment(void)
{
	static const char *const filters[] = {
		"SQUEUE_ACCOUNT", "SQUEUE_NAMES",   "SQUEUE_LICENSES", "SQUEUE_PARTITION",
		"SQUEUE_QOS",     "SQUEUE_STATES",  "SQUEUE_USERS",    "SQUEUE_ARRAY",
		"SQUEUE_FORMAT",  "SQUEUE_FORMAT2",
	};

	setenv("SLURM_TIME_FORMAT", "%s", 1);
	setenv("SLURM_BITSTR_LEN", "0", 1);
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++)
		unsetenv(filters[i]);
}

/* slurmctld writes its local time. */
int64_t lw_slurm_latest_start(const char *comment)
{
	const char *at = comment;
	int64_t latest_s = -1;
	char when[32];

	while ((at = strstr(at, LATEST_START))) {
		const char *text = at + strlen(LATEST_START);
		size_t len = strcspn(text, " \t\r\n;|");

		if ((at == comment || strchr(" \t\r\n;", at[-1])) && len < sizeof(when)) {
			memcpy(when, text, len);
			when[len] = '\0';
			return lw_tools_read_clock(when, &latest_s) ? -1 : latest_s;
		}
		at = text;
	}
	return -1;
}

/* "1764162000 TEXT", or "N/A TEXT"; the text may have lines of its own. */
static void slurm_take_comment(const char *told, struct lw_strbuf *comment, int64_t *ret_end_s)
{
	size_t len;

	if (ret_end_s)
		*ret_end_s = (int64_t)lw_number_begins(told, INT64_MAX, 0);
	told += strcspn(told, " ");
	told += *told == ' ';
	len = strlen(told);
	while (len && told[len - 1] == '\n')
		len--;
	if (len != strlen("(null)") || strncmp(told, "(null)", len) != 0)
		lw_strbuf_add_bytes(comment, told, len);
}

int lw_slurm_comment(const char *job, struct lw_strbuf *comment, int64_t *ret_end_s,
		     struct lw_error *err)
{
	const char *argv[] = { "squeue", "--noheader", "-j", job, "-o", "%e %k", NULL };
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc;

	lw_slurm_environment();
	rc = lw_account_run("", argv, &text, err);
	if (!rc && !text.len)
		rc = lw_error_set(err, -ENOENT, "squeue knows no job %s", job);
	if (!rc)
		slurm_take_comment(lw_strbuf_text(&text), comment, ret_end_s);
	lw_strbuf_fini(&text);
	return rc ? rc : comment->error;
}

int lw_slurm_state_dir(char *dir, size_t size, struct lw_error *err)
{
	static const char name[] = "\nStateSaveLocation ";
	const char *argv[] = { "scontrol", "show", "config", NULL };
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc = lw_account_run("", argv, &text, err);
	const char *at = rc ? NULL : strstr(lw_strbuf_text(&text), name);
	size_t len;

	if (at) {
		at += strlen(name);
		at += strspn(at, " =");
		len = strcspn(at, "\n");
		if (len < size) {
			memcpy(dir, at, len);
			dir[len] = '\0';
		} else {
			at = NULL;
		}
	}
	lw_strbuf_fini(&text);
	if (rc || at)
		return rc;
	return lw_error_set(err, -ENOENT,
			    "scontrol show config tells no StateSaveLocation: give "
			    "--state");
}
