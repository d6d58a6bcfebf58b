/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: shell variables of a job script that may hold a command or a part of one. */
#include "tagger/tag_judge.h"

bool lw_tag_is_variable(const struct lw_shell_word *word)
{
	const char *end = word->text + word->len;

	if (!word->len || *word->text != '$')
		return false;
	if (word->len == 1)
		return true;
	return word->text[1] == '{' ? end[-1] == '}'
				    : tag_identifier_end(word->text + 1, end) == end;
}

struct lw_shell_word lw_tag_name_of(const struct lw_shell_word *word)
{
	const char *name = word->text + 1, *end = word->text + word->len;

	name += name < end && *name == '{';
	return tag_word(name, tag_identifier_end(name, end));
}

static const struct lw_tag_variable *tag_find_variable(const struct lw_tag_judge *judge,
						       const struct lw_shell_word *name)
{
	for (uint32_t i = judge->variables; i-- > 0;) {
		const struct lw_shell_word *own = &judge->variable[i].name;

		if (own->len == name->len && !memcmp(own->text, name->text, name->len))
			return &judge->variable[i];
	}
	return NULL;
}

const struct lw_tag_variable *lw_tag_stands_for(const struct lw_tag_judge *judge,
						const struct lw_shell_word *word)
{
	struct lw_shell_word name;

	if (!lw_tag_is_variable(word))
		return NULL;
	name = lw_tag_name_of(word);
	return tag_find_variable(judge, &name);
}

struct lw_shell_word lw_tag_next_piece(const char **text, const char *end)
{
	const char *p = *text, *begin;

	while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\\'))
		p++;
	for (begin = p; p < end && *p != ' ' && *p != '\t' && *p != '\n';)
		p++;
	*text = p;
	return tag_word(begin, p);
}

struct lw_shell_word lw_tag_default_of(struct lw_shell_word word)
{
	while (word.len > 4 && word.text[1] == '{' && lw_tag_is_variable(&word)) {
		const struct lw_shell_word name = lw_tag_name_of(&word);
		const char *p = name.text + name.len, *end = word.text + word.len - 1;

		p += *p == ':';
		if (*p != '-' || p >= end)
			break;
		word = tag_word(p + 1, end);
	}
	return word;
}

static bool tag_is_in_script(const struct lw_tag_judge *judge, const char *text, size_t len)
{
	return judge->script && text >= judge->script &&
	       text + len <= judge->script + judge->script_len;
}

struct lw_tag_variable *lw_tag_keep_variable(struct lw_tag_judge *judge,
					     struct lw_shell_word name,
					     struct lw_shell_word value)
{
	/* a name that was changed in reading lies where nothing stays */
	if (judge->variables == LW_TAG_VARIABLES_MAX ||
	    !tag_is_in_script(judge, name.text, name.len) ||
	    !tag_is_in_script(judge, value.text, value.len))
		return NULL;
	judge->variable[judge->variables] =
		(struct lw_tag_variable){ .name = name, .value = value };
	return &judge->variable[judge->variables++];
}

/* CMD+=" train.py": the value of NEW goes on where OLD, of the same name, ends. */
static void tag_join(struct lw_tag_judge *judge, const struct lw_tag_variable *old,
		     struct lw_tag_variable *new)
{
	char *to = judge->joined + judge->joined_len;
	uint32_t len = old->value.len + 1 + new->value.len;

	if (len > sizeof(judge->joined) - judge->joined_len)
		return;
	memcpy(to, old->value.text, old->value.len);
	to[old->value.len] = ' ';
	memcpy(to + old->value.len + 1, new->value.text, new->value.len);
	*new = (struct lw_tag_variable){ old->name, tag_word(to, to + len), old->array };
	judge->joined_len += len;
}

/* CMD="torchrun train.py", CMD=(torchrun train.py), SIF=/images/pytorch.sif */
void lw_tag_set_variable(struct lw_tag_judge *judge, const struct lw_shell_word *word,
			 uint32_t len)
{
	const struct lw_shell_word name = { .text = word->raw, .len = len };
	const bool more = word->text[len] == '+';
	const char *value, *end;
	const struct lw_tag_variable *old;
	struct lw_tag_variable *new;
	bool array;

	/* what comes of a variable has no place in the script */
	if (!tag_is_in_script(judge, word->raw, word->raw_len))
		return;
	value = word->raw + len + 1 + more;
	end = word->raw + word->raw_len;
	if (end - value < 3 || memcmp(word->raw, word->text, len))
		return;
	array = *value == '(' && end[-1] == ')';
	if (array || ((*value == '"' || *value == '\'') && end[-1] == *value)) {
		value++;
		end--;
	} else if (word->text != word->raw) {
		return;
	}
	while (value < end &&
	       (*value == ' ' || *value == '\t' || *value == '\n' || *value == '\\'))
		value++;
	old = tag_find_variable(judge, &name);
	new = lw_tag_keep_variable(judge, name, lw_tag_default_of(tag_word(value, end)));
	if (!new)
		return;
	new->array = array;
	if (more && old)
		tag_join(judge, old, new);
}
