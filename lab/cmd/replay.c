/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway replay: a snapshot as text in, the plan as text out. */
#include "cli/common/tools.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/common/options.h"
#include "cli/common/output.h"
#include "lab/cli_sim/sim.h"
#include "planner/policies/policy.h"
#include "planner/text/text.h"
#include "planner/text/text_policy.h"

struct options {
	int kind; /* -1: as the file says */
	double relax, slack; /* below 0: the same */
	const char *file;
	int64_t relax_cap_s, slack_cap_s;
	bool has_relax_cap, has_slack_cap;
	bool snapshot;
};

static int set_policy(void *arg, const char *name, const char *value, struct lw_error *err)
{
	struct options *o = arg;
	char list[LW_TOOLS_LIST];

	o->kind = lw_policy_kind_parse(value);
	if (o->kind >= 0)
		return 0;
	return lw_error_set(err, -EINVAL, "--%s: \"%s\" is not %s", name, value,
			    lw_tools_list(lw_policy_names(), "or", list));
}

static int read_share(const char *name, const char *value, double *ret_share, struct lw_error *err)
{
	const struct lw_text_word word = { value, strlen(value) };

	if (lw_text_relax(&word, ret_share))
		return 0;
	return lw_error_set(err, -EINVAL, "--%s: \"%s\" is not a share of 0 to 2", name, value);
}

static int set_relax(void *arg, const char *name, const char *value, struct lw_error *err)
{
	return read_share(name, value, &((struct options *)arg)->relax, err);
}

static int set_slack(void *arg, const char *name, const char *value, struct lw_error *err)
{
	return read_share(name, value, &((struct options *)arg)->slack, err);
}

static int read_options(int argc, char **argv, struct options *o, struct lw_error *err)
{
	const struct lw_option options[] = {
#include "lab/cmd/replay_options.def"
	};
	int rc = lw_options_read(options, o, argc, argv, err);

	return rc ? rc : lw_options_word("snapshot", argc, argv, &o->file, err);
}

/* What would be ignored is refused, as by leeway sim. */
static int check_slip(const struct options *options, enum lw_policy_kind kind,
		      struct lw_error *err)
{
	bool relax = options->relax >= 0 || options->has_relax_cap;
	bool slack = options->slack >= 0 || options->has_slack_cap;
	bool leeway = lw_policy_has(kind, LW_DEADLINES), slips = lw_policy_has(kind, LW_SLIPS);

	if (relax && (!slips || leeway))
		return lw_error_set(err, -EDOM, "--relax and --relax-cap are of relaxed and "
						"adaptive, and the policy is %s",
				    lw_policy_kind_name(kind));
	if (slack && !leeway)
		return lw_error_set(err, -EDOM, "--slack and --slack-cap are of leeway, and the "
						"policy is %s",
				    lw_policy_kind_name(kind));
	return 0;
}

/* What the command line says goes before what the file says. */
static int apply_options(const struct options *options, struct lw_policy_params *params,
			 struct lw_error *err)
{
	if (options->kind >= 0)
		params->kind = (enum lw_policy_kind)options->kind;
	if (options->relax >= 0)
		params->relax = options->relax;
	if (options->has_relax_cap)
		params->relax_cap_s = options->relax_cap_s;
	if (options->slack >= 0)
		params->slack = options->slack;
	if (options->has_slack_cap)
		params->slack_cap_s = options->slack_cap_s;
	return check_slip(options, params->kind, err);
}

static int print_plan(const struct lw_snapshot *snap,
		      const struct lw_policy_params *params, struct lw_strbuf *out,
		      struct lw_error *err)
{
	struct lw_policy *policy = NULL;
	struct lw_plan plan;
	int rc;

	lw_plan_init(&plan);
	rc = lw_policy_create(params, NULL, &policy);
	if (!rc)
		rc = lw_policy_cycle(policy, snap, &plan);
	if (!rc)
		lw_plan_print(&plan, snap, out);
	lw_plan_fini(&plan);
	lw_policy_destroy(policy);
	return rc ? lw_error_set(err, rc, "out of memory") : 0;
}

static int replay(const struct options *options, const char *text, struct lw_strbuf *out,
		  struct lw_error *err)
{
	struct lw_policy_params params;
	struct lw_snapshot snap;
	int rc;

	lw_policy_params_default(&params);
	rc = lw_snapshot_parse(&snap, options->file, text, err);
	if (rc)
		return rc;
	rc = lw_policy_params_parse(options->file, text, err, &params);
	if (!rc)
		rc = apply_options(options, &params, err);
	if (!rc && options->snapshot) {
		lw_snapshot_print(&snap, out);
		lw_policy_params_print(&params, out);
	} else if (!rc) {
		rc = print_plan(&snap, &params, out, err);
	}
	lw_snapshot_fini(&snap);
	if (!rc && out->error)
		rc = lw_error_set(err, out->error, "out of memory");
	return rc;
}

int lw_tools_replay(int argc, char **argv)
{
	struct lw_strbuf text = LW_STRBUF_INIT, out = LW_STRBUF_INIT;
	struct options options = { .kind = -1, .relax = -1, .slack = -1 };
	struct lw_error err = { "" };
	int rc;

	rc = read_options(argc, argv, &options, &err);
	if (rc)
		return lw_options_refused("replay", rc, &err);
	rc = lw_tools_read_text(options.file, &text, &err);
	if (!rc)
		rc = replay(&options, lw_strbuf_text(&text), &out, &err);
	if (!rc) {
		fwrite(lw_strbuf_text(&out), 1, out.len, stdout);
		rc = lw_output_flush(0, &err);
	}
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&out);
	if (rc == -EDOM)
		return lw_tools_usage("replay", "%s", err.text);
	return rc ? lw_tools_failed("replay", &err) : LW_TOOLS_OK;
}
