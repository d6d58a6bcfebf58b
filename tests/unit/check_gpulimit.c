/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/query/gpulimit: every limit that may count GPUs. */
#include "slurm/query/gpulimit.h"

#include "base/error.h"
#include "slurm/layout.h"
#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

/* ---- slurmctld's, in a few lines ---- */

enum { GPU = TRES_ARRAY_TOTAL_CNT, GPU_A100, SHARD, MPS, SHARD_A100, GPUS_OTHER, COUNT };

static slurmdb_tres_rec_t names[COUNT] = {
	[TRES_ARRAY_CPU] = { .type = "cpu" },
	[TRES_ARRAY_BILLING] = { .type = "billing" },
	[GPU] = { .type = "gres", .name = "gpu" },
	[GPU_A100] = { .type = "gres", .name = "gpu:a100" },
	[SHARD] = { .type = "gres", .name = "shard" },
	[MPS] = { .type = "gres", .name = "mps" },
	[SHARD_A100] = { .type = "gres", .name = "shard:a100" },
	[GPUS_OTHER] = { .type = "gres", .name = "gpuutil" },
};
static slurmdb_tres_rec_t *all[COUNT];
slurmdb_tres_rec_t **assoc_mgr_tres_array = all;
uint32_t g_tres_count = COUNT;
uint16_t accounting_enforce;
void *acct_db_conn;
part_record_t *default_part_loc;

/* Of "small" and "large" the second has limits if the first has none; root is over all users. */
static slurmdb_assoc_usage_t user_usage, account_usage;
static slurmdb_assoc_rec_t user, account, root;
static slurmdb_qos_rec_t normal, high, of_large;
static part_record_t small, large;
static bool no_assoc, no_qos, other_layout;
static int locked;

void assoc_mgr_lock(assoc_mgr_lock_t *locks)
{
	ck_assert_int_eq(locked++, 0);
	ck_assert_int_eq(locks->assoc, READ_LOCK);
	ck_assert_int_eq(locks->qos, READ_LOCK);
	ck_assert_int_eq(locks->tres, READ_LOCK);
	ck_assert_int_eq(locks->user, READ_LOCK);
}

void assoc_mgr_unlock(assoc_mgr_lock_t *locks)
{
	(void)locks;
	ck_assert_int_eq(--locked, 0);
}

int assoc_mgr_fill_in_assoc(void *db_conn, slurmdb_assoc_rec_t *assoc, int enforce,
			    slurmdb_assoc_rec_t **assoc_pptr, bool is_locked)
{
	(void)db_conn;
	(void)enforce;
	ck_assert(is_locked && locked);
	ck_assert_uint_eq(assoc->uid, 1000);
	*assoc_pptr = no_assoc ? NULL : &user;
	return SLURM_SUCCESS;
}

void assoc_mgr_get_default_qos_info(slurmdb_assoc_rec_t *assoc, slurmdb_qos_rec_t *qos)
{
	ck_assert_ptr_eq(assoc, &user);
	if (!qos->name)
		qos->name = "normal";
}

static unsigned searches; /* of a QOS */

int assoc_mgr_fill_in_qos(void *db_conn, slurmdb_qos_rec_t *qos, int enforce,
			  slurmdb_qos_rec_t **qos_pptr, bool is_locked)
{
	(void)db_conn;
	(void)enforce;
	ck_assert(is_locked && locked);
	searches++;
	if (no_qos)
		return SLURM_ERROR;
	*qos_pptr = strcmp(qos->name, "high") ? &normal : &high;
	return SLURM_SUCCESS;
}

part_record_t *find_part_record(char *name)
{
	if (!strcmp(name, "small"))
		return &small;
	return strcmp(name, "large") ? NULL : &large;
}

int lw_layout_check_record(const char *what, const void *record, size_t size,
			   struct lw_error *err)
{
	(void)record;
	(void)size;
	return other_layout ? lw_error_set(err, -1, "%s is another", what) : 0;
}

/* ---- a job that names its partitions ---- */

static job_desc_msg_t job;
static uint64_t limits[COUNT];
static double weights[COUNT];

static void limit(uint32_t tres, uint64_t most)
{
	limits[tres] = most;
}

