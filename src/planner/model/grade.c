/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: nodes by the weights that the site gave them: lower ones are used first. */
#include "planner/model/grade.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void lw_grades_fini(struct lw_grades *grades)
{
	for (uint32_t t = 0; t < grades->count; t++)
		lw_bitset_fini(&grades->upto[t]);
	free(grades->of);
	memset(grades, 0, sizeof(*grades));
}

static bool grade_all_the_same(const uint64_t *weights, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		if (weights[i] != weights[0])
			return false;
	}
	return true;
}

static int grade_by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The least weight of each grade. */
static uint32_t grade_find_floors(uint64_t *sorted, uint32_t count,
				  uint64_t floors[LW_GRADES_MAX])
{
	uint32_t grades = 0;

	qsort(sorted, count, sizeof(*sorted), grade_by_value);
	for (uint32_t i = 0; i < count && grades < LW_GRADES_MAX; i++) {
		if (!grades || sorted[i] != floors[grades - 1])
			floors[grades++] = sorted[i];
	}
	return grades;
}

static uint32_t grade_of(const uint64_t *floors, uint32_t grades, uint64_t weight)
{
	uint32_t grade = grades - 1;

	while (grade && weight < floors[grade])
		grade--;
	return grade;
}

static int grade_fill(struct lw_grades *grades, const uint64_t *weights, uint32_t count,
		      const uint64_t *floors, uint32_t grade_count)
{
	for (; grades->count < grade_count; grades->count++) {
		if (lw_bitset_init(&grades->upto[grades->count], count))
			return -ENOMEM;
	}
	for (uint32_t i = 0; i < count; i++) {
		grades->of[i] = (uint8_t)grade_of(floors, grade_count, weights[i]);
		lw_bitset_set(&grades->upto[grades->of[i]], i);
	}
	for (uint32_t t = 1; t < grade_count; t++)
		lw_bitset_or(&grades->upto[t], &grades->upto[t - 1]);
	return 0;
}

int lw_grades_make(struct lw_grades *grades, const uint64_t *weights, uint32_t count)
{
	uint64_t floors[LW_GRADES_MAX], *sorted;
	int rc = -ENOMEM;

	lw_grades_fini(grades);
	if (grade_all_the_same(weights, count))
		return 0;
	sorted = malloc(count * sizeof(*sorted));
	grades->of = malloc(count * sizeof(*grades->of));
	if (sorted && grades->of) {
		memcpy(sorted, weights, count * sizeof(*sorted));
		rc = grade_fill(grades, weights, count, floors,
				grade_find_floors(sorted, count, floors));
	}
	free(sorted);
	if (rc)
		lw_grades_fini(grades);
	return rc;
}
