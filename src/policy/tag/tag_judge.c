/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: gather the rules that hold for a job's script or command; private to tag*.c. */
/*
 * A marker counts only where it does something: as the program that is run, behind the
 * launchers and containers it is wrapped in, as what Python imports, as a module that is
 * loaded. Whatever echo prints or a comment says is never looked at.
 */
#include "policy/tag/tag_judge.h"

#include "policy/tag/tag_walk.h"

#include <string.h>

/* Code in Python and the like is read this far in all: imports stand at its front. */
#define CODE_MAX 16384
/* and so far what is given to shells in a script, beside the script */
#define NESTED_MAX 8192
/* Of a script that is nothing but commands, so much is read in full at either end. */
#define FRONT 4096
#define BACK  1024
/* and so much of what lies between is skimmed, if at all */
#define GAP_MAX 65536

LW_TAG_HOT static void fire(void *arg, uint32_t rule)
{
	struct lw_tag_judge *judge = arg;
	uint64_t bit = UINT64_C(1) << (rule % 64);

	if (judge->fired.bits[rule / 64] & bit)
		return;
	judge->fired.bits[rule / 64] |= bit;
	if (judge->fresh < LW_TAG_RECENT_MAX)
		judge->recent[judge->fresh++] = (uint16_t)rule;
	/* its points will be wanted in the end */
	__builtin_prefetch(lw_tag_rules_at(judge->rules, rule));
}

LW_TAG_HOT void lw_tag_judge_text(struct lw_tag_judge *judge, enum lw_tag_place place,
				  const char *text, size_t len)
{
	lw_tag_index_find(lw_tag_rules_index(judge->rules), place, text, len, fire, judge);
}

LW_TAG_RARE static void keep_apart(struct lw_tag_judge *judge)
{
	if (!judge->has_apart)
		memset(&judge->apart, 0, sizeof(judge->apart));
	judge->has_apart = true;
	for (uint32_t i = 0; i < judge->fresh; i++) {
		uint32_t rule = judge->recent[i];
		uint64_t bit = UINT64_C(1) << (rule % 64);

		judge->fired.bits[rule / 64] &= ~bit;
		judge->apart.bits[rule / 64] |= bit;
	}
}

/* A file's folder may be called anything: only its own name counts. */
void lw_tag_judge_image(struct lw_tag_judge *judge, const char *image, size_t len)
{
	struct lw_shell_word word = { .text = image, .len = (uint32_t)len };
	const char *end = image + len;
	bool reference = lw_tag_find(image, end, ':') < end || lw_tag_find(image, end, '#') < end;

	if (!reference)
		word = base_of(&word);
	lw_tag_judge_text(judge, LW_TAG_IMAGE, word.text, word.len);
}

/* ---- what variables stand for ---- */

static const struct lw_tag_variable *find_variable(const struct lw_tag_judge *judge,
						   const char *name, size_t len)
{
	for (uint32_t i = judge->variables; i-- > 0;)
		if (judge->variable[i].name_len == len &&
		    lw_tag_equal(judge->variable[i].name, name, len))
			return &judge->variable[i];
	return NULL;
}

/* $NAME, ${NAME} or ${NAME[@]}, and nothing behind it */
LW_TAG_HOT static bool is_variable(const struct lw_shell_word *word)
{
	const char *end = word->text + word->len;

	if (word->len < 2 || *word->text != '$')
		return false;
	return word->text[1] == '{' ? end[-1] == '}' : identifier_end(word->text + 1, end) == end;
}

/* Of $NAME or ${NAME}: its name up to *ret_end. */
LW_TAG_HOT static const char *name_of(const struct lw_shell_word *word, const char **ret_end)
{
	const char *name = word->text + 1, *end = word->text + word->len;

	name += name < end && *name == '{';
	*ret_end = identifier_end(name, end);
	return name;
}

LW_TAG_HOT static const struct lw_tag_variable *stands_for(const struct lw_tag_judge *judge,
							   const struct lw_shell_word *word)
{
	const char *name, *end;

	if (!is_variable(word))
		return NULL;
	name = name_of(word, &end);
	return find_variable(judge, name, (size_t)(end - name));
}