static void setup(void)
{
	for (uint32_t i = 0; i < COUNT; i++) {
		all[i] = &names[i];
		limits[i] = INFINITE64;
		weights[i] = 0;
	}
	memset(&user, 0, sizeof(user));
	memset(&account, 0, sizeof(account));
	memset(&root, 0, sizeof(root));
	memset(&normal, 0, sizeof(normal));
	memset(&high, 0, sizeof(high));
	memset(&of_large, 0, sizeof(of_large));
	memset(&small, 0, sizeof(small));
	memset(&large, 0, sizeof(large));
	user_usage.parent_assoc_ptr = &account;
	account_usage.parent_assoc_ptr = &root;
	user.usage = &user_usage;
	account.usage = &account_usage;
	small.name = "small";
	large.name = "large";
	large.qos_ptr = &of_large;
	default_part_loc = &small;
	accounting_enforce = ACCOUNTING_ENFORCE_LIMITS;
	no_assoc = no_qos = other_layout = false;
	job = (job_desc_msg_t){ .user_id = 1000, .partition = "small" };
}

static bool is_evaded(void)
{
	bool evaded = lw_gpulimit_evades(&job, "shard");

	ck_assert_int_eq(locked, 0);
	return evaded;
}

FIXTURE(setup, NULL);

TEST(without_a_limit_nothing_is_evaded)
{
	ck_assert(!is_evaded());
	job.partition = NULL;
	ck_assert(!is_evaded());
	job.partition = "small,large";
	job.qos = "normal,high";
	ck_assert(!is_evaded());
}

/* Every field of both, where it is in its record. */
#define QOS(field)                                                                               \
	{                                                                                        \
#field, offsetof(slurmdb_qos_rec_t, field)                                       \
	}
#define ASSOC(field)                                                                             \
	{                                                                                        \
#field, offsetof(slurmdb_assoc_rec_t, field)                                     \
	}

static const struct {
	const char *name;
	size_t offset;
} of_qos[] = {
	QOS(grp_tres_ctld),	       QOS(grp_tres_mins_ctld),
	QOS(grp_tres_run_mins_ctld),   QOS(max_tres_mins_pj_ctld),
	QOS(max_tres_pa_ctld),	       QOS(max_tres_pj_ctld),
	QOS(max_tres_pn_ctld),	       QOS(max_tres_pu_ctld),
	QOS(max_tres_run_mins_pa_ctld), QOS(max_tres_run_mins_pu_ctld),
	QOS(min_tres_pj_ctld),
}, of_assoc[] = {
	ASSOC(grp_tres_ctld),	       ASSOC(grp_tres_mins_ctld),
	ASSOC(grp_tres_run_mins_ctld), ASSOC(max_tres_ctld),
	ASSOC(max_tres_pn_ctld),       ASSOC(max_tres_mins_ctld),
	ASSOC(max_tres_run_mins_ctld),
};

/* RECORD has LIMITS as what is at OFFSET. */
static void put(void *record, size_t offset)
{
	*(uint64_t **)((char *)record + offset) = limits;
}

/* What is limited, and whether parts evade that. */
static const struct {
	uint32_t tres[3];
	bool evaded;
} kinds[] = {
	{ { GPU }, true },
	{ { GPU_A100 }, true },
	{ { GPU, GPU_A100 }, true },
	{ { GPU, MPS }, true },
	{ { GPU, SHARD_A100 }, true },
	{ { GPU, SHARD }, false },
	{ { GPU_A100, SHARD }, false },
	{ { SHARD }, false },
	{ { TRES_ARRAY_MEM }, false },
	{ { GPUS_OTHER }, false },
};

static void check_kinds(const char *name)
{
	for (size_t i = 0; i < LW_COUNT_OF(kinds); i++) {
		for (uint32_t k = 0; k < COUNT; k++)
			limits[k] = k % 2 ? INFINITE64 : NO_VAL64;
		for (size_t k = 0; k < 3 && kinds[i].tres[k]; k++)
			limit(kinds[i].tres[k], k);
		ck_assert_msg(is_evaded() == kinds[i].evaded, "%s, kind %zu", name, i);
	}
}

TEST_EACH(every_limit_of_a_qos, LW_COUNT_OF(of_qos))
{
	put(&normal, of_qos[_i].offset);
	check_kinds(of_qos[_i].name);
}

