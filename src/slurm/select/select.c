/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the ops of select/cons_tres, forwarded to stock's. */

/*
 * Each op is a real function made from one list, so that it works on every processor. Up to
 * 24.11 also loaded by slurmd, slurmstepd and commands: refers to nothing that only slurmctld
 * has.
 */

#include "slurm/select/select.h"

#include "slurm/clock.h"
#include "slurm/compat/compat.h"
#include "slurm/layout.h"
#include "slurm/select/admit.h"
#include "slurm/select/failed.h"
#include "slurm/select/narrow.h"
#include "slurm/select/others.h"
#include "slurm/select/overlap.h"
#include "slurm/select/select_link.h"
#include "slurm/select/tenants.h"
#include "slurm/stock.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdatomic.h>

#define STOCK_FILE "select_cons_tres.so"

#define JOB_TEST_PARAMS                                                                          \
	(job_record_t * job, bitstr_t * nodes, uint32_t min_nodes, uint32_t max_nodes,           \
	 uint32_t req_nodes, uint16_t mode, list_t * preemptable, list_t * *preempted,           \
	 LW_JOB_TEST_MORE)

static struct {
	void *handle;
	int (*init)(void);
	int (*fini)(void);
	int(*job_test) JOB_TEST_PARAMS;
#define LW_SELECT_OP(type, name, params, args) type(*name) params;
#include "slurm/compat/select_ops.def"
#undef LW_SELECT_OP
} stock;

/* The ops, and what our scheduler plugin sets (slurm/select/select_link.h). */
#pragma GCC visibility push(default)
#define LW_SELECT_OP(type, name, params, args) extern type select_p_##name params;
#include "slurm/compat/select_ops.def"
#undef LW_SELECT_OP
extern int select_p_job_test JOB_TEST_PARAMS;
extern void select_p_leeway_tell(const struct lw_select_news *news);
#pragma GCC visibility pop

/* The first job that is tested shows whether the records have the expected layout. */
static bool select_is_trusted(const job_record_t *job)
{
	static atomic_int verdict;
	struct lw_error err;

	if (!atomic_load(&verdict)) {
		atomic_store(&verdict, lw_layout_check_job(job, &err) ? -1 : 1);
		if (atomic_load(&verdict) < 0)
			error("leeway: select: self-check failed: %s: nothing is narrowed",
			      err.text);
	}
	return atomic_load(&verdict) > 0;
}

#define LW_SELECT_OP(type, name, params, args)                                                   \
	type select_p_##name params                                                              \
	{                                                                                        \
		return stock.name args;                                                          \
	}
#define LW_SELECT_BEGIN(type, name, params, args)                                                \
	type select_p_##name params                                                              \
	{                                                                                        \
		type rc = stock.name args;                                                       \
		if (rc == SLURM_SUCCESS) {                                                       \
			if (select_is_trusted(job))                                              \
				lw_admit_began(job);                                             \
			lw_narrow_began(job);                                                    \
			lw_tenants_began(job);                                                   \
		}                                                                                \
		return rc;                                                                       \
	}
#define LW_SELECT_END(type, name, params, args)                                                  \
	type select_p_##name params                                                              \
	{                                                                                        \
		if (select_is_trusted(job)) {                                                    \
			lw_admit_ends(job);                                                      \
			if (!lw_others_has(job))                                                 \
				lw_failed_note(job);                                             \
		}                                                                                \
		lw_narrow_ends(job);                                                             \
		lw_tenants_ends(job);                                                            \
		return stock.name args;                                                          \
	}
#define LW_SELECT_CHANGE(type, name, params, args)                                               \
	type select_p_##name params                                                              \
	{                                                                                        \
		lw_narrow_forget();                                                              \
		lw_tenants_forget();                                                             \
		return stock.name args;                                                          \
	}
#define LW_SELECT_RESET(type, name, params, args)                                                \
	type select_p_##name params                                                              \
	{                                                                                        \
		lw_admit_forget();                                                               \
		lw_failed_forget();                                                              \
		lw_narrow_forget();                                                              \
		lw_tenants_forget();                                                             \
		return stock.name args;                                                          \
	}
#include "slurm/compat/select_ops.def"
#undef LW_SELECT_OP

/* For the log: how long a test took, and how many nodes it had. */
struct took {
	bool wanted;
	int nodes, first; /* all nodes, and the nodes offered first */
	uint64_t begin_us, narrowed_us, tried_us;
};

