/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of base/duedate. */
#include "base/duedate.h"

#include "unit/unit.h"

#include <stdlib.h>
#include <time.h>

#define TEN INT64_C(36000) /* o'clock */

static const struct {
	struct lw_duedate due;
	const char *text; /* NULL: it can be met */
} vectors[] = {
	{ { TEN, 0, 0, 60, 0 }, NULL },
	{ { TEN, 0, TEN + 3600, 60, 0 }, NULL },
	{ { TEN, 0, TEN + 3599, 60, 0 },
	  "leeway: the deadline 1970-01-01T10:59:59 cannot be met: with a time limit of 60 minutes "
	  "the job would end at 1970-01-01T11:00:00 at the earliest" },
	/* nobody knows how long it may run */
	{ { TEN, 0, TEN + 1, 0, 0 }, NULL },
	{ { TEN, 0, TEN - 1, 0, 0 },
	  "leeway: the deadline 1970-01-01T09:59:59 cannot be met: the job does not begin before "
	  "1970-01-01T10:00:00" },
	/* it can do with less */
	{ { TEN, 0, TEN + 600, 60, 10 }, NULL },
	{ { TEN, 0, TEN + 599, 60, 10 },
	  "leeway: the deadline 1970-01-01T10:09:59 cannot be met: with a least time of 10 minutes "
	  "the job would end at 1970-01-01T10:10:00 at the earliest" },
	/* it does not begin before */
	{ { TEN, TEN + 60, TEN + 3600, 60, 0 },
	  "leeway: the deadline 1970-01-01T11:00:00 cannot be met: with a time limit of 60 minutes "
	  "the job would end at 1970-01-01T11:01:00 at the earliest" },
	{ { TEN, TEN - 60, TEN + 3600, 60, 0 }, NULL },
};

TEST_EACH(what_cannot_be_met_is_told, LW_COUNT_OF(vectors))
{
	char text[LW_DUEDATE_TEXT_MAX] = "";

	setenv("TZ", "UTC", 1);
	tzset();
	ck_assert_int_eq(lw_duedate_fails(&vectors[_i].due, text), vectors[_i].text != NULL);
	ck_assert_str_eq(text, vectors[_i].text ? vectors[_i].text : "");
}
