/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where in a trace the job of a number is. */
#include "lab/sim/swf_numbers.h"

#include "base/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	const struct lw_swf_number *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Few traces say it of any job. */
static bool says_any(const struct lw_swf *swf)
{
	for (uint32_t i = 0; i < swf->job_count; i++)
		if (swf->jobs[i].preceding > 0)
			return true;
	return false;
}

int lw_swf_numbers_init(struct lw_swf_numbers *numbers, const struct lw_swf *swf)
{
	memset(numbers, 0, sizeof(*numbers));
	if (!says_any(swf))
		return 0;
	numbers->list = calloc(swf->job_count, sizeof(*numbers->list));
	if (!numbers->list)
		return -ENOMEM;
	for (uint32_t i = 0; i < swf->job_count; i++)
		numbers->list[i] = (struct lw_swf_number){ swf->jobs[i].number, i };
	numbers->count = swf->job_count;
	qsort(numbers->list, numbers->count, sizeof(*numbers->list), compare);
	return 0;
}

void lw_swf_numbers_fini(struct lw_swf_numbers *numbers)
{
	free(numbers->list);
	memset(numbers, 0, sizeof(*numbers));
}

uint32_t lw_swf_numbers_before(const struct lw_swf_numbers *numbers, int64_t number,
			       uint32_t place)
{
	const struct lw_swf_number key = { number, place };
	uint32_t at;

	LW_SEARCH(at, numbers->count, compare(&numbers->list[at], &key) < 0);
	return at && numbers->list[at - 1].number == number ? numbers->list[at - 1].place
							    : LW_SWF_NOWHERE;
}