/* The next word of *TEXT, which is broken into words as the shell does an unquoted variable. */
static struct lw_shell_word next_piece(const char **text, const char *end)
{
	struct lw_shell_word piece = { .len = 0 };
	const char *p = *text;

	while (p < end && strchr(" \t\n\\", *p) && *p)
		p++;
	piece.text = p;
	while (p < end && !(strchr(" \t\n", *p) && *p))
		p++;
	piece.len = (uint32_t)(p - piece.text);
	*text = p;
	return piece;
}

/* ${NAME:-train.py}: what stands there when nobody says something else; else WORD as it is. */
LW_TAG_HOT static struct lw_shell_word default_of(struct lw_shell_word word)
{
	while (word.len > 4 && word.text[0] == '$' && word.text[1] == '{' && is_variable(&word)) {
		const char *end, *p = name_of(&word, &end);

		p = end + (*end == ':');
		end = word.text + word.len - 1;
		if (*p != '-' || p >= end)
			break;
		word.text = p + 1;
		word.len = (uint32_t)(end - word.text);
	}
	return word;
}

/* "python $SCRIPT $OPTIONS": the script comes first, what follows are arguments. */
static void judge_value(struct lw_tag_judge *judge, enum lw_tag_place place,
			const struct lw_tag_variable *variable)
{
	size_t len = variable->value_len;
	const char *p = variable->value, *end;

	if (judge->depth >= LW_TAG_DEPTH_MAX)
		return;
	if (len > judge->nested_left)
		len = judge->nested_left;
	judge->nested_left -= len;
	judge->depth++;
	for (end = p + len; p < end; place = LW_TAG_ARGUMENT) {
		struct lw_shell_word piece = next_piece(&p, end);

		if (piece.len)
			lw_tag_judge_operand(judge, place, &piece);
	}
	judge->depth--;
}

/*
 * What a script says that speaks against learning, as one that plots or converts, is kept apart:
 * it does not count beside one that learns.
 */
LW_TAG_HOT static void judge_entry(struct lw_tag_judge *judge, const struct lw_shell_word *word)
{
	const uint64_t *against = judge->rules->against;
	const struct lw_shell_word base = base_of(word);
	uint64_t any = 0;

	judge->fresh = 0;
	lw_tag_judge_text(judge, LW_TAG_ENTRY, base.text, base.len);
	for (uint32_t i = 0; i < judge->fresh; i++)
		any |= against[judge->recent[i] / 64] >> judge->recent[i] % 64 & 1;
	if (any)
		keep_apart(judge);
}

LW_TAG_HOT void lw_tag_judge_operand(struct lw_tag_judge *judge, enum lw_tag_place place,
				     const struct lw_shell_word *word)
{
	const struct lw_tag_variable *variable = stands_for(judge, word);
	struct lw_shell_word value;

	if (variable) {
		judge_value(judge, place, variable);
		return;
	}
	if (word->len && *word->text == '$') {
		value = default_of(*word);
		word = &value;
	}
	if (place == LW_TAG_ENTRY)
		judge_entry(judge, word);
	else
		lw_tag_judge_text(judge, place, word->text, word->len);
}

void lw_tag_walk_image(struct walk *walk, const struct lw_shell_word *word)
{
	const struct lw_tag_variable *variable = stands_for(walk->judge, word);

	lw_tag_judge_image(walk->judge, variable ? variable->value : word->text,
			   variable ? variable->value_len : word->len);
}

/* SRUN_ARGS="--exclusive --container-image=pytorch.sqsh" */
static void judge_held_options(struct walk *walk, const struct lw_tag_variable *variable)
{
	static const char option[] = "--container-image=";
	const size_t len = sizeof(option) - 1;
	const char *p = variable->value, *end = p + variable->value_len;

	while (p < end) {
		struct lw_shell_word piece = next_piece(&p, end);

		if (piece.len > len && !memcmp(piece.text, option, len))
			lw_tag_judge_image(walk->judge, piece.text + len, piece.len - len);
	}
}

