/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: entry points of job_submit_leeway.so: tag deep-learning jobs at submit. */
/*
 * slurmctld calls it with its locks held: it only reads the job description, in memory,
 * and writes admin_comment. It refuses nothing and changes nothing else.
 */
#include "base/words.h"
#include "job_submit/slurm_private.h"
#include "policy/tag.h"

#include <slurm/slurm.h>
#include <slurm/slurm_version.h>

#pragma GCC visibility push(default)
extern const char plugin_name[];
extern const char plugin_type[];
extern const uint32_t plugin_version;
extern int init(void);
extern void fini(void);
extern int job_submit(job_desc_msg_t *job, uint32_t submit_uid, char **err_msg);
extern int job_modify(job_desc_msg_t *job, job_record_t *record, uint32_t submit_uid,
		      char **err_msg);
#pragma GCC visibility pop

const char plugin_name[] = "Leeway: tag deep-learning jobs";
const char plugin_type[] = "job_submit/leeway";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

/* An admin_comment that would be longer with our word is left alone. */
#define COMMENT_MAX 8192

static struct lw_tag_rules *rules;

/* NO_VAL and INFINITE stand for "not said". */
static uint32_t said(uint32_t value)
{
	return value >= NO_VAL ? 0 : value;
}

static void put_tag(job_desc_msg_t *job, const struct lw_tag *tag)
{
	char word[LW_TAG_TEXT_MAX], comment[COMMENT_MAX];
	char *old = job->admin_comment;

	lw_tag_encode(tag, word, sizeof(word));
	if (lw_words_put(old, LW_TAG_PREFIX, word, comment, sizeof(comment)))
		return;
	job->admin_comment = xstrdup(comment);
	slurm_xfree((void **)&old);
}

int init(void)
{
	if (lw_tag_rules_create(&rules))
		slurm_error("leeway: job_submit: out of memory, jobs get no tag");
	else
		slurm_info("leeway: job_submit: tagging deep-learning jobs");
	return SLURM_SUCCESS;
}

void fini(void)
{
	lw_tag_rules_destroy(rules);
	rules = NULL;
}

int job_submit(job_desc_msg_t *job, uint32_t submit_uid, char **err_msg)
{
	struct lw_tag_request request = {
		.script = job->script, .command_line = job->submit_line,
		.argv = (const char *const *)job->argv, .argc = job->argv ? job->argc : 0,
		.tres_per_node = job->tres_per_node, .tres_per_job = job->tres_per_job,
		.tres_per_task = job->tres_per_task, .tres_per_socket = job->tres_per_socket,
		.array = job->array_inx, .name = job->name, .container = job->container,
		.comment = job->comment, .tasks = said(job->num_tasks),
		.nodes_min = said(job->min_nodes), .nodes_max = said(job->max_nodes),
	};
	struct lw_tag tag;

	(void)submit_uid;
	(void)err_msg;
	if (!rules)
		return SLURM_SUCCESS;
	lw_tag_recognise(&request, rules, &tag);
	if (tag.class != LW_TAG_NONE || lw_tag_wants_gpu(&request))
		put_tag(job, &tag);
	return SLURM_SUCCESS;
}

/* The tag of a job stands; an update is left as it is. */
int job_modify(job_desc_msg_t *job, job_record_t *record, uint32_t submit_uid, char **err_msg)
{
	(void)job;
	(void)record;
	(void)submit_uid;
	(void)err_msg;
	return SLURM_SUCCESS;
}
