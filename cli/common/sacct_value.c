/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the values in what sacct printed. */
#include "cli/common/sacct.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/number.h"
#include "base/sharemark.h"
#include "cli/common/tools.h"

#define AMOUNT_MAX ((double)UINT32_MAX)
/* What Slurm keeps for no limit: INFINITE, and NO_VAL, the number before. */
#define NO_LIMIT_MIN ((int64_t)UINT32_MAX - 1)

bool lw_sacct_is_step(const char *id)
{
	/* "12_[1,3,...]" is none */
	return id[strcspn(id, ".[")] == '.';
}

/* What a number before a suffix of BASE is to be multiplied by: K, M, G, ...; 0: no suffix. */
static double unit_of(char suffix, double base)
{
	static const char suffixes[] = "KMGTPE";
	const char *at = suffix ? strchr(suffixes, suffix) : NULL;
	double unit = base;

	if (!at)
		return 0;
	for (; at > suffixes; at--)
		unit *= base;
	return unit;
}

/* The count at the begin of TEXT, and where it ends; NULL: there is none. */
static const char *read_amount(const char *text, double *ret_value)
{
	char *end;
	double value;

	/* no sign, no hexadecimal, no infinity */
	if (!isdigit((unsigned char)*text) || tolower((unsigned char)text[1]) == 'x')
		return NULL;
	value = strtod(text, &end);
	if (unit_of(*end, 1000) > 0)
		value *= unit_of(*end++, 1000);
	*ret_value = value < AMOUNT_MAX ? value : AMOUNT_MAX;
	return end;
}

int64_t lw_sacct_amount(const char *text)
{
	double value = 0;

	return read_amount(text, &value) ? (int64_t)(value + 0.5) : 0;
}

bool lw_sacct_is_amount(const char *text)
{
	double value;
	const char *end = read_amount(text, &value);

	return end && !*end;
}

int lw_sacct_count(const char *text, const char *column, int64_t *ret_count, struct lw_error *err)
{
	double value = 0;
	const char *end = read_amount(text, &value);

	/* what is larger was cut to AMOUNT_MAX */
	if (*text && (!end || *end || value >= AMOUNT_MAX))
		return lw_error_set(err, -EINVAL,
				    "%s \"%s\" is no count of 0 to 4294967294, as sacct prints it",
				    column, text);
	*ret_count = lw_sacct_amount(text);
	return 0;
}

/* The next item of a list of TRES, or its end. */
static const char *next_item(const char *tres)
{
	tres += strcspn(tres, ",");
	return tres + (*tres == ',');
}

/* The text behind KEY=, or NULL. */
static const char *find_tres(const char *tres, const char *key)
{
	size_t len = strlen(key);

	for (; *tres; tres = next_item(tres))
		if (strncmp(tres, key, len) == 0 && tres[len] == '=')
			return tres + len + 1;
	return NULL;
}

int64_t lw_sacct_tres(const char *tres, const char *key)
{
	const char *text = find_tres(tres, key);

	return text ? lw_sacct_amount(text) : 0;
}

/* Is the first item of TRES one with a count that we use? */
static bool is_counted(const char *tres)
{
	static const char *const keys[] = { "cpu=", "node=", "gres/gpu=", "gres/gpu:" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strncmp(tres, keys[i], strlen(keys[i])) == 0)
			return true;
	return false;
}

int lw_sacct_check_tres(const char *tres, const char *column, struct lw_error *err)
{
	for (; *tres; tres = next_item(tres)) {
		size_t len = strcspn(tres, ","), name = strcspn(tres, "=,");
		char item[128], name_of[128];
		int64_t count;

		snprintf(item, sizeof(item), "%.*s", (int)len, tres);
		snprintf(name_of, sizeof(name_of), "%s: %.*s", column, (int)name, tres);
		if (is_counted(tres) && lw_sacct_count(name < len ? item + name + 1 : "", name_of,
						       &count, err))
			return -EINVAL;
	}
	return 0;
}

int64_t lw_sacct_gpus(const char *tres)
{
	static const char typed[] = "gres/gpu:";
	const char *all = find_tres(tres, "gres/gpu");
	int64_t gpus = 0;

	if (all)
		return lw_sacct_amount(all);
	for (; *tres; tres = next_item(tres)) {
		const char *type = tres + strlen(typed);

		if (strncmp(tres, typed, strlen(typed)) != 0)
			continue;
		type += strcspn(type, "=,");
		gpus += *type == '=' ? lw_sacct_amount(type + 1) : 0;
	}
	return gpus < UINT32_MAX ? gpus : UINT32_MAX;
}

int64_t lw_sacct_gpus_held(const char *tres, const char *admin_comment)
{
	int64_t gpus = lw_sacct_gpus(tres);
	struct lw_sharemark mark;

	if (gpus)
		return gpus;
	if (lw_sacct_tres(tres, "gres/shard") || lw_sacct_tres(tres, "gres/mps"))
		return 1;
	return !lw_sharemark_read(admin_comment, &mark) && mark.parts > 0;
}

