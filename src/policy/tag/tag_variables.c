/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the variables of a job script hold; private to tag*.c. */
#include "policy/tag/tag_judge.h"

#include <string.h>

bool lw_tag_is_variable(const struct lw_shell_word *word)
{
	const char *end = word->text + word->len;

	if (word->len < 2 || *word->text != '$')
		return false;
	return word->text[1] == '{' ? end[-1] == '}' : identifier_end(word->text + 1, end) == end;
}

const char *lw_tag_name_of(const struct lw_shell_word *word, const char **ret_end)
{
	const char *name = word->text + 1, *end = word->text + word->len;

	name += name < end && *name == '{';
	*ret_end = identifier_end(name, end);
	return name;
}

const struct lw_tag_variable *lw_tag_stands_for(const struct lw_tag_judge *judge,
						const struct lw_shell_word *word)
{
	const char *name, *end;
	size_t len;

	if (!lw_tag_is_variable(word))
		return NULL;
	name = lw_tag_name_of(word, &end);
	len = (size_t)(end - name);
	for (uint32_t i = judge->variables; i-- > 0;)
		if (judge->variable[i].name_len == len &&
		    !memcmp(judge->variable[i].name, name, len))
			return &judge->variable[i];
	return NULL;
}

struct lw_shell_word lw_tag_next_piece(const char **text, const char *end)
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

void lw_tag_judge_value(struct lw_tag_judge *judge, enum lw_tag_place place,
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
		struct lw_shell_word piece = lw_tag_next_piece(&p, end);

		if (piece.len)
			lw_tag_judge_operand(judge, place, &piece);
	}
	judge->depth--;
}

/*
 * What a script says that speaks against learning, as one that plots or converts, is kept apart:
 * it does not count beside one that learns.
 */
static void judge_entry(struct lw_tag_judge *judge, const struct lw_shell_word *word)
{
	const struct lw_shell_word base = base_of(word);
	const struct lw_tag_fired before = judge->fired;
	bool against = false;

	lw_tag_judge_text(judge, LW_TAG_ENTRY, base.text, base.len);
	for (uint32_t i = 0; i < LW_TAG_RULES_MAX; i++)
		if (lw_tag_has_fired(&judge->fired, i) && !lw_tag_has_fired(&before, i))
			against |= lw_tag_rules_at(judge->rules, i)->weight < 0;
	if (!against)
		return;
	for (size_t i = 0; i < sizeof(before.bits) / sizeof(before.bits[0]); i++)
		judge->apart.bits[i] |= judge->fired.bits[i] & ~before.bits[i];
	judge->fired = before;
}

void lw_tag_judge_operand(struct lw_tag_judge *judge, enum lw_tag_place place,
			  const struct lw_shell_word *word)
{
	const struct lw_tag_variable *variable = lw_tag_stands_for(judge, word);
	struct lw_shell_word value = default_of(*word);

	if (variable)
		lw_tag_judge_value(judge, place, variable);
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
	judge->variable[judge->variables++] =
		(struct lw_tag_variable){ name->text, text, name->len, (uint32_t)len };
}

/* CMD="torchrun train.py", CMD=(torchrun train.py), SIF=/images/pytorch.sif */
static void keep_assigned(struct lw_tag_judge *judge, const struct lw_shell_word *word,
			  uint32_t name_len)
{
	const char *value = word->raw + name_len + 1, *end = word->raw + word->raw_len;
	struct lw_shell_word name = { .text = word->raw, .len = name_len }, held;

	if (!is_in_script(judge, word->raw, end) || end - value < 3 ||
	    memcmp(word->raw, word->text, name_len))
		return;
	held = (struct lw_shell_word){ .text = value, .len = (uint32_t)(end - value) };
	if (((*value == '"' || *value == '\'') && end[-1] == *value) ||
	    (*value == '(' && end[-1] == ')')) {
		held.text++;
		held.len -= 2;
	} else if (word->text != word->raw) {
		return;
	}
	held = default_of(held);
	lw_tag_keep_variable(judge, &name, held.text, held.len);
}

void lw_tag_judge_assignment(struct lw_tag_judge *judge, const struct lw_shell_word *word,
			     uint32_t len)
{
	lw_tag_judge_text(judge, LW_TAG_VARIABLE, word->text, len);
	keep_assigned(judge, word, len);
}
