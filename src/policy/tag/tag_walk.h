/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a walk over the words of one command; private to tag*.c. */
#ifndef LW_POLICY_TAG_TAG_WALK_H
#define LW_POLICY_TAG_TAG_WALK_H

#include "policy/tag/bytes.h"
#include "policy/tag/tag_judge.h"

#include <string.h>

struct walk {
	struct lw_tag_judge *judge;
	const struct lw_shell_command *command;
	uint32_t at;
	bool done;
};

/*
 * When the current word is a verb (a keyword, a launcher, export, module, conda ...),
 * judge what it says, step over it or end the walk, and return true.
 */
bool lw_tag_walk_verb(struct walk *walk);
/* Verbs are read, but for those that are only stepped over: "then", "do", "!". */
enum lw_shell_wish lw_tag_verb_wish(const struct lw_tag_rules *rules,
				    const struct lw_shell_word *base);
/* The same, but of the verbs that are read only those that run a program. */
enum lw_shell_wish lw_tag_verb_runs(const struct lw_tag_rules *rules,
				    const struct lw_shell_word *base);
bool lw_tag_is_python(const struct lw_shell_word *base);
/* Judge WORD, NAME=value with a name of LEN bytes, and remember what it may stand for. */
void lw_tag_walk_assignment(struct walk *walk, const struct lw_shell_word *word, uint32_t len);
/* Remember that the variable NAME holds the LEN bytes at TEXT, which stay where they are. */
void lw_tag_keep_variable(struct lw_tag_judge *judge, const struct lw_shell_word *name,
			  const char *text, size_t len);
/* Judge the commands in TEXT, unless they are nested too deep. */
void lw_tag_walk_nested(struct walk *walk, const char *text, size_t len);
/* Judge what sh -c is given: commands, or a variable that holds them. */
void lw_tag_walk_code(struct walk *walk, const struct lw_shell_word *word);
/* Judge WORD, or what it stands for, as a container's image. */
void lw_tag_walk_image(struct walk *walk, const struct lw_shell_word *word);
/*
 * When the current word is a variable that holds options, step over it. BEFORE_IMAGE: one of
 * which nothing is known is taken for options when others follow, as an image comes after them.
 */
bool lw_tag_walk_held_options(struct walk *walk, bool before_image);
/* Judge WORD as the file that a shell, Python or launcher runs. */
void lw_tag_walk_entry(struct walk *walk, const struct lw_shell_word *word);
/* Judge every word from index FROM on as an argument. */
void lw_tag_walk_arguments(struct walk *walk, uint32_t from);
/* The same for a launcher, whose own options come before the script it runs. */
void lw_tag_walk_launcher(struct walk *walk, uint32_t from);
/* The current word is a program, and no verb: judge it, with what it is given. */
void lw_tag_walk_program(struct walk *walk);
/* The current word is an interpreter: judge the file, the module or the code that it runs. */
void lw_tag_walk_python(struct walk *walk);
void lw_tag_walk_julia(struct walk *walk);
void lw_tag_walk_r(struct walk *walk);
/* Judge two words with a blank between them, as in "jupyter lab". */
void lw_tag_judge_pair(struct lw_tag_judge *judge, enum lw_tag_place place,
		       const struct lw_shell_word *first, const struct lw_shell_word *second);
/* Judge what CODE in Python imports. */
void lw_tag_judge_python(struct lw_tag_judge *judge, const char *code, size_t size);

/* Does a rule hold now that did not when the judge's FIRED was BEFORE? */
static inline bool fired_since(const struct lw_tag_judge *judge, const struct lw_tag_fired *before)
{
	return memcmp(before, &judge->fired, sizeof(*before)) != 0;
}

static inline bool is_identifier(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static inline const char *identifier_end(const char *p, const char *end)
{
	while (p < end && is_identifier(*p))
		p++;
	return p;
}

static inline bool is(const struct lw_shell_word *word, const char *text)
{
	return word->len == strlen(text) && !memcmp(word->text, text, word->len);
}

static inline bool ends_in(const struct lw_shell_word *word, const char *tail)
{
	size_t len = strlen(tail);

	return word->len > len && !memcmp(word->text + word->len - len, tail, len);
}

static inline struct lw_shell_word base_of(const struct lw_shell_word *word)
{
	struct lw_shell_word base = *word;
	const char *slash =
		word->len > 1 ? lw_tag_find_last(word->text, word->text + word->len - 1, '/')
			      : NULL;

	if (slash) {
		base.text = slash + 1;
		base.len = (uint32_t)(word->text + word->len - base.text);
	}
	return base;
}

static inline const struct lw_shell_word *word_at(const struct walk *walk, uint32_t index)
{
	return index < walk->command->words ? &walk->command->word[index] : NULL;
}

static inline const struct lw_shell_word *current(const struct walk *walk)
{
	return word_at(walk, walk->at);
}

static inline bool is_option(const struct lw_shell_word *word)
{
	return word->len > 1 && word->text[0] == '-';
}

/* The length of NAME in NAME=value, or 0. */
static inline uint32_t assigned(const struct lw_shell_word *word)
{
	uint32_t i = 0;

	while (i < word->len && word->text[i] != '=') {
		char c = word->text[i];

		if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
		      (i && c >= '0' && c <= '9')))
			return 0;
		i++;
	}
	return i < word->len ? i : 0;
}

static inline void judge_word(struct walk *walk, enum lw_tag_place place,
			      const struct lw_shell_word *word)
{
	lw_tag_judge_text(walk->judge, place, word->text, word->len);
}

#endif