TEST_EACH(every_limit_of_an_association, LW_COUNT_OF(of_assoc))
{
	put(&user, of_assoc[_i].offset);
	check_kinds(of_assoc[_i].name);
}

TEST(all_that_it_is_in)
{
	limit(GPU, 4);
	root.grp_tres_ctld = limits;
	ck_assert(is_evaded());
	root.grp_tres_ctld = NULL;
	account.grp_tres_mins_ctld = limits;
	ck_assert(is_evaded());
}

TEST(any_of_several_qos_and_partitions)
{
	limit(GPU, 4);
	high.max_tres_pu_ctld = limits;
	ck_assert(!is_evaded());
	job.qos = "normal,high";
	ck_assert(is_evaded());
	job.qos = "normal";
	of_large.max_tres_pu_ctld = limits;
	ck_assert(!is_evaded());
	job.partition = "small,large";
	ck_assert(is_evaded());
	job.partition = NULL;
	ck_assert(!is_evaded());
	default_part_loc = &large;
	ck_assert(is_evaded());
}

TEST(a_limit_of_each_kind_is_one_of_its_own)
{
	uint64_t of_parts[COUNT];

	limit(GPU, 4);
	for (uint32_t i = 0; i < COUNT; i++)
		of_parts[i] = i == SHARD ? 40 : INFINITE64;
	normal.max_tres_pu_ctld = limits;
	normal.grp_tres_ctld = of_parts;
	ck_assert(is_evaded());
}

TEST(billing_counts_what_the_partition_weighs)
{
	limit(TRES_ARRAY_BILLING, 8);
	normal.max_tres_pu_ctld = limits;
	ck_assert(!is_evaded());
	small.billing_weights = weights;
	ck_assert(!is_evaded());
	weights[GPU] = 1;
	ck_assert(is_evaded());
	weights[SHARD] = 0.1;
	ck_assert(!is_evaded());
}

TEST(mps_is_counted_as_such)
{
	limit(GPU, 4);
	limit(SHARD, 40);
	normal.max_tres_pu_ctld = limits;
	ck_assert(lw_gpulimit_evades(&job, "mps"));
	limit(MPS, 400);
	ck_assert(!lw_gpulimit_evades(&job, "mps"));
}

/* TIMES "NAME," one behind the other, into LIST. */
static char *repeated(char list[1024], const char *name, unsigned times)
{
	for (list[0] = '\0'; times; times--)
		strcat(strcat(list, name), times > 1 ? "," : "");
	return list;
}

/* A user may name one a hundred times, and each costs a search with Slurm's locks held. */
TEST(a_long_list_is_not_looked_at)
{
	char partitions[1024], qos[1024];

	job.partition = repeated(partitions, "small", 16);
	job.qos = repeated(qos, "normal", 16);
	searches = 0;
	ck_assert(!is_evaded());
	ck_assert_uint_eq(searches, 256);
	job.qos = repeated(qos, "normal", 100);
	searches = 0;
	ck_assert(is_evaded());
	ck_assert_uint_eq(searches, 16);
	job.qos = NULL;
	job.partition = repeated(partitions, "small", 100);
	ck_assert(is_evaded());
}

TEST(what_is_not_known_may_be_a_limit)
{
	char names_of_many[4096];

	job.partition = "none";
	ck_assert(is_evaded());
	memset(names_of_many, 'x', sizeof(names_of_many) - 1);
	names_of_many[sizeof(names_of_many) - 1] = '\0';
	job.partition = names_of_many;
	ck_assert(is_evaded());
	job.partition = "small";
	job.qos = names_of_many;
	names_of_many[8] = ',';
	ck_assert(is_evaded());
	job.qos = NULL;
	no_qos = true;
	ck_assert(is_evaded());
	no_qos = false;
	no_assoc = true;
	ck_assert(is_evaded());
	no_assoc = false;
	other_layout = true;
	ck_assert(is_evaded());
	default_part_loc = NULL;
	other_layout = false;
	job.partition = NULL;
	ck_assert(is_evaded());
}

TEST(what_is_not_enforced_does_not_count)
{
	limit(GPU, 4);
	normal.max_tres_pu_ctld = limits;
	accounting_enforce = 0;
	no_assoc = true;
	ck_assert(!is_evaded());
}
