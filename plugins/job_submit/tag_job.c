/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: put the tag of a job that is being submitted into its description. */
#include "job_submit/tag_job.h"

#include "base/words.h"
#include "job_submit/slurm_private.h"

/* An admin_comment that would be longer with our word is left alone. */
#define COMMENT_MAX 8192

/* NO_VAL and INFINITE stand for "not said". */
static uint32_t tag_job_said(uint32_t value)
{
	return value >= NO_VAL ? 0 : value;
}

/*
 * The length of SCRIPT, a string of Slurm's, from the room it has: to look for its end would
 * fetch all of it. 0 when the string does not fill its room.
 */
static size_t tag_job_known_len(char *script)
{
	size_t size = script ? slurm_xsize(script) : 0;

	return size > 1 && !script[size - 1] && script[size - 2] ? size - 1 : 0;
}

/* Beside what an administrator wrote. */
static void tag_job_add_word(job_desc_msg_t *job, const char *word)
{
	char comment[COMMENT_MAX], *old = job->admin_comment;

	if (lw_words_put(old, LW_TAG_PREFIX, word, comment, sizeof(comment)))
		return;
	job->admin_comment = xstrdup(comment);
	slurm_xfree((void **)&old);
}

static void put_tag(job_desc_msg_t *job, const struct lw_tag *tag)
{
	char word[LW_TAG_TEXT_MAX];

	lw_tag_encode(tag, word, sizeof(word));
	if (job->admin_comment)
		tag_job_add_word(job, word);
	else
		job->admin_comment = xstrdup(word);
}

const char *lw_tag_job(job_desc_msg_t *job, const struct lw_tag_rules *rules)
{
	struct lw_tag_request request = {
		.script = job->script,
		.script_len = tag_job_known_len(job->script),
		.command_line = job->submit_line,
		.argv = (const char *const *)job->argv,
		.argc = job->argv ? job->argc : 0,
		.tres_per_node = job->tres_per_node,
		.tres_per_job = job->tres_per_job,
		.tres_per_task = job->tres_per_task,
		.tres_per_socket = job->tres_per_socket,
		.array = job->array_inx,
		.name = job->name,
		.container = job->container,
		.comment = job->comment,
		.partition = job->partition,
		.features = job->features,
		.qos = job->qos,
		.account = job->account,
		.tasks = tag_job_said(job->num_tasks),
		.tasks_per_node = job->ntasks_per_node >= NO_VAL16 ? 0 : job->ntasks_per_node,
		.nodes_min = tag_job_said(job->min_nodes),
		.nodes_max = tag_job_said(job->max_nodes),
	};
	struct lw_tag tag;

	lw_tag_recognise(&request, rules, &tag);
	if (lw_tag_is_wanted(&request, &tag))
		put_tag(job, &tag);
	return lw_tag_advice(&request, &tag);
}
