/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: gather the rules that hold for a job's script or command; private to tag*.c. */
/*
 * A marker counts only where it does something: as the program that is run, behind the
 * launchers and containers it is wrapped in, as what Python imports, as a module that is
 * loaded. Whatever echo prints or a comment says is never looked at.
 */
#include "tagger/tag_judge.h"

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

void lw_tag_judge_init(struct lw_tag_judge *judge, const struct lw_tag_rules *rules)
{
	memset(judge, 0, offsetof(struct lw_tag_judge, joined));
	judge->rules = rules;
	judge->nested_left = NESTED_MAX;
	judge->code_left = CODE_MAX;
}

void lw_tag_judge_text(struct lw_tag_judge *judge, enum lw_tag_place place, const char *text,
		       size_t len)
{
	lw_tag_rules_match(judge->rules, place, text, len, &judge->fired);
}

/* A file's folder may be called anything: only its own name counts. */
void lw_tag_judge_image(struct lw_tag_judge *judge, const char *image, size_t len)
{
	struct lw_shell_word word = { .text = image, .len = (uint32_t)len };
	bool reference = memchr(image, ':', len) || memchr(image, '#', len);

	if (!reference)
		word = base_of(&word);
	lw_tag_judge_text(judge, LW_TAG_IMAGE, word.text, word.len);
}

void lw_tag_judge_pair(struct lw_tag_judge *judge, enum lw_tag_place place,
		       const struct lw_shell_word *first, const struct lw_shell_word *second)
{
	lw_tag_rules_match_pair(judge->rules, place, first, second, &judge->fired);
}

/* ---- variables ---- */

bool lw_tag_is_variable(const struct lw_shell_word *word)
{
	const char *end = word->text + word->len;

	if (!word->len || *word->text != '$')
		return false;
	if (word->len == 1)
		return true;
	return word->text[1] == '{' ? end[-1] == '}' : identifier_end(word->text + 1, end) == end;
}

const char *lw_tag_name_of(const struct lw_shell_word *word, const char **ret_end)
{
	const char *name = word->text + 1, *end = word->text + word->len;

	name += name < end && *name == '{';
	*ret_end = identifier_end(name, end);
	return name;
}

static const struct lw_tag_variable *find_variable(const struct lw_tag_judge *judge,
						   const struct lw_shell_word *name)
{
	for (uint32_t i = judge->variables; i-- > 0;)
		if (judge->variable[i].name_len == name->len &&
		    !memcmp(judge->variable[i].name, name->text, name->len))
			return &judge->variable[i];
	return NULL;
}

const struct lw_tag_variable *lw_tag_stands_for(const struct lw_tag_judge *judge,
						const struct lw_shell_word *word)
{
	struct lw_shell_word name;
	const char *end;

	if (!lw_tag_is_variable(word))
		return NULL;
	name.text = lw_tag_name_of(word, &end);
	name.len = (uint32_t)(end - name.text);
	return find_variable(judge, &name);
}

struct lw_shell_word lw_tag_next_piece(const char **text, const char *end)
{
	struct lw_shell_word piece = { .len = 0 };
	const char *p = *text;

	while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\\'))
		p++;
	piece.text = p;
	while (p < end && *p != ' ' && *p != '\t' && *p != '\n')
		p++;
	piece.len = (uint32_t)(p - piece.text);
	*text = p;
	return piece;
}

/* ${NAME:-train.py}: what stands there when nobody says something else; else WORD as it is. */
static struct lw_shell_word default_of(struct lw_shell_word word)
{
	while (word.len > 4 && word.text[0] == '$' && word.text[1] == '{' &&
	       lw_tag_is_variable(&word)) {
		const char *end, *p = lw_tag_name_of(&word, &end);

		p = end + (*end == ':');
		end = word.text + word.len - 1;
		if (*p != '-' || p >= end)
			break;
		word.text = p + 1;
		word.len = (uint32_t)(end - word.text);
	}
	return word;
}

