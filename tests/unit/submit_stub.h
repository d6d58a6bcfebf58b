/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a slurmctld, in a few lines, that calls job_submit_leeway.so. */
#ifndef LW_TESTS_SUBMIT_STUB_H
#define LW_TESTS_SUBMIT_STUB_H

#include <stdint.h>

struct job_descriptor;

/* The plugin's. */
int init(void);
void fini(void);
int job_submit(struct job_descriptor *job, uint32_t submit_uid, char **err_msg);

/* leeway.yaml is in FOLDER, a name that must stay. */
void stub_submit_begin(const char *folder);

/* A job of USER that wants one GPU; the rest is what sbatch leaves open. */
struct job_descriptor job_of(uint32_t user);
void free_job(struct job_descriptor *job);

#endif
