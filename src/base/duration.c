/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: durations in the forms that users write, in seconds. */
#include "base/duration.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#define DURATION_MAX_S (INT64_C(100) * 366 * 86400)

/* One decimal number; saturates above the maximum so that nothing overflows. */
static bool duration_number(const char **p, int64_t *ret)
{
	int64_t value = 0;

	if (!isdigit((unsigned char)**p))
		return false;
	while (isdigit((unsigned char)**p)) {
		if (value <= DURATION_MAX_S)
			value = value * 10 + (**p - '0');
		(*p)++;
	}
	*ret = value;
	return true;
}

static int64_t duration_unit_of(char c)
{
	switch (c) {
	case 's':
		return 1;
	case 'm':
		return 60;
	case 'h':
		return 3600;
	case 'd':
		return 86400;
	case 'w':
		return 7 * 86400;
	default:
		return 0;
	}
}

static int duration_parse_units(const char *p, int64_t *ret_s)
{
	int64_t total = 0, value, unit, last = INT64_MAX;

	while (*p) {
		if (!duration_number(&p, &value))
			return -EINVAL;
		unit = duration_unit_of(*p);
		/* falling units only: "30m2h" is more likely a slip than a wish */
		if (!unit || unit >= last)
			return -EINVAL;
		p++;
		last = unit;
		if (value > DURATION_MAX_S / unit)
			return -ERANGE;
		total += value * unit;
		if (total > DURATION_MAX_S)
			return -ERANGE;
	}
	*ret_s = total;
	return 0;
}

static int duration_parse_clock(const char *p, int64_t days, int64_t *ret_s)
{
	int64_t part[3], total;
	int n = 0;

	for (;;) {
		if (n == 3 || !duration_number(&p, &part[n]))
			return -EINVAL;
		if (n > 0 && part[n] > 59)
			return -EINVAL;
		n++;
		if (!*p)
			break;
		if (*p++ != ':')
			return -EINVAL;
	}
	if (n == 1 || (days >= 0 && n != 3))
		return -EINVAL;
	/* duration_number() stops at ten times the maximum, so none of this overflows */
	total = n == 3 ? part[0] * 3600 + part[1] * 60 + part[2] : part[0] * 60 + part[1];
	if (days > 0)
		total += days * 86400;
	if (total > DURATION_MAX_S)
		return -ERANGE;
	*ret_s = total;
	return 0;
}

int lw_duration_parse(const char *text, int64_t *ret_s)
{
	const char *p = text;
	int64_t value;

	if (!text || !duration_number(&p, &value))
		return -EINVAL;
	if (!*p && value)
		return -EINVAL;
	if (!*p) {
		*ret_s = 0;
		return 0;
	}
	if (*p == '-')
		return duration_parse_clock(p + 1, value, ret_s);
	if (*p == ':')
		return duration_parse_clock(text, -1, ret_s);
	return duration_parse_units(text, ret_s);
}

void lw_duration_refused(const char *text, char *buf, size_t size)
{
	const char *p = text;
	int64_t value;

	if (duration_number(&p, &value) && !*p && p - text <= 15)
		snprintf(buf, size, "has no unit: %ss, which are seconds, or %sm, minutes?", text,
			 text);
	else
		snprintf(buf, size, "is not a time such as 90s, 2h30m or 1-00:00:00");
}

void lw_duration_print(int64_t seconds, char *buf, size_t size)
{
	const char *sign = seconds < 0 ? "-" : "";
	/* unsigned, since the smallest int64_t has no positive twin */
	uint64_t s = seconds < 0 ? -(uint64_t)seconds : (uint64_t)seconds;

	if (s < 60)
		snprintf(buf, size, "%s%" PRIu64 "s", sign, s);
	else if (s < 3600)
		snprintf(buf, size, "%s%" PRIu64 "m%02" PRIu64 "s", sign, s / 60, s % 60);
	else if (s < 86400)
		snprintf(buf, size, "%s%" PRIu64 "h%02" PRIu64 "m", sign, s / 3600, s / 60 % 60);
	else
		snprintf(buf, size, "%s%" PRIu64 "d%02" PRIu64 "h", sign, s / 86400,
			 s / 3600 % 24);
}

void lw_duration_print_exact(int64_t seconds, char *buf, size_t size)
{
	static const char units[] = "dhms";
	int64_t left = seconds > 0 ? seconds : 0;
	size_t len = 0;

	for (size_t i = 0; units[i] && len < size; i++) {
		int64_t amount = left / duration_unit_of(units[i]);

		left %= duration_unit_of(units[i]);
		if (amount || (units[i] == 's' && !len))
			len += (size_t)snprintf(buf + len, size - len, "%" PRId64 "%c", amount,
						units[i]);
	}
}
