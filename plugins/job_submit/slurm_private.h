/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what slurmctld exports to a job_submit plugin and no packaged header declares.
 */
#ifndef LW_PLUGINS_SLURM_PRIVATE_H
#define LW_PLUGINS_SLURM_PRIVATE_H

#include <slurm/slurm.h>
#include <stddef.h>

/* Only passed through. */
typedef struct job_record job_record_t;

/* Slurm's settings in force. */
extern slurm_conf_t slurm_conf;
/* Slurm frees what is put into a job description, so it must come from here. */
extern char *xstrdup(const char *text);
extern void slurm_xfree(void **item);
/* The number of bytes that Slurm allocated for ITEM. */
extern size_t slurm_xsize(void *item);
/* The path of NAME beside slurm.conf, to be freed by slurm_xfree(). */
extern char *get_extra_conf_path(char *name);
extern int slurm_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
extern int slurm_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
