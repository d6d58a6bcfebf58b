/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: give a job that is being submitted a part of a GPU in place of a whole one. */
#ifndef LW_PLUGINS_SHARE_JOB_H
#define LW_PLUGINS_SHARE_JOB_H

#include "config/config.h"
#include "share/known.h"

#include <slurm/slurm.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* share.record as it was read last. Zeroed: not yet. */
struct lw_share_file {
	struct lw_share_known known;
	struct timespec changed; /* when the file was changed that was read */
	int64_t size;
	bool read;
};

void lw_share_file_fini(struct lw_share_file *file);

/*
 * If CONFIG lets JOB share and its record says that it fits, change what it asks for, say so in
 * its admin_comment and in TEXT. False: it is as it was; TEXT is empty, or says why to somebody who
 * asked for it in the job's comment. Slurm's locks are held: the file is looked at only for
 * jobs that may share, and read when it has changed.
 */
bool lw_share_job(job_desc_msg_t *job, const struct lw_config *config,
		  struct lw_share_file *file, char text[256]);

#endif
