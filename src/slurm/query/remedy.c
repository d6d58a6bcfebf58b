/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: would Slurm start a waiting job now, if it were changed? */
#include "slurm/query/remedy.h"

#include "slurm/bits.h"
#include "slurm/query/ask.h"

/* Which of NODES do reservations leave to JOB, with the limit that it has? */
static bool remedy_is_open(job_record_t *job, bitstr_t *nodes)
{
	resv_exc_t exceptions = { 0 };
	time_t when = time(NULL);
	bitstr_t *open = NULL;
	bool overlap = false;
	int rc = job_test_resv(job, &when, false, &open, &exceptions, &overlap, false);

	reservation_delete_resv_exc_parts(&exceptions);
	if (rc == SLURM_SUCCESS && open)
		bit_and(nodes, open);
	FREE_NULL_BITMAP(open);
	return rc == SLURM_SUCCESS && when <= time(NULL);
}

static bool remedy_starts_now(job_record_t *job, const struct lw_bitset *nodes)
{
	bitstr_t *left = lw_bits_of_set(nodes, (uint32_t)node_record_count);
	bool starts = remedy_is_open(job, left) && lw_ask_now(job, left);

	bit_free(left);
	return starts;
}

static bool remedy_with_limit(job_record_t *job, uint32_t limit_s, const struct lw_bitset *nodes)
{
	uint32_t limit = job->time_limit;
	bool starts;

	job->time_limit = limit_s / 60;
	starts = remedy_starts_now(job, nodes);
	job->time_limit = limit;
	return starts;
}

/* As scontrol update NumNodes= has it: tasks and CPUs of all its nodes stay what they are. */
static bool remedy_with_nodes(job_record_t *job, uint32_t count, const struct lw_bitset *nodes)
{
	uint32_t least = job->details->min_nodes, most = job->details->max_nodes;
	bool starts;

	job->details->min_nodes = job->details->max_nodes = count;
	starts = remedy_starts_now(job, nodes);
	job->details->min_nodes = least;
	job->details->max_nodes = most;
	return starts;
}

bool lw_remedy_starts(job_record_t *job, const struct lw_hint *hint,
		      const struct lw_bitset *nodes)
{
	/* in which partition is not known */
	if (job->part_ptr_list || !job->part_ptr || !job->details)
		return true;
	switch (hint->kind) {
	case LW_HINT_LIMIT:
		return remedy_with_limit(job, hint->value, nodes);
	case LW_HINT_NODES:
		return remedy_with_nodes(job, hint->value, nodes);
	default:
		return true;
	}
}
