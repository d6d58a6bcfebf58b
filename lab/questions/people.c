/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the holders of the machine: users, accounts, names or partitions, largest first. */
#include "lab/questions/people.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lab/questions/dist.h"

static uint32_t number_of(const struct lw_joblog_job *job, enum lw_people_by by)
{
	switch (by) {
	case LW_BY_USER:
		return job->user;
	case LW_BY_ACCOUNT:
		return job->account;
	case LW_BY_NAME:
		return job->name;
	default:
		return job->partition;
	}
}

static int compare_people(const void *left, const void *right)
{
	const struct lw_person *a = left, *b = right;

	if (a->area_s < b->area_s || a->area_s > b->area_s)
		return a->area_s > b->area_s ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static void person_add(struct lw_person *person, const struct lw_joblog_job *job)
{
	bool known = job->outcome != LW_OUTCOME_UNKNOWN;

	person->jobs++;
	person->area_s += lw_joblog_area_s(job);
	person->known += known;
	person->lost += known && job->outcome != LW_OUTCOME_COMPLETED;
	if (job->limit_s > 0) {
		person->run_s += (double)job->run_s;
		person->limit_s += (double)job->limit_s;
	}
}

/* Numbers may be any, so they are few in a table of as many as the largest: no hash is needed. */
static struct lw_person *list_all(const struct lw_joblog *log, enum lw_people_by by,
				  uint32_t *ret_n)
{
	struct lw_person *list;
	uint32_t n = 0, kept = 0;

	for (uint32_t i = 0; i < log->count; i++) {
		uint32_t number = number_of(&log->jobs[i], by);

		if (number != LW_JOBLOG_NOBODY && number >= n)
			n = number + 1;
	}
	list = calloc((size_t)n + 1, sizeof(*list));
	if (!list)
		return NULL;
	for (uint32_t i = 0; i < log->count; i++) {
		uint32_t number = number_of(&log->jobs[i], by);

		if (number == LW_JOBLOG_NOBODY)
			continue;
		list[number].number = number;
		person_add(&list[number], &log->jobs[i]);
	}
	for (uint32_t i = 0; i < n; i++)
		if (list[i].jobs)
			list[kept++] = list[i];
	*ret_n = kept;
	return list;
}

static void people_sum(struct lw_people *people, const struct lw_person *list)
{
	uint32_t tenth = (people->count + 9) / 10;
	double area_s = 0, jobs = 0, top_area_s = 0, top_jobs = 0;

	for (uint32_t i = 0; i < people->count; i++) {
		area_s += list[i].area_s;
		jobs += list[i].jobs;
		if (i < tenth) {
			top_area_s += list[i].area_s;
			top_jobs += list[i].jobs;
		}
	}
	people->tenth_area = lw_share(top_area_s, area_s);
	people->tenth_jobs = lw_share(top_jobs, jobs);
}

int lw_people_of(const struct lw_joblog *log, enum lw_people_by by, struct lw_people *ret_people)
{
	struct lw_people people = { 0 };
	struct lw_person *list = list_all(log, by, &people.count);

	if (!list)
		return -ENOMEM;
	for (uint32_t i = 0; i < log->count; i++)
		people.nobody += number_of(&log->jobs[i], by) == LW_JOBLOG_NOBODY;
	if (people.count)
		qsort(list, people.count, sizeof(*list), compare_people);
	people.top_count = people.count < LW_PEOPLE_TOP ? people.count : LW_PEOPLE_TOP;
	memcpy(people.top, list, people.top_count * sizeof(*list));
	people_sum(&people, list);
	free(list);
	*ret_people = people;
	return 0;
}