bool lw_sacct_gpu_type(const char *tres, char *buf, size_t size)
{
	static const char typed[] = "gres/gpu:";
	int64_t all = lw_sacct_gpus(tres);
	uint32_t found = 0;

	for (; *tres; tres = next_item(tres)) {
		const char *type = tres + strlen(typed);
		size_t length = strcspn(type, "=,");

		if (strncmp(tres, typed, strlen(typed)) != 0)
			continue;
		/* GPUs of no type beside it may be of any */
		if (found++ || type[length] != '=' || lw_sacct_amount(type + length + 1) != all ||
		    length >= size)
			return false;
		memcpy(buf, type, length);
		buf[length] = '\0';
	}
	return found == 1;
}

/* "250G", "32000M": sacct may print fractions; without a unit it is MiB. */
int64_t lw_sacct_mem_mib(const char *tres)
{
	const char *text = find_tres(tres, "mem");
	char *end;
	double value = text ? strtod(text, &end) : 0;

	if (!(value > 0)) /* nor a NaN */
		return 0;
	if (unit_of(*end, 1024) > 0)
		value *= unit_of(*end, 1024) / (1024.0 * 1024.0);
	return (int64_t)(value < AMOUNT_MAX ? value : AMOUNT_MAX);
}

/* "3", "3-5" or "0-10:2" at *P: how many; goes past it. */
static uint64_t count_range(const char **p)
{
	uint64_t low = 0, high, step = 1;

	if (!lw_number_take(p, LW_SACCT_TASKS_MAX, &low))
		return LW_SACCT_TASKS_MAX + 1;
	high = low;
	if (**p == '-' && (++*p, !lw_number_take(p, LW_SACCT_TASKS_MAX, &high)))
		return LW_SACCT_TASKS_MAX + 1;
	if (**p == ':' && (++*p, !lw_number_take(p, LW_SACCT_TASKS_MAX, &step)))
		return LW_SACCT_TASKS_MAX + 1;
	return high < low ? 0 : (high - low) / (step ? step : 1) + 1;
}

uint32_t lw_sacct_tasks(const char *id, bool *ret_cut)
{
	const char *p = strchr(id, '[');
	uint64_t tasks = 0;

	*ret_cut = false;
	if (!p)
		return 1;
	for (p++; isdigit((unsigned char)*p); p += *p == ',') {
		tasks += count_range(&p);
		if (tasks > LW_SACCT_TASKS_MAX)
			return LW_SACCT_TASKS_MAX + 1;
	}
	/* "%4" says how many may run at once */
	*ret_cut = *p != ']' && *p != '%';
	return tasks ? (uint32_t)tasks : 1;
}

static bool is_no_time(const char *text)
{
	static const char *const words[] = { "", "Unknown", "None", "N/A" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(text, words[i]) == 0)
			return true;
	return false;
}

static int read_local_time(const char *text, const char *column, int64_t *ret_s,
			   struct lw_error *err)
{
	int64_t at_s;

	if (lw_tools_read_clock(text, &at_s) || at_s > LW_SACCT_CLOCK_MAX_S)
		return lw_error_set(err, -EINVAL, "%s \"%s\" is no time", column, text);
	*ret_s = at_s;
	return 0;
}

int lw_sacct_time(const char *text, const char *column, int64_t *ret_s, struct lw_error *err)
{
	int64_t value;

	*ret_s = LW_SACCT_NONE;
	if (is_no_time(text))
		return 0;
	if (strchr(text, 'T'))
		return read_local_time(text, column, ret_s, err);
	if (!lw_number_read_signed(text, -LW_SACCT_CLOCK_MAX_S, LW_SACCT_CLOCK_MAX_S, &value))
		return lw_error_set(err, -EINVAL,
				    "%s \"%s\" is no time as sacct prints it by default or with "
				    "SLURM_TIME_FORMAT=%%s",
				    column, text);
	if (value > 0)
		*ret_s = value;
	return 0;
}

int lw_sacct_limit(const char *text, int64_t *ret_s, struct lw_error *err)
{
	*ret_s = LW_SACCT_NONE;
	if (lw_tools_is_no_limit(text))
		return 0;
	if (!text[strspn(text, "0123456789")]) {
		int64_t minutes = lw_sacct_amount(text);

		if (minutes < NO_LIMIT_MIN)
			*ret_s = 60 * minutes;
		return 0;
	}
	if (!strchr(text, ':') || lw_duration_parse(text, ret_s))
		return lw_error_set(err, -EINVAL,
				    "TimelimitRaw \"%s\" is no number of minutes, UNLIMITED or "
				    "Partition_Limit, nor [D-]HH:MM:SS as in Timelimit",
				    text);
	return 0;
}
