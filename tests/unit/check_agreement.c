/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit test of leeway sim against another simulator, on real traces. */
#include "lab/cli_sim/sim.h"

#include "unit/simspec.h"
#include "unit/unit.h"

#include <unistd.h>

/*
 * Wait and bounded slowdown on real traces, as a second, independent simulator has them: of
 * EASY with users' limits, and of the clairvoyant. Ours must agree within 3 %; of one, a
 * small machine, jitter alone moves the clairvoyant by more.
 */
static const struct {
	const char *name, *policy;
	bool group_as_user;
	double wait_s, bsld, within;
} agreed[] = {
	{ "KTH-SP2-1996", "easy", false, 6802, 90.9, 0.03 },
	{ "ALCF-Mira-2018", "easy", false, 47162, 44.8, 0.03 },
	{ "ALCF-Theta-2023", "easy", true, 14911, 30.3, 0.03 },
	{ "TACC-LS6-A100-2022", "easy", false, 2792, 39.9, 0.03 },
	{ "KTH-SP2-1996", "clairvoyant", false, 4904, 47.6, 0.03 },
	{ "ALCF-Mira-2018", "clairvoyant", false, 27392, 16.2, 0.03 },
	{ "ALCF-Theta-2023", "clairvoyant", true, 9871, 10.6, 0.03 },
	{ "TACC-LS6-A100-2022", "clairvoyant", false, 1530, 14.6, 0.06 },
};

TEST_EACH(test_agreement, LW_COUNT_OF(agreed))
{
	struct lw_simtrace_options options = { .jobs = { .group_as_user =
								 agreed[_i].group_as_user } };
	const char *folder = getenv("LEEWAY_TRACES");
	struct lw_simrepeat repeat = { .seed = 1 };
	struct lw_simspec spec;
	struct lw_error err = { "" };
	struct lw_simtrace trace;
	struct lw_simrun run;
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s.swf.gz", folder ? folder : "", agreed[_i].name);
	if (!folder || access(path, R_OK)) {
		printf("# skipped: no %s.swf.gz in LEEWAY_TRACES\n", agreed[_i].name);
		return;
	}
	ck_assert_msg(!lw_simtrace_open(&trace, path, &options, &err), "%s", err.text);
	ck_assert_int_eq(parse_run(agreed[_i].policy, &spec, &err), 0);
	ck_assert_msg(!lw_simrun_do(&run, &trace, &spec, &repeat, &err), "%s", err.text);
	ck_assert_double_eq_tol(run.mean.value[LW_FIGURE_WAIT], agreed[_i].wait_s,
				agreed[_i].within * agreed[_i].wait_s);
	ck_assert_double_eq_tol(run.mean.value[LW_FIGURE_BSLD], agreed[_i].bsld,
				agreed[_i].within * agreed[_i].bsld);
	ck_assert_double_eq(run.mean.value[LW_FIGURE_VIOLATION], 0);
	lw_simrun_fini(&run);
	lw_simtrace_close(&trace);
}
