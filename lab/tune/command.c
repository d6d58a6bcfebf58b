/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway tune: its options, and the log that it reads. */
#include "lab/tune/tune.h"

#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"
#include "lab/analyse/analyse.h"
#include "lab/analyse/cluster.h"
#include "lab/sim/pool.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#define WEEK_S INT64_C(604800)
#define SAMPLE 100000

struct request {
	struct lw_ana_machine machine; /* first, for lw_ana_add_set() */
	const char *trace, *sacct, *bin, *json;
	int64_t since_s;
	struct lw_ana_options options;
	struct lw_tune_request tune;
	bool cluster;
};

static int read_options(struct request *request, int argc, char **argv, struct lw_error *err)
{
	bool has_since = false;
	const struct lw_option options[] = {
#include "lab/tune/tune_options.def"
	};
	int rc = lw_options_read(options, request, argc, argv, err);

	if (rc)
		return rc;
	if (argc - optind > 1)
		return lw_error_set(err, -EINVAL, "one trace, not \"%s\" as well",
				    argv[optind + 1]);
	request->trace = optind < argc ? argv[optind] : NULL;
	if ((request->trace != NULL) + (request->sacct != NULL) + request->cluster != 1)
		return lw_error_set(err, -EINVAL, "say a trace, --sacct FILE or --cluster");
	if (has_since && !request->cluster)
		return lw_error_set(err, -EINVAL, "--since: is of --cluster");
	if (!request->trace && (!request->machine.nodes || !request->machine.cpus_per_node))
		return lw_error_set(err, -EINVAL,
				    "sacct knows no machine: give --nodes, --cpus-per-node and, "
				    "if it has GPUs, --gpus-per-node");
	request->tune.sets = request->machine.sets;
	request->tune.set_count = request->machine.set_count;
	request->tune.at_once = request->machine.at_once;
	return lw_ana_what_if_check(&request->machine, err);
}

static int open_sacct(const struct request *request, struct lw_simtrace *trace,
		      struct lw_error *err)
{
	struct lw_simtrace_options wanted =
		lw_ana_trace_options(&request->machine, request->options.lenient);
	struct lw_ana_cluster cluster = { .fd = -1 };
	struct lw_ana_input input = { .path = NULL };
	int rc = request->cluster
			 ? lw_ana_cluster_ask(&cluster, request->bin, request->since_s, err)
			 : lw_ana_input_sacct(&input, request->sacct, &request->options, err);

	if (!rc && request->cluster)
		rc = lw_ana_input_cluster(&input, cluster.fd, &request->options, err);
	if (!rc) {
		lw_ana_input_print_notes(&input);
		wanted.jobs.group_as_user = input.accounts_as_users;
		rc = lw_ana_trace_of_sacct(trace, &input, &wanted, err);
	}
	lw_ana_input_fini(&input);
	lw_ana_cluster_fini(&cluster);
	return rc;
}

static int open_log(const struct request *request, struct lw_simtrace *trace,
		    struct lw_sample *ret_sample, struct lw_error *err)
{
	struct lw_simtrace_options wanted =
		lw_ana_trace_options(&request->machine, request->options.lenient);
	int rc = request->trace ? lw_simtrace_open(trace, request->trace, &wanted, err)
				: open_sacct(request, trace, err);

	if (rc)
		return rc;
	lw_simtrace_print_notes(trace);
	rc = trace->jobs.count ? lw_ana_check_fits(trace, err)
			       : lw_error_set(err, -ENODATA, "there is no job that ran");
	if (rc) {
		lw_simtrace_close(trace);
		return rc;
	}
	lw_sample_take(&trace->jobs,
		       request->machine.sample ? request->machine.sample : UINT32_MAX, ret_sample);
	return 0;
}

static int tune_run(struct request *request, struct lw_tune *tune, struct lw_error *err)
{
	struct lw_sample sample;
	struct lw_simtrace trace;
	int rc = lw_output_check(request->json, err);

	if (!rc)
		rc = open_log(request, &trace, &sample, err);
	if (rc)
		return rc;
	request->tune.sample = &sample;
	rc = lw_tune_do(tune, &trace, &request->tune, err);
	lw_simtrace_close(&trace);
	if (rc)
		return rc;
	if (!request->json || strcmp(request->json, "-") != 0) {
		lw_tune_print(tune, stdout);
		lw_tune_print_yaml(tune, stdout);
	}
	if (request->json)
		return lw_output_json(request->json,
				      lw_json_named("leeway.tune", lw_tune_json(tune)), err);
	return lw_output_flush(0, err);
}

int lw_tools_tune(int argc, char **argv)
{
	struct request request = { .since_s = 13 * WEEK_S,
				   .bin = "",
				   .machine = { .gpus_per_node = LW_SIM_NOT_SAID,
						.sample = SAMPLE,
						.at_once = lw_pool_processors() },
				   .tune.harm = 0.01 };
	struct lw_error err = { "" };
	struct lw_tune tune;
	int rc = read_options(&request, argc, argv, &err);

	if (rc)
		return lw_options_refused("tune", rc, &err);
	rc = tune_run(&request, &tune, &err);
	/* only the file could tell that it is none */
	return lw_tools_ended("tune", rc == -EINVAL || rc == -EDOM ? -EIO : rc, &err);
}
