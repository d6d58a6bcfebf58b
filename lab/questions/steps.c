/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how alike a job and the one that its user sent before are. */
#include "lab/questions/steps.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/questions/dist.h"

/* Fewer steps are no correlation. */
#define USER_STEPS 10

struct step_row {
	uint32_t user, name, place;
};

/* One value of a list, for its rank. */
struct step_value {
	double value;
	uint32_t place;
};

/* What is worked with: as long as the log. */
struct step_work {
	struct step_row *rows;
	double *before, *after; /* run times, then ranks */
	struct step_value *values;
};

static int compare_rows(const void *left, const void *right)
{
	const struct step_row *a = left, *b = right;

	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

static int compare_values(const void *left, const void *right)
{
	const struct step_value *a = left, *b = right;

	if (a->value < b->value || a->value > b->value)
		return a->value < b->value ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

/* ---- ranks ---- */

/* Put ranks in place of COUNT NUMBERS; equal ones share the mean of theirs. */
static void steps_rank(double *numbers, uint32_t count, struct step_value *values)
{
	for (uint32_t i = 0; i < count; i++)
		values[i] = (struct step_value){ numbers[i], i };
	if (count)
		qsort(values, count, sizeof(*values), compare_values);
	for (uint32_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && values[end].value <= values[i].value; end++)
			;
		for (uint32_t k = i; k < end; k++)
			numbers[values[k].place] = ((double)i + (double)end - 1) / 2;
	}
}

/* Of COUNT pairs of ranks; each list has the same mean. NAN: one list is of one value. */
static double steps_correlate(const double *x, const double *y, uint32_t count)
{
	double mean = ((double)count - 1) / 2, xx = 0, yy = 0, xy = 0;

	for (uint32_t i = 0; i < count; i++) {
		xx += (x[i] - mean) * (x[i] - mean);
		yy += (y[i] - mean) * (y[i] - mean);
		xy += (x[i] - mean) * (y[i] - mean);
	}
	return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

static double steps_correlation(struct step_work *work, uint32_t count)
{
	steps_rank(work->before, count, work->values);
	steps_rank(work->after, count, work->values);
	return steps_correlate(work->before, work->after, count);
}

/* ---- steps ---- */

static bool is_step(const struct step_row *row)
{
	return row[-1].user == row->user && row[-1].name == row->name;
}

/* Take the run times of the steps among ROWS FROM to TO: how many there are. */
static uint32_t take_runs(const struct lw_joblog *log, struct step_work *work, uint32_t from,
			  uint32_t to)
{
	uint32_t count = 0;

	for (uint32_t i = from + 1; i < to; i++) {
		if (!is_step(&work->rows[i]))
			continue;
		work->before[count] = (double)log->jobs[work->rows[i - 1].place].run_s;
		work->after[count++] = (double)log->jobs[work->rows[i].place].run_s;
	}
	return count;
}

static double correlate_within(const struct lw_joblog *log, struct step_work *work, uint32_t rows,
			       uint32_t *ret_users)
{
	double sum = 0;

	*ret_users = 0;
	for (uint32_t from = 0, to; from < rows; from = to) {
		uint32_t count;
		double one;

		for (to = from + 1; to < rows && is_step(&work->rows[to]); to++)
			;
		count = take_runs(log, work, from, to);
		one = count >= USER_STEPS ? steps_correlation(work, count) : NAN;
		if (isnan(one))
			continue;
		sum += one;
		++*ret_users;
	}
	return lw_share(sum, *ret_users);
}

static void compare_ends(const struct lw_joblog *log, const struct step_row *rows, uint32_t count,
			 struct lw_steps *steps)
{
	double before[LW_OUTCOMES] = { 0 }, after[LW_OUTCOMES] = { 0 }, same = 0, chance = 0;

	for (uint32_t i = 1; i < count; i++) {
		uint8_t from = log->jobs[rows[i - 1].place].outcome;
		uint8_t to = log->jobs[rows[i].place].outcome;

		if (!is_step(&rows[i]) || from == LW_OUTCOME_UNKNOWN || to == LW_OUTCOME_UNKNOWN)
			continue;
		steps->ends++;
		before[from]++;
		after[to]++;
		same += from == to;
	}
	for (uint32_t o = 0; o < LW_OUTCOMES; o++)
		chance += before[o] * after[o];
	steps->same_end = lw_share(same, steps->ends);
	steps->chance_end = lw_share(chance, (double)steps->ends * steps->ends);
}

static struct lw_steps steps_by(const struct lw_joblog *log, struct step_work *work, bool by_name)
{
	struct lw_steps steps = { 0 };
	uint32_t rows = 0;

	for (uint32_t i = 0; i < log->count; i++) {
		const struct lw_joblog_job *job = &log->jobs[i];

		if (job->user != LW_JOBLOG_NOBODY && (!by_name || job->name != LW_JOBLOG_NOBODY))
			work->rows[rows++] =
				(struct step_row){ job->user, by_name ? job->name : 0, i };
	}
	if (rows)
		qsort(work->rows, rows, sizeof(*work->rows), compare_rows);
	steps.count = take_runs(log, work, 0, rows);
	steps.run = steps_correlation(work, steps.count);
	steps.within = correlate_within(log, work, rows, &steps.users);
	compare_ends(log, work->rows, rows, &steps);
	return steps;
}

int lw_steps_of(const struct lw_joblog *log, struct lw_steps ret_steps[LW_STEPS_KINDS])
{
	size_t room = (size_t)log->count + 1;
	struct step_work work = {
		.rows = calloc(room, sizeof(*work.rows)),
		.before = calloc(room, sizeof(double)),
		.after = calloc(room, sizeof(double)),
		.values = calloc(room, sizeof(*work.values)),
	};
	int rc = work.rows && work.before && work.after && work.values ? 0 : -ENOMEM;

	for (int kind = 0; !rc && kind < LW_STEPS_KINDS; kind++)
		ret_steps[kind] = steps_by(log, &work, kind == LW_STEPS_NAME);
	free(work.rows);
	free(work.before);
	free(work.after);
	free(work.values);
	return rc;
}
