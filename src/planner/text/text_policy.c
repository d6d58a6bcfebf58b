/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the line of lw-snapshot(5) that says how to plan: policy relaxed relax=0.1
 * cap=86400. */
#include "planner/text/text_policy.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/*
 * Shares are counted in billionths, with no strtod or %f: slurmctld's locale may
 * write 0,1, and a text must mean the same everywhere.
 */
#define RELAX_UNIT     UINT64_C(1000000000)
#define RELAX_DECIMALS 9
#define RELAX_MAX      (2 * RELAX_UNIT)

enum field_kind {
	SHARE,
	SHARE_IF_OTHER, /* not printed when it is the default */
	TIME,
	TIME_IF_ANY,   /* not printed when 0 */
	TIME_IF_OTHER, /* not printed when it is the default */
	ORDER,
	BACKFILL_ORDER,
	DEADLINES,
	TYPES,
	IF_SET, /* a bare word that sets a bool */
	IF_NOT, /* and one that clears it */
};

/* Which policies a field says something about. */
enum whose {
	ANY,
	SLIPPING, /* with promises that slip */
	OURS,	  /* and are deadlines */
	LAS,	  /* any, in an order by attained service */
};

/* Printer and parser both walk the table, so that neither can forget a field. */
static const struct field {
	const char *key;
	size_t offset;
	enum field_kind kind;
	enum whose whose;
} fields[] = {
	{ "relax", offsetof(struct lw_policy_params, relax), SHARE, SLIPPING },
	{ "cap", offsetof(struct lw_policy_params, relax_cap_s), TIME, SLIPPING },
	{ "slack", offsetof(struct lw_policy_params, leeway.slack), SHARE, OURS },
	{ "slack-cap", offsetof(struct lw_policy_params, leeway.slack_cap_s), TIME, OURS },
	{ "backlog", offsetof(struct lw_policy_params, leeway.backlog), SHARE, OURS },
	{ "ageing", offsetof(struct lw_policy_params, leeway.ageing), SHARE, OURS },
	{ "width", offsetof(struct lw_policy_params, leeway.width), SHARE, OURS },
	{ "yield", offsetof(struct lw_policy_params, leeway.yield), SHARE, OURS },
	{ "price", offsetof(struct lw_policy_params, leeway.price), SHARE, OURS },
	{ "risk", offsetof(struct lw_policy_params, leeway.risk), SHARE, OURS },
	{ "risk-cap", offsetof(struct lw_policy_params, leeway.risk_cap_s), TIME, OURS },
	{ "patience", offsetof(struct lw_policy_params, leeway.patience), SHARE_IF_OTHER, OURS },
	{ "no-scout", offsetof(struct lw_policy_params, leeway.scout), IF_NOT, OURS },
	{ "no-hold", offsetof(struct lw_policy_params, leeway.hold), IF_NOT, OURS },
	{ "order", offsetof(struct lw_policy_params, order), ORDER, ANY },
	{ "order-age", offsetof(struct lw_policy_params, order_age_s), TIME_IF_ANY, ANY },
	{ "pass-promised", offsetof(struct lw_policy_params, keep_promises), IF_NOT, ANY },
	{ "deadlines", offsetof(struct lw_policy_params, deadlines), DEADLINES, ANY },
	{ "type", offsetof(struct lw_policy_params, types), TYPES, ANY },
	{ "energy", offsetof(struct lw_policy_params, energy), IF_SET, ANY },
	{ "energy-slack", offsetof(struct lw_policy_params, energy_slack), SHARE_IF_OTHER, ANY },
	{ "las-threshold", offsetof(struct lw_policy_params, las_threshold_s), TIME, LAS },
	{ "backfill", offsetof(struct lw_policy_params, backfill_order), BACKFILL_ORDER, ANY },
	{ "gang-wait", offsetof(struct lw_policy_params, gang_wait_s), TIME_IF_ANY, ANY },
	{ "chain-share", offsetof(struct lw_policy_params, chain_share), SHARE_IF_OTHER, ANY },
	{ "chain-total", offsetof(struct lw_policy_params, chain_total), SHARE_IF_OTHER, ANY },
	{ "chain-min", offsetof(struct lw_policy_params, chain_min_s), TIME_IF_OTHER, ANY },
};
#define FIELD_COUNT (sizeof(fields) / sizeof(fields[0]))

