/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the machine that a trace is simulated on. */
#include "sim/machine.h"

#include <errno.h>
#include <stdio.h>

#define NAME_ROOM 24

/* Processors of one node. */
static uint32_t node_procs(const struct lw_machine *machine)
{
	if (!machine->nodes)
		return machine->pool;
	return machine->gpus_per_node ? machine->gpus_per_node : machine->cpus_per_node;
}

uint32_t lw_machine_procs(const struct lw_machine *machine)
{
	return machine->nodes ? machine->nodes * node_procs(machine) : machine->pool;
}

static int add_nodes(const struct lw_machine *machine, struct lw_snapshot *snap)
{
	uint32_t count = machine->nodes ? machine->nodes : 1;
	struct lw_res total = { .cpus = machine->nodes ? machine->cpus_per_node : machine->pool,
				.mem_mib = machine->mem_mib_per_node };
	struct lw_error err;
	char name[NAME_ROOM];

	if (machine->nodes && machine->gpus_per_node) {
		int type = lw_snapshot_gpu_type(snap, "gpu");

		if (type < 0)
			return type;
		total.gpus[type] = (uint16_t)machine->gpus_per_node;
	}
	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		if (lw_snapshot_add_node(snap, name, &total, true, &err))
			return -ENOMEM;
	}
	return 0;
}

/* The last one may have fewer. */
static uint32_t nodes_a_rack(const struct lw_machine *machine)
{
	return machine->nodes / machine->racks + (machine->nodes % machine->racks != 0);
}

bool lw_machine_fills_racks(const struct lw_machine *machine)
{
	return (uint64_t)nodes_a_rack(machine) * (machine->racks - 1) < machine->nodes;
}

/* The racks under one spine. */
static int add_racks(const struct lw_machine *machine, struct lw_snapshot *snap)
{
	uint32_t count = snap->node_count, racks = machine->racks, node = 0;
	uint32_t each = racks ? nodes_a_rack(machine) : 0;
	struct lw_bitset nodes;
	struct lw_error err;
	char name[NAME_ROOM];
	int rc;

	if (!machine->nodes || !racks)
		return 0;
	if (lw_bitset_init(&nodes, count))
		return -ENOMEM;
	snap->domains.strict = machine->blocks;
	rc = lw_snapshot_add_domain(snap, "spine", LW_NO_DOMAIN, &nodes, &err);
	for (uint32_t rack = 0; rack < racks && !rc; rack++) {
		lw_bitset_clear_all(&nodes);
		for (uint32_t i = 0; i < each && node < count; i++)
			lw_bitset_set(&nodes, node++);
		snprintf(name, sizeof(name), "%s%u", machine->blocks ? "block" : "rack", rack);
		rc = lw_snapshot_add_domain(snap, name, 0, &nodes, &err);
	}
	lw_bitset_fini(&nodes);
	return rc;
}

static int add_set(struct lw_snapshot *snap)
{
	struct lw_bitset all;
	struct lw_error err;
	int rc = lw_bitset_init(&all, snap->node_count);

	if (rc)
		return rc;
	lw_bitset_set_all(&all);
	rc = lw_snapshot_add_set(snap, "all", &all, &err);
	lw_bitset_fini(&all);
	return rc;
}

int lw_machine_build(const struct lw_machine *machine, struct lw_snapshot *ret_snap)
{
	struct lw_snapshot snap;

	lw_snapshot_init(&snap, 0);
	if (add_nodes(machine, &snap) || add_racks(machine, &snap) || add_set(&snap)) {
		lw_snapshot_fini(&snap);
		return -ENOMEM;
	}
	*ret_snap = snap;
	return 0;
}

static uint32_t divide_up(uint32_t a, uint32_t b)
{
	return a / b + (a % b != 0);
}

bool lw_machine_request(const struct lw_machine *machine, uint32_t procs,
			struct lw_request *ret_request)
{
	struct lw_request request = { .gpu_type = LW_GPU_ANY };
	uint32_t each;

	if (!procs || procs > lw_machine_procs(machine))
		return false;
	request.nodes_min = request.nodes_max = divide_up(procs, node_procs(machine));
	each = divide_up(procs, request.nodes_min);
	request.cpus_per_node = each;
	if (machine->nodes && machine->gpus_per_node) {
		uint32_t cpus = each * (machine->cpus_per_node / machine->gpus_per_node);

		request.gpus_per_node = (uint16_t)each;
		request.cpus_per_node = cpus ? cpus : 1;
	}
	*ret_request = request;
	return true;
}

uint32_t lw_machine_width(const struct lw_machine *machine, const struct lw_request *request)
{
	bool by_gpus = machine->nodes && machine->gpus_per_node;

	return request->nodes_min * (by_gpus ? request->gpus_per_node : request->cpus_per_node);
}
