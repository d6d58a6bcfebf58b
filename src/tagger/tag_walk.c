/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what one command of a job script says, word by word; private to tag*.c. */
#include "tagger/tag_judge.h"

#include <string.h>

static bool is_override(const struct lw_shell_word *word)
{
	return !is_option(word) && memchr(word->text, '=', word->len);
}

/* "-m" beside "lr=1,2" is Hydra's short name of --multirun; before a file it means another. */
static bool is_multirun(const struct walk *walk, uint32_t from, uint32_t i)
{
	const struct lw_shell_word *next;

	if (!is(word_at(walk, i), "-m"))
		return false;
	next = word_at(walk, i + 1);
	return next ? is_override(next) : i > from && is_override(word_at(walk, i - 1));
}

void lw_tag_walk_arguments(struct walk *walk, uint32_t from)
{
	static const struct lw_shell_word multirun = { .text = "--multirun", .len = 10 };

	for (uint32_t i = from; i < walk->command->words; i++)
		lw_tag_judge_operand(walk->judge, LW_TAG_ARGUMENT,
				     is_multirun(walk, from, i) ? &multirun : word_at(walk, i));
}

void lw_tag_walk_launcher(struct walk *walk, uint32_t from)
{
	uint32_t i = from;

	while (i < walk->command->words && !ends_in(word_at(walk, i), ".py"))
		i++;
	if (word_at(walk, i))
		lw_tag_judge_operand(walk->judge, LW_TAG_ENTRY, word_at(walk, i));
	lw_tag_walk_arguments(walk, from);
}

/* "cellpose --train", "yolo mode=predict": options say what some programs do. */
static void judge_options(struct walk *walk, const struct lw_shell_word *base)
{
	const struct lw_shell_word *word;

	for (uint32_t i = walk->at + 1; (word = word_at(walk, i)); i++)
		if (is_option(word) || is_override(word))
			lw_tag_judge_pair(walk->judge, LW_TAG_PROGRAM, base, word);
}

void lw_tag_walk_program(struct walk *walk)
{
	struct lw_shell_word base = base_of(current(walk));
	const struct lw_shell_word *next = word_at(walk, walk->at + 1);
	const struct lw_tag_fired before = walk->judge->fired;

	walk->done = true;
	if (is_python(&base)) {
		lw_tag_walk_python(walk);
		return;
	}
	if (lw_tag_is_common(&base) &&
	    !lw_tag_rules_may_begin(walk->judge->rules, base.text, base.len))
		return;
	judge_word(walk, LW_TAG_PROGRAM, &base);
	if (next && !is_option(next))
		lw_tag_judge_pair(walk->judge, LW_TAG_PROGRAM, &base, next);
	if (ends_in(&base, ".py") || ends_in(&base, ".sh")) {
		lw_tag_judge_operand(walk->judge, LW_TAG_ENTRY, &base);
		lw_tag_walk_arguments(walk, walk->at + 1);
	} else if (fired_since(walk->judge, &before)) {
		judge_options(walk, &base);
		lw_tag_walk_launcher(walk, walk->at + 1);
		return;
	}
	if (!lw_tag_is_common(&base))
		lw_tag_walk_behind(walk, walk->at + 1);
}

/* Points that only what starts or does deep learning has. */
#define CERTAIN 60

/* Whether WORD, with NEXT behind it, is a command that may stand behind any program. */
bool lw_tag_is_command(const struct lw_tag_judge *judge, const struct lw_shell_word *word,
		       const struct lw_shell_word *next)
{
	struct lw_tag_fired fired = { { 0 } };
	struct lw_shell_word base = base_of(word);

	if (is_python(&base))
		return is_option(next) || ends_in(next, ".py") || *next->text == '$';
	if (lw_tag_verb_starts(&base))
		return true;
	if (memchr(base.text, '.', base.len) ||
	    !lw_tag_rules_may_begin(judge->rules, base.text, base.len))
		return false;
	lw_tag_rules_match(judge->rules, LW_TAG_PROGRAM, base.text, base.len, &fired);
	lw_tag_rules_match_pair(judge->rules, LW_TAG_PROGRAM, &base, next, &fired);
	for (uint32_t i = 0; i < LW_TAG_RULES_MAX; i++)
		if (lw_tag_has_fired(&fired, i) &&
		    lw_tag_rules_at(judge->rules, i)->weight >= CERTAIN)
			return true;
	return false;
}

