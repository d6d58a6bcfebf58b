/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: put the tag of a job that is being submitted into its description. */
#ifndef LW_PLUGINS_TAG_JOB_H
#define LW_PLUGINS_TAG_JOB_H

#include "tagger/tag.h"

#include <slurm/slurm.h>

/*
 * Judge JOB by RULES and put the tag into its admin_comment, beside what is there. A job that
 * asks for no GPU and is not deep learning is left alone. Returns a likely mistake of its user,
 * or NULL; the text is constant. Cannot fail.
 */
const char *lw_tag_job(job_desc_msg_t *job, const struct lw_tag_rules *rules);

#endif
