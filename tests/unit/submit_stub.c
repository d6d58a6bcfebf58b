/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a slurmctld, in a few lines, that calls job_submit_leeway.so. */
#include "unit/submit_stub.h"

#include "job_submit/share_link.h"
#include "job_submit/slurm_private.h"
#include "slurm/compat/public.h"
#include "slurm/read/sharebook.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

slurm_conf_t slurm_conf;
static const char *folder_path;

void stub_submit_begin(const char *folder)
{
	folder_path = folder;
}

char *xstrdup(const char *text)
{
	return text ? strdup(text) : NULL;
}

void slurm_xfree(void **item)
{
	free(*item);
	*item = NULL;
}

size_t slurm_xsize(void *item)
{
	(void)item;
	return 0;
}

char *get_extra_conf_path(char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", folder_path, name) < 0 ? NULL : path;
}

int slurm_info(const char *fmt, ...)
{
	(void)fmt;
	return 0;
}

int slurm_error(const char *fmt, ...)
{
	ck_abort_msg("an error in the log: %s", fmt);
	return 0;
}

/* The scheduler plugin, with the real book. */

static bool evades_not(const struct job_descriptor *job, const char *gres)
{
	(void)job;
	(void)gres;
	return false;
}

bool lw_share_link_open(struct lw_share_link *ret_link)
{
	*ret_link = (struct lw_share_link){ &slurm_conf, lw_sharebook_ask, evades_not };
	return true;
}

void lw_share_link_close(struct lw_share_link *link)
{
	link->handle = NULL;
}

job_desc_msg_t job_of(uint32_t user)
{
	return (job_desc_msg_t){
		.user_id = user,
		.name = "solve",
		.partition = "small",
		.comment = "leeway:share",
		.script = "#!/bin/sh\n./simulate\n",
		.tres_per_node = strdup("gres/gpu:1"),
		.min_nodes = NO_VAL,
		.max_nodes = NO_VAL,
		.num_tasks = NO_VAL,
		.ntasks_per_node = NO_VAL16,
		.shared = NO_VAL16,
		.ntasks_per_tres = NO_VAL16,
		.requeue = NO_VAL16,
		.time_limit = NO_VAL,
		.time_min = NO_VAL,
		.het_job_offset = NO_VAL,
	};
}

void free_job(job_desc_msg_t *job)
{
	free(job->tres_per_node);
	free(job->admin_comment);
}
