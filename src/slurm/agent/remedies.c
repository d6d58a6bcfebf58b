/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: changes of waiting jobs that a plan has found, until Slurm was asked of each. */
#include "slurm/agent/remedies.h"

#include "slurm/log.h"
#include "slurm/query/remedy.h"

#include <inttypes.h>
#include <string.h>

void lw_remedies_begin(struct lw_remedies *remedies, uint64_t mark)
{
	for (uint32_t i = 0; i < remedies->count; i++)
		lw_bitset_fini(&remedies->all[i].nodes);
	remedies->count = 0;
	remedies->mark = mark;
}

void lw_remedies_add(struct lw_remedies *remedies, uint32_t job_id,
		     const struct lw_hint hints[LW_WHY_HINTS], struct lw_whatif *whatif)
{
	for (int i = 0; i < LW_WHY_HINTS && hints[i].kind; i++) {
		if (remedies->count == LW_REMEDIES_MAX || !whatif->where[i].bits)
			return;
		remedies->all[remedies->count++] = (struct lw_remedy){
			.job_id = job_id, .hint = hints[i], .nodes = whatif->where[i]
		};
		whatif->where[i] = (struct lw_bitset){ 0 };
	}
}

static bool remedies_is_refused(const struct lw_remedy *remedy)
{
	job_record_t *job = find_job_record(remedy->job_id);

	/* one that has started needs no change */
	return job && IS_JOB_PENDING(job) && job->details &&
	       !lw_remedy_starts(job, &remedy->hint, &remedy->nodes);
}

void lw_remedies_ask(struct lw_remedies *remedies, struct lw_outlooks *outlooks,
		     struct lw_session *session)
{
	for (uint32_t i = 0; i < remedies->count; i++) {
		struct lw_remedy *remedy = &remedies->all[i];

		if (lw_session_yield_early(session) || session->nodes != remedies->mark)
			return;
		remedy->refused = remedies_is_refused(remedy);
		if (!remedy->refused)
			continue;
		lw_log_debug(lw_slurm_log(),
			     "job %" PRIu32 ": Slurm would not start it with a change of kind %u",
			     remedy->job_id, remedy->hint.kind);
		lw_outlooks_unhint(outlooks, remedy->job_id, &remedy->hint);
	}
}

const char *lw_remedies_strip(const struct lw_remedies *remedies, uint32_t job_id,
			      const char *word, char buf[LW_WHY_MAX])
{
	struct lw_statement why;
	const char *stripped = word;

	for (uint32_t i = 0; word && i < remedies->count; i++) {
		const struct lw_remedy *remedy = &remedies->all[i];

		if (!remedy->refused || remedy->job_id != job_id || lw_why_decode(stripped, &why))
			continue;
		lw_hints_drop(why.hints, &remedy->hint);
		lw_why_encode(&why, buf);
		stripped = buf;
	}
	return stripped;
}
