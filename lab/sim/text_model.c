/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a trained net as text: lw-model(5). */
#include "lab/sim/text_model.h"

#include "planner/text/text_scan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define A_LINE 8 /* weights */

/* Locales write numbers in their own ways, so weights are whole numbers of 1/65536. */
static int64_t units_of(float weight)
{
	double units = (double)weight * LW_NET_UNIT;

	return (int64_t)(units < 0 ? units - 0.5 : units + 0.5);
}

static void print_words(const struct lw_model *model, struct lw_strbuf *out)
{
	const struct lw_net *net = &model->net;

	lw_strbuf_add(out, "kind %s\n", lw_net_kind_name(net->kind));
	lw_strbuf_add(out, "inputs %s\n", lw_net_inputs(net->kind));
	lw_strbuf_add(out, "limit %" PRId64 "\n", net->limit_s);
	lw_strbuf_add(out, "order %s\nrule %s\n", model->order, model->rule);
	lw_strbuf_add(out, "trace %s\n", model->trace);
	lw_strbuf_add(out, "jobs %" PRIu32 "-%" PRIu32 "\n", model->first_job, model->last_job);
	lw_strbuf_add(out, "seed %" PRIu32 "\n", model->seed);
	lw_strbuf_add(out, "length %" PRIu32 "\n", model->length);
	lw_strbuf_add(out, "rounds %" PRIu32 "\n", model->rounds);
	lw_strbuf_add(out, "without %" PRIu64 "\nwith %" PRIu64 "\n", model->without,
		      model->with);
}

int lw_model_print_payload(const struct lw_model *model, struct lw_strbuf *out)
{
	uint32_t weights = lw_net_weights(model->net.kind);

	print_words(model, out);
	lw_strbuf_add(out, "weights %" PRIu32 "\n", weights);
	for (uint32_t i = 0; i < weights; i++)
		lw_strbuf_add(out, "%" PRId64 "%c", units_of(model->net.weights[i]),
			      i % A_LINE == A_LINE - 1 || i == weights - 1 ? '\n' : ' ');
	return out->error;
}

/* The line after the word KEY, which must be next. */
static int model_line(struct lw_text_in *in, const char *key, struct lw_text_word *ret_rest)
{
	struct lw_text_word word;

	if (!lw_text_next_line(in, ret_rest))
		return lw_text_fail(in, key, "missing", NULL);
	if (!lw_text_next_word(ret_rest, &word) || !lw_text_is(&word, key))
		return lw_text_fail(in, key, "expected before", &word);
	return 0;
}

/* One word behind KEY, and nothing else. */
static int model_word(struct lw_text_in *in, const char *key, struct lw_text_word *ret_word)
{
	struct lw_text_word line, more;
	int rc = model_line(in, key, &line);

	if (rc)
		return rc;
	if (!lw_text_next_word(&line, ret_word))
		return lw_text_fail(in, key, "missing", NULL);
	if (lw_text_next_word(&line, &more))
		return lw_text_fail(in, key, "unexpected", &more);
	return 0;
}

static int model_number(struct lw_text_in *in, const char *key, uint64_t least, uint64_t most,
			uint64_t *ret_value)
{
	struct lw_text_word word;
	uint64_t value;
	int rc = model_word(in, key, &word);

	if (rc)
		return rc;
	if (!lw_text_number(&word, most, &value) || value < least)
		return lw_text_fail(in, key, "out of bounds", &word);
	*ret_value = value;
	return 0;
}

static int get_small(struct lw_text_in *in, const char *key, uint32_t *ret_value)
{
	uint64_t value;
	int rc = model_number(in, key, 0, UINT32_MAX, &value);

	if (!rc)
		*ret_value = (uint32_t)value;
	return rc;
}

/* Printable letters alone, since they are shown. */
static int get_name(struct lw_text_in *in, const char *key, char *name, size_t size)
{
	struct lw_text_word word;
	int rc = model_word(in, key, &word);

	if (rc)
		return rc;
	for (size_t i = 0; i < word.len; i++)
		if (word.at[i] <= ' ' || word.at[i] > '~')
			return lw_text_fail(in, key, "bad letters", NULL);
	if (word.len >= size)
		return lw_text_fail(in, key, "too long", NULL);
	memcpy(name, word.at, word.len);
	name[word.len] = '\0';
	return 0;
}