static void print_share(double share, struct lw_strbuf *out)
{
	uint64_t units = 0;
	char decimals[RELAX_DECIMALS + 1];

	if (share > 0)
		units = share < 2 ? (uint64_t)(share * (double)RELAX_UNIT + 0.5) : RELAX_MAX;
	lw_strbuf_add(out, "%" PRIu64, units / RELAX_UNIT);
	units %= RELAX_UNIT;
	for (int i = RELAX_DECIMALS - 1; i >= 0; i--, units /= 10)
		decimals[i] = (char)('0' + units % 10);
	decimals[RELAX_DECIMALS] = '\0';
	for (int i = RELAX_DECIMALS - 1; i >= 0 && decimals[i] == '0'; i--)
		decimals[i] = '\0';
	lw_strbuf_add(out, "%s%s", decimals[0] ? "." : "", decimals);
}

static bool is_default(const struct field *field, const struct lw_policy_params *params)
{
	struct lw_policy_params plain;
	const char *own = (const char *)params + field->offset;
	const char *usual = (const char *)&plain + field->offset;

	lw_policy_params_default(&plain);
	if (field->kind == SHARE_IF_OTHER)
		return *(const double *)own == *(const double *)usual;
	return *(const int64_t *)own == *(const int64_t *)usual;
}

/* What is as in any policy that says nothing of it is not printed. */
static void print_field(const struct field *field, const struct lw_policy_params *params,
			struct lw_strbuf *out)
{
	const char *at = (const char *)params + field->offset;
	bool flag = field->kind == IF_SET || field->kind == IF_NOT ? *(const bool *)at : false;

	if (field->kind == TIME_IF_ANY && !*(const int64_t *)at)
		return;
	if ((field->kind == SHARE_IF_OTHER || field->kind == TIME_IF_OTHER) &&
	    is_default(field, params))
		return;
	switch (field->kind) {
	case SHARE:
	case SHARE_IF_OTHER:
		lw_strbuf_add(out, " %s=", field->key);
		print_share(*(const double *)at, out);
		break;
	case TIME:
	case TIME_IF_ANY:
	case TIME_IF_OTHER:
		lw_strbuf_add(out, " %s=%" PRId64, field->key, *(const int64_t *)at);
		break;
	case ORDER:
		if (!lw_order_is_given(params->order))
			lw_strbuf_add(out, " %s=%s", field->key, lw_order_name(params->order));
		break;
	case DEADLINES:
		if (params->deadlines != LW_DEADLINES_OFF)
			lw_strbuf_add(out, " %s=%s", field->key,
				      lw_deadlines_name(params->deadlines));
		break;
	case TYPES:
		if (params->types != LW_TYPES_ANY)
			lw_strbuf_add(out, " %s=%s", field->key, lw_types_name(params->types));
		break;
	case BACKFILL_ORDER:
		if (params->backfill_order != LW_BACKFILL_PRIORITY)
			lw_strbuf_add(out, " %s=%s", field->key,
				      lw_backfill_order_name(params->backfill_order));
		break;
	case IF_SET:
	case IF_NOT:
		if (flag == (field->kind == IF_SET))
			lw_strbuf_add(out, " %s", field->key);
		break;
	}
}

static bool is_of(const struct lw_policy_params *params, enum whose whose)
{
	bool deadlines = lw_policy_has(params->kind, LW_DEADLINES);

	if (whose == LAS)
		return lw_order_needs(params->order, LW_NEEDS_ATTAINED);
	if (whose == SLIPPING)
		return lw_policy_has(params->kind, LW_SLIPS) && !deadlines;
	return whose == ANY || deadlines;
}

void lw_policy_params_print(const struct lw_policy_params *params, struct lw_strbuf *out)
{
	lw_strbuf_add(out, "policy %s", lw_policy_kind_name(params->kind));
	for (size_t i = 0; i < FIELD_COUNT; i++) {
		if (is_of(params, fields[i].whose))
			print_field(&fields[i], params, out);
	}
	lw_strbuf_add(out, "\n");
}

