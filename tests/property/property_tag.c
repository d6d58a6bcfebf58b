/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: no script makes the tagger stumble, or work longer than its budget. */
#include "base/words.h"
#include "tagger/shell.h"
#include "tagger/tag.h"
#include "property/prng.h"
#include "property/tap.h"
#include "cli/tag/submit.h"
#include "cli/tag/corpus.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRONT 4096
#define BACK  1024
/* Of a word rules look at no more, however long a quote that was misread makes it. */
#define LOOKED_AT 256

static struct lw_corpus corpus;
static struct lw_tag_rules *rules;

/* What changes how the text behind it is read. */
static const char *const pieces[] = {
	"'",           "\"",
	"\\",          "`",
	"$(",          ")",
	"${",          "}",
	"<<EOF\n",     "<<-'E'\n",
	"\nEOF\n",     "<<<",
	"(",           "#",
	";;",          "case x in",
	"esac",        "\n",
	"&&",          "|",
	"a=(",         "()",
	"bash -c ",    "python <<A\n",
	"\nA\n",       "import torch\n",
	"srun -N ",    "conda run",
	"eval $X",     "X=\"torchrun a.py\"",
	"$X",          "\t",
	"\r",          "\xff",
	"\x01",        "--",
	"-",           "=",
	"torchrun",    "python -m ",
	"#!/bin/sh\n", "#SBATCH --gres=gpu",
};

/* ---- scripts out of other scripts ---- */

struct text {
	char *text; /* exactly LEN bytes and a NUL, so that a sanitizer sees any step too far */
	size_t len;
};

static void replace(struct text *t, size_t at, size_t gone, const char *with, size_t len)
{
	char *made = malloc(t->len - gone + len + 1);

	if (!made)
		return;
	memcpy(made, t->text, at);
	memcpy(made + at, with, len);
	memcpy(made + at + len, t->text + at + gone, t->len - at - gone);
	t->len = t->len - gone + len;
	made[t->len] = '\0';
	free(t->text);
	t->text = made;
}

static void mutate(struct prng *prng, struct text *t)
{
	const struct lw_corpus_script *other =
		&corpus.script[prng_between(prng, 0, corpus.scripts - 1)];
	size_t at = prng_between(prng, 0, (uint32_t)t->len);
	size_t left = t->len - at, some = prng_between(prng, 0, left < 40 ? (uint32_t)left : 40);
	const char *piece = pieces[prng_between(prng, 0, sizeof(pieces) / sizeof(*pieces) - 1)];
	char byte = (char)prng_between(prng, 1, 255);
	size_t from = prng_between(prng, 0, (uint32_t)strlen(other->text));

	switch (prng_between(prng, 0, 4)) {
	case 0:
		replace(t, at, some, "", 0);
		break;
	case 1:
		replace(t, at, some ? 1 : 0, &byte, 1);
		break;
	case 2:
		replace(t, at, 0, other->text + from, strlen(other->text + from) / 2);
		break;
	case 3:
		replace(t, at, left, "", 0);
		break;
	default:
		replace(t, at, 0, piece, strlen(piece));
		break;
	}
}

static int make_text(struct prng *prng, unsigned mutations, struct text *ret_text)
{
	const struct lw_corpus_script *script =
		&corpus.script[prng_between(prng, 0, corpus.scripts - 1)];

	ret_text->text = strdup(script->text);
	ret_text->len = strlen(script->text);
	for (unsigned i = 0; ret_text->text && i < mutations; i++)
		mutate(prng, ret_text);
	return ret_text->text ? 0 : -1;
}

/* Bytes without any sense. */
static int make_noise(struct prng *prng, struct text *ret_text)
{
	size_t len = prng_between(prng, 0, 4096);
	bool plain = prng_chance(prng, 50);

	ret_text->text = malloc(len + 1);
	if (!ret_text->text)
		return -1;
	for (size_t i = 0; i < len; i++)
		ret_text->text[i] =
			(char)(plain ? prng_between(prng, 9, 126) : prng_between(prng, 1, 255));
	ret_text->text[len] = '\0';
	ret_text->len = len;
	return 0;
}

/* ---- what holds ---- */

