/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: are Slurm's records laid out as in the source we were built from? */
#ifndef LW_SLURM_LAYOUT_H
#define LW_SLURM_LAYOUT_H

#include "base/error.h"
#include "slurm/compat/compat.h"

/*
 * Slurm compares release numbers when it loads a plugin. A vendor's patch may move a field
 * and leave the number, and we would read and write what we do not mean. What is compared
 * here: the size that the linker knows of each object, the size with which each record was
 * allocated, and the values that a fresh record begins with. Nothing is changed by it.
 */

/*
 * An object of Slurm's, by its address. 0, or -EBADMSG with ERR naming it WHAT. 0 too when
 * the linker does not know its size.
 */
int lw_layout_check_object(const char *what, const void *object, size_t size,
			   struct lw_error *err);

/* A record from Slurm's allocator; NULL passes. 0 or -EBADMSG with ERR. */
int lw_layout_check_record(const char *what, const void *record, size_t size,
			   struct lw_error *err);

/* What hangs on NODE. 0 or -EBADMSG with ERR. */
int lw_layout_check_node_gres(const node_record_t *node, struct lw_error *err);

/* A job with all that hangs on it. 0 or -EBADMSG with ERR. */
int lw_layout_check_job(const job_record_t *job, struct lw_error *err);

/*
 * slurm_conf, and a job record made for the purpose where the release can (from 24.11 on).
 * Takes no lock. 0 or -EBADMSG with ERR.
 */
int lw_layout_check_common(struct lw_error *err);

#endif
