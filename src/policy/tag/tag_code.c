/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what Python, Julia and R are given to run: a file, a module, or code in the script. */
#include "policy/tag/tag_judge.h"

#include <string.h>

/*
 * Python on one short line mostly checks that a package is there, which is no learning: then
 * what it imports counts only when it calls something that works.
 */
#define ONE_LINER_MAX 200
/* Of a package, with what tells its language. */
#define NAME_MAX_LEN 64

/* How an interpreter is called, and what its code loads packages with. */
struct language {
	const char *tail;   /* "flux.jl" is a package of Julia, "flux" one of Python */
	const char *code;   /* letters of options that are followed by code */
	const char *valued; /* and by something else */
	const char *load[2];
};

static const struct language julia = { ".jl", "eE", "tpJCLH", { "using ", "import " } };
static const struct language r = { ".r", "e", "g", { "library(", "require(" } };

/* Judge the LEN bytes at NAME with TAIL behind them. */
static void judge_with(struct lw_tag_judge *judge, enum lw_tag_place place, const char *name,
		       size_t len, const char *tail)
{
	char text[NAME_MAX_LEN];
	size_t more = strlen(tail);

	if (!len || len + more > sizeof(text))
		return;
	memcpy(text, name, len);
	memcpy(text + len, tail, more);
	lw_tag_judge_text(judge, place, text, len + more);
}

struct code {
	struct lw_tag_judge *judge;
	const struct language *language; /* NULL: Python */
	bool runs;                       /* a module that rules do not know counts as a file */
	bool looks; /* only whether a package is there: it says what the environment has */
};

/* ---- statements ---- */

/* Behind a module's name, which may have dots in it. */
static const char *path_end(const char *p, const char *end)
{
	while (p < end && (is_identifier(*p) || *p == '.'))
		p++;
	return p;
}

static void judge_module(const struct code *code, const char *name, const char *end)
{
	const char *stop = path_end(name, end);
	const char *first = identifier_end(name, stop);
	const char *dot = memrchr(name, '.', (size_t)(stop - name));
	struct lw_tag_fired before;

	before = code->judge->fired;
	if (code->language)
		judge_with(code->judge, LW_TAG_IMPORT, name, (size_t)(first - name),
			   code->language->tail);
	else
		lw_tag_judge_text(code->judge, code->looks ? LW_TAG_ENVIRONMENT : LW_TAG_IMPORT,
				  name, (size_t)(first - name));
	if (code->runs && !fired_since(code->judge, &before)) {
		name = dot ? dot + 1 : name;
		judge_with(code->judge, LW_TAG_ENTRY, name, (size_t)(stop - name), ".py");
	}
}

/* P stands behind "import": the names up to the end of the statement. */
static void judge_import(const struct code *code, const char *p, const char *end, bool several)
{
	do {
		while (p < end && (*p == ' ' || *p == ',' || *p == '"' || *p == '\''))
			p++;
		judge_module(code, p, end);
		p = several ? memchr(p, ',', (size_t)(end - p)) : NULL;
	} while (p);
}

/* include("train.jl"), source("train.R"): P stands where a file's name may be quoted. */
static void judge_included(const struct code *code, const char *p, const char *end)
{
	const char *quote;
	struct lw_shell_word word;

	if (p >= end || (*p != '"' && *p != '\''))
		return;
	quote = memchr(p + 1, *p, (size_t)(end - p - 1));
	if (!quote)
		return;
	word = (struct lw_shell_word){ .text = p + 1, .len = (uint32_t)(quote - p - 1) };
	word = base_of(&word);
	lw_tag_judge_text(code->judge, LW_TAG_ENTRY, word.text, word.len);
}

static bool begins(const char *p, const char *end, const char *with)
{
	size_t len = strlen(with);

	return (size_t)(end - p) > len && !memcmp(p, with, len);
}

static void judge_statement(const struct code *code, const char *p, const char *end)
{
	const struct language *language = code->language;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (!language) {
		if (begins(p, end, "import "))
			judge_import(code, p + 7, end, true);
		else if (begins(p, end, "from "))
			judge_import(code, p + 5, end, false);
		return;
	}
	for (unsigned i = 0; i < 2; i++)
		if (begins(p, end, language->load[i]))
			judge_import(code, p + strlen(language->load[i]), end, true);
	if (begins(p, end, "include("))
		judge_included(code, p + 8, end);
	else if (begins(p, end, "source("))
		judge_included(code, p + 7, end);
}

static void judge_code(const struct code *code, const char *text, size_t size)
{
	struct lw_tag_judge *judge = code->judge;
	size_t len = size < judge->code_left ? size : judge->code_left;
	const char *end = text + len;

	judge->code_left -= len;
	while (text < end) {
		const char *line = memchr(text, '\n', (size_t)(end - text)), *stop;

		line = line ? line : end;
		stop = memchr(text, ';', (size_t)(line - text));
		stop = stop ? stop : line;
		judge_statement(code, text, stop);
		text = stop < end ? stop + 1 : end;
	}
}

void lw_tag_judge_python(struct lw_tag_judge *judge, const char *code, size_t size)
{
	judge_code(&(struct code){ .judge = judge }, code, size);
}

/* ---- one line of Python ---- */

