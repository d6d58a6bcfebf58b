/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: GPU records in a directory of the node: written as they grow, read by job. */
#ifndef LW_RECORD_FILE_H
#define LW_RECORD_FILE_H

#include "record/record.h"

/*
 * While a step runs, its record is DIR/JOB.NODE.STEP.part, locked by the step that writes
 * it. When it ends, the part becomes, or is merged into, DIR/JOB.NODE.gpu: one file a job
 * and node. A part whose writer died stays, and is merged by the next step of the job on
 * that node, or by whoever reads the job (list.h).
 */

struct lw_record_file;

/*
 * Make RECORD's part in DIR, which is made too when its parent exists (mode 0755). Its user and
 * group may read it, and root. -EPERM: users could put files into DIR. -errno with ERR.
 */
int lw_record_file_create(const char *dir, const struct lw_record *record,
			  struct lw_record_file **ret_file, struct lw_error *err);

/*
 * Bring the part up to date: changed buckets are appended, or all is written anew and
 * renamed into place when the series was reshaped or old lines pile up. So the file keeps
 * to about twice the size of a full series. -errno with ERR; the next call tries again.
 */
int lw_record_file_save(struct lw_record_file *file, struct lw_record *record,
			struct lw_error *err);

/* Save the last time and settle (see above). FILE is gone in any case. -errno with ERR.
 */
int lw_record_file_finish(struct lw_record_file *file, struct lw_record *record,
			  struct lw_error *err);
/* Whether the record's user cannot read it, since the file system has no ACLs. */
bool lw_record_file_is_hidden(const struct lw_record_file *file);
/* Leave the part as it is and forget it. NULL is fine. */
void lw_record_file_abandon(struct lw_record_file *file);

/*
 * Merge what JOB_ID's steps on NODE left, also those that were killed, into one file; for
 * when no step of it is left. 0 also when there is nothing; -errno with ERR.
 */
int lw_record_settle(const char *dir, uint32_t job_id, const char *node,
		     struct lw_error *err);

/*
 * Note in JOB_ID's file of NODE that the summary was sent, with all that is in the file
 * now. 0 or -errno.
 */
int lw_record_note_sent(const char *dir, uint32_t job_id, const char *node);
/* The same: that it should have been sent, and could not. */
int lw_record_note_owed(const char *dir, uint32_t job_id, const char *node);

/* Whether a living step of JOB_ID writes a part in DIR, on whatever node shares it. */
bool lw_record_job_is_live(const char *dir, uint32_t job_id);

/* Whether a living step called STEP writes a part for JOB_ID on NODE in DIR. */
bool lw_record_is_watched(const char *dir, uint32_t job_id, const char *node,
			  const char *step);

#endif
