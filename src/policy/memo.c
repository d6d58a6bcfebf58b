/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: requests that found no room in this cycle, so that their twins need not look. */
#include "policy/memo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	bool used;
	uint32_t set;
	struct lw_request request;
	bool no_room;	       /* not even for the shortest job */
	int64_t would_delay_s; /* limits from this on would delay a promised job */
};

/* Open addressing; at most half full, so that a probe always ends. */
struct lw_memo {
	struct entry *entries;
	uint32_t size; /* a power of two */
	uint32_t used;
};

#define FIRST_SIZE 256

int lw_memo_create(struct lw_memo **ret_memo)
{
	struct lw_memo *memo = calloc(1, sizeof(*memo));

	if (!memo)
		return -ENOMEM;
	memo->size = FIRST_SIZE;
	memo->entries = calloc(memo->size, sizeof(*memo->entries));
	if (!memo->entries) {
		free(memo);
		return -ENOMEM;
	}
	*ret_memo = memo;
	return 0;
}

void lw_memo_destroy(struct lw_memo *memo)
{
	if (!memo)
		return;
	free(memo->entries);
	free(memo);
}

void lw_memo_clear(struct lw_memo *memo)
{
	memset(memo->entries, 0, memo->size * sizeof(*memo->entries));
	memo->used = 0;
}

/* Fowler, Noll, Vo (FNV-1a), over the values and not the padding between them. */
static uint32_t mix(uint32_t hash, uint32_t value)
{
	for (int i = 0; i < 4; i++) {
		hash = (hash ^ (value & 0xff)) * 16777619u;
		value >>= 8;
	}
	return hash;
}

static uint32_t hash_of(uint32_t set, const struct lw_request *req)
{
	uint32_t hash = mix(2166136261u, set);

	hash = mix(hash, req->nodes_min);
	hash = mix(hash, req->nodes_max);
	hash = mix(hash, req->cpus_per_node);
	hash = mix(hash, req->mem_per_node_mib);
	hash = mix(hash, req->mem_per_cpu_mib);
	hash = mix(hash, req->mem_per_gpu_mib);
	hash = mix(hash, req->gpus_per_node);
	hash = mix(hash, (uint32_t)(req->gpu_type + 1) << 1 | req->exclusive);
	hash = mix(hash, req->cpus_total);
	return mix(hash, req->gpus_total);
}

static bool same(const struct entry *entry, uint32_t set, const struct lw_request *req)
{
	const struct lw_request *old = &entry->request;

	return entry->set == set && old->nodes_min == req->nodes_min &&
	       old->nodes_max == req->nodes_max && old->cpus_per_node == req->cpus_per_node &&
	       old->mem_per_node_mib == req->mem_per_node_mib &&
	       old->mem_per_cpu_mib == req->mem_per_cpu_mib &&
	       old->mem_per_gpu_mib == req->mem_per_gpu_mib &&
	       old->gpus_per_node == req->gpus_per_node && old->gpu_type == req->gpu_type &&
	       old->exclusive == req->exclusive && old->cpus_total == req->cpus_total &&
	       old->gpus_total == req->gpus_total;
}

/* The entry of the request, or the free one where it would go. */
static struct entry *slot_of(struct entry *entries, uint32_t size, uint32_t set,
			     const struct lw_request *req)
{
	uint32_t i = hash_of(set, req) & (size - 1);

	while (entries[i].used && !same(&entries[i], set, req))
		i = (i + 1) & (size - 1);
	return &entries[i];
}

static int grow(struct lw_memo *memo)
{
	uint32_t size = memo->size * 2;
	struct entry *entries = calloc(size, sizeof(*entries));

	if (!entries)
		return -ENOMEM;
	for (uint32_t i = 0; i < memo->size; i++) {
		struct entry *old = &memo->entries[i];

		if (old->used)
			*slot_of(entries, size, old->set, &old->request) = *old;
	}
	free(memo->entries);
	memo->entries = entries;
	memo->size = size;
	return 0;
}

int lw_memo_add(struct lw_memo *memo, const struct lw_waiting *job, enum lw_reason reason)
{
	struct entry *entry;

	if (memo->used * 2 >= memo->size && grow(memo))
		return -ENOMEM;
	entry = slot_of(memo->entries, memo->size, job->set, &job->request);
	if (!entry->used) {
		*entry = (struct entry){
			.used = true,
			.set = job->set,
			.request = job->request,
			.would_delay_s = INT64_MAX,
		};
		memo->used++;
	}
	/* where there is no room at all, a shorter limit does not help either */
	if (reason == LW_REASON_WAITS_FOR_ROOM)
		entry->no_room = true;
	else if (job->limit_s < entry->would_delay_s)
		entry->would_delay_s = job->limit_s;
	return 0;
}

bool lw_memo_find(const struct lw_memo *memo, const struct lw_waiting *job,
		  enum lw_reason *ret_reason)
{
	const struct entry *entry =
		slot_of(memo->entries, memo->size, job->set, &job->request);

	if (!entry->used)
		return false;
	if (entry->no_room) {
		*ret_reason = LW_REASON_WAITS_FOR_ROOM;
		return true;
	}
	if (job->limit_s >= entry->would_delay_s) {
		*ret_reason = LW_REASON_WAITS_FOR_HEAD;
		return true;
	}
	return false;
}
