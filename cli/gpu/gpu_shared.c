/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs shared a GPU, and what it cost, in tables and JSON. */
#include "cli/gpu/gpu_shared.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/strbuf.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"

/* ---- by the summary ---- */

/* As many as the line holds; JSON has all. */
#define SHOWN 4

void lw_gpu_shared_who(const struct lw_summary_word *word, char *buf, size_t size)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;

	buf[0] = '\0';
	if (!word->shared)
		return;
	lw_strbuf_add(&sb, "%s",
		      word->with_count ? "shared with" : "could be shared, but no job came");
	for (uint32_t i = 0; i < word->with_count && i < SHOWN; i++)
		lw_strbuf_add(&sb, "%s %" PRIu32, i ? "," : "", word->with[i]);
	if (word->with_count > SHOWN)
		lw_strbuf_add(&sb, " ...");
	snprintf(buf, size, "%s", lw_strbuf_text(&sb));
	lw_strbuf_fini(&sb);
}

void lw_gpu_shared_cost(const struct lw_summary_word *word, char *buf, size_t size)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;
	bool has_sm = word->has_sm || word->has_dsm;

	buf[0] = '\0';
	if (!word->shared)
		return;
	if (has_sm)
		lw_strbuf_add(&sb, "SM");
	if (word->has_sm)
		lw_strbuf_add(&sb, " %" PRIu32 " %% alone", word->sm_percent);
	if (word->has_dsm)
		lw_strbuf_add(&sb, "%s %" PRIu32 " %% together", word->has_sm ? "," : "",
			      word->dsm_percent);
	if (word->has_dutil)
		lw_strbuf_add(&sb, "%sall tenants %" PRIu32 " %% of the time", has_sm ? "; " : "",
			      word->dutil_percent);
	snprintf(buf, size, "%s", lw_strbuf_text(&sb));
	lw_strbuf_fini(&sb);
}

static json_t *if_known(bool known, uint32_t value)
{
	return known ? json_integer((json_int_t)value) : json_null();
}

json_t *lw_gpu_shared_json(const struct lw_summary_word *word)
{
	json_t *with;

	if (!word->shared)
		return json_null();
	with = json_array();
	for (uint32_t i = 0; i < word->with_count; i++)
		json_array_append_new(with, json_integer((json_int_t)word->with[i]));
	return json_pack("{s:I, s:o, s:o, s:o, s:o}", "gpus", (json_int_t)word->shared, "with",
			 with, "sm_alone", if_known(word->has_sm, word->sm_percent),
			 "sm_together", if_known(word->has_dsm, word->dsm_percent),
			 "util_together", if_known(word->has_dutil, word->dutil_percent));
}

/* ---- by the records ---- */

/* METRIC of a GPU over the buckets with other jobs there, or without any. */
static struct lw_stat over(const struct lw_record *record, uint32_t gpu, enum lw_metric metric,
			   bool together)
{
	struct lw_stat sum = { 0 };

	for (uint32_t i = 0; i < record->bucket_count; i++) {
		const struct lw_gpu_bucket *bucket = lw_record_at(record, i, gpu);
		bool others = 2 * bucket->stat[LW_METRIC_DUTIL].count > bucket->samples;

		if (others == together)
			lw_stat_add(&sum, &bucket->stat[metric]);
	}
	return sum;
}

static void print_means(const char *what, const struct lw_stat *alone,
			const struct lw_stat *together)
{
	printf("  %-26s", what);
	if (alone->count)
		printf(" %3" PRIu32 " %% alone", lw_stat_mean(alone));
	if (together->count)
		printf(" %3" PRIu32 " %% together", lw_stat_mean(together));
	printf("%s\n", alone->count || together->count ? "" : " is not told apart");
}

