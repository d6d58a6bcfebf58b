/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: a trace, a workload or what sacct knows, read as a log. */
#ifndef LW_LAB_ANALYSE_INPUT_H
#define LW_LAB_ANALYSE_INPUT_H

#include "base/error.h"
#include "cli/common/names.h"
#include "lab/questions/joblog.h"
#include "lab/questions/people.h"
#include "measure/lines.h"

#include <stdbool.h>
#include <stdint.h>

enum lw_ana_form { ANA_TRACE, ANA_WORKLOAD, ANA_SACCT };

/* How to read. */
struct lw_ana_options {
	bool lenient, has_unit, group_as_user;
	enum lw_joblog_unit unit;     /* if it is said */
	uint32_t machine;             /* so many of the unit; 0: as the input says */
	uint32_t first_job, last_job; /* places from 1; 0: no bound */
	const char *side;             /* a file of GPUs; NULL: the one beside the trace, if any */
};

struct lw_ana_input {
	const char *path;
	int fd; /* of what sacct printed, to be read again; else not valid */
	char label[64]; /* its name without folder and endings */
	enum lw_ana_form form;
	struct lw_joblog log;
	uint32_t room;
	struct lw_ana_names names[LW_PEOPLE_KINDS];
	char side[4096]; /* the file of GPUs that was read; "": none */
	/* for the reader to know */
	bool accounts_as_users; /* no job has a user */
	uint32_t unknown;       /* left out: without processors or a run time */
	uint32_t never_ran;     /* left out: taken back while they waited */
	uint32_t shifted;       /* their end is not what End says: see lw_row_times() */
	uint32_t unfinished;    /* left out: they have not ended */
	uint32_t bad, bad_line; /* left out: bad lines */
	struct lw_error first_bad;
};

/* Read PATH, a trace or a workload. -EINVAL, -ENODATA with ERR; -ENOMEM, -errno of the file. */
int lw_ana_input_read(struct lw_ana_input *input, const char *path,
		      const struct lw_ana_options *options, struct lw_error *err);
/* The same of what sacct printed. */
int lw_ana_input_sacct(struct lw_ana_input *input, const char *path,
		       const struct lw_ana_options *options, struct lw_error *err);
/* The same of what it said of this cluster, which the open file FD holds. */
int lw_ana_input_cluster(struct lw_ana_input *input, int fd, const struct lw_ana_options *options,
			 struct lw_error *err);
void lw_ana_input_fini(struct lw_ana_input *input);
/* Say on standard error what was left out of it. */
void lw_ana_input_print_notes(const struct lw_ana_input *input);
/* "user", "account", "name" or "partition". */
const char *lw_ana_people_word(enum lw_people_by by);
/* The name of number NUMBER. */
const char *lw_ana_input_name(const struct lw_ana_input *input, enum lw_people_by by,
			      uint32_t number);

/* ---- parts ---- */

/* What a trace says in its first lines, beside what swf.h reads. */
struct lw_ana_header {
	char zone[64];                       /* "Europe/Stockholm"; "": not said */
	struct lw_ana_names queues, partitions; /* texts "3 batch" */
};
int lw_ana_header_read(struct lw_ana_header *header, const struct lw_lines *lines);
void lw_ana_header_fini(struct lw_ana_header *header);
/* The name of NUMBER among them, or NULL. */
const char *lw_ana_header_name(const struct lw_ana_names *names, int32_t number);

int lw_ana_read_swf(struct lw_ana_input *input, struct lw_lines *lines,
		    const struct lw_ana_options *options, struct lw_error *err);
/* Of the open file FD; below 0: of the input's path. */
int lw_ana_read_sacct(struct lw_ana_input *input, int fd, const struct lw_ana_options *options,
		      struct lw_error *err);
int lw_ana_read_workload(struct lw_ana_input *input, struct lw_lines *lines,
			 const struct lw_ana_options *options, struct lw_error *err);
/*
 * Read from the file PATH, "job_id,gpus,...", what it says of the jobs; NUMBERS are their
 * numbers in the trace. -EINVAL with ERR.
 */
int lw_ana_read_side(struct lw_ana_input *input, const char *path, const int64_t *numbers,
		     struct lw_error *err);
/* Add JOB, unless it is not asked for. -ENOMEM. */
int lw_ana_input_add(struct lw_ana_input *input, const struct lw_joblog_job *job);
/* The number of TEXT, a name of kind BY; UINT32_MAX for an empty one. -ENOMEM. */
int lw_ana_input_number(struct lw_ana_input *input, enum lw_people_by by, const char *text,
			uint32_t *ret_number);
/* Fill in hour and weekday of all jobs, of a log that began then, by the zone in force. */
void lw_ana_input_clock(struct lw_ana_input *input, int64_t began_s);

#endif