/* One level deeper, into LEN bytes or what is left to be read; false: not so deep. */
static bool descend(struct lw_tag_judge *judge, size_t *len)
{
	if (judge->depth >= LW_TAG_DEPTH_MAX)
		return false;
	if (*len > judge->nested_left)
		*len = judge->nested_left;
	judge->nested_left -= *len;
	judge->depth++;
	return true;
}

/* "python $SCRIPT $OPTIONS": the script comes first, what follows are arguments. */
static void judge_value(struct lw_tag_judge *judge, enum lw_tag_place place,
			const struct lw_tag_variable *variable)
{
	size_t len = variable->value_len;
	const char *p = variable->value, *end;

	if (!descend(judge, &len))
		return;
	for (end = p + len; p < end; place = LW_TAG_ARGUMENT) {
		struct lw_shell_word piece = lw_tag_next_piece(&p, end);

		if (piece.len)
			lw_tag_judge_operand(judge, place, &piece);
	}
	judge->depth--;
}

/* So much against a script leaves nothing of what else its name says. */
#define DECISIVE (-90)

/*
 * What a script says that speaks against learning, as one that plots or converts, is kept apart:
 * it does not count beside one that learns.
 */
static void judge_entry(struct lw_tag_judge *judge, const struct lw_shell_word *word)
{
	const struct lw_shell_word base = base_of(word);
	const struct lw_tag_fired before = judge->fired;
	struct lw_tag_fired fresh = { { 0 } }, against = fresh;
	int least = 0;

	lw_tag_rules_match(judge->rules, LW_TAG_ENTRY, base.text, base.len, &fresh);
	for (uint32_t i = 0; i < LW_TAG_RULES_MAX; i++) {
		int weight = lw_tag_has_fired(&fresh, i) && !lw_tag_has_fired(&before, i)
				     ? lw_tag_rules_at(judge->rules, i)->weight
				     : 0;

		if (weight < 0)
			against.bits[i / 64] |= UINT64_C(1) << i % 64;
		least = weight < least ? weight : least;
	}
	if (least <= DECISIVE)
		fresh = against;
	for (size_t i = 0; i < LW_TAG_RULES_MAX / 64; i++)
		*(least < 0 ? &judge->apart.bits[i] : &judge->fired.bits[i]) |=
			fresh.bits[i] & ~before.bits[i];
}

void lw_tag_judge_operand(struct lw_tag_judge *judge, enum lw_tag_place place,
			  const struct lw_shell_word *word)
{
	const struct lw_tag_variable *variable = lw_tag_stands_for(judge, word);
	struct lw_shell_word value = default_of(*word);

	if (variable)
		judge_value(judge, place, variable);
	else if (place == LW_TAG_ENTRY)
		judge_entry(judge, &value);
	else
		lw_tag_judge_text(judge, place, value.text, value.len);
}

/* ---- what is set ---- */

static bool is_in_script(const struct lw_tag_judge *judge, const char *text, const char *end)
{
	return judge->script && text >= judge->script &&
	       end <= judge->script + judge->script_len;
}

void lw_tag_keep_variable(struct lw_tag_judge *judge, const struct lw_shell_word *name,
			  const char *text, size_t len)
{
	/* a name that was changed in reading lies where nothing stays */
	if (judge->variables == LW_TAG_VARIABLES_MAX ||
	    !is_in_script(judge, name->text, name->text + name->len) ||
	    !is_in_script(judge, text, text + len))
		return;
	judge->variable[judge->variables++] = (struct lw_tag_variable){
		.name = name->text,
		.value = text,
		.name_len = name->len,
		.value_len = (uint32_t)len,
	};
}

/* CMD+=" train.py": the last variable kept goes on where OLD, of the same name, ends. */
static void join(struct lw_tag_judge *judge, const struct lw_tag_variable *old)
{
	struct lw_tag_variable *new = &judge->variable[judge->variables - 1];
	char *to = judge->joined + judge->joined_len;
	uint32_t len = old->value_len + 1 + new->value_len;

	if (len > sizeof(judge->joined) - judge->joined_len)
		return;
	memcpy(to, old->value, old->value_len);
	to[old->value_len] = ' ';
	memcpy(to + old->value_len + 1, new->value, new->value_len);
	*new = (struct lw_tag_variable){ old->name, to, old->name_len, len, old->array };
	judge->joined_len += len;
}