static int get_kind(struct lw_text_in *in, enum lw_net_kind *ret_kind)
{
	struct lw_text_word line;
	int rc = model_word(in, "kind", &line);

	if (rc)
		return rc;
	for (unsigned kind = 0; kind < LW_NET_KINDS; kind++) {
		if (!lw_text_is(&line, lw_net_kind_name((enum lw_net_kind)kind)))
			continue;
		*ret_kind = (enum lw_net_kind)kind;
		return 0;
	}
	return lw_text_fail(in, "kind", "unknown", &line);
}

/* A net that was told other things means nothing. */
static int check_inputs(struct lw_text_in *in, enum lw_net_kind kind)
{
	struct lw_text_word line;
	int rc = model_line(in, "inputs", &line);

	while (!rc && line.len && line.at[0] == ' ') {
		line.at++;
		line.len--;
	}
	if (!rc && !lw_text_is(&line, lw_net_inputs(kind)))
		rc = lw_text_fail(in, "inputs", "others than this release knows:", &line);
	return rc;
}

static int get_range(struct lw_text_in *in, struct lw_model *model)
{
	struct lw_text_word word;
	int rc = model_word(in, "jobs", &word);

	if (!rc && !lw_text_range(&word, UINT32_MAX, &model->first_job, &model->last_job))
		rc = lw_text_fail(in, "jobs", "no range", &word);
	return rc;
}

static int get_origin(struct lw_text_in *in, struct lw_model *model)
{
	int rc = get_name(in, "order", model->order, sizeof(model->order));

	if (!rc)
		rc = get_name(in, "rule", model->rule, sizeof(model->rule));
	if (!rc)
		rc = get_name(in, "trace", model->trace, sizeof(model->trace));
	if (!rc)
		rc = get_range(in, model);
	if (!rc)
		rc = get_small(in, "seed", &model->seed);
	if (!rc)
		rc = get_small(in, "length", &model->length);
	if (!rc)
		rc = get_small(in, "rounds", &model->rounds);
	if (!rc)
		rc = model_number(in, "without", 0, INT64_MAX, &model->without);
	return rc ? rc : model_number(in, "with", 0, INT64_MAX, &model->with);
}

static int get_weight(struct lw_text_in *in, struct lw_text_word word, float *ret_weight)
{
	const struct lw_text_word whole = word;
	bool minus = lw_text_skip(&word, "-");
	uint64_t units;

	if (!lw_text_number(&word, LW_NET_UNITS_MAX, &units))
		return lw_text_fail(in, "weights", "out of bounds", &whole);
	/* as a whole number first: 0 has no sign */
	*ret_weight = (float)(minus ? -(int64_t)units : (int64_t)units) / LW_NET_UNIT;
	return 0;
}

static int get_weights(struct lw_text_in *in, struct lw_net *net)
{
	uint32_t weights = lw_net_weights(net->kind), got = 0;
	struct lw_text_word line, word;
	uint64_t said;
	int rc = model_number(in, "weights", weights, weights, &said);

	while (!rc && lw_text_next_line(in, &line))
		while (!rc && lw_text_next_word(&line, &word))
			rc = got < weights ? get_weight(in, word, &net->weights[got++])
					   : lw_text_fail(in, "weights", "too many", &word);
	if (!rc && got < weights)
		rc = lw_text_fail(in, "weights", "too few", NULL);
	return rc;
}

int lw_model_parse(const char *name, const char *text, struct lw_model *ret_model,
		   struct lw_error *err)
{
	struct lw_text_in in = { .name = name, .rest = text, .line = 1, .err = err };
	struct lw_model model;
	uint64_t limit_s = 0;
	int rc;

	memset(&model, 0, sizeof(model));
	rc = get_kind(&in, &model.net.kind);
	if (!rc)
		rc = check_inputs(&in, model.net.kind);
	if (!rc)
		rc = model_number(&in, "limit", 1, LW_TEXT_TIME_MAX_S, &limit_s);
	model.net.limit_s = (int64_t)limit_s;
	if (!rc)
		rc = get_origin(&in, &model);
	if (!rc)
		rc = get_weights(&in, &model.net);
	if (!rc)
		*ret_model = model;
	return rc;
}
