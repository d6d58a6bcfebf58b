/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: labelled job scripts, and how often their tags are right. */
#include "cli/tag/corpus.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/strbuf.h"
#include "cli/common/tools.h"
#include "cli/tag/submit.h"

#define COLUMNS 6

static const char *const part_names[] = { "tuned", "held", "blind", "sealed",
						       "all" };

/* ---- the index ---- */

/* Split LINE at its tabs. */
static int corpus_split(char *line, char *column[COLUMNS], struct lw_error *err)
{
	int count = 0;

	for (char *p = line; p && count < COLUMNS; count++) {
		column[count] = p;
		p = strchr(p, '\t');
		if (p)
			*p++ = '\0';
	}
	return count == COLUMNS ? 0
				: lw_error_set(err, -EINVAL,
					       "wants file, part, kind, gang, options and title, "
					       "separated by tabs");
}

static int parse_part(const char *text, enum lw_corpus_part *ret_part, struct lw_error *err)
{
	for (int i = 0; i < LW_CORPUS_PARTS; i++)
		if (!strcmp(text, part_names[i])) {
			*ret_part = (enum lw_corpus_part)i;
			return 0;
		}
	return lw_error_set(err, -EINVAL,
			    "part: \"%.40s\" is none of tuned, held, blind and sealed", text);
}

static int parse_kind(const char *text, enum lw_tag_class *ret_kind, struct lw_error *err)
{
	int kind = lw_tag_class_parse(text, strlen(text));

	if (kind < 0)
		return lw_error_set(err, -EINVAL,
				    "kind: \"%.40s\" is not none, training, sweep, inference "
				    "or notebook",
				    text);
	*ret_kind = (enum lw_tag_class)kind;
	return 0;
}

static int read_text(const char *dir, const char *file, char **ret_text, struct lw_error *err)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	char path[PATH_MAX];
	int rc;

	if (snprintf(path, sizeof(path), "%s/%s", dir, file) >= (int)sizeof(path))
		return lw_error_set(err, -ENAMETOOLONG, "the name is too long");
	rc = lw_tools_read_text(path, &text, err);
	if (!rc) {
		*ret_text = strdup(lw_strbuf_text(&text));
		rc = *ret_text ? 0 : lw_error_set(err, -ENOMEM, "out of memory");
	}
	lw_strbuf_fini(&text);
	return rc;
}

static int add_script(struct lw_corpus *corpus, const char *dir, char *line, struct lw_error *err)
{
	struct lw_corpus_script *script;
	char *column[COLUMNS];
	int rc = corpus_split(line, column, err);

	if (rc)
		return rc;
	if (lw_grow((void **)&corpus->script, &corpus->room, corpus->scripts + 1,
		    sizeof(*corpus->script)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	script = &corpus->script[corpus->scripts++];
	memset(script, 0, sizeof(*script));
	script->gang = !strcmp(column[3], "1");
	script->file = strdup(column[0]);
	script->title = strdup(column[5]);
	script->options = strcmp(column[4], "-") ? strdup(column[4]) : NULL;
	rc = parse_part(column[1], &script->part, err);
	if (!rc)
		rc = parse_kind(column[2], &script->kind, err);
	if (!rc && (!script->file || !script->title))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	return rc ? rc : read_text(dir, script->file, &script->text, err);
}

static int read_lines(struct lw_corpus *corpus, const char *dir, const char *index, char *text,
		      struct lw_error *err)
{
	unsigned number = 0;
	char *next;
	int rc = 0;

	for (char *line = text; !rc && line; line = next) {
		next = lw_tools_cut_line(line);
		number++;
		if (*line && *line != '#')
			rc = add_script(corpus, dir, line, err);
	}
	if (rc)
		return lw_error_prefix(err, rc, "%s:%u: ", index, number);
	return corpus->scripts ? 0 : lw_error_set(err, -EINVAL, "%s: no scripts", index);
}

int lw_corpus_read(const char *dir, struct lw_corpus *ret_corpus, struct lw_error *err)
{
	struct lw_corpus corpus = { 0 };
	struct lw_strbuf text = LW_STRBUF_INIT;
	char index[PATH_MAX];
	int rc;

	*ret_corpus = corpus;
	if (snprintf(index, sizeof(index), "%s/index.tsv", dir) >= (int)sizeof(index))
		return lw_error_set(err, -ENAMETOOLONG, "%s: the name is too long", dir);
	rc = lw_tools_read_text(index, &text, err);
	if (!rc && text.text)
		rc = read_lines(&corpus, dir, index, text.text, err);
	else if (!rc)
		rc = lw_error_set(err, -EINVAL, "%s: empty", index);
	lw_strbuf_fini(&text);
	if (rc)
		lw_corpus_fini(&corpus);
	else
		*ret_corpus = corpus;
	return rc;
}

void lw_corpus_fini(struct lw_corpus *corpus)
{
	for (uint32_t i = 0; i < corpus->scripts; i++) {
		free(corpus->script[i].file);
		free(corpus->script[i].title);
		free(corpus->script[i].options);
		free(corpus->script[i].text);
	}
	free(corpus->script);
	memset(corpus, 0, sizeof(*corpus));
}

/* ---- the tags ---- */

void lw_corpus_tag(struct lw_corpus *corpus, const struct lw_tag_rules *rules, bool old_spelling)
{
	for (uint32_t i = 0; i < corpus->scripts; i++) {
		struct lw_corpus_script *script = &corpus->script[i];
		struct lw_tag_request request;
		struct lw_submit submit;

		lw_submit_read(script->text, script->options, old_spelling, &submit);
		lw_submit_request(&submit, script->text, &request);
		lw_tag_recognise(&request, rules, &script->tag);
	}
}

void lw_corpus_count(const struct lw_corpus *corpus, enum lw_corpus_part part,
		     struct lw_corpus_score *ret_score)
{
	struct lw_corpus_score score = { 0 };

	for (uint32_t i = 0; i < corpus->scripts; i++) {
		const struct lw_corpus_script *script = &corpus->script[i];
		bool dl = script->kind != LW_TAG_NONE, called = script->tag.class != LW_TAG_NONE;

		if (part != LW_CORPUS_PARTS && part != script->part)
			continue;
		score.scripts++;
		score.kinds[script->kind][script->tag.class]++;
		score.dl += dl;
		score.called += called;
		score.found += dl && called;
		score.gang_right += dl && called && script->gang == script->tag.gang;
	}
	*ret_score = score;
}

static double corpus_share(uint32_t part, uint32_t whole)
{
	return whole ? (double)part / whole : 1;
}

double lw_corpus_precision(const struct lw_corpus_score *score)
{
	return corpus_share(score->found, score->called);
}

double lw_corpus_recall(const struct lw_corpus_score *score)
{
	return corpus_share(score->found, score->dl);
}

const char *lw_corpus_part_name(enum lw_corpus_part part)
{
	return part_names[part];
}
