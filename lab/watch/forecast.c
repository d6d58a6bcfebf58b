/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway watch report: the waits that were, and the waits that would have been. */
#include "lab/watch/watch.h"

#include "base/grow.h"
#include "base/lookup.h"
#include "lab/questions/dist.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what was ---- */

int lw_watch_was_of(const struct lw_joblog *log, struct lw_watch_was *ret_was)
{
	double *waits = calloc((size_t)log->count + 1, sizeof(*waits)), sum = 0;
	uint32_t count = 0;

	*ret_was = (struct lw_watch_was){ .wait_s = NAN, .p99_s = NAN };
	if (!waits)
		return -ENOMEM;
	for (uint32_t i = 0; i < log->count; i++)
		if (log->jobs[i].wait_s != LW_JOBLOG_UNKNOWN)
			waits[count++] = (double)log->jobs[i].wait_s;
	for (uint32_t i = 0; i < count; i++)
		sum += waits[i];
	lw_dist_sort(waits, count);
	ret_was->jobs = count;
	ret_was->unknown = log->count - count;
	if (count) {
		ret_was->wait_s = sum / count;
		ret_was->p99_s = lw_dist_quantile(waits, count, 0.99);
	}
	free(waits);
	return 0;
}

/* ---- by user ---- */

struct sums {
	double base_s, wait_s;
	uint32_t jobs;
};

struct by_user {
	struct lw_lookup places;
	struct sums *users;
	uint32_t count, room;
};

static int by_user_add(struct by_user *all, uint32_t user, int64_t base_s, int64_t wait_s)
{
	uint32_t at;

	if (!lw_lookup_get(&all->places, user, &at)) {
		at = all->count;
		if (lw_grow((void **)&all->users, &all->room, at + 1, sizeof(*all->users)) ||
		    lw_lookup_put(&all->places, user, at))
			return -ENOMEM;
		all->users[all->count++] = (struct sums){ .jobs = 0 };
	}
	all->users[at].base_s += (double)base_s;
	all->users[at].wait_s += (double)wait_s;
	all->users[at].jobs++;
	return 0;
}

static void by_user_judge(const struct by_user *all, struct lw_watch_users *ret_users)
{
	*ret_users = (struct lw_watch_users){ .count = all->count };
	for (uint32_t i = 0; i < all->count; i++) {
		const struct sums *user = &all->users[i];
		double more_s = (user->wait_s - user->base_s) / user->jobs;

		ret_users->longer += more_s > 60;
		if (more_s > ret_users->worst_s)
			ret_users->worst_s = more_s;
	}
}

/* ---- the simulation ---- */

/* Told of each run. Of the first BASE_WAIT_S is NULL. */
static int forecast_ended(void *arg, struct lw_simrun *run, const int64_t *base_wait_s)
{
	struct by_user all = { .count = 0 };
	int rc = 0;

	for (uint32_t i = 0; base_wait_s && !rc && i < run->job_count; i++) {
		int64_t wait_s = lw_harm_wait_s(&run->jobs[i]);

		if (wait_s != LW_NO_TIME && base_wait_s[i] != LW_NO_TIME)
			rc = by_user_add(&all, run->jobs[i].user, base_wait_s[i], wait_s);
	}
	if (base_wait_s && !rc)
		by_user_judge(&all, arg);
	lw_lookup_fini(&all.places);
	free(all.users);
	return rc;
}

/* Does simulated stock tell of the cluster? */
static bool forecast_is_near(const struct lw_watch_was *was, double stock_s)
{
	double near = lw_share(stock_s, was->wait_s);

	return near >= 0.5 && near <= 2;
}

static double forecast_spread(const struct lw_simrun *run)
{
	return lw_share(run->sd.value[LW_FIGURE_WAIT], run->mean.value[LW_FIGURE_WAIT]);
}

