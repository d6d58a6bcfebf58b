/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: may a job that is being submitted have a part of a GPU instead of a whole one? */
#include "share/request.h"

#include "base/words.h"

#include <stdio.h>
#include <string.h>

static const char *const answer_texts[LW_SHARE_ANSWERS] = {
	[LW_SHARE_SHARES] = "it shares a GPU",
	[LW_SHARE_NOT_OPTED_IN] = "it did not opt in",
	[LW_SHARE_NOT_HERE] = "its partition or QOS, as it names them, does not share GPUs",
	[LW_SHARE_NOT_BATCH] = "only batch jobs share GPUs",
	[LW_SHARE_WANTS_MORE] =
		"only who asks for one GPU of one node, and no more of it, shares",
	[LW_SHARE_WANTS_ALONE] = "it asks for nodes or GPUs of its own",
	[LW_SHARE_NO_RECORD] = "not enough is known of earlier runs of that name",
	[LW_SHARE_NEEDS_MOST] = "by its earlier runs it needs most of a GPU",
	[LW_SHARE_NO_REQUEUE] = "a guest must be one that may be requeued (--requeue)",
	[LW_SHARE_NO_LIMIT] = "a guest must say how long it takes (--time)",
	[LW_SHARE_NO_SCHEDULER] =
		"slurmctld does not run Leeway's scheduler, which knows the jobs that may",
	[LW_SHARE_EVADES] = "a limit of its account, QOS or partition counts GPUs, and not parts "
			    "of them",
	[LW_SHARE_OLD_SLURM] = "this release of Slurm has no guests on GPUs",
	[LW_SHARE_TURNS_ONLY] = "there are no guests where MPS runs programs (share.mode)",
};

const char *lw_share_answer_text(enum lw_share_answer answer)
{
	return answer_texts[answer];
}

static bool request_is_said(const char *text)
{
	return text && *text;
}

/* Does LIST hold "KIND:NAME"? */
static bool request_names(const char *list, const char *kind, const char *name, size_t name_len)
{
	size_t kind_len = strlen(kind);

	while (request_is_said(list)) {
		size_t len = strcspn(list, LW_WORDS_SEPARATORS);

		if (name_len && len == kind_len + 1 + name_len && !memcmp(list, kind, kind_len) &&
		    list[kind_len] == ':' && !memcmp(list + kind_len + 1, name, name_len))
			return true;
		list += len;
		list += strspn(list, LW_WORDS_SEPARATORS);
	}
	return false;
}

static bool request_opted_in(const struct lw_share_terms *terms, const struct lw_share_ask *ask)
{
	const char *account = ask->account ? ask->account : "";
	const char *qos = ask->qos ? ask->qos : "";

	if (terms->rule.mode == LW_SHARE_OFF || !request_is_said(terms->where) ||
	    lw_words_has(ask->comment, LW_SHARE_COMMENT_NO))
		return false;
	return (lw_words_has(terms->who, "comment") &&
		lw_words_has(ask->comment, LW_SHARE_COMMENT_YES)) ||
	       request_names(terms->who, "account", account, strlen(account)) ||
	       request_names(terms->who, "qos", qos, strlen(qos));
}

/*
 * All partitions that it may run in; the default partition, without a name, is not known here.
 */
static bool request_is_here(const struct lw_share_terms *terms, const struct lw_share_ask *ask)
{
	const char *at = ask->partition;

	if (request_is_said(ask->qos) &&
	    request_names(terms->where, "qos", ask->qos, strlen(ask->qos)))
		return true;
	if (!request_is_said(at))
		return false;
	while (*at) {
		size_t len = strcspn(at, ",");

		if (!request_names(terms->where, "partition", at, len))
			return false;
		at += len;
		at += *at == ',';
	}
	return true;
}

static const char *request_after_front(const char *text, const char *front)
{
	size_t len = strlen(front);

	return strncmp(text, front, len) ? text : text + len;
}

/*
 * Is TRES one GPU and nothing else: [gres/|gres:]gpu[:TYPE][:1], a count behind ':' or '='? The
 * type must be that of TERMS, since a part has none.
 */
static bool request_is_one_gpu(const struct lw_share_terms *terms, const char *tres)
{
	const char *at = request_after_front(request_after_front(tres, "gres/"), "gres:"),
		   *type = NULL;
	size_t type_len = 0;

	if (at == request_after_front(at, "gpu"))
		return false;
	at += strlen("gpu");
	for (bool counted = false; *at; at += type_len) {
		if ((*at != ':' && *at != '=') || counted)
			return false;
		at++;
		type_len = strcspn(at, ":=");
		counted = type_len == 1 && *at == '1';
		if (counted)
			continue;
		if (!type_len || type || strspn(at, "0123456789") >= type_len)
			return false;
		type = at;
		if (!request_is_said(terms->gpu_type) || strlen(terms->gpu_type) != type_len ||
		    memcmp(terms->gpu_type, type, type_len) != 0)
			return false;
	}
	return true;
}

static bool request_begins(const char *text, const char *front)
{
	return request_after_front(text, front) != text;
}

/* Since 23.02 sbatch puts --cpus-per-task here as well, "cpu=4", and a licence for each task. */
static bool request_is_without_gres(const char *tres)
{
	while (request_is_said(tres)) {
		if (!request_begins(tres, "cpu=") && !request_begins(tres, "cpu:") &&
		    !request_begins(tres, "license/"))
			return false;
		tres += strcspn(tres, ",");
		tres += *tres == ',';
	}
	return true;
}

