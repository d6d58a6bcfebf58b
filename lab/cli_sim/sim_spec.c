/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: what to simulate, as text. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/tools.h"
#include "lab/sim/place_stock.h"

const char lw_sim_policies[] =
#define LW_POLICY(id, name, traits, help) #name " "
#include "planner/model/policies.def"
	"clairvoyant published published-adaptive published-rl published-rl-fcfs "
	"published-rl-order";
const char lw_sim_orders[] =
#define LW_ORDER(id, name, needs, help) #name " "
#include "planner/model/orders.def"
	"learned";

static int set_policy(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	int kind = lw_policy_kind_parse(value);
	char list[LW_TOOLS_LIST];

	if (kind < 0)
		return lw_error_set(err, -EINVAL, "there is no policy \"%s\"; there are %s", value,
				    lw_tools_list(lw_sim_policies, "and", list));
	spec->policy.kind = (enum lw_policy_kind)kind;
	return 0;
}

static int set_runtime(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	int predictor = lw_predictor_parse(value);

	if (predictor < 0)
		return lw_error_set(err, -EINVAL,
				    "--runtime: \"%s\" is not user, exact, last2 or predicted",
				    value);
	spec->runtime = (enum lw_predictor)predictor;
	return 0;
}

static int set_order(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	int order = strcmp(value, "learned") ? lw_order_parse(value) : LW_ORDER_OUTSIDE;
	char list[LW_TOOLS_LIST];

	if (order < 0)
		return lw_error_set(err, -EINVAL, "--order: \"%s\" is not %s", value,
				    lw_tools_list(lw_sim_orders, "or", list));
	spec->policy.order = (enum lw_order)order;
	return 0;
}

static int set_order_age(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	return lw_tools_read_duration("order-age", value, &spec->policy.order_age_s, err);
}

static int set_las_threshold(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	return lw_tools_read_duration("las-threshold", value, &spec->policy.las_threshold_s, err);
}

static int set_inspector(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	spec->inspects = strcmp(value, "learned") == 0;
	if (!spec->inspects && strcmp(value, "off") != 0)
		return lw_error_set(err, -EINVAL, "--inspector: \"%s\" is not learned or off",
				    value);
	return 0;
}

static int set_inspect_cap(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	return lw_tools_read_duration("inspect-cap", value, &spec->nets.inspect_cap_s, err);
}

static int set_backfill_order(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	int order = lw_backfill_order_parse(value);

	if (order < 0)
		return lw_error_set(err, -EINVAL,
				    "--backfill-order: \"%s\" is not priority or shortest",
				    value);
	spec->policy.backfill_order = (enum lw_backfill_order)order;
	return 0;
}

static int read_switch(const char *key, const char *value, bool *ret_on, struct lw_error *err)
{
	if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
		return lw_error_set(err, -EINVAL, "--%s: \"%s\" is not yes or no", key, value);
	*ret_on = strcmp(value, "yes") == 0;
	return 0;
}

static int set_hold(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	return read_switch("hold", value, &spec->policy.leeway.hold, err);
}

static int set_keep_promises(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	return read_switch("keep-promises", value, &spec->policy.keep_promises, err);
}

static int set_patience(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	if (!lw_policy_has(spec->policy.kind, LW_DEADLINES))
		return lw_error_set(err, -EINVAL, "--patience is of leeway, not of %s",
				    lw_policy_kind_name(spec->policy.kind));
	return lw_tools_read_real("patience", value, 0, 2, &spec->policy.leeway.patience, err);
}

static int set_placement(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	spec->choose = strcmp(value, "stock") == 0 ? lw_place_as_stock : NULL;
	if (!spec->choose && strcmp(value, "leeway") != 0)
		return lw_error_set(err, -EINVAL, "--placement: \"%s\" is not leeway or stock",
				    value);
	return 0;
}

static int set_chain(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	int mode = lw_chain_mode_parse(value);

	if (mode < 0)
		return lw_error_set(err, -EINVAL, "--chain: \"%s\" is not on, off or start-rule",
				    value);
	spec->chain = (enum lw_chain_mode)mode;
	return 0;
}

