/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: traces in the Standard Workload Format, reader and writer. */
#ifndef LW_MEASURE_SWF_H
#define LW_MEASURE_SWF_H

#include "base/error.h"
#include "base/lookup.h"
#include "measure/lines.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Standard Workload Format 2.2: Chapin, Cirne, Feitelson et al., Benchmarks and standards
 * for the evaluation of parallel job schedulers, JSSPP 1999. One job a line, 18 fields,
 * -1 for what is not known; what a processor is, the trace's own header says. Users, groups and
 * the like may have any number as a name: a number above 2^30 is kept as another one, equal to no
 * other.
 */
struct lw_swf_job {
	int64_t number;          /* field 1 */
	int64_t submit_s;        /* 2: from the start of the log */
	int64_t wait_s;          /* 3 */
	int64_t run_s;           /* 4 */
	int64_t cpu_time_s;      /* 6: mean over the processors */
	int64_t memory_kib;      /* 7: used, a processor */
	int64_t requested_s;     /* 9: the user's limit */
	int64_t requested_kib;   /* 10: a processor */
	int64_t preceding;       /* 17: a job number */
	int64_t think_s;         /* 18 */
	int32_t procs;           /* 5 */
	int32_t requested_procs; /* 8 */
	int32_t user;            /* 12 */
	int32_t group;           /* 13 */
	int32_t application;     /* 14 */
	int32_t queue;           /* 15 */
	int32_t partition;       /* 16 */
	int8_t status;           /* 11: 1 completed, 0 failed, 5 cancelled, 2-4 parts */
};

struct lw_swf {
	struct lw_swf_job *jobs;
	uint32_t job_count;
	uint32_t room;
	/* header directives; -1 when the header lacks them */
	int64_t max_procs;
	int64_t max_nodes;
	int64_t unix_start_s;
	struct lw_lookup names; /* those of large numbers */
	uint32_t skipped;  /* bad lines, when read leniently */
	uint32_t bad_line; /* the first of them, and why */
	struct lw_error bad;
};

/*
 * Read PATH, plain or gzip. Strict: the first bad line fails the whole file with
 * -EINVAL, and ERR names file, line and field. LENIENT counts and skips bad lines
 * instead. -EINVAL, too, for an empty file. Also -ENOMEM and -errno of the file. A fraction of
 * a second is rounded.
 */
int lw_swf_read(struct lw_swf *swf, const char *path, bool lenient, struct lw_error *err);
/* The same of LINES, of which none was taken yet; PATH is what messages call them. */
int lw_swf_parse(struct lw_swf *swf, struct lw_lines *lines, const char *path, bool lenient,
		 struct lw_error *err);
void lw_swf_fini(struct lw_swf *swf);

/* Where the job of a number is. */
#define LW_SWF_NOWHERE UINT32_MAX

struct lw_swf_number {
	int64_t number;
	uint32_t place;
};

struct lw_swf_numbers {
	struct lw_swf_number *list; /* rising by both */
	uint32_t count;
};

/* List the jobs of SWF that precede another; empty if none does. -ENOMEM. */
int lw_swf_numbers_init(struct lw_swf_numbers *numbers, const struct lw_swf *swf);
void lw_swf_numbers_fini(struct lw_swf_numbers *numbers);

/* The last place before PLACE with a job of that number, or NOWHERE. */
uint32_t lw_swf_numbers_before(const struct lw_swf_numbers *numbers, int64_t number,
			       uint32_t place);

#endif
