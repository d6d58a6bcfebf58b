/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: give a job that is being submitted a part of a GPU in place of a whole one. */
#include "job_submit/share_job.h"

#include "base/words.h"
#include "job_submit/share_link.h"
#include "job_submit/slurm_private.h"
#include "share/request.h"
#include "slurm/compat/public.h"
#include "tagger/tag.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define COMMENT_MAX 8192

static struct lw_share_terms share_job_terms_of(const struct lw_config *config)
{
	struct lw_share_terms terms = {
		.rule = lw_share_rule_default((enum lw_share_mode)config->share_mode),
		.where = config->share_where,
		.who = config->share_who ? config->share_who : "comment",
		.gpu_type = config->share_gpu_type,
		.mem_mib = config->share_memory_mib,
		.gres = config->share_gres ? "mps" : "shard",
		.guests = config->share_opportunistic,
		.parts = config->share_parts,
	};

	terms.rule.tenants_max = config->share_tenants;
	terms.rule.mem_max = (uint32_t)(1000 * config->share_memory_limit + 0.5);
	return terms;
}

/* NO_VAL and INFINITE stand for "not said". */
static uint32_t share_said(uint32_t value)
{
	return value >= NO_VAL ? 0 : value;
}

/* Exclusive is 0, by user 2, and so on: any but "not said" and 1 keeps others out. */
static struct lw_share_ask share_job_ask_of(const job_desc_msg_t *job)
{
	return (struct lw_share_ask){
		.partition = job->partition,
		.qos = job->qos,
		.account = job->account,
		.comment = job->comment,
		.reservation = job->reservation,
		.tres_per_node = job->tres_per_node,
		.tres_per_job = job->tres_per_job,
		.tres_per_task = job->tres_per_task,
		.tres_per_socket = job->tres_per_socket,
		.cpus_per_tres = job->cpus_per_tres,
		.mem_per_tres = job->mem_per_tres,
		.tres_bind = job->tres_bind,
		.tres_freq = job->tres_freq,
		.nodes_min = share_said(job->min_nodes),
		.nodes_max = share_said(job->max_nodes),
		.tasks = share_said(job->num_tasks),
		.batch = job->script && job->script[0],
		.exclusive = job->shared != NO_VAL16 && job->shared != 1,
		.het = job->het_job_offset != NO_VAL,
		.requeue = job->requeue == NO_VAL16 ? slurm_conf.job_requeue : job->requeue,
		.limited = job->time_limit != NO_VAL && job->time_limit != INFINITE,
		.by_gpu = job->ntasks_per_tres != NO_VAL16 && job->ntasks_per_tres,
	};
}

static uint32_t share_job_tag_of(const job_desc_msg_t *job)
{
	struct lw_tag tag;

	return lw_tag_decode(job->admin_comment, &tag) ? LW_SHARE_UNTAGGED : (uint32_t)tag.class;
}

/* Is anything known of earlier runs? */
static bool share_job_find_record(const job_desc_msg_t *job, const struct lw_share_terms *terms,
				  const struct lw_config *config,
				  const struct lw_share_link *link,
				  struct lw_share_record *ret_record)
{
	const struct lw_share_key key =
		lw_share_key(job->user_id, share_job_tag_of(job), job->name, terms->gpu_type);

	return terms->mem_mib && config->share_record &&
	       link->find(&key, time(NULL) - config->share_forget_s, ret_record);
}

/* How many parts, and what use they are for; of none why not. */
static struct lw_sharemark share_job_parts_of(const job_desc_msg_t *job,
					      const struct lw_share_terms *terms,
					      const struct lw_config *config,
					      const struct lw_share_link *link,
					      enum lw_share_answer *ret_answer)
{
	struct lw_share_record record;
	struct lw_sharemark mark = { .parts = 0 };

	*ret_answer = LW_SHARE_NO_RECORD;
	if (!share_job_find_record(job, terms, config, link, &record) ||
	    record.runs < config->share_runs || !record.use.has_mem ||
	    !(terms->rule.mode == LW_SHARE_MPS ? record.use.has_sm : record.use.has_util))
		return mark;
	mark.parts = lw_share_parts(terms, &record.use);
	mark.use = record.use;
	*ret_answer = mark.parts ? LW_SHARE_SHARES : LW_SHARE_NEEDS_MOST;
	return mark;
}

