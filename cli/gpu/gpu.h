/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the parts of leeway gpu share. */
#ifndef LW_CLI_GPU_GPU_H
#define LW_CLI_GPU_GPU_H

#include "base/error.h"
#include "cli/common/progress.h"
#include "record/list.h"
#include "record/summary.h"

#include <stdbool.h>
#include <stdint.h>

#define TOOLS_GPU_DIRS_MAX 64

struct lw_gpu_request {
	const char *dirs[TOOLS_GPU_DIRS_MAX];
	uint32_t dir_count;
	const char *bin;   /* where Slurm's commands are; "": PATH */
	const char *user;  /* NULL: not asked for */
	const char *sacct; /* a file in place of the command */
	const char *svg, *charts, *html, *prometheus;
	int64_t since_s; /* how far back */
	int64_t window_s;
	int64_t now_s;
	uint32_t util_below, mem_below_mib; /* what counts as idle; memory 0: not looked at */
	const char *config;                 /* leeway.yaml; NULL: the defaults */
	const char *share; /* the file of share.record; NULL: what is known is not shown */
	bool idle, js1, yes, owed;
	bool wide;        /* all columns, however many */
	bool dir_given;   /* records are to be there, and Slurm is not asked */
	const char *json; /* where to; NULL: as text */
	bool has_since, has_window; /* an option of --user, or of --idle, was given */
	char *const *jobs; /* as typed */
	int job_count;
};

/* What a GPU's whole record, or its last window, says of it. */
enum lw_gpu_verdict {
	TOOLS_GPU_OK,
	TOOLS_GPU_LOW,         /* mean utilisation below 15 % */
	TOOLS_GPU_IDLE,        /* idle in 95 % of the readings */
	TOOLS_GPU_EMPTY,       /* no process there in 95 % of them */
	TOOLS_GPU_UNSUPPORTED, /* read, and gives no utilisation */
	TOOLS_GPU_UNREAD,      /* never read */
};
const char *lw_gpu_verdict_name(enum lw_gpu_verdict verdict);
enum lw_gpu_verdict lw_gpu_judge(const struct lw_record *record, uint32_t gpu);

/* What to tell the user of a job in one line, the worst before all else. */
enum lw_gpu_advice {
	TOOLS_GPU_ADVICE_NONE,
	TOOLS_GPU_ADVICE_IDLE,   /* all GPUs idle, or without a process, all the time */
	TOOLS_GPU_ADVICE_SOME,   /* some of several */
	TOOLS_GPU_ADVICE_BOUND,  /* bursts of use: something else is slow */
	TOOLS_GPU_ADVICE_LOW,    /* little use at any time */
	TOOLS_GPU_ADVICE_MEMORY, /* half of the memory never in use */
};
const char *lw_gpu_advice_name(enum lw_gpu_advice advice);
/*
 * The advice for a job that ran ELAPSED_S, from its summary; BUF has the line, "" for none. A
 * job with PARTS of a GPU is not told to ask for a part.
 */
enum lw_gpu_advice lw_gpu_advise(const struct lw_summary_word *word, int64_t elapsed_s,
				 bool parts, char *buf, size_t size);

/* One GPU over the last window of a job that runs. */
struct lw_gpu_window {
	bool covered;    /* the readings reach over all of the window */
	bool idle;       /* covered, and nothing was done in it */
	int64_t since_s; /* the first second of which nothing but idleness is known */
};
struct lw_gpu_window lw_gpu_look(const struct lw_gpu_request *request,
				 const struct lw_record *record, uint32_t gpu);

/* The user of these records' job, for users and for programs; NULL: not known. */
const char *lw_gpu_user_name(const struct lw_record_head *head);

/* When the record's readings end, epoch. */
int64_t lw_gpu_end_s(const struct lw_record *record);

/* What is asked for; 0, LW_TOOLS_FOUND, or -errno with ERR. */
int lw_gpu_job(const struct lw_gpu_request *request, struct lw_error *err);
int lw_gpu_idle(const struct lw_gpu_request *request, struct lw_error *err);
int lw_gpu_user(const struct lw_gpu_request *request, struct lw_error *err);
/*
 * One job by its summary, from AdminComment as Slurm's commands tell it: where no record is at
 * hand. -ENOENT with ERR: they know no summary of it, or cannot be asked, "nor has Slurm ...".
 */
int lw_gpu_told(const struct lw_gpu_request *request, struct lw_error *err);
int lw_gpu_prometheus(const struct lw_gpu_request *request, struct lw_error *err);
int lw_gpu_publish(const struct lw_gpu_request *request, struct lw_error *err);

/* "energy of the GPUs: 2.9 kWh", as TELL of all GPUS do, LIVE: so far; nothing where none does.
 */
void lw_gpu_print_energy(double joules, uint32_t tell, uint32_t gpus, bool live);

/* Forms in which a job is shown. */
int lw_gpu_print_json(const char *path, uint32_t job_id, const struct lw_record_list *list,
		      const struct lw_progress *progress, struct lw_error *err);
/* By --svg, --charts and --html. */
int lw_gpu_write_charts(const struct lw_gpu_request *request, uint32_t job_id,
			const struct lw_record_list *list, struct lw_error *err);

/* A job id as typed. -EINVAL with ERR. */
int lw_gpu_read_job(const char *text, uint32_t *ret_job, struct lw_error *err);

#endif