bool lw_tag_walk_held_options(struct walk *walk, bool before_image)
{
	const struct lw_shell_word *word = current(walk), *next = word_at(walk, walk->at + 1);
	const struct lw_tag_variable *variable = stands_for(walk->judge, word);

	if (variable && variable->value_len && *variable->value == '-')
		judge_held_options(walk, variable);
	else if (variable || !before_image || !is_variable(word) || !next || !is_option(next))
		return false;
	walk->at++;
	return true;
}

LW_TAG_HOT void lw_tag_walk_entry(struct walk *walk, const struct lw_shell_word *word)
{
	lw_tag_judge_operand(walk->judge, LW_TAG_ENTRY, word);
}

static bool is_override(const struct lw_shell_word *word)
{
	return !is_option(word) && memchr(word->text, '=', word->len);
}

/* "-m" beside "lr=1,2" is Hydra's short name of --multirun; before a file it means another. */
LW_TAG_HOT static bool is_multirun(const struct walk *walk, uint32_t from, uint32_t i)
{
	const struct lw_shell_word *next;

	if (!is(word_at(walk, i), "-m"))
		return false;
	next = word_at(walk, i + 1);
	return next ? is_override(next) : i > from && is_override(word_at(walk, i - 1));
}

LW_TAG_HOT void lw_tag_walk_arguments(struct walk *walk, uint32_t from)
{
	static const struct lw_shell_word multirun = { .text = "--multirun", .len = 10 };

	for (uint32_t i = from; i < walk->command->words; i++)
		lw_tag_judge_operand(walk->judge, LW_TAG_ARGUMENT,
				     is_multirun(walk, from, i) ? &multirun : word_at(walk, i));
}

LW_TAG_HOT void lw_tag_walk_launcher(struct walk *walk, uint32_t from)
{
	for (uint32_t i = from; i < walk->command->words; i++)
		if (ends_in(word_at(walk, i), ".py")) {
			lw_tag_walk_entry(walk, word_at(walk, i));
			break;
		}
	lw_tag_walk_arguments(walk, from);
}

/* ---- what a program's name alone tells ---- */

LW_TAG_HOT void lw_tag_judge_pair(struct lw_tag_judge *judge, enum lw_tag_place place,
				  const struct lw_shell_word *first,
				  const struct lw_shell_word *second)
{
	char pair[64];

	if (first->len + 1 + second->len > sizeof(pair))
		return;
	memcpy(pair, first->text, first->len);
	pair[first->len] = ' ';
	memcpy(pair + first->len + 1, second->text, second->len);
	lw_tag_judge_text(judge, place, pair, first->len + 1 + second->len);
}

LW_TAG_HOT void lw_tag_walk_program(struct walk *walk)
{
	struct lw_shell_word base = base_of(current(walk));
	const struct lw_shell_word *next = word_at(walk, walk->at + 1);
	struct lw_tag_fired before;

	walk->done = true;
	if (lw_tag_is_python(&base)) {
		lw_tag_walk_python(walk);
		return;
	}
	before = walk->judge->fired;
	judge_word(walk, LW_TAG_PROGRAM, &base);
	if (next && !is_option(next))
		lw_tag_judge_pair(walk->judge, LW_TAG_PROGRAM, &base, next);
	if (ends_in(&base, ".py") || ends_in(&base, ".sh")) {
		lw_tag_walk_entry(walk, &base);
		lw_tag_walk_arguments(walk, walk->at + 1);
	} else if (fired_since(walk->judge, &before)) {
		lw_tag_walk_launcher(walk, walk->at + 1);
	}
}

/* ---- variables that hold commands ---- */

static bool is_in_script(const struct lw_tag_judge *judge, const char *text, const char *end)
{
	return judge->script && text >= judge->script &&
	       end <= judge->script + judge->script_len;
}

LW_TAG_HOT void lw_tag_keep_variable(struct lw_tag_judge *judge, const struct lw_shell_word *name,
				     const char *text, size_t len)
{
	/* a name that was changed in reading lies where nothing stays */
	if (judge->variables == LW_TAG_VARIABLES_MAX ||
	    !is_in_script(judge, name->text, name->text + name->len) ||
	    !is_in_script(judge, text, text + len))
		return;
	judge->variable[judge->variables++] =
		(struct lw_tag_variable){ name->text, text, name->len, (uint32_t)len };
}