/* What sbatch said of GPUs for steps: they would ask for one that the job has not. */
static void share_job_forget_gpus(job_desc_msg_t *job)
{
	static const char *const names[] = { "SLURM_GPUS=", "SLURM_GPUS_PER_NODE=" };
	uint32_t kept = 0;

	for (uint32_t i = 0; job->environment && i < job->env_size; i++) {
		bool gone = false;

		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			gone = gone || (job->environment[i] &&
					!strncmp(job->environment[i], names[k], strlen(names[k])));
		if (gone)
			slurm_xfree((void **)&job->environment[i]);
		else
			job->environment[kept++] = job->environment[i];
	}
	if (!job->environment)
		return;
	/* Slurm frees it up to the first that is none, not by its size */
	for (uint32_t i = kept; i < job->env_size; i++)
		job->environment[i] = NULL;
	job->env_size = kept;
}

static void share_job_ask_for_parts(job_desc_msg_t *job, const char *gres, uint32_t parts)
{
	char text[64];

	snprintf(text, sizeof(text), LW_GRES_PREFIX "%s:%" PRIu32, gres, parts);
	slurm_xfree((void **)&job->tres_per_node);
	slurm_xfree((void **)&job->tres_per_job);
	job->tres_per_node = xstrdup(text);
	/* a part is of one node */
	job->min_nodes = job->max_nodes = 1;
	share_job_forget_gpus(job);
}

/* Beside what stands there; where there is no room for it, the job is left as it is. */
static bool share_job_put_mark(job_desc_msg_t *job, const struct lw_sharemark *mark)
{
	char word[LW_SHAREMARK_MAX], comment[COMMENT_MAX], *old = job->admin_comment;

	if (lw_sharemark_print(mark, word, sizeof(word)) ||
	    lw_words_put(old, LW_SHAREMARK_PREFIX, word, comment, sizeof(comment)))
		return false;
	job->admin_comment = xstrdup(comment);
	slurm_xfree((void **)&old);
	return true;
}

static uint32_t share_job_thousandths(double share)
{
	return (uint32_t)(1000 * share + 0.5);
}

/* Has JOB parts by MARK in place of what it asked for? */
static bool share_job_give_parts(job_desc_msg_t *job, const struct lw_share_terms *terms,
				 struct lw_sharemark *mark)
{
	const char *was = job->tres_per_node ? job->tres_per_node : job->tres_per_job;

	snprintf(mark->gres, sizeof(mark->gres), "%s", terms->gres);
	if (snprintf(mark->was, sizeof(mark->was), "%s", was) >= (int)sizeof(mark->was) ||
	    !share_job_put_mark(job, mark))
		return false;
	share_job_ask_for_parts(job, terms->gres, mark->parts);
	return true;
}

/*
 * All parts but one, so that only a guest finds room. Its memory is not watched: it was there
 * first in any case.
 */
static bool lend_job(job_desc_msg_t *job, const struct lw_share_terms *terms,
		     const struct lw_config *config, const struct lw_share_link *link,
		     char text[256])
{
	struct lw_sharemark mark = { .parts = terms->parts - 1,
				     .lend_s = (uint32_t)config->share_after_s };
	struct lw_share_record record;

	if (share_job_find_record(job, terms, config, link, &record))
		mark.use = record.use;
	if (!share_job_give_parts(job, terms, &mark))
		return false;
	snprintf(text, 256,
		 "leeway: this job lends its GPU to guests while it leaves it idle: %s:%" PRIu32
		 " of %" PRIu32 " in place of a whole one",
		 terms->gres, mark.parts, terms->parts);
	return true;
}

