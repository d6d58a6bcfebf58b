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
struct tag_language {
	const char *tail;   /* "flux.jl" is a package of Julia, "flux" one of Python */
	const char *code;   /* letters of options that are followed by code */
	const char *valued; /* and by something else */
	const char *load[2];
	const char *include[2]; /* how its code runs another file */
};

static const struct tag_language python = { "", "c", "WX", { "import ", "from " }, { NULL } };
static const struct tag_language julia = {
	".jl", "eE", "tpJCLH", { "using ", "import " }, { "include(", "source(" }
};
static const struct tag_language r = {
	".r", "e", "g", { "library(", "require(" }, { "include(", "source(" }
};

struct tag_code {
	struct lw_tag_judge *judge;
	const struct tag_language *language;
	bool runs;  /* a module that rules do not know counts as a file */
	bool looks; /* only whether a package is there: it says what the environment has */
};

/* Judge the LEN bytes at NAME with TAIL behind them. */
static void tag_judge_with(struct lw_tag_judge *judge, enum lw_tag_place place, const char *name,
			   size_t len, const char *tail)
{
	char text[NAME_MAX_LEN];
	size_t more = strlen(tail);

	if (!len || len + more > sizeof(text))
		return;
	memcpy(text, name, len);
	memcpy(text + len, tail, more);
	lw_tag_rules_match(judge->rules, place, text, len + more, &judge->fired);
}

/* ---- statements ---- */

/* A module's name, "a.b.c", which begins at NAME. */
static void tag_judge_module(const struct tag_code *code, const char *name, const char *end)
{
	const uint32_t before = code->judge->fired.count;
	const char *first = tag_identifier_end(name, end), *stop = first, *last = name;

	while (stop < end && *stop == '.') {
		last = stop + 1;
		stop = tag_identifier_end(last, end);
	}
	tag_judge_with(code->judge, code->looks ? LW_TAG_ENVIRONMENT : LW_TAG_IMPORT, name,
		       (size_t)(first - name), code->language->tail);
	if (code->runs && code->judge->fired.count == before)
		tag_judge_with(code->judge, LW_TAG_ENTRY, last, (size_t)(stop - last), ".py");
}

/* P stands behind "import": the names up to the end of the statement. */
static void tag_judge_import(const struct tag_code *code, const char *p, const char *end,
			     bool several)
{
	do {
		while (p < end && (*p == ' ' || *p == ',' || *p == '"' || *p == '\''))
			p++;
		tag_judge_module(code, p, end);
		p = several ? memchr(p, ',', (size_t)(end - p)) : NULL;
	} while (p);
}

/* include("train.jl"), source("train.R"): P stands where a file's name may be quoted. */
static void tag_judge_included(const struct tag_code *code, const char *p, const char *end)
{
	const char *quote =
		*p == '"' || *p == '\'' ? memchr(p + 1, *p, (size_t)(end - p - 1)) : NULL;
	struct lw_shell_word word = { .text = p + 1 };

	if (!quote)
		return;
	word.len = (uint32_t)(quote - word.text);
	word = tag_base(&word);
	tag_judge_word(code->judge, LW_TAG_ENTRY, &word);
}

/*
 * Behind FRONT, if it stands at P with more behind it; else NULL. A call may stand in another, as
 * in suppressMessages(library(torch)).
 */
static const char *tag_behind(const char *p, const char *end, const char *front)
{
	size_t len = front ? strlen(front) : 0;

	if (len && front[len - 1] == '(')
		p = memmem(p, (size_t)(end - p), front, len);
	return len && p && (size_t)(end - p) > len && !memcmp(p, front, len) ? p + len : NULL;
}

static void tag_judge_statement(const struct tag_code *code, const char *p, const char *end)
{
	const struct tag_language *language = code->language;
	const char *what;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	for (unsigned i = 0; i < 2; i++) {
		if ((what = tag_behind(p, end, language->load[i])))
			tag_judge_import(code, what, end, language != &python || !i);
		if ((what = tag_behind(p, end, language->include[i])))
			tag_judge_included(code, what, end);
	}
}

static void tag_judge_code(const struct tag_code *code, const char *text, size_t size)
{
	struct lw_tag_judge *judge = code->judge;
	size_t len = size < judge->code_left ? size : judge->code_left;
	const char *end = text + len;

	judge->code_left -= len;
	for (const char *stop; text < end; text = stop + 1) {
		for (stop = text; stop < end && *stop != '\n' && *stop != ';';)
			stop++;
		tag_judge_statement(code, text, stop);
	}
}

static const struct tag_language *tag_language_of(const struct lw_shell_word *program)
{
	if (tag_is(program, "julia"))
		return &julia;
	if (tag_is(program, "R") || tag_is(program, "Rscript") || tag_is(program, "r"))
		return &r;
	return tag_is_python(program) || tag_is(program, "uv") || tag_is(program, "uvx") ? &python
											 : NULL;
}

bool lw_tag_judge_interpreted(struct lw_tag_judge *judge, const struct lw_shell_word *interpreter,
			      const char *code, size_t size)
{
	struct tag_code of = { .judge = judge, .language = tag_language_of(interpreter) };

	if (!of.language)
		return false;
	tag_judge_word(judge, LW_TAG_PROGRAM, interpreter);
	tag_judge_code(&of, code, size);
	return true;
}

/* ---- one line of Python ---- */

