/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one job's GPU use on one node, in memory of a fixed size. */
#ifndef LW_RECORD_RECORD_H
#define LW_RECORD_RECORD_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LW_RECORD_GPUS_MAX 32
/* The most buckets of the series; when it is full, they are joined in pairs. */
#define LW_RECORD_BUCKETS 512
#define LW_GPU_ID_MAX     64
#define LW_NODE_NAME_MAX  64
#define LW_STEP_NAME_MAX  16
#define LW_RECORD_NO_USER UINT32_MAX
/*
 * Expensive values are read only this often, however short the interval. These are GPM, with
 * values that are means between two of its samples and so lose nothing, and the number of
 * processes, which stays until it is read again. doc/dev/gpu-record.md has the cost of each
 * call.
 */
#define LW_RECORD_SLOW_EVERY_S 10

enum lw_metric {
#define LW_METRIC(constant, name, unit) LW_METRIC_##constant,
#include "record/metric.def"
#undef LW_METRIC
	LW_METRIC_COUNT
};

/* One reading of one GPU. A value that the device does not count is absent, never 0. */
struct lw_gpu_sample {
	uint32_t has; /* bit 1 << metric */
	uint32_t value[LW_METRIC_COUNT];
};

struct lw_stat {
	uint64_t sum;
	uint32_t count;
	uint32_t max;
};

/* Add what FROM counted to INTO. */
static inline void lw_stat_add(struct lw_stat *into, const struct lw_stat *from)
{
	into->sum += from->sum;
	into->count += from->count;
	if (from->max > into->max)
		into->max = from->max;
}

/* One GPU in one bucket of time. */
struct lw_gpu_bucket {
	uint32_t samples;
	uint32_t idle; /* samples that read a utilisation of 0 */
	struct lw_stat stat[LW_METRIC_COUNT];
};

/* Energy from a device's own counter, and the time that it covers. 0 s: not known. */
struct lw_gpu_energy {
	uint64_t joules;
	uint32_t covered_s;
};
/* No device draws more. */
#define LW_GPU_WATTS_MAX 100000

struct lw_gpu {
	uint32_t index;         /* on the node, as Slurm counts */
	uint32_t mem_total_mib; /* 0: not known */
	char id[LW_GPU_ID_MAX]; /* UUID; no blanks */
	struct lw_gpu_energy energy; /* of steps that have ended */
};

/* Another job that was on one of the GPUs, and the time in which it was seen there. */
struct lw_record_neighbour {
	uint32_t gpu; /* its number in the head */
	uint32_t job_id;
	int64_t from_s, to_s;
};
#define LW_RECORD_NEIGHBOURS_MAX 32

/* What happened to a job that shares a GPU: "warned", "left-memory", "left-owner". */
struct lw_record_event {
	int64_t at_s;
	uint32_t mem_mib; /* in use on the GPU */
	char word[16];
};
#define LW_RECORD_EVENTS_MAX 8

/* The other jobs on a job's GPUs. What does not fit here is not noted. */
struct lw_record_company {
	uint32_t neighbour_count, event_count;
	struct lw_record_neighbour neighbour[LW_RECORD_NEIGHBOURS_MAX];
	struct lw_record_event event[LW_RECORD_EVENTS_MAX]; /* with those of the job's earlier
							     * runs */
};

struct lw_record_head {
	uint32_t job_id;
	uint32_t user_id;    /* LW_RECORD_NO_USER: not known */
	uint32_t group_id;   /* may also read it; 0: none. Property of the file, not in its
			      * text */
	uint32_t interval_s; /* between samples, at least 1 */
	int64_t start_s;     /* epoch */
	int64_t run_s;       /* start of the job's batch step, which begins a run; 0: not here */
	int64_t end_s;       /* 0: still running, or cut off by a crash */
	bool sent;           /* the job's summary was sent when the end was sent_end_s */
	int64_t sent_end_s;
	bool owed; /* the node that reports the job tried to send it and failed */
	bool shared; /* its GPUs may have other tenants: util, mem and proc are of its own
		      * processes */
	struct lw_record_company company;
	char node[LW_NODE_NAME_MAX];
	char step[LW_STEP_NAME_MAX]; /* "batch", "0", ...; "-" when merged */
	uint32_t gpu_count;
	struct lw_gpu gpu[LW_RECORD_GPUS_MAX];
};

/*
 * Read it freely; only the functions below write it. Bucket i covers bucket_s seconds from
 * slot[i] * bucket_s on; slots ascend and may have gaps.
 */