/* The one part that is left. What it takes of the memory is watched, whatever is known of it. */
static bool share_job_be_guest(job_desc_msg_t *job, const struct lw_share_terms *terms,
			       const struct lw_config *config, const struct lw_share_link *link,
			       char text[256])
{
	struct lw_sharemark mark = { .parts = 1,
				     .guest = true,
				     .of = terms->parts,
				     .mem_warn = terms->rule.mem_max,
				     .mem_hard =
					     share_job_thousandths(config->share_memory_hard) };
	struct lw_share_record record;

	if (!mark.mem_hard)
		mark.mem_hard = terms->rule.mem_max;
	if (share_job_find_record(job, terms, config, link, &record))
		mark.use = record.use;
	if (!share_job_give_parts(job, terms, &mark))
		return false;
	snprintf(text, 256,
		 "leeway: this job is a guest: it has a GPU that another job leaves idle, and is "
		 "requeued when that one works again, or ends");
	return true;
}

/* What becomes of ANSWER, by what Leeway's scheduler plugin knows: LINK is open if it stands. */
static enum lw_share_answer share_job_ask_scheduler(const job_desc_msg_t *job,
						    const struct lw_share_terms *terms,
						    struct lw_share_link *link,
						    enum lw_share_answer answer)
{
	if (answer != LW_SHARE_SHARES)
		return answer;
	if (!link->handle && !lw_share_link_open(link))
		return LW_SHARE_NO_SCHEDULER;
	return link->evades(job, terms->gres) ? LW_SHARE_EVADES : answer;
}

/* False: it neither lends nor is a guest; TEXT says why if it wants to be one. */
static bool share_job_lend_or_borrow(job_desc_msg_t *job, const struct lw_share_terms *terms,
				     const struct lw_config *config, struct lw_share_link *link,
				     char text[256])
{
	const struct lw_share_ask ask = share_job_ask_of(job);
	enum lw_share_answer lends = lw_share_lends(terms, &ask);
	enum lw_share_answer answer =
		lends == LW_SHARE_NOT_OPTED_IN ? lw_share_is_guest(terms, &ask) : lends;

	if (answer == LW_SHARE_SHARES && !LW_GPUS_ARE_KEPT)
		answer = LW_SHARE_OLD_SLURM;
	answer = share_job_ask_scheduler(job, terms, link, answer);
	if (answer == LW_SHARE_SHARES)
		return lends == answer ? lend_job(job, terms, config, link, text)
				       : share_job_be_guest(job, terms, config, link, text);
	if (answer != LW_SHARE_NOT_OPTED_IN)
		snprintf(text, 256, "leeway: this job %s, and has what it asks for: %s",
			 lends != LW_SHARE_NOT_OPTED_IN ? "lends its GPU to no job"
							: "is no guest",
			 lw_share_answer_text(answer));
	return false;
}

static bool share_by(job_desc_msg_t *job, const struct lw_config *config,
		     struct lw_share_link *link, char text[256])
{
	const struct lw_share_terms terms = share_job_terms_of(config);
	const struct lw_share_ask ask = share_job_ask_of(job);
	enum lw_share_answer answer = lw_share_asks(&terms, &ask);
	struct lw_sharemark mark = { .parts = 0 };

	if (share_job_lend_or_borrow(job, &terms, config, link, text))
		return true;
	answer = share_job_ask_scheduler(job, &terms, link, answer);
	if (answer == LW_SHARE_SHARES)
		mark = share_job_parts_of(job, &terms, config, link, &answer);
	if (config->share_memory_hard > 0) {
		mark.mem_warn = terms.rule.mem_max;
		mark.of = terms.parts;
		mark.mem_hard = share_job_thousandths(config->share_memory_hard);
	}
	if (mark.parts && share_job_give_parts(job, &terms, &mark)) {
		snprintf(text, 256,
			 "leeway: this job shares a GPU: %s:%" PRIu32 " of %" PRIu32
			 " in place of a whole one; --comment=leeway:no-share has it alone",
			 terms.gres, mark.parts, terms.parts);
		return true;
	}
	if (answer != LW_SHARE_NOT_OPTED_IN && !*text &&
	    lw_words_has(job->comment, LW_SHARE_COMMENT_YES))
		snprintf(text, 256, "leeway: this job has a whole GPU, or what it asks for: %s",
			 lw_share_answer_text(answer));
	return false;
}

bool lw_share_job(job_desc_msg_t *job, const struct lw_config *config, char text[256])
{
	struct lw_share_link link = { .handle = NULL };
	bool shares;

	text[0] = '\0';
	shares = share_by(job, config, &link, text);
	lw_share_link_close(&link);
	return shares;
}
