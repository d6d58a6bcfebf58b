/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what one command of a job script says, word by word; private to tag*.c. */
#include "tagger/tag_judge.h"

#include <stdlib.h>

static bool tag_is_override(const struct lw_shell_word *word)
{
	return !tag_is_option(word) && memchr(word->text, '=', word->len);
}

/* "-m" beside "lr=1,2" is Hydra's short name of --multirun; before a file it means another. */
static bool tag_is_multirun(const struct tag_scan *walk, uint32_t from, uint32_t i)
{
	const struct lw_shell_word *next;

	if (!tag_is(tag_word_at(walk, i), "-m"))
		return false;
	next = tag_word_at(walk, i + 1);
	return next ? tag_is_override(next)
		    : i > from && tag_is_override(tag_word_at(walk, i - 1));
}

void lw_tag_scan_arguments(struct tag_scan *walk, uint32_t from)
{
	static const struct lw_shell_word multirun = { .text = "--multirun", .len = 10 };

	for (uint32_t i = from; i < walk->command->words; i++)
		lw_tag_judge_operand(walk->judge, LW_TAG_ARGUMENT,
				     tag_is_multirun(walk, from, i) ? &multirun
								    : tag_word_at(walk, i));
}

void lw_tag_scan_launcher(struct tag_scan *walk, uint32_t from)
{
	uint32_t i = from;

	while (i < walk->command->words && !tag_ends_in(tag_word_at(walk, i), ".py"))
		i++;
	if (tag_word_at(walk, i))
		lw_tag_judge_operand(walk->judge, LW_TAG_ENTRY, tag_word_at(walk, i));
	lw_tag_scan_arguments(walk, from);
}

void lw_tag_judge_options(struct tag_scan *walk, enum lw_tag_place place,
			  const struct lw_shell_word *base, uint32_t from)
{
	const struct lw_shell_word *word;

	for (uint32_t i = from; (word = tag_word_at(walk, i)); i++)
		if (tag_is_option(word) || tag_is_override(word))
			tag_judge_pair(walk->judge, place, base, word);
}

/* Programs that every system has: a file or folder called "train" is nothing behind these. */
static bool tag_is_common(const struct lw_shell_word *word)
{
	/* in the order of strcmp() */
	static const char *const names[] = {
		":",        "[",      "[[",     "awk",      "basename",   "bc",       "break",
		"bzip2",    "cat",    "cd",     "chmod",    "chown",      "continue", "cp",
		"curl",     "cut",    "date",   "df",       "diff",       "dirname",  "done",
		"du",       "echo",   "esac",   "exit",     "expr",       "false",    "fi",
		"find",     "free",   "ftp",    "function", "gawk",       "gcc",      "git",
		"grep",     "gunzip", "gzip",   "head",     "hostname",   "id",       "kill",
		"let",      "ln",     "local",  "logger",   "ls",         "lscpu",    "lsof",
		"md5sum",   "mkdir",  "mktemp", "mv",       "nvidia-smi", "perl",     "pidof",
		"pigz",     "ping",   "pip",    "pip3",     "popd",       "printenv", "printf",
		"ps",       "pushd",  "pwd",    "readlink", "readonly",   "realpath", "return",
		"rm",       "rmdir",  "rsync",  "sacct",    "sbatch",     "sbcast",   "scancel",
		"scontrol", "scp",    "sed",    "seq",      "set",        "shift",    "shopt",
		"sleep",    "sort",   "split",  "squeue",   "ssh",        "sstat",    "stat",
		"sync",     "tail",   "tar",    "tee",      "test",       "top",      "touch",
		"tr",       "trap",   "true",   "typeset",  "ulimit",     "umask",    "unalias",
		"uname",    "uniq",   "unset",  "unzip",    "uptime",     "wait",     "wc",
		"wget",     "which",  "whoami", "zcat",     "zip",        "}",
	};

	return bsearch(word, names, sizeof(names) / sizeof(names[0]), sizeof(names[0]),
		       lw_tag_by_name);
}

void lw_tag_scan_program(struct tag_scan *walk)
{
	struct lw_shell_word base = tag_base(tag_current(walk));
	const struct lw_shell_word *next = tag_word_at(walk, walk->at + 1);
	const uint32_t before = walk->judge->fired.count;

	walk->done = true;
	if (tag_is_python(&base)) {
		lw_tag_scan_python(walk);
		return;
	}
	if (tag_is_common(&base) && !lw_tag_rules_may_begin(walk->judge->rules, &base))
		return;
	tag_judge_word(walk->judge, LW_TAG_PROGRAM, &base);
	if (next && !tag_is_option(next))
		tag_judge_pair(walk->judge, LW_TAG_PROGRAM, &base, next);
	if (tag_ends_in(&base, ".py") || tag_ends_in(&base, ".sh")) {
		lw_tag_judge_operand(walk->judge, LW_TAG_ENTRY, &base);
		lw_tag_scan_arguments(walk, walk->at + 1);
	} else if (walk->judge->fired.count != before) {
		lw_tag_judge_options(walk, LW_TAG_PROGRAM, &base, walk->at + 1);
		lw_tag_scan_launcher(walk, walk->at + 1);
		return;
	}
	if (!tag_is_common(&base))
		lw_tag_scan_behind(walk, walk->at + 1);
}

/* Points that only what starts or does deep learning has. */
#define CERTAIN 60

