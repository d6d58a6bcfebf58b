/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway train: make a net that orders jobs, or holds some back. */
#include "cli/common/tools.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/common/options.h"
#include "cli/common/output.h"
#include "lab/cli_sim/sim.h"
#include "lab/sim/model_file.h"
#include "lab/sim/pool.h"
#include "lab/sim/train.h"

struct request {
	enum lw_net_kind kind;
	const char *trace, *output, *order;
	uint32_t pass, range[2], seed, length, rounds, pairs, sequences, checks, at_once;
	int64_t inspect_cap_s;
	struct lw_simtrace_options options;
	bool quiet, caps;
};

static const char *const passes[] = { "nobody", "fcfs", "order", NULL };
static const enum lw_published rules[] = { LW_PUBLISHED_NONE, LW_PUBLISHED_FCFS,
					   LW_PUBLISHED_ORDER };

/* Orders that need no history. */
static bool may_train_on(enum lw_order order)
{
	return !lw_order_needs(order, LW_NEEDS_ATTAINED | LW_NEEDS_SURVIVAL);
}

static const char *order_names(void)
{
	static char names[LW_TOOLS_LIST];

	names[0] = '\0';
	for (unsigned order = 0; order < LW_ORDER_COUNT; order++) {
		if (!may_train_on((enum lw_order)order))
			continue;
		if (*names)
			strcat(names, " ");
		strcat(names, lw_order_name((enum lw_order)order));
	}
	return names;
}

/* What is to be done with a net of that kind unless something else is said. */
static void set_defaults(struct request *request, enum lw_net_kind kind)
{
	struct lw_train train;

	lw_train_default(&train, kind);
	request->kind = kind;
	request->order = kind == LW_NET_ORDER ? "saf" : "sjf";
	request->pass = kind == LW_NET_ORDER ? 1 : 0;
	request->seed = (uint32_t)train.seed;
	request->length = train.length;
	request->rounds = train.rounds;
	request->pairs = train.pairs;
	request->sequences = train.sequences;
	request->checks = train.checks;
	request->at_once = lw_pool_processors();
	request->inspect_cap_s = train.arena.nets.inspect_cap_s;
}

static int check_options(struct request *request, struct lw_error *err)
{
	int order = lw_order_parse(request->order);
	char list[LW_TOOLS_LIST];

	if (order < 0 || !may_train_on((enum lw_order)order))
		return lw_error_set(err, -EINVAL, "--order: \"%s\" is not %s", request->order,
				    lw_tools_list(order_names(), "or", list));
	if (request->caps && request->kind == LW_NET_ORDER)
		return lw_error_set(err, -EINVAL, "--inspect-cap is of an inspector");
	if (!request->output)
		return lw_error_set(err, -EINVAL, "where to? Give -o FILE");
	request->options.jobs.first_job = request->range[0];
	request->options.jobs.last_job = request->range[1];
	return 0;
}

static int read_options(struct request *request, int argc, char **argv, struct lw_error *err)
{
	const struct lw_option options[] = {
#include "lab/cmd/train_options.def"
	};
	int rc = lw_options_read(options, request, argc, argv, err);

	if (!rc)
		rc = lw_options_word("trace", argc, argv, &request->trace, err);
	return rc ? rc : check_options(request, err);
}

/* How far it is: on a terminal a bar, else a line now and then. */
struct stand {
	struct lw_progress bar;
	const struct request *request;
};

static void told(void *arg, const struct lw_train_score *score)
{
	struct stand *stand = arg;
	char detail[96];

	snprintf(detail, sizeof(detail), "held-out slowdown %.2f, without the net %.2f",
		 score->with, score->without);
	lw_progress_show(&stand->bar, (double)score->round / stand->request->rounds, detail);
	if (!stand->request->quiet && !stand->bar.on)
		fprintf(stderr, "round %" PRIu32 " of %" PRIu32 ": %s\n", score->round,
			stand->request->rounds, detail);
}

