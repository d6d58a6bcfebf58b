/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: expected run times by type of GPU, set in a reading. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/read/learn_types.h"

#include "base/lookup.h"
#include "planner/cycle/type.h"
#include "tagger/tag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Types that are nearer to each other than a tenth, as logarithms, are equally fast. */
#define ALIKE 0.095

struct lw_job_kind lw_learn_kind(const char *admin_comment, const char *name)
{
	struct lw_tag tag;

	return (struct lw_job_kind){
		.tag = lw_tag_decode(admin_comment, &tag) ? LW_HABIT_UNTAGGED
							  : (uint32_t)tag.class,
		.name = name ? lw_history_name_id(name) : LW_SPEED_NO_NAME,
	};
}

static struct lw_speed_key learn_types_speed_key(uint32_t user, uint32_t gpus,
						 const struct lw_job_kind *kind)
{
	return (struct lw_speed_key){
		.user = user, .tag = kind->tag, .name = kind->name, .gpus = gpus
	};
}

uint32_t lw_learn_recipe(const struct lw_history *history, uint32_t user, uint32_t gpus,
			 const struct lw_job_kind *kind)
{
	const struct lw_speed_key key = learn_types_speed_key(user, gpus, kind);
	uint32_t number;

	if (!lw_speeds_find(lw_history_speeds(history), &key))
		return 0;
	number = (uint32_t)lw_hash_mix(lw_hash_mix(LW_HASH_BEGIN, kind->tag), kind->name);
	return number ? number : 1;
}

static uint32_t types_of_set(const struct lw_snapshot *snap, uint32_t set)
{
	uint32_t types = 0, node;

	lw_bitset_foreach(&snap->sets[set].nodes, node)
		for (uint32_t type = 0; type < snap->gpu_type_count; type++)
			if (snap->nodes[node].total.gpus[type])
				types |= UINT32_C(1) << type;
	return types;
}

static int learn_types_compare_kinds(const void *left, const void *right)
{
	const struct lw_running_kind *a = left, *b = right;

	return a->job_id < b->job_id ? -1 : a->job_id > b->job_id;
}

static void learn_types_ask_site(const struct lw_history *history, const struct lw_snapshot *snap,
				 struct lw_speed_site *site)
{
	struct lw_speed_types asked = { .count = snap->gpu_type_count };

	for (uint32_t type = 0; type < asked.count; type++)
		asked.name[type] = snap->gpu_types[type];
	lw_speeds_site(lw_history_speeds(history), &asked, site);
}

uint32_t lw_learn_types_order(const struct lw_history *history, const struct lw_snapshot *snap,
			      uint32_t order[LW_GPU_TYPES_MAX])
{
	struct lw_speed_site site;
	double least = INFINITY, most = -INFINITY;

	learn_types_ask_site(history, snap, &site);
	for (uint32_t type = 0; type < site.types.count; type++) {
		uint32_t at = type;

		for (; at && site.time[order[at - 1]] > site.time[type]; at--)
			order[at] = order[at - 1];
		order[at] = type;
		least = fmin(least, site.time[type]);
		most = fmax(most, site.time[type]);
	}
	return site.entries && most - least >= ALIKE ? site.types.count : 0;
}

void lw_learn_types_begin(struct lw_learn_types *types, const struct lw_history *history,
			  struct lw_reading *reading)
{
	const struct lw_snapshot *snap = &reading->snap;

	*types = (struct lw_learn_types){ .speeds = lw_history_speeds(history) };
	if (snap->gpu_type_count < 2)
		return;
	learn_types_ask_site(history, snap, &types->site);
	types->of_set = calloc((size_t)snap->set_count + 1, sizeof(*types->of_set));
	types->asked = calloc(LW_LEARN_ASKED, sizeof(*types->asked));
	if (!types->site.entries || !types->of_set || !types->asked)
		return;
	for (uint32_t set = 0; set < snap->set_count; set++)
		types->of_set[set] = types_of_set(snap, set);
	if (reading->kind_count)
		qsort(reading->kinds, reading->kind_count, sizeof(*reading->kinds),
		      learn_types_compare_kinds);
	types->on = true;
}

void lw_learn_types_fini(struct lw_learn_types *types)
{
	free(types->of_set);
	free(types->asked);
	memset(types, 0, sizeof(*types));
}

static const struct lw_speed_answer *learn_types_ask_kind(const struct lw_learn_types *types,
							  const struct lw_speed_key *key)
{
	uint64_t hash = lw_hash_mix(lw_hash_mix(LW_HASH_BEGIN, key->user), key->name);
	struct lw_learn_asked *asked;

	hash = lw_hash_mix(lw_hash_mix(hash, key->tag), key->gpus);
	asked = &types->asked[hash % LW_LEARN_ASKED];
	if (asked->known && asked->key.user == key->user && asked->key.tag == key->tag &&
	    asked->key.name == key->name && asked->key.gpus == key->gpus)
		return &asked->answer;
	asked->known = true;
	asked->key = *key;
	lw_speeds_ask(types->speeds, &types->site, key, &asked->answer);
	return &asked->answer;
}

