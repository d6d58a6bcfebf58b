/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a fixed work: the select plugin's gate, and its choice of nodes, for many jobs. */

/* What Slurm does beside them is its own library's, which is linked; it needs no slurmctld. */

#include "slurm/select/admit.h"
#include "slurm/select/narrow.h"
#include "unit/unit.h"

#include <time.h>

enum { NODES = 2000, GPUS = 8, CPUS_OF_GPU = 8, MIB_OF_GPU = 64000, STARTS = 200, CLAIMS = 200 };

static config_record_t config = { .weight = 1 };
static node_record_t records[NODES];
static node_record_t *table[NODES];
static gres_node_state_t states[NODES];
static gres_state_t gres_of_node[NODES];
static char gpu[] = "gpu";

/* What is allocated of a node: some of its GPUs, with their CPUs and memory. */
int select_g_select_nodeinfo_get(dynamic_plugin_data_t *nodeinfo, enum select_nodedata_type type,
				 enum node_states state, void *data)
{
	const gres_node_state_t *gpus = (const void *)nodeinfo;

	(void)state;
	if (type == SELECT_NODEDATA_SUBCNT)
		*(uint16_t *)data = (uint16_t)(CPUS_OF_GPU * gpus->gres_cnt_alloc);
	else
		*(uint64_t *)data = MIB_OF_GPU * gpus->gres_cnt_alloc;
	return SLURM_SUCCESS;
}

int select_g_select_nodeinfo_set_all(void)
{
	return SLURM_SUCCESS;
}

static list_t *list_of(void *item)
{
	list_t *list = list_create(NULL);

	list_append(list, item);
	return list;
}

static void make_nodes(void)
{
	for (uint32_t i = 0; i < NODES; i++) {
		states[i].gres_cnt_avail = GPUS;
		states[i].gres_cnt_alloc = i * 5 % (GPUS + 1);
		gres_of_node[i] = (gres_state_t){ .gres_name = gpu, .gres_data = &states[i] };
		records[i] = (node_record_t){
			.index = (int)i,
			.config_ptr = &config,
			.cpus = CPUS_OF_GPU * GPUS,
			.cpus_efctv = CPUS_OF_GPU * GPUS,
			.tpc = 1,
			.real_memory = MIB_OF_GPU * GPUS,
			.gres_list = list_of(&gres_of_node[i]),
			.select_nodeinfo = (void *)&states[i],
		};
		table[i] = &records[i];
	}
	node_record_table_ptr = table;
	node_record_count = NODES;
	slurm_conf.topology_plugin = "topology/default";
	slurm_conf.select_type_param = SELECT_CORE | SELECT_MEMORY;
}

/* The last plan keeps half of some nodes. */
static void make_gate(void)
{
	struct lw_gate gate = { 0 };

	ck_assert_int_eq(lw_gate_reset(&gate, NODES), 0);
	gate.made_s = time(NULL);
	for (uint32_t i = 0; i < CLAIMS; i++) {
		struct lw_gate_claim claim = { .job_id = i + 1, .due_s = gate.made_s + 60 };

		claim.spare.cpus = CPUS_OF_GPU * GPUS / 2;
		claim.spare.mem_mib = MIB_OF_GPU * GPUS / 2;
		ck_assert_int_eq(lw_gate_keep(&gate, i * (NODES / CLAIMS), &claim), 0);
	}
	lw_admit_reading();
	lw_admit_gate(&gate, NULL, false, NULL);
	lw_admit_applied();
	lw_gate_fini(&gate);
}

/* A job of one or two nodes, which wants some GPUs of each. */
static void test_start(uint32_t number)
{
	uint32_t wanted = 1 + number % 2;
	const struct lw_node_counts counts = { wanted, wanted, wanted };
	gres_job_state_t wish = { .gres_per_node = 1 + number % GPUS,
				  .ntasks_per_gres = NO_VAL16 };
	gres_state_t gres = { .gres_name = gpu, .gres_data = &wish };
	job_details_t details = {
		.min_cpus = wanted, .pn_min_cpus = 1, .pn_min_memory = 1000, .core_spec = NO_VAL16
	};
	part_record_t part = { .max_share = 1,
			       .max_cpus_per_node = INFINITE,
			       .max_time = INFINITE };
	job_record_t job = { .job_id = 1000 + number,
			     .details = &details,
			     .part_ptr = &part,
			     .time_limit = 60,
			     .gres_list_req = list_of(&gres) };
	bitstr_t *nodes = bit_alloc(NODES), *kept = NULL, *offered;

	bit_set_all(nodes);
	ck_assert_int_eq(lw_admit_cut(&job, nodes, &counts, &kept), LW_ADMIT_HERE);
	offered = lw_narrow(&job, nodes, &counts, SELECT_MODE_RUN_NOW);
	ck_assert(offered && bit_set_count(nodes) == (int)wanted);
	FREE_NULL_BITMAP(nodes);
	FREE_NULL_BITMAP(kept);
	FREE_NULL_BITMAP(offered);
	FREE_NULL_LIST(job.gres_list_req);
}

TEST(gate_and_choice)
{
	make_nodes();
	make_gate();
	for (uint32_t i = 0; i < STARTS; i++)
		test_start(i);
	lw_narrow_fini();
	lw_admit_fini();
	for (uint32_t i = 0; i < NODES; i++)
		FREE_NULL_LIST(records[i].gres_list);
}
