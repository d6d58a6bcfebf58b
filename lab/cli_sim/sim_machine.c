/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: the machine, of the options and of what the file says of its own. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <inttypes.h>

#include "base/nodelist.h"
#include "lab/sim/gpumap.h"

static int check_islands(const struct lw_machine *machine, struct lw_error *err)
{
	uint32_t island = machine->gpus_per_island;

	if (!island)
		return 0;
	if (island < LW_ISLAND_GPUS_MIN || island > machine->gpus_per_node)
		return lw_error_set(err, -EDOM,
				    "--gpus-per-island: an island has two GPUs or more, and "
				    "no more than --gpus-per-node");
	if (machine->gpus_per_node > LW_GPUMAP_GPUS)
		return lw_error_set(err, -EDOM,
				    "--gpus-per-island: for nodes of up to 64 GPUs");
	if (machine->type_count)
		return lw_error_set(err, -EDOM, "--gpus-per-island: for nodes of one type");
	return 0;
}

/* Of a machine without nodes: is there an option that needs them? */
static int check_pool(const struct lw_machine *machine, struct lw_error *err)
{
	if (machine->gpus_per_node || machine->cpus_per_node || machine->mem_mib_per_node)
		return lw_error_set(err, -EDOM, "how many nodes? give --nodes");
	if (machine->racks)
		return lw_error_set(err, -EDOM, "--racks: how many nodes? give --nodes");
	if (machine->completing_s)
		return lw_error_set(err, -EDOM,
				    "cluster.completing: a pool has no nodes to close: "
				    "give --nodes");
	return 0;
}

static int machine_check(const struct lw_machine *machine, struct lw_error *err)
{
	int rc = machine->nodes ? 0 : check_pool(machine, err);

	if (rc)
		return rc;
	if (machine->racks && !lw_machine_fills_racks(machine))
		return lw_error_set(err, -EDOM,
				    "--racks: %" PRIu32 " nodes are too few for %" PRIu32
				    " racks of equally many",
				    machine->nodes, machine->racks);
	if (machine->blocks && !machine->racks)
		return lw_error_set(err, -EDOM, "cluster.blocks: how many? give --racks");
	if ((uint64_t)machine->nodes * machine->cpus_per_node > UINT32_MAX)
		return lw_error_set(err, -EDOM, "--nodes: the machine is too large");
	return check_islands(machine, err);
}

static void set_default(uint32_t *value, uint32_t not_said, uint32_t otherwise)
{
	if (*value == not_said)
		*value = otherwise;
}

/* As many CPUs as hold the trace's processors, if these are CPUs and the header counts them. */
static uint32_t cpus_of_swf(const struct lw_machine *machine, const struct lw_swf *swf)
{
	int64_t cpus = (swf->max_procs + machine->nodes - 1) / machine->nodes;

	if (machine->gpus_per_node || swf->max_procs < 1 || cpus > UINT32_MAX)
		return lw_nodes_default_cpus(machine->gpus_per_node);
	return (uint32_t)cpus;
}

int lw_simmachine_of_swf(struct lw_machine *machine, const struct lw_swf *swf, const char *path,
			 struct lw_error *err)
{
	int rc;

	set_default(&machine->gpus_per_node, LW_SIM_NOT_SAID, 0);
	set_default(&machine->mem_mib_per_node, LW_SIM_NOT_SAID, 0);
	if (machine->nodes)
		set_default(&machine->cpus_per_node, 0, cpus_of_swf(machine, swf));
	rc = machine_check(machine, err);
	if (rc || machine->nodes)
		return rc;
	if (swf->max_procs < 1 || swf->max_procs > UINT32_MAX)
		return lw_error_set(err, -EINVAL,
				    "%s: no MaxProcs of 1 to %u in the header: give --nodes and "
				    "--cpus-per-node",
				    path, UINT32_MAX);
	machine->pool = (uint32_t)swf->max_procs;
	return 0;
}

int lw_simmachine_of_workload(struct lw_machine *machine, const struct lw_workload *workload,
			      const char *path, struct lw_error *err)
{
	bool some = machine->nodes || machine->cpus_per_node ||
		    machine->gpus_per_node != LW_SIM_NOT_SAID ||
		    machine->mem_mib_per_node != LW_SIM_NOT_SAID;
	struct lw_machine own = { 0 };

	if (workload->type_count > 1 && some)
		return lw_error_set(err, -EDOM,
				    "%s: its machine has nodes of several types: leave out "
				    "--nodes, --cpus-per-node, --gpus-per-node and --mem-per-node",
				    path);
	if (!workload->type_count && !machine->nodes)
		return lw_error_set(err, -EINVAL,
				    "%s: no machine is said in it, and a workload needs nodes: "
				    "give --nodes, --cpus-per-node and --gpus-per-node",
				    path);
	lw_machine_set_types(&own, workload->types, workload->type_count);
	set_default(&machine->nodes, 0, own.nodes);
	set_default(&machine->gpus_per_node, LW_SIM_NOT_SAID, own.gpus_per_node);
	set_default(&machine->mem_mib_per_node, LW_SIM_NOT_SAID, own.mem_mib_per_node);
	set_default(&machine->cpus_per_node, 0, own.cpus_per_node);
	set_default(&machine->cpus_per_node, 0, lw_nodes_default_cpus(machine->gpus_per_node));
	if (workload->type_count > 1)
		lw_machine_set_types(machine, workload->types, workload->type_count);
	else
		machine->types[0] = own.types[0];
	return machine_check(machine, err);
}
