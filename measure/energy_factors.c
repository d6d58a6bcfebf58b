/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: price and CO2 of a kWh by the hour, from a file. */
#include "measure/energy.h"

#include "measure/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Of a kWh, in any currency and of any fuel; sums of them over years are still finite. */
#define FACTOR_MAX 1000000
#define SEPARATORS ", \t;"

/* A plain decimal of 0 to FACTOR_MAX at *AT, and behind it: no sign, hexadecimal or infinity. */
static bool take_decimal(const char **at, double *ret_value)
{
	size_t len = strspn(*at, "0123456789.");
	char *end;

	if (!len)
		return false;
	*ret_value = strtod(*at, &end);
	if (end != *at + len || *ret_value > FACTOR_MAX)
		return false;
	*at = end;
	return true;
}

/* Two of them, and nothing behind them. */
static bool read_factor(const char *line, struct lw_energy_factor *ret_factor)
{
	const char *second;

	line += strspn(line, " \t");
	if (!take_decimal(&line, &ret_factor->price))
		return false;
	second = line + strspn(line, SEPARATORS);
	return second > line && take_decimal(&second, &ret_factor->co2_g) &&
	       !second[strspn(second, " \t\r")];
}

static bool is_comment(const char *line)
{
	line += strspn(line, " \t\r");
	return !*line || *line == '#';
}

/* "NA" or "inf", and whatever stands in such a table for an hour that is not known. */
static bool is_no_number(const char *word, size_t len)
{
	static const char *const words[] = { "nan", "inf", "infinity", "na", "null", "none" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == len && strncasecmp(word, words[i], len) == 0)
			return true;
	return false;
}

/* Names of columns: two words, the first of letters, and neither a number nor a missing one. */
static bool is_heading(const char *line)
{
	size_t len;
	const char *second;

	line += strspn(line, " \t\r");
	len = strcspn(line, SEPARATORS);
	second = line + len + strspn(line + len, SEPARATORS);
	return ((*line >= 'A' && *line <= 'Z') || (*line >= 'a' && *line <= 'z')) &&
	       !is_no_number(line, len) && !(*second && strchr("0123456789.+-", *second));
}

static int take_lines(struct lw_lines *lines, const char *path, struct lw_energy_model *model,
		      struct lw_error *err)
{
	uint32_t number = 0;
	char *line;

	while ((line = lw_lines_next(lines))) {
		number++;
		if (is_comment(line) || (!model->factor_count && is_heading(line)))
			continue;
		if (model->factor_count == LW_ENERGY_HOURS_MAX)
			return lw_error_set(err, -EINVAL, "%s:%u: more hours than a year has", path,
					    number);
		if (!read_factor(line, &model->factors[model->factor_count++]))
			return lw_error_set(err, -EINVAL,
					    "%s:%u: not \"price co2\", two numbers of 0 to "
					    "%d for an hour, such as 0.25 380",
					    path, number, FACTOR_MAX);
	}
	if (!model->factor_count)
		return lw_error_set(err, -EINVAL,
				    "%s: no hour in it: a line \"price co2\" for each", path);
	return 0;
}

int lw_energy_read_factors(const char *path, struct lw_energy_model *model, struct lw_error *err)
{
	struct lw_lines lines;
	int rc = lw_lines_open(&lines, path, err);

	if (rc)
		return rc;
	model->factors = calloc(LW_ENERGY_HOURS_MAX, sizeof(*model->factors));
	rc = model->factors ? take_lines(&lines, path, model, err)
			    : lw_error_set(err, -ENOMEM, "out of memory");
	lw_lines_fini(&lines);
	if (rc)
		lw_energy_model_fini(model);
	return rc;
}

void lw_energy_add_recipes(struct lw_energy_model *model, const struct lw_recipes *recipes)
{
	for (uint32_t i = 0; i < recipes->type_count; i++) {
		uint32_t seen = 0;

		while (seen < model->type_count &&
		       strcasecmp(model->types[seen].name, recipes->types[i].name) != 0)
			seen++;
		if (seen == model->type_count && seen < LW_GPU_TYPES_MAX)
			model->types[model->type_count++] = (struct lw_energy_type){
				recipes->types[i].name, recipes->types[i].idle_w,
				recipes->types[i].busy_w
			};
	}
}

void lw_energy_model_fini(struct lw_energy_model *model)
{
	free(model->factors);
	model->factors = NULL;
	model->factor_count = 0;
}
