/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how often the tags of labelled scripts are right, as text and as JSON. */
#include "cli/tag/corpus.h"

#include <jansson.h>

#include "cli/common/json.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"

static bool is_right(const struct lw_corpus_script *script)
{
	return script->kind == script->tag.class &&
	       (script->kind == LW_TAG_NONE || script->gang == script->tag.gang);
}

/* A sealed script's mistake is counted, not shown. */
static bool is_shown(const struct lw_corpus_script *script)
{
	return !is_right(script) && script->part != LW_CORPUS_SEALED;
}

static uint32_t right_kinds(const struct lw_corpus_score *score)
{
	uint32_t right = 0;

	for (int i = 0; i < LW_TAG_CLASS_COUNT; i++)
		right += score->kinds[i][i];
	return right;
}

/* ---- text ---- */

static void print_shares(const struct lw_corpus *corpus, FILE *out)
{
	fprintf(out, "%-6s %7s %5s %9s %7s %11s %11s\n", "part", "scripts", "dl", "precision",
		"recall", "kinds right", "gangs right");
	for (int part = 0; part <= LW_CORPUS_PARTS; part++) {
		struct lw_corpus_score s;

		lw_corpus_count(corpus, (enum lw_corpus_part)part, &s);
		if (!s.scripts)
			continue;
		fprintf(out, "%-6s %7u %5u %9.3f %7.3f %5u/%-5u %5u/%-5u\n",
			lw_corpus_part_name((enum lw_corpus_part)part), s.scripts, s.dl,
			lw_corpus_precision(&s), lw_corpus_recall(&s), right_kinds(&s), s.scripts,
			s.gang_right, s.found);
	}
}

static void print_kinds(const struct lw_corpus *corpus, FILE *out)
{
	struct lw_corpus_score s;

	lw_corpus_count(corpus, LW_CORPUS_PARTS, &s);
	fprintf(out, "\n%-12s", "is \\ taken for");
	for (int i = 0; i < LW_TAG_CLASS_COUNT; i++)
		fprintf(out, " %9s", lw_tag_class_name((enum lw_tag_class)i));
	fprintf(out, "\n");
	for (int i = 0; i < LW_TAG_CLASS_COUNT; i++) {
		fprintf(out, "%-14s", lw_tag_class_name((enum lw_tag_class)i));
		for (int k = 0; k < LW_TAG_CLASS_COUNT; k++)
			fprintf(out, " %9u", s.kinds[i][k]);
		fprintf(out, "\n");
	}
}

void lw_corpus_print(const struct lw_corpus *corpus, FILE *out)
{
	bool heading = false;

	print_shares(corpus, out);
	print_kinds(corpus, out);
	for (uint32_t i = 0; i < corpus->scripts; i++) {
		const struct lw_corpus_script *s = &corpus->script[i];

		if (!is_shown(s))
			continue;
		if (!heading)
			fprintf(out, "\nmisjudged:\n");
		heading = true;
		fprintf(out, "  %s (%s, %s): is %s gang=%d, taken for %s gang=%d conf=%u ev=%s\n",
			lw_tools_plain(s->file), lw_corpus_part_name(s->part),
			lw_tools_plain(s->title),
			lw_tag_class_name(s->kind), s->gang, lw_tag_class_name(s->tag.class),
			s->tag.gang, s->tag.confidence,
			s->tag.evidence[0] ? s->tag.evidence : "-");
	}
}

/* ---- JSON ---- */

static json_t *make_kinds(const struct lw_corpus_score *score)
{
	json_t *kinds = json_object();

	for (int i = 0; i < LW_TAG_CLASS_COUNT; i++) {
		json_t *row = json_object();

		for (int k = 0; k < LW_TAG_CLASS_COUNT; k++)
			json_object_set_new(row, lw_tag_class_name((enum lw_tag_class)k),
					    json_integer(score->kinds[i][k]));
		json_object_set_new(kinds, lw_tag_class_name((enum lw_tag_class)i), row);
	}
	return kinds;
}

static json_t *make_part(const struct lw_corpus *corpus, enum lw_corpus_part part)
{
	struct lw_corpus_score s;

	lw_corpus_count(corpus, part, &s);
	return json_pack("{s:i, s:i, s:f, s:f, s:i, s:i, s:i, s:o}", "scripts", (int)s.scripts,
			 "dl", (int)s.dl, "precision", lw_corpus_precision(&s), "recall",
			 lw_corpus_recall(&s), "kinds_right", (int)right_kinds(&s), "dl_found",
			 (int)s.found, "gangs_right", (int)s.gang_right, "kinds", make_kinds(&s));
}

static json_t *make_misjudged(const struct lw_corpus *corpus)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < corpus->scripts; i++) {
		const struct lw_corpus_script *s = &corpus->script[i];
		char text[LW_TAG_TEXT_MAX];

		if (!is_shown(s))
			continue;
		lw_tag_encode(&s->tag, text, sizeof(text));
		json_array_append_new(list,
				      json_pack("{s:o, s:s, s:o, s:s, s:b, s:s}", "file",
						lw_output_string(s->file),
						"part", lw_corpus_part_name(s->part), "title",
						lw_output_string(s->title), "kind",
						lw_tag_class_name(s->kind),
						"gang", s->gang, "tag", text));
	}
	return list;
}

int lw_corpus_print_json(const struct lw_corpus *corpus, const char *path, struct lw_error *err)
{
	json_t *root = json_object(), *parts = json_object();

	for (int part = 0; part <= LW_CORPUS_PARTS; part++)
		json_object_set_new(parts, lw_corpus_part_name((enum lw_corpus_part)part),
				    make_part(corpus, (enum lw_corpus_part)part));
	json_object_set_new(root, "parts", parts);
	json_object_set_new(root, "misjudged", make_misjudged(corpus));
	return lw_output_json(path, lw_json_named("leeway.tag.corpus", root), err);
}
