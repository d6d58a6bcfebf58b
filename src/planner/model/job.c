/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: equality of jobs and requests, made from job.def. */
#include "planner/model/job.h"

#include <string.h>

/* No field has padding, so its bytes can be compared; a compiler makes a plain comparison. */
#define SAME(type, name, ...) &&!memcmp(&a->name, &b->name, sizeof(a->name))

bool lw_request_equal(const struct lw_request *a, const struct lw_request *b)
{
	return true
#define LW_REQUEST SAME
#include "planner/model/job.def"
		;
}

bool lw_constraints_equal(const struct lw_constraints *a, const struct lw_constraints *b)
{
	return true
#define LW_CONSTRAINTS SAME
#include "planner/model/job.def"
		;
}

/* Each step is one-to-one in VALUE and in HASH (with the factor of MurmurHash3's finalizer). */
static uint64_t job_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0xff51afd7ed558ccd);
	return hash ^ hash >> 32;
}

static uint64_t job_mix_field(uint64_t hash, const void *field, size_t size)
{
	const char *at = field;
	uint64_t value;

	for (; size; at += sizeof(value), size -= size < sizeof(value) ? size : sizeof(value)) {
		value = 0;
		memcpy(&value, at, size < sizeof(value) ? size : sizeof(value));
		hash = job_mix(hash, value);
	}
	return hash;
}

#define MIX(member) hash = job_mix_field(hash, &job->member, sizeof(job->member));

uint64_t lw_waiting_class_hash(const struct lw_waiting *job)
{
	uint64_t hash = 0;

#define LW_CLASS(type, name, ...)   MIX(name)
#define LW_CONSTRAINTS(type, name, ...) MIX(constraints.name)
#define LW_REQUEST(type, name, ...) MIX(request.name)
#include "planner/model/job.def"
	return hash;
}

uint64_t lw_need_hash(uint64_t hash, const struct lw_need *job)
{
#define LW_NEED(type, name, ...)    MIX(name)
#define LW_REQUEST(type, name, ...) MIX(request.name)
#include "planner/model/job.def"
	return hash;
}
