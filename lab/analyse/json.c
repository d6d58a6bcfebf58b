/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: one workload as JSON. */
#include <math.h>

#include "cli/common/output.h"
#include "lab/analyse/analyse.h"

/* Null for what is not known; doubles that are whole stay whole for the reader. */
static void put_real(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, lw_output_real(value));
}

static void put_count(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new(object, key, json_integer((json_int_t)value));
}

static json_t *json_dist(const struct lw_dist *dist)
{
	json_t *o = json_object();

	put_count(o, "count", dist->count);
	put_real(o, "mean", dist->mean);
	put_real(o, "least", dist->least);
	put_real(o, "p10", dist->p10);
	put_real(o, "p25", dist->p25);
	put_real(o, "median", dist->median);
	put_real(o, "p75", dist->p75);
	put_real(o, "p90", dist->p90);
	put_real(o, "p99", dist->p99);
	put_real(o, "most", dist->most);
	return o;
}

static json_t *json_slice(const struct lw_slice *slice, const char *name)
{
	json_t *o = json_object(), *outcomes = json_object(), *areas = json_object();

	if (name)
		json_object_set_new(o, "name", json_string(name));
	put_count(o, "jobs", slice->jobs);
	put_real(o, "held_s", slice->area_s);
	json_object_set_new(o, "run_s", json_dist(&slice->run));
	json_object_set_new(o, "wait_s", json_dist(&slice->wait));
	json_object_set_new(o, "size", json_dist(&slice->size));
	for (uint32_t i = 0; i < LW_OUTCOMES; i++) {
		put_count(outcomes, lw_outcome_name((enum lw_outcome)i), slice->outcome[i]);
		put_real(areas, lw_outcome_name((enum lw_outcome)i), slice->outcome_area_s[i]);
	}
	json_object_set_new(o, "outcomes", outcomes);
	json_object_set_new(o, "outcomes_held_s", areas);
	put_real(o, "not_complete_share", lw_slice_lost_share(slice));
	return o;
}

static json_t *json_counts(const uint32_t *counts, uint32_t n)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < n; i++)
		json_array_append_new(list, json_integer(counts[i]));
	return list;
}

static json_t *json_reals(const double *values, uint32_t n)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < n; i++)
		json_array_append_new(list, lw_output_real(values[i]));
	return list;
}

static json_t *json_arrivals(const struct lw_arrivals *arrivals)
{
	json_t *o = json_object();

	put_count(o, "span_s", (uint64_t)arrivals->span_s);
	json_object_set_new(o, "between_s", json_dist(&arrivals->gap));
	json_object_set_new(o, "hour",
			    arrivals->has_clock ? json_counts(arrivals->hour, LW_HOURS)
						: json_null());
	json_object_set_new(o, "weekday",
			    arrivals->has_weekday ? json_counts(arrivals->weekday, LW_WEEKDAYS)
						  : json_null());
	return o;
}

static json_t *json_load(const struct lw_load *load)
{
	json_t *o = json_object();

	json_object_set_new(o, "waits_known", json_boolean(load->has_waits));
	put_real(o, "machine", load->machine > 0 ? load->machine : NAN);
	json_object_set_new(o, "machine_is_peak", json_boolean(load->machine_is_peak));
	put_real(o, "peak", load->peak);
	put_real(o, "offered_share", load->offered);
	put_real(o, "utilisation", load->utilisation);
	put_real(o, "above_machine_share", load->above_share);
	put_real(o, "waiting_share", load->waiting_share);
	put_real(o, "utilisation_while_waiting", load->use_waiting);
	put_real(o, "below_four_fifths_while_waiting_share", load->slack_share);
	put_real(o, "queue_mean", load->queue_mean);
	put_real(o, "queue_most", load->has_waits ? load->queue_most : NAN);
	return o;
}

static json_t *json_limits(const struct lw_limits *limits)
{
	json_t *o = json_object();

	put_count(o, "jobs", limits->jobs);
	json_object_set_new(o, "used", json_dist(&limits->used));
	json_object_set_new(o, "parts", json_counts(limits->part, LW_LIMIT_PARTS));
	put_real(o, "used_total", limits->used_total);
	put_count(o, "reached", limits->reached);
	put_count(o, "different", limits->values);
	put_real(o, "top20_share", limits->top_share);
	return o;
}

