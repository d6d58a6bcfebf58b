/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: price and CO2 of a kWh by the hour, from a file. */
#include "sim/energy.h"

#include "sim/lines.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Two numbers, neither below 0, and nothing behind them. */
static bool read_factor(const char *line, struct lw_energy_factor *ret_factor)
{
	char *end;

	ret_factor->price = strtod(line, &end);
	if (end == line || !isfinite(ret_factor->price) || ret_factor->price < 0)
		return false;
	line = end + strspn(end, ", \t;");
	if (line == end)
		return false;
	ret_factor->co2_g = strtod(line, &end);
	return end != line && isfinite(ret_factor->co2_g) && ret_factor->co2_g >= 0 &&
	       !end[strspn(end, " \t\r")];
}

static bool is_comment(const char *line)
{
	line += strspn(line, " \t\r");
	return !*line || *line == '#';
}

/* Of a column. Below the first hour it would be one that is missing, such as NA. */
static bool is_name(const char *line)
{
	line += strspn(line, " \t\r");
	return (*line >= 'A' && *line <= 'Z') || (*line >= 'a' && *line <= 'z');
}

static int take_lines(struct lw_lines *lines, const char *path, struct lw_energy_model *model,
		      struct lw_error *err)
{
	uint32_t number = 0;
	char *line;

	while ((line = lw_lines_next(lines))) {
		number++;
		if (is_comment(line) || (!model->factor_count && is_name(line)))
			continue;
		if (model->factor_count == LW_ENERGY_HOURS_MAX)
			return lw_error_set(err, -EINVAL, "%s:%u: more hours than a year has", path,
					    number);
		if (!read_factor(line, &model->factors[model->factor_count++]))
			return lw_error_set(err, -EINVAL,
					    "%s:%u: not \"price co2\", two numbers of at least 0 "
					    "for an hour",
					    path, number);
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
