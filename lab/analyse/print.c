/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: one workload, as lines of text. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/common/tools.h"
#include "lab/analyse/analyse.h"

#define WIDTH  80
#define INDENT 4

/* TEXT in lines that fit, each behind INDENT blanks. */
static void print_wrapped(const char *text, FILE *out)
{
	while (*text) {
		size_t len = strlen(text), room = WIDTH - INDENT;

		if (len > room) {
			len = room;
			while (len && text[len] != ' ')
				len--;
			if (!len)
				len = room;
		}
		fprintf(out, "%*s%.*s\n", INDENT, "", (int)len, text);
		text += len;
		text += *text == ' ';
	}
}

static void print_head(const struct lw_ana_result *result, FILE *out)
{
	const struct lw_analysis *a = &result->analysis;
	const struct lw_load *load = &a->load;

	fprintf(out, "%s: %s in %s", lw_tools_plain(result->input.label),
		lw_ana_count(a->all.jobs, "job"), lw_ana_seconds((double)a->arrivals.span_s));
	if (a->people[LW_BY_USER].count)
		fprintf(out, " of %s",
			lw_ana_count(a->people[LW_BY_USER].count,
				     result->input.accounts_as_users ? "account" : "user"));
	if (load->machine > 0)
		fprintf(out, "; %s%s", load->machine_is_peak ? "at the peak " : "",
			lw_ana_count(load->machine, lw_joblog_unit_name(a->unit)));
	fprintf(out, "\n");
}

static void print_dist(const char *what, const struct lw_dist *dist, const char *(*word)(double),
		       FILE *out)
{
	if (!dist->count)
		return;
	fprintf(out, "  %-14s %9s %9s %9s %9s %9s %9s\n", what, word(dist->mean), word(dist->p10),
		word(dist->median), word(dist->p90), word(dist->p99), word(dist->most));
}

static void print_geometry(const struct lw_analysis *a, FILE *out)
{
	fprintf(out, "\n  %-14s %9s %9s %9s %9s %9s %9s\n", "", "mean", "p10", "median", "p90",
		"p99", "most");
	print_dist("run time", &a->all.run, lw_ana_seconds, out);
	print_dist("wait", &a->all.wait, lw_ana_seconds, out);
	print_dist("size", &a->all.size, lw_ana_number, out);
	print_dist("between jobs", &a->arrivals.gap, lw_ana_seconds, out);
}

static void print_slice(const char *name, const struct lw_slice *slice,
			const struct lw_slice *all, FILE *out)
{
	if (!slice->jobs)
		return;
	fprintf(out, "  %-14s %8s %8s %9s %9s %9s %12s\n", name,
		lw_ana_of(slice->jobs, all->jobs), lw_ana_of(slice->area_s, all->area_s),
		lw_ana_seconds(slice->run.median), lw_ana_seconds(slice->wait.median),
		lw_ana_seconds(slice->wait.mean), lw_ana_percent(lw_slice_lost_share(slice)));
}

static void print_slices(const struct lw_analysis *a, FILE *out)
{
	fprintf(out, "\n  %-14s %8s %8s %9s %9s %9s %12s\n", "", "jobs", "held", "run med",
		"wait med", "mean", "not complete");
	for (uint32_t s = 0; s < LW_SIZES; s++)
		print_slice(lw_size_name((enum lw_size_class)s), &a->size[s], &a->all, out);
	for (uint32_t l = 0; l < LW_LENGTHS; l++)
		print_slice(lw_length_name((enum lw_length_class)l), &a->length[l], &a->all, out);
	for (uint32_t o = 0; o < LW_OUTCOME_UNKNOWN; o++)
		print_slice(lw_outcome_name((enum lw_outcome)o), &a->outcome[o], &a->all, out);
	if (a->kind[LW_JOBLOG_UNTAGGED].jobs == a->all.jobs)
		return;
	print_slice("deep learning", &a->kind[LW_JOBLOG_DEEP], &a->all, out);
	print_slice("others", &a->kind[LW_JOBLOG_OTHER], &a->all, out);
	print_slice("untagged", &a->kind[LW_JOBLOG_UNTAGGED], &a->all, out);
}

