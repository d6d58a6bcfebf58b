/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: who is on which GPU, and beside whom a job may go there. */
#ifndef LW_SHARE_TENANTS_H
#define LW_SHARE_TENANTS_H

#include "share/rule.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Parts (share/request.h) see to it that whichever jobs Slurm puts together fit. This says which of
 * those that fit are best together. Pure: no clock, no file.
 */

/* A job on a GPU of a node. */
struct lw_share_tenant {
	uint32_t node, gpu, job_id;
	uint32_t user;
	uint32_t parts; /* of the GPU; nothing if it has the whole */
	bool whole;
	bool known; /* what it uses, as its mark says (base/sharemark.h) */
	struct lw_share_use use;
	int64_t end_s; /* by its hard limit; 0: not known */
	bool idle;     /* it lends its GPU, and leaves it idle now */
	bool guest;    /* it is one there */
};

/* All of them, in order of node, GPU and job once they are asked for. Zeroed, it is empty. */
struct lw_share_tenants {
	struct lw_share_tenant *items;
	uint32_t count, room;
	bool sorted;
};

/* Who is to come. */
struct lw_share_newcomer {
	uint32_t user, parts;
	struct lw_share_use use;
	bool guest;    /* it goes beside who lends a GPU, and nowhere else */
	int64_t end_s; /* of a guest: by its hard limit, if it starts now */
};

/* By what it is decided. */
struct lw_share_house {
	struct lw_share_rule rule;
	uint32_t mem_mib, parts; /* of one GPU */
	bool always; /* a tenant is added although whole GPUs are free: these stay whole */
};

/* What it would be for a newcomer to have a GPU. */
struct lw_share_offer {
	bool empty;	  /* it is alone there */
	uint32_t cost;	  /* what all there lose together, in thousandths of their run times */
	uint32_t stretch; /* what becomes of the newcomer's run time, in thousandths of it */
};

/* -ENOMEM leaves it as it was. */
int lw_share_tenants_add(struct lw_share_tenants *tenants, const struct lw_share_tenant *tenant);
/* The job has left all its GPUs. */
void lw_share_tenants_remove(struct lw_share_tenants *tenants, uint32_t job_id);
/* Who is on that GPU, by number of the job; until the next call that changes anything. */
const struct lw_share_tenant *lw_share_tenants_on(struct lw_share_tenants *tenants, uint32_t node,
						  uint32_t gpu, uint32_t *ret_count);
/* Free all it holds; it is empty then. */
void lw_share_tenants_fini(struct lw_share_tenants *tenants);

/*
 * May NEWCOMER have a GPU on which THERE[COUNT] are? A guest may beside one that lends it and
 * leaves it idle, if by both limits it is gone before: then nobody waits for the GPU any longer
 * than for its owner, by hard limits. Nobody comes beside a guest that is left.
 *
 * Of all others: not beside one that has it whole, or of which nothing is known, nor under MPS
 * beside another user's, which would wait until that one is gone: MPS serves one user at a time.
 */
bool lw_share_offers(const struct lw_share_house *house, const struct lw_share_tenant *there,
		     uint32_t count, const struct lw_share_newcomer *newcomer,
		     struct lw_share_offer *ret_offer);
/* When, by hard limits, it may: NOW_S if it does now. */
int64_t lw_share_opens_s(const struct lw_share_house *house, const struct lw_share_tenant *there,
			 uint32_t count, const struct lw_share_newcomer *newcomer, int64_t now_s);
/* What becomes of the run time of THERE[WHO] while all are there; 1000 if that is not known. */
uint32_t lw_share_stretch(const struct lw_share_house *house, const struct lw_share_tenant *there,
			  uint32_t count, uint32_t who);

/*
 * Is offer A better than B? The lower cost; one that is alone costs nothing, so with `always` it
 * comes last.
 */
bool lw_share_better(const struct lw_share_house *house, const struct lw_share_offer *a,
		     const struct lw_share_offer *b);

#endif