/* Whether WORD, with NEXT behind it, is a command that may stand behind any program. */
static bool tag_is_command(const struct lw_tag_rules *rules, const struct lw_shell_word *word,
			   const struct lw_shell_word *next)
{
	struct lw_shell_word base = tag_base(word);
	struct lw_tag_fired fired = { 0 };

	if (tag_is_python(&base))
		return tag_is_option(next) || tag_ends_in(next, ".py") || *next->text == '$';
	if (lw_tag_role(&base) == TAG_STARTS)
		return true;
	if (memchr(base.text, '.', base.len) || !lw_tag_rules_may_begin(rules, &base))
		return false;
	lw_tag_rules_match(rules, LW_TAG_PROGRAM, base.text, base.len, &fired);
	lw_tag_rules_match_pair(rules, LW_TAG_PROGRAM, &base, next, &fired);
	for (uint32_t i = 0; i < LW_TAG_RULES_MAX; i++)
		if (fired.rule[i] && lw_tag_rules_at(rules, i)->weight >= CERTAIN)
			return true;
	return false;
}

void lw_tag_scan_behind(struct tag_scan *walk, uint32_t from)
{
	const struct lw_shell_word *word, *next;

	for (uint32_t i = from;
	     (word = tag_word_at(walk, i)) && (next = tag_word_at(walk, i + 1)); i++) {
		bool ends_options = tag_is(word, "--");

		if (!ends_options &&
		    (!next->len || !tag_is_command(walk->judge->rules, word, next)))
			continue;
		walk->at = i + ends_options;
		walk->done = false;
		return;
	}
}

/* The words of HELD, as a shell breaks them, and those behind it, as one command. */
static void tag_scan_expanded(struct tag_scan *walk, const struct lw_shell_word *held)
{
	struct lw_tag_judge *judge = walk->judge;
	struct lw_shell_command command = { .heredoc = walk->command->heredoc,
					    .heredoc_len = walk->command->heredoc_len };
	const char *p = held->text, *end = p + held->len;

	if (judge->depth >= LW_TAG_DEPTH_MAX || held->len > judge->nested_left)
		return;
	judge->nested_left -= held->len;
	while (p < end && command.words < LW_SHELL_WORDS_MAX) {
		struct lw_shell_word piece = lw_tag_next_piece(&p, end);

		if (piece.len > 1 && (*piece.text == '"' || *piece.text == '\'') &&
		    piece.text[piece.len - 1] == *piece.text)
			piece = tag_word(piece.text + 1, piece.text + piece.len - 1);
		if (piece.len)
			command.word[command.words++] = piece;
	}
	for (uint32_t i = walk->at + 1; i < walk->command->words; i++)
		if (command.words < LW_SHELL_WORDS_MAX)
			command.word[command.words++] = walk->command->word[i];
	judge->depth++;
	lw_tag_judge_command(judge, &command);
	judge->depth--;
}

/*
 * "$LAUNCHER train.py": the command in the variable, with what follows it here; when that says
 * nothing it may be a wrapper, "$RUN python train.py", and the command comes next. Whether it
 * said something.
 */
static bool tag_scan_held(struct tag_scan *walk, const struct lw_tag_variable *held)
{
	const struct lw_shell_word *value = &held->value;
	const uint32_t before = walk->judge->fired.count;

	if (held->array)
		tag_scan_expanded(walk, value);
	if (walk->judge->fired.count != before)
		return true;
	lw_tag_judge_nested(walk->judge, value->text, value->len);
	if (walk->judge->fired.count != before)
		lw_tag_scan_launcher(walk, walk->at + 1);
	else if (!held->array)
		tag_scan_expanded(walk, value);
	return walk->judge->fired.count != before;
}

static void tag_scan_variable(struct tag_scan *walk)
{
	const struct lw_tag_variable *held = lw_tag_stands_for(walk->judge, tag_current(walk));
	const struct lw_shell_word name = lw_tag_name_of(tag_current(walk));
	const struct lw_shell_word *next = tag_word_at(walk, walk->at + 1);
	struct lw_shell_word base = held ? tag_base(&held->value) : name;

	walk->done = true;
	if (held && tag_scan_held(walk, held))
		return;
	/* PY=/envs/torch/bin/python */
	if (tag_has_text(name.text, name.len, "PYTHON") || (held && tag_is_python(&base)))
		lw_tag_scan_python(walk);
	else if (next && tag_is_option(next))
		lw_tag_scan_behind(walk, walk->at + 1);
	else
		walk->done = !tag_word_at(walk, ++walk->at);
}

void lw_tag_judge_command(struct lw_tag_judge *judge, const struct lw_shell_command *command)
{
	struct tag_scan walk = { .judge = judge, .command = command };
	const struct lw_shell_word *word;

	while (!walk.done && (word = tag_current(&walk))) {
		struct lw_shell_word name = { .text = word->text, .len = tag_assigned(word) };

		if (lw_tag_scan_verb(&walk))
			continue;
		if (name.len) {
			tag_judge_word(judge, LW_TAG_VARIABLE, &name);
			lw_tag_set_variable(judge, word, name.len);
			walk.at++;
		} else if (lw_tag_is_variable(word)) {
			tag_scan_variable(&walk);
		} else {
			lw_tag_scan_program(&walk);
		}
	}
}

bool lw_tag_wants_line(void *arg, const char *line, size_t len)
{
	const struct lw_tag_judge *judge = arg;
	const char *end = line + len;
	struct lw_shell_word word, base;

	do {
		word = lw_tag_next_piece(&line, end);
	} while (lw_tag_role(&word) == TAG_KEYWORD);
	base = tag_base(&word);
	if (!word.len || tag_assigned(&word))
		return false;
	return lw_tag_role(&base) >= TAG_RUNS || tag_is_python(&base) ||
	       tag_ends_in(&base, ".py") || tag_ends_in(&base, ".sh") ||
	       lw_tag_rules_may_begin(judge->rules, &base);
}
