/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a cycle saw and decided, as files for leeway replay. */
#include "slurm/agent/dump.h"

#include "base/io.h"
#include "base/strbuf.h"
#include "planner/text/text.h"
#include "planner/text/text_policy.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static int dump_write_file(const char *path, const struct lw_strbuf *text, struct lw_error *err)
{
	int rc;

	if (text->error)
		return lw_error_set(err, text->error, "out of memory");
	rc = lw_replace_file(path, 0600, lw_strbuf_text(text), text->len);
	return rc ? lw_error_set(err, rc, "%s: %s", path, strerror(-rc)) : 0;
}

int lw_dump_cycle(const struct lw_dump_place *place, const struct lw_policy_params *params,
		  const struct lw_snapshot *snap, const struct lw_plan *plan,
		  struct lw_error *err)
{
	struct lw_strbuf snap_text = LW_STRBUF_INIT, plan_text = LW_STRBUF_INIT;
	uint64_t slot = place->number % (place->keep ? place->keep : 1);
	char path[PATH_MAX];
	int rc;

	lw_snapshot_print(snap, &snap_text);
	lw_policy_params_print(params, &snap_text);
	lw_plan_print(plan, snap, &plan_text);
	snprintf(path, sizeof(path), "%s/cycle-%06" PRIu64 ".snap", place->dir, slot);
	rc = dump_write_file(path, &snap_text, err);
	if (!rc) {
		snprintf(path, sizeof(path), "%s/cycle-%06" PRIu64 ".plan", place->dir, slot);
		rc = dump_write_file(path, &plan_text, err);
	}
	lw_strbuf_fini(&snap_text);
	lw_strbuf_fini(&plan_text);
	return rc;
}
