/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: bounds that tell at once that a request cannot fit. */
#include "policy/bounds.h"

#include "policy/place.h"

void lw_bounds_add(struct lw_bounds *bounds, const struct lw_res *free,
		   const struct lw_res *total, const struct lw_request *req, int sign)
{
	int first = req->gpu_type, last = req->gpu_type;
	uint32_t cpus = 0, gpus = 0;
	bool serves = false;

	if (!req->gpus_per_node && !req->gpus_total) {
		first = last = LW_GPU_ANY;
	} else if (req->gpu_type == LW_GPU_ANY) {
		first = 0;
		last = LW_GPU_TYPES_MAX - 1;
	}
	for (int type = first; type <= last; type++) {
		struct lw_res give;

		if (!lw_place_on_node(free, total, req, type, &give))
			continue;
		serves = true;
		cpus = give.cpus > cpus ? give.cpus : cpus;
		gpus += lw_res_gpus(&give);
	}
	if (!serves)
		return;
	bounds->nodes += (uint64_t)(int64_t)sign;
	bounds->cpus += (uint64_t)((int64_t)sign * cpus);
	bounds->gpus += (uint64_t)((int64_t)sign * gpus);
}

bool lw_bounds_may_fit(const struct lw_bounds *bounds, const struct lw_request *req)
{
	return bounds->nodes >= req->nodes_min && bounds->cpus >= req->cpus_total &&
	       bounds->gpus >= req->gpus_total;
}
