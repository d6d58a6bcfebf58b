/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway history: how much longer jobs run on one type of GPU than on another. */
#include "cli/history/history.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/json.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "tagger/tag.h"

/* All types that anything ran on; of what is published nothing is known here. */
static struct lw_speed_types types_of(const struct lw_speeds *speeds)
{
	struct lw_speed_types types = { .count = speeds->type_count };

	for (uint32_t t = 0; t < types.count; t++)
		types.name[t] = speeds->types[t];
	return types;
}

static double shortest(const struct lw_speed_answer *answer, uint32_t types)
{
	double least = answer->time[0];

	for (uint32_t t = 1; t < types; t++)
		least = answer->time[t] < least ? answer->time[t] : least;
	return least;
}

static const char *tag_text(uint32_t tag)
{
	return tag == LW_HABIT_UNTAGGED ? NULL : lw_tag_class_name((enum lw_tag_class)tag);
}

static void print_speed(const struct lw_speeds *speeds, const struct lw_speed *speed,
			const struct lw_speed_answer *answer)
{
	const char *tag = tag_text(speed->key.tag);
	char name[16] = "-";

	if (speed->key.name != LW_SPEED_NO_NAME)
		snprintf(name, sizeof(name), "#%08" PRIx32, speed->key.name);
	printf("%10" PRIu32 " %-16s %-10s %-9s %4" PRIu32, speed->key.user,
	       lw_history_user_name(speed->key.user), tag ? tag : "-", name, speed->key.gpus);
	for (uint32_t t = 0; t < speeds->type_count; t++)
		printf(" %9.2f (%2u)", answer->time[t] / shortest(answer, speeds->type_count),
		       speed->runs[t]);
	printf("\n");
}

static json_t *make_speed(const struct lw_speeds *speeds, const struct lw_speed *speed,
			  const struct lw_speed_answer *answer)
{
	json_t *o = json_object(), *types = json_object();
	const char *tag = tag_text(speed->key.tag);

	json_object_set_new(o, "user", json_integer(speed->key.user));
	json_object_set_new(o, "tag", tag ? json_string(tag) : json_null());
	json_object_set_new(o, "name_id",
			    speed->key.name == LW_SPEED_NO_NAME ? json_null()
								: json_integer(speed->key.name));
	json_object_set_new(o, "gpus", json_integer(speed->key.gpus));
	for (uint32_t t = 0; t < speeds->type_count; t++)
		json_object_set_new(
			types, speeds->types[t],
			json_pack("{s:f, s:i}", "time",
				  answer->time[t] / shortest(answer, speeds->type_count), "runs",
				  (int)speed->runs[t]));
	json_object_set_new(o, "types", types);
	return o;
}

static void print_head(const struct lw_speeds *speeds)
{
	printf("expected run time, the shortest being 1, and (runs that this kind of job had "
	       "there)\n\n%10s %-16s %-10s %-9s %4s",
	       "user", "name", "tag", "job name", "GPUs");
	for (uint32_t t = 0; t < speeds->type_count; t++)
		printf(" %14.14s", speeds->types[t]);
	printf("\n");
}

int lw_history_show_types(const struct lw_history *history, uint32_t who, const char *as_json,
			  struct lw_error *err)
{
	const struct lw_speeds *speeds = lw_history_speeds(history);
	const struct lw_speed_types types = types_of(speeds);
	json_t *list = json_array();
	struct lw_speed_site site;

	lw_speeds_site(speeds, &types, &site);
	if (!as_json)
		print_head(speeds);
	for (uint32_t i = 0; i < speeds->count; i++) {
		const struct lw_speed *speed = &speeds->entries[i];
		struct lw_speed_answer answer;

		if (who != LW_HISTORY_NOBODY && speed->key.user != who)
			continue;
		lw_speeds_ask(speeds, &site, &speed->key, &answer);
		if (as_json)
			json_array_append_new(list, make_speed(speeds, speed, &answer));
		else
			print_speed(speeds, speed, &answer);
	}
	if (as_json)
		return lw_output_json(
			as_json,
			lw_json_named("leeway.history.types", json_pack("{s:o}", "kinds", list)),
			err);
	json_decref(list);
	return 0;
}

void lw_history_print_types(const struct lw_history *history)
{
	const struct lw_speeds *speeds = lw_history_speeds(history);
	const struct lw_speed_types types = types_of(speeds);
	const struct lw_speed_key nobody = { .user = LW_HISTORY_NOBODY };
	struct lw_speed_answer answer;
	struct lw_speed_site site;

	if (!types.count)
		return;
	lw_speeds_site(speeds, &types, &site);
	lw_speeds_ask(speeds, &site, &nobody, &answer);
	printf("\nrun time by GPU type, over all jobs, the shortest being 1:");
	for (uint32_t t = 0; t < types.count; t++)
		printf(" %s %.2f", types.name[t],
		       answer.time[t] / shortest(&answer, types.count));
	printf("\n");
}
