/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a model of stock Slurm reads from slurm.conf. */
#include "lab/sim/stock/params.h"

#include <stdlib.h>
#include <string.h>

void lw_stock_params_default(struct lw_stock_params *params)
{
	*params = (struct lw_stock_params){
		.kill_wait_s = 30,
		.age_max_s = INT64_C(7) * 86400,
#define LW_STOCK_PARAM(field, name, def, unit, least, most) .field = (def) * (unit),
#include "lab/sim/stock/params.def"
	};
}

/* Slurm looks for the name anywhere in the text, and takes what atoi() makes of what follows. */
static void params_take_number(const char *text, const char *name, int64_t unit, int64_t least,
			       int64_t most, int64_t *value)
{
	const char *at = strcasestr(text, name);
	long number;

	if (!at)
		return;
	at += strlen(name);
	number = *at == '=' ? strtol(at + 1, NULL, 10) : -1;
	if (number >= least && number <= most)
		*value = number * unit;
}

void lw_stock_params_take(struct lw_stock_params *params, const char *text)
{
	const char *interval = strcasestr(text, "bf_interval=");
	const char *defer = strcasestr(text, "defer");

#define LW_STOCK_PARAM(field, name, def, unit, least, most)                                      \
	params_take_number(text, name, unit, least, most, &params->field);
#include "lab/sim/stock/params.def"
	params->no_fill = interval && atoi(interval + strlen("bf_interval=")) == -1;
	params->defer = defer != NULL;
}

/* As slurm.conf has times: minutes, minutes:seconds, days-hours and so on. */
static int64_t seconds_of(const char *text)
{
	int64_t parts[3] = { 0 }, days = 0, count = 0;
	const char *dash = strchr(text, '-');

	if (dash) {
		days = strtol(text, NULL, 10);
		text = dash + 1;
	}
	for (; count < 3; count++) {
		char *end;

		parts[count] = strtol(text, &end, 10);
		if (*end != ':') {
			count++;
			break;
		}
		text = end + 1;
	}
	if (dash)
		return days * 86400 + parts[0] * 3600 + parts[1] * 60 + parts[2];
	if (count == 3)
		return parts[0] * 3600 + parts[1] * 60 + parts[2];
	return parts[0] * 60 + parts[1];
}

bool lw_stock_params_set(struct lw_stock_params *params, const char *key, const char *value)
{
	if (!strcasecmp(key, "SchedulerParameters"))
		lw_stock_params_take(params, value);
	else if (!strcasecmp(key, "SchedulerType"))
		params->no_fill |= strcasecmp(value, "sched/backfill") != 0;
	else if (!strcasecmp(key, "KillWait"))
		params->kill_wait_s = strtol(value, NULL, 10);
	else if (!strcasecmp(key, "PriorityType"))
		params->multifactor = !strcasecmp(value, "priority/multifactor");
	else if (!strcasecmp(key, "PriorityWeightAge"))
		params->age_weight = strtol(value, NULL, 10);
	else if (!strcasecmp(key, "PriorityWeightJobSize"))
		params->size_weight = strtol(value, NULL, 10);
	else if (!strcasecmp(key, "PriorityMaxAge"))
		params->age_max_s = seconds_of(value);
	else if (!strcasecmp(key, "PriorityFavorSmall"))
		params->favor_small = !strcasecmp(value, "yes");
	else
		return false;
	return true;
}
