/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway report: the effective training time of requeued jobs. */
#include "cli/common/tools.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <jansson.h>
#include <stdio.h>

FIXTURE(scratch_setup, scratch_teardown);

/* A job of two GPUs that was requeued after 1000 s of which 400 were lost, and then ran 1000 s. */
static const struct {
	const char *said, *said_next; /* in Comment */
	double most, least, repeated, doubt, restart;
} trainings[] = {
	{ "", "", 1, 0.5, 0, 0.5, 0 },
	{ "leeway:progress=800/1600,at:1900,from:0,since:1100",
	  "x leeway:progress=1300/1600,at:3900,from:500,since:3100", 0.75, 0.75, 0.2, 0, 0.05 },
};

static double run_figure(const json_t *root, const char *key)
{
	const json_t *run = json_array_get(json_object_get(root, "runs"), 0);

	return json_number_value(json_object_get(run, key));
}

TEST_EACH(effective_training_time, LW_COUNT_OF(trainings))
{
	const double near = 1e-9;
	char rows[1024], line[256];
	json_t *root;

	snprintf(rows, sizeof(rows),
		 "JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES|Comment|JobName\n"
		 "1|900|1000|2000|REQUEUED|1|8|cpu=8,gres/gpu=2|%s|x\n"
		 "1|2000|3000|4000|COMPLETED|1|8|cpu=8,gres/gpu=2|%s|x\n",
		 trainings[_i].said, trainings[_i].said_next);
	scratch_write("sacct.psv", rows);
	snprintf(line, sizeof(line), "report -q --json %s", scratch_dir);
	ck_assert_int_eq(scratch_call(lw_tools_report, line), LW_TOOLS_OK);
	root = json_load_file(scratch_path("out"), 0, NULL);
	ck_assert_ptr_nonnull(root);
	ck_assert_int_eq((int)run_figure(root, "jobs"), 1);
	ck_assert_int_eq((int)run_figure(root, "ettr_interrupted"), 1);
	ck_assert_double_eq_tol(run_figure(root, "ettr_most"), trainings[_i].most, near);
	ck_assert_double_eq_tol(run_figure(root, "ettr_least"), trainings[_i].least, near);
	ck_assert_double_eq_tol(run_figure(root, "ettr_repeated_share"), trainings[_i].repeated,
				near);
	ck_assert_double_eq_tol(run_figure(root, "ettr_doubt_share"), trainings[_i].doubt, near);
	ck_assert_double_eq_tol(run_figure(root, "ettr_restart_share"), trainings[_i].restart,
				near);
	json_decref(root);
}
