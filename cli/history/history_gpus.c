/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway history show --gpus: what users' jobs make of their GPUs, by tag and limit. */
#include "cli/history/history.h"

#include <jansson.h>

#include "cli/common/field.h"
#include "cli/common/json.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "tagger/tag.h"

static const char *tag_name(const struct lw_habit *habit)
{
	return habit->key.tag == LW_HABIT_UNTAGGED
		       ? "-"
		       : lw_tag_class_name((enum lw_tag_class)habit->key.tag);
}

/* KEPT, the mean of JOBS as a habit has it, in its unit. */
static double habit_mean(uint32_t jobs, uint32_t kept)
{
	return lw_field_if(jobs > 0, (double)kept / LW_HABIT_ONE);
}

static struct lw_fields habit_fields(const struct lw_habit *habit)
{
	return (struct lw_fields){ {
		{ "user", "user", 10, .value = habit->key.user },
		{ NULL, "name", -16, LW_FIELD_TEXT,
		  .text = lw_history_user_name(habit->key.user) },
		{ NULL, "tag", -10, LW_FIELD_TEXT, .text = tag_name(habit) },
		{ "limit_s", "limit_s", 10, .value = habit->key.limit_s },
		{ "jobs", "jobs", 6, .value = habit->jobs },
		{ "util_percent", "util %", 6, LW_FIELD_REAL,
		  .value = habit_mean(habit->util_jobs, habit->util) },
		{ NULL, "idle %", 6, .value = habit_mean(habit->util_jobs, habit->idle) / 10 },
		{ "idle_share", .form = LW_FIELD_REAL,
		  .value = habit_mean(habit->util_jobs, habit->idle) / 1000 },
		{ "sm_percent", "sm %", 6, LW_FIELD_REAL,
		  .value = habit_mean(habit->sm_jobs, habit->sm) },
		{ "tensor_percent", "tens %", 6, LW_FIELD_REAL,
		  .value = habit_mean(habit->tensor_jobs, habit->tensor) },
		{ "membw_percent", "bw %", 6, LW_FIELD_REAL,
		  .value = habit_mean(habit->membw_jobs, habit->membw) },
		{ "mem_mib", "mem MiB", 8, LW_FIELD_REAL,
		  .value = habit_mean(habit->mem_jobs, habit->mem) },
		{ "mem_max_mib", "highest", 8,
		  .value = lw_field_if(habit->mem_jobs > 0, habit->mem_max_mib) },
		{ "nvlink_mib_s", "nvlink", 8, LW_FIELD_REAL,
		  .value = habit_mean(habit->nvlink_jobs, habit->nvlink) },
		{ "pcie_mib_s", "pcie", 8, LW_FIELD_REAL,
		  .value = habit_mean(habit->pcie_jobs, habit->pcie) },
		{ "pcie_jobs", .value = lw_field_if(habit->pcie_jobs > 0, habit->pcie_jobs) },
	} };
}

static json_t *make_habit(const struct lw_habit *habit)
{
	json_t *o = lw_fields_json(habit_fields(habit), false);

	json_object_set_new(o, "tag",
			    habit->key.tag == LW_HABIT_UNTAGGED ? json_null()
								: json_string(tag_name(habit)));
	return o;
}

int lw_history_show_gpus(const struct lw_history *history, uint32_t who, const char *as_json,
			 struct lw_error *err)
{
	const struct lw_habits *habits = lw_history_habits(history);
	const struct lw_habit none = { 0 };
	json_t *list = as_json ? json_array() : NULL;

	if (!as_json)
		lw_fields_print_titles(habit_fields(&none), "");
	for (uint32_t i = 0; i < habits->count; i++) {
		const struct lw_habit *habit = &habits->entries[i];

		if (who != LW_HISTORY_NOBODY && habit->key.user != who)
			continue;
		if (as_json)
			json_array_append_new(list, make_habit(habit));
		else
			lw_fields_print(habit_fields(habit), "");
	}
	if (!as_json)
		return 0;
	return lw_output_json(
		as_json, lw_json_named("leeway.history.gpus", json_pack("{s:o}", "habits", list)),
		err);
}