static int check_tag(const struct lw_tag_request *job, struct lw_strbuf *why)
{
	char text[LW_TAG_TEXT_MAX], comment[2 * LW_TAG_TEXT_MAX];
	struct lw_tag_request told = *job; /* how long the script is */
	struct lw_tag tag, again, read;

	told.script_len = job->script ? strlen(job->script) : 0;
	lw_tag_recognise(job, rules, &tag);
	lw_tag_recognise(&told, rules, &again);
	if (lw_tag_encode(&tag, text, sizeof(text)) >= sizeof(text) || strpbrk(text, " \n"))
		return BROKEN(why, "the tag is no word: %s\n", text);
	if (lw_words_put("by ops", LW_TAG_PREFIX, text, comment, sizeof(comment)) ||
	    lw_tag_decode(comment, &read))
		return BROKEN(why, "the tag is not read back: %s\n", text);
	if (tag.class != read.class || tag.gang != read.gang ||
	    tag.confidence != read.confidence || strcmp(tag.evidence, read.evidence))
		return BROKEN(why, "the tag is read back as another: %s\n", text);
	if (tag.class != again.class || tag.confidence != again.confidence ||
	    strcmp(tag.evidence, again.evidence))
		return BROKEN(why, "judged twice, it differs: %s\n", text);
	if (tag.confidence > 100 || (tag.class == LW_TAG_NONE && tag.gang))
		return BROKEN(why, "no tag can be so: %s\n", text);
	return 0;
}

static int judge_text(const struct text *t, struct lw_strbuf *why)
{
	struct lw_tag_request job;
	struct lw_submit submit;
	int rc;

	lw_submit_read(t->text, NULL, t->len & 1, &submit);
	lw_submit_request(&submit, t->text, &job);
	rc = check_tag(&job, why);
	job.command_line = t->text;
	job.script = NULL;
	if (!rc)
		rc = check_tag(&job, why);
	if (rc)
		lw_strbuf_add(why, "script:\n%s\n", t->text);
	return rc;
}

static int any_script_gets_a_tag(uint64_t seed, struct lw_strbuf *why)
{
	struct prng prng = { seed };
	struct text t;
	int rc;

	if (prng_chance(&prng, 20) ? make_noise(&prng, &t)
				   : make_text(&prng, prng_between(&prng, 1, 12), &t))
		return BROKEN(why, "out of memory\n");
	rc = judge_text(&t, why);
	free(t.text);
	return rc;
}

struct work {
	size_t words, bytes;
};

static void count_work(void *arg, const struct lw_shell_command *command)
{
	struct work *work = arg;

	work->words += command->words;
	for (uint32_t i = 0; i < command->words; i++)
		work->bytes += command->word[i].len < LOOKED_AT ? command->word[i].len : LOOKED_AT;
}

/* Four nested substitutions read a byte five times at most. */
static int work_is_bounded(uint64_t seed, struct lw_strbuf *why)
{
	struct work work = { 0, 0 };
	struct lw_shell_reader reader = {
		.found = count_work, .arg = &work, .front = FRONT, .back = BACK
	};
	struct prng prng = { seed };
	struct text t = { NULL, 0 };

	if (make_text(&prng, prng_between(&prng, 0, 3), &t))
		return BROKEN(why, "out of memory\n");
	while (t.text && t.len < 20 * (FRONT + BACK))
		replace(&t, t.len, 0, t.text, t.len ? t.len : 1);
	lw_shell_scan(t.text, t.len, &reader);
	free(t.text);
	if (work.words <= 5 * (FRONT + BACK) && work.bytes <= 5 * (FRONT + BACK))
		return 0;
	return BROKEN(why, "%zu words, %zu bytes of %zu\n", work.words, work.bytes, t.len);
}

/* ---- what is passed over ---- */

/* A document that begins in what is passed over is passed over to its end, wherever that is. */
static int documents_are_passed(uint64_t seed, struct lw_strbuf *why)
{
	static const char letters[] = "EOF%!_-.x9";
	struct prng prng = { seed };
	bool tabs = prng_chance(&prng, 50);
	struct lw_strbuf text = LW_STRBUF_INIT;
	size_t len = (size_t)prng_between(&prng, 1, 70), want;
	unsigned missed = 0;
	const char *begin;
	char mark[80];
	int rc = 0;

	for (size_t i = 0; i < len; i++)
		mark[i] = letters[prng_between(&prng, 0, sizeof(letters) - 2)];
	*mark = 'E'; /* "<<-E" is another form */
	mark[len] = '\0';
	lw_strbuf_add(&text, "cat <<%s%s >x\n", tabs ? "-" : "", mark);
	for (int64_t left = prng_between(&prng, 0, 40); left; left--)
		lw_strbuf_add(&text, "%s%s", prng_chance(&prng, 30) ? "\t" : "a b",
			      prng_chance(&prng, 50) ? "\n" : "}\n");
	lw_strbuf_add(&text, "%s%s\n", tabs ? "\t\t" : "", mark);
	want = text.len;
	lw_strbuf_add(&text, "fi\ndone\n");
	begin = lw_strbuf_text(&text);
	if (lw_shell_next_line(begin, begin + text.len, &missed) != begin + want || missed)
		rc = BROKEN(why, "%s\n", begin);
	lw_strbuf_fini(&text);
	return rc;
}

