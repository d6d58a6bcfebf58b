/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: the file of GPUs beside a trace: a line a job, parted by commas. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/number.h"
#include "cli/common/origin.h"
#include "lab/analyse/input.h"
#include "measure/lines.h"

#define FIELDS_MAX 64

enum column { COL_JOB, COL_MILLI, COL_UTIL, COL_DEEP, COLUMNS };

static const char *const column_names[COLUMNS] = {
	[COL_JOB] = "job_id",
	[COL_MILLI] = "gpu_milli",
	[COL_UTIL] = "gpu_util",
	[COL_DEEP] = "dl",
};

struct side {
	struct lw_lines lines;
	const char *path;
	int at[COLUMNS];
	uint32_t fields;
	struct lw_lookup places; /* of a job by its number in the trace */
};

static int side_bad(const struct side *side, enum column column, const char *text,
		    const char *wanted, struct lw_error *err)
{
	return lw_error_set(err, -EINVAL, "%s:%" PRIu32 ": %s: \"%.40s\" is not %s", side->path,
			    side->lines.number, column_names[column], text, wanted);
}

static int side_header(struct side *side, struct lw_error *err)
{
	char *fields[FIELDS_MAX], *line = lw_lines_next(&side->lines);

	for (int c = 0; c < COLUMNS; c++)
		side->at[c] = -1;
	side->fields = line ? lw_lines_split(line, ',', fields, FIELDS_MAX) : 0;
	for (uint32_t f = 0; f < side->fields && f < FIELDS_MAX; f++)
		for (int c = 0; c < COLUMNS; c++)
			if (strcmp(fields[f], column_names[c]) == 0)
				side->at[c] = (int)f;
	if (side->at[COL_JOB] < 0 || side->fields > FIELDS_MAX)
		return lw_error_set(err, -EINVAL,
				    "%s:1: no header line \"job_id,...\" of at most %d columns",
				    side->path, FIELDS_MAX);
	return 0;
}

static int side_take(struct side *side, char *const *fields, struct lw_ana_input *input,
		     struct lw_error *err)
{
	uint64_t number, milli = 0, util = UINT8_MAX;
	struct lw_joblog_job *job;
	uint32_t place;
	const char *text = fields[side->at[COL_JOB]];

	if (!lw_number_read(text, INT64_MAX, &number))
		return side_bad(side, COL_JOB, text, "a job's number", err);
	if (!lw_lookup_get(&side->places, number, &place))
		return 0;
	job = &input->log.jobs[place];
	text = side->at[COL_MILLI] < 0 ? "" : fields[side->at[COL_MILLI]];
	if (*text && !lw_number_read(text, UINT16_MAX, &milli))
		return side_bad(side, COL_MILLI, text, "thousandths of a GPU", err);
	text = side->at[COL_UTIL] < 0 ? "" : fields[side->at[COL_UTIL]];
	if (*text && !lw_number_read(text, 100, &util))
		return side_bad(side, COL_UTIL, text, "a whole number from 0 to 100", err);
	text = side->at[COL_DEEP] < 0 ? "" : fields[side->at[COL_DEEP]];
	if (*text && strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
		return side_bad(side, COL_DEEP, text, "0 or 1", err);
	job->gpu_milli = (uint16_t)milli;
	job->util_percent = (uint8_t)util;
	if (*text)
		job->kind = *text == '1' ? LW_JOBLOG_DEEP : LW_JOBLOG_OTHER;
	return 0;
}

static int side_rows(struct side *side, struct lw_ana_input *input, struct lw_error *err)
{
	char *fields[FIELDS_MAX], *line;
	int rc = side_header(side, err);

	while (!rc && (line = lw_lines_next(&side->lines))) {
		uint32_t count;

		if (!*line)
			continue;
		count = lw_lines_split(line, ',', fields, FIELDS_MAX);
		if (count != side->fields)
			rc = lw_error_set(err, -EINVAL,
					  "%s:%" PRIu32 ": %" PRIu32 " fields, %" PRIu32
					  " wanted",
					  side->path, side->lines.number, count, side->fields);
		else
			rc = side_take(side, fields, input, err);
	}
	return rc;
}

int lw_ana_read_side(struct lw_ana_input *input, const char *path, const int64_t *numbers,
		     struct lw_error *err)
{
	struct side side = { .path = path };
	int rc = lw_lines_open(&side.lines, path, err);

	if (rc)
		return rc;
	lw_origin_add(path, side.lines.sha256);
	for (uint32_t i = 0; !rc && i < input->log.count; i++)
		rc = lw_lookup_put(&side.places, (uint64_t)numbers[i], i);
	if (rc)
		lw_error_set(err, rc, "out of memory");
	else
		rc = side_rows(&side, input, err);
	lw_lookup_fini(&side.places);
	lw_lines_fini(&side.lines);
	return rc;
}
