/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: lw-workload(5). */
#include "fuzz/fuzz.h"

#include "lab/sim/tracejobs.h"
#include "lab/sim/workload_sum.h"
#include "measure/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parse(char *text, struct lw_workload *ret_workload, struct lw_error *err)
{
	struct lw_lines lines = { .text = text, .next = text };
	int rc;

	lw_workload_is(&lines);
	rc = lw_workload_parse(ret_workload, &lines, "workload", err);
	lw_lines_fini(&lines);
	return rc;
}

static bool same(const struct lw_workload_job *a, const struct lw_workload_job *b)
{
	return a->submit_s == b->submit_s && a->limit_s == b->limit_s && a->run_s == b->run_s &&
	       a->cancel_s == b->cancel_s && a->mem_mib_per_node == b->mem_mib_per_node &&
	       a->user == b->user && a->nodes == b->nodes &&
	       a->gpus_per_node == b->gpus_per_node && a->cpus_per_node == b->cpus_per_node &&
	       a->kind == b->kind && !strcmp(a->name, b->name);
}

/* What is written must read back to the same. */
static void write_and_read(const struct lw_workload *workload)
{
	struct lw_error err = { "" };
	struct lw_workload again;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	fuzz_check(!lw_workload_write(workload, "# a comment\n", out));
	fclose(out);
	fuzz_check(!parse(text, &again, &err));
	fuzz_check(again.job_count == workload->job_count);
	for (uint32_t i = 0; i < again.job_count; i++)
		fuzz_check(same(&workload->jobs[i], &again.jobs[i]));
	lw_workload_fini(&again);
}

static void use(struct lw_workload *workload)
{
	const struct lw_tracejobs_options options = {
		.machine = { .nodes = 8, .cpus_per_node = 8, .gpus_per_node = 4,
			     .mem_mib_per_node = 1000 },
	};
	struct lw_workload_summary sum;
	struct lw_tracejobs jobs;

	lw_workload_sum(workload, NULL, 8, 4, 8, &sum);
	if (!lw_tracejobs_of_workload(&jobs, workload, &options))
		lw_tracejobs_fini(&jobs);
	lw_workload_sort(workload);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lw_error err = { "" };
	struct lw_workload workload;

	if (parse(fuzz_text(data, size), &workload, &err)) {
		fuzz_check(!strncmp(err.text, "workload:", 9));
		fuzz_check_told(err.text);
		return 0;
	}
	if (workload.job_count < 20000)
		write_and_read(&workload);
	use(&workload);
	lw_workload_fini(&workload);
	return 0;
}