static void describe(const struct request *request, const struct lw_simtrace *trace,
		     const struct lw_train_score *score, struct lw_model *model)
{
	const struct lw_tracejobs *jobs = &trace->jobs;

	strcpy(model->order, request->order);
	strcpy(model->rule, passes[request->pass]);
	memcpy(model->trace, trace->sha256, sizeof(model->trace));
	model->first_job = request->range[0] ? request->range[0] : 1;
	model->last_job = request->range[1] ? request->range[1]
					    : model->first_job + jobs->count - 1;
	model->seed = request->seed;
	model->length = request->length;
	model->rounds = request->rounds;
	model->without = (uint64_t)(100 * score->without + 0.5);
	model->with = (uint64_t)(100 * score->with + 0.5);
}

static int train_on(const struct request *request, const struct lw_simtrace *trace,
		    struct lw_model *model, struct lw_error *err)
{
	struct stand stand = { .request = request };
	struct lw_train_score score;
	struct lw_train train;
	int rc;

	lw_train_default(&train, request->kind);
	train.arena.cpus = trace->machine.pool;
	train.arena.rule = rules[request->pass];
	train.arena.params.order = (enum lw_order)lw_order_parse(request->order);
	train.arena.nets.inspect_cap_s = request->inspect_cap_s;
	train.jobs = trace->jobs.jobs;
	train.count = trace->jobs.count;
	train.seed = request->seed;
	train.length = request->length;
	train.rounds = request->rounds;
	train.pairs = request->pairs;
	train.sequences = request->sequences;
	train.checks = request->checks;
	train.at_once = request->at_once;
	lw_progress_begin(&stand.bar, lw_net_kind_name(request->kind));
	rc = lw_train_run(&train, told, &stand, &model->net, &score, err);
	lw_progress_end(&stand.bar);
	if (rc == -EINVAL)
		return lw_error_set(err, rc,
				    "%s: %" PRIu32 " jobs are too few: the held-out fifth must "
				    "have more than a sequence of %" PRIu32 "; give --length",
				    trace->path, trace->jobs.count, request->length);
	if (rc)
		return rc;
	describe(request, trace, &score, model);
	return 0;
}

static int write_model(const struct request *request, const struct lw_model *model,
		       struct lw_error *err)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc = lw_model_print(model, &text);

	if (rc) {
		lw_strbuf_fini(&text);
		return lw_error_set(err, rc, "out of memory");
	}
	return lw_output_text(request->output, &text, err);
}

static int train(const struct request *request, struct lw_error *err)
{
	struct lw_simtrace trace;
	struct lw_model model;
	int rc = lw_output_check(request->output, err);

	memset(&model, 0, sizeof(model));
	if (!rc)
		rc = lw_simtrace_open(&trace, request->trace, &request->options, err);
	if (rc)
		return rc;
	if (!request->quiet)
		lw_simtrace_print_notes(&trace);
	if (trace.machine.nodes)
		rc = lw_error_set(err, -EINVAL,
				  "%s: a workload on nodes: give a trace (SWF), since nets are "
				  "trained on one pool of processors",
				  request->trace);
	if (!rc)
		rc = train_on(request, &trace, &model, err);
	if (!rc)
		rc = write_model(request, &model, err);
	lw_simtrace_close(&trace);
	return rc;
}

int lw_tools_train(int argc, char **argv)
{
	const struct lw_machine nothing = { .gpus_per_node = LW_SIM_NOT_SAID,
					    .mem_mib_per_node = LW_SIM_NOT_SAID };
	struct request request = { .options.jobs.machine = nothing,
				   .options.allow_dropped = true };
	const char *verb = argc > 1 ? argv[1] : "";
	bool orders = strcmp(verb, "order") == 0;
	bool known = orders || strcmp(verb, "inspector") == 0;
	struct lw_error err = { "" };
	int rc;

	if (!known && (!*verb || verb[0] != '-'))
		return lw_tools_usage("train", *verb ? "\"%s\" is not order or inspector"
						     : "say order or inspector", verb);
	set_defaults(&request, known && !orders ? LW_NET_INSPECTOR : LW_NET_ORDER);
	rc = read_options(&request, argc - known, argv + known, &err);
	if (rc)
		return lw_options_refused("train", rc, &err);
	if (!known)
		return lw_tools_usage("train", "say order or inspector");
	return train(&request, &err) ? lw_tools_failed("train", &err) : LW_TOOLS_OK;
}
