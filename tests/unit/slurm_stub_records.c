/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what of src/slurm goes through Slurm's records, where these are a table. */

/*
 * A reading is a text, a look at the table and some offers of the locks; what is written is
 * counted in the table. So all that runs in threads is real, and all that it shares is here to be
 * raced for.
 */

#include "unit/slurm_stub.h"

#include "planner/text/text.h"
#include "slurm/agent/agent.h"
#include "slurm/agent/selfcheck.h"
#include "slurm/apply/apply.h"
#include "slurm/apply/lease.h"
#include "slurm/apply/move.h"
#include "slurm/apply/regain.h"
#include "slurm/apply/sdiag.h"
#include "slurm/keep/marking.h"
#include "slurm/query/remedy.h"
#include "slurm/read/stretch.h"
#include "slurm/read/topology.h"
#include "slurm/read/stockplans.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

int lw_self_check_tables(struct lw_session *session, struct lw_error *err)
{
	(void)err;
	return lw_session_yield(session);
}

int lw_topology_read(const struct lw_node_list *ours, bool warn, struct lw_domains *ret_domains,
		     struct lw_error *err)
{
	(void)ours, (void)warn, (void)err;
	memset(ret_domains, 0, sizeof(*ret_domains));
	return 0;
}

uint64_t lw_topology_mark(void)
{
	return (uint64_t)last_node_update;
}

int lw_topology_islands(const struct lw_node_list *ours, bool warn,
			struct lw_islands *ret_islands)
{
	(void)ours, (void)warn;
	memset(ret_islands, 0, sizeof(*ret_islands));
	return 0;
}

uint32_t lw_regain_nodes(void)
{
	return 0;
}

void lw_islands_fini(struct lw_islands *islands)
{
	(void)islands;
}

void lw_sizes_fini(struct lw_sizes *sizes)
{
	(void)sizes;
}

void lw_reading_init(struct lw_reading *reading)
{
	memset(reading, 0, sizeof(*reading));
}

void lw_reading_fini(struct lw_reading *reading)
{
	lw_snapshot_fini(&reading->snap);
	free(reading->tickets);
	memset(reading, 0, sizeof(*reading));
}

/* Two nodes are free, and the jobs of the table want three. */
static int read_text(struct lw_reading *reading, int64_t now_s, struct lw_error *err)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc;

	lw_strbuf_add(&text,
		      "lw-snapshot 1\nnow %" PRId64 "\nnode 0-3 n[0-3] cpus=8\nset 0 all 0-3\n"
		      "run 1 start=%" PRId64 " end=%" PRId64 " on=0-1:cpus=8\n",
		      now_s, now_s - 100, now_s + 1000);
	for (uint32_t i = 0; i < stub_table.waiting; i++)
		lw_strbuf_add(&text,
			      "wait %" PRIu32 " user=%" PRIu32 " set=0 submit=%" PRId64
			      " limit=%u nodes=3 cpus=8\n",
			      stub_table.first_id + i, i % 3, now_s - 50, 600 + 10 * i);
	rc = lw_snapshot_parse(&reading->snap, "stub", lw_strbuf_text(&text), err);
	lw_strbuf_fini(&text);
	return rc;
}

int lw_read(struct lw_reading *reading, const struct lw_reading_context *context,
	    struct lw_error *err)
{
	int rc = lw_session_yield_early(context->session);

	lw_promises_begin(context->promises);
	reading->nodes = context->session->nodes;
	if (!rc)
		rc = lw_session_yield(context->session);
	if (!rc)
		rc = read_text(reading, context->now_s, err);
	if (rc)
		return rc;
	stub_table.looked++;
	reading->slurm_nodes = reading->snap.node_count;
	reading->tickets = calloc(reading->snap.waiting_count + 1, sizeof(*reading->tickets));
	if (!reading->tickets)
		return -ENOMEM;
	for (uint32_t i = 0; i < reading->snap.waiting_count; i++) {
		reading->tickets[i].job_id = reading->snap.waiting[i].job_id;
		reading->tickets[i].part = "all";
	}
	return 0;
}

/* In the thread that plans. */
void lw_reading_stretch(struct lw_reading *reading)
{
	(void)reading;
	stub_be_stuck();
}