/* However much stands in front, and wherever reading in order ends: the end is read. */
static int last_command_is_read(uint64_t seed, struct lw_strbuf *why)
{
	struct prng prng = { seed };
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_tag_request job = { .script = NULL };
	uint32_t size = prng_between(&prng, 1000, 9000), options = prng_between(&prng, 0, 40);
	int width = (int)prng_between(&prng, 1, 300);
	struct lw_tag tag;
	int rc = 0;

	lw_strbuf_add(&text, "#!/bin/sh\n");
	while (text.len < size)
		lw_strbuf_add(&text, "%s %0*u\n", prng_chance(&prng, 50) ? "echo" : "export A=b",
			      width, size);
	lw_strbuf_add(&text, "srun torchrun");
	while (options--)
		lw_strbuf_add(&text, " --option%u=%u", options, size);
	lw_strbuf_add(&text, " own.py\n");
	job.script = lw_strbuf_text(&text);
	lw_tag_recognise(&job, rules, &tag);
	if (!strstr(tag.evidence, "torchrun"))
		rc = BROKEN(why, "%zu bytes: %s\n", text.len, tag.evidence);
	lw_strbuf_fini(&text);
	return rc;
}

/* What a job with GPUs runs is found in the middle of a long script too, but no mention of it. */
static int middle_is_skimmed(uint64_t seed, struct lw_strbuf *why)
{
	static const char *const fronts[] = {
		"", "  ", "\t\t", "if ! ", "do srun -N 2 ", "time "
	};
	static const char *const mentions[] = { "# ", "cat >x <<'E'\n", "echo ", "x=" };
	struct prng prng = { seed };
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_tag_request job = { .tres_per_node = "gres/gpu:1" };
	uint32_t middle = prng_between(&prng, 6000, 30000);
	bool mention = prng_chance(&prng, 50);
	struct lw_tag tag;
	int rc = 0;

	lw_strbuf_add(&text, "#!/bin/sh\n");
	while (text.len < middle)
		lw_strbuf_add(&text, "%s %0*u\n",
			      prng_chance(&prng, 50) ? "echo" : "\texport A=b",
			      (int)prng_between(&prng, 1, 100), middle);
	lw_strbuf_add(&text, "%storchrun own.py\nE\n",
		      mention ? mentions[prng_between(&prng, 0, 3)]
			      : fronts[prng_between(&prng, 0, 5)]);
	while (text.len < middle + 4000)
		lw_strbuf_add(&text, "cp a%u b\n", middle);
	job.script = lw_strbuf_text(&text);
	lw_tag_recognise(&job, rules, &tag);
	if (mention == (strstr(tag.evidence, "torchrun") != NULL))
		rc = BROKEN(why, "at %u of %zu: %s\n", middle, text.len, tag.evidence);
	lw_strbuf_fini(&text);
	return rc;
}

/* Lines with nothing in them cost nothing, either. */
static int empty_lines_say_nothing(uint64_t seed, struct lw_strbuf *why)
{
	struct prng prng = { seed };
	const struct lw_corpus_script *script = &corpus.script[seed % corpus.scripts];
	const char *newline = strchr(script->text, '\n');
	struct lw_tag_request job = { .script = script->text };
	struct lw_strbuf moved = LW_STRBUF_INIT;
	struct lw_tag here, there;
	int rc = 0;

	if (!newline || strlen(script->text) > 6000)
		return 0;
	lw_strbuf_add_bytes(&moved, script->text, (size_t)(newline - script->text));
	for (uint32_t i = prng_between(&prng, 1, 64); i > 0; i--)
		lw_strbuf_add_bytes(&moved, "\n", 1);
	lw_strbuf_add_bytes(&moved, newline, strlen(newline));
	lw_tag_recognise(&job, rules, &here);
	job.script = lw_strbuf_text(&moved);
	lw_tag_recognise(&job, rules, &there);
	if (memcmp(&here, &there, offsetof(struct lw_tag, evidence)) ||
	    strcmp(here.evidence, there.evidence))
		rc = BROKEN(why, "%s: %s and %s\n", script->file, here.evidence, there.evidence);
	lw_strbuf_fini(&moved);
	return rc;
}

static const struct property properties[] = {
	{ "any script gets a tag that is read back, twice the same", any_script_gets_a_tag,
	  6000 },
	{ "the work a long script makes is bounded", work_is_bounded, 1000 },
	{ "a here-document ends where its mark stands", documents_are_passed, 5000 },
	{ "empty lines make no difference", empty_lines_say_nothing, 3000 },
	{ "the last command is read, however long the script", last_command_is_read, 2000 },
	{ "what a job with GPUs runs is found amid a long script", middle_is_skimmed, 1000 },
};

int main(void)
{
	struct lw_error err = { "" };
	int status = EXIT_FAILURE;

	if (lw_corpus_read(LW_CORPUS, &corpus, &err) || lw_tag_rules_create(&rules))
		printf("Bail out! %s\n", err.text);
	else
		status = run_properties(properties, sizeof(properties) / sizeof(*properties));
	lw_tag_rules_destroy(rules);
	lw_corpus_fini(&corpus);
	return status;
}