static void print_cost(const struct lw_record *record, uint32_t gpu)
{
	struct lw_stat alone = over(record, gpu, LW_METRIC_UTIL, false);
	struct lw_stat together = over(record, gpu, LW_METRIC_UTIL, true);

	print_means("its own utilisation", &alone, &together);
	alone = over(record, gpu, LW_METRIC_SM, false);
	together = over(record, gpu, LW_METRIC_DSM, true);
	if (alone.count || together.count)
		print_means("the GPU's SM activity", &alone, &together);
}

static void print_clock(int64_t at_s)
{
	time_t at = (time_t)at_s;
	struct tm tm;
	char text[32] = "?";

	if (localtime_r(&at, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	printf("%s", text);
}

static void print_neighbours(const struct lw_record *record, uint32_t gpu)
{
	const struct lw_record_company *company = &record->head.company;
	bool any = false;

	for (uint32_t i = 0; i < company->neighbour_count; i++) {
		const struct lw_record_neighbour *one = &company->neighbour[i];

		if (one->gpu != gpu)
			continue;
		printf("%-10s %3" PRIu32 " shared with job %" PRIu32 ", seen ",
		       lw_tools_plain(record->head.node), record->head.gpu[gpu].index,
		       one->job_id);
		print_clock(one->from_s);
		printf(" to ");
		print_clock(one->to_s);
		printf("\n");
		any = true;
	}
	if (!any)
		printf("%-10s %3" PRIu32 " could be shared, but no job came\n",
		       lw_tools_plain(record->head.node), record->head.gpu[gpu].index);
}

/* Of one that this release does not know, the word itself. */
static const char *event_text(const char *word)
{
	static const struct {
		const char *word, *text;
	} events[] = {
		{ "warned", "warned that memory ran short" },
		{ "left-memory", "ended, since memory ran out" },
		{ "left-owner", "ended: its owner worked again" },
		{ "left-alone", "ended: its owner had ended" },
		{ "left-blind", "ended: its owner was not seen" },
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (!strcmp(word, events[i].word))
			return events[i].text;
	return word;
}

static void print_events(const struct lw_record_company *company)
{
	for (uint32_t i = 0; i < company->event_count; i++) {
		print_clock(company->event[i].at_s);
		printf("  %s: %" PRIu32 " MiB of the GPU in use\n",
		       lw_tools_plain(event_text(company->event[i].word)),
		       company->event[i].mem_mib);
	}
}

void lw_gpu_print_company(const struct lw_record_list *list)
{
	bool begun = false;

	for (uint32_t i = 0; i < list->count; i++) {
		const struct lw_record *record = list->records[i];

		if (!record->head.shared && !record->head.company.event_count)
			continue;
		if (!begun)
			printf("\n");
		begun = true;
		for (uint32_t g = 0; record->head.shared && g < record->head.gpu_count; g++) {
			print_neighbours(record, g);
			print_cost(record, g);
		}
		print_events(&record->head.company);
	}
}

void lw_gpu_set_company(json_t *o, const struct lw_record *record)
{
	const struct lw_record_company *company = &record->head.company;
	json_t *neighbours = json_array(), *events = json_array();

	for (uint32_t i = 0; i < company->neighbour_count; i++) {
		const struct lw_record_neighbour *one = &company->neighbour[i];

		json_array_append_new(neighbours,
				      json_pack("{s:I, s:I, s:I, s:I}", "gpu",
						(json_int_t)record->head.gpu[one->gpu].index,
						"job", (json_int_t)one->job_id, "from_s",
						(json_int_t)one->from_s, "to_s",
						(json_int_t)one->to_s));
	}
	for (uint32_t i = 0; i < company->event_count; i++)
		json_array_append_new(
			events,
			json_pack("{s:I, s:o, s:I}", "time_s", (json_int_t)company->event[i].at_s,
				  "event", lw_output_string(company->event[i].word), "memory_mib",
				  (json_int_t)company->event[i].mem_mib));
	json_object_set_new(o, "shared", json_boolean(record->head.shared));
	json_object_set_new(o, "neighbours", neighbours);
	json_object_set_new(o, "events", events);
}
