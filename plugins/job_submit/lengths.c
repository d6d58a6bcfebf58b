/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: are the texts of a job that is being submitted short enough to be read? */
#include "job_submit/lengths.h"

#include "tagger/tag.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

/* Slurm's, of most (_test_job_desc_fields() in its job_mgr.c). */
#define WORD_MAX  1024
#define ARRAY_MAX 4096
/* Ours: Slurm takes any length of these. */
#define COMMENT_MAX 8192

static bool lengths_is_within(const char *text, size_t most)
{
	return !text || strnlen(text, most + 1) <= most;
}

/* The words of a command line, as much of all as is read of a script. */
static bool lengths_has_short_words(const job_desc_msg_t *job)
{
	size_t left = LW_TAG_SCRIPT_MAX;

	for (uint32_t i = 0; job->argv && i < job->argc; i++) {
		size_t len = job->argv[i] ? strnlen(job->argv[i], left) : 0;

		/* each counts for one at least: there may be any number of empty ones */
		if (len >= left)
			return false;
		left -= len + 1;
	}
	return true;
}

bool lw_job_is_readable(const job_desc_msg_t *job)
{
	const char *const words[] = {
		job->account,       job->comment,       job->features,        job->name,
		job->partition,     job->qos,           job->reservation,     job->cpus_per_tres,
		job->mem_per_tres,  job->tres_bind,     job->tres_freq,       job->tres_per_job,
		job->tres_per_node, job->tres_per_task, job->tres_per_socket,
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!lengths_is_within(words[i], WORD_MAX))
			return false;
	return lengths_is_within(job->array_inx, ARRAY_MAX) &&
	       lengths_is_within(job->container, PATH_MAX) &&
	       lengths_is_within(job->admin_comment, COMMENT_MAX) && lengths_has_short_words(job);
}
