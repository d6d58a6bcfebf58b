/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the machine that a trace is simulated on. */
#include "measure/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NAME_ROOM 24

static uint32_t largest(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

void lw_machine_set_types(struct lw_machine *machine, const struct lw_nodes *types, uint32_t count)
{
	machine->nodes = machine->cpus_per_node = machine->gpus_per_node = 0;
	machine->mem_mib_per_node = 0;
	for (uint32_t i = 0; i < count; i++) {
		machine->nodes += types[i].count;
		machine->cpus_per_node = largest(machine->cpus_per_node, types[i].cpus);
		machine->gpus_per_node = largest(machine->gpus_per_node, types[i].gpus);
		machine->mem_mib_per_node =
			largest(machine->mem_mib_per_node, (uint32_t)types[i].mem_mib);
		machine->types[i] = types[i];
	}
	machine->type_count = count > 1 ? count : 0;
}

/* The types of nodes, of which RET_ONE holds the one where all are alike. Returns how many. */
static uint32_t types_of(const struct lw_machine *machine, struct lw_nodes *ret_one,
			 const struct lw_nodes **ret_types)
{
	*ret_one = (struct lw_nodes){
		.count = machine->nodes ? machine->nodes : 1,
		.cpus = machine->nodes ? machine->cpus_per_node : machine->pool,
		.gpus = machine->nodes ? machine->gpus_per_node : 0,
		.mem_mib = machine->mem_mib_per_node,
	};
	memcpy(ret_one->gpu_type, machine->types[0].gpu_type, sizeof(ret_one->gpu_type));
	*ret_types = machine->type_count ? machine->types : ret_one;
	return machine->type_count ? machine->type_count : 1;
}

uint32_t lw_machine_fitting(const struct lw_machine *machine, const struct lw_nodes *each)
{
	const struct lw_nodes *types;
	struct lw_nodes one;
	uint32_t count = types_of(machine, &one, &types), nodes = 0;

	for (uint32_t i = 0; i < count; i++)
		if (each->cpus <= types[i].cpus && each->gpus <= types[i].gpus &&
		    (!types[i].mem_mib || each->mem_mib <= types[i].mem_mib))
			nodes += types[i].count;
	return nodes;
}

void lw_machine_describe(const struct lw_machine *machine, struct lw_strbuf *sb)
{
	const struct lw_nodes *types;
	struct lw_nodes one;
	uint32_t count = types_of(machine, &one, &types);

	if (!machine->nodes) {
		lw_strbuf_add(sb, "one pool of %" PRIu32 " processors", machine->pool);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		lw_strbuf_add(sb, "%s%" PRIu32 " nodes of %" PRIu32 " GPUs and %" PRIu32 " CPUs",
			      i ? ", " : "", types[i].count, types[i].gpus, types[i].cpus);
}

/* Processors of one node, of the largest if they differ. */
static uint32_t node_procs(const struct lw_machine *machine)
{
	if (!machine->nodes)
		return machine->pool;
	return machine->gpus_per_node ? machine->gpus_per_node : machine->cpus_per_node;
}

uint32_t lw_machine_procs(const struct lw_machine *machine)
{
	const struct lw_nodes *types;
	struct lw_nodes one;
	uint32_t count = types_of(machine, &one, &types), procs = 0;

	for (uint32_t i = 0; i < count; i++)
		procs += types[i].count *
			 (machine->nodes && machine->gpus_per_node ? types[i].gpus : types[i].cpus);
	return procs;
}

/* NODES more, the first of them being number FIRST. */
static int add_alike(struct lw_snapshot *snap, const struct lw_nodes *nodes, uint32_t first)
{
	struct lw_res total = { .cpus = nodes->cpus, .mem_mib = (uint32_t)nodes->mem_mib };
	struct lw_error err;
	char name[NAME_ROOM];

	if (nodes->gpus) {
		int type = lw_snapshot_gpu_type(snap, *nodes->gpu_type ? nodes->gpu_type : "gpu");

		if (type < 0)
			return type;
		total.gpus[type] = (uint16_t)nodes->gpus;
	}
	for (uint32_t i = 0; i < nodes->count; i++) {
		snprintf(name, sizeof(name), "n%u", first + i);
		if (lw_snapshot_add_node(snap, name, &total, true, &err))
			return -ENOMEM;
	}
	return 0;
}

static int add_nodes(const struct lw_machine *machine, struct lw_snapshot *snap)
{
	const struct lw_nodes *types;
	struct lw_nodes one;
	uint32_t count = types_of(machine, &one, &types), first = 0;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < count; i++) {
		rc = add_alike(snap, &types[i], first);
		first += types[i].count;
	}
	return rc;
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
