/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/query/canary: which jobs are Leeway's. */
#include "slurm/query/canary.h"

#include "unit/slurm_stub_sets.h"
#include "unit/unit.h"

int node_record_count = 8;

static part_record_t gpu = { .name = "gpu" }, cpu = { .name = "cpu" };
static slurmdb_qos_rec_t fast = { .name = "fast" }, slow = { .name = "slow" }, nameless;

/* Two words of each: a partition or a QOS is listed as a whole word. */
static const struct lw_canary any = { 0 }, parts = { .partitions = "gpus gpu" },
			      qos = { .qos = "fast, faster" },
			      both = { .partitions = "gpu", .qos = "fast" };

static const struct {
	const struct lw_canary *canary;
	part_record_t *part;
	slurmdb_qos_rec_t *qos;
	uint32_t het_job_id;
	bool has;
} rows[] = {
	{ &any, &cpu, &slow, 0, true },      { &any, &cpu, NULL, 7, true },
	{ &any, NULL, NULL, 0, true },       { &parts, &gpu, NULL, 0, true },
	{ &parts, &cpu, NULL, 0, false },    { &parts, NULL, NULL, 0, false },
	{ &parts, &gpu, &slow, 0, true },    { &parts, &gpu, &fast, 7, false },
	{ &qos, &cpu, &fast, 0, true },      { &qos, NULL, &fast, 0, true },
	{ &qos, &cpu, &slow, 0, false },     { &qos, &cpu, NULL, 0, false },
	{ &qos, &cpu, &nameless, 0, false }, { &qos, &cpu, &fast, 7, false },
	{ &both, &gpu, &fast, 0, true },     { &both, &gpu, &slow, 0, false },
	{ &both, &cpu, &fast, 0, false },    { &both, &gpu, NULL, 0, false },
};

TEST_EACH(a_job_of_one_partition_and_qos, LW_COUNT_OF(rows))
{
	const job_record_t job = { .part_ptr = rows[_i].part,
				   .qos_ptr = rows[_i].qos,
				   .het_job_id = rows[_i].het_job_id };

	ck_assert_int_eq(lw_canary_has(rows[_i].canary, &job), rows[_i].has);
}

/* Slurm's record names one of them, by turns. */
TEST(all_partitions_of_a_job_have_to_be_listed)
{
	part_record_t gpus = { .name = "gpus" };
	struct stub_list list = { .items = { &gpu, &gpus }, .count = 2 };
	job_record_t job = { .part_ptr = &gpu, .part_ptr_list = stub_list_of(&list) };

	ck_assert(lw_canary_has(&parts, &job));
	stub_list_add(&list, &cpu);
	ck_assert(!lw_canary_has(&parts, &job));
	job.part_ptr = &cpu;
	ck_assert(!lw_canary_has(&parts, &job));
	ck_assert(lw_canary_has(&any, &job));
}

TEST(settings_are_named)
{
	ck_assert_str_eq(lw_canary_keys(&parts), "sched.partitions");
	ck_assert_str_eq(lw_canary_keys(&qos), "sched.who");
	ck_assert_str_eq(lw_canary_keys(&both), "sched.partitions and sched.who");
}
