/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway tune: what was tried, what it advises, and the same as JSON. */
#include "lab/tune/tune.h"

#include "cli/common/output.h"
#include "lab/analyse/analyse.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *name_of(const struct lw_tune_candidate *candidate)
{
	return *candidate->settings ? candidate->settings : "as it is";
}

static void print_candidate(const struct lw_tune *tune, uint32_t i, FILE *out)
{
	const struct lw_tune_candidate *candidate = &tune->candidates[i];

	fprintf(out, "%-20s", name_of(candidate));
	for (int half = 0; half < LW_TUNE_HALVES; half++)
		fprintf(out, " %9s %7s %7s%s", lw_ana_seconds(candidate->part[half].wait_s),
			lw_ana_percent(lw_tune_by_base(tune, i, (enum lw_tune_half)half)),
			lw_ana_percent(candidate->part[half].longer),
			candidate->harms[half] ? "!" : " ");
	fprintf(out, "\n");
}

static void print_chosen(const struct lw_tune *tune, enum lw_tune_half half, FILE *out)
{
	enum lw_tune_half other = half == LW_TUNE_EVEN ? LW_TUNE_ODD : LW_TUNE_EVEN;
	uint32_t i = tune->chosen[half];

	fprintf(out, "Chosen on the %s pieces: %s.", half == LW_TUNE_EVEN ? "even" : "odd",
		name_of(&tune->candidates[i]));
	if (i)
		fprintf(out, " On the others it has %s of the wait%s.",
			lw_ana_percent(lw_tune_by_base(tune, i, other)),
			tune->candidates[i].harms[other] ? ", with harm (!)" : "");
	fprintf(out, "\n");
}

void lw_tune_print(const struct lw_tune *tune, FILE *out)
{
	fprintf(out,
		"%" PRIu32 " and %" PRIu32 " jobs, of every second of %" PRIu32
		" pieces of %s each\n",
		tune->candidates[0].part[LW_TUNE_EVEN].jobs,
		tune->candidates[0].part[LW_TUNE_ODD].jobs, tune->pieces,
		lw_ana_seconds((double)tune->piece_s));
	if (tune->of_weeks)
		fprintf(out,
			"By %" PRIu32 " of %" PRIu32
			" weeks, spread over all (--sample). Busy weeks may be missed.\n",
			tune->pieces, tune->of_weeks);
	fprintf(out, "\n");
	fprintf(out, "%-20s %9s %7s %7s  %9s %7s %7s\n", "", "even wait", "of now", "longer",
		"odd wait", "of now", "longer");
	for (uint32_t i = 0; i < tune->count; i++)
		print_candidate(tune, i, out);
	fprintf(out,
		"\nlonger: jobs that wait over an hour longer than now; !: more than may, or "
		"the 99th percentile is longer by a tenth\n");
	for (int half = 0; half < LW_TUNE_HALVES; half++)
		print_chosen(tune, (enum lw_tune_half)half, out);
	if (tune->advised)
		fprintf(out, "Advised: %s, %s. Its mean wait is %s to %s of what it is now.\n",
			tune->candidates[tune->advised].settings,
			tune->candidates[tune->advised].words, lw_ana_percent(tune->least),
			lw_ana_percent(tune->most));
	else
		fprintf(out, "Advised: change nothing. No change is better for certain, and "
			     "without harm, on jobs that it was not chosen on.\n");
}

/* "sched.order=saf" */
void lw_tune_print_yaml(const struct lw_tune *tune, FILE *out)
{
	const char *text = tune->candidates[tune->advised].settings;
	const char *dot = strchr(text, '.'), *sign = strchr(text, '=');

	if (dot && sign)
		fprintf(out, "\n%.*s:\n  %.*s: %s\n", (int)(dot - text), text,
			(int)(sign - dot - 1), dot + 1, sign + 1);
}

static json_t *make_part(const struct lw_tune *tune, uint32_t i, enum lw_tune_half half)
{
	const struct lw_tune_part *part = &tune->candidates[i].part[half];

	return json_pack(
		"{sI, so, so, so, so, sb}", "jobs", (json_int_t)part->jobs, "wait_mean_s",
		lw_output_real(part->wait_s), "wait_p99_s", lw_output_real(part->p99_s),
		"of_base", lw_output_real(lw_tune_by_base(tune, i, half)), "longer_share",
		lw_output_real(part->longer), "harms", (int)tune->candidates[i].harms[half]);
}

json_t *lw_tune_json(const struct lw_tune *tune)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < tune->count; i++)
		json_array_append_new(list, json_pack("{ss, ss, so, so}", "settings",
						      tune->candidates[i].settings, "words",
						      tune->candidates[i].words, "even",
						      make_part(tune, i, LW_TUNE_EVEN), "odd",
						      make_part(tune, i, LW_TUNE_ODD)));
	return json_pack("{so, sI, sI, sI, ss, so, so}", "candidates", list, "pieces",
			 (json_int_t)tune->pieces, "piece_s", (json_int_t)tune->piece_s, "of_weeks",
			 (json_int_t)tune->of_weeks, "advised",
			 tune->candidates[tune->advised].settings, "of_base_least",
			 tune->advised ? lw_output_real(tune->least) : json_null(),
			 "of_base_most",
			 tune->advised ? lw_output_real(tune->most) : json_null());
}
