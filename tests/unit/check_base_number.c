/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of base/number: no number comes out as another. */
#include "base/number.h"

#include "unit/unit.h"


#define UNTOUCHED 77

static const struct {
	const char *text;
	uint64_t max;
	bool taken;
	uint64_t value;
	const char *rest;
} numbers[] = {
	{ "0", 0, true, 0, "" },
	{ "7", 7, true, 7, "" },
	{ "8", 7, false, 0, "8" },
	{ "10", 7, false, 0, "10" },
	{ "007x", 7, true, 7, "x" },
	{ "12:34", 100, true, 12, ":34" },
	{ "4294967295", UINT32_MAX, true, UINT32_MAX, "" },
	{ "4294967296", UINT32_MAX, false, 0, "4294967296" },
	{ "4294967297:2", UINT32_MAX, false, 0, "4294967297:2" },
	{ "18446744073709551615", UINT64_MAX, true, UINT64_MAX, "" },
	{ "18446744073709551616", UINT64_MAX, false, 0, "18446744073709551616" },
	{ "99999999999999999999999", UINT64_MAX, false, 0, "99999999999999999999999" },
	{ "", 9, false, 0, "" },
	{ " 1", 9, false, 0, " 1" },
	{ "+1", 9, false, 0, "+1" },
	{ "-1", 9, false, 0, "-1" },
	{ "x1", 9, false, 0, "x1" },
};

TEST_EACH(takes_what_fits, LW_COUNT_OF(numbers))
{
	const char *at = numbers[_i].text;
	uint64_t value = UNTOUCHED;
	bool taken = lw_number_take(&at, numbers[_i].max, &value);

	ck_assert_int_eq(taken, numbers[_i].taken);
	ck_assert_uint_eq(value, taken ? numbers[_i].value : UNTOUCHED);
	ck_assert_str_eq(at, numbers[_i].rest);
	value = UNTOUCHED;
	taken = lw_number_read(numbers[_i].text, numbers[_i].max, &value);
	ck_assert_int_eq(taken, numbers[_i].taken && !*numbers[_i].rest);
	ck_assert_uint_eq(value, taken ? numbers[_i].value : UNTOUCHED);
}

static const struct {
	const char *text;
	int64_t min, max;
	bool taken;
	int64_t value;
} signed_numbers[] = {
	{ "5", 0, 9, true, 5 },
	{ "-5", 0, 9, false, 0 },
	{ "-0", 0, 9, true, 0 },
	{ "-5", -5, 9, true, -5 },
	{ "-6", -5, 9, false, 0 },
	{ "4", 5, 9, false, 0 },
	{ "-4", -9, -5, false, 0 },
	{ "4", -9, -5, false, 0 },
	{ "9223372036854775807", INT64_MIN, INT64_MAX, true, INT64_MAX },
	{ "9223372036854775808", INT64_MIN, INT64_MAX, false, 0 },
	{ "-9223372036854775808", INT64_MIN, INT64_MAX, true, INT64_MIN },
	{ "-9223372036854775809", INT64_MIN, INT64_MAX, false, 0 },
	{ "--1", -9, 9, false, 0 },
	{ "-", -9, 9, false, 0 },
	{ "1s", -9, 9, false, 0 },
};

TEST_EACH(signs_count, LW_COUNT_OF(signed_numbers))
{
	int64_t value = UNTOUCHED;
	bool taken = lw_number_read_signed(signed_numbers[_i].text, signed_numbers[_i].min,
					   signed_numbers[_i].max, &value);

	ck_assert_int_eq(taken, signed_numbers[_i].taken);
	ck_assert_int_eq(value, taken ? signed_numbers[_i].value : UNTOUCHED);
}

TEST(what_a_text_begins_with)
{
	ck_assert_uint_eq(lw_number_begins("12,3", 100, 5), 12);
	ck_assert_uint_eq(lw_number_begins("101", 100, 5), 100);
	ck_assert_uint_eq(lw_number_begins("4294967297", UINT32_MAX, 5), UINT32_MAX);
	ck_assert_uint_eq(lw_number_begins("-1", 100, 5), 5);
	ck_assert_uint_eq(lw_number_begins("", 100, 5), 5);
	ck_assert_uint_eq(lw_number_begins(NULL, 100, 5), 5);
}
