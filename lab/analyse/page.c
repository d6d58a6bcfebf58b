/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: one workload as a page that needs no other file. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/analyse/analyse.h"

static void add_heading(struct lw_strbuf *sb, const char *text)
{
	lw_strbuf_add(sb, "<h2>");
	lw_chart_add_text(sb, text);
	lw_strbuf_add(sb, "</h2>\n");
}

static void add_cell(struct lw_strbuf *sb, const char *tag, const char *text)
{
	lw_strbuf_add(sb, "<%s>", tag);
	lw_chart_add_text(sb, text);
	lw_strbuf_add(sb, "</%s>", tag);
}

static void add_row(struct lw_strbuf *sb, const char *tag, const char *const *cells,
		    uint32_t count)
{
	lw_strbuf_add(sb, "<tr>");
	for (uint32_t i = 0; i < count; i++)
		add_cell(sb, tag, cells[i]);
	lw_strbuf_add(sb, "</tr>\n");
}

#define ADD_ROW(sb, tag, ...)                                                                    \
	do {                                                                                     \
		const char *const cells_[] = { __VA_ARGS__ };                                    \
		add_row(sb, tag, cells_, sizeof(cells_) / sizeof(cells_[0]));                    \
	} while (0)

static void add_about(const struct lw_ana_result *result, struct lw_strbuf *sb)
{
	const struct lw_analysis *a = &result->analysis;

	lw_strbuf_add(sb, "<p>%s that ran, submitted within %s", lw_ana_count(a->all.jobs, "job"),
		      lw_ana_seconds((double)a->arrivals.span_s));
	if (a->people[LW_BY_USER].count)
		lw_strbuf_add(sb, " by %s",
			      lw_ana_count(a->people[LW_BY_USER].count,
					   result->input.accounts_as_users ? "account" : "user"));
	if (a->load.machine > 0)
		lw_strbuf_add(sb, ", on %s%s",
			      lw_ana_count(a->load.machine, lw_joblog_unit_name(a->unit)),
			      a->load.machine_is_peak ? " (the most in use at a time)" : "");
	lw_strbuf_add(sb, ". They held %s %s-hours.", lw_ana_hours(a->all.area_s),
		      lw_joblog_unit_name(a->unit));
	if (a->unit == LW_JOBLOG_GPUS)
		lw_strbuf_add(sb, " Small is one GPU, middle up to eight, large more.");
	else
		lw_strbuf_add(sb,
			      " Small is up to %" PRIu64 " %ss, a tenth of the machine, middle "
			      "up to %" PRIu64 ", large more.",
			      a->bounds.small, lw_joblog_unit_name(a->unit), a->bounds.middle);
	lw_strbuf_add(sb, "</p>\n");
}

/* A line does not end between a number and its %. */
static void add_prose(struct lw_strbuf *sb, const char *text)
{
	char part[512];
	const char *at;

	while ((at = strstr(text, " %")) && (size_t)(at - text) < sizeof(part)) {
		snprintf(part, sizeof(part), "%.*s", (int)(at - text), text);
		lw_chart_add_text(sb, part);
		lw_strbuf_add(sb, "&nbsp;%%");
		text = at + 2;
	}
	lw_chart_add_text(sb, text);
}

static void add_questions(const struct lw_ana_result *result, struct lw_strbuf *sb)
{
	add_heading(sb, "Seven questions");
	for (uint32_t i = 0; i < LW_QUESTIONS; i++) {
		const struct lw_question *question = &result->questions[i];

		lw_strbuf_add(sb, "<p><b>");
		lw_chart_add_text(sb, question->text);
		lw_strbuf_add(sb, " %s.</b> ", lw_reply_name(question->reply));
		add_prose(sb, question->answer);
		lw_strbuf_add(sb, "</p>\n");
	}
	lw_strbuf_add(sb,
		      "<p><span class=\"sd\">The questions follow Zhang, Raj, Xie, Di and Dai, "
		      "Cross-system analysis of job characterization and scheduling in "
		      "large-scale computing clusters, IPDPS 2024.</span></p>\n");
}

static void add_slice(struct lw_strbuf *sb, const char *name, const struct lw_slice *slice,
		      const struct lw_slice *all)
{
	if (slice->jobs)
		ADD_ROW(sb, "td", name, lw_ana_of(slice->jobs, all->jobs),
			lw_ana_of(slice->area_s, all->area_s), lw_ana_seconds(slice->run.median),
			lw_ana_seconds(slice->wait.median), lw_ana_seconds(slice->wait.mean),
			lw_ana_percent(lw_slice_lost_share(slice)));
}

