/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: lw-snapshot(5), and the line on the policy in it. */
#include "fuzz/fuzz.h"

#include "planner/text/text.h"
#include "planner/text/text_policy.h"

#include <stdlib.h>
#include <string.h>

/* Printed, parsed and printed again it must be the same bytes. */
static void print(const struct lw_snapshot *snap)
{
	struct lw_strbuf text = LW_STRBUF_INIT, again = LW_STRBUF_INIT;
	struct lw_error err = { "" };
	struct lw_snapshot read;

	lw_snapshot_print(snap, &text);
	if (!text.error) {
		fuzz_check(!lw_snapshot_parse(&read, "printed", lw_strbuf_text(&text), &err));
		lw_snapshot_print(&read, &again);
		fuzz_check(text.len == again.len && !memcmp(text.text, again.text, text.len));
		lw_snapshot_fini(&read);
	}
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&again);
}

static void print_policy(const struct lw_policy_params *params)
{
	struct lw_strbuf text = LW_STRBUF_INIT, again = LW_STRBUF_INIT;
	struct lw_policy_params read;
	struct lw_error err = { "" };

	lw_policy_params_default(&read);
	lw_policy_params_print(params, &text);
	fuzz_check(!lw_policy_params_parse("printed", lw_strbuf_text(&text), &err, &read));
	lw_policy_params_print(&read, &again);
	fuzz_check(!strcmp(lw_strbuf_text(&text), lw_strbuf_text(&again)));
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct lw_policy_params params;
	struct lw_error err = { "" };
	struct lw_snapshot snap;

	if (lw_snapshot_parse(&snap, "snap", text, &err)) {
		fuzz_check(!strncmp(err.text, "snap:", 5));
		fuzz_check_told(err.text);
		free(text);
		return 0;
	}
	lw_policy_params_default(&params);
	/* what the snapshot's reader took, the other one must take */
	fuzz_check(!lw_policy_params_parse("snap", text, &err, &params));
	free(text);
	print(&snap);
	print_policy(&params);
	lw_snapshot_fini(&snap);
	return 0;
}