void lw_tag_walk_behind(struct walk *walk, uint32_t from)
{
	const struct lw_shell_word *word, *next;

	for (uint32_t i = from; (word = word_at(walk, i)) && (next = word_at(walk, i + 1)); i++) {
		bool ends_options = is(word, "--");

		if (!ends_options && (!next->len || !lw_tag_is_command(walk->judge, word, next)))
			continue;
		walk->at = i + ends_options;
		walk->done = false;
		return;
	}
}

/* PY=/envs/torch/bin/python */
static bool holds_python(const struct lw_tag_variable *variable)
{
	struct lw_shell_word value = { .text = variable->value, .len = variable->value_len };
	struct lw_shell_word base = base_of(&value);

	return is_python(&base);
}

/* The words of HELD, as a shell breaks them, and those behind it, as one command. */
static void walk_expanded(struct walk *walk, const struct lw_tag_variable *held)
{
	struct lw_tag_judge *judge = walk->judge;
	struct lw_shell_command command = { .heredoc = walk->command->heredoc,
					    .heredoc_len = walk->command->heredoc_len };
	const char *p = held->value, *end = p + held->value_len;

	if (judge->depth >= LW_TAG_DEPTH_MAX || held->value_len > judge->nested_left)
		return;
	judge->nested_left -= held->value_len;
	while (p < end && command.words < LW_SHELL_WORDS_MAX) {
		struct lw_shell_word piece = lw_tag_next_piece(&p, end);

		if (piece.len > 1 && (*piece.text == '"' || *piece.text == '\'') &&
		    piece.text[piece.len - 1] == *piece.text) {
			piece.text++;
			piece.len -= 2;
		}
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
 * nothing it may be a wrapper, "$RUN python train.py", and the command comes next.
 */
static void walk_variable(struct walk *walk)
{
	const struct lw_tag_variable *held = lw_tag_stands_for(walk->judge, current(walk));
	const char *end, *name = lw_tag_name_of(current(walk), &end);
	const struct lw_tag_fired before = walk->judge->fired;

	walk->done = true;
	if (held && held->array)
		walk_expanded(walk, held);
	if (fired_since(walk->judge, &before))
		return;
	if (held)
		lw_tag_judge_nested(walk->judge, held->value, held->value_len);
	if (fired_since(walk->judge, &before)) {
		lw_tag_walk_launcher(walk, walk->at + 1);
		return;
	}
	if (held && !held->array)
		walk_expanded(walk, held);
	if (fired_since(walk->judge, &before))
		return;
	if (has_text(name, (size_t)(end - name), "PYTHON") || (held && holds_python(held)))
		lw_tag_walk_python(walk);
	else if (word_at(walk, walk->at + 1) && is_option(word_at(walk, walk->at + 1)))
		lw_tag_walk_behind(walk, walk->at + 1);
	else
		walk->done = !word_at(walk, ++walk->at);
}

void lw_tag_judge_command(struct lw_tag_judge *judge, const struct lw_shell_command *command)
{
	struct walk walk = { .judge = judge, .command = command };
	const struct lw_shell_word *word;

	while (!walk.done && (word = current(&walk))) {
		uint32_t len = assigned(word);

		if (lw_tag_walk_verb(&walk))
			continue;
		if (len) {
			lw_tag_judge_assignment(judge, word, len);
			walk.at++;
		} else if (lw_tag_is_variable(word)) {
			walk_variable(&walk);
		} else {
			lw_tag_walk_program(&walk);
		}
	}
}
