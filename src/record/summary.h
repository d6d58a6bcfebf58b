/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the summary of a job's GPU records, and its word for admin_comment. */
#ifndef LW_RECORD_SUMMARY_H
#define LW_RECORD_SUMMARY_H

#include "base/gpuuse.h"
#include "record/record.h"

#define LW_SUMMARY_TEXT_MAX 512
#define LW_SUMMARY_PREFIX   "leeway:gpu="

/* For the whole record of one GPU. A mean or maximum without a count is not known. */
struct lw_gpu_summary {
	uint64_t samples;
	int64_t idle_s;   /* at a utilisation of 0 */
	int64_t empty_s;  /* with no process on the device; to a bucket */
	bool unsupported; /* was read and never gave a utilisation */
	struct lw_stat stat[LW_METRIC_COUNT];
	bool has_energy;
	uint64_t energy_j;
};

/* The most jobs named of those sharing the job's GPUs. */
#define LW_SUMMARY_WITH_MAX 6

/* For all GPUs of a job, on any number of nodes. */
struct lw_summary {
	uint32_t gpus;
	uint32_t unsupported;
	uint32_t nodes;
	uint64_t samples;
	int64_t idle_s; /* GPU-seconds */
	int64_t empty_s;
	uint32_t quiet; /* GPUs that were idle in LW_SUMMARY_QUIET_PERCENT of their readings */
	uint32_t total_mib; /* of the GPU with the least memory; 0: not known */
	struct lw_stat stat[LW_METRIC_COUNT];
	uint64_t energy_j;
	uint32_t energy_gpus; /* GPUs with known energy */
	uint32_t shared;      /* GPUs that may have had other tenants */
	uint32_t with_count;
	uint32_t with[LW_SUMMARY_WITH_MAX]; /* jobs that were there */
};

#define LW_SUMMARY_QUIET_PERCENT 95

/*
 * A GPU's energy is that of its own counter for the time that this covered, and the mean power
 * for the rest of the time in which the GPU was read. Without both it is not known, as for MIG
 * instances and shares, which have only a part of the device.
 */
void lw_summary_gpu(const struct lw_record *record, uint32_t gpu,
		    struct lw_gpu_summary *ret_gpu);
/* All records of a job, one for each node. */
void lw_summary_make(struct lw_record *const *records, uint32_t count,
		     struct lw_summary *ret_summary);
/* The mean, rounded to nearest; 0 without a count. */
uint32_t lw_stat_mean(const struct lw_stat *stat);

/*
 * The word's version. A word without "v:" is of version 1. Version 1 may gain items, and a
 * reader skips items that it does not know. If an item changed its meaning, the word would begin
 * with "v:2".
 */
#define LW_SUMMARY_VERSION 1

/*
 * Write SUMMARY as one word: "leeway:gpu=n:4,util:87/99,mem:31/40G,idle:0", with n GPUs,
 * utilisation in % and memory a GPU as mean/maximum, and idle GPU-seconds. A figure that no GPU
 * counted is "-". More follows if there is something to say: "pow:310/402", power of a GPU in W;
 * "energy:72000", in J, or "energy:54000/3" if it is known for only 3 of the GPUs; "sm:61",
 * "tensor:34" and "membw:40", means in %; "nvlink:5210" and "pcie:940", mean traffic of a GPU,
 * both directions, in MiB/s; "empty:90", GPU-seconds without any process; "unsup:2", two of the
 * GPUs counted no utilisation; "quiet:1", one of several was idle nearly all the time;
 * "half:80", at most half of a GPU's memory, of 80 GiB, was in use. "shared:1", one GPU could
 * have other tenants: then util, mem and empty are of the job's own processes, "dutil:80" and
 * "dsm:45" are means of the whole device, and "with:12+14" are jobs that were there. Returns the
 * length. SIZE must be at least LW_SUMMARY_TEXT_MAX.
 */
size_t lw_summary_encode(const struct lw_summary *summary, char *buf, size_t size);

/* What can be read back from the word: memory with the precision of the word. */
struct lw_summary_word {
	uint32_t gpus, unsupported;
	bool has_util, has_mem, has_power, has_nvlink, has_pcie, has_sm, has_tensor, has_membw;
	uint32_t util_mean, util_max;
	uint32_t mem_mean_mib, mem_max_mib;
	uint32_t power_mean_w, power_max_w;
	uint32_t nvlink_mib_s, pcie_mib_s, sm_percent, tensor_percent, membw_percent; /* means */
	int64_t idle_s, empty_s;
	uint32_t quiet, half_gib; /* 0: nothing to say */
	uint32_t energy_gpus; /* number of GPUs with known energy; 0: not known */
	uint64_t energy_j;
	uint32_t shared; /* GPUs that other jobs had, too; for these devices as a whole: */
	bool has_dutil, has_dsm;
	uint32_t dutil_percent, dsm_percent; /* means */
	uint32_t with_count;
	uint32_t with[LW_SUMMARY_WITH_MAX];
};

/*
 * Find and read it in an admin_comment (may be NULL). -ENOENT: none. -EINVAL: damaged. -ENOTSUP:
 * a later version.
 */
int lw_summary_decode(const char *admin_comment, struct lw_summary_word *ret_word);

/*
 * What the word in ADMIN_COMMENT (may be NULL) says of a job that ran RUN_S seconds. Without a
 * word nothing is known. For a job that shared its GPUs, its use of their time is not known
 * either: alone it would have had another share.
 */
struct lw_gpu_use lw_summary_use(const char *admin_comment, int64_t run_s);

/*
 * Does the word say that other jobs were on the job's GPUs? It may have run longer because of
 * them.
 */
bool lw_summary_had_company(const char *admin_comment);

#endif
