/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: what squeue, sacct, scontrol and sdiag say to leeway why, chain and live. */
#include "fuzz/fuzz.h"

#include "cli/chain/rows.h"
#include "cli/live/live.h"
#include "cli/why/why.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOW_S 1764162000

static void check_sentence(const struct lw_why_job *job)
{
	struct lw_strbuf why = LW_STRBUF_INIT, help = LW_STRBUF_INIT;
	json_t *json = lw_why_json(job, NOW_S);

	lw_why_sentence(job, &why, &help);
	fuzz_check(why.len);
	for (unsigned i = 0; i < LW_WHY_HINTS && job->told; i++)
		if (job->why.hints[i].kind != LW_HINT_NONE)
			lw_why_hint(job, &job->why.hints[i], &why, &help);
	lw_why_judge(job, NOW_S);
	json_decref(json);
	lw_strbuf_fini(&why);
	lw_strbuf_fini(&help);
}

static void read_why(const char *text)
{
	struct lw_why_jobs jobs = { 0 };
	struct lw_error err = { "" };

	if (lw_why_read(text, "why", &jobs, &err))
		fuzz_check_told(err.text);
	for (uint32_t i = 0; i < jobs.count; i++)
		check_sentence(&jobs.jobs[i]);
	lw_why_fini(&jobs);
}

static void read_chain(const char *text, bool queue)
{
	struct lw_chain_rows rows = { 0 };
	struct lw_error err = { "" };
	int rc = lw_chain_add_rows(queue, text, &rows, &err);

	if (rc)
		fuzz_check_told(err.text);
	lw_chain_merge(&rows);
	for (uint32_t i = 0; i < rows.count; i++)
		fuzz_check(rows.rows[i].id && rows.rows[i].state);
	lw_chain_rows_fini(&rows);
}

/* A page holds no tag that a name brought in. */
static void read_live(const char *text, unsigned how)
{
	static const char script[] = "<script>alert";
	struct live live = { .now_s = NOW_S, .every_s = 10, .users = true, .node_names = true };
	struct lw_strbuf page = LW_STRBUF_INIT;
	struct lw_error err = { "" };
	int rc;

	rc = how == 0   ? lw_live_add_jobs(&live, text, &err)
	     : how == 1 ? lw_live_add_nodes(&live, text, &err)
			: lw_live_add_metrics(&live, text, &err);
	if (rc)
		fuzz_check_told(err.text);
	if (!lw_live_place_jobs(&live, &err))
		lw_live_page(&live, &page);
	fuzz_check(!strstr(lw_strbuf_text(&page), script));
	lw_strbuf_fini(&page);
	lw_live_fini(&live);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned how = fuzz_take(&data, &size) % 6;
	char *text = fuzz_text(data, size);

	if (how == 0)
		read_why(text);
	else if (how < 3)
		read_chain(text, how == 1);
	else
		read_live(text, how - 3);
	free(text);
	return 0;
}