struct lw_record {
	struct lw_record_head head;
	uint32_t bucket_s; /* interval_s times a power of two */
	uint32_t bucket_count;
	int64_t *slot;
	struct lw_gpu_bucket *bucket; /* [bucket_count][gpu_count] */
	uint32_t damaged;             /* lines that could not be read */
	/* for saving: what changed since the last lw_record_mark_saved() */
	uint32_t changed_from;
	bool reshaped;
};

/* Make an empty record, HEAD copied. -EINVAL for a HEAD out of bounds, -ENOMEM. */
int lw_record_create(const struct lw_record_head *head, struct lw_record **ret_record);
void lw_record_destroy(struct lw_record *record);

/*
 * Add one sample of every GPU (head.gpu_count of them) taken at NOW_S. Never grows: a full
 * record halves its resolution. -ERANGE if NOW_S is too far from the rest.
 */
int lw_record_add(struct lw_record *record, int64_t now_s,
		  const struct lw_gpu_sample *samples);

/*
 * Add to the last bucket values of all GPUs that are known only at the end. It is no reading of
 * its own, which would count as time. Does nothing if nothing was read.
 */
void lw_record_add_at_end(struct lw_record *record, const struct lw_gpu_sample *samples);

/*
 * The counter of GPU number GPU went from BEFORE_MJ to AFTER_MJ in COVERED_S seconds. Impossible
 * values, as of a counter that began anew, are left out.
 */
void lw_record_note_energy(struct lw_record *record, uint32_t gpu, uint64_t before_mj,
			   uint64_t after_mj, int64_t covered_s);

/* Job JOB_ID is on GPU number GPU at NOW_S. */
void lw_record_note_neighbour(struct lw_record *record, uint32_t gpu, uint32_t job_id,
			      int64_t now_s);
/* Note EVENT of the job; each is noted once. */
void lw_record_note_event(struct lw_record *record, const struct lw_record_event *event);

/*
 * Merge FROM, another step of the same job and node, into INTO. A GPU that both watched at the
 * same time counts once; where one ends and the other begins, this is exact to a bucket. A GPU
 * that was never read, in a step too short for it, is matched by its index. Energy is added up
 * likewise; of two counts over the same time the longer one is used. Of the runs of a requeued
 * job only the last one counts, with the events of earlier runs. -EINVAL for another job or
 * node, -ENOSPC beyond LW_RECORD_GPUS_MAX, -ENOMEM; INTO may then have a part of FROM.
 */
int lw_record_merge(struct lw_record *into, const struct lw_record *from);

/* Is RECORD of a run of its job that was over when the run of RUN_S began? */
bool lw_record_is_before(const struct lw_record *record, int64_t run_s);

void lw_record_mark_saved(struct lw_record *record);

/* Was the job's summary sent, and does it cover all of RECORD? */
static inline bool lw_record_is_sent(const struct lw_record *record)
{
	return record->head.sent && record->head.sent_end_s == record->head.end_s;
}

/* Is the job's summary still to be sent, because its node could not? */
static inline bool lw_record_is_owed(const struct lw_record *record)
{
	return record->head.owed && !lw_record_is_sent(record);
}

/* GPU number GPU in bucket number BUCKET; both in range. */
static inline const struct lw_gpu_bucket *lw_record_at(const struct lw_record *record,
						       uint32_t bucket, uint32_t gpu)
{
	return &record->bucket[(size_t)bucket * record->head.gpu_count + gpu];
}

/* ---- text: doc/dev/format-record.txt ---- */

const char *lw_metric_name(enum lw_metric metric);
/* Append one kind of line to OUT; failure is in out->error. */
void lw_record_print_bucket(const struct lw_record *record, uint32_t bucket,
			    struct lw_strbuf *out);
/* Neighbours and events. */
void lw_record_print_company(const struct lw_record *record, struct lw_strbuf *out);
void lw_record_print_sent(int64_t sent_end_s, struct lw_strbuf *out);
void lw_record_print_owed(int64_t end_s, struct lw_strbuf *out);
/* End the line that begins at FROM in OUT with its checksum. */
void lw_record_end_line(struct lw_strbuf *out, size_t from);
/* All of it, one line a bucket. */
void lw_record_print(const struct lw_record *record, struct lw_strbuf *out);

/*
 * Read a record from SIZE bytes of TEXT; NAME is for messages. Lines that are damaged or cut
 * short are skipped and counted; the others are kept. -EBADMSG if the head cannot be read,
 * -ENOTSUP for a newer version, -ENOMEM.
 */
int lw_record_parse(const char *name, const char *text, size_t size,
		    struct lw_record **ret_record, struct lw_error *err);

/* Read a line of lw_record_print_company() without its checksum. False: it is damaged. */
bool lw_record_read_company(struct lw_record_head *head, const char *line);

#endif