int lw_apply(const struct lw_apply_context *context, struct lw_applied *ret_applied)
{
	const struct lw_plan *plan = context->plan;
	int rc = lw_session_yield(context->session);

	*ret_applied = (struct lw_applied){ 0 };
	for (uint32_t i = 0; !rc && i < plan->decision_count; i++) {
		const struct lw_decision *decision = &plan->decisions[i];
		const struct lw_promise promise = { .job_id = decision->job_id,
						    .made_s = context->now_s,
						    .start_s = decision->start_s,
						    .latest_s = decision->start_s + 60 };

		if (decision->verdict == LW_RESERVE)
			rc = lw_promises_make(context->promises, &promise);
	}
	return rc;
}

void lw_sdiag_cycle(const struct lw_plan *plan, const struct lw_reading *reading, int64_t now_s,
		    uint64_t took_us)
{
	(void)plan, (void)reading, (void)now_s, (void)took_us;
	stub_note_plan();
}

/* No job is ordered to stop. */
void lw_stop_begin(struct lw_stops *stops, const struct lw_stop_rules *rules,
		   const struct lw_history *history, int64_t now_s, struct lw_stopped *stopped)
{
	(void)stops, (void)rules, (void)history, (void)now_s, (void)stopped;
}

int lw_lease_offer(struct lw_leasing *leasing, const struct lw_stop_rules *rules,
		   struct lw_stops *stops, const struct lw_reading *reading,
		   struct lw_session *session)
{
	(void)leasing, (void)rules, (void)stops, (void)reading, (void)session;
	return 0;
}

void lw_move_follow(struct lw_moving *moving, struct lw_stops *stops, int64_t now_s)
{
	(void)moving, (void)stops, (void)now_s;
}

void lw_lease_order(struct lw_leasing *leasing, const struct lw_stop_rules *rules,
		    struct lw_stops *stops, const struct lw_history *history, int64_t now_s,
		    struct lw_stopped *stopped)
{
	(void)leasing, (void)rules, (void)stops, (void)history, (void)now_s, (void)stopped;
}

void lw_marking_why(job_record_t *job, const char *word, struct lw_slips *slips)
{
	(void)job, (void)word, (void)slips;
	stub_table.wrote++;
}

void lw_marking_lost(job_record_t *job, const struct lw_nodeloss *loss)
{
	(void)job, (void)loss;
	stub_table.wrote++;
}

bool lw_remedy_starts(job_record_t *job, const struct lw_hint *hint,
		      const struct lw_bitset *nodes)
{
	return job && hint && nodes->bits;
}

void lw_slips_see(struct lw_slips *slips, const struct lw_snapshot *snap)
{
	(void)slips, (void)snap;
}

void lw_slips_fini(struct lw_slips *slips)
{
	(void)slips;
}

void lw_marking_end(job_record_t *job)
{
	lw_marking_why(job, NULL, NULL);
}

void lw_publish_prepare(struct lw_publish *show, const struct lw_plan *plan,
			const struct lw_plan *estimate, const struct lw_reading *reading,
			const struct lw_promises *promises)
{
	(void)estimate, (void)reading, (void)promises;
	show->next_count = plan->decision_count;
}

const struct lw_statement *lw_publish_said(const struct lw_publish *show, uint32_t job_id)
{
	(void)show, (void)job_id;
	return NULL;
}

void lw_publish_ask(const struct lw_publish *show, const struct lw_promises *promises,
		    struct lw_statement_case *about)
{
	(void)show, (void)promises, (void)about;
}

void lw_publish_plan(struct lw_publish *show, const struct lw_plan *plan,
		     struct lw_promises *promises, struct lw_session *session)
{
	(void)plan, (void)promises, (void)session;
	stub_table.wrote++;
	show->job_count = show->text_count = show->next_count;
}

void schedule_job_save(void)
{
}

void lw_publish_refresh(const struct lw_publish *show)
{
	stub_table.wrote += show->text_count;
}

void lw_publish_stay(struct lw_publish *show)
{
	show->next_count = 0;
}

void lw_publish_clear(struct lw_publish *show, struct lw_promises *promises)
{
	(void)promises;
	stub_table.wrote++;
	show->job_count = show->text_count = 0;
}

void lw_publish_sweep(const struct lw_promises *promises, const struct lw_canary *canary)
{
	(void)promises;
	(void)canary;
	stub_table.wrote++;
}

void lw_stockplans_fini(struct lw_stockplans *plans)
{
	plans->count = 0;
}

void lw_publish_fini(struct lw_publish *show)
{
	show->job_count = show->text_count = show->next_count = 0;
}
