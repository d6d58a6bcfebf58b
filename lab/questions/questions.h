/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: seven questions to a workload, and its answers. */
#ifndef LW_LAB_QUESTIONS_QUESTIONS_H
#define LW_LAB_QUESTIONS_QUESTIONS_H

#include "lab/questions/analysis.h"

/*
 * After what Zhang, Raj, Xie, Di and Dai, Cross-system analysis of job characterization and
 * scheduling in large-scale computing clusters, IPDPS 2024, found on clusters for deep learning,
 * for HPC, and for both: run times and arrivals, the users that hold the machine, its load and
 * the waits, failures, repeated jobs, what users submit while many jobs wait, and what the time
 * that a job has run tells. The words and the bounds of the answers are Leeway's.
 */
#define LW_QUESTIONS 7

enum lw_reply {
	LW_REPLY_YES,
	LW_REPLY_PARTLY,
	LW_REPLY_NO,
	LW_REPLY_UNKNOWN, /* the log does not say enough */
};

struct lw_question {
	const char *key; /* "geometry" */
	const char *text;
	enum lw_reply reply;
	char brief[160];  /* its figures in a few words */
	char answer[560]; /* in sentences */
};

/* "yes", "partly", "no" or "not known". */
const char *lw_reply_name(enum lw_reply reply);
void lw_questions_of(const struct lw_analysis *analysis,
		     struct lw_question ret_questions[LW_QUESTIONS]);

#endif
