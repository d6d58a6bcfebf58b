/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where in a trace the job of a number is. */
#ifndef LW_LAB_SIM_SWF_NUMBERS_H
#define LW_LAB_SIM_SWF_NUMBERS_H

#include "measure/swf.h"

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