/* What is called counts as what is run: train() as train.py. Whether any of it works. */
static bool tag_judge_calls(struct lw_tag_judge *judge, const char *text, const char *end)
{
	const uint32_t before = judge->fired.count;
	bool any = false;

	for (const char *p = text; (p = memchr(p, '(', (size_t)(end - p))); p++) {
		struct lw_shell_word name = { .text = p };

		while (name.text > text && tag_is_identifier(name.text[-1]))
			name.text--;
		name.len = (uint32_t)(p - name.text);
		/* functions that do what a package is for, whatever it is */
		any |= tag_is(&name, "fit") || tag_is(&name, "main") || tag_is(&name, "run") ||
		       tag_is(&name, "pipeline") || tag_is(&name, "backward");
		tag_judge_word(judge, LW_TAG_ENTRY, &name);
	}
	return any || judge->fired.count != before;
}

static void tag_judge_line(struct tag_code code, const struct lw_shell_word *line)
{
	const size_t left = code.judge->code_left;

	if (code.language == &python) {
		code.runs = tag_judge_calls(code.judge, line->text,
					    line->text + (line->len < left ? line->len : left));
		code.looks = !code.runs && line->len <= ONE_LINER_MAX;
	}
	tag_judge_code(&code, line->text, line->len);
}

/* ---- interpreters ---- */

/* "python -m lab.scripts.train" runs train.py, unless it is a module that rules know. */
static void tag_scan_module(struct tag_scan *walk, uint32_t index)
{
	const struct lw_shell_word *module = tag_word_at(walk, index);
	const struct lw_shell_word *operand = tag_word_at(walk, index + 1);
	const uint32_t before = walk->judge->fired.count;
	const char *dot;

	if (!module)
		return;
	tag_judge_word(walk->judge, LW_TAG_MODULE, module);
	/* "wandb agent", which is one of many things that it does */
	if (operand && !tag_is_option(operand))
		tag_judge_pair(walk->judge, LW_TAG_MODULE, module, operand);
	if (walk->judge->fired.count != before)
		lw_tag_judge_options(walk, LW_TAG_MODULE, module, index + 1);
	dot = memrchr(module->text, '.', module->len);
	if (dot && walk->judge->fired.count == before)
		tag_judge_with(walk->judge, LW_TAG_ENTRY, dot + 1,
			       (size_t)(module->text + module->len - dot - 1), ".py");
	lw_tag_scan_launcher(walk, index + 1);
}

/* Over the options from index I on, of which those with code are judged; *ret_coded says so. */
static uint32_t tag_scan_code_options(struct tag_scan *walk, const struct tag_code *code,
				      uint32_t i, bool *ret_coded)
{
	const struct lw_shell_word *word;

	for (; (word = tag_word_at(walk, i)) && tag_is_option(word); i++) {
		bool coded = word->len == 2 && strchr(code->language->code, word->text[1]);

		if (code->language == &python && (coded || tag_is(word, "-m")))
			break;
		if (!tag_word_at(walk, i + 1) || word->len != 2)
			continue;
		if (coded)
			tag_judge_line(*code, word + 1);
		*ret_coded |= coded;
		i += coded || strchr(code->language->valued, word->text[1]);
	}
	return i;
}

/* "$1", "$*", "${@}": one of the words that the job script was submitted with. */
static bool tag_is_positional(const struct lw_shell_word *word)
{
	size_t at = word->len > 3 && word->text[1] == '{' ? 2 : 1;

	return word->len == (at == 2 ? 4 : 2) && *word->text == '$' &&
	       strchr("*@123456789", word->text[at]);
}

/* What is run; python $1 runs a script, too. */
static void tag_judge_run(struct tag_scan *walk, const struct tag_language *language,
			  const struct lw_shell_word *word)
{
	static const char script[] = "-.py";
	const struct lw_shell_word unknown = tag_word(script, script + sizeof(script) - 1);
	bool positional = language == &python && tag_is_positional(word);

	lw_tag_judge_operand(walk->judge, LW_TAG_ENTRY, positional ? &unknown : word);
}

static void tag_code_language(struct tag_scan *walk, const struct tag_language *language)
{
	const struct lw_shell_command *command = walk->command;
	const struct tag_code code = { .judge = walk->judge, .language = language };
	bool coded = false;
	uint32_t i = tag_scan_code_options(walk, &code, walk->at + 1, &coded);
	const struct lw_shell_word *word = tag_word_at(walk, i);

	if (word && tag_is(word, "CMD")) /* R CMD BATCH */
		word = tag_word_at(walk, i = tag_scan_code_options(walk, &code, i + 2, &coded));
	if (word && language == &python && tag_is_option(word)) {
		if (tag_is(word, "-m"))
			tag_scan_module(walk, i + 1);
		else if (tag_word_at(walk, i + 1))
			tag_judge_line(code, word + 1);
	} else if (word && !tag_is(word, "-")) {
		if (!coded)
			tag_judge_run(walk, language, word);
		lw_tag_scan_arguments(walk, i + 1);
	} else if (!coded && command->heredoc) {
		tag_judge_code(&code, command->heredoc, command->heredoc_len);
	}
}

void lw_tag_scan_python(struct tag_scan *walk)
{
	tag_code_language(walk, &python);
}

void lw_tag_scan_language(struct tag_scan *walk)
{
	const struct lw_shell_word base = tag_base(tag_current(walk));

	tag_judge_word(walk->judge, LW_TAG_PROGRAM, &base);
	tag_code_language(walk, tag_language_of(&base));
}
