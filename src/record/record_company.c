/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the other jobs on a job's GPUs, and what happened to the job because of them. */
#include "record/record.h"

#include "base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* later than any job's time, and still safe to add to */
#define CLOCK_MAX_S (UINT64_C(1) << 40)

void lw_record_note_neighbour(struct lw_record *record, uint32_t gpu, uint32_t job_id,
			      int64_t now_s)
{
	struct lw_record_company *company = &record->head.company;

	for (uint32_t i = 0; i < company->neighbour_count; i++) {
		struct lw_record_neighbour *one = &company->neighbour[i];

		if (one->gpu != gpu || one->job_id != job_id)
			continue;
		if (now_s > one->to_s)
			one->to_s = now_s;
		if (now_s < one->from_s)
			one->from_s = now_s;
		return;
	}
	if (company->neighbour_count == LW_RECORD_NEIGHBOURS_MAX)
		return;
	company->neighbour[company->neighbour_count++] =
		(struct lw_record_neighbour){ gpu, job_id, now_s, now_s };
	record->reshaped = true;
}

void lw_record_note_event(struct lw_record *record, const struct lw_record_event *event)
{
	struct lw_record_company *company = &record->head.company;

	for (uint32_t i = 0; i < company->event_count; i++)
		if (company->event[i].at_s == event->at_s &&
		    !strcmp(company->event[i].word, event->word))
			return;
	if (company->event_count == LW_RECORD_EVENTS_MAX)
		return;
	company->event[company->event_count++] = *event;
	record->reshaped = true;
}

void lw_record_print_company(const struct lw_record *record, struct lw_strbuf *out)
{
	const struct lw_record_company *company = &record->head.company;

	for (uint32_t i = 0; i < company->neighbour_count; i++) {
		const struct lw_record_neighbour *one = &company->neighbour[i];
		size_t from = out->len;

		lw_strbuf_add(out, "t %" PRIu32 " %" PRIu32 " %" PRId64 " %" PRId64, one->gpu,
			      one->job_id, one->from_s, one->to_s);
		lw_record_end_line(out, from);
	}
	for (uint32_t i = 0; i < company->event_count; i++) {
		const struct lw_record_event *event = &company->event[i];
		size_t from = out->len;

		lw_strbuf_add(out, "n %" PRId64 " %s %" PRIu32, event->at_s, event->word,
			      event->mem_mib);
		lw_record_end_line(out, from);
	}
}

/* A number and the blank behind it, or the end. */
static bool record_company_take_count(const char **at, uint64_t max, uint64_t *ret_value)
{
	if (!lw_number_take(at, max, ret_value) || (**at && **at != ' '))
		return false;
	*at += **at == ' ';
	return true;
}

static bool record_company_read_neighbour(struct lw_record_head *head, const char *at)
{
	struct lw_record_company *company = &head->company;
	uint64_t gpu, job, from_s, to_s;

	if (!record_company_take_count(&at, LW_RECORD_GPUS_MAX - 1, &gpu) ||
	    !record_company_take_count(&at, UINT32_MAX, &job) ||
	    !record_company_take_count(&at, CLOCK_MAX_S, &from_s) ||
	    !record_company_take_count(&at, CLOCK_MAX_S, &to_s) || *at ||
	    gpu >= head->gpu_count || company->neighbour_count == LW_RECORD_NEIGHBOURS_MAX)
		return false;
	company->neighbour[company->neighbour_count++] =
		(struct lw_record_neighbour){ (uint32_t)gpu, (uint32_t)job, (int64_t)from_s,
					      (int64_t)to_s };
	return true;
}

static bool record_company_read_event(struct lw_record_head *head, const char *at)
{
	struct lw_record_company *company = &head->company;
	struct lw_record_event event = { .at_s = 0 };
	uint64_t at_s, mib;
	size_t len;

	if (!record_company_take_count(&at, CLOCK_MAX_S, &at_s))
		return false;
	len = strcspn(at, " ");
	if (!len || len >= sizeof(event.word) || at[len] != ' ' ||
	    company->event_count == LW_RECORD_EVENTS_MAX)
		return false;
	memcpy(event.word, at, len);
	at += len + 1;
	if (!record_company_take_count(&at, UINT32_MAX, &mib) || *at)
		return false;
	event.at_s = (int64_t)at_s;
	event.mem_mib = (uint32_t)mib;
	company->event[company->event_count++] = event;
	return true;
}

bool lw_record_read_company(struct lw_record_head *head, const char *line)
{
	return *line == 't' ? record_company_read_neighbour(head, line + 2)
			    : record_company_read_event(head, line + 2);
}
