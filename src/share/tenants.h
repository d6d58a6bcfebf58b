/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which jobs are on which GPU, and beside which jobs another may go there. */
#ifndef LW_SHARE_TENANTS_H
#define LW_SHARE_TENANTS_H

#include "share/rule.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * With parts (share/request.h) whichever jobs Slurm puts together fit. This file says which of
 * them are best together. Pure: no clock, no file.
 */

/* A job on a GPU of a node. */
struct lw_share_tenant {
	uint32_t node, gpu, job_id;
	uint32_t user;
	uint32_t parts; /* of the GPU; unused if it has the whole */
	bool whole;
	bool known; /* its use, from its mark (base/sharemark.h) */
	struct lw_share_use use;
	int64_t end_s; /* by its hard limit; 0: not known */
	bool idle;     /* it lends its GPU, which is idle now */
	bool guest;    /* it is a guest there */
};

/* All tenants, in order of node, GPU and job once they are asked for. Empty if zeroed. */
struct lw_share_tenants {
	struct lw_share_tenant *items;
	uint32_t count, room;
	bool sorted;
};

/* The job to be placed. */
struct lw_share_newcomer {
	uint32_t user, parts;
	struct lw_share_use use;
	bool guest;    /* it goes only beside a job that lends its GPU */
	int64_t end_s; /* of a guest: by its hard limit, if it starts now */
};

/* The rules of sharing. */
struct lw_share_house {
	struct lw_share_rule rule;
	uint32_t mem_mib, parts; /* of one GPU */
	bool always; /* add a tenant although whole GPUs are free, to keep these whole */
};

/* The effects of giving a newcomer a GPU. */
struct lw_share_offer {
	bool empty;	  /* it would be alone there */
	uint32_t cost;	  /* what all tenants there lose together, in thousandths of their run
			   * times */
	uint32_t stretch; /* the newcomer's run time, in thousandths of its run time alone */
};

/* -ENOMEM leaves it unchanged. */
int lw_share_tenants_add(struct lw_share_tenants *tenants, const struct lw_share_tenant *tenant);
/* The job has left all its GPUs. */
void lw_share_tenants_remove(struct lw_share_tenants *tenants, uint32_t job_id);
/* The jobs on that GPU, by job id; valid until the next call that changes anything. */
const struct lw_share_tenant *lw_share_tenants_on(struct lw_share_tenants *tenants, uint32_t node,
						  uint32_t gpu, uint32_t *ret_count);
/* Free all it holds; it is empty then. */
void lw_share_tenants_fini(struct lw_share_tenants *tenants);

/*
 * May NEWCOMER have a GPU that has THERE[COUNT]? A guest may go beside a job that lends the GPU
 * and leaves it idle, if by both limits the guest ends first: then no job waits for the GPU
 * longer than for its owner, by hard limits. No job goes beside a guest that stayed alone.
 *
 * All other jobs: not beside a job with the whole GPU, or with unknown use; nor under MPS beside
 * another user's job, because MPS serves one user at a time and the job would wait for that
 * user's to end.
 */
bool lw_share_offers(const struct lw_share_house *house, const struct lw_share_tenant *there,
		     uint32_t count, const struct lw_share_newcomer *newcomer,
		     struct lw_share_offer *ret_offer);
/* When, by hard limits, the newcomer may have it: NOW_S if it may now. */
int64_t lw_share_opens_s(const struct lw_share_house *house, const struct lw_share_tenant *there,
			 uint32_t count, const struct lw_share_newcomer *newcomer, int64_t now_s);
/*
 * The run time of the given tenant with all of THERE, in thousandths of that alone; 1000: not
 * known.
 */
uint32_t lw_share_stretch(const struct lw_share_house *house, const struct lw_share_tenant *there,
			  uint32_t count, uint32_t who);

/*
 * Is offer A better than B? The lower cost is better. Being alone costs nothing; with `always`
 * such an offer comes last.
 */
bool lw_share_better(const struct lw_share_house *house, const struct lw_share_offer *a,
		     const struct lw_share_offer *b);

#endif