/* How long it runs on TYPE, if nothing of its kind is known MEAN_S on a mean of all types. */
static double learn_types_time_on(const struct lw_speed_answer *answer, uint32_t type,
				  int64_t mean_s)
{
	return answer->time[type] * (answer->run_s > 0 ? answer->run_s : (double)mean_s);
}

static uint32_t learn_types_time_within(double time_s, int64_t limit_s)
{
	if (time_s > (double)limit_s)
		time_s = (double)limit_s;
	return time_s < 1 ? 1 : time_s < UINT32_MAX ? (uint32_t)llround(time_s) : UINT32_MAX;
}

void lw_learn_types_expect(const struct lw_learn_types *types, const struct lw_class *class,
			   const struct lw_job_kind *kind, struct lw_expectation *expected)
{
	const struct lw_request *req = &class->request;
	struct lw_speed_key key = learn_types_speed_key(class->user_id, lw_type_gpus(req), kind);
	const struct lw_speed_answer *answer;
	uint32_t least_s = UINT32_MAX, allowed;

	if (!types->on || !key.gpus)
		return;
	allowed = types->of_set[class->set];
	if (req->gpu_type != LW_GPU_ANY)
		allowed &= UINT32_C(1) << req->gpu_type;
	answer = learn_types_ask_kind(types, &key);
	for (uint32_t type = 0; type < types->site.types.count; type++) {
		if (!(allowed >> type & 1))
			continue;
		expected->by_type_s[type] = learn_types_time_within(
			learn_types_time_on(answer, type, expected->mean_s), class->limit_s);
		if (expected->by_type_s[type] < least_s)
			least_s = expected->by_type_s[type];
	}
	if (!allowed)
		return;
	expected->mean_s = least_s;
	if (expected->rank_s > expected->mean_s)
		expected->rank_s = expected->mean_s;
}

uint64_t lw_learn_cramped(const struct lw_history *history, const struct lw_reading *reading,
			  const struct lw_class *class, const struct lw_job_kind *kind)
{
	uint32_t needed_mib;
	uint64_t cramped = 0;

	if (class->request.gpu_type != LW_GPU_ANY || !lw_type_gpus(&class->request))
		return 0;
	needed_mib = lw_history_memory_mib(history, class->user_id, kind->tag, class->limit_s);
	for (uint32_t type = 0; type < reading->snap.gpu_type_count; type++)
		if (reading->gpu_memory_mib[type] && reading->gpu_memory_mib[type] < needed_mib)
			cramped |= UINT64_C(1) << type;
	return cramped;
}

/* The type of all the GPUs that the job holds, and how many; LW_GPU_ANY: none, or several. */
static int learn_types_type_held(const struct lw_snapshot *snap, const struct lw_running *job,
				 uint32_t *ret_gpus)
{
	int held = LW_GPU_ANY;

	*ret_gpus = 0;
	for (uint32_t i = 0; i < job->alloc_count; i++)
		for (uint32_t type = 0; type < snap->gpu_type_count; type++) {
			uint32_t gpus = snap->allocs[job->first_alloc + i].res.gpus[type];

			if (gpus && held != LW_GPU_ANY && held != (int)type)
				return LW_GPU_ANY;
			held = gpus ? (int)type : held;
			*ret_gpus += gpus;
		}
	return held;
}

int64_t lw_learn_types_running(const struct lw_learn_types *types,
			       const struct lw_reading *reading, uint32_t index, int64_t mean_s)
{
	const struct lw_running *job = &reading->snap.running[index];
	const struct lw_running_kind wanted = { .job_id = job->job_id }, *kind = NULL;
	int64_t elapsed_s = reading->snap.now_s - job->start_s, time_s;
	struct lw_speed_key key;
	uint32_t gpus;
	int type = learn_types_type_held(&reading->snap, job, &gpus);

	if (types->on && type != LW_GPU_ANY && reading->kind_count)
		kind = bsearch(&wanted, reading->kinds, reading->kind_count,
			       sizeof(*reading->kinds), learn_types_compare_kinds);
	if (!kind)
		return 0;
	key = learn_types_speed_key(job->user_id, gpus, &kind->kind);
	time_s = learn_types_time_within(
		learn_types_time_on(learn_types_ask_kind(types, &key), (uint32_t)type, mean_s),
		job->end_s - job->start_s);
	return time_s > elapsed_s ? time_s : 0;
}