static void print_limits(const struct lw_analysis *a, FILE *out)
{
	const struct lw_limits *limits = &a->limits;
	const struct lw_gpu_report *gpu = &a->gpu;

	fprintf(out, "\n");
	if (limits->jobs)
		fprintf(out,
			"  Limits: jobs use %s of theirs at the median; %s use a tenth or less, "
			"%s\n  reach it. %" PRIu32
			" limits are in use; the 20 most popular serve "
			"%s of the jobs.\n",
			lw_ana_percent(limits->used.median),
			lw_ana_of((double)limits->part[0] + limits->part[1], limits->jobs),
			lw_ana_of(limits->reached, limits->jobs), limits->values,
			lw_ana_percent(limits->top_share));
	if (gpu->recorded)
		fprintf(out,
			"  GPUs: %" PRIu32
			" jobs with a record; their mean utilisation is %.0f %%, by what\n"
			"  they held.\n",
			gpu->recorded, gpu->util_area);
	if (gpu->asked)
		fprintf(out, "  GPUs: %s of the jobs ask for a part of one, mean %.2f.\n",
			lw_ana_of(gpu->shared, gpu->asked), gpu->milli_mean / 1000);
}

static void print_people(const struct lw_ana_result *result, FILE *out)
{
	const struct lw_people *people = &result->analysis.people[LW_BY_USER];

	if (people->count < 2)
		return;
	fprintf(out, "\n  %-24s %9s %9s %12s %12s\n",
		result->input.accounts_as_users ? "largest accounts" : "largest users", "jobs",
		"held", "not complete", "of the limit");
	for (uint32_t i = 0; i < people->top_count && i < 5; i++) {
		const struct lw_person *person = &people->top[i];

		fprintf(out, "  %-24.24s %9" PRIu32 " %9s %12s %12s\n",
			lw_tools_plain(
				lw_ana_input_name(&result->input, LW_BY_USER, person->number)),
			person->jobs, lw_ana_of(person->area_s, result->analysis.all.area_s),
			lw_ana_of(person->lost, person->known),
			lw_ana_of(person->run_s, person->limit_s));
	}
}

static void print_steps(const struct lw_analysis *a, FILE *out)
{
	if (!a->steps[LW_STEPS_USER].count)
		return;
	fprintf(out, "\n  %-24s %9s %9s %9s %9s %9s\n", "beside the job before", "jobs",
		"run times", "within", "same end", "by chance");
	for (int kind = 0; kind < LW_STEPS_KINDS; kind++) {
		const struct lw_steps *steps = &a->steps[kind];

		if (steps->count)
			fprintf(out, "  %-24s %9" PRIu32 " %9s %9s %9s %9s\n",
				lw_ana_steps_word((enum lw_steps_of)kind), steps->count,
				lw_ana_ratio(steps->run), lw_ana_ratio(steps->within),
				lw_ana_percent(steps->same_end),
				lw_ana_percent(steps->chance_end));
	}
}

static void print_questions(const struct lw_ana_result *result, FILE *out)
{
	fprintf(out, "\nSeven questions\n");
	for (uint32_t i = 0; i < LW_QUESTIONS; i++) {
		const struct lw_question *question = &result->questions[i];

		fprintf(out, "  %s %s\n", question->text, lw_reply_name(question->reply));
		print_wrapped(question->answer, out);
	}
}

void lw_ana_print(const struct lw_ana_result *result, FILE *out)
{
	const struct lw_analysis *a = &result->analysis;

	print_head(result, out);
	print_geometry(a, out);
	print_slices(a, out);
	print_limits(a, out);
	print_people(result, out);
	print_steps(a, out);
	print_questions(result, out);
	if (result->what_if) {
		fprintf(out, "\nWhat would help here\n");
		lw_ana_what_if_print(result->what_if, out);
	}
}
