/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: what leeway analyse reads and finds: traces, files of GPUs, sacct. */
#include "fuzz/fuzz.h"

#include "lab/analyse/input.h"
#include "lab/questions/analysis.h"
#include "lab/questions/questions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the trace of the file of GPUs is. */
static const char trace[] = "; MaxProcs: 8\n1 0 5 100 2 -1 -1 2 600 -1 1 1 1 -1 -1 -1 -1 -1\n"
			    "2 9 5 100 2 -1 -1 2 600 -1 0 1 1 -1 -1 -1 -1 -1\n";

static void find(struct lw_ana_input *input)
{
	struct lw_question questions[LW_QUESTIONS];
	struct lw_analysis a;

	if (!lw_analysis_of(&input->log, &a)) {
		double shares = 0;

		lw_questions_of(&a, questions);
		for (uint32_t s = 0; s < LW_SIZES; s++)
			shares += a.size[s].jobs;
		fuzz_check(shares == input->log.count);
		for (uint32_t i = 0; i < LW_QUESTIONS; i++)
			fuzz_check(*questions[i].answer);
		lw_analysis_fini(&a);
	}
	lw_ana_input_fini(input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how = fuzz_take(&data, &size);
	const struct lw_ana_options options = { .lenient = how & 4,
						.has_unit = how & 8,
						.unit = (enum lw_joblog_unit)(how >> 4 & 1),
						.group_as_user = how & 32,
						.machine = how & 64 ? 1000 : 0 };
	struct lw_error err = { "" };
	struct lw_ana_options with = options;
	struct lw_ana_input input;
	int rc;

	if (how & 1) {
		rc = lw_ana_input_sacct(&input, fuzz_write("sacct", data, size), &options, &err);
	} else if (how & 2) {
		with.side = fuzz_write("gpu.csv", data, size);
		rc = lw_ana_input_read(
			&input, fuzz_write("swf", (const uint8_t *)trace, sizeof(trace) - 1),
			&with, &err);
	} else {
		rc = lw_ana_input_read(&input, fuzz_write("swf", data, size), &options, &err);
	}
	if (rc)
		fuzz_check_told(err.text);
	else
		find(&input);
	return 0;
}