/* CMD=(torchrun train.py) */
static bool is_array(const char *value, const char *end)
{
	return *value == '(' && end[-1] == ')';
}

/* CMD="torchrun train.py", SIF=/images/pytorch.sif: remember what it may stand for. */
LW_TAG_HOT static void keep_variable(struct lw_tag_judge *judge, const struct lw_shell_word *word,
				     uint32_t name_len)
{
	const char *value = word->raw + name_len + 1, *end = word->raw + word->raw_len;
	struct lw_shell_word name = { .text = word->raw, .len = name_len, .raw = word->raw };
	struct lw_shell_word held;

	if (!is_in_script(judge, word->raw, end) || end - value < 3 ||
	    !lw_tag_equal(word->raw, word->text, name_len))
		return;
	held = (struct lw_shell_word){ .text = value, .len = (uint32_t)(end - value) };
	if (((*value == '"' || *value == '\'') && end[-1] == *value) || is_array(value, end)) {
		held.text++;
		held.len -= 2;
	} else if (word->text != word->raw) {
		return;
	}
	if (held.len && *held.text == '$')
		held = default_of(held);
	lw_tag_keep_variable(judge, &name, held.text, held.len);
}

LW_TAG_HOT void lw_tag_walk_assignment(struct walk *walk, const struct lw_shell_word *word,
				       uint32_t len)
{
	lw_tag_judge_text(walk->judge, LW_TAG_VARIABLE, word->text, len);
	keep_variable(walk->judge, word, len);
}

static bool has_word(const char *text, const char *end, const char *word)
{
	return lw_tag_contains(text, end, word, strlen(word));
}

void lw_tag_walk_code(struct walk *walk, const struct lw_shell_word *word)
{
	const struct lw_tag_variable *variable = stands_for(walk->judge, word);

	if (variable)
		lw_tag_walk_nested(walk, variable->value, variable->value_len);
	else
		lw_tag_walk_nested(walk, word->text, word->len);
}

/* PY=/envs/torch/bin/python */
static bool holds_python(const struct lw_tag_variable *variable)
{
	struct lw_shell_word value = { .text = variable->value,
				       .len = variable->value_len };
	struct lw_shell_word base = base_of(&value);

	return lw_tag_is_python(&base);
}

/*
 * "$LAUNCHER train.py": the command in the variable, with what follows it here; when that says
 * nothing it may be a wrapper, "$RUN python train.py", and the command comes next.
 */
static void walk_variable(struct walk *walk)
{
	const struct lw_tag_variable *variable = stands_for(walk->judge, current(walk));
	const char *end, *name = name_of(current(walk), &end);
	struct lw_tag_fired before;

	before = walk->judge->fired;
	if (variable)
		lw_tag_walk_nested(walk, variable->value, variable->value_len);
	/* the words of an array are one command, however many lines they stand on */
	if (variable && variable->value[-1] == '(' && fired_since(walk->judge, &before))
		judge_value(walk->judge, LW_TAG_ARGUMENT, variable);
	walk->done = true;
	if (fired_since(walk->judge, &before))
		lw_tag_walk_launcher(walk, walk->at + 1);
	else if (has_word(name, end, "PYTHON") || (variable && holds_python(variable)))
		lw_tag_walk_python(walk);
	else
		walk->done = !word_at(walk, ++walk->at) || is_option(current(walk));
}

LW_TAG_HOT void lw_tag_judge_command(struct lw_tag_judge *judge,
				     const struct lw_shell_command *command)
{
	struct walk walk = { .judge = judge, .command = command };
	const struct lw_shell_word *word;

	while (!walk.done && (word = current(&walk))) {
		uint32_t len;

		if (lw_tag_walk_verb(&walk))
			continue;
		len = assigned(word);
		if (len) {
			lw_tag_walk_assignment(&walk, word, len);
			walk.at++;
		} else if (is_variable(word)) {
			walk_variable(&walk);
		} else {
			lw_tag_walk_program(&walk);
		}
	}
}

