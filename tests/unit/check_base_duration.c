/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of base/duration. */
#include "base/duration.h"

#include "unit/unit.h"

#include <errno.h>
#include <inttypes.h>

#define UNTOUCHED INT64_C(-77)
/* 100 years of 366 days, the largest that is read */
#define MAX_S INT64_C(3162240000)

static const struct {
	const char *text;
	int rc;
	int64_t seconds;
} parses[] = {
	{ "0", 0, 0 },
	/* seconds, or minutes as behind sbatch --time? */
	{ "90", -EINVAL, 0 },
	{ "1", -EINVAL, 0 },
	{ "00", 0, 0 },
	{ "90s", 0, 90 },
	{ "15m", 0, 900 },
	{ "2h", 0, 7200 },
	{ "1d", 0, 86400 },
	{ "1w", 0, 604800 },
	{ "2h30m", 0, 9000 },
	{ "1w2d3h4m5s", 0, 788645 },
	{ "90m", 0, 5400 },
	{ "007s", 0, 7 },
	{ "5:00", 0, 300 },
	{ "120:30", 0, 7230 },
	{ "1:02:03", 0, 3723 },
	{ "48:00:00", 0, 172800 },
	{ "1-00:00:00", 0, 86400 },
	{ "2-03:04:05", 0, 183845 },
	{ "0-00:00:00", 0, 0 },
	{ "1000000:00", 0, 60000000 },
	{ "3162240000s", 0, MAX_S },
	{ "36600d", 0, MAX_S },
	{ "36600-00:00:00", 0, MAX_S },
	{ "3162240001s", -ERANGE, 0 },
	{ "36600d1s", -ERANGE, 0 },
	{ "36601d", -ERANGE, 0 },
	{ "36600-00:00:01", -ERANGE, 0 },
	{ "36600-23:59:59", -ERANGE, 0 },
	{ "36601-00:00:00", -ERANGE, 0 },
	{ "878400:00:01", -ERANGE, 0 },
	{ "52704000:01", -ERANGE, 0 },
	{ "9223372036854775807", -EINVAL, 0 },
	{ "9223372036854775807s", -ERANGE, 0 },
	{ "9223372036854775808s", -ERANGE, 0 },
	{ "99999999999999999999999999s", -ERANGE, 0 },
	{ "99999999999999999999999999h", -ERANGE, 0 },
	{ "99999999999999999999999999-00:00:00", -ERANGE, 0 },
	{ "99999999999999999999999999:00", -ERANGE, 0 },
	{ "", -EINVAL, 0 },
	{ " ", -EINVAL, 0 },
	{ "h", -EINVAL, 0 },
	{ "-5", -EINVAL, 0 },
	{ "+5", -EINVAL, 0 },
	{ " 5", -EINVAL, 0 },
	{ "5 ", -EINVAL, 0 },
	{ "5x", -EINVAL, 0 },
	{ "5 m", -EINVAL, 0 },
	{ "5M", -EINVAL, 0 },
	{ "1.5h", -EINVAL, 0 },
	{ "2h30", -EINVAL, 0 },
	{ "30m2h", -EINVAL, 0 },
	{ "1h1h", -EINVAL, 0 },
	{ "1h-5m", -EINVAL, 0 },
	{ "5:60", -EINVAL, 0 },
	{ "1:60:00", -EINVAL, 0 },
	{ "5:", -EINVAL, 0 },
	{ ":5", -EINVAL, 0 },
	{ "1:2:3:4", -EINVAL, 0 },
	{ "1-", -EINVAL, 0 },
	{ "1-5", -EINVAL, 0 },
	{ "1-5:00", -EINVAL, 0 },
	{ "1-00:00:00x", -EINVAL, 0 },
	{ "1-1-00:00:00", -EINVAL, 0 },
	{ "0x10", -EINVAL, 0 },
	{ "1e3", -EINVAL, 0 },
	{ "infinite", -EINVAL, 0 },
};

static const struct {
	int64_t seconds;
	const char *rough;
	const char *exact;
} prints[] = {
	{ 0, "0s", "0s" },
	{ 1, "1s", "1s" },
	{ 59, "59s", "59s" },
	{ 60, "1m00s", "1m" },
	{ 725, "12m05s", "12m5s" },
	{ 3599, "59m59s", "59m59s" },
	{ 3600, "1h00m", "1h" },
	{ 9000, "2h30m", "2h30m" },
	{ 86399, "23h59m", "23h59m59s" },
	{ 86400, "1d00h", "1d" },
	{ 273723, "3d04h", "3d4h2m3s" },
	{ MAX_S, "36600d00h", "36600d" },
	{ -60, "-1m00s", "0s" },
	{ INT64_MAX, "106751991167300d15h", "106751991167300d15h30m7s" },
	{ INT64_MIN, "-106751991167300d15h", "0s" },
};

TEST_EACH(parse_gives_the_vector, LW_COUNT_OF(parses))
{
	int64_t seconds = UNTOUCHED;
	int rc = lw_duration_parse(parses[_i].text, &seconds);

	ck_assert_msg(rc == parses[_i].rc, "\"%s\": %d, not %d", parses[_i].text, rc,
		      parses[_i].rc);
	ck_assert_msg(seconds == (rc ? UNTOUCHED : parses[_i].seconds), "\"%s\": %" PRId64,
		      parses[_i].text, seconds);
}

static const struct {
	const char *text, *why;
} reasons[] = {
	{ "45", "has no unit: 45s, which are seconds, or 45m, minutes?" },
	{ "45x", "is not a time such as 90s, 2h30m or 1-00:00:00" },
	{ "", "is not a time such as 90s, 2h30m or 1-00:00:00" },
	{ "9999999999999999999999999999999999", "is not a time such as 90s, 2h30m or 1-00:00:00" },
};

TEST_EACH(a_refusal_says_why, LW_COUNT_OF(reasons))
{
	char why[LW_DURATION_WHY];

	lw_duration_refused(reasons[_i].text, why, sizeof(why));
	ck_assert_str_eq(why, reasons[_i].why);
}

TEST(parse_refuses_null)
{
	int64_t seconds = UNTOUCHED;

	ck_assert_int_eq(lw_duration_parse(NULL, &seconds), -EINVAL);
	ck_assert_int_eq(seconds, UNTOUCHED);
}

TEST_EACH(print_gives_the_vector, LW_COUNT_OF(prints))
{
	char text[64];

	lw_duration_print(prints[_i].seconds, text, sizeof(text));
	ck_assert_str_eq(text, prints[_i].rough);
	lw_duration_print_exact(prints[_i].seconds, text, sizeof(text));
	ck_assert_str_eq(text, prints[_i].exact);
}

TEST(exact_text_reads_back)
{
	/* a step that meets every unit's edge sooner or later */
	for (int64_t s = 0; s <= MAX_S; s = s * 3 / 2 + 1) {
		int64_t back = UNTOUCHED;
		char text[64];

		lw_duration_print_exact(s, text, sizeof(text));
		ck_assert_int_eq(lw_duration_parse(text, &back), 0);
		ck_assert_int_eq(back, s);
	}
}

TEST(print_ends_a_short_buffer)
{
	char text[12];

	for (size_t size = 1; size < sizeof(text); size++) {
		memset(text, 'x', sizeof(text));
		lw_duration_print(273723, text, size);
		ck_assert_uint_lt(strlen(text), size);
		ck_assert_int_eq(text[size], 'x');
		memset(text, 'x', sizeof(text));
		lw_duration_print_exact(273723, text, size);
		ck_assert_uint_lt(strlen(text), size);
		ck_assert_int_eq(text[size], 'x');
	}
}
