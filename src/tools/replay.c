/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway replay: a snapshot as text in, the plan as text out. */
#include "tools/tools.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "policy/policy.h"
#include "policy/text/text.h"
#include "policy/text/text_policy.h"
#include "tools/options.h"
#include "tools/output.h"

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
	int kind; /* -1: as the file says */
	double relax; /* below 0: the same */
	const char *file;
	int64_t relax_cap_s;
	bool has_cap;
	bool snapshot;
};

static int set_policy(void *arg, const char *name, const char *value, struct lw_error *err)
{
	struct options *o = arg;

	o->kind = lw_policy_kind_parse(value);
	if (o->kind >= 0)
		return 0;
	return lw_error_set(err, -EINVAL,
			    "--%s: \"%s\" is not fcfs, easy, relaxed, adaptive, leeway or "
			    "conservative",
			    name, value);
}

static int set_relax(void *arg, const char *name, const char *value, struct lw_error *err)
{
	const struct lw_text_word word = { value, strlen(value) };
	struct options *o = arg;

	if (lw_text_relax(&word, &o->relax))
		return 0;
	return lw_error_set(err, -EINVAL, "--%s: \"%s\" is not a share of 0 to 2", name, value);
}

static int read_options(int argc, char **argv, struct options *o, struct lw_error *err)
{
	const struct lw_option options[] = {
		{ "policy", 'p', .set = set_policy },
		{ "relax", 'r', .set = set_relax },
		{ "relax-cap", 'c', .duration_s = &o->relax_cap_s, .given = &o->has_cap },
		{ "snapshot", 's', .given = &o->snapshot },
		{ NULL },
	};
	int rc = lw_options_read(options, o, argc, argv, err);

	return rc ? rc : lw_options_word("snapshot", argc, argv, &o->file, err);
}

/* What the command line says goes before what the file says. */
static void apply_options(const struct options *options, struct lw_policy_params *params)
{
	if (options->kind >= 0)
		params->kind = (enum lw_policy_kind)options->kind;
	if (options->relax >= 0)
		params->relax = params->leeway.slack = options->relax;
	if (options->has_cap)
		params->relax_cap_s = params->leeway.slack_cap_s = options->relax_cap_s;
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
		apply_options(options, &params);
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
	struct options options = { .kind = -1, .relax = -1 };
	struct lw_error err = { "" };
	int rc;

	rc = read_options(argc, argv, &options, &err);
	if (rc)
		return lw_options_refused("replay", help, rc, &err);
	rc = lw_tools_read_text(options.file, &text, &err);
	if (!rc)
		rc = replay(&options, lw_strbuf_text(&text), &out, &err);
	if (!rc) {
		fwrite(lw_strbuf_text(&out), 1, out.len, stdout);
		rc = lw_output_flush(0, &err);
	}
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&out);
	return rc ? lw_tools_failed("replay", &err) : LW_TOOLS_OK;
}
