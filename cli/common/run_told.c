/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what one replay left behind: what sbatch was told of other jobs and of deadlines. */
#include "cli/common/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/number.h"
#include "measure/workload.h"

/* The text of a column, "" where it is not there or says "-". */
static const char *text_of(char *const *fields, uint32_t count, enum lw_run_submitted column)
{
	return (uint32_t)column < count && strcmp(fields[column], "-") != 0 ? fields[column] : "";
}

/* A number of a column; one that is not there stays what it is. */
static int read_number(char *const *fields, uint32_t count, enum lw_run_submitted column,
		       uint32_t *ret_value)
{
	const char *text = text_of(fields, count, column);
	uint64_t value = *ret_value;

	if (*text && !lw_number_read(text, UINT32_MAX, &value))
		return -EINVAL;
	*ret_value = (uint32_t)value;
	return 0;
}

static int read_time(char *const *fields, uint32_t count, enum lw_run_submitted column,
		     int64_t *ret_time_s)
{
	const char *text = text_of(fields, count, column);

	*ret_time_s = LW_RUN_NONE;
	if (*text && !lw_number_read_signed(text, 0, LW_SUBMITTED_TIME_MAX_S, ret_time_s))
		return -EINVAL;
	return 0;
}

static int read_numbers(char *const *fields, uint32_t count, struct lw_run_told *told)
{
	const char *id = fields[LW_SUBMITTED_ID];
	uint64_t number = 0;
	int rc = read_time(fields, count, LW_SUBMITTED_TIME, &told->time_s);

	if (!rc)
		rc = read_time(fields, count, LW_SUBMITTED_DUE, &told->due_s);
	if (!rc)
		rc = read_number(fields, count, LW_SUBMITTED_TASKS, &told->tasks);
	if (!rc)
		rc = read_number(fields, count, LW_SUBMITTED_WEIGHT, &told->weight);
	if (!rc)
		rc = read_number(fields, count, LW_SUBMITTED_AT_MOST, &told->at_most);
	if (!rc && strcmp(id, "refused") != 0 && !lw_number_read(id, UINT32_MAX, &number))
		rc = -EINVAL;
	told->id = (unsigned long)number;
	return rc;
}

int lw_run_add_told(struct lw_run *run, char *const *fields, uint32_t count)
{
	struct lw_run_told told = { .tasks = 1, .weight = 1 };
	int rc;

	if (count <= LW_SUBMITTED_DUE)
		return 0;
	rc = read_numbers(fields, count, &told);
	if (rc)
		return rc;
	if (told.due_s == LW_RUN_NONE && !told.at_most &&
	    !*text_of(fields, count, LW_SUBMITTED_AFTER))
		return 0;
	if (lw_grow((void **)&run->told, &run->told_room, run->told_count + 1, sizeof(told)))
		return -ENOMEM;
	told.run_s = strdup(text_of(fields, count, LW_SUBMITTED_RUN));
	told.after = strdup(text_of(fields, count, LW_SUBMITTED_AFTER));
	run->told[run->told_count++] = told;
	return told.run_s && told.after ? 0 : -ENOMEM;
}

void lw_run_free_told(struct lw_run *run)
{
	for (uint32_t i = 0; i < run->told_count; i++) {
		free(run->told[i].run_s);
		free(run->told[i].after);
	}
	free(run->told);
}
