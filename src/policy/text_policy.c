/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the line of lw-snapshot(5) that says how to plan: policy relaxed relax=0.1
 * cap=86400. */
#include "policy/text_policy.h"

#include "policy/relax.h"

#include <inttypes.h>
#include <string.h>

/*
 * Shares are counted in billionths, with no strtod or %f: slurmctld's locale may
 * write 0,1, and a text must mean the same everywhere.
 */
#define RELAX_UNIT     UINT64_C(1000000000)
#define RELAX_DECIMALS 9
#define RELAX_MAX      (2 * RELAX_UNIT)

void lw_policy_params_print(const struct lw_policy_params *params, struct lw_strbuf *out)
{
	uint64_t relax = 0;
	char decimals[RELAX_DECIMALS + 1];

	if (params->relax > 0)
		relax = params->relax < 2
				? (uint64_t)(params->relax * (double)RELAX_UNIT + 0.5)
				: RELAX_MAX;
	lw_strbuf_add(out, "policy %s", lw_policy_kind_name(params->kind));
	if (lw_policy_slips(params->kind)) {
		lw_strbuf_add(out, " relax=%" PRIu64, relax / RELAX_UNIT);
		relax %= RELAX_UNIT;
		for (int i = RELAX_DECIMALS - 1; i >= 0; i--, relax /= 10)
			decimals[i] = (char)('0' + relax % 10);
		decimals[RELAX_DECIMALS] = '\0';
		for (int i = RELAX_DECIMALS - 1; i >= 0 && decimals[i] == '0'; i--)
			decimals[i] = '\0';
		lw_strbuf_add(out, "%s%s", decimals[0] ? "." : "", decimals);
		lw_strbuf_add(out, " cap=%" PRId64, params->relax_cap_s);
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

static int get_kind(const struct lw_text_in *in, const struct lw_text_word *word,
		    struct lw_policy_params *params)
{
	char name[32] = "";
	int kind;

	if (word->len < sizeof(name))
		memcpy(name, word->at, word->len);
	kind = lw_policy_kind_parse(name);
	if (kind < 0)
		return lw_text_fail(in, "policy", "unknown kind", word);
	params->kind = (enum lw_policy_kind)kind;
	return 0;
}

int lw_text_get_policy(const struct lw_text_in *in, struct lw_text_word *line,
		       struct lw_policy_params *ret_params)
{
	struct lw_policy_params params;
	struct lw_text_word word;
	int rc;

	lw_policy_params_default(&params);
	if (!lw_text_next_word(line, &word))
		return lw_text_fail(in, "policy", "missing", NULL);
	rc = get_kind(in, &word, &params);
	while (!rc && lw_text_next_word(line, &word)) {
		if (lw_text_skip(&word, "relax=")) {
			if (!lw_text_relax(&word, &params.relax))
				rc = lw_text_fail(in, "relax", "not a share 0 to 2",
						  &word);
		} else if (lw_text_skip(&word, "cap=")) {
			if (!lw_text_time(&word, &params.relax_cap_s) ||
			    params.relax_cap_s < 0)
				rc = lw_text_fail(in, "cap", "bad value", &word);
		} else {
			rc = lw_text_fail(in, "policy", "unknown field", &word);
		}
	}
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
