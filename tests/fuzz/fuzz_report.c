/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: what a replay left behind, as leeway report reads it. */
#include "fuzz/fuzz.h"

#include "cli/common/tools.h"

#include <jansson.h>

static const char *const names[] = { "sacct.psv", "meta.json",     "squeue.tsv",
				     "sdiag.txt", "submitted.tsv", "etc/topology.conf", NULL };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how = fuzz_take(&data, &size);
	const char *words[] = { "report", NULL, "--out", NULL, "--quiet", NULL, NULL };
	int code;

	fuzz_unpack("run", names, data, size);
	words[1] = fuzz_path("run");
	words[3] = fuzz_path("out");
	words[5] = how & 1 ? words[1] : NULL;
	code = fuzz_call(lw_tools_report, words);
	fuzz_check(code == LW_TOOLS_OK || code == LW_TOOLS_FAILED || code == LW_TOOLS_LATE);
	if (code != LW_TOOLS_FAILED) {
		json_t *root = json_load_file(fuzz_path("out/report.json"), 0, NULL);

		fuzz_check(root);
		json_decref(root);
	}
	return 0;
}
