/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway watch report: the page, and the same as JSON. */
#include "lab/watch/watch.h"

#include "cli/common/output.h"

#include <inttypes.h>
#include <math.h>

static void print_waits(const struct lw_watch_report *report, FILE *out)
{
	const struct lw_watch_was *was = &report->was;
	const struct lw_watch_forecast *f = &report->forecast;

	fprintf(out, "%-20s %10s %16s %10s\n", "", "measured", "simulated stock", "forecast");
	fprintf(out, "%-20s %10s %16s %10s", "mean wait", lw_ana_seconds(was->wait_s),
		lw_ana_seconds(f->stock_s), lw_ana_seconds(f->wait_s));
	if (isfinite(f->most_s))
		fprintf(out, "  (%s to %s)", lw_ana_seconds(f->least_s),
			lw_ana_seconds(f->most_s));
	fprintf(out, "\n");
	fprintf(out, "%-20s %10s %16s %10s\n\n", "99th percentile", lw_ana_seconds(was->p99_s),
		lw_ana_seconds(f->stock_p99_s), lw_ana_seconds(f->p99_s));
}

static void print_calibration(const struct lw_watch_report *report, FILE *out)
{
	double near = lw_share(report->forecast.stock_s, report->was.wait_s);

	fprintf(out,
		"Stock is a model of Slurm's main loop and backfill. Its mean wait is %s of the "
		"measured one.\n",
		lw_ana_percent(near));
	if (!isnan(report->forecast.wait_s))
		fprintf(out, "The forecast is the measured wait, times the simulated wait under "
			     "Leeway by that under stock.\n");
	else if (near < 1)
		fprintf(out, "That is too far off for a forecast. Something made jobs wait that "
			     "the simulation does not know:\nlimits of QOS and accounts, "
			     "dependencies, reservations, or nodes that were down.\n");
	else
		fprintf(out, "That is too far off for a forecast. The cluster is larger than "
			     "simulated (--nodes, --cpus-per-node,\n--gpus-per-node), or its jobs "
			     "have shorter limits than sacct knows.\n");
}

static void print_harm(const struct lw_watch_forecast *f, FILE *out)
{
	fprintf(out, "In the first of %d simulations:\n", LW_WATCH_SHAKES);
	if (f->longer > 0)
		fprintf(out, "  %s of the jobs would wait over an hour longer, the worst %s.\n",
			lw_ana_percent(f->longer), lw_ana_seconds(f->longer_max_s));
	else
		fprintf(out, "  No job would wait over an hour longer.\n");
	if (f->users.longer)
		fprintf(out,
			"  %" PRIu32 " of %" PRIu32 " users would wait over a minute longer in "
			"the mean, the worst by %s.\n",
			f->users.longer, f->users.count, lw_ana_seconds(f->users.worst_s));
	else
		fprintf(out, "  No user would wait over a minute longer in the mean.\n");
	fprintf(out, "Promised starts: %.0f, kept %.0f, broken %.0f.\n", f->promised, f->kept,
		f->broken);
}

static void print_cost(const struct lw_watch_cost *cost, FILE *out)
{
	double plan_ms = 1000 * (cost->read_s + cost->think_s + cost->apply_s) / cost->cycles;
	double lock_ms = 1000 * (cost->lock_read_s + cost->lock_apply_s) / cost->cycles;

	fprintf(out, "\nIn slurmctld, since it started:\n  %.0f plans", cost->cycles);
	if (isfinite(plan_ms) && isfinite(lock_ms))
		fprintf(out, ", %.1f ms of planning and %.1f ms of Slurm's locks each", plan_ms,
			lock_ms);
	fprintf(out, "\n");
	if (cost->sooner + cost->alike > 0)
		fprintf(out,
			"  %s of the starts were later than a plan of Leeway's, by %s in the "
			"mean\n",
			lw_ana_percent(lw_share(cost->sooner, cost->sooner + cost->alike)),
			lw_ana_seconds(lw_share(cost->sooner_s, cost->sooner)));
	if (cost->handovers > 0)
		fprintf(out, "  Leeway gave up planning %s: the log says why\n",
			lw_ana_count(cost->handovers, "time"));
}

void lw_watch_print(const struct lw_watch_report *report, FILE *out)
{
	fprintf(out, "Jobs that ran: %" PRIu32 ". Jobs simulated: %" PRIu32 ".\n\n",
		report->was.jobs, report->forecast.jobs);
	print_waits(report, out);
	if (report->was.wait_s < 60)
		fprintf(out, "Jobs waited less than a minute: there is nothing to gain.\n");
	else
		print_calibration(report, out);
	if (!isnan(report->forecast.wait_s))
		print_harm(&report->forecast, out);
	if (report->has_cost)
		print_cost(&report->cost, out);
}

static json_t *make_cost(const struct lw_watch_cost *cost)
{
	return json_pack("{so, so, so, so, so, so, so}", "cycles", lw_output_real(cost->cycles),
			 "planning_s",
			 lw_output_real(cost->read_s + cost->think_s + cost->apply_s), "lock_s",
			 lw_output_real(cost->lock_read_s + cost->lock_apply_s), "starts_sooner",
			 lw_output_real(cost->sooner), "starts_alike",
			 lw_output_real(cost->alike), "sooner_s", lw_output_real(cost->sooner_s),
			 "handovers", lw_output_real(cost->handovers));
}

json_t *lw_watch_json(const struct lw_watch_report *report)
{
	const struct lw_watch_was *was = &report->was;
	const struct lw_watch_forecast *f = &report->forecast;
	json_t *measured =
		json_pack("{sI, so, so}", "jobs", (json_int_t)was->jobs, "wait_mean_s",
			  lw_output_real(was->wait_s), "wait_p99_s", lw_output_real(was->p99_s));
	json_t *simulated = json_pack("{sI, so, so, so}", "jobs", (json_int_t)f->jobs,
				      "stock_wait_mean_s", lw_output_real(f->stock_s),
				      "stock_wait_p99_s", lw_output_real(f->stock_p99_s),
				      "leeway_wait_mean_s", lw_output_real(f->leeway_s));
	json_t *forecast =
		json_pack("{so, so, so, so}", "wait_mean_s", lw_output_real(f->wait_s),
			  "wait_mean_least_s", lw_output_real(f->least_s), "wait_mean_most_s",
			  lw_output_real(f->most_s), "wait_p99_s", lw_output_real(f->p99_s));
	json_t *harm =
		json_pack("{so, so, sI, sI, so}", "longer_share", lw_output_real(f->longer),
			  "longer_max_s", lw_output_real(f->longer_max_s), "users",
			  (json_int_t)f->users.count, "users_longer", (json_int_t)f->users.longer,
			  "users_longer_max_s", lw_output_real(f->users.worst_s));
	json_t *promises =
		json_pack("{so, so, so}", "made", lw_output_real(f->promised), "kept",
			  lw_output_real(f->kept), "broken", lw_output_real(f->broken));

	/* of a simulation that is too far off nothing else is told either */
	if (isnan(f->wait_s)) {
		json_decref(harm);
		json_decref(promises);
		harm = json_null();
		promises = json_null();
	}
	return json_pack("{so, so, so, so, so, so}", "measured", measured, "simulated", simulated,
			 "forecast", forecast, "harm", harm, "promises", promises, "cost",
			 report->has_cost ? make_cost(&report->cost) : json_null());
}