static void forecast_fill(const struct lw_simcompare *compare, const struct lw_watch_was *was,
			  struct lw_watch_forecast *f)
{
	const double *stock = compare->runs[0].mean.value, *leeway = compare->runs[1].mean.value;
	const struct lw_harm *harm = &compare->runs[1].harm;
	double spread =
		2 * hypot(forecast_spread(&compare->runs[0]), forecast_spread(&compare->runs[1]));

	f->stock_s = stock[LW_FIGURE_WAIT];
	f->leeway_s = leeway[LW_FIGURE_WAIT];
	f->wait_s = forecast_is_near(was, f->stock_s)
			    ? was->wait_s * lw_share(f->leeway_s, f->stock_s)
			    : NAN;
	f->least_s = f->wait_s * (spread < 1 ? 1 - spread : 0);
	f->most_s = f->wait_s * (1 + spread);
	f->stock_p99_s = stock[LW_FIGURE_WAIT_P99];
	f->p99_s = isnan(f->wait_s)
			   ? NAN
			   : was->p99_s * lw_share(leeway[LW_FIGURE_WAIT_P99], f->stock_p99_s);
	f->longer = lw_share(harm->longer, harm->jobs);
	f->longer_max_s = (double)harm->worst_s;
	f->promised = round(leeway[LW_FIGURE_PROMISED]);
	f->kept = round(leeway[LW_FIGURE_KEPT]);
	f->broken = round(leeway[LW_FIGURE_BROKEN]);
}

/* What SETS have for stock as well: how the cluster is simulated. */
static uint32_t forecast_sets_of_both(const struct lw_ana_machine *machine,
				      struct lw_simset sets[LW_ANA_SETS])
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < machine->set_count; i++)
		if (strncmp(machine->sets[i].key, "sim.", 4) == 0)
			sets[count++] = machine->sets[i];
	return count;
}

/* Stock, and what leeway.yaml says. */
static int forecast_add_runs(struct lw_simspecs *specs, const struct lw_ana_machine *machine,
			     const char *config, struct lw_error *err)
{
	struct lw_simset of_both[LW_ANA_SETS];
	struct lw_simbase stock = { .sets = of_both,
				    .set_count = forecast_sets_of_both(machine, of_both) };
	struct lw_simbase site = { .sets = machine->sets, .set_count = machine->set_count };
	int rc;

	lw_simsettings_default(&stock.settings);
	rc = lw_simspecs_add_run(specs, &stock, "stock: sched.policy=stock", err);
	if (!rc)
		rc = lw_simsettings_site(&site.settings, config, err);
	return rc ? rc : lw_simspecs_add_run(specs, &site, "", err);
}

int lw_watch_forecast_of(const struct lw_ana_input *input, const struct lw_ana_machine *machine,
			 const struct lw_watch_how *how, const struct lw_watch_was *was,
			 struct lw_watch_forecast *ret_forecast, struct lw_error *err)
{
	struct lw_simrepeat repeat = { .shakes = LW_WATCH_SHAKES,
				       .shake_by_s = LW_WATCH_SHAKE_S,
				       .seed = 1,
				       .at_once = machine->at_once,
				       .ended = forecast_ended,
				       .arg = &ret_forecast->users };
	struct lw_simtrace_options wanted = lw_ana_trace_options(machine, how->lenient);
	struct lw_simspecs specs = { .count = 0 };
	struct lw_simcompare compare;
	struct lw_simtrace trace;
	int rc;

	wanted.jobs.group_as_user = input->accounts_as_users;
	rc = forecast_add_runs(&specs, machine, how->config, err);
	if (!rc)
		rc = lw_ana_trace_of_sacct(&trace, input, &wanted, err);
	if (rc)
		return rc;
	ret_forecast->jobs = trace.jobs.count;
	rc = lw_ana_check_fits(&trace, err);
	if (!rc)
		rc = lw_simcompare_do(&compare, &trace, &specs, &repeat, false, err);
	if (!rc) {
		forecast_fill(&compare, was, ret_forecast);
		lw_simcompare_fini(&compare);
	}
	lw_simtrace_close(&trace);
	return rc;
}