static uint64_t select_look(const struct took *took)
{
	return took->wanted ? lw_cpu_us() : 0;
}

static struct took select_begin_took(bitstr_t *nodes, uint16_t mode)
{
	struct took took = { .wanted = SELECT_IS_MODE_RUN_NOW(mode) &&
				       get_log_level() >= LOG_LEVEL_DEBUG };

	if (took.wanted)
		took.nodes = bit_set_count(nodes);
	took.begin_us = select_look(&took);
	return took;
}

/* In one fixed form, which contrib/minislurm/selectcost reads. */
static void select_tell_took(const struct took *took, const job_record_t *job)
{
	uint64_t end_us = select_look(took);

	if (took->wanted)
		debug("leeway: select: %pJ: %d of %d nodes first; processor time in us: narrow %"
		      PRIu64 ", stock first %" PRIu64 ", stock all %" PRIu64,
		      job, took->first, took->nodes, took->narrowed_us - took->begin_us,
		      took->tried_us - took->narrowed_us, end_us - took->tried_us);
}

/* While the scheduler sets this, jobs get no cores that others hold. Guarded by the job lock. */
static bool idle_only;

/* Slurm's test passed, but with cores that other jobs hold. */
#define OVERLAPS (-2)

/*
 * Stock's test, which fails here also if the job would get cores that others hold: other nodes
 * may have idle ones. A failed test leaves changes in the job record. Slurm expects those of the
 * last test only, so they are undone here.
 */
static int test_idle JOB_TEST_PARAMS
{
	uint64_t memory = job->details->pn_min_memory;
	uint32_t priority = job->priority, reason = job->state_reason;
	int rc = stock.job_test(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptable,
				preempted, LW_JOB_TEST_MORE_ARGS);

	if (rc == SLURM_SUCCESS && !lw_overlaps(job))
		return rc;
	if (rc == SLURM_SUCCESS) {
		free_job_resources(&job->job_resrcs);
		rc = OVERLAPS;
	}
	job->details->pn_min_memory = memory;
	job->priority = priority;
	job->state_reason = reason;
	return rc;
}

/* Test all nodes, and what may be preempted. */
static int test_all JOB_TEST_PARAMS
{
	int rc;

	if (!idle_only || !SELECT_IS_MODE_RUN_NOW(mode))
		return stock.job_test(job, nodes, min_nodes, max_nodes, req_nodes, mode,
				      preemptable, preempted, LW_JOB_TEST_MORE_ARGS);
	rc = test_idle(job, nodes, min_nodes, max_nodes, req_nodes, mode, NULL, NULL,
		       LW_JOB_TEST_MORE_ARGS);
	return rc == OVERLAPS ? SLURM_ERROR : rc;
}

/* Test a job that shares on the GPUs that the rule allows, the best first. */
static int test_shared JOB_TEST_PARAMS
{
	struct lw_tenants_walk walk;
	int rc;

	lw_tenants_begin(&walk, job, nodes);
	do {
		lw_tenants_offer(&walk, nodes);
		rc = walk.last ? test_all(job, nodes, min_nodes, max_nodes, req_nodes, mode,
					  preemptable, preempted, LW_JOB_TEST_MORE_ARGS)
			       : test_idle(job, nodes, min_nodes, max_nodes, req_nodes, mode,
					   NULL, NULL, LW_JOB_TEST_MORE_ARGS);
		lw_tenants_take_back();
	} while (rc != SLURM_SUCCESS && !walk.last);
	lw_tenants_end(&walk, job, rc == SLURM_SUCCESS);
	return rc;
}

/* Stock's jobs are placed as stock places them. */
static bitstr_t *select_narrow(job_record_t *job, bitstr_t *nodes,
			       const struct lw_node_counts *counts, uint16_t mode)
{
	return lw_others_has(job) ? NULL : lw_narrow(job, nodes, counts, mode);
}

/*
 * Test the narrowed nodes first, and without preemption. All jobs that stock would start still
 * start, except jobs that wait for GPUs of another type.
 */
