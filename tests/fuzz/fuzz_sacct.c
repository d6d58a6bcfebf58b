/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: what sacct printed, as history, as a workload, and of one user's GPUs. */
#include "fuzz/fuzz.h"

#include "cli/common/tools.h"
#include "cli/history/history.h"
#include "lab/workload/workload_sacct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An array of four million tasks is no finding. */
static bool has_large_array(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (data[i] == '[')
			for (size_t k = i + 1, digits = 0; k < size && data[k] != '|'; k++) {
				digits = data[k] >= '0' && data[k] <= '9' ? digits + 1 : 0;
				if (digits > 4)
					return true;
			}
	return false;
}

static void as_history(const char *path, bool lenient)
{
	struct lw_error err = { "" };
	struct lw_jobs jobs = { 0 };
	struct lw_history *history;

	if (lw_read_sacct(path, lenient, &jobs, &err))
		fuzz_check_told(err.text);
	else if (!lw_history_create(0, &history)) {
		for (uint32_t i = 0; i < jobs.count; i++)
			lw_history_add(history, &jobs.jobs[i]);
		lw_history_destroy(history);
	}
	free(jobs.jobs);
}

/* What is made of it must be what lw-workload(5) allows. */
static void check_workload(const struct lw_workload *workload)
{
	struct lw_error err = { "" };
	struct lw_workload again;
	struct lw_lines lines = { 0 };
	size_t size = 0;
	FILE *out = open_memstream(&lines.text, &size);

	if (!out)
		return;
	fuzz_check(!lw_workload_write(workload, NULL, out));
	fclose(out);
	lines.next = lines.text;
	fuzz_check(!lw_workload_parse(&again, &lines, "again", &err));
	fuzz_check(again.job_count == workload->job_count);
	lw_workload_fini(&again);
	lw_lines_fini(&lines);
}

static void as_workload(const char *path, unsigned how)
{
	struct lw_workload_sacct_notes notes;
	struct lw_error err = { "" };
	struct lw_workload workload;

	if (lw_workload_of_sacct(path, how, &workload, &notes, &err)) {
		fuzz_check_told(err.text);
		return;
	}
	check_workload(&workload);
	lw_workload_fini(&workload);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how = fuzz_take(&data, &size);
	const char *path = fuzz_write("sacct", data, size);
	const char *const words[] = { "gpu",    "--user",  "0", "--sacct", path,
				      how & 8 ? "--json" : NULL, NULL };

	if (how & 1)
		as_history(path, how & 4);
	else if (how & 2)
		fuzz_call(lw_tools_gpu, words);
	else if (!has_large_array(data, size))
		as_workload(path, how >> 4 & 3);
	return 0;
}
