/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: would a limit on GPUs be evaded by a job that gets parts of a GPU instead? */
#include "slurm/query/gpulimit.h"

#include "base/error.h"
#include "slurm/layout.h"

#include <stdio.h>
#include <string.h>

/* Slurm takes no longer list. */
#define NAMES_MAX 1025
/* Of a longer list nothing is known: each name costs a search, with Slurm's locks held. */
#define NAMES_LOOKED_AT 16

/* What a job asks for and what it would get, as limits count it in one partition. */
struct exchange {
	const char *gres;
	const double *weights; /* by which its partition bills; NULL: by CPUs alone */
};

static bool gpulimit_is_gres(const slurmdb_tres_rec_t *tres, const char *name)
{
	size_t len = strlen(name);

	return tres && tres->type && tres->name && !strcmp(tres->type, "gres") &&
	       !strncmp(tres->name, name, len) && (!tres->name[len] || tres->name[len] == ':');
}

/* Does the partition bill GPUs, and no parts of them? */
static bool gpulimit_bills_gpus_alone(const struct exchange *exchange)
{
	bool gpus = false, parts = false;

	for (uint32_t i = 0; exchange->weights && i < g_tres_count; i++) {
		if (exchange->weights[i] == 0)
			continue;
		gpus = gpus || gpulimit_is_gres(assoc_mgr_tres_array[i], "gpu");
		parts = parts || gpulimit_is_gres(assoc_mgr_tres_array[i], exchange->gres);
	}
	return gpus && !parts;
}

/* LIMITS are of one kind, by TRES. A limit on parts of one type does not count all of them. */
static bool gpulimit_evades(const uint64_t *limits, const struct exchange *exchange)
{
	bool gpus = false, parts = false;

	for (uint32_t i = 0; limits && i < g_tres_count; i++) {
		const slurmdb_tres_rec_t *tres = assoc_mgr_tres_array[i];

		if (limits[i] == INFINITE64 || limits[i] == NO_VAL64)
			continue;
		gpus = gpus || gpulimit_is_gres(tres, "gpu") ||
		       (i == TRES_ARRAY_BILLING && gpulimit_bills_gpus_alone(exchange));
		parts = parts || (gpulimit_is_gres(tres, exchange->gres) &&
				  !tres->name[strlen(exchange->gres)]);
	}
	return gpus && !parts;
}

static bool gpulimit_qos_is_evaded(const slurmdb_qos_rec_t *qos, const struct exchange *exchange)
{
	const uint64_t *const kinds[] = {
		qos->grp_tres_ctld,
		qos->grp_tres_mins_ctld,
		qos->grp_tres_run_mins_ctld,
		qos->max_tres_mins_pj_ctld,
		qos->max_tres_pa_ctld,
		qos->max_tres_pj_ctld,
		qos->max_tres_pn_ctld,
		qos->max_tres_pu_ctld,
		qos->max_tres_run_mins_pa_ctld,
		qos->max_tres_run_mins_pu_ctld,
		qos->min_tres_pj_ctld,
	};
	bool evaded = false;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		evaded = evaded || gpulimit_evades(kinds[i], exchange);
	return evaded;
}

/* And all that it is in. */
static bool gpulimit_assoc_is_evaded(const slurmdb_assoc_rec_t *assoc,
				     const struct exchange *exchange)
{
	bool evaded = false;

	for (; assoc && !evaded; assoc = assoc->usage ? assoc->usage->parent_assoc_ptr : NULL) {
		const uint64_t *const kinds[] = {
			assoc->grp_tres_ctld,          assoc->grp_tres_mins_ctld,
			assoc->grp_tres_run_mins_ctld, assoc->max_tres_ctld,
			assoc->max_tres_pn_ctld,       assoc->max_tres_mins_ctld,
			assoc->max_tres_run_mins_ctld,
		};

		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			evaded = evaded || gpulimit_evades(kinds[i], exchange);
	}
	return evaded;
}

/* A QOS by its NAME, or the one that a job of ASSOC has without one (NULL). */
static bool gpulimit_named_qos_is_evaded(char *name, slurmdb_assoc_rec_t *assoc,
					 const struct exchange *exchange)
{
	slurmdb_qos_rec_t wanted = { .name = name }, *qos = NULL;

	assoc_mgr_get_default_qos_info(assoc, &wanted);
	return assoc_mgr_fill_in_qos(acct_db_conn, &wanted, accounting_enforce, &qos, true) ||
	       !qos || gpulimit_qos_is_evaded(qos, exchange);
}

/* From 24.11 on a job may name several, and get any of them. */
static bool gpulimit_any_qos_is_evaded(const char *names, slurmdb_assoc_rec_t *assoc,
				       const struct exchange *exchange)
{
	char list[NAMES_MAX], *rest = list, *name;
	bool evaded = false;

	if (!names || !*names)
		return gpulimit_named_qos_is_evaded(NULL, assoc, exchange);
	if (snprintf(list, sizeof(list), "%s", names) >= (int)sizeof(list))
		return true;
	for (uint32_t i = 0; !evaded && (name = strsep(&rest, ",")); i++)
		evaded = i == NAMES_LOOKED_AT ||
			 (*name && gpulimit_named_qos_is_evaded(name, assoc, exchange));
	return evaded;
}

static bool gpulimit_is_evaded_in(part_record_t *part, const job_desc_msg_t *job,
				  const char *gres)
{
	struct exchange exchange = { .gres = gres };
	slurmdb_assoc_rec_t wanted = { .acct = job->account, .uid = job->user_id }, *assoc = NULL;
	struct lw_error err;

	if (!part || lw_layout_check_record("a partition", part, sizeof(*part), &err))
		return true;
	exchange.weights = part->billing_weights;
	wanted.partition = part->name;
	if (assoc_mgr_fill_in_assoc(acct_db_conn, &wanted, accounting_enforce, &assoc, true) ||
	    !assoc)
		return true;
	return (part->qos_ptr && gpulimit_qos_is_evaded(part->qos_ptr, &exchange)) ||
	       gpulimit_assoc_is_evaded(assoc, &exchange) ||
	       gpulimit_any_qos_is_evaded(job->qos, assoc, &exchange);
}

static bool gpulimit_is_evaded(const job_desc_msg_t *job, const char *gres)
{
	char list[NAMES_MAX], *rest = list, *name;
	bool evaded = false;

	if (!job->partition || !*job->partition)
		return gpulimit_is_evaded_in(default_part_loc, job, gres);
	if (snprintf(list, sizeof(list), "%s", job->partition) >= (int)sizeof(list))
		return true;
	for (uint32_t i = 0; !evaded && (name = strsep(&rest, ",")); i++)
		evaded = i == NAMES_LOOKED_AT ||
			 (*name && gpulimit_is_evaded_in(find_part_record(name), job, gres));
	return evaded;
}

bool lw_gpulimit_evades(const job_desc_msg_t *job, const char *gres)
{
	assoc_mgr_lock_t locks = {
		.assoc = READ_LOCK, .qos = READ_LOCK, .tres = READ_LOCK, .user = READ_LOCK
	};
	bool evaded;

	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS))
		return false;
	assoc_mgr_lock(&locks);
	evaded = gpulimit_is_evaded(job, gres);
	assoc_mgr_unlock(&locks);
	return evaded;
}
