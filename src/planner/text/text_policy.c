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
	TIME,
	FLAG, /* a bare word where it is another than usual */
	NAME, /* not printed when it is the first of them */
};

/* Printer and parser both walk the table, so that neither can forget a field. */
static const struct field {
	const char *key;
	size_t offset;
	enum field_kind kind;
	enum lw_counts counts;
	bool shown;		   /* also when it is as usual */
	const char *(*names)(void); /* of a name: all there are */
} fields[] = {
#define AT(member) offsetof(struct lw_policy_params, member)
#define LW_INNER_SHARE(member, word, usual, counts, shown)                                       \
	{ word, AT(member), SHARE, counts, shown, NULL },
#define LW_INNER_TIME(member, word, usual, counts, shown)                                        \
	{ word, AT(member), TIME, counts, shown, NULL },
#define LW_INNER_FLAG(member, word, usual, counts)                                               \
	{ word, AT(member), FLAG, counts, false, NULL },
#define LW_INNER_ENUM(member, word, names, counts, choices)                                      \
	{ word, AT(member), NAME, counts, false, names##_names },
#include "planner/model/params.def"
};
#define FIELD_COUNT (sizeof(fields) / sizeof(fields[0]))

static void text_policy_print_share(double share, struct lw_strbuf *out)
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

/* Is it as in any policy that says nothing of it? */
static bool text_policy_is_usual(const struct field *field, const struct lw_policy_params *params)
{
	struct lw_policy_params plain;
	const char *own = (const char *)params + field->offset;
	const char *usual = (const char *)&plain + field->offset;

	lw_policy_params_default(&plain);
	if (field->kind == SHARE)
		return *(const double *)own == *(const double *)usual;
	if (field->kind == TIME)
		return *(const int64_t *)own == *(const int64_t *)usual;
	if (field->kind == FLAG)
		return *(const bool *)own == *(const bool *)usual;
	return !memcmp(own, usual, sizeof(enum lw_order));
}

/* The name of INDEX among NAMES, parted by blanks. */
static const char *text_policy_name_at(const char *names, unsigned index, size_t *ret_len)
{
	while (index-- && strchr(names, ' '))
		names = strchr(names, ' ') + 1;
	*ret_len = strcspn(names, " ");
	return names;
}

static void text_policy_print_field(const struct field *field,
				    const struct lw_policy_params *params, struct lw_strbuf *out)
{
	const char *at = (const char *)params + field->offset, *name;
	unsigned choice;
	size_t len;

	if (!field->shown && text_policy_is_usual(field, params))
		return;
	lw_strbuf_add(out, " %s", field->key);
	switch (field->kind) {
	case SHARE:
		lw_strbuf_add(out, "=");
		text_policy_print_share(*(const double *)at, out);
		break;
	case TIME:
		lw_strbuf_add(out, "=%" PRId64, *(const int64_t *)at);
		break;
	case NAME:
		memcpy(&choice, at, sizeof(choice));
		name = text_policy_name_at(field->names(), choice, &len);
		lw_strbuf_add(out, "=%.*s", (int)len, name);
		break;
	case FLAG:
		break;
	}
}

void lw_policy_params_print(const struct lw_policy_params *params, struct lw_strbuf *out)
{
	lw_strbuf_add(out, "policy %s", lw_policy_kind_name(params->kind));
	for (size_t i = 0; i < FIELD_COUNT; i++) {
		if (lw_params_count(params, fields[i].counts))
			text_policy_print_field(&fields[i], params, out);
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

static int text_policy_get_name(const struct lw_text_in *in, const struct field *field,
				const struct lw_text_word *word, void *ret_choice)
{
	const char *names = field->names();
	unsigned choice = 0;
	size_t len;

	for (const char *at = names; *at; at += len + (at[len] == ' '), choice++) {
		len = strcspn(at, " ");
		if (len == word->len && !memcmp(at, word->at, len)) {
			memcpy(ret_choice, &choice, sizeof(choice));
			return 0;
		}
	}
	return lw_text_fail(in, field->key, "unknown value", word);
}

static int text_policy_get_value(const struct lw_text_in *in, const struct field *field,
				 const struct lw_text_word *word, struct lw_policy_params *params)
{
	char *at = (char *)params + field->offset;
	struct lw_policy_params plain;
	int64_t time_s;

	switch (field->kind) {
	case SHARE:
		if (!lw_text_relax(word, (double *)at))
			return lw_text_fail(in, field->key, "not a share 0 to 2", word);
		break;
	case TIME:
		if (!lw_text_time(word, &time_s) || time_s < 0)
			return lw_text_fail(in, field->key, "bad value", word);
		*(int64_t *)at = time_s;
		break;
	case NAME:
		return text_policy_get_name(in, field, word, at);
	case FLAG:
		lw_policy_params_default(&plain);
		*(bool *)at = !*((const bool *)((const char *)&plain + field->offset));
		break;
	}
	return 0;
}

static int text_policy_get_field(const struct lw_text_in *in, const struct lw_text_word *word,
				 struct lw_policy_params *params)
{
	struct lw_text_word value = *word, key;
	bool has_value = lw_text_cut(&value, '=', &key);

	for (size_t i = 0; i < FIELD_COUNT; i++) {
		if (lw_text_is(&key, fields[i].key) && has_value != (fields[i].kind == FLAG))
			return text_policy_get_value(in, &fields[i], &value, params);
	}
	return lw_text_fail(in, "policy", "unknown field", word);
}

static int text_policy_get_kind(const struct lw_text_in *in, const struct lw_text_word *word,
				enum lw_policy_kind *ret_kind)
{
	char name[32] = "";
	int kind;

	if (word->len < sizeof(name))
		memcpy(name, word->at, word->len);
	kind = lw_policy_kind_parse(name);
	if (kind < 0)
		return lw_text_fail(in, "policy", "unknown kind", word);
	*ret_kind = (enum lw_policy_kind)kind;
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
	rc = text_policy_get_kind(in, &word, &params.kind);
	while (!rc && lw_text_next_word(line, &word))
		rc = text_policy_get_field(in, &word, &params);
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
