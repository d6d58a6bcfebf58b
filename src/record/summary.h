/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a job's GPU records amount to, and the one word for admin_comment. */
#ifndef LW_RECORD_SUMMARY_H
#define LW_RECORD_SUMMARY_H

#include "base/gpuuse.h"
#include "record/record.h"

#define LW_SUMMARY_TEXT_MAX 512
#define LW_SUMMARY_PREFIX   "leeway:gpu="

/* Over the whole record of one GPU. A mean or maximum without a count is not known. */
struct lw_gpu_summary {
	uint64_t samples;
	int64_t idle_s;   /* at a utilisation of 0 */
	int64_t empty_s;  /* with no process on the device; to a bucket */
	bool unsupported; /* was sampled and never gave a utilisation */
	struct lw_stat stat[LW_METRIC_COUNT];
	bool has_energy;
	uint64_t energy_j;
};

/* So many of the jobs that shared a job's GPUs are named. */
#define LW_SUMMARY_WITH_MAX 6

/* Over all GPUs of a job, of any number of nodes. */
struct lw_summary {
	uint32_t gpus;
	uint32_t unsupported;
	uint32_t nodes;
	uint64_t samples;
	int64_t idle_s; /* GPU-seconds */
	int64_t empty_s;
	uint32_t quiet; /* GPUs that were idle in LW_SUMMARY_QUIET_PERCENT of their readings */
	uint32_t total_mib; /* of the GPU with the least memory; 0: not known of any */
	struct lw_stat stat[LW_METRIC_COUNT];
	uint64_t energy_j;
	uint32_t energy_gpus; /* of which it is known */
	uint32_t shared;      /* GPUs that may have had other tenants */
	uint32_t with_count;
	uint32_t with[LW_SUMMARY_WITH_MAX]; /* jobs that were there */
};

#define LW_SUMMARY_QUIET_PERCENT 95

/*
 * A GPU's energy is what its own counter said of the time that this covered, and for the rest of
 * the time in which it was read the mean power. Not known without both, as of MIG instances and
 * of shares: of these nothing says how much of the device's is theirs.
 */
void lw_summary_gpu(const struct lw_record *record, uint32_t gpu,
		    struct lw_gpu_summary *ret_gpu);
/* All of a job's records, one a node. */
void lw_summary_make(struct lw_record *const *records, uint32_t count,
		     struct lw_summary *ret_summary);
/* The mean, rounded to nearest; 0 without a count. */
uint32_t lw_stat_mean(const struct lw_stat *stat);

/*
 * The word's version. One without "v:" is of version 1, which may gain items: a reader passes over
 * those that it does not know. Should one come to mean something else, the word begins with "v:2".
 */
#define LW_SUMMARY_VERSION 1

/*
 * Write SUMMARY as one word: "leeway:gpu=n:4,util:87/99,mem:31/40G,idle:0", with n GPUs,
 * utilisation in % and memory a GPU as mean/maximum, and idle GPU-seconds. What no GPU counted
 * is "-". Where there is something to say, more follows: "pow:310/402", power of a GPU in W;
 * "energy:72000", in J, or "energy:54000/3" where it is known of 3 of the GPUs alone;
 * "sm:61", "tensor:34" and "membw:40", means in %; "nvlink:5210" and "pcie:940", mean traffic
 * of a GPU, both ways, in MiB/s; "empty:90", GPU-seconds without any process; "unsup:2", two of
 * the GPUs counted no utilisation; "quiet:1", one of several was idle nearly all the time;
 * "half:80", never more than half of a GPU's memory, of so many GiB, was in use. "shared:1", one
 * GPU could be others', too: then util, mem and empty are of the job's own processes, "dutil:80"
 * and "dsm:45" means of the whole device, and "with:12+14" jobs that were there. Returns the
 * length. SIZE must be at least LW_SUMMARY_TEXT_MAX.
 */
size_t lw_summary_encode(const struct lw_summary *summary, char *buf, size_t size);

/* What can be read back from the word: memory to the precision it was written with. */
struct lw_summary_word {
	uint32_t gpus, unsupported;
	bool has_util, has_mem, has_power, has_nvlink, has_pcie, has_sm, has_tensor, has_membw;
	uint32_t util_mean, util_max;
	uint32_t mem_mean_mib, mem_max_mib;
	uint32_t power_mean_w, power_max_w;
	uint32_t nvlink_mib_s, pcie_mib_s, sm_percent, tensor_percent, membw_percent; /* means */
	int64_t idle_s, empty_s;
	uint32_t quiet, half_gib; /* 0: nothing to say */
	uint32_t energy_gpus; /* of how many GPUs it is known; 0: not at all */
	uint64_t energy_j;
	uint32_t shared; /* GPUs that others had, too; then of the devices as a whole: */
	bool has_dutil, has_dsm;
	uint32_t dutil_percent, dsm_percent; /* means */
	uint32_t with_count;
	uint32_t with[LW_SUMMARY_WITH_MAX];
};

/*
 * Find and read it in an admin_comment (may be NULL). -ENOENT: none. -EINVAL: damaged. -ENOTSUP: of
 * a later version.
 */
int lw_summary_decode(const char *admin_comment, struct lw_summary_word *ret_word);

/*
 * What the word in ADMIN_COMMENT (may be NULL) says of a job that ran RUN_S seconds. All
 * is not known without a word. Of a job that shared its GPUs what it used of their time is not
 * known either: it would have used another share alone.
 */
struct lw_gpu_use lw_summary_use(const char *admin_comment, int64_t run_s);

/* Does the word say that others were on the job's GPUs? It may have run longer for that. */
bool lw_summary_had_company(const char *admin_comment);

#endif
