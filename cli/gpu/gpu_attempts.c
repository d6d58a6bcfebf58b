/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu --user: the runs of each job, the earlier ones of requeued jobs among them.
 */
#include "cli/gpu/gpu_attempts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "record/summary.h"

void lw_gpu_attempts_fini(struct lw_gpu_attempts *attempts)
{
	for (uint32_t i = 0; i < attempts->count; i++)
		free(attempts->items[i].job);
	free(attempts->items);
	*attempts = (struct lw_gpu_attempts){ .count = 0 };
}

static int attempt_time(const struct lw_row *row, enum lw_column column, int64_t *ret_s,
			struct lw_error *err)
{
	*ret_s = LW_SACCT_NONE;
	return lw_rows_has(row->rows, column) ? lw_row_value(row, column, ret_s, err) : 0;
}

static int attempt_times(const struct lw_row *row, int64_t elapsed_s,
			 struct lw_gpu_attempt *attempt, struct lw_error *err)
{
	bool told = lw_rows_has(row->rows, LW_COL_END) && lw_rows_has(row->rows, LW_COL_START);
	int rc = attempt_time(row, LW_COL_SUBMIT, &attempt->submit_s, err);

	if (!rc)
		rc = attempt_time(row, LW_COL_START, &attempt->run.start_s, err);
	if (!rc)
		rc = attempt_time(row, LW_COL_END, &attempt->run.end_s, err);
	if (rc)
		return rc;
	attempt->ended = attempt->run.end_s != LW_SACCT_NONE;
	if (told)
		return 0;
	attempt->ended = strncmp(row->state, "RUNNING", 7) != 0;
	attempt->run.start_s = 0;
	attempt->run.end_s = elapsed_s;
	return 0;
}

int lw_gpu_attempts_add(struct lw_gpu_attempts *attempts, const struct lw_row *row, int64_t gpus,
			int64_t elapsed_s, struct lw_error *err)
{
	struct lw_gpu_attempt attempt = { .row = attempts->count };
	struct lw_ettr_attempt *run = &attempt.run;
	struct lw_summary_word word;

	if (attempt_times(row, elapsed_s, &attempt, err))
		return -EINVAL;
	run->gpus = gpus;
	run->interrupted = lw_ettr_is_interrupted(row->state);
	attempt.has_left = lw_ettr_has_left(row->state);
	run->has_pace = lw_pace_read(row->user_comment, &run->pace);
	if (!lw_summary_decode(row->comment, &word)) {
		run->recorded = true;
		run->idle_s = (double)word.idle_s;
	}
	if (lw_grow((void **)&attempts->items, &attempts->room, attempts->count + 1,
		    sizeof(attempt)))
		return -ENOMEM;
	attempt.job = strdup(*row->raw_id ? row->raw_id : row->job);
	if (!attempt.job)
		return -ENOMEM;
	attempts->items[attempts->count++] = attempt;
	return 0;
}

static int attempt_order(const void *x, const void *y)
{
	const struct lw_gpu_attempt *a = *(struct lw_gpu_attempt *const *)x;
	const struct lw_gpu_attempt *b = *(struct lw_gpu_attempt *const *)y;
	int jobs = strcmp(a->job, b->job);

	if (jobs)
		return jobs;
	if (a->submit_s != b->submit_s)
		return a->submit_s < b->submit_s ? -1 : 1;
	if (a->run.start_s != b->run.start_s)
		return a->run.start_s < b->run.start_s ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

/* Did LATER go on with what ATTEMPT had to leave? */
static bool attempt_goes_on(const struct lw_gpu_attempt *attempt,
			    const struct lw_gpu_attempt *later)
{
	return later && strcmp(attempt->job, later->job) == 0 && attempt->has_left &&
	       later->run.start_s != LW_SACCT_NONE &&
	       attempt->run.end_s <= later->run.start_s;
}

static void attempt_sum(struct lw_gpu_attempt *const *order, uint32_t count, struct lw_ettr *ettr)
{
	for (uint32_t i = 0; i < count; i++) {
		struct lw_gpu_attempt *attempt = order[i];
		struct lw_gpu_attempt *later = i + 1 < count ? order[i + 1] : NULL;

		attempt->earlier = attempt_goes_on(attempt, later);
		if (attempt->earlier)
			later->run.restart = attempt->run.restart || attempt->run.interrupted;
		if (attempt->ended)
			lw_ettr_add(ettr, &attempt->run,
				    attempt->earlier && later->ended ? &later->run : NULL);
	}
}

int lw_gpu_attempts_sum(struct lw_gpu_attempts *attempts, struct lw_ettr *ret_ettr)
{
	struct lw_gpu_attempt **order = calloc((size_t)attempts->count + 1, sizeof(*order));

	*ret_ettr = (struct lw_ettr){ 0 };
	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < attempts->count; i++)
		order[i] = &attempts->items[i];
	if (attempts->count)
		qsort(order, attempts->count, sizeof(*order), attempt_order);
	attempt_sum(order, attempts->count, ret_ettr);
	free(order);
	return 0;
}

void lw_gpu_attempts_print(const struct lw_ettr *ettr)
{
	double most = lw_ettr_most(ettr), least = lw_ettr_least(ettr);

	if (most < 0)
		return;
	if (ettr->doubt_s > 0)
		printf("effective training time %.0f to %.0f %%", 100 * least, 100 * most);
	else
		printf("effective training time %.0f %%", 100 * most);
	if (ettr->interrupted)
		printf("; %" PRIu32 " run%s interrupted, GPU-hours repeated %.1f, in doubt %.1f, "
		       "begins %.1f",
		       ettr->interrupted, ettr->interrupted == 1 ? "" : "s",
		       ettr->repeated_s / 3600, ettr->doubt_s / 3600, ettr->restart_s / 3600);
	printf("\n");
}

json_t *lw_gpu_attempts_json(const struct lw_ettr *ettr)
{
	if (!ettr->runs)
		return json_null();
	return json_pack("{s:f, s:f, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "most",
			 lw_ettr_most(ettr), "least", lw_ettr_least(ettr), "runs",
			 (json_int_t)ettr->runs, "interrupted", (json_int_t)ettr->interrupted,
			 "allocated_gpu_hours", ettr->allocated_s / 3600, "recorded_gpu_hours",
			 ettr->recorded_s / 3600, "repeated_gpu_hours", ettr->repeated_s / 3600,
			 "doubt_gpu_hours", ettr->doubt_s / 3600, "restart_gpu_hours",
			 ettr->restart_s / 3600, "idle_gpu_hours", ettr->idle_s / 3600);
}