/* ---- scripts ---- */

LW_TAG_HOT static enum lw_shell_wish wants(void *arg, const struct lw_shell_word *word)
{
	const struct lw_tag_judge *judge = arg;

	return lw_tag_wish(judge->rules, word);
}

LW_TAG_LONG static enum lw_shell_wish wants_program(void *arg, const struct lw_shell_word *word)
{
	const struct lw_tag_judge *judge = arg;

	return lw_tag_wish_program(judge->rules, word);
}

LW_TAG_HOT static void judge_found(void *arg, const struct lw_shell_command *command)
{
	lw_tag_judge_command(arg, command);
}

LW_TAG_LONG static void note_gap(void *arg, const char *from, const char *to)
{
	struct lw_tag_judge *judge = arg;

	if (judge->depth || !is_in_script(judge, from, to))
		return;
	judge->gap = from;
	judge->gap_len = (size_t)(to - from);
}

/* By a letter that few lines have: every submission asks this of a dozen. */
LW_TAG_HOT static bool wants_directive(void *arg, const char *text, size_t len)
{
	static const char option[] = "container-image";
	const char *p = text, *end = text + len;

	(void)arg;
	for (; (p = lw_tag_find(p, end, *option)) < end; p++)
		if ((size_t)(end - p) >= sizeof(option) - 1 &&
		    !memcmp(p, option, sizeof(option) - 1))
			return true;
	return false;
}

LW_TAG_HOT void lw_tag_rules_prefetch(const struct lw_tag_rules *rules)
{
	lw_tag_prefetch_code();
	lw_tag_prefetch(lw_tag_rules_known(rules), sizeof(struct lw_shell_known));
	lw_tag_index_prefetch(lw_tag_rules_index(rules));
	lw_tag_verbs_prefetch();
	lw_shell_prefetch();
}

LW_TAG_HOT void lw_tag_judge_init(struct lw_tag_judge *judge, const struct lw_tag_rules *rules)
{
	judge->rules = rules;
	memset(&judge->fired, 0, sizeof(judge->fired));
	judge->has_apart = false;
	judge->fresh = 0;
	judge->named = false;
	judge->depth = 0;
	judge->nested_left = NESTED_MAX;
	judge->code_left = CODE_MAX;
	judge->script = NULL;
	judge->script_len = 0;
	judge->gap = NULL;
	judge->gap_len = 0;
	judge->variables = 0; /* what they hold is not read before it is set */
}

LW_TAG_HOT void lw_tag_judge_commands(struct lw_tag_judge *judge, const char *text, size_t len)
{
	struct lw_shell_reader reader = {
		.wants = wants,
		.known = lw_tag_rules_known(judge->rules),
		.operand = "train",
		.wants_directive = wants_directive,
		.found = judge_found,
		.passed = note_gap,
		.arg = judge,
		.front = FRONT,
		.back = BACK,
	};

	lw_shell_scan(text, len, &reader);
}

LW_TAG_LONG void lw_tag_judge_gap(struct lw_tag_judge *judge)
{
	struct lw_shell_reader reader = {
		.wants = wants_program, .operand = "train", .found = judge_found, .arg = judge
	};

	if (judge->gap_len)
		lw_shell_skim(judge->gap, judge->gap_len < GAP_MAX ? judge->gap_len : GAP_MAX,
			      &reader);
}

LW_TAG_HOT void lw_tag_judge_script(struct lw_tag_judge *judge, const char *script, size_t size)
{
	struct lw_shell_word line = { .text = script };
	const char *newline = lw_tag_find(script, script + size, '\n');

	if (size > FRONT + BACK)
		lw_tag_prefetch_long();
	judge->script = script;
	judge->script_len = size;
	line.len = (uint32_t)(newline - script);
	if (line.len < 2 || memcmp(script, "#!", 2) ||
	    has_word(line.text, line.text + line.len, "sh"))
		lw_tag_judge_commands(judge, script, size);
	else if (has_word(line.text, line.text + line.len, "python"))
		lw_tag_judge_python(judge, script, size);
	else
		lw_tag_judge_commands(judge, script + 2, line.len - 2);
}
