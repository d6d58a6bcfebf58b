/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a job script and options of sbatch as a job_submit plugin would see them. */
#ifndef LW_CLI_TAG_SUBMIT_H
#define LW_CLI_TAG_SUBMIT_H

#include "tagger/tag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LW_SUBMIT_TEXT_MAX 512

/* Values longer than LW_SUBMIT_TEXT_MAX are cut. */
struct lw_submit {
	bool old_spelling; /* "gres:gpu:1" as in Slurm 22.05, not "gres/gpu:1" */
	uint32_t nodes_min, nodes_max, tasks, tasks_per_node; /* 0: not said */
	char gres[LW_SUBMIT_TEXT_MAX];
	char gpus_per_node[LW_SUBMIT_TEXT_MAX];
	char tres_per_node[LW_SUBMIT_TEXT_MAX]; /* of the two above */
	char tres_per_job[LW_SUBMIT_TEXT_MAX];
	char tres_per_task[LW_SUBMIT_TEXT_MAX];
	char tres_per_socket[LW_SUBMIT_TEXT_MAX];
	char array[LW_SUBMIT_TEXT_MAX];
	char name[LW_SUBMIT_TEXT_MAX];
	char container[LW_SUBMIT_TEXT_MAX];
	char comment[LW_SUBMIT_TEXT_MAX];
	char partition[LW_SUBMIT_TEXT_MAX];
	char features[LW_SUBMIT_TEXT_MAX];
	char qos[LW_SUBMIT_TEXT_MAX];
	char account[LW_SUBMIT_TEXT_MAX];
};

/*
 * Read the #SBATCH lines of SCRIPT (NUL-terminated) and then OPTIONS, as typed behind
 * sbatch, which win; OPTIONS may be NULL. What does not concern the tag is passed over,
 * also what sbatch would refuse. Cannot fail.
 */
void lw_submit_read(const char *script, const char *options, bool old_spelling,
		    struct lw_submit *ret_submit);

/* The request a plugin would see; it borrows SCRIPT and the texts of SUBMIT. */
void lw_submit_request(const struct lw_submit *submit, const char *script,
		       struct lw_tag_request *ret_request);

#endif