static json_t *json_repeat(const struct lw_repeat *repeat)
{
	json_t *o = json_object();

	put_count(o, "users", repeat->users);
	put_count(o, "jobs", repeat->jobs);
	json_object_set_new(o, "top_groups_share", json_reals(repeat->top, LW_REPEAT_GROUPS));
	json_object_set_new(o, "top_groups_mean", json_reals(repeat->mean, LW_REPEAT_GROUPS));
	json_object_set_new(o, "top_requests_share",
			    json_reals(repeat->request, LW_REPEAT_GROUPS));
	put_real(o, "same_request_share", repeat->same_request);
	put_real(o, "near_run_share", repeat->near_run);
	return o;
}

static json_t *json_steps(const struct lw_steps *steps)
{
	json_t *o = json_object();

	put_count(o, "steps", steps->count);
	put_real(o, "run_correlation", steps->run);
	put_real(o, "run_correlation_within", steps->within);
	put_count(o, "within_of", steps->users);
	put_count(o, "ends_known", steps->ends);
	put_real(o, "same_end_share", steps->same_end);
	put_real(o, "same_end_by_chance_share", steps->chance_end);
	return o;
}

static json_t *json_behaviour(const struct lw_behaviour *behaviour)
{
	json_t *o = json_object(), *list = json_array();

	for (uint32_t q = 0; behaviour->known && q < LW_QUEUES; q++) {
		json_t *slice = json_slice(&behaviour->queue[q], NULL);

		put_count(slice, "waiting_upto", behaviour->upto[q]);
		json_object_set_new(slice, "by_length",
				    json_counts(behaviour->queue[q].by_length, LW_LENGTHS));
		json_object_set_new(slice, "by_size",
				    json_counts(behaviour->queue[q].by_size, LW_SIZES));
		json_array_append_new(list, slice);
	}
	json_object_set_new(o, "queues", list);
	put_count(o, "users", behaviour->users);
	put_real(o, "run_ratio", behaviour->run_ratio);
	put_real(o, "size_ratio", behaviour->size_ratio);
	return o;
}

static json_t *json_elapsed(const struct lw_elapsed *elapsed)
{
	json_t *o = json_object(), *times = json_array(), *looks = json_array();

	for (uint32_t t = 0; t < LW_ELAPSED_TIMES; t++) {
		const struct lw_elapsed_time *time = &elapsed->times[t];
		json_t *item = json_object();

		put_count(item, "after_s", (uint64_t)time->after_s);
		put_count(item, "running", time->running);
		for (uint32_t i = 0; i < LW_OUTCOME_UNKNOWN; i++)
			put_real(item, lw_outcome_name((enum lw_outcome)i), time->outcome[i]);
		put_real(item, "left_median_s", time->left_median_s);
		put_real(item, "left_mean_s", time->left_mean_s);
		json_array_append_new(times, item);
	}
	for (uint32_t l = 0; l < LW_ELAPSED_LOOKS; l++) {
		const struct lw_elapsed_look *look = &elapsed->looks[l];
		json_t *item = json_object();

		put_real(item, "after_s", look->after_s);
		put_count(item, "jobs", look->jobs);
		put_real(item, "accuracy_not_knowing", look->accuracy_blind);
		put_real(item, "accuracy", look->accuracy);
		put_real(item, "too_short_not_knowing", look->below_blind);
		put_real(item, "too_short", look->below);
		json_array_append_new(looks, item);
	}
	json_object_set_new(o, "times", times);
	json_object_set_new(o, "guesses", looks);
	return o;
}

static json_t *json_people(const struct lw_ana_input *input, const struct lw_people *people,
			   enum lw_people_by by)
{
	json_t *o = json_object(), *list = json_array();

	for (uint32_t i = 0; i < people->top_count; i++) {
		const struct lw_person *person = &people->top[i];
		json_t *item = json_object();

		json_object_set_new(
			item, "name",
			lw_output_string(lw_ana_input_name(input, by, person->number)));
		put_count(item, "jobs", person->jobs);
		put_real(item, "held_s", person->area_s);
		put_real(item, "not_complete_share", lw_share(person->lost, person->known));
		put_real(item, "limit_used_share", lw_share(person->run_s, person->limit_s));
		json_array_append_new(list, item);
	}
	put_count(o, "count", people->count);
	put_count(o, "jobs_of_nobody", people->nobody);
	put_real(o, "top_tenth_held_share", people->tenth_area);
	put_real(o, "top_tenth_jobs_share", people->tenth_jobs);
	json_object_set_new(o, "largest", list);
	return o;
}