/* CMD="torchrun train.py", CMD=(torchrun train.py), SIF=/images/pytorch.sif */
static void keep_assigned(struct lw_tag_judge *judge, const struct lw_shell_word *word,
			  uint32_t name_len)
{
	bool more = word->text[name_len] == '+', array;
	const char *value = word->raw + name_len + 1 + more, *end = word->raw + word->raw_len;
	const struct lw_tag_variable *old;
	struct lw_shell_word name = { .text = word->raw, .len = name_len }, held;
	uint32_t before = judge->variables;

	if (!is_in_script(judge, word->raw, end) || end - value < 3 ||
	    memcmp(word->raw, word->text, name_len))
		return;
	array = *value == '(' && end[-1] == ')';
	if (array || ((*value == '"' || *value == '\'') && end[-1] == *value)) {
		value++;
		end--;
	} else if (word->text != word->raw) {
		return;
	}
	while (value < end && strchr(" \t\n\\", *value) && *value)
		value++;
	held = default_of((struct lw_shell_word){ .text = value, .len = (uint32_t)(end - value) });
	old = find_variable(judge, &name);
	lw_tag_keep_variable(judge, &name, held.text, held.len);
	if (judge->variables == before)
		return;
	judge->variable[before].array = array;
	if (more && old)
		join(judge, old);
}

void lw_tag_judge_assignment(struct lw_tag_judge *judge, const struct lw_shell_word *word,
			     uint32_t len)
{
	lw_tag_judge_text(judge, LW_TAG_VARIABLE, word->text, len);
	keep_assigned(judge, word, len);
}

/* ---- scripts ---- */

static void judge_found(void *arg, const struct lw_shell_command *command)
{
	lw_tag_judge_command(arg, command);
}

void lw_tag_judge_commands(struct lw_tag_judge *judge, const char *text, size_t len)
{
	struct lw_shell_reader reader = {
		.found = judge_found,
		.arg = judge,
		.directive = "container-image",
		.front = FRONT,
		.back = BACK,
		.gap = judge->script && !judge->depth ? &judge->gap : NULL,
	};

	lw_shell_scan(text, len, &reader);
}

void lw_tag_judge_nested(struct lw_tag_judge *judge, const char *text, size_t len)
{
	if (!descend(judge, &len))
		return;
	lw_tag_judge_commands(judge, text, len);
	judge->depth--;
}

void lw_tag_judge_gap(struct lw_tag_judge *judge)
{
	struct lw_shell_reader reader = { 	.wants = lw_tag_wants_line,
					  .found = judge_found,
					  .arg = judge };

	lw_shell_skim(judge->gap.text, judge->gap.len < GAP_MAX ? judge->gap.len : GAP_MAX,
		      &reader);
}

/* By the words of the first line, as "/usr/bin/env -S uv run --script". */
static bool judge_interpreted(struct lw_tag_judge *judge, const char *script, size_t len,
			      size_t size)
{
	const char *p = script + 2, *end = script + len;

	while (p < end) {
		struct lw_shell_word word = lw_tag_next_piece(&p, end), base = base_of(&word);

		if (ends_in(&base, "sh"))
			return false;
		if (lw_tag_judge_interpreted(judge, &base, script, size))
			return true;
	}
	return false;
}

void lw_tag_judge_script(struct lw_tag_judge *judge, const char *script, size_t size)
{
	const char *newline = memchr(script, '\n', size);
	size_t len = newline ? (size_t)(newline - script) : size;

	judge->script = script;
	judge->script_len = size;
	if (len < 2 || memcmp(script, "#!", 2))
		lw_tag_judge_commands(judge, script, size);
	else if (judge_interpreted(judge, script, len, size))
		return;
	else if (has_text(script, len, "sh"))
		lw_tag_judge_commands(judge, script, size);
	else
		lw_tag_judge_commands(judge, script + 2, len - 2);
}
