/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the rules of job_submit/leeway: the built-in ones, and those of leeway.yaml. */
#ifndef LW_PLUGINS_RULES_H
#define LW_PLUGINS_RULES_H

#include "config/config.h"
#include "tagger/tag.h"

/* The rules of the plugin, from init() to fini(). */
struct lw_submit_rules {
	struct lw_tag_rules *rules; /* NULL: no memory for them, jobs get no tag */
	struct lw_config config;    /* holds the text of the rules */
};

/*
 * Read leeway.yaml beside slurm.conf. If there is no file, or it cannot be read, only the
 * built-in rules apply; mistakes are logged. Cannot fail.
 */
void lw_submit_rules_init(struct lw_submit_rules *rules);
void lw_submit_rules_fini(struct lw_submit_rules *rules);

#endif