static json_t *json_gpu(const struct lw_gpu_report *gpu)
{
	json_t *o = json_object();

	put_count(o, "recorded", gpu->recorded);
	json_object_set_new(o, "utilisation_percent", json_dist(&gpu->util));
	put_real(o, "utilisation_percent_held", gpu->util_area);
	json_object_set_new(o, "parts_held_share", json_reals(gpu->part_area, LW_GPU_PARTS));
	put_count(o, "asked", gpu->asked);
	put_count(o, "asked_for_a_part", gpu->shared);
	put_real(o, "asked_mean_milli", gpu->milli_mean);
	return o;
}

static json_t *json_questions(const struct lw_question *questions)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < LW_QUESTIONS; i++)
		json_array_append_new(list,
				      json_pack("{s:s, s:s, s:s, s:s}", "key", questions[i].key,
						"question", questions[i].text, "reply",
						lw_reply_name(questions[i].reply), "answer",
						questions[i].answer));
	return list;
}

static json_t *json_classes(const struct lw_analysis *a)
{
	json_t *o = json_object(), *sizes = json_array(), *lengths = json_array(),
	       *outcomes = json_array(), *kinds = json_array();
	static const char *const kind_names[LW_JOBLOG_KINDS] = { "deep learning", "others",
								 "untagged" };

	for (uint32_t s = 0; s < LW_SIZES; s++)
		json_array_append_new(
			sizes, json_slice(&a->size[s], lw_size_name((enum lw_size_class)s)));
	for (uint32_t l = 0; l < LW_LENGTHS; l++)
		json_array_append_new(
			lengths,
			json_slice(&a->length[l], lw_length_name((enum lw_length_class)l)));
	for (uint32_t i = 0; i < LW_OUTCOMES; i++)
		json_array_append_new(outcomes, json_slice(&a->outcome[i],
							   lw_outcome_name((enum lw_outcome)i)));
	for (uint32_t k = 0; k < LW_JOBLOG_KINDS; k++)
		json_array_append_new(kinds, json_slice(&a->kind[k], kind_names[k]));
	put_count(o, "small_upto", a->bounds.small);
	put_count(o, "middle_upto", a->bounds.middle);
	json_object_set_new(o, "by_size", sizes);
	json_object_set_new(o, "by_length", lengths);
	json_object_set_new(o, "by_outcome", outcomes);
	json_object_set_new(o, "by_kind", kinds);
	return o;
}

json_t *lw_ana_json(const struct lw_ana_result *result)
{
	const struct lw_analysis *a = &result->analysis;
	json_t *o = json_object(), *people = json_object();

	json_object_set_new(o, "name", lw_output_string(result->input.label));
	json_object_set_new(o, "unit", json_string(lw_joblog_unit_name(a->unit)));
	json_object_set_new(o, "accounts_as_users",
			    json_boolean(result->input.accounts_as_users));
	json_object_set_new(o, "left_out",
			    json_pack("{s:I, s:I, s:I, s:I}", "unknown",
				      (json_int_t)result->input.unknown, "never_ran",
				      (json_int_t)result->input.never_ran, "unfinished",
				      (json_int_t)result->input.unfinished, "bad_lines",
				      (json_int_t)result->input.bad));
	json_object_set_new(o, "all", json_slice(&a->all, NULL));
	json_object_set_new(o, "classes", json_classes(a));
	json_object_set_new(o, "arrivals", json_arrivals(&a->arrivals));
	json_object_set_new(o, "load", json_load(&a->load));
	json_object_set_new(o, "limits", json_limits(&a->limits));
	json_object_set_new(o, "repetition", json_repeat(&a->repeat));
	json_object_set_new(o, "steps",
			    json_pack("{s:o, s:o}", "user", json_steps(&a->steps[LW_STEPS_USER]),
				      "user_and_name", json_steps(&a->steps[LW_STEPS_NAME])));
	json_object_set_new(o, "behaviour", json_behaviour(&a->behaviour));
	json_object_set_new(o, "elapsed", json_elapsed(&a->elapsed));
	json_object_set_new(o, "gpus", json_gpu(&a->gpu));
	for (uint32_t by = 0; by < LW_PEOPLE_KINDS; by++)
		json_object_set_new(
			people, lw_ana_people_word((enum lw_people_by)by),
			json_people(&result->input, &a->people[by], (enum lw_people_by)by));
	json_object_set_new(o, "people", people);
	json_object_set_new(o, "questions", json_questions(result->questions));
	json_object_set_new(o, "what_if",
			    result->what_if ? lw_ana_what_if_json(result->what_if) : json_null());
	return o;
}
