/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: Slurm's files, as leeway check reads them. */
#include "fuzz/fuzz.h"

#include "cli/common/tools.h"

#include <string.h>

static const char *const names[] = { "slurm.conf",    "gres.conf",      "cgroup.conf",
				     "topology.conf", "topology.yaml",  "plugstack.conf",
				     "leeway.yaml",   "extra.conf",     NULL };

/* An Include may name any file: one that never ends is no finding. */
static bool leaves_folder(const uint8_t *data, size_t size)
{
	return size && memmem(data, size, "..", 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how = fuzz_take(&data, &size);
	const char *words[] = { "check",     "--root", NULL, "--conf", "/etc/slurm",
				"--release", how & 1 ? "24.11.5" : "25.05.1",
				how & 2 ? "--json" : "--strict", NULL };
	int code;

	if (leaves_folder(data, size))
		return 0;
	fuzz_unpack("root/etc/slurm", names, data, size);
	words[2] = fuzz_path("root");
	code = fuzz_call(lw_tools_check, words);
	fuzz_check(code >= 0 && code <= 2);
	return 0;
}
