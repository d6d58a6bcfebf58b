/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: gather the rules that match a job's script or command; private to tag*.c. */
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
/* so much against a script leaves nothing of what else its name says */
#define DECISIVE (-90)
/* and so much of what lies between is skimmed, if at all */
#define GAP_MAX 65536

void lw_tag_judge_init(struct lw_tag_judge *judge, const struct lw_tag_rules *rules)
{
	memset(judge, 0, offsetof(struct lw_tag_judge, joined));
	judge->rules = rules;
	judge->nested_left = NESTED_MAX;
	judge->code_left = CODE_MAX;
}

/* A file's folder may be called anything: only its own name counts. */
void lw_tag_judge_image(struct lw_tag_judge *judge, const struct lw_shell_word *image)
{
	bool reference =
		memchr(image->text, ':', image->len) || memchr(image->text, '#', image->len);
	struct lw_shell_word base = reference ? *image : tag_base(image);

	tag_judge_word(judge, LW_TAG_IMAGE, &base);
}

/* One level deeper, into LEN bytes or what is left to be read; false: not so deep. */
static bool tag_descend(struct lw_tag_judge *judge, size_t *len)
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
static void tag_judge_value(struct lw_tag_judge *judge, enum lw_tag_place place,
			    const struct lw_shell_word *value)
{
	size_t len = value->len;
	const char *p = value->text, *end;

	if (!tag_descend(judge, &len))
		return;
	for (end = p + len; p < end; place = LW_TAG_ARGUMENT) {
		struct lw_shell_word piece = lw_tag_next_piece(&p, end);

		if (piece.len)
			lw_tag_judge_operand(judge, place, &piece);
	}
	judge->depth--;
}

/*
 * What a script says that speaks against learning, as one that plots or converts, is kept apart:
 * it does not count beside one that learns. Much against it leaves nothing of what else its name
 * says.
 */
static void tag_judge_entry(struct lw_tag_judge *judge, const struct lw_shell_word *word)
{
	const struct lw_shell_word base = tag_base(word);
	struct lw_tag_fired fresh = { 0 };
	int least = 0;

	lw_tag_rules_match(judge->rules, LW_TAG_ENTRY, base.text, base.len, &fresh);
	for (uint32_t i = 0; fresh.count && i < LW_TAG_RULES_MAX; i++) {
		fresh.rule[i] &= !judge->fired.rule[i];
		if (fresh.rule[i] && lw_tag_rules_at(judge->rules, i)->weight < least)
			least = lw_tag_rules_at(judge->rules, i)->weight;
	}
	for (uint32_t i = 0; fresh.count && i < LW_TAG_RULES_MAX; i++)
		if (fresh.rule[i] &&
		    (least > DECISIVE || lw_tag_rules_at(judge->rules, i)->weight < 0))
			tag_fire(least < 0 ? &judge->apart : &judge->fired, i);
}

void lw_tag_judge_operand(struct lw_tag_judge *judge, enum lw_tag_place place,
			  const struct lw_shell_word *word)
{
	const struct lw_tag_variable *variable = lw_tag_stands_for(judge, word);
	struct lw_shell_word value = lw_tag_default_of(*word);

	if (variable)
		tag_judge_value(judge, place, &variable->value);
	else if (place == LW_TAG_ENTRY)
		tag_judge_entry(judge, &value);
	else
		tag_judge_word(judge, place, &value);
}

/* ---- scripts ---- */

static void tag_judge_found(void *judge, const struct lw_shell_command *command)
{
	lw_tag_judge_command(judge, command);
}

void lw_tag_judge_commands(struct lw_tag_judge *judge, const char *text, size_t len)
{
	struct lw_shell_reader reader = {
		.found = tag_judge_found,
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
	if (!tag_descend(judge, &len))
		return;
	lw_tag_judge_commands(judge, text, len);
	judge->depth--;
}

void lw_tag_judge_gap(struct lw_tag_judge *judge)
{
	struct lw_shell_reader reader = { .wants = lw_tag_wants_line,
					  .found = tag_judge_found,
					  .arg = judge };

	lw_shell_skim(judge->gap.text, judge->gap.len < GAP_MAX ? judge->gap.len : GAP_MAX,
		      &reader);
}

/* By the words of the first line, as "/usr/bin/env -S uv run --script". */
static bool tag_judge_interpreted(struct lw_tag_judge *judge, const char *script, size_t len,
				  size_t size)
{
	const char *p = script + 2, *end = script + len;

	while (p < end) {
		struct lw_shell_word word = lw_tag_next_piece(&p, end), base = tag_base(&word);

		if (tag_ends_in(&base, "sh"))
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
	else if (tag_judge_interpreted(judge, script, len, size))
		return;
	else if (tag_has_text(script, len, "sh"))
		lw_tag_judge_commands(judge, script, size);
	else
		lw_tag_judge_commands(judge, script + 2, len - 2);
}
