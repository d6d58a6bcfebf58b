/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the thread that samples one step's GPUs while it runs. */
#ifndef LW_RECORD_WATCH_H
#define LW_RECORD_WATCH_H

#include "base/log.h"
#include "record/sampler.h"
#include "record/shared.h"
#include "record/summary.h"

/* What the line in plugstack.conf says; text points into its arguments. */
struct lw_watch_options {
	const char *source;
	const char *dir;
	const char *group; /* who may read records besides their users and root; "": nobody */
	const char *bin; /* where Slurm's commands are; "": where the system has them */
	uint32_t interval_s;
	bool summary;
	bool js1; /* the summary also in the form that jobstats reads */
};

/*
 * Read COUNT words "source=", "dir=", "interval=", "summary=", "js1=", "bin=", "group=" over
 * the defaults auto, /var/spool/leeway, 10s, yes, no, "", "". A word that is wrong is skipped
 * and told to LOG, so that a typing error costs one option and no job.
 */
void lw_watch_options_read(struct lw_watch_options *options, int count, char **words,
			   const struct lw_log *log);

/* Read "0,2-3" into GPUS[LW_RECORD_GPUS_MAX]'s index fields. The count, or -EINVAL. */
int lw_watch_parse_gpus(const char *list, struct lw_gpu *gpus);

/*
 * Read "MIG-5f..,MIG-2c.." as CUDA_VISIBLE_DEVICES has it into the ids of GPUS, in order,
 * and number those beyond COUNT. How many, at least COUNT; COUNT when the list does not begin
 * with an instance: where Slurm leaves the variable to users (no_gpu_env), they could name
 * others' devices. -EINVAL for one that cannot be taken whole: then GPUS is as it was.
 */
int lw_watch_parse_uuids(const char *list, struct lw_gpu *gpus, int count);

struct lw_watch_params {
	struct lw_watch_options options;
	struct lw_record_head
		head;             /* start_s and the GPUs' index; the rest is filled in */
	/* the job has shares of GPUs: head.shared, too; SHARE_CALLS may be NULL */
	bool shared;
	const struct lw_shared_calls *share_calls; /* copied */
	const struct lw_log *log; /* borrowed until stop; called from the thread */
	/*
	 * Called in the thread when the watch was stopped and the record is saved, with
	 * all of the job that is found in the directory, one record a node. Whether it
	 * was sent, which is then noted. May be NULL.
	 */
	bool (*done)(void *arg, struct lw_record *const *records, uint32_t count);
	void *arg;
};

struct lw_watch;

/*
 * Start the thread. PARAMS is copied, text in it included. Signals stay blocked in it.
 * -errno with ERR when there can be no thread; a missing source or directory is told to
 * the log by the thread, which then ends.
 */
int lw_watch_start(const struct lw_watch_params *params, struct lw_watch **ret_watch,
		   struct lw_error *err);

/*
 * Stop, save, call done(), and wait for it at most WAIT_S seconds of real time, also
 * under an accelerated clock. Returns 0, or -ETIMEDOUT: the thread hangs in a driver or a
 * file system, and its memory is left to it. NULL is fine.
 */
int lw_watch_stop(struct lw_watch *watch, uint32_t wait_s);

/*
 * How far within its second reading number READING comes, below 900 ms. A job may have a rhythm
 * that fits ours: one that works for the first half of each second would be read busy always, or
 * never. So the readings go round in their seconds, as evenly as they can: by the golden ratio.
 */
int lw_watch_phase_ms(uint32_t reading);

#endif
