/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the settings of a simulation, by their names in leeway.yaml and settings.def. */
#include "lab/cli_sim/sim_settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/fold.h"
#include "base/spell.h"
#include "base/stop.h"
#include "cli/common/origin.h"
#include "config/config.h"
#include "config/keys.h"
#include "config/keys_print.h"
#include "lab/sim/chain.h"
#include "lab/sim/nets.h"
#include "lab/sim/pool.h"
#include "lab/sim/shake.h"
#include "predictor/history.h"
#include "predictor/predict.h"
#include "share/rule.h"

static const char policy_choices[] =
#define LW_POLICY(id, name, traits, help) "|" #name
#include "planner/model/policies.def"
	"|stock|clairvoyant|published|published-adaptive|published-rl|published-rl-fcfs|"
	"published-rl-order";
const char lw_sim_policies[] =
#define LW_POLICY(id, name, traits, help) #name " "
#include "planner/model/policies.def"
	"stock clairvoyant published published-adaptive published-rl published-rl-fcfs "
	"published-rl-order";
/* the last is LW_ORDER_OUTSIDE */
static const char order_choices[] =
#define LW_ORDER(id, name, needs, help) "|" #name
#include "planner/model/orders.def"
	"|learned";

/* What a setting does nothing without. */
enum need {
	ALWAYS,
	INSPECTS,
	NOISE,
	SHARES,
	RULES,
	FAIR,
	TENANTS, /* a file: sim_request.c looks */
	RUNS,
	SHAKES,
	ENERGY,
	SUSPENDS,
	STOP_MODE,
	STOP_FOR,
	STOPS,
	GAINS,
	SHORTS,
	SAVES,
	STOCK,
	PLANNER, /* see enum lw_counts */
};

static const char *const needs[] = {
	[INSPECTS] = "does nothing without sim.inspector=learned",
	[NOISE] = "does nothing without sim.predict_noise",
	[SHARES] = "does nothing without share.mode",
	[RULES] = "is of sim.share_by=rule and learned, and does nothing here",
	[FAIR] = "only select.type=fair goes by them",
	[RUNS] = "does nothing without jobs.tenant_runs",
	[SHAKES] = "does nothing without shake.runs",
	[ENERGY] = "does nothing without figures.energy=yes",
	[STOP_MODE] = "does nothing without stop.for",
	[STOP_FOR] = "does nothing without stop.mode=on, nor deadline without sched.deadlines",
	[GAINS] = "does nothing without stop.mode=on, and short or gang in stop.for",
	[SHORTS] = "does nothing without stop.mode=on, and short in stop.for",
	[STOPS] = "does nothing without stop.mode=on and stop.for",
	[SAVES] = "does nothing without sim.stop_saves",
	[STOCK] = "does nothing without sched.policy=stock",
	[SUSPENDS] = "does nothing without cluster.suspend_after",
};