static int test_narrowed JOB_TEST_PARAMS
{
	const struct lw_node_counts counts = { min_nodes, req_nodes, max_nodes };
	struct took took = select_begin_took(nodes, mode);
	/* only starts are narrowed, so only their records are looked at */
	bitstr_t *all = SELECT_IS_MODE_RUN_NOW(mode) && select_is_trusted(job)
				? select_narrow(job, nodes, &counts, mode)
				: NULL;
	int rc = SLURM_ERROR;

	took.narrowed_us = took.tried_us = select_look(&took);
	if (all) {
		if (took.wanted)
			took.first = bit_set_count(nodes);
		rc = test_idle(job, nodes, min_nodes, max_nodes, req_nodes, mode, NULL, NULL,
			       LW_JOB_TEST_MORE_ARGS);
		if (rc != SLURM_SUCCESS)
			bit_copybits(nodes, all);
		bit_free(all);
		took.tried_us = select_look(&took);
	}
	if (rc != SLURM_SUCCESS)
		rc = test_all(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptable,
			      preempted, LW_JOB_TEST_MORE_ARGS);
	select_tell_took(&took, job);
	return rc;
}

/* While the plan has the job wait for some types, it is tested on these only. */
static int test_wished JOB_TEST_PARAMS
{
	bool looks = SELECT_IS_MODE_RUN_NOW(mode) && select_is_trusted(job);
	int rc = SLURM_ERROR;
	bitstr_t *all;

	if (looks && lw_tenants_wanted(job, mode))
		return test_shared(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptable,
				   preempted, LW_JOB_TEST_MORE_ARGS);
	all = looks && !lw_others_has(job) ? lw_narrow_wish(job, nodes) : NULL;
	if (!all)
		return test_narrowed(job, nodes, min_nodes, max_nodes, req_nodes, mode,
				     preemptable, preempted, LW_JOB_TEST_MORE_ARGS);
	if (bit_set_count(nodes) >= (int)min_nodes)
		rc = test_idle(job, nodes, min_nodes, max_nodes, req_nodes, mode, NULL, NULL,
			       LW_JOB_TEST_MORE_ARGS);
	if (rc != SLURM_SUCCESS) {
		bit_copybits(nodes, all);
		rc = SLURM_ERROR;
	}
	bit_free(all);
	return rc;
}

/* What a successful test left in the job's record, which Slurm is not told of. */
static void select_take_back(job_record_t *job, uint64_t memory, list_t **preempted)
{
	free_job_resources(&job->job_resrcs);
	job->details->pn_min_memory = memory;
	if (preempted)
		FREE_NULL_LIST(*preempted);
}

/* So often is a job tried on other nodes, where it took more than is spare. */
#define ADMIT_TRIES_MAX 4

/*
 * On the nodes that the last plan does not keep from the job. Which of them it gets, and how much
 * there, is stock's choice, so it is looked at once more.
 */
static int test_admitted JOB_TEST_PARAMS
{
	bitstr_t *left = bit_copy(nodes);
	uint64_t memory = job->details->pn_min_memory;
	int rc = SLURM_ERROR;

	for (int i = 0; i < ADMIT_TRIES_MAX && bit_set_count(left) >= (int)min_nodes; i++) {
		bit_copybits(nodes, left);
		rc = test_wished(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptable,
				 preempted, LW_JOB_TEST_MORE_ARGS);
		if (rc != SLURM_SUCCESS || !lw_admit_harms(job, left))
			break;
		select_take_back(job, memory, preempted);
		rc = SLURM_ERROR;
	}
	bit_free(left);
	return rc;
}

/* Slurm's own starts take nothing that the last plan keeps: it is as if these nodes were busy. */
static int test_gated JOB_TEST_PARAMS
{
	const struct lw_node_counts counts = { min_nodes, req_nodes, max_nodes };
	bool judged = SELECT_IS_MODE_RUN_NOW(mode) && select_is_trusted(job);
	bitstr_t *all = NULL;
	enum lw_admission admission = LW_ADMIT_FREELY;
	int rc = SLURM_ERROR;

	if (judged)
		admission = lw_admit_cut(job, nodes, &counts, &all);
	if (admission == LW_ADMIT_FREELY)
		rc = test_wished(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptable,
				 preempted, LW_JOB_TEST_MORE_ARGS);
	else if (admission == LW_ADMIT_HERE)
		rc = test_admitted(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptable,
				   preempted, LW_JOB_TEST_MORE_ARGS);
	if (all && rc != SLURM_SUCCESS)
		bit_copybits(nodes, all);
	if (admission != LW_ADMIT_FREELY && rc != SLURM_SUCCESS)
		debug2("leeway: select: %pJ does not start beside the plan", job);
	FREE_NULL_BITMAP(all);
	return rc;
}

