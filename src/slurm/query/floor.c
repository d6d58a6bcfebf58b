/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the least that a job may ask for, by its partition and by QOS. */
#include "slurm/query/floor.h"

/* The limit of FIRST hides that of SECOND; either may be NULL. */
static uint32_t floor_of(const slurmdb_qos_rec_t *first, const slurmdb_qos_rec_t *second,
			 int tres)
{
	const uint64_t *limits[] = { first ? first->min_tres_pj_ctld : NULL,
				     second ? second->min_tres_pj_ctld : NULL };

	for (int i = 0; tres >= 0 && i < 2; i++)
		if (limits[i] && limits[i][tres] != INFINITE64)
			return limits[i][tres] < UINT32_MAX ? (uint32_t)limits[i][tres]
							    : UINT32_MAX;
	return 0;
}

/* "gpu:a100", of GRES? */
static bool floor_is_type(const slurmdb_tres_rec_t *tres)
{
	return !xstrcmp(tres->type, "gres") && !xstrncmp(tres->name, "gpu:", 4);
}

/* The job asks for no less of a type than QOS wants: what it asks for is of that type. */
static void floor_heed_types(const slurmdb_qos_rec_t *first, const slurmdb_qos_rec_t *second,
			     struct lw_floor *floor)
{
	for (int tres = 0; tres < slurmctld_tres_cnt; tres++) {
		uint32_t least = floor_of(first, second, tres);

		if (!least || !floor_is_type(assoc_mgr_tres_array[tres]))
			continue;
		floor->typed = true;
		if (least > floor->gpus)
			floor->gpus = least;
	}
}

/* The limit of a node: that of a QOS hides that of the association. INFINITE64: none. */
static uint64_t floor_node_limit(const job_record_t *job, const slurmdb_qos_rec_t *first,
				 const slurmdb_qos_rec_t *second, int tres)
{
	const uint64_t *limits[] = { first ? first->max_tres_pn_ctld : NULL,
				     second ? second->max_tres_pn_ctld : NULL,
				     job->assoc_ptr ? job->assoc_ptr->max_tres_pn_ctld : NULL };

	for (int i = 0; i < 3; i++)
		if (limits[i] && limits[i][tres] != INFINITE64)
			return limits[i][tres];
	return INFINITE64;
}

/* Does JOB ask for so much of TRES in all, and not of each node? */
static bool floor_is_total(const job_record_t *job, int tres)
{
	if (tres == TRES_ARRAY_NODE || tres == TRES_ARRAY_BILLING || tres == TRES_ARRAY_ENERGY)
		return false;
	if (tres == TRES_ARRAY_CPU)
		return !job->details->ntasks_per_node;
	if (tres == TRES_ARRAY_MEM)
		return job->details->pn_min_memory & MEM_PER_CPU;
	return !job->tres_per_node;
}

/* On fewer nodes a node would have to give more of what JOB asks for in all than it may. */
static uint32_t floor_nodes(const job_record_t *job, const slurmdb_qos_rec_t *first,
			    const slurmdb_qos_rec_t *second)
{
	uint64_t nodes = 0;

	for (int tres = 0; tres < slurmctld_tres_cnt && job->tres_req_cnt; tres++) {
		uint64_t limit = floor_node_limit(job, first, second, tres);
		uint64_t asked = job->tres_req_cnt[tres];

		if (!limit || limit == INFINITE64 || asked == NO_VAL64 ||
		    asked == NO_CONSUME_VAL64 || !floor_is_total(job, tres))
			continue;
		if (asked / limit + (asked % limit != 0) > nodes)
			nodes = asked / limit + (asked % limit != 0);
	}
	return nodes < UINT32_MAX ? (uint32_t)nodes : UINT32_MAX;
}

/* No fewer nodes than it names, nor than its partition wants. */
static uint32_t floor_named_nodes(const job_record_t *job)
{
	uint32_t named = (uint32_t)bit_set_count(job->details->req_node_bitmap);

	return named > job->part_ptr->min_nodes ? named : job->part_ptr->min_nodes;
}

void lw_job_floor(const job_record_t *job, struct lw_floor *ret_floor)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .tres = READ_LOCK };
	slurmdb_tres_rec_t gpu = { .type = "gres", .name = "gpu" };
	slurmdb_qos_rec_t *first = NULL, *second = NULL;
	uint32_t nodes;

	*ret_floor = (struct lw_floor){ .nodes = job->part_ptr->min_nodes };
	if (job->details->req_node_bitmap)
		ret_floor->nodes = floor_named_nodes(job);
	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS))
		return;
	assoc_mgr_lock(&locks);
	acct_policy_set_qos_order((job_record_t *)job, &first, &second);
	nodes = floor_of(first, second, TRES_ARRAY_NODE);
	if (nodes > ret_floor->nodes)
		ret_floor->nodes = nodes;
	nodes = floor_nodes(job, first, second);
	if (nodes > ret_floor->nodes)
		ret_floor->nodes = nodes;
	ret_floor->cpus = floor_of(first, second, TRES_ARRAY_CPU);
	ret_floor->mem_mib = floor_of(first, second, TRES_ARRAY_MEM);
	ret_floor->gpus = floor_of(first, second, assoc_mgr_find_tres_pos(&gpu, true));
	floor_heed_types(first, second, ret_floor);
	assoc_mgr_unlock(&locks);
}