static const struct setting {
	struct lw_key key; /* its offset is into struct lw_simsettings */
	enum need need;
	enum lw_counts counts;
} table[] = {
#define AT(member) offsetof(struct lw_simsettings, policy.member)
#define PARAM(path, type, member, counts, min, max, choices, sentence)                           \
	{ { path, LW_KEY_TYPE_##type, AT(member), 0, min, max, choices, sentence },              \
	  PLANNER,                                                                               \
	  counts },
#define LW_PARAM_SHARE(field, path, member, word, usual, counts, shown, def, min, max, sentence) \
	PARAM(path, DOUBLE, member, counts, min, max, NULL, "leeway.yaml(5)")
#define LW_PARAM_TIME(field, path, member, word, usual, counts, shown, def, min, max, sentence)  \
	PARAM(path, DURATION, member, counts, min, max, NULL, "leeway.yaml(5)")
#define LW_PARAM_FLAG(field, path, member, word, usual, counts, sentence)                        \
	PARAM(path, BOOL, member, counts, 0, 1, NULL, "leeway.yaml(5)")
#define LW_PARAM_ENUM(field, path, member, word, names, counts, choices, sentence)               \
	PARAM(path, ENUM, member, counts, 0, 0, choices, "leeway.yaml(5)")
#define INNER "a number of the planner without a key, doc/dev/planner.md"
#define LW_INNER_SHARE(member, word, usual, counts, shown)                                       \
	PARAM("planner." #member, DOUBLE, member, counts, 0, 2, NULL, INNER)
#define LW_INNER_TIME(member, word, usual, counts, shown)                                        \
	PARAM("planner." #member, DURATION, member, counts, 0, 31536000, NULL, INNER)
#define LW_INNER_FLAG(member, word, usual, counts)                                               \
	PARAM("planner." #member, BOOL, member, counts, 0, 1, NULL, INNER)
#define LW_INNER_ENUM(member, word, names, counts, choices)                                      \
	PARAM("planner." #member, ENUM, member, counts, 0, 0, choices, INNER)
#include "planner/model/params.def"
#define OWN(path, type, field, def, max, choices, need, sentence)                                \
	{ { path, LW_KEY_TYPE_##type, offsetof(struct lw_simsettings, own.field), def, 0, max,   \
	    choices, sentence },                                                                 \
	  need,                                                                                  \
	  LW_COUNTS_ALWAYS },
#define LW_OWN_ENUM(field, path, def, choices, need, sentence)                                   \
	OWN(path, ENUM, field, def, 0, choices, need, sentence)
#define LW_OWN_TIME(field, path, def, need, sentence)                                            \
	OWN(path, DURATION, field, def, (double)LW_HISTORY_TIME_MAX_S, NULL, need, sentence)
#define LW_OWN_SHARE(field, path, def, max, need, sentence)                                      \
	OWN(path, DOUBLE, field, def, max, NULL, need, sentence)
#define LW_OWN_COUNT(field, path, def, max, need, sentence)                                      \
	OWN(path, COUNT, field, def, max, NULL, need, sentence)
#define LW_OWN_FLAG(field, path, def, need, sentence)                                            \
	OWN(path, BOOL, field, def, 1, NULL, need, sentence)
#define LW_OWN_TEXT(field, path, need, sentence)                                                 \
	OWN(path, WORDS, field, 0, 0, NULL, need, sentence)
#include "lab/cli_sim/settings.def"
};

#define SETTINGS (sizeof(table) / sizeof(table[0]))

_Static_assert(SETTINGS <= LW_SIMSETTINGS_MAX, "too many settings");

/* Is it the same in all runs? */
static bool is_common(const struct setting *setting)
{
	static const char *const sections[] = { "cluster.", "jobs.", "runs.", "shake.",
						"figures." };

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		if (!strncmp(setting->key.path, sections[i], strlen(sections[i])))
			return true;
	return false;
}

void lw_simsettings_default(struct lw_simsettings *settings)
{
	memset(settings, 0, sizeof(*settings));
	lw_policy_params_default(&settings->policy);
	settings->policy.terse = true;
	/* the published rules know no cap */
	settings->policy.relax_cap_s = LW_HISTORY_TIME_MAX_S;
	settings->policy.patience = 0.5;
#define LW_OWN_ENUM(field, path, def, choices, need, sentence) settings->own.field = def;
#define LW_OWN_TIME(field, path, def, need, sentence)          settings->own.field = def;
#define LW_OWN_SHARE(field, path, def, max, need, sentence)    settings->own.field = def;
#define LW_OWN_COUNT(field, path, def, max, need, sentence)    settings->own.field = def;
#define LW_OWN_FLAG(field, path, def, need, sentence)          settings->own.field = def;
#include "lab/cli_sim/settings.def"
}

static void settings_take(struct lw_simsettings *settings, const struct lw_config *config)
{
	settings->own.policy = config->sched_policy;
	settings->own.chain = config->sched_chain ? LW_CHAIN_ON : LW_CHAIN_OFF;
	settings->own.stop_mode = config->stop_mode;
	settings->own.stop_for = config->stop_for;
	settings->own.stop_gain = config->stop_gain;
	settings->own.stop_lease_s = config->stop_lease_s;
	settings->own.stop_back_s = config->stop_back_s;
	settings->own.stop_per_day = config->stop_per_day;
	settings->own.stop_share = config->stop_share;
	settings->own.stop_widest = config->stop_widest;
	settings->own.stop_save_s = config->stop_save_s;
	settings->own.size_mode = config->size_mode;
	if (!config->sched_predict)
		settings->own.runtime = 1 + LW_PREDICT_USER;
#define LW_PARAM_FIELD(field, path, member, counts)                                              \
	settings->policy.member = (__typeof__(settings->policy.member))config->field;
#include "planner/model/params.def"
}

int lw_simsettings_load(struct lw_simsettings *settings, const char *path, struct lw_error *err)
{
	struct lw_mistakes mistakes = { .count = 0 };
	struct lw_config config;
	int rc = lw_config_load(path, &config, &mistakes, err);

	lw_mistakes_fini(&mistakes);
	if (rc)
		return rc;
	lw_origin_add_file(path);
	settings_take(settings, &config);
	lw_config_fini(&config);
	return 0;
}

int lw_simsettings_site(struct lw_simsettings *settings, const char *path, struct lw_error *err)
{
	struct lw_config config;

	lw_simsettings_default(settings);
	if (path)
		return lw_simsettings_load(settings, path, err);
	lw_config_default(&config);
	settings_take(settings, &config);
	lw_config_fini(&config);
	return 0;
}

/* ---- set one ---- */

static const struct setting *find_setting(const char *key, size_t len)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (strlen(table[i].key.path) == len && !memcmp(table[i].key.path, key, len))
			return &table[i];
	return NULL;
}

static int no_such_setting(const char *key, size_t len, struct lw_error *err)
{
	char name[LW_SPELL_MAX + 2];
	struct lw_guess guess;

	snprintf(name, sizeof(name), "%.*s", (int)len, key);
	if (lw_key_find(name))
		return lw_error_set(err, -EINVAL, "%s: a simulation does not go by it", name);
	lw_guess_init(&guess, name);
	for (size_t i = 0; i < SETTINGS; i++) {
		const char *word = strchr(table[i].key.path, '.') + 1;

		/* the right word in no section */
		(void)lw_guess_try_at(
			&guess, table[i].key.path,
			strcmp(word, name) ? lw_spell_distance(name, table[i].key.path) : 0);
	}
	return lw_error_set(err, -EINVAL, "there is no setting \"%s\"%s%s; --set list shows all",
			    name, guess.name ? "; did you mean " : "",
			    guess.name ? guess.name : "");
}

/* What is short where it is clear. */
static void add_text(struct lw_simsettings *settings, const char *path, const char *value)
{
	static const char *const plain[] = { "sched.", "sim.", "planner." };
	size_t used = strlen(settings->text);

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (!strncmp(path, plain[i], strlen(plain[i]))) {
			path += strlen(plain[i]);
			break;
		}
	if (strcmp(path, "policy") != 0)
		snprintf(settings->text + used, sizeof(settings->text) - used, ":%s=%s", path,
			 value);
}

/* The bounds are those of leeway.yaml, if it has that key, too. */
static struct lw_key bounded(const struct setting *setting)
{
	const struct lw_key *site = lw_key_find(setting->key.path);
	struct lw_key key = setting->key;

	key.min = site ? site->min : key.min;
	key.max = site ? site->max : key.max;
	return key;
}

int lw_simsettings_set(struct lw_simsettings *settings, const char *key, const char *value,
		       enum lw_simgiver giver, struct lw_error *err)
{
	size_t len = strcspn(key, "=");
	const struct setting *setting = find_setting(key, len);
	struct lw_key it;
	int rc = 0;

	if (!setting)
		return no_such_setting(key, len, err);
	if (giver != LW_SIM_BY_SET && is_common(setting))
		return lw_error_set(err, -EINVAL, "%s is of all runs: give --set %s=%s",
				    setting->key.path, setting->key.path, value);
	it = bounded(setting);
	if (it.type == LW_KEY_TYPE_WORDS)
		memcpy((char *)settings + it.offset, &value, sizeof(value));
	else
		rc = lw_key_parse(&it, value, settings, err);
	if (rc)
		return lw_error_prefix(err, rc, "%s: ", setting->key.path);
	settings->given[setting - table] = (uint8_t)giver;
	if (!is_common(setting))
		add_text(settings, setting->key.path, value);
	return 0;
}

int lw_simsettings_set_words(struct lw_simsettings *settings, char *words, enum lw_simgiver giver,
			     struct lw_error *err)
{
	char *word, *value;
	int rc = 0;

	while (!rc && (word = strsep(&words, " \t,"))) {
		value = strchr(word, '=');
		if (*word && !value)
			return lw_error_set(err, -EINVAL, "\"%s\" is not KEY=VALUE", word);
		if (*word) {
			*value++ = '\0';
			rc = lw_simsettings_set(settings, word, value, giver, err);
		}
	}
	return rc;
}

int lw_simset_add(struct lw_simset *sets, uint32_t *count, uint32_t most, const char *name,
		  const char *value, struct lw_error *err)
{
	const char *equals = strchr(value, '=');

	if (!equals)
		return lw_error_set(err, -EINVAL, "--%s: \"%s\" is not KEY=VALUE", name, value);
	if (*count == most)
		return lw_error_set(err, -EINVAL, "--%s: at most %" PRIu32, name, most);
	sets[(*count)++] = (struct lw_simset){ value, equals + 1 };
	return 0;
}

int lw_simset_add_conf(struct lw_simset *sets, uint32_t *count, uint32_t most, const char *name,
		       const char *value, struct lw_error *err)
{
	if (*count == most)
		return lw_error_set(err, -EINVAL, "--%s: at most %" PRIu32, name, most);
	sets[(*count)++] = (struct lw_simset){ "sim.conf=", value };
	return 0;
}

/* ---- what has an effect ---- */

/* Are there stops for one of these? */
static bool stops_for(const struct lw_simsettings *settings, int which)
{
	return settings->own.stop_mode == LW_STOP_ON && (settings->own.stop_for & which);
}

static bool has_effect(const struct lw_simsettings *settings, const struct setting *setting)
{
	const struct lw_simown *own = &settings->own;
	bool types = setting->counts == LW_COUNTS_TYPES || setting->counts == LW_COUNTS_ENERGY;

	switch (setting->need) {
	case ALWAYS:
	case TENANTS:
		break;
	case INSPECTS:
		return own->inspector;
	case NOISE:
		return own->predict_noise > 0;
	case SHARES:
		return own->share_mode != LW_SHARE_OFF;
	case RULES:
		return own->share_mode != LW_SHARE_OFF && own->share_by < 2;
	case STOCK:
		return settings->stock;
	case FAIR:
		return settings->policy.types == LW_TYPES_FAIR;
	case RUNS:
		return own->tenant_runs > 0;
	case SHAKES:
		return own->shakes > 0;
	case STOP_MODE:
		return own->stop_mode != LW_STOP_ON || own->stop_for ||
		       lw_simsettings_given(settings, "stop.for");
	case STOP_FOR:
		return !own->stop_for || stops_for(settings, ~LW_STOP_FOR_DEADLINE) ||
		       (stops_for(settings, LW_STOP_FOR_DEADLINE) && settings->policy.deadlines);
	case STOPS:
		return stops_for(settings, ~0);
	case GAINS:
		return stops_for(settings, LW_STOP_FOR_SHORT | LW_STOP_FOR_GANG);
	case SHORTS:
		return stops_for(settings, LW_STOP_FOR_SHORT);
	case SAVES:
		return own->stop_saves_s > 0;
	case ENERGY:
		return own->energy;
	case SUSPENDS:
		return lw_simsettings_given(settings, "cluster.suspend_after");
	case PLANNER:
		if (setting->counts == LW_COUNTS_CHAINS)
			return own->chain == LW_CHAIN_ON;
		return !(types && settings->published) &&
		       lw_params_count(&settings->policy, setting->counts);
	}
	return true;
}

bool lw_simsettings_given(const struct lw_simsettings *settings, const char *path)
{
	return settings->given[find_setting(path, strlen(path)) - table] != LW_SIM_BY_DEFAULT;
}

/* Is the setting at PLACE set, and without an effect where it ought to have one? */
static bool is_idle(const struct lw_simsettings *runs, uint32_t count, size_t place)
{
	bool given = false, effect = false;

	for (uint32_t i = 0; i < count; i++) {
		bool works = has_effect(&runs[i], &table[place]);

		if (runs[i].given[place] == LW_SIM_BY_RUN && !works)
			return true;
		given |= runs[i].given[place] == LW_SIM_BY_SET;
		effect |= works;
	}
	return given && !effect;
}

int lw_simsettings_check(const struct lw_simsettings *runs, uint32_t count, struct lw_error *err)
{
	for (size_t i = 0; i < SETTINGS; i++) {
		const char *why = table[i].need == PLANNER ? lw_counts_when(table[i].counts)
							   : needs[table[i].need];

		if (is_idle(runs, count, i))
			return lw_error_set(err, -EINVAL, "%s %s", table[i].key.path, why);
	}
	return 0;
}

/* ---- what there is ---- */

int lw_simsettings_policy(const char *name)
{
	int place = 0;

	for (const char *at = policy_choices + 1; at; at = lw_choice_next(at), place++)
		if (lw_choice_len(at) == strlen(name) && !memcmp(at, name, strlen(name)))
			return place;
	return -EINVAL;
}

const char *lw_simsettings_policy_name(const struct lw_simsettings *settings, char *buf,
				       size_t size)
{
	const char *at = policy_choices + 1;

	for (int place = 0; place < settings->own.policy; place++)
		at = lw_choice_next(at);
	snprintf(buf, size, "%.*s", (int)lw_choice_len(at), at);
	return buf;
}

static void print_values(const struct lw_key *key, struct lw_strbuf *out)
{
	if (key->type == LW_KEY_TYPE_ENUM) {
		lw_choices_print(key->choices, out);
	} else if (key->type == LW_KEY_TYPE_BOOL) {
		lw_strbuf_add(out, "yes or no");
	} else if (key->type == LW_KEY_TYPE_DURATION) {
		lw_strbuf_add(out, "a time");
	} else if (key->type != LW_KEY_TYPE_WORDS) {
		lw_key_print_number(key, key->min, out);
		lw_strbuf_add(out, " to ");
		lw_key_print_number(key, key->max, out);
	}
}

void lw_simsettings_print(FILE *out)
{
	struct lw_strbuf text = LW_STRBUF_INIT;

	for (size_t i = 0; i < SETTINGS; i++) {
		struct lw_key key = bounded(&table[i]);

		lw_strbuf_add(&text, "%s: ", key.path);
		print_values(&key, &text);
		lw_strbuf_add(&text, "\n    ");
		lw_fold(key.sentence, "    ", 78, &text);
		lw_strbuf_add(&text, "\n");
	}
	fputs(lw_strbuf_text(&text), out);
	lw_strbuf_fini(&text);
}

const char *lw_simsettings_names(void)
{
	static const char names[] = "list"
#define LW_PARAM_FIELD(field, path, member, counts) " " path "="
#include "planner/model/params.def"
#define LW_OWN_ENUM(field, path, def, choices, need, sentence) " " path "="
#define LW_OWN_TIME(field, path, def, need, sentence)          " " path "="
#define LW_OWN_SHARE(field, path, def, max, need, sentence)    " " path "="
#define LW_OWN_COUNT(field, path, def, max, need, sentence)    " " path "="
#define LW_OWN_FLAG(field, path, def, need, sentence)          " " path "="
#define LW_OWN_TEXT(field, path, need, sentence)               " " path "="
#include "lab/cli_sim/settings.def"
		;

	return names;
}