static void add_classes(const struct lw_analysis *a, struct lw_strbuf *sb)
{
	add_heading(sb, "By class");
	lw_page_table(sb);
	lw_strbuf_add(sb, "<thead>");
	ADD_ROW(sb, "th", "", "jobs", "time held", "median run", "median wait", "mean wait",
		"not complete");
	lw_strbuf_add(sb, "</thead>\n");
	add_slice(sb, "all", &a->all, &a->all);
	for (uint32_t s = 0; s < LW_SIZES; s++)
		add_slice(sb, lw_size_name((enum lw_size_class)s), &a->size[s], &a->all);
	for (uint32_t l = 0; l < LW_LENGTHS; l++)
		add_slice(sb, lw_length_name((enum lw_length_class)l), &a->length[l], &a->all);
	for (uint32_t o = 0; o < LW_OUTCOME_UNKNOWN; o++)
		add_slice(sb, lw_outcome_name((enum lw_outcome)o), &a->outcome[o], &a->all);
	if (a->kind[LW_JOBLOG_UNTAGGED].jobs < a->all.jobs) {
		add_slice(sb, "deep learning", &a->kind[LW_JOBLOG_DEEP], &a->all);
		add_slice(sb, "others", &a->kind[LW_JOBLOG_OTHER], &a->all);
		add_slice(sb, "untagged", &a->kind[LW_JOBLOG_UNTAGGED], &a->all);
	}
	lw_page_table_end(sb);
}

static void add_people(const struct lw_ana_result *result, enum lw_people_by by,
		       const char *title, struct lw_strbuf *sb)
{
	const struct lw_people *people = &result->analysis.people[by];

	if (people->count < 2 || (by == LW_BY_ACCOUNT && result->input.accounts_as_users))
		return;
	lw_page_table(sb);
	lw_strbuf_add(sb, "<thead>");
	ADD_ROW(sb, "th", title, "jobs", "time held", "not complete", "of the limit used");
	lw_strbuf_add(sb, "</thead>\n");
	for (uint32_t i = 0; i < people->top_count; i++) {
		const struct lw_person *person = &people->top[i];

		ADD_ROW(sb, "td", lw_ana_input_name(&result->input, by, person->number),
			lw_ana_number(person->jobs),
			lw_ana_of(person->area_s, result->analysis.all.area_s),
			lw_ana_of(person->lost, person->known),
			lw_ana_of(person->run_s, person->limit_s));
	}
	lw_page_table_end(sb);
	lw_strbuf_add(sb, "<p>The %" PRIu32 " that hold most, of %" PRIu32 ".</p>\n",
		      people->top_count, people->count);
}

static void add_steps(const struct lw_analysis *a, struct lw_strbuf *sb)
{
	if (!a->steps[LW_STEPS_USER].count)
		return;
	lw_page_table(sb);
	lw_strbuf_add(sb, "<thead>");
	ADD_ROW(sb, "th", "beside the job before", "jobs", "run times", "within", "same end",
		"by chance");
	lw_strbuf_add(sb, "</thead>\n");
	for (int kind = 0; kind < LW_STEPS_KINDS; kind++) {
		const struct lw_steps *steps = &a->steps[kind];

		if (steps->count)
			ADD_ROW(sb, "td", lw_ana_steps_word((enum lw_steps_of)kind),
				lw_ana_number(steps->count), lw_ana_ratio(steps->run),
				lw_ana_ratio(steps->within), lw_ana_percent(steps->same_end),
				lw_ana_percent(steps->chance_end));
	}
	lw_page_table_end(sb);
	lw_strbuf_add(sb, "<p>Run times: the correlation of their ranks, 1 if a longer run always "
			  "follows a longer one. Within: the mean over users.</p>\n");
}

static void add_section(const struct lw_ana_result *result, enum lw_ana_section section,
			const char *title, struct lw_strbuf *sb)
{
	struct lw_charts charts;

	lw_ana_charts(result, section, &charts);
	if (charts.count) {
		add_heading(sb, title);
		lw_page_charts(sb, &charts);
	}
	lw_charts_fini(&charts);
}

static void add_what_if(const struct lw_ana_result *result, struct lw_strbuf *sb)
{
	if (!result->what_if)
		return;
	add_heading(sb, "What would help here");
	lw_ana_what_if_table(result->what_if, sb);
}

void lw_ana_page(const struct lw_ana_result *result, struct lw_strbuf *sb)
{
	char title[128];

	snprintf(title, sizeof(title), "Workload: %s", result->input.label);
	lw_page_begin(sb, title);
	add_about(result, sb);
	add_questions(result, sb);
	add_classes(&result->analysis, sb);
	add_what_if(result, sb);
	add_section(result, ANA_GEOMETRY, "What jobs are like", sb);
	add_section(result, ANA_USE, "The machine, and who waits", sb);
	add_section(result, ANA_OUTCOMES, "How jobs end", sb);
	add_section(result, ANA_TIME, "What the time tells that a job has run", sb);
	add_section(result, ANA_USERS, "What users do", sb);
	add_steps(&result->analysis, sb);
	add_heading(sb, "Who holds the machine");
	add_people(result, LW_BY_USER, result->input.accounts_as_users ? "account" : "user", sb);
	add_people(result, LW_BY_ACCOUNT, "account", sb);
	add_people(result, LW_BY_PARTITION, "partition", sb);
	add_people(result, LW_BY_NAME, "job name", sb);
	lw_page_end(sb);
}
