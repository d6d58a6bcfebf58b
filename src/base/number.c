/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: read numbers from untrusted texts, within bounds. */
#include "base/number.h"

#include <stddef.h>

static bool number_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Read the digits at AT; what is above MAX becomes MAX, and *ret_above true. */
static const char *number_read_digits(const char *at, uint64_t max, uint64_t *ret_value,
				      bool *ret_above)
{
	uint64_t value = 0;
	bool above = false;

	for (; number_is_digit(*at); at++) {
		uint64_t digit = (uint64_t)(*at - '0');

		above = above || value > max / 10 || digit > max - value * 10;
		value = above ? max : value * 10 + digit;
	}
	*ret_value = value;
	*ret_above = above;
	return at;
}

bool lw_number_take(const char **at, uint64_t max, uint64_t *ret_value)
{
	uint64_t value;
	bool above;
	const char *end = number_read_digits(*at, max, &value, &above);

	if (end == *at || above)
		return false;
	*at = end;
	*ret_value = value;
	return true;
}

bool lw_number_take_row(const char **at, const uint64_t *most, uint32_t count, uint64_t *values)
{
	const char *end = *at;

	for (uint32_t i = 0; i < count; i++)
		if (*end++ != ' ' || !lw_number_take(&end, most[i], &values[i]))
			return false;
	*at = end;
	return true;
}

/* The size of NUMBER without its sign; that of INT64_MIN has no positive twin. */
static uint64_t number_size_of(int64_t number)
{
	return number < 0 ? -(uint64_t)number : (uint64_t)number;
}

bool lw_number_take_signed(const char **at, int64_t min, int64_t max, int64_t *ret_value)
{
	bool minus = **at == '-';
	const char *digits = *at + minus;
	uint64_t size, most = minus ? (min < 0 ? number_size_of(min) : 0)
				    : (max > 0 ? number_size_of(max) : 0);
	int64_t value;

	if (!lw_number_take(&digits, most, &size))
		return false;
	value = minus ? (int64_t)-size : (int64_t)size;
	if (value < min || value > max)
		return false;
	*at = digits;
	*ret_value = value;
	return true;
}

bool lw_number_read(const char *text, uint64_t max, uint64_t *ret_value)
{
	uint64_t value;

	if (!lw_number_take(&text, max, &value) || *text)
		return false;
	*ret_value = value;
	return true;
}

bool lw_number_read_signed(const char *text, int64_t min, int64_t max, int64_t *ret_value)
{
	int64_t value;

	if (!lw_number_take_signed(&text, min, max, &value) || *text)
		return false;
	*ret_value = value;
	return true;
}

uint64_t lw_number_begins(const char *text, uint64_t max, uint64_t otherwise)
{
	uint64_t value;
	bool above;

	if (!text || !number_is_digit(*text))
		return otherwise;
	(void)number_read_digits(text, max, &value, &above);
	return value;
}
