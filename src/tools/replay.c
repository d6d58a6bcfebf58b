/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway replay: a snapshot as text in, the plan as text out. */
#include "tools/tools.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/policy.h"
#include "policy/text/text.h"
#include "policy/text/text_policy.h"

static const char help[] =
	"usage: leeway replay [OPTION...] FILE\n"
	"Plan the moment that FILE, an lw-snapshot(5) text, describes and print the\n"
	"plan as lw-plan(5) text. FILE may be - for the standard input.\n"
	"  -p, --policy=NAME     fcfs, easy, relaxed, adaptive, leeway or conservative; instead\n"
	"                        of what FILE says\n"
	"  -r, --relax=SHARE     how far a promise may slip, 0 to 2 (0.1: a tenth of its wait)\n"
	"  -c, --relax-cap=TIME  but no further than this, such as 12h\n"
	"  -s, --snapshot        print the snapshot as it was read, and no plan\n"
	"  -h, --help            print this\n";

struct options {
	const char *policy; /* NULL: as the file says */
	const char *relax;
	const char *file;
	int64_t relax_cap_s;
	bool has_cap;
	bool snapshot;
	bool help;
};

static int set_option(struct options *options, int c, struct lw_error *err)
{
	switch (c) {
	case 'p':
		options->policy = optarg;
		return 0;
	case 'r':
		options->relax = optarg;
		return 0;
	case 'c':
		options->has_cap = true;
		return lw_tools_read_duration("relax-cap", optarg, &options->relax_cap_s, err);
	case 's':
		options->snapshot = true;
		return 0;
	case 'h':
		options->help = true;
		return 0;
	default:
		return lw_error_set(err, -EINVAL, "bad option");
	}
}

static int read_options(int argc, char **argv, struct options *options, struct lw_error *err)
{
	static const struct option longs[] = {
		{ "policy", required_argument, NULL, 'p' },
		{ "relax", required_argument, NULL, 'r' },
		{ "relax-cap", required_argument, NULL, 'c' },
		{ "snapshot", no_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, rc;

	while ((c = getopt_long(argc, argv, "p:r:c:sh", longs, NULL)) != -1) {
		rc = set_option(options, c, err);
		if (rc || options->help)
			return rc;
	}
	if (argc - optind != 1)
		return lw_error_set(err, -EINVAL, "name one snapshot");
	options->file = argv[optind];
	return 0;
}

/* What the command line says goes before what the file says. */
static int apply_options(const struct options *options, struct lw_policy_params *params,
			 struct lw_error *err)
{
	struct lw_text_word relax = { options->relax, 0 };
	int kind;

	if (options->policy) {
		kind = lw_policy_kind_parse(options->policy);
		if (kind < 0)
			return lw_error_set(
				err, -EINVAL,
				"--policy: \"%s\" is not fcfs, easy, relaxed, adaptive, leeway "
				"or conservative",
				options->policy);
		params->kind = (enum lw_policy_kind)kind;
	}
	if (options->relax) {
		relax.len = strlen(options->relax);
		if (!lw_text_relax(&relax, &params->relax))
			return lw_error_set(err, -EINVAL,
					    "--relax: \"%s\" is not a share of 0 to 2",
					    options->relax);
		params->leeway.slack = params->relax;
	}
	if (options->has_cap)
		params->relax_cap_s = params->leeway.slack_cap_s = options->relax_cap_s;
	return 0;
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
	struct options options = { 0 };
	struct lw_error err = { "" };
	int rc;

	if (read_options(argc, argv, &options, &err))
		return lw_tools_usage("replay", "%s", err.text);
	if (options.help) {
		fputs(help, stdout);
		return LW_TOOLS_OK;
	}
	rc = lw_tools_read_text(options.file, &text, &err);
	if (!rc)
		rc = replay(&options, lw_strbuf_text(&text), &out, &err);
	if (!rc) {
		fwrite(lw_strbuf_text(&out), 1, out.len, stdout);
		rc = lw_tools_close_output(stdout, NULL, 0, &err);
	}
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&out);
	return rc ? lw_tools_failed("replay", &err) : LW_TOOLS_OK;
}