static int set_deadlines(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	int deadlines = lw_deadlines_parse(value);

	if (deadlines < 0)
		return lw_error_set(err, -EINVAL,
				    "--deadlines: \"%s\" is not off, order or guard", value);
	spec->policy.deadlines = (enum lw_deadlines)deadlines;
	return 0;
}

static int set_type(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	int types = lw_types_parse(value);

	if (types < 0)
		return lw_error_set(err, -EINVAL, "--type: \"%s\" is not any, finish or fair",
				    value);
	spec->policy.types = (enum lw_types)types;
	return 0;
}

static int set_energy(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	spec->policy.energy = strcmp(value, "on") == 0;
	if (!spec->policy.energy && strcmp(value, "off") != 0)
		return lw_error_set(err, -EINVAL, "--energy-choice: \"%s\" is not on or off",
				    value);
	return 0;
}

static int set_energy_slack(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	return lw_tools_read_real("energy-slack", value, 0, 2, &spec->policy.energy_slack, err);
}

static int set_preempt(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	return lw_tools_read_duration("preempt", value, &spec->preempt_s, err);
}

static int set_chain_share(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	return lw_tools_read_real("chain-share", value, 0, 1, &spec->policy.chain_share, err);
}

static int set_chain_total(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	return lw_tools_read_real("chain-total", value, 0, 1, &spec->policy.chain_total, err);
}

static int set_chain_min(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	return lw_tools_read_duration("chain-min", value, &spec->policy.chain_min_s, err);
}

static int set_gang_wait(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	return lw_tools_read_duration("gang-wait", value, &spec->policy.gang_wait_s, err);
}

static int set_relax(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	return lw_tools_read_real("relax", value, 0, 2, &spec->policy.relax, err);
}

static int set_relax_cap(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	return lw_tools_read_duration("relax-cap", value, &spec->policy.relax_cap_s, err);
}

static int set_slack(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	return lw_tools_read_real("slack", value, 0, 2, &spec->policy.leeway.slack, err);
}

static int set_slack_cap(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	return lw_tools_read_duration("slack-cap", value, &spec->policy.leeway.slack_cap_s, err);
}

static int set_share(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	int mode = lw_share_mode_parse(value);

	if (mode < 0)
		return lw_error_set(err, -EINVAL, "--share: \"%s\" is not off, slice or mps",
				    value);
	spec->sharing.rule = lw_share_rule_default((enum lw_share_mode)mode);
	spec->sharing.shortest = lw_policy_has(spec->policy.kind, LW_PREDICTS) ||
				 !lw_queue_is_given(&spec->policy);
	return 0;
}

static int set_share_by(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	int way = lw_sharing_way_parse(value);
	char list[LW_TOOLS_LIST];

	if (way < 0)
		return lw_error_set(err, -EINVAL, "--share-by: \"%s\" is not %s", value,
				    lw_tools_list(lw_sharing_way_names(), "or", list));
	spec->sharing.way = (enum lw_sharing_way)way;
	return 0;
}

/* Thousandths, whichever of both counts. */
static int set_share_below(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	double share = 0;
	int rc = lw_tools_read_real("share-below", value, 0, 2, &share, err);

	if (rc)
		return rc;
	if (spec->sharing.rule.mode == LW_SHARE_OFF)
		return lw_error_set(err, -EINVAL, "--share-below stands behind --share");
	spec->sharing.rule.sm_below = spec->sharing.rule.util_max = (uint32_t)(1000 * share + 0.5);
	return 0;
}

static int set_share_part(struct lw_simspec *spec, const char *value, struct lw_error *err)
{
	double share = 0;
	int rc = lw_tools_read_real("share-part", value, 0, 1, &share, err);

	if (!rc)
		spec->sharing.part_below = (uint32_t)(1000 * share + 0.5);
	return rc;
}

/* Which policies have the option. */
enum slip { ANY, RELAXES, SLACKENS };

