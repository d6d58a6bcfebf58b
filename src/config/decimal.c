/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: decimal numbers, in any locale. */
#include "config/decimal.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

#define MICRO 1000000

bool lw_decimal_read(const char *text, uint64_t most, double *ret_value)
{
	uint64_t whole, part = 0, unit = MICRO;
	bool lost = false;

	if (!lw_number_take(&text, most, &whole))
		return false;
	if (*text == '.' && text[1])
		for (text++; *text >= '0' && *text <= '9' && unit > 1; text++)
			part += (uint64_t)(*text - '0') * (unit /= 10);
	/* more than that is too little to matter, but beside nothing */
	for (; unit == 1 && *text >= '0' && *text <= '9'; text++)
		lost = lost || *text != '0';
	*ret_value = (double)(whole * MICRO + part) / MICRO;
	return !*text && (whole || part || !lost);
}

/* VALUE as 0.000001 or 100, never as 1e-06. */
static void decimal_print_plain(double value, char *buf, size_t size)
{
	size_t len = (size_t)snprintf(buf, size, "%.*f", LW_DECIMALS, value);

	while (len && buf[len - 1] == '0')
		buf[--len] = '\0';
	if (len && buf[len - 1] == '.')
		buf[len - 1] = '\0';
}

void lw_decimal_wanted(const char *text, double least, double most, char *buf, size_t size)
{
	bool is_long = strlen(text) > LW_DECIMALS && strchr(text, '.');
	char from[32], to[32];

	decimal_print_plain(least, from, sizeof(from));
	decimal_print_plain(most, to, sizeof(to));
	snprintf(buf, size, "wants a number from %s to %s, as in %s%s", from, to,
		 most > 12.5 ? "12.5" : "0.5", is_long ? ", of six decimals at most" : "");
}
