/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the parts of leeway history share. */
#ifndef LW_CLI_HISTORY_HISTORY_H
#define LW_CLI_HISTORY_HISTORY_H

#include "base/error.h"
#include "base/savefile.h"
#include "predictor/history.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Ended jobs, to be learned in the order in which they ended. */
struct lw_jobs {
	struct lw_history_job *jobs;
	uint32_t count;
	uint32_t room;
	uint32_t unusable; /* not ended, never run, or without a limit */
	uint32_t strangers; /* of users by name that this machine does not know */
	uint32_t bad;	   /* lines that could not be read, when lenient */
	char types[LW_SPEED_TYPES_MAX][LW_SPEED_TYPE_NAME]; /* of GPUs, which jobs point at */
	uint32_t type_count;
};

struct lw_history_request {
	const char *file; /* the operand */
	const char *sacct;
	const char *swf;
	const char *output;
	const char *user;
	uint32_t keys_max;
	bool users_are_groups;
	bool lenient;
	const char *json; /* where to; NULL: as text */
	bool gpus; /* show what jobs make of their GPUs */
	bool types;          /* show how long they run on which type */
	const char *recipes; /* with evaluate only */
	bool share; /* the file is that of share.record */
};

/*
 * Read what sacct --parsable2 printed, with its header line; PATH may be gzip or "-". Times
 * are local, or seconds where SLURM_TIME_FORMAT said so. Strict: the first bad line fails
 * with -EINVAL and ERR naming file, line and column. Steps are passed over.
 */
int lw_read_sacct(const char *path, bool lenient, struct lw_jobs *jobs, struct lw_error *err);

/*
 * The name of USER, or "-" for one of the numbers that belong to the system's own accounts: those
 * run no jobs, so they are a trace's numbers. Valid until the next call.
 */
const char *lw_history_user_name(uint32_t user);

#define LW_HISTORY_CLOCK_MAX 24
/* AT_S in local time, to the minute, in BUF, which is returned. */
const char *lw_history_clock(int64_t at_s, char buf[LW_HISTORY_CLOCK_MAX]);

/* leeway history show. 0 or -errno with ERR filled. */
/* What HISTORY knows of GPUs: of one user, or of all users for UINT32_MAX. */
int lw_history_show_gpus(const struct lw_history *history, uint32_t who, const char *as_json,
			 struct lw_error *err);
/* How much longer jobs run on one type of GPU than on another, likewise; all jobs, in a line. */
int lw_history_show_types(const struct lw_history *history, uint32_t who, const char *as_json,
			  struct lw_error *err);
void lw_history_print_types(const struct lw_history *history);
/* The same of a file of share.record. */
int lw_history_show_share(const struct lw_history_request *request, struct lw_error *err);
/* The payload of FILE, of that kind and version, "-" for standard input, to be freed. */
int lw_history_read(const char *file, const struct lw_savefile *kind, char **ret_text,
		    size_t *ret_size, struct lw_error *err);
int lw_history_show(const struct lw_history_request *request, struct lw_error *err);

#endif