static const struct {
	const char *key;
	int (*set)(struct lw_simspec *spec, const char *value, struct lw_error *err);
	enum slip slip;
} setters[] = {
	{ "runtime", set_runtime, ANY },
	{ "order", set_order, ANY },
	{ "order-age", set_order_age, ANY },
	{ "las-threshold", set_las_threshold, ANY },
	{ "inspector", set_inspector, ANY },
	{ "inspect-cap", set_inspect_cap, ANY },
	{ "backfill-order", set_backfill_order, ANY },
	{ "hold", set_hold, ANY },
	{ "keep-promises", set_keep_promises, ANY },
	{ "patience", set_patience, ANY },
	{ "placement", set_placement, ANY },
	{ "chain", set_chain, ANY },
	{ "deadlines", set_deadlines, ANY },
	{ "type", set_type, ANY },
	{ "energy-choice", set_energy, ANY },
	{ "energy-slack", set_energy_slack, ANY },
	{ "preempt", set_preempt, ANY },
	{ "chain-share", set_chain_share, ANY },
	{ "chain-total", set_chain_total, ANY },
	{ "chain-min", set_chain_min, ANY },
	{ "gang-wait", set_gang_wait, ANY },
	{ "share", set_share, ANY },
	{ "share-by", set_share_by, ANY },
	{ "share-below", set_share_below, ANY },
	{ "share-part", set_share_part, ANY },
	{ "relax", set_relax, RELAXES },
	{ "relax-cap", set_relax_cap, RELAXES },
	{ "slack", set_slack, SLACKENS },
	{ "slack-cap", set_slack_cap, SLACKENS },
};

/* What would be ignored is refused: KEY, of how far promises slip, is another policy's. */
static int check_slip(const struct lw_simspec *spec, const char *key, enum slip slip,
		      struct lw_error *err)
{
	bool leeway = lw_policy_has(spec->policy.kind, LW_DEADLINES);
	const char *of = slip == RELAXES ? "relaxed and adaptive" : "leeway";
	bool slips = lw_policy_has(spec->policy.kind, LW_SLIPS);

	if (slip == ANY || (slips && leeway == (slip == SLACKENS)))
		return 0;
	if (!slips)
		return lw_error_set(err, -EINVAL,
				    "--%s: no promise slips under %s; the option is of %s", key,
				    lw_policy_kind_name(spec->policy.kind), of);
	return lw_error_set(err, -EINVAL, "--%s is of %s: with %s give --%s%s", key, of,
			    lw_policy_kind_name(spec->policy.kind), leeway ? "slack" : "relax",
			    strstr(key, "-cap") ? "-cap" : "");
}

/* The label says so as well, as far as it has room, unless the user gave it. */
static void add_setting(struct lw_simspec *spec, const char *key, const char *value)
{
	bool same = strcmp(spec->label, spec->settings) == 0;
	size_t used = strlen(spec->settings);

	snprintf(spec->settings + used, sizeof(spec->settings) - used, ":%s=%s", key, value);
	if (same)
		snprintf(spec->label, sizeof(spec->label), "%.*s", (int)sizeof(spec->label) - 1,
			 spec->settings);
}

const char *lw_simspec_note(const struct lw_simspec *spec)
{
	bool relaxes = lw_policy_has(spec->policy.kind, LW_SLIPS) &&
		       !lw_policy_has(spec->policy.kind, LW_DEADLINES);

	if (!relaxes || (spec->policy.relax > 0 && spec->policy.relax_cap_s > 0))
		return NULL;
	return "is not easy: a job may start as late as it was first promised, while easy moves "
	       "its reservation forward whenever jobs end early";
}

int lw_simspec_set(struct lw_simspec *spec, const char *key, const char *value,
		   struct lw_error *err)
{
	for (size_t i = 0; i < sizeof(setters) / sizeof(setters[0]); i++) {
		int rc;

		if (strcmp(key, setters[i].key) != 0)
			continue;
		rc = check_slip(spec, key, setters[i].slip, err);
		if (!rc)
			rc = setters[i].set(spec, value, err);
		if (!rc)
			add_setting(spec, key, value);
		return rc;
	}
	return lw_error_set(err, -ENOENT,
			    "a policy has no option \"%s\"; there are runtime, order, "
			    "order-age, las-threshold, inspector, inspect-cap, "
			    "backfill-order, hold, "
			    "keep-promises, patience, placement, chain, chain-share, "
			    "chain-total, chain-min, deadlines, type, energy-choice, "
			    "energy-slack, preempt, gang-wait, share, "
			    "share-by, share-below, share-part, relax, relax-cap, slack and "
			    "slack-cap",
			    key);
}

