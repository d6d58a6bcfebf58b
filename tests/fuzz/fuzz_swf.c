/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: traces in SWF, plain or gzip, and what is made of them. */
#include "fuzz/fuzz.h"

#include "lab/sim/convert.h"
#include "lab/sim/tracejobs.h"
#include "lab/sim/workload_sum.h"
#include "measure/learnable.h"
#include "measure/swf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void convert(const struct lw_swf *swf, uint8_t how)
{
	const struct lw_convert_options options = {
		.unit = (enum lw_convert_unit)(how % 3),
		.nodes = how & 4 ? 1000000 : 8,
		.gpus_per_node = how & 8 ? 1000 : 4,
		.cpus_per_node = how & 16 ? 100000 : 16,
		.carry_over = how & 32,
		.from_s = how & 32 ? 1000 : 0,
		.span_s = how & 64 ? 100 : 0,
		.compress = how & 128 ? 1e6 : 1,
		.seed = 1,
	};
	struct lw_convert_notes notes;
	struct lw_workload workload;
	struct lw_workload_summary sum;
	struct lw_error err = { "" };

	if (lw_convert_swf(swf, &options, &workload, &notes, &err)) {
		fuzz_check(*err.text);
		return;
	}
	for (uint32_t i = 0; i < workload.job_count; i++) {
		const struct lw_workload_job *job = &workload.jobs[i];

		/* what lw-workload(5) allows */
		fuzz_check(job->submit_s >= 0 && job->run_s >= 0 && job->limit_s >= 60);
		fuzz_check(job->nodes >= 1 && job->nodes <= options.nodes);
		fuzz_check(job->cpus_per_node >= 1);
	}
	lw_workload_sum(&workload, NULL, options.nodes, options.gpus_per_node,
			options.cpus_per_node,
			&sum);
	lw_workload_fini(&workload);
}

static void run(const struct lw_swf *swf, uint8_t how)
{
	const struct lw_tracejobs_options options = {
		.machine = { .pool = how & 1 ? 64 : 0, .nodes = how & 1 ? 0 : 8,
			     .cpus_per_node = 8, .gpus_per_node = how & 2 ? 4 : 0 },
		.group_as_user = how & 4,
		.default_limit_s = how & 8 ? 3600 : 0,
	};
	struct lw_tracejobs jobs;

	if (!lw_tracejobs_init(&jobs, swf, &options))
		lw_tracejobs_fini(&jobs);
	for (uint32_t i = 0; i < swf->job_count; i++) {
		struct lw_history_job job;

		lw_swf_learnable(&swf->jobs[i], how & 4, &job);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how = fuzz_take(&data, &size), with = fuzz_take(&data, &size);
	struct lw_error err = { "" };
	struct lw_swf swf;
	int rc;

	if (how & 1) {
		rc = lw_swf_read(&swf, fuzz_write("trace", data, size), how & 2, &err);
	} else {
		char *text = fuzz_text(data, size);
		struct lw_lines lines = { .text = text, .next = text };

		rc = lw_swf_parse(&swf, &lines, "trace", how & 2, &err);
		lw_lines_fini(&lines);
	}
	if (rc) {
		fuzz_check_told(err.text);
		return 0;
	}
	convert(&swf, with);
	run(&swf, with);
	lw_swf_fini(&swf);
	return 0;
}
