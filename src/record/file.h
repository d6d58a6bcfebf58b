/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: GPU records in a directory of the node: written as they grow, read by job. */
#ifndef LW_RECORD_FILE_H
#define LW_RECORD_FILE_H

#include "record/record.h"

/*
 * While a step runs, its record is DIR/JOB.NODE.STEP.part, locked by the step that writes it. At
 * its end the part becomes, or is merged into, DIR/JOB.NODE.gpu: one file for each job and node.
 * A part stays if its writer died. It is merged by the next step of the job on that node, or by
 * the next reader of the job (list.h).
 */

struct lw_record_file;

/*
 * Make RECORD's part in DIR; DIR is made too if its parent exists (mode 0755). Its user, its
 * group and root may read it. -EPERM: users could put files into DIR. -errno with ERR.
 */
int lw_record_file_create(const char *dir, const struct lw_record *record,
			  struct lw_record_file **ret_file, struct lw_error *err);

/*
 * Bring the part up to date. Changed buckets are appended. If the series was reshaped or there
 * are too many old lines, all is written anew and renamed into place. So the file has at most
 * about twice the size of a full series. -errno with ERR; the next call tries again.
 */
int lw_record_file_save(struct lw_record_file *file, struct lw_record *record,
			struct lw_error *err);

/* Save for the last time and settle (see above). FILE is freed in any case. -errno with ERR. */
int lw_record_file_finish(struct lw_record_file *file, struct lw_record *record,
			  struct lw_error *err);
/* Is the record hidden from its user, because the file system has no ACLs? */
bool lw_record_file_is_hidden(const struct lw_record_file *file);
/* Free FILE and leave the part as it is. FILE may be NULL. */
void lw_record_file_abandon(struct lw_record_file *file);

/*
 * Merge what JOB_ID's steps on NODE left, also killed steps, into one file. Call it when no step
 * of the job is left. 0 also if there is nothing; -errno with ERR.
 */
int lw_record_settle(const char *dir, uint32_t job_id, const char *node,
		     struct lw_error *err);

/*
 * Note in JOB_ID's file of NODE that the summary was sent, with all that is in the file now. 0
 * or -errno.
 */
int lw_record_note_sent(const char *dir, uint32_t job_id, const char *node);
/* The same: note that the summary could not be sent. */
int lw_record_note_owed(const char *dir, uint32_t job_id, const char *node);

/* Does a living step of JOB_ID write a part in DIR, on any node that shares DIR? */
bool lw_record_job_is_live(const char *dir, uint32_t job_id);

/* Does a living step called STEP write a part for JOB_ID on NODE in DIR? */
bool lw_record_is_watched(const char *dir, uint32_t job_id, const char *node,
			  const char *step);

#endif
