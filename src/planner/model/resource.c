/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: amounts of CPUs, memory and GPUs. */
#include "planner/model/resource.h"

static uint32_t resource_add_u32(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* By what is left, in 16 bits, so that the compiler can vectorise it. */
static uint16_t resource_add_u16(uint16_t a, uint16_t b)
{
	uint16_t left = (uint16_t)~a;

	return (uint16_t)(a + (b < left ? b : left));
}

static uint16_t resource_sub_u16(uint16_t a, uint16_t b)
{
	return a > b ? (uint16_t)(a - b) : 0;
}

void lw_res_add(struct lw_res *a, const struct lw_res *b)
{
	a->cpus = resource_add_u32(a->cpus, b->cpus);
	a->mem_mib = resource_add_u32(a->mem_mib, b->mem_mib);
	a->parts = resource_add_u32(a->parts, b->parts);
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		a->gpus[type] = resource_add_u16(a->gpus[type], b->gpus[type]);
	for (int cap = 0; cap < LW_CAPS_MAX; cap++)
		a->capped[cap] = resource_add_u16(a->capped[cap], b->capped[cap]);
}

void lw_res_sub(struct lw_res *a, const struct lw_res *b)
{
	a->cpus = a->cpus > b->cpus ? a->cpus - b->cpus : 0;
	a->mem_mib = a->mem_mib > b->mem_mib ? a->mem_mib - b->mem_mib : 0;
	a->parts = a->parts > b->parts ? a->parts - b->parts : 0;
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		a->gpus[type] = resource_sub_u16(a->gpus[type], b->gpus[type]);
	for (int cap = 0; cap < LW_CAPS_MAX; cap++)
		a->capped[cap] = resource_sub_u16(a->capped[cap], b->capped[cap]);
}

static uint32_t resource_least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Called for every moment of every node: no branches, so that the compiler can vectorise it. */
void lw_res_min(struct lw_res *a, const struct lw_res *b)
{
	a->cpus = resource_least(a->cpus, b->cpus);
	a->mem_mib = resource_least(a->mem_mib, b->mem_mib);
	a->parts = resource_least(a->parts, b->parts);
	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		a->gpus[type] = (uint16_t)resource_least(a->gpus[type], b->gpus[type]);
	for (int cap = 0; cap < LW_CAPS_MAX; cap++)
		a->capped[cap] = (uint16_t)resource_least(a->capped[cap], b->capped[cap]);
}

/* Likewise. */
bool lw_res_within(const struct lw_res *part, const struct lw_res *whole)
{
	bool beyond = part->cpus > whole->cpus || part->mem_mib > whole->mem_mib ||
		      part->parts > whole->parts;
	uint16_t lacks = 0;

	for (int type = 0; type < LW_GPU_TYPES_MAX; type++)
		lacks |= part->gpus[type] > whole->gpus[type];
	for (int cap = 0; cap < LW_CAPS_MAX; cap++)
		lacks |= part->capped[cap] > whole->capped[cap];
	return !beyond && !lacks;
}

bool lw_res_equal(const struct lw_res *a, const struct lw_res *b)
{
	return lw_res_within(a, b) && lw_res_within(b, a);
}
