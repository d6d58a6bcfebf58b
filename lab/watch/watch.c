/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway watch report: after some days of sched.mode=watch, what Leeway would bring. */
#include "lab/watch/watch.h"

#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/origin.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "lab/analyse/cluster.h"
#include "lab/sim/pool.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#define WEEK_S INT64_C(604800)

struct request {
	struct lw_ana_machine machine; /* first, for lw_ana_add_set() */
	const char *sacct, *bin, *metrics, *json, *config;
	int64_t since_s;
	struct lw_ana_options options;
	bool cluster;
};

static int read_options(struct request *request, int argc, char **argv, struct lw_error *err)
{
	bool has_since = false;
	const struct lw_option options[] = {
#include "lab/watch/watch_options.def"
	};
	int rc = lw_options_read(options, request, argc, argv, err);

	if (!rc && optind < argc)
		rc = lw_error_set(err, -EINVAL, "%s: is no option", argv[optind]);
	if (rc)
		return rc;
	if (request->cluster == (request->sacct != NULL))
		return lw_error_set(err, -EINVAL, "say either --cluster or --sacct FILE");
	if (has_since && !request->cluster)
		return lw_error_set(err, -EINVAL, "--since: is of --cluster");
	if (!request->machine.nodes || !request->machine.cpus_per_node)
		return lw_error_set(err, -EINVAL,
				    "sacct knows no machine: give --nodes, --cpus-per-node and, "
				    "if it has GPUs, --gpus-per-node");
	return lw_ana_what_if_check(&request->machine, err);
}

static int fill(const struct request *request, const struct lw_ana_input *input,
		struct lw_watch_report *report, struct lw_error *err)
{
	int rc = lw_watch_was_of(&input->log, &report->was);

	if (rc)
		return lw_error_set(err, rc, "out of memory");
	if (!report->was.jobs)
		return lw_error_set(err, -ENODATA, "%s: of no job it is known how long it waited",
				    input->path);
	return lw_watch_forecast_of(input, &request->machine,
				    &(struct lw_watch_how){ .config = request->config,
							    .lenient = request->options.lenient },
				    &report->was, &report->forecast, err);
}

static int read_input(const struct request *request, struct lw_ana_cluster *cluster,
		      struct lw_ana_input *input, struct lw_error *err)
{
	int rc;

	if (request->sacct)
		return lw_ana_input_sacct(input, request->sacct, &request->options, err);
	rc = lw_ana_cluster_ask(cluster, request->bin, request->since_s, err);
	return rc ? rc : lw_ana_input_cluster(input, cluster->fd, &request->options, err);
}

static int report_all(const struct request *request, struct lw_ana_input *input,
		      struct lw_watch_report *report, struct lw_error *err)
{
	struct lw_ana_cluster cluster = { .fd = -1 };
	int rc = lw_output_check(request->json, err);

	report->has_cost = request->metrics != NULL;
	if (!rc && request->metrics)
		rc = lw_watch_cost_read(request->metrics, &report->cost, err);
	if (!rc)
		rc = read_input(request, &cluster, input, err);
	if (!rc) {
		lw_ana_input_print_notes(input);
		rc = fill(request, input, report, err);
	}
	lw_ana_cluster_fini(&cluster);
	return rc;
}

static int watch_report(const struct request *request, struct lw_error *err)
{
	struct lw_watch_report report = { .has_cost = false };
	struct lw_ana_input input = { .path = NULL };
	int rc = report_all(request, &input, &report, err);

	lw_ana_input_fini(&input);
	if (rc)
		return rc;
	if (!request->json || strcmp(request->json, "-") != 0)
		lw_watch_print(&report, stdout);
	if (request->json)
		return lw_output_json(request->json,
				      lw_json_named("leeway.watch", lw_watch_json(&report)), err);
	return lw_output_flush(0, err);
}

int lw_tools_watch(int argc, char **argv)
{
	struct request request = { .since_s = WEEK_S,
				   .bin = "",
				   .machine = { .gpus_per_node = LW_SIM_NOT_SAID,
						.at_once = lw_pool_processors() } };
	const char *verb = argc > 1 ? argv[1] : "";
	bool reports = strcmp(verb, "report") == 0;
	struct lw_error err = { "" };
	int rc;

	if (!reports && (!*verb || verb[0] != '-'))
		return lw_tools_usage("watch", *verb ? "\"%s\" is not report" : "say report",
				      verb);
	rc = read_options(&request, argc - reports, argv + reports, &err);
	lw_origin_begin(argc, argv);
	if (rc)
		return lw_options_refused("watch", rc, &err);
	if (!reports)
		return lw_tools_usage("watch", "say report");
	rc = watch_report(&request, &err);
	/* only the file could tell that it is none */
	return lw_tools_ended("watch", rc == -EINVAL || rc == -EDOM ? -EIO : rc, &err);
}