/* All starts, Slurm's own as well, are on as many nodes as the plan chose (size.mode). */
static int test_sized JOB_TEST_PARAMS
{
	struct lw_node_counts counts = { min_nodes, req_nodes, max_nodes };

	if (SELECT_IS_MODE_RUN_NOW(mode) && select_is_trusted(job) && !lw_others_has(job))
		lw_narrow_size(job, &counts);
	if (counts.min > min_nodes && bit_set_count(nodes) < (int)counts.min)
		return SLURM_ERROR;
	return test_gated(job, nodes, counts.min, counts.max, counts.wanted, mode, preemptable,
			  preempted, LW_JOB_TEST_MORE_ARGS);
}

/* A job does not start on a node that failed under it: it is as if that node were busy. */
int select_p_job_test JOB_TEST_PARAMS
{
	bitstr_t *all = SELECT_IS_MODE_RUN_NOW(mode) && select_is_trusted(job)
				? lw_failed_cut(job, nodes)
				: NULL;
	int rc = SLURM_ERROR;

	if (SELECT_IS_MODE_WILL_RUN(mode) && select_is_trusted(job) && lw_others_ask_in_vain(job))
		return rc;
	if (!all || bit_set_count(nodes) >= (int)min_nodes)
		rc = test_sized(job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptable,
				preempted, LW_JOB_TEST_MORE_ARGS);
	if (all && rc != SLURM_SUCCESS)
		bit_copybits(nodes, all);
	FREE_NULL_BITMAP(all);
	return rc;
}

void select_p_leeway_tell(const struct lw_select_news *news)
{
	if (news->failed)
		lw_failed_take(news->failed);
	if (news->avoids)
		lw_failed_avoid(news->avoids);
	if (news->ours)
		lw_admit_ours(*news->ours);
	if (news->reads)
		lw_admit_reading();
	if (news->gate)
		lw_admit_gate(news->gate, news->caps, news->insists, news->overtaken);
	if (news->applied)
		lw_admit_applied();
	if (news->shut)
		lw_admit_shut();
	if (news->canary)
		lw_others_take(news->canary);
	if (news->narrow)
		lw_narrow_enable(*news->narrow);
	if (news->domains)
		lw_narrow_domains(news->domains);
	if (news->islands)
		lw_narrow_islands(news->islands);
	if (news->idle_only)
		idle_only = *news->idle_only;
	if (news->mix)
		lw_narrow_mix(news->mix);
	if (news->house)
		lw_tenants_house(news->house);
	if (news->wishes)
		lw_narrow_wishes(news->wishes);
	if (news->sizes)
		lw_narrow_sizes(news->sizes);
}

static int select_find_op(const char *name, void **ret_function)
{
	*ret_function = dlsym(stock.handle, name);
	if (*ret_function)
		return 0;
	error("leeway: stock " STOCK_FILE " has no %s", name);
	return -1;
}

static int select_bind_all(void)
{
	int rc = select_find_op("init", (void **)&stock.init) |
		 select_find_op("fini", (void **)&stock.fini) |
		 select_find_op("select_p_job_test", (void **)&stock.job_test);

#define LW_SELECT_OP(type, name, params, args)                                                   \
	rc |= select_find_op("select_p_" #name, (void **)&stock.name);
#include "slurm/compat/select_ops.def"
#undef LW_SELECT_OP
	return rc;
}

int lw_select_start(void)
{
	char path[LW_STOCK_PATH_MAX];
	struct lw_error err;

	if (lw_layout_check_common(&err)) {
		error("leeway: select: self-check failed: %s: stock's is used instead", err.text);
		return -1;
	}
	if (lw_stock_find(STOCK_FILE, slurm_conf.plugindir, &stock, path, sizeof(path), &err) ||
	    lw_stock_open(path, &stock.handle, &err)) {
		error("leeway: %s", err.text);
		return -1;
	}
	if (select_bind_all() || stock.init() != SLURM_SUCCESS) {
		dlclose(stock.handle);
		stock.handle = NULL;
		return -1;
	}
	if (running_in_slurmctld())
		info("leeway: select: built for Slurm " LW_SLURM_RELEASE
		     ", narrows the nodes of jobs and forwards the rest to %s",
		     path);
	return 0;
}

void lw_select_stop(void)
{
	if (!stock.handle)
		return;
	stock.fini();
	lw_admit_fini();
	lw_failed_fini();
	lw_narrow_fini();
	lw_others_fini();
	lw_tenants_fini();
	dlclose(stock.handle);
	stock.handle = NULL;
}
