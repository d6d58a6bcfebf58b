/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the thread that samples one step's GPUs while it runs. */
#ifndef LW_RECORD_WATCH_H
#define LW_RECORD_WATCH_H

#include "base/log.h"
#include "record/sampler.h"
#include "record/shared.h"
#include "record/summary.h"

/* The line of plugstack.conf; text points into its arguments. */
struct lw_watch_options {
	const char *source;
	const char *dir;
	const char *group; /* may also read records; "": none */
	const char *bin; /* where Slurm's commands are; "": on PATH */
	uint32_t interval_s;
	bool summary;
	bool js1; /* also in the form for jobstats */
};

/*
 * Read COUNT words "source=", "dir=", "interval=", "summary=", "js1=", "bin=", "group=" over the
 * defaults auto, /var/spool/leeway, 10s, yes, no, "", "". A wrong word is skipped and logged, so
 * that a typing error costs one option and no job.
 */
void lw_watch_options_read(struct lw_watch_options *options, int count, char **words,
			   const struct lw_log *log);

/*
 * Read "0,2-3" into the index fields of GPUS[LW_RECORD_GPUS_MAX]. Returns the count, or -EINVAL.
 */
int lw_watch_parse_gpus(const char *list, struct lw_gpu *gpus);

/*
 * Read "MIG-5f..,MIG-2c..", a value of CUDA_VISIBLE_DEVICES, into the ids of GPUS, in order, and
 * number those beyond COUNT. Returns how many, at least COUNT. Returns COUNT if the list does
 * not begin with a MIG instance: if Slurm leaves the variable to users (no_gpu_env), they could
 * name devices of others. -EINVAL if an id does not fit: then GPUS is unchanged.
 */
int lw_watch_parse_uuids(const char *list, struct lw_gpu *gpus, int count);

struct lw_watch_params {
	struct lw_watch_options options;
	struct lw_record_head
		head;             /* start_s and the GPUs' index; the rest is filled in */
	/* the job has shares of GPUs; sets head.shared, too. SHARE_CALLS may be NULL */
	bool shared;
	const struct lw_shared_calls *share_calls; /* copied */
	const struct lw_log *log; /* borrowed until stop; called from the thread */
	/*
	 * Called in the thread after the watch was stopped and the record saved, with all
	 * records of the job in the directory, one for each node. Returns whether the summary
	 * was sent, which is then noted. May be NULL.
	 */
	bool (*done)(void *arg, struct lw_record *const *records, uint32_t count);
	void *arg;
};

struct lw_watch;

/*
 * Start the thread. PARAMS is copied, with its text. Signals stay blocked in the thread. -errno
 * with ERR if there can be no thread; a missing source or directory is logged by the thread,
 * which then ends.
 */
int lw_watch_start(const struct lw_watch_params *params, struct lw_watch **ret_watch,
		   struct lw_error *err);

/*
 * Stop, save, call done(), and wait for the end at most WAIT_S seconds of real time, also under
 * an accelerated clock. Returns 0, or -ETIMEDOUT: the thread hangs in a driver or a file system,
 * and its memory is left to it. WATCH may be NULL.
 */
int lw_watch_stop(struct lw_watch *watch, uint32_t wait_s);

/*
 * When reading number READING comes within its second, below 900 ms. A job may have a rhythm
 * that fits the readings: a job that works for the first half of each second would always be
 * read as busy, or never. So the readings move through the second as evenly as possible, by the
 * golden ratio.
 */
int lw_watch_phase_ms(uint32_t reading);

#endif
