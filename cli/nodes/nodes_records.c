/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway nodes: by GPU records, on which node the GPUs of a job did least. */
#include "cli/nodes/nodes.h"

#include <errno.h>

#include "base/grow.h"
#include "record/list.h"
#include "record/summary.h"

/* By less than this part of what the others do the least is not behind. */
#define RECORDS_BEHIND 0.9
/* Of the first node, where most programs do more, and of two others. */
#define RECORDS_NODES_MIN 3
/* Shorter than this, what the start of a program takes is most of it. */
#define RECORDS_LEAST_S 600

/* What the GPUs did in the mean, in percent; below 0: not known. */
static double records_work(const struct lw_record *record)
{
	struct lw_stat sm = { 0 }, util = { 0 };

	if (record->head.shared)
		return -1;
	for (uint32_t g = 0; g < record->head.gpu_count; g++) {
		struct lw_gpu_summary gpu;

		lw_summary_gpu(record, g, &gpu);
		lw_stat_add(&sm, &gpu.stat[LW_METRIC_SM]);
		lw_stat_add(&util, &gpu.stat[LW_METRIC_UTIL]);
	}
	if (sm.count)
		return (double)sm.sum / sm.count;
	return util.count ? (double)util.sum / util.count : -1;
}

static bool records_are_long(const struct lw_record *record)
{
	return record->head.end_s && record->head.end_s - record->head.start_s >= RECORDS_LEAST_S;
}

/* Add the gang of LIST, but its first node. */
static int records_add(struct lw_nodes_log *log, const struct lw_record_list *list)
{
	struct lw_nodes_gang gang = { .first = log->place_count, .behind = LW_NODES_NONE };
	double least = 0, sum = 0;
	uint32_t node, last = LW_NODES_NONE;
	int rc = 0;

	for (uint32_t i = 1; !rc && i < list->count; i++) {
		double work = records_work(list->records[i]);

		rc = lw_ana_names_number(&log->nodes, list->records[i]->head.node, &node);
		if (!rc)
			rc = lw_nodes_add_place(log, node);
		sum += work;
		if (last == LW_NODES_NONE || work < least) {
			last = node;
			least = work;
		}
	}
	gang.count = log->place_count - gang.first;
	if (!rc)
		rc = lw_grow((void **)&log->gangs, &log->gang_room, log->gang_count + 1,
			     sizeof(gang));
	if (rc)
		return rc;
	if (least < RECORDS_BEHIND * (sum - least) / (gang.count - 1))
		gang.behind = last;
	log->gangs[log->gang_count++] = gang;
	return 0;
}

static int records_visit(void *arg, uint32_t job_id, struct lw_record_list *list)
{
	(void)job_id;
	if (list->live || list->count < RECORDS_NODES_MIN)
		return 0;
	for (uint32_t i = 0; i < list->count; i++)
		if (!records_are_long(list->records[i]) || records_work(list->records[i]) < 0)
			return 0;
	return records_add(arg, list);
}

int lw_nodes_read_records(struct lw_nodes_log *log, const struct lw_nodes_request *request,
			  struct lw_error *err)
{
	const struct lw_record_search search = { .dirs = request->dirs,
						 .dir_count = request->dir_count };
	int rc = lw_record_visit(&search, records_visit, log, err);

	return rc == -ENOMEM ? lw_error_set(err, rc, "out of memory") : rc;
}