/* Names that stand for a policy with options. */
static const struct {
	const char *name;
	enum lw_policy_kind kind;
	enum lw_predictor runtime;
	enum lw_backfill_order backfill_order;
	bool ends_before, one_event;
	enum lw_published published;
} short_names[] = {
	{ "clairvoyant", LW_POLICY_EASY, LW_PREDICT_EXACT, LW_BACKFILL_SHORTEST, false, false,
	  0 },
	{ "published", LW_POLICY_RELAXED, LW_PREDICT_USER, LW_BACKFILL_PRIORITY, true, true, 0 },
	{ "published-adaptive", LW_POLICY_ADAPTIVE, LW_PREDICT_USER, LW_BACKFILL_PRIORITY, true,
	  true, 0 },
	{ "published-rl", LW_POLICY_FCFS, LW_PREDICT_USER, LW_BACKFILL_PRIORITY, false, true,
	  LW_PUBLISHED_NONE },
	{ "published-rl-fcfs", LW_POLICY_FCFS, LW_PREDICT_USER, LW_BACKFILL_PRIORITY, false, true,
	  LW_PUBLISHED_FCFS },
	{ "published-rl-order", LW_POLICY_FCFS, LW_PREDICT_USER, LW_BACKFILL_PRIORITY, false,
	  true, LW_PUBLISHED_ORDER },
};

static int set_kind(struct lw_simspec *spec, const char *name, struct lw_error *err)
{
	for (size_t i = 0; i < sizeof(short_names) / sizeof(short_names[0]); i++) {
		if (strcmp(name, short_names[i].name) != 0)
			continue;
		spec->policy.kind = short_names[i].kind;
		spec->policy.backfill_order = short_names[i].backfill_order;
		spec->ends_before = short_names[i].ends_before;
		spec->one_event = short_names[i].one_event;
		spec->published = short_names[i].published;
		spec->runtime = short_names[i].runtime;
		return 0;
	}
	return set_policy(spec, name, err);
}

/* What a policy's name alone stands for. */
static int set_name(struct lw_simspec *spec, const char *name, struct lw_error *err)
{
	int rc;

	lw_policy_params_default(&spec->policy);
	spec->policy.terse = true;
	spec->nets.inspect_cap_s = LW_INSPECT_CAP_S;
	/* the published rules know no cap */
	spec->policy.relax_cap_s = LW_HISTORY_TIME_MAX_S;
	spec->policy.leeway.patience = LW_PATIENCE;
	spec->runtime = LW_PREDICT_USER;
	rc = set_kind(spec, name, err);
	if (!rc && lw_policy_has(spec->policy.kind, LW_PREDICTS))
		spec->runtime = LW_PREDICT_HISTORY;
	return rc;
}

int lw_simspec_parse(const char *text, struct lw_simspec *ret_spec, struct lw_error *err)
{
	struct lw_simspec spec = { .label = "" };
	char words[LW_SIM_SETTINGS], *rest = words, *word;
	const char *label = text;
	int rc;

	if (strlen(text) >= sizeof(words))
		return lw_error_set(err, -EINVAL, "\"%.80s...\" is too long for a policy", text);
	strcpy(words, text);
	word = strsep(&rest, ":");
	if (strchr(word, '='))
		label = strsep(&word, "=");
	if (!*label && word != words)
		return lw_error_set(err, -EINVAL, "\"%s\": the label is empty", text);
	if (strlen(label) >= sizeof(spec.label))
		return lw_error_set(err, -EINVAL,
				    "\"%s\": %zu bytes at most name a policy: give "
				    "LABEL=NAME:OPTION=VALUE...",
				    label, sizeof(spec.label) - 1);
	rc = set_name(&spec, word, err);
	snprintf(spec.settings, sizeof(spec.settings), "%s", word);
	while (!rc && (word = strsep(&rest, ":"))) {
		char *key = strsep(&word, "=");

		if (!word)
			return lw_error_set(err, -EINVAL, "\"%s\" in \"%s\" is not KEY=VALUE",
					    key, text);
		rc = lw_simspec_set(&spec, key, word, err);
	}
	if (rc == -ENOENT)
		return lw_error_prefix(err, -EINVAL, "in \"%s\": ", text);
	if (rc)
		return rc;
	strcpy(spec.label, label);
	*ret_spec = spec;
	return 0;
}