/* Functions that do what a package is for, whatever it is. */
static bool works(const char *name, size_t len)
{
	static const char *const names[] = { "fit", "main", "run", "pipeline", "backward" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == len && !memcmp(names[i], name, len))
			return true;
	return false;
}

/* What is called counts as what is run: train() as train.py. Whether any of it works. */
static bool judge_calls(struct lw_tag_judge *judge, const char *text, const char *end)
{
	struct lw_tag_fired before;
	bool any = false;

	before = judge->fired;
	for (const char *p = text; (p = memchr(p, '(', (size_t)(end - p))); p++) {
		const char *name = p;

		while (name > text && is_identifier(name[-1]))
			name--;
		any = any || works(name, (size_t)(p - name));
		lw_tag_judge_text(judge, LW_TAG_ENTRY, name, (size_t)(p - name));
	}
	return any || fired_since(judge, &before);
}

static void judge_line_of_python(struct lw_tag_judge *judge, const char *text,
					     size_t len)
{
	size_t looked = len < judge->code_left ? len : judge->code_left;
	struct code code = { .judge = judge };

	code.runs = judge_calls(judge, text, text + looked);
	code.looks = !code.runs && len <= ONE_LINER_MAX;
	judge_code(&code, text, len);
}

/* ---- interpreters ---- */

/* The module's name, and "wandb agent", which is one of many things that it does. */
static void judge_module_name(struct walk *walk, uint32_t index)
{
	const struct lw_shell_word *module = word_at(walk, index);
	const struct lw_shell_word *operand = word_at(walk, index + 1);

	judge_word(walk, LW_TAG_MODULE, module);
	if (operand && !is_option(operand))
		lw_tag_judge_pair(walk->judge, LW_TAG_MODULE, module, operand);
}

/* "python -m lab.scripts.train" runs train.py, unless it is a module that rules know. */
static void walk_module(struct walk *walk, uint32_t index)
{
	const struct lw_shell_word *module = word_at(walk, index);
	struct lw_tag_fired before;
	const char *dot;

	if (!module)
		return;
	before = walk->judge->fired;
	judge_module_name(walk, index);
	dot = memrchr(module->text, '.', module->len);
	if (dot && !fired_since(walk->judge, &before))
		judge_with(walk->judge, LW_TAG_ENTRY, dot + 1,
			   (size_t)(module->text + module->len - dot - 1), ".py");
	lw_tag_walk_launcher(walk, index + 1);
}

void lw_tag_walk_python(struct walk *walk)
{
	const struct lw_shell_command *command = walk->command;
	const struct lw_shell_word *word = NULL;
	uint32_t i;

	for (i = walk->at + 1; (word = word_at(walk, i)) && is_option(word); i++) {
		if (is(word, "-m")) {
			walk_module(walk, i + 1);
			return;
		}
		if (is(word, "-c")) {
			word = word_at(walk, i + 1);
			if (word)
				judge_line_of_python(walk->judge, word->text, word->len);
			return;
		}
		if (is(word, "-W") || is(word, "-X"))
			i++;
	}
	if (word && !is(word, "-")) {
		lw_tag_judge_operand(walk->judge, LW_TAG_ENTRY, word);
		lw_tag_walk_arguments(walk, i + 1);
	} else if (command->heredoc) {
		lw_tag_judge_python(walk->judge, command->heredoc, command->heredoc_len);
	}
}

/* Over the options from index I on, of which those with code are judged; *ret_coded says so. */
static uint32_t walk_code_options(struct walk *walk, const struct code *code, uint32_t i,
				  bool *ret_coded)
{
	const struct lw_shell_word *word, *next;

	for (; (word = word_at(walk, i)) && is_option(word); i++) {
		next = word_at(walk, i + 1);
		if (word->len != 2 || !next)
			continue;
		if (strchr(code->language->code, word->text[1])) {
			judge_code(code, next->text, next->len);
			*ret_coded = true;
			i++;
		} else if (strchr(code->language->valued, word->text[1])) {
			i++;
		}
	}
	return i;
}

static void walk_language(struct walk *walk, const struct language *language)
{
	const struct lw_shell_command *command = walk->command;
	const struct code code = { .judge = walk->judge, .language = language };
	const struct lw_shell_word *word;
	const struct lw_shell_word base = base_of(current(walk));
	bool coded = false;
	uint32_t i = walk_code_options(walk, &code, walk->at + 1, &coded);

	judge_word(walk, LW_TAG_PROGRAM, &base);
	word = word_at(walk, i);
	if (word && is(word, "CMD")) /* R CMD BATCH */
		word = word_at(walk, i = walk_code_options(walk, &code, i + 2, &coded));
	if (word && !is(word, "-")) {
		if (!coded)
			lw_tag_judge_operand(walk->judge, LW_TAG_ENTRY, word);
		lw_tag_walk_arguments(walk, i + 1);
	} else if (!coded && command->heredoc) {
		judge_code(&code, command->heredoc, command->heredoc_len);
	}
	walk->done = true;
}

void lw_tag_walk_julia(struct walk *walk)
{
	walk_language(walk, &julia);
}

void lw_tag_walk_r(struct walk *walk)
{
	walk_language(walk, &r);
}
