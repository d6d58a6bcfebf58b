/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job's GPU record on a node, as the keepers of slurmctld: made step by step, and read.
 */
#include "property/keepers.h"

#include "base/io.h"
#include "record/file.h"
#include "record/list.h"
#include "record/summary.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>

#define JOB 77

int64_t keeper_load_record(const char *path, const struct lw_log *log)
{
	char dir[PATH_MAX];
	const char *const dirs[] = { dir };
	struct lw_record_list list;
	struct lw_gpu_summary sum;
	struct lw_error err = { "" };
	int64_t samples = 0;
	int rc = lw_dir_of(path, dir, sizeof(dir));

	if (!rc)
		rc = lw_record_list_read(dirs, 1, JOB, &list, &err);
	if (rc)
		return rc == -ENOENT ? 0 : rc;
	if (*err.text)
		lw_log_error(log, "%s", err.text);
	for (uint32_t i = 0; i < list.count; i++) {
		lw_summary_gpu(list.records[i], 0, &sum);
		samples += (int64_t)sum.samples;
		if (list.records[i]->damaged)
			lw_log_error(log, "%s: %u lines are damaged", path,
				     list.records[i]->damaged);
	}
	lw_record_list_fini(&list);
	return samples;
}

/* A step that reads its GPU at the times from number HAVE up to ENTRIES. */
static int run_step(const char *dir, struct lw_record *record, uint32_t have, uint32_t entries)
{
	struct lw_record_file *file;
	struct lw_error err;
	int rc = lw_record_file_create(dir, record, &file, &err);

	if (rc)
		return rc;
	for (uint32_t i = have; !rc && i < entries; i++) {
		struct lw_gpu_sample sample = { .has = 1u << LW_METRIC_UTIL };

		sample.value[LW_METRIC_UTIL] = i % 100;
		rc = lw_record_add(record, KEEPER_NOW_S + i * 10, &sample);
	}
	/* a failure is made up for at the end */
	if (!rc)
		lw_record_file_save(file, record, &err);
	record->head.end_s = KEEPER_NOW_S + entries * 10;
	return lw_record_file_finish(file, record, &err);
}

int keeper_make_record(const char *path, uint32_t entries)
{
	struct lw_record_head head = { .job_id = JOB,
				       .interval_s = 10,
				       .start_s = KEEPER_NOW_S,
				       .user_id = LW_RECORD_NO_USER,
				       .node = "n1",
				       .step = "0",
				       .gpu_count = 1,
				       .gpu[0].id = "GPU-0" };
	struct lw_record *record;
	char dir[PATH_MAX];
	int64_t have;
	int rc = lw_dir_of(path, dir, sizeof(dir));

	if (!rc)
		rc = lw_record_settle(dir, JOB, head.node, NULL);
	have = rc ? rc : keeper_load_record(path, NULL);
	if (have < 0)
		return (int)have;
	head.start_s += have * 10;
	rc = lw_record_create(&head, &record);
	if (rc)
		return rc;
	rc = run_step(dir, record, (uint32_t)have, entries);
	lw_record_destroy(record);
	return rc;
}