bool lw_text_relax(const struct lw_text_word *word, double *ret_relax)
{
	struct lw_text_word decimals = *word, whole;
	bool dot = lw_text_cut(&decimals, '.', &whole);
	uint64_t units, parts = 0;

	if (!lw_text_number(&whole, 2, &units))
		return false;
	if (dot && (decimals.len > RELAX_DECIMALS ||
		    !lw_text_number(&decimals, RELAX_UNIT - 1, &parts)))
		return false;
	for (size_t i = decimals.len; dot && i < RELAX_DECIMALS; i++)
		parts *= 10;
	if (units * RELAX_UNIT + parts > RELAX_MAX)
		return false;
	*ret_relax = (double)(units * RELAX_UNIT + parts) / (double)RELAX_UNIT;
	return true;
}

/* One of some names; a negative value is none. */
static int get_name(const struct lw_text_in *in, const char *key, const char *why,
		    const struct lw_text_word *word, int (*parse)(const char *), int *ret_value)
{
	char name[32] = "";

	if (word->len < sizeof(name))
		memcpy(name, word->at, word->len);
	*ret_value = parse(name);
	return *ret_value < 0 ? lw_text_fail(in, key, why, word) : 0;
}

static int get_value(const struct lw_text_in *in, const struct field *field,
		     const struct lw_text_word *word, struct lw_policy_params *params)
{
	char *at = (char *)params + field->offset;
	int64_t time_s;
	int value = 0, rc = 0;

	switch (field->kind) {
	case SHARE:
	case SHARE_IF_OTHER:
		if (!lw_text_relax(word, (double *)at))
			rc = lw_text_fail(in, field->key, "not a share 0 to 2", word);
		break;
	case TIME:
	case TIME_IF_ANY:
	case TIME_IF_OTHER:
		if (!lw_text_time(word, &time_s) || time_s < 0)
			rc = lw_text_fail(in, field->key, "bad value", word);
		else
			*(int64_t *)at = time_s;
		break;
	case ORDER:
		rc = get_name(in, field->key, "unknown order", word, lw_order_parse, &value);
		params->order = rc ? params->order : (enum lw_order)value;
		break;
	case DEADLINES:
		rc = get_name(in, field->key, "unknown mode", word, lw_deadlines_parse, &value);
		params->deadlines = rc ? params->deadlines : (enum lw_deadlines)value;
		break;
	case TYPES:
		rc = get_name(in, field->key, "unknown mode", word, lw_types_parse, &value);
		params->types = rc ? params->types : (enum lw_types)value;
		break;
	case BACKFILL_ORDER:
		rc = get_name(in, field->key, "unknown order", word, lw_backfill_order_parse,
			      &value);
		params->backfill_order =
			rc ? params->backfill_order : (enum lw_backfill_order)value;
		break;
	case IF_SET:
	case IF_NOT:
		*(bool *)at = field->kind == IF_SET;
		break;
	}
	return rc;
}

static int get_field(const struct lw_text_in *in, const struct lw_text_word *word,
		     struct lw_policy_params *params)
{
	struct lw_text_word value = *word, key;
	bool has_value = lw_text_cut(&value, '=', &key);

	for (size_t i = 0; i < FIELD_COUNT; i++) {
		bool bare = fields[i].kind == IF_SET || fields[i].kind == IF_NOT;

		if (lw_text_is(&key, fields[i].key) && has_value != bare)
			return get_value(in, &fields[i], &value, params);
	}
	return lw_text_fail(in, "policy", "unknown field", word);
}

int lw_text_get_policy(const struct lw_text_in *in, struct lw_text_word *line,
		       struct lw_policy_params *ret_params)
{
	struct lw_policy_params params;
	struct lw_text_word word;
	int kind, rc;

	lw_policy_params_default(&params);
	if (!lw_text_next_word(line, &word))
		return lw_text_fail(in, "policy", "missing", NULL);
	rc = get_name(in, "policy", "unknown kind", &word, lw_policy_kind_parse, &kind);
	if (!rc)
		params.kind = (enum lw_policy_kind)kind;
	while (!rc && lw_text_next_word(line, &word))
		rc = get_field(in, &word, &params);
	if (!rc)
		*ret_params = params;
	return rc;
}

int lw_policy_params_parse(const char *name, const char *text, struct lw_error *err,
			   struct lw_policy_params *ret_params)
{
	struct lw_text_in in = { .name = name, .rest = text, .err = err };
	struct lw_text_word line, word;
	int rc = 0;

	while (!rc && lw_text_next_line(&in, &line)) {
		lw_text_next_word(&line, &word);
		if (lw_text_is(&word, "policy"))
			rc = lw_text_get_policy(&in, &line, ret_params);
	}
	return rc;
}
