/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the other jobs on a GPU now, from the records that their steps write. */
#include "record/neighbours.h"

#include "record/files.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static struct lw_neighbour *neighbours_find(struct lw_neighbours *neighbours, uint32_t job_id)
{
	for (uint32_t i = 0; i < neighbours->count; i++)
		if (neighbours->one[i].job_id == job_id)
			return &neighbours->one[i];
	return NULL;
}

static int64_t neighbours_since_of(const struct lw_record_head *head)
{
	return head->run_s ? head->run_s : head->start_s;
}

static bool neighbours_has_gpu(const struct lw_record *record, const char *id)
{
	for (uint32_t g = 0; g < record->head.gpu_count; g++)
		if (!strcmp(record->head.gpu[g].id, id))
			return true;
	return false;
}

/* Read a job that is not known yet. */
static void neighbours_read_one(struct lw_neighbours *neighbours, const char *dir,
				const char *name, const char *id)
{
	struct lw_record *record = NULL;

	if (neighbours->count == LW_NEIGHBOURS_MAX ||
	    lw_files_load(dir, name, false, &record, NULL))
		return;
	if (neighbours_has_gpu(record, id))
		neighbours->one[neighbours->count++] =
			(struct lw_neighbour){ record->head.job_id,
					       neighbours_since_of(&record->head), true };
	lw_record_destroy(record);
}

static void neighbours_look_at(struct lw_neighbours *neighbours, const char *dir,
			       const char *name, const struct lw_record_head *head,
			       const char *id)
{
	uint32_t job_id = lw_files_job(name);
	struct lw_neighbour *known = neighbours_find(neighbours, job_id);
	char path[PATH_MAX];

	if (job_id == head->job_id || lw_files_path(path, dir, "%s", name) ||
	    lw_files_is_locked(path) <= 0)
		return;
	if (known)
		known->there = true;
	else
		neighbours_read_one(neighbours, dir, name, id);
}

void lw_neighbours_look(struct lw_neighbours *neighbours, const char *dir,
			const struct lw_record_head *head, const char *id)
{
	const struct lw_files_wanted wanted = { .node = head->node, .kind = LW_FILES_PARTS };
	struct lw_files files = { 0 };
	uint32_t kept = 0;

	for (uint32_t i = 0; i < neighbours->count; i++)
		neighbours->one[i].there = false;
	if (!lw_files_list(dir, &wanted, &files))
		for (uint32_t i = 0; i < files.count; i++)
			neighbours_look_at(neighbours, dir, files.name[i], head, id);
	lw_files_fini(&files);
	for (uint32_t i = 0; i < neighbours->count; i++)
		if (neighbours->one[i].there)
			neighbours->one[kept++] = neighbours->one[i];
	neighbours->count = kept;
}

bool lw_neighbours_is_newest(const struct lw_neighbours *neighbours,
			     const struct lw_record_head *head)
{
	for (uint32_t i = 0; i < neighbours->count; i++) {
		const struct lw_neighbour *one = &neighbours->one[i];

		if (one->since_s > neighbours_since_of(head) ||
		    (one->since_s == neighbours_since_of(head) && one->job_id > head->job_id))
			return false;
	}
	return true;
}
