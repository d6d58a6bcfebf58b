/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how alike a job and the one that its user sent before are. */
#ifndef LW_LAB_QUESTIONS_STEPS_H
#define LW_LAB_QUESTIONS_STEPS_H

#include "lab/questions/joblog.h"

enum lw_steps_of { LW_STEPS_USER, LW_STEPS_NAME, LW_STEPS_KINDS };

/*
 * A step: a job and the one before it, by submission, of the same user; or of the same user and
 * name. The one before need not have ended when the other was sent. Correlations are those of
 * ranks (Spearman), equal run times with their mean rank. NAN: there is nothing to tell it by.
 */
struct lw_steps {
	uint32_t count;
	double run;     /* of the run times of all steps: also as users differ */
	double within;  /* mean of the users, or users and names, with at least ten steps */
	uint32_t users; /* these; without those with steps from or to one run time alone */
	uint32_t ends;  /* steps of which both outcomes are known */
	double same_end;
	double chance_end; /* the same, if outcomes came in any order: of all such steps */
};

/* By user, and by user and name. -ENOMEM. */
int lw_steps_of(const struct lw_joblog *log, struct lw_steps ret_steps[LW_STEPS_KINDS]);

#endif
