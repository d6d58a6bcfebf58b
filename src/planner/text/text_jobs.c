/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the lines of lw-snapshot(5) about jobs: what they need, hold and wait for. */
#include "planner/text/text_parser.h"

#include "base/grow.h"
#include "planner/text/text_amounts.h"
#include "planner/text/text_fields.h"

/* A short text must not be able to ask for all memory. */
#define ALLOCS_MAX (16 * 1024 * 1024)
/* The largest array that Slurm allows. */
#define TASKS_MAX 4000001
/* Of tasks that ask for nothing: all of them start, on whatever nodes. */
#define FREE_TASKS_MAX 4096

int lw_text_end_coallocation(struct lw_text_parser *p)
{
	uint32_t expected = p->snap->coallocation_count + 1, coallocation = 0;
	int rc;

	if (!p->need_count)
		return 0;
	rc = lw_text_at_line(p, lw_snapshot_add_coallocation(p->snap, p->needs, p->need_count,
							     &coallocation, p->in.err));
	p->need_count = 0;
	if (!rc && coallocation != expected)
		rc = lw_text_fail(&p->in, "need", "the same as an earlier one", NULL);
	return rc;
}

int lw_text_get_need(struct lw_text_parser *p, struct lw_text_word *line)
{
	struct lw_need need = { 0 };
	struct lw_text_word word;
	uint64_t seen = 0;
	uint64_t coallocation;
	int rc = lw_text_need_word(p, line, "need", &word);

	if (rc)
		return rc;
	if (!lw_text_number(&word, LW_TEXT_NODES_MAX, &coallocation))
		return lw_text_fail(&p->in, "need", "bad number", &word);
	if (coallocation != p->snap->coallocation_count + 1) {
		rc = lw_text_end_coallocation(p);
		if (!rc && coallocation != p->snap->coallocation_count + 1)
			rc = lw_text_fail(&p->in, "need", "not the next one", &word);
	}
	lw_text_absent_fields(&lw_text_need, &need);
	while (!rc && lw_text_next_word(line, &word))
		rc = lw_text_get_field(&p->in, &lw_text_need, &word, p->snap, &need, &seen);
	if (!rc)
		rc = lw_text_check_fields(&p->in, &lw_text_need, seen);
	if (rc)
		return rc;
	if (lw_grow((void **)&p->needs, &p->need_room, p->need_count + 1, sizeof(*p->needs)))
		return lw_text_no_memory(p);
	p->needs[p->need_count++] = need;
	return 0;
}

static int text_jobs_add_alloc_range(struct lw_text_parser *p, uint32_t first, uint32_t last,
				     void *arg)
{
	uint32_t count = last - first + 1;

	if (count > ALLOCS_MAX - p->alloc_count - p->snap->alloc_count)
		return lw_text_fail(&p->in, "on", "too many nodes in all", NULL);
	if (lw_grow((void **)&p->allocs, &p->alloc_room, p->alloc_count + count,
		    sizeof(*p->allocs)))
		return lw_text_no_memory(p);
	for (uint32_t i = first; i <= last; i++)
		p->allocs[p->alloc_count++] =
			(struct lw_alloc){ .node = i, .res = *(const struct lw_res *)arg };
	return 0;
}

/* on=0-3,7:cpus=4,mem=100 without the "on=". */
static int text_jobs_parse_on(struct lw_text_parser *p, struct lw_text_word amounts)
{
	struct lw_text_word ranges, amount;
	struct lw_res res = { 0 };
	bool more;
	int rc;

	more = lw_text_cut(&amounts, ':', &ranges);
	while (more) {
		more = lw_text_cut(&amounts, ',', &amount);
		rc = lw_text_get_amount(&p->in, &amount, p->snap, &res);
		if (rc)
			return rc;
	}
	return lw_text_ranges(p, &ranges, text_jobs_add_alloc_range, &res);
}

static int text_jobs_need_job_id(const struct lw_text_parser *p, struct lw_text_word *line,
				 uint32_t *ret_id)
{
	struct lw_text_word word;
	uint64_t id;
	int rc = lw_text_need_word(p, line, "job", &word);

	if (rc)
		return rc;
	if (!lw_text_number(&word, UINT32_MAX, &id))
		return lw_text_fail(&p->in, "job", "bad job id", &word);
	*ret_id = (uint32_t)id;
	return 0;
}

