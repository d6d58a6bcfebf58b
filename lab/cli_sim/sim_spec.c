/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: what to simulate, of settings. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/stop.h"
#include "lab/sim/stock/place_stock.h"

/* Policies of sched.policy that are the planner's with settings of their own. */
static const struct {
	const char *name;
	enum lw_policy_kind kind;
	enum lw_predictor runtime;
	enum lw_backfill_order backfill_order;
	bool ends_before, one_event;
	enum lw_published published;
} short_names[] = {
	{ "stock", LW_POLICY_FCFS, LW_PREDICT_USER, LW_BACKFILL_PRIORITY, false, false, 0 },
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

/* What the policy's name alone stands for. */
static void take_policy(struct lw_simspec *spec, const char *name)
{
	int kind = lw_policy_kind_parse(name);

	if (kind >= 0) {
		spec->policy.kind = (enum lw_policy_kind)kind;
		spec->runtime = lw_policy_has(spec->policy.kind, LW_PREDICTS) ? LW_PREDICT_HISTORY
									      : LW_PREDICT_USER;
		return;
	}
	for (size_t i = 0; i < sizeof(short_names) / sizeof(short_names[0]); i++) {
		if (strcmp(name, short_names[i].name) != 0)
			continue;
		spec->policy.kind = short_names[i].kind;
		if (spec->policy.backfill_order == LW_BACKFILL_PRIORITY)
			spec->policy.backfill_order = short_names[i].backfill_order;
		spec->ends_before = short_names[i].ends_before;
		spec->one_event = short_names[i].one_event;
		spec->published = short_names[i].published;
		spec->runtime = short_names[i].runtime;
	}
}

static struct lw_sharing sharing_of(const struct lw_simown *own,
				    const struct lw_policy_params *policy)
{
	struct lw_sharing sharing = {
		.way = (enum lw_sharing_way)own->share_by,
		.rule = lw_share_rule_default((enum lw_share_mode)own->share_mode),
		.part_below = (uint32_t)(1000 * own->share_part + 0.5),
		.shortest =
			lw_policy_has(policy->kind, LW_PREDICTS) || !lw_queue_is_given(policy),
	};

	if (own->share_mode == LW_SHARE_OFF)
		return (struct lw_sharing){ .way = sharing.way };
	/* thousandths, whichever of both counts */
	if (own->share_below > 0)
		sharing.rule.sm_below = sharing.rule.util_max =
			(uint32_t)(1000 * own->share_below + 0.5);
	return sharing;
}

static struct lw_lease_settings lease_of(const struct lw_simown *own)
{
	if (own->stop_mode != LW_STOP_ON || !own->stop_for)
		return (struct lw_lease_settings){ .agree = 0 };
	return (struct lw_lease_settings){
		.shorts = own->stop_for & LW_STOP_FOR_SHORT,
		.gangs = own->stop_for & LW_STOP_FOR_GANG,
		.dues = own->stop_for & LW_STOP_FOR_DEADLINE,
		.gain = own->stop_gain,
		.share = own->stop_share,
		.widest = own->stop_widest,
		.lease_s = own->stop_lease_s,
		.back_s = own->stop_back_s,
		.save_s = own->stop_save_s,
		.per_day = own->stop_per_day,
		.agree = own->stop_agree,
		.seed = own->stop_seed,
		.deaf = own->stop_deaf,
		.scratch = own->stop_scratch,
		.saves_s = own->stop_saves_s,
		.kill_s = own->stop_kill_s,
		.delay_s = own->stop_delay_s,
		.load_s = own->stop_load_s,
	};
}

/* The model of Slurm goes by slurm.conf, if there is one. */
static int take_stock(struct lw_simspec *spec, const char *policy, const char *conf,
		      struct lw_error *err)
{
	spec->is_stock = !strcmp(policy, "stock");
	lw_stock_params_default(&spec->stock);
	return spec->is_stock && conf ? lw_simconf_read(conf, &spec->stock, err) : 0;
}

/* Without a LABEL, what was set is the name. */
static int name_spec(struct lw_simspec *spec, const char *policy, const char *label,
		     const char *text, struct lw_error *err)
{
	int len = snprintf(spec->settings, sizeof(spec->settings), "%s%s", policy, text);

	if (len >= (int)sizeof(spec->settings))
		return lw_error_set(err, -EINVAL, "\"%.80s...\" is too long for a run", text);
	if (label && strlen(label) >= sizeof(spec->label))
		return lw_error_set(err, -EINVAL, "\"%s\": %zu bytes at most name a run", label,
				    sizeof(spec->label) - 1);
	snprintf(spec->label, sizeof(spec->label), "%.*s", (int)sizeof(spec->label) - 1,
		 label ? label : spec->settings);
	return 0;
}

/* -EINVAL with ERR: they are too long to be told. */
static int make_spec(struct lw_simsettings *settings, const char *label,
		     struct lw_simspec *ret_spec, struct lw_error *err)
{
	const struct lw_simown *own = &settings->own;
	struct lw_simspec spec = { .policy = settings->policy,
				   .nets.inspect_cap_s = own->inspect_cap_s,
				   .inspects = own->inspector,
				   .choose = own->placement ? lw_place_as_stock : NULL,
				   .chain = (enum lw_chain_mode)own->chain,
				   .noise = { own->predict_noise, own->predict_seed },
				   .lease = lease_of(own),
				   .sizes = own->size_mode };
	char policy[40];
	int rc;

	lw_simsettings_policy_name(settings, policy, sizeof(policy));
	take_policy(&spec, policy);
	if (own->runtime)
		spec.runtime = (enum lw_predictor)(own->runtime - 1);
	settings->policy.kind = spec.policy.kind;
	settings->stock = !strcmp(policy, "stock");
	settings->published = spec.published != LW_PUBLISHED_NOT;
	spec.sharing = sharing_of(own, &spec.policy);
	rc = take_stock(&spec, policy, own->conf, err);
	if (!rc)
		rc = name_spec(&spec, policy, label, settings->text, err);
	if (!rc && spec.lease.agree > 0 &&
	    (spec.published || spec.is_stock || spec.one_event ||
	     spec.sharing.rule.mode != LW_SHARE_OFF))
		rc = lw_error_set(err, -EINVAL,
				  "%s: stop.mode goes with no published rule and no share.mode",
				  spec.label);
	if (!rc)
		*ret_spec = spec;
	return rc;
}

/* The settings from before the run: of leeway.yaml, of a system, of --set. */
static int set_base(struct lw_simsettings *settings, const struct lw_simbase *base,
		    const char *system, struct lw_error *err)
{
	int rc = 0;

	*settings = base->settings;
	if (system)
		rc = lw_simsystem_set(settings, system, err);
	for (uint32_t i = 0; !rc && i < base->set_count; i++)
		rc = lw_simsettings_set(settings, base->sets[i].key, base->sets[i].value,
					LW_SIM_BY_SET, err);
	return rc;
}

int lw_simspec_of_system(const struct lw_simbase *base, const char *system,
			 struct lw_simsettings *ret_settings, struct lw_simspec *ret_spec,
			 struct lw_error *err)
{
	int rc = set_base(ret_settings, base, system, err);
	struct lw_simsettings alone;
	char label[sizeof(ret_spec->label)];

	/* its choices are what its name stands for */
	if (!rc)
		rc = set_base(&alone, base, NULL, err);
	if (rc)
		return rc;
	if ((size_t)snprintf(label, sizeof(label), "%s%s", system, alone.text) >= sizeof(label))
		return lw_error_set(err, -EINVAL, "\"%.40s...\" is too long for a run", label);
	return make_spec(ret_settings, label, ret_spec, err);
}

/* Is there a "sched.policy=" among WORDS? */
static bool has_policy(const char *words)
{
	return words && strstr(words, "sched.policy=");
}

/* NAME: WORDS. Without a policy among these, the name is that of a policy, or of a system. */
static int set_run(struct lw_simsettings *settings, const struct lw_simbase *base,
		   const char *name, char *words, struct lw_error *err)
{
	bool named = name && !has_policy(words);
	int place = named ? lw_simsettings_policy(name) : -EINVAL;
	bool system = named && place < 0 && lw_simsystem_is(name);
	int rc = set_base(settings, base, system ? name : NULL, err);

	if (!rc && place >= 0)
		settings->own.policy = place;
	if (!rc && named && place < 0 && !system && !words)
		return lw_error_set(err, -EINVAL,
				    "there is no policy \"%s\"; give NAME: KEY=VALUE ...", name);
	return rc || !words ? rc : lw_simsettings_set_words(settings, words, LW_SIM_BY_RUN, err);
}

int lw_simspec_parse(const struct lw_simbase *base, const char *text,
		     struct lw_simsettings *ret_settings, struct lw_simspec *ret_spec,
		     struct lw_error *err)
{
	char copy[2 * LW_SIM_SETTINGS], *words = copy, *name = NULL;
	int rc;

	if (strlen(text) >= sizeof(copy))
		return lw_error_set(err, -EINVAL, "\"%.80s...\" is too long for a run", text);
	strcpy(copy, text);
	if (*copy && copy[strcspn(copy, ":=")] != '=')
		name = strsep(&words, ":");
	if (name && !*name)
		return lw_error_set(err, -EINVAL, "\"%s\": the name is empty", text);
	rc = set_run(ret_settings, base, name, words, err);
	if (!rc)
		rc = make_spec(ret_settings, name, ret_spec, err);
	return rc == -EINVAL ? lw_error_prefix(err, rc, "in \"%s\": ", text) : rc;
}

bool lw_simspec_chooses(const struct lw_simspec *spec)
{
	return spec->policy.types != LW_TYPES_ANY || spec->policy.energy;
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
