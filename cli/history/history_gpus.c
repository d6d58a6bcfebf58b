/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway history show --gpus: what users' jobs make of their GPUs, by tag and limit. */
#include "cli/history/history.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

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

static double real(uint32_t mean)
{
	return (double)mean / LW_HABIT_ONE;
}

static void print_traffic(uint32_t mean, uint32_t jobs)
{
	if (jobs)
		printf(" %8.0f", real(mean));
	else
		printf(" %8s", "-");
}

static void print_percent(uint32_t mean, uint32_t jobs)
{
	if (jobs)
		printf(" %6.0f", real(mean));
	else
		printf(" %6s", "-");
}

static void print_habit(const struct lw_habit *habit)
{
	printf("%10" PRIu32 " %-16s %-10s %10" PRIu32 " %6" PRIu32, habit->key.user,
	       lw_history_user_name(habit->key.user), tag_name(habit), habit->key.limit_s,
	       habit->jobs);
	if (habit->util_jobs)
		printf(" %6.0f %6.0f", real(habit->util), real(habit->idle) / 10);
	else
		printf(" %6s %6s", "-", "-");
	print_percent(habit->sm, habit->sm_jobs);
	print_percent(habit->tensor, habit->tensor_jobs);
	print_percent(habit->membw, habit->membw_jobs);
	if (habit->mem_jobs)
		printf(" %8.0f %8" PRIu32, real(habit->mem), habit->mem_max_mib);
	else
		printf(" %8s %8s", "-", "-");
	print_traffic(habit->nvlink, habit->nvlink_jobs);
	print_traffic(habit->pcie, habit->pcie_jobs);
	printf("\n");
}

static json_t *make_habit(const struct lw_habit *habit)
{
	json_t *o = json_pack("{s:I, s:I, s:I}", "user", (json_int_t)habit->key.user, "limit_s",
			      (json_int_t)habit->key.limit_s, "jobs", (json_int_t)habit->jobs);

	json_object_set_new(o, "tag",
			    habit->key.tag == LW_HABIT_UNTAGGED ? json_null()
								: json_string(tag_name(habit)));
	if (habit->util_jobs) {
		json_object_set_new(o, "util_percent", json_real(real(habit->util)));
		json_object_set_new(o, "idle_share", json_real(real(habit->idle) / 1000));
	}
	if (habit->mem_jobs) {
		json_object_set_new(o, "mem_mib", json_real(real(habit->mem)));
		json_object_set_new(o, "mem_max_mib", json_integer(habit->mem_max_mib));
	}
	if (habit->sm_jobs)
		json_object_set_new(o, "sm_percent", json_real(real(habit->sm)));
	if (habit->tensor_jobs)
		json_object_set_new(o, "tensor_percent", json_real(real(habit->tensor)));
	if (habit->membw_jobs)
		json_object_set_new(o, "membw_percent", json_real(real(habit->membw)));
	if (habit->nvlink_jobs)
		json_object_set_new(o, "nvlink_mib_s", json_real(real(habit->nvlink)));
	if (habit->pcie_jobs) {
		json_object_set_new(o, "pcie_mib_s", json_real(real(habit->pcie)));
		json_object_set_new(o, "pcie_jobs", json_integer(habit->pcie_jobs));
	}
	return o;
}

int lw_history_show_gpus(const struct lw_history *history, uint32_t who, const char *as_json,
			 struct lw_error *err)
{
	const struct lw_habits *habits = lw_history_habits(history);
	json_t *list = as_json ? json_array() : NULL;

	if (!as_json)
		printf("%10s %-16s %-10s %10s %6s %6s %6s %6s %6s %6s %8s %8s %8s %8s\n", "user",
		       "name", "tag", "limit_s", "jobs", "util %", "idle %", "sm %", "tens %",
		       "bw %", "mem MiB", "highest", "nvlink", "pcie");
	for (uint32_t i = 0; i < habits->count; i++) {
		const struct lw_habit *habit = &habits->entries[i];

		if (who != LW_HISTORY_NOBODY && habit->key.user != who)
			continue;
		if (as_json)
			json_array_append_new(list, make_habit(habit));
		else
			print_habit(habit);
	}
	if (!as_json)
		return 0;
	return lw_output_json(as_json,
			      lw_json_named("leeway.history.gpus",
					    json_pack("{s:o}", "habits", list)),
			      err);
}
