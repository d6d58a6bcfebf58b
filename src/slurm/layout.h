/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: do Slurm's records have the layout of the source that Leeway was built with? */
#ifndef LW_SLURM_LAYOUT_H
#define LW_SLURM_LAYOUT_H

#include "base/error.h"
#include "slurm/compat/compat.h"

/*
 * Slurm compares release numbers when it loads a plugin. A vendor's patch may move a field
 * without changing the number, and Leeway would then read and write the wrong fields. So these
 * are compared: the size that the linker knows of each object, the size with which each record
 * was allocated, and the first values of a fresh record. Nothing is changed.
 */

/*
 * An object of Slurm's, by its address. 0, or -EBADMSG with ERR naming it WHAT; also 0 if the
 * linker does not know its size.
 */
int lw_layout_check_object(const char *what, const void *object, size_t size,
			   struct lw_error *err);

/* A record from Slurm's allocator; NULL passes. 0 or -EBADMSG with ERR. */
int lw_layout_check_record(const char *what, const void *record, size_t size,
			   struct lw_error *err);

/* The GRES records of NODE. 0 or -EBADMSG with ERR. */
int lw_layout_check_node_gres(const node_record_t *node, struct lw_error *err);

/* A job with all records that belong to it. 0 or -EBADMSG with ERR. */
int lw_layout_check_job(const job_record_t *job, struct lw_error *err);

/*
 * slurm_conf, and a job record made for the purpose where the release can (from 24.11 on).
 * Takes no lock. 0 or -EBADMSG with ERR.
 */
int lw_layout_check_common(struct lw_error *err);

#endif
