/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway chain show: the links of a chain, and the time between them. */
#ifndef LW_CLI_CHAIN_LINKS_H
#define LW_CLI_CHAIN_LINKS_H

#include "cli/chain/rows.h"

/*
 * A job, or one run of a job that was requeued; an array or a het job as a whole, or one task of
 * an array of which one runs at a time. Texts are those of the rows.
 */
struct lw_chain_link {
	uint32_t base;
	const char *id;
	uint32_t run; /* from 1; 0: the job is not known, but others wait for it */
	const char *state, *reason;
	enum lw_chain_phase phase;
	int64_t submit_s, start_s, end_s, limit_s, latest_s; /* as in a row */
	uint32_t after[TOOLS_CHAIN_AFTER_MAX]; /* numbers of the jobs that it waits or waited for
						*/
	uint32_t after_count;
	bool singleton; /* it waits for all before of its name */
	/*
	 * From the end of the last that it waited for to its start; of one that waits, to now.
	 * TOOLS_CHAIN_NONE: there is none before, or not all have ended.
	 */
	int64_t interruption_s;
	char digits[16]; /* an id of our own making */
};

struct lw_chain_seen {
	struct lw_chain_link *links; /* as they ran, and will */
	uint32_t count, room;
	const char *user, *name; /* of the job that was asked for */
	/* of links that have begun */
	uint32_t interruptions;
	int64_t total_s, longest_s;
	const struct lw_chain_link *next; /* that waits, or NULL */
};

/*
 * The chain of job BASE, which is among ROWS; these must stay. -ENOMEM; then, too, finish it.
 */
int lw_chain_find(const struct lw_chain_rows *rows, uint32_t base, int64_t now_s,
		  struct lw_chain_seen *chain);
void lw_chain_seen_fini(struct lw_chain_seen *chain);

/*
 * The jobs that AFTER, a value of --dependency as sbatch takes it or squeue shows it, has the job
 * wait for until they have ended: at most TOOLS_CHAIN_AFTER_MAX. *RET_SINGLETON: it also waits
 * for those of its name.
 */
uint32_t lw_chain_after(const char *after, uint32_t ids[TOOLS_CHAIN_AFTER_MAX],
			bool *ret_singleton);

#endif