/* By node, on one node, or for the whole job. */
static bool request_wants_one_gpu(const struct lw_share_terms *terms,
				  const struct lw_share_ask *ask)
{
	bool by_node = request_is_said(ask->tres_per_node),
	     by_job = request_is_said(ask->tres_per_job);

	if (by_node == by_job || ask->by_gpu || !request_is_without_gres(ask->tres_per_task) ||
	    request_is_said(ask->tres_per_socket) || request_is_said(ask->cpus_per_tres) ||
	    request_is_said(ask->mem_per_tres) || request_is_said(ask->tres_bind) ||
	    request_is_said(ask->tres_freq))
		return false;
	if (ask->nodes_min > 1 || ask->nodes_max > 1)
		return false;
	/* several tasks may go to several nodes, unless it says that they do not */
	if (ask->tasks > 1 && !(ask->nodes_min == 1 && ask->nodes_max == 1))
		return false;
	return request_is_one_gpu(terms, by_node ? ask->tres_per_node : ask->tres_per_job);
}

/* By all but whether it opted in. */
static enum lw_share_answer request_may_share(const struct lw_share_terms *terms,
					      const struct lw_share_ask *ask)
{
	if (!request_is_here(terms, ask))
		return LW_SHARE_NOT_HERE;
	if (!ask->batch || ask->het)
		return LW_SHARE_NOT_BATCH;
	if (ask->exclusive || request_is_said(ask->reservation))
		return LW_SHARE_WANTS_ALONE;
	return request_wants_one_gpu(terms, ask) ? LW_SHARE_SHARES : LW_SHARE_WANTS_MORE;
}

enum lw_share_answer lw_share_asks(const struct lw_share_terms *terms,
				   const struct lw_share_ask *ask)
{
	return request_opted_in(terms, ask) ? request_may_share(terms, ask)
					    : LW_SHARE_NOT_OPTED_IN;
}

static bool request_is_in_guests(const struct lw_share_terms *terms,
				 const struct lw_share_ask *ask)
{
	return request_is_said(ask->qos) && !strcmp(ask->qos, terms->guests);
}

/*
 * Does the site have guests, or would it with another share.mode? One part, that of a guest,
 * must be less than any job has that shares.
 */
static bool request_has_guests(const struct lw_share_terms *terms)
{
	return terms->rule.mode != LW_SHARE_OFF && request_is_said(terms->where) &&
	       request_is_said(terms->guests) && terms->parts > terms->rule.tenants_max;
}

static enum lw_share_answer request_may_take_turns(const struct lw_share_terms *terms,
						   const struct lw_share_ask *ask)
{
	return terms->rule.mode == LW_SHARE_SLICE ? request_may_share(terms, ask)
						  : LW_SHARE_TURNS_ONLY;
}

enum lw_share_answer lw_share_lends(const struct lw_share_terms *terms,
				    const struct lw_share_ask *ask)
{
	if (!request_has_guests(terms) || request_is_in_guests(terms, ask) ||
	    !lw_words_has(ask->comment, LW_SHARE_COMMENT_LEND) ||
	    lw_words_has(ask->comment, LW_SHARE_COMMENT_NO))
		return LW_SHARE_NOT_OPTED_IN;
	return request_may_take_turns(terms, ask);
}

enum lw_share_answer lw_share_is_guest(const struct lw_share_terms *terms,
				       const struct lw_share_ask *ask)
{
	enum lw_share_answer answer;

	if (!request_has_guests(terms) || !request_is_in_guests(terms, ask) ||
	    lw_words_has(ask->comment, LW_SHARE_COMMENT_NO))
		return LW_SHARE_NOT_OPTED_IN;
	answer = request_may_take_turns(terms, ask);
	if (answer != LW_SHARE_SHARES)
		return answer;
	if (!ask->requeue)
		return LW_SHARE_NO_REQUEUE;
	return ask->limited ? LW_SHARE_SHARES : LW_SHARE_NO_LIMIT;
}

static uint64_t request_parts_of(uint64_t parts, uint64_t used, uint64_t budget)
{
	return (parts * used + budget - 1) / budget;
}

uint32_t lw_share_parts(const struct lw_share_terms *terms, const struct lw_share_use *use)
{
	const struct lw_share_rule *rule = &terms->rule;
	uint64_t parts = terms->parts, least = parts / (rule->tenants_max + 1) + 1;
	uint64_t memory = (uint64_t)terms->mem_mib * rule->mem_max, needed;

	if (!memory || !parts || least * rule->tenants_max > parts || !use->has_mem ||
	    (rule->mode == LW_SHARE_MPS ? !use->has_sm || !rule->sm_below
					: !use->has_util || !rule->util_max))
		return 0;
	/* below a bound: one more than what fits whole */
	needed = rule->mode == LW_SHARE_MPS ? parts * use->sm / rule->sm_below + 1
					    : request_parts_of(parts, use->util, rule->util_max);
	if (request_parts_of(parts, use->mem_mib * UINT64_C(1000), memory) > needed)
		needed = request_parts_of(parts, use->mem_mib * UINT64_C(1000), memory);
	if (needed < least)
		needed = least;
	return needed + least <= parts ? (uint32_t)needed : 0;
}
