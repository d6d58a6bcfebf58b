/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway size: of how many GPUs a kind of job makes good use. */
#ifndef LW_CLI_SIZE_SIZE_H
#define LW_CLI_SIZE_SIZE_H

#include "base/error.h"
#include "base/strbuf.h"
#include "cli/common/names.h"
#include "cli/common/runs.h"
#include "predictor/scaling.h"

#include <stdbool.h>
#include <stdint.h>

/* What a piece of work is, the surest first. */
enum lw_size_work {
	LW_SIZE_WHOLE, /* all steps of a job that tells how many they are */
	LW_SIZE_STEP,  /* a step */
	LW_SIZE_RUN,   /* a run that ended well */
	LW_SIZE_WORKS,
};
const char *lw_size_work_name(enum lw_size_work work);

struct lw_size_values {
	double *items; /* sorted once all are read */
	uint32_t count, room;
};

/* Runs of one kind on so many GPUs, or nodes. */
struct lw_size_point {
	uint32_t size;
	struct lw_size_values unit_s[LW_SIZE_WORKS]; /* of a piece of work */
	struct lw_size_values wait_s;                /* from submission to start */
};

/* A user's jobs of one name and type of GPUs. */
struct lw_size_kind {
	char *name, *type;            /* "": any, or not known */
	bool of_nodes;                /* without GPUs: sizes are nodes */
	struct lw_size_point *points; /* by size */
	uint32_t count, room;
	uint32_t runs;
};

/* Zeroed there is none. */
struct lw_size_kinds {
	const char *wanted; /* this name alone; NULL: all */
	const char *user;   /* NULL: the calling user */
	struct lw_ana_names texts;
	struct lw_size_kind *kinds; /* the one with most runs first */
	uint32_t count, room;
};

/*
 * Ask sacct as REQUEST says. Errors: lw_runs_ask(). In either case it is to be finished.
 */
int lw_size_read(struct lw_size_kinds *kinds, const struct lw_runs_request *request,
		 struct lw_error *err);
void lw_size_kinds_fini(struct lw_size_kinds *kinds);

/* PERCENT of a hundred of them are at most this; there are some. */
double lw_size_quantile(const struct lw_size_values *values, uint32_t percent);

/* ---- what to ask for ---- */

enum lw_size_advice {
	LW_SIZE_UNKNOWN,  /* only one size was run */
	LW_SIZE_SMALLEST, /* none but the smallest makes good use */
	LW_SIZE_MIDDLE,   /* a larger one does, and the next does not */
	LW_SIZE_LARGEST,  /* all do */
};
const char *lw_size_advice_name(enum lw_size_advice advice);

enum lw_size_sure {
	LW_SIZE_SURE,    /* three runs of four agree, on each side of the bound */
	LW_SIZE_DIFFERS, /* runs of one size differ more than sizes do */
	LW_SIZE_FEW,     /* fewer than LW_RUNS_LEAST at a size that decides */
};
const char *lw_size_sure_name(enum lw_size_sure sure);

/* A size beside the smallest one. */
struct lw_size_rate {
	const struct lw_size_point *point;
	double unit_s;                          /* half of the runs took at most this */
	double speedup, efficiency;             /* by that */
	double efficiency_low, efficiency_high; /* by the quarters of the runs */
	double gpu_s;                           /* for a piece of work */
};

struct lw_size_told {
	enum lw_size_work work;
	struct lw_size_rate *rates; /* of sizes of which WORK is known, the smallest first */
	uint32_t count;
	enum lw_size_advice advice;
	enum lw_size_sure sure;
	uint32_t good; /* which of them is advised */
	bool has_fit;  /* of two sizes or more */
	struct lw_scaling fit;
	/* with three sizes or more, where all make good use: that of twice the largest; else 0 */
	double twice;
	uint32_t soonest; /* which is over first, waits included; of whole work and runs alone */
};

/* Judge KIND. -ENOMEM. Free its rates. */
int lw_size_judge(const struct lw_size_kind *kind, struct lw_size_told *ret_told);
/* What to ask for, and how sure that is, in words. */
void lw_size_words(const struct lw_size_kind *kind, const struct lw_size_told *told,
		   struct lw_strbuf *advice, struct lw_strbuf *sure);

int lw_size_print(const struct lw_size_kinds *kinds);
/* To PATH, as lw_output_json(). -EIO, -ENOMEM with ERR. */
int lw_size_json(const char *path, const struct lw_size_kinds *kinds, struct lw_error *err);

#endif