/* No slurmctld has such a run: a planner that takes it plans on room that is not there. */
static int text_jobs_check_run(const struct lw_text_parser *p, const struct lw_running *job)
{
	if (job->end_s < job->start_s)
		return lw_text_fail(&p->in, "end", "before its start", NULL);
	for (uint32_t i = 0; i < p->alloc_count; i++) {
		const struct lw_node *node = &p->snap->nodes[p->allocs[i].node];

		if (!lw_res_within(&p->allocs[i].res, &node->total))
			return lw_text_fail(&p->in, "on", "more than there is of the node", NULL);
	}
	return 0;
}

int lw_text_get_run(struct lw_text_parser *p, struct lw_text_word *line)
{
	struct lw_running job = { 0 };
	struct lw_text_word word;
	uint64_t seen = 0;
	int rc;

	lw_text_absent_fields(&lw_text_running, &job);
	p->alloc_count = 0;
	rc = text_jobs_need_job_id(p, line, &job.job_id);
	while (!rc && lw_text_next_word(line, &word)) {
		if (lw_text_skip(&word, "on="))
			rc = text_jobs_parse_on(p, word);
		else
			rc = lw_text_get_field(&p->in, &lw_text_running, &word, p->snap, &job,
					       &seen);
	}
	if (!rc)
		rc = lw_text_check_fields(&p->in, &lw_text_running, seen);
	if (!rc)
		rc = text_jobs_check_run(p, &job);
	if (rc)
		return rc;
	return lw_text_at_line(
		p, lw_snapshot_add_running(p->snap, &job, p->allocs, p->alloc_count, p->in.err));
}

int lw_text_get_keep(struct lw_text_parser *p, struct lw_text_word *line)
{
	struct lw_text_word word;
	uint64_t variant = 0;
	uint32_t job_id;
	int rc = text_jobs_need_job_id(p, line, &job_id);

	p->alloc_count = 0;
	while (!rc && lw_text_next_word(line, &word)) {
		if (lw_text_skip(&word, "on="))
			rc = text_jobs_parse_on(p, word);
		else if (!lw_text_skip(&word, "variant=") ||
			 !lw_text_number(&word, UINT32_MAX, &variant))
			rc = lw_text_fail(&p->in, "keep", "neither variant nor on", &word);
	}
	return rc ? rc
		  : lw_text_at_line(p,
				    lw_snapshot_add_kept(p->snap, job_id, (uint32_t)variant,
							 p->allocs, p->alloc_count, p->in.err));
}

static int text_jobs_check_tasks(const struct lw_text_parser *p, const struct lw_waiting *job)
{
	const struct lw_request *req = &job->request;

	if (job->tasks > TASKS_MAX)
		return lw_text_fail(&p->in, "tasks", "more than 4000001", NULL);
	if (job->tasks > FREE_TASKS_MAX && !req->cpus_per_node && !req->mem_per_node_mib &&
	    !req->parts_per_node && !req->gpus_per_node && !req->cpus_total &&
	    !req->gpus_total && !req->exclusive)
		return lw_text_fail(&p->in, "tasks", "more than 4096 that ask for nothing", NULL);
	return 0;
}

int lw_text_get_wait(struct lw_text_parser *p, struct lw_text_word *line)
{
	struct lw_waiting job = { 0 };
	struct lw_text_word word;
	uint64_t seen = 0;
	int rc;

	lw_text_absent_fields(&lw_text_waiting, &job);
	rc = text_jobs_need_job_id(p, line, &job.job_id);
	while (!rc && lw_text_next_word(line, &word))
		rc = lw_text_get_field(&p->in, &lw_text_waiting, &word, p->snap, &job, &seen);
	if (!rc)
		rc = lw_text_check_fields(&p->in, &lw_text_waiting, seen);
	if (!rc)
		rc = text_jobs_check_tasks(p, &job);
	return rc ? rc : lw_text_at_line(p, lw_snapshot_add_waiting(p->snap, &job, p->in.err));
}
