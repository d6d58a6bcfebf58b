/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: a folder of GPU records, as leeway gpu shows it. */
#include "fuzz/fuzz.h"

#include "cli/common/tools.h"
#include "record/file.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = { "7.n1.gpu",         "7.n2.gpu", "7.n1.batch.part",
				     "7.n1.0.part",      "8.n1.gpu", "jobs/7/7.n1.gpu",
				     "users/4294967295", NULL };

static void show(uint8_t how)
{
	const char *dir = fuzz_path("spool"), *out = fuzz_path("out");
	const char *const forms[][10] = {
		{ "gpu", "7", "--dir", dir, NULL },
		{ "gpu", "7", "--dir", dir, "--json", NULL },
		{ "gpu", "7", "--dir", dir, "--svg", out, NULL },
		{ "gpu", "--idle", "--now", "2000", "--dir", dir, NULL },
		{ "gpu", "--prometheus", out, "--dir", dir, NULL },
	};

	fuzz_call(lw_tools_gpu, forms[how % 5]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how = fuzz_take(&data, &size);
	struct lw_error err = { "" };

	fuzz_write("spool/.keep", "", 0);
	fuzz_unpack("spool", names, data, size);
	show(how);
	if (how & 64) {
		const char *dir = fuzz_path("spool");

		lw_record_settle(dir, 7, "n1", &err);
		lw_record_note_owed(dir, 7, "n1");
		lw_record_note_sent(dir, 7, "n1");
		show(how);
		fuzz_remove("spool");
	}
	return 0;
}
