/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: licences as nodes of the snapshot, so that they are planned like nodes. */
#include "slurm/read/licences.h"

#include "base/grow.h"
#include "slurm/reading.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* When to look again at licences in use by unknown jobs. */
#define UNKNOWN_S INT64_C(3600)

/* A licence with a longer name is not planned: it is never found again. */
#define NAME_MAX_LEN 200

static int licences_collect(void *x, void *arg)
{
	const licenses_t *license = x;
	struct lw_licences *licences = arg;
	uint32_t gone = lw_slurm_licence_deficit(license);
	char text[NAME_MAX_LEN], *name;

	if (!lw_slurm_licence_is_plain(license))
		return 0;
	lw_slurm_licence_name(license, text, sizeof(text));
	licences->some_unknown |= strlen(text) + 1 == sizeof(text);
	name = strdup(text);
	if (!name || lw_grow((void **)&licences->items, &licences->room, licences->count + 1,
			     sizeof(*licences->items))) {
		free(name);
		return -1;
	}
	licences->items[licences->count++] = (struct lw_licence){
		.name = name,
		.total = license->total > gone ? license->total - gone : 0,
		.configured = license->total,
		.used = license->used,
	};
	return 0;
}

static int licences_add_node(struct lw_snapshot *snap, const struct lw_licence *licence,
			     struct lw_error *err)
{
	struct lw_res total = { .mem_mib = licence->total };
	char name[256];

	snprintf(name, sizeof(name), LW_LICENCE_NODE "%s", licence->name);
	return lw_snapshot_add_node(snap, name, &total, true, err);
}

int lw_licences_read(struct lw_licences *licences, struct lw_snapshot *snap, struct lw_error *err)
{
	list_t *list = lw_slurm_licences();
	int rc = 0;

	licences->first_node = snap->node_count;
	if (list && list_for_each(list, licences_collect, licences) < 0)
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	lw_slurm_licences_free(list);
	for (uint32_t i = 0; !rc && i < licences->count; i++)
		rc = licences_add_node(snap, &licences->items[i], err);
	return rc;
}

void lw_licences_fini(struct lw_licences *licences)
{
	for (uint32_t i = 0; i < licences->count; i++)
		free(licences->items[i].name);
	free(licences->items);
	memset(licences, 0, sizeof(*licences));
}

static int licences_is_not_plain(void *x, void *arg)
{
	(void)arg;
	return !lw_slurm_licence_is_plain(x);
}

bool lw_licences_can_plan(const job_record_t *job)
{
	return !job->license_list ||
	       !list_find_first(job->license_list, licences_is_not_plain, NULL);
}

static int licences_is_beyond(void *x, void *arg)
{
	const licenses_t *wanted = x;
	const struct lw_licences *licences = arg;

	for (uint32_t i = 0; i < licences->count; i++) {
		if (lw_slurm_licence_is(wanted, licences->items[i].name))
			return wanted->total > licences->items[i].configured;
	}
	return !licences->some_unknown;
}

bool lw_licences_exceed(const struct lw_licences *licences, const job_record_t *job)
{
	return job->license_list && lw_licences_can_plan(job) &&
	       list_find_first(job->license_list, licences_is_beyond,
			       (void *)(uintptr_t)licences);
}

struct sum {
	const char *name;
	uint32_t total;
};

static int licences_add_up(void *x, void *arg)
{
	const licenses_t *license = x;
	struct sum *sum = arg;

	if (lw_slurm_licence_is(license, sum->name))
		sum->total += license->total;
	return 0;
}

static uint32_t licences_count_in(list_t *list, const char *name)
{
	struct sum sum = { .name = name };

	if (list)
		list_for_each(list, licences_add_up, &sum);
	return sum.total;
}

bool lw_licences_hold(struct lw_licences *licences, const job_record_t *job, uint32_t i,
		      struct lw_alloc *ret_alloc)
{
	struct lw_licence *licence = &licences->items[i];
	uint32_t count = licences_count_in(job->license_list, licence->name);

	if (!count)
		return false;
	licence->held += count;
	*ret_alloc = (struct lw_alloc){ .node = licences->first_node + i, .res.mem_mib = count };
	return true;
}

static int licences_count_reserved(void *x, void *arg)
{
	const slurmctld_resv_t *resv = x;
	struct sum *sum = arg;
	time_t now = time(NULL);

	if (resv->start_time <= now && resv->end_time > now)
		sum->total += licences_count_in(resv->license_list, sum->name);
	return 0;
}

int lw_licences_block(struct lw_licences *licences, struct lw_snapshot *snap, struct lw_error *err)
{
	struct lw_running blocker = { .start_s = snap->now_s, .end_s = snap->now_s + UNKNOWN_S };
	int rc = 0;

	for (uint32_t i = 0; !rc && i < licences->count; i++) {
		struct lw_licence *licence = &licences->items[i];
		struct lw_alloc rest = { .node = licences->first_node + i };
		struct sum reserved = { .name = licence->name };

		list_for_each(resv_list, licences_count_reserved, &reserved);
		rest.res.mem_mib = reserved.total;
		if (licence->used > licence->held)
			rest.res.mem_mib += licence->used - licence->held;
		if (rest.res.mem_mib)
			rc = lw_snapshot_add_running(snap, &blocker, &rest, 1, err);
	}
	return rc;
}

static int licences_make_set(struct lw_licences *licences, struct lw_snapshot *snap, uint32_t i,
			     struct lw_error *err)
{
	struct lw_bitset node = { 0 };
	int rc;

	if (licences->items[i].set)
		return 0;
	if (lw_bitset_init(&node, snap->node_count))
		return lw_error_set(err, -ENOMEM, "out of memory");
	lw_bitset_set(&node, licences->first_node + i);
	rc = lw_snapshot_add_set(snap, snap->nodes[licences->first_node + i].name, &node, err);
	lw_bitset_fini(&node);
	if (!rc)
		licences->items[i].set = snap->set_count;
	return rc;
}

int lw_licences_need(struct lw_licences *licences, struct lw_snapshot *snap,
		     const job_record_t *job, uint32_t i, struct lw_need *ret_need,
		     struct lw_error *err)
{
	uint32_t count = licences_count_in(job->license_list, licences->items[i].name);
	int rc;

	/* those of its reservation are kept for it */
	if (!count || job->resv_name || !lw_licences_can_plan(job))
		return 0;
	rc = licences_make_set(licences, snap, i, err);
	if (rc)
		return rc;
	*ret_need = (struct lw_need){
		.set = licences->items[i].set - 1,
		.request = { .nodes_min = 1,
			     .nodes_max = 1,
			     .mem_per_node_mib = count,
			     .gpu_type = LW_GPU_ANY },
	};
	return 1;
}
