/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what Python, Julia and R are given to run: a file, a module, or code in the script. */
#include "tagger/tag_judge.h"

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

struct code {
	struct lw_tag_judge *judge;
	const struct language *language; /* NULL: Python */
	bool runs;                       /* a module that rules do not know counts as a file */
	bool looks; /* only whether a package is there: it says what the environment has */
};

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

/* ---- statements ---- */

/* A module's name, "a.b.c", which begins at NAME. */
static void judge_module(const struct code *code, const char *name, const char *end)
{
	const struct lw_tag_fired before = code->judge->fired;
	const char *first = identifier_end(name, end), *stop = first, *last = name;

	while (stop < end && *stop == '.') {
		last = stop + 1;
		stop = identifier_end(last, end);
	}
	judge_with(code->judge, code->looks ? LW_TAG_ENVIRONMENT : LW_TAG_IMPORT, name,
		   (size_t)(first - name), code->language ? code->language->tail : "");
	if (code->runs && !fired_since(code->judge, &before))
		judge_with(code->judge, LW_TAG_ENTRY, last, (size_t)(stop - last), ".py");
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
	const char *quote = *p == '"' || *p == '\'' ? memchr(p + 1, *p, (size_t)(end - p - 1))
						     : NULL;
	struct lw_shell_word word;

	if (!quote)
		return;
	word = (struct lw_shell_word){ .text = p + 1, .len = (uint32_t)(quote - p - 1) };
	word = base_of(&word);
	lw_tag_judge_text(code->judge, LW_TAG_ENTRY, word.text, word.len);
}

/*
 * Behind FRONT, if it stands at P with more behind it; else NULL. A call may stand in another, as
 * in suppressMessages(library(torch)).
 */
static const char *behind(const char *p, const char *end, const char *front)
{
	size_t len = strlen(front);
	const char *at = front[len - 1] == '(' ? memmem(p, (size_t)(end - p), front, len) : p;

	return at && (size_t)(end - at) > len && !memcmp(at, front, len) ? at + len : NULL;
}

static void judge_statement(const struct code *code, const char *p, const char *end)
{
	static const char *const python[] = { "import ", "from " };
	static const char *const includes[] = { "include(", "source(" };
	const char *const *load = code->language ? code->language->load : python;
	const char *what;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	for (unsigned i = 0; i < 2; i++) {
		if ((what = behind(p, end, load[i])))
			judge_import(code, what, end, code->language || !i);
		if (code->language && (what = behind(p, end, includes[i])))
			judge_included(code, what, end);
	}
}

static void judge_code(const struct code *code, const char *text, size_t size)
{
	struct lw_tag_judge *judge = code->judge;
	size_t len = size < judge->code_left ? size : judge->code_left;
	const char *end = text + len;

	judge->code_left -= len;
	for (const char *stop; text < end; text = stop + 1) {
		for (stop = text; stop < end && *stop != '\n' && *stop != ';';)
			stop++;
		judge_statement(code, text, stop);
	}
}

bool lw_tag_judge_interpreted(struct lw_tag_judge *judge, const struct lw_shell_word *interpreter,
			      const char *code, size_t size)
{
	struct code of = { .judge = judge };

	if (is(interpreter, "julia"))
		of.language = &julia;
	else if (is(interpreter, "R") || is(interpreter, "Rscript") || is(interpreter, "r"))
		of.language = &r;
	else if (!is_python(interpreter) && !is(interpreter, "uv") && !is(interpreter, "uvx"))
		return false;
	lw_tag_judge_text(judge, LW_TAG_PROGRAM, interpreter->text, interpreter->len);
	judge_code(&of, code, size);
	return true;
}

/* ---- one line of Python ---- */

/* What is called counts as what is run: train() as train.py. Whether any of it works. */
static bool judge_calls(struct lw_tag_judge *judge, const char *text, const char *end)
{
	const struct lw_tag_fired before = judge->fired;
	bool any = false;

	for (const char *p = text; (p = memchr(p, '(', (size_t)(end - p))); p++) {
		struct lw_shell_word name = { .text = p };

		while (name.text > text && is_identifier(name.text[-1]))
			name.text--;
		name.len = (uint32_t)(p - name.text);
		/* functions that do what a package is for, whatever it is */
		any |= is(&name, "fit") || is(&name, "main") || is(&name, "run") ||
		       is(&name, "pipeline") || is(&name, "backward");
		lw_tag_judge_text(judge, LW_TAG_ENTRY, name.text, name.len);
	}
	return any || fired_since(judge, &before);
}

static void judge_line_of_python(struct lw_tag_judge *judge, const struct lw_shell_word *line)
{
	size_t looked = line->len < judge->code_left ? line->len : judge->code_left;
	struct code code = { .judge = judge };

	code.runs = judge_calls(judge, line->text, line->text + looked);
	code.looks = !code.runs && line->len <= ONE_LINER_MAX;
	judge_code(&code, line->text, line->len);
}

/* ---- interpreters ---- */

/* "python -m lab.scripts.train" runs train.py, unless it is a module that rules know. */
static void walk_module(struct walk *walk, uint32_t index)
{
	const struct lw_shell_word *module = word_at(walk, index);
	const struct lw_shell_word *operand = word_at(walk, index + 1);
	const struct lw_tag_fired before = walk->judge->fired;
	const char *dot;

	if (!module)
		return;
	judge_word(walk, LW_TAG_MODULE, module);
	/* "wandb agent", which is one of many things that it does */
	if (operand && !is_option(operand))
		lw_tag_judge_pair(walk->judge, LW_TAG_MODULE, module, operand);
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
			if (word_at(walk, i + 1))
				judge_line_of_python(walk->judge, word + 1);
			return;
		}
		if (is(word, "-W") || is(word, "-X"))
			i++;
	}
	if (word && !is(word, "-")) {
		lw_tag_judge_operand(walk->judge, LW_TAG_ENTRY, word);
		lw_tag_walk_arguments(walk, i + 1);
	} else if (command->heredoc) {
		judge_code(&(struct code){ .judge = walk->judge }, command->heredoc,
			   command->heredoc_len);
	}
}

/* Over the options from index I on, of which those with code are judged; *ret_coded says so. */
static uint32_t walk_code_options(struct walk *walk, const struct code *code, uint32_t i,
				  bool *ret_coded)
{
	const struct lw_shell_word *word;

	for (; (word = word_at(walk, i)) && is_option(word); i++) {
		bool coded = word->len == 2 && strchr(code->language->code, word->text[1]);

		if (!word_at(walk, i + 1) || word->len != 2)
			continue;
		if (coded)
			judge_code(code, word[1].text, word[1].len);
		*ret_coded |= coded;
		i += coded || strchr(code->language->valued, word->text[1]);
	}
	return i;
}

static void walk_language(struct walk *walk, const struct language *language)
{
	const struct lw_shell_command *command = walk->command;
	const struct code code = { .judge = walk->judge, .language = language };
	const struct lw_shell_word base = base_of(current(walk)), *word;
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
}

void lw_tag_walk_julia(struct walk *walk)
{
	walk_language(walk, &julia);
}

void lw_tag_walk_r(struct walk *walk)
{
	walk_language(walk, &r);
}
