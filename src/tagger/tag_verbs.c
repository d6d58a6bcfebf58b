/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: shell keywords, launchers, containers and environments around a program. */
#include "tagger/tag_judge.h"

#include <stdlib.h>
#include <string.h>

/* As tag_verbs.def says it. */
struct tag_wrapper {
	const char *letters, *flags, *pairs, *commands;
	uint32_t operands;
	bool image, long_dash;
};

struct tag_verb {
	const char *name;
	void (*walk)(struct tag_scan *walk);
	const struct tag_wrapper *wrapper;
};

/* Whether the LEN bytes at NAME are a word of LIST, which may be NULL. */
static bool tag_is_listed(const char *name, size_t len, const char *list)
{
	if (!len || memchr(name, ' ', len))
		return false;
	for (const char *p = list; p && (p = strchr(p, ' ')); p++)
		if (!strncmp(p + 1, name, len) && p[len + 1] == ' ')
			return true;
	return false;
}

static void tag_scan_keyword(struct tag_scan *walk)
{
	walk->at++;
	walk->done = false;
}

/* "command -v X" only asks whether there is an X. */
static void tag_scan_command(struct tag_scan *walk)
{
	const struct lw_shell_word *next = tag_word_at(walk, ++walk->at);

	walk->done = next && tag_is_option(next);
}

static void tag_scan_nothing(struct tag_scan *walk)
{
	walk->done = true;
}

static void tag_scan_language(struct tag_scan *walk)
{
	lw_tag_scan_language(walk);
}

static void tag_scan_export(struct tag_scan *walk)
{
	for (uint32_t i = walk->at + 1; i < walk->command->words; i++) {
		struct lw_shell_word word = *tag_word_at(walk, i);
		uint32_t len = tag_assigned(&word);

		if (len)
			lw_tag_set_variable(walk->judge, &word, len);
		word.len = len ? len : word.len;
		tag_judge_word(walk->judge, LW_TAG_VARIABLE, &word);
	}
}

static void tag_scan_load(struct tag_scan *walk)
{
	for (uint32_t i = walk->at + 1; i < walk->command->words; i++)
		lw_tag_judge_operand(walk->judge, LW_TAG_LOADED, tag_word_at(walk, i));
}

static void tag_judge_environment(struct tag_scan *walk, const struct lw_shell_word *word)
{
	struct lw_shell_word path = *word, base;

	if (tag_ends_in(&path, "/bin/activate"))
		path.len -= (uint32_t)strlen("/bin/activate");
	base = tag_base(&path);
	tag_judge_word(walk->judge, LW_TAG_ENVIRONMENT, &base);
}

static void tag_scan_source(struct tag_scan *walk)
{
	const struct lw_shell_word *what = tag_word_at(walk, walk->at + 1);
	const struct lw_shell_word *name = tag_word_at(walk, walk->at + 2);
	struct lw_shell_word base;

	if (!what)
		return;
	base = tag_base(what);
	if (name && tag_is(&base, "activate"))
		tag_judge_environment(walk, name);
	else if (tag_ends_in(what, "/bin/activate"))
		tag_judge_environment(walk, what);
}

/* read -r -d '' NAME <<EOF: a command to be, as launch scripts of containers keep them */
static void tag_scan_read(struct tag_scan *walk)
{
	const struct lw_shell_command *command = walk->command;

	if (command->heredoc && command->words > walk->at + 1)
		lw_tag_keep_variable(
			walk->judge, command->word[command->words - 1],
			tag_word(command->heredoc, command->heredoc + command->heredoc_len));
}

/* What WORD holds, if it is a variable that is known, or WORD. */
static const struct lw_shell_word *tag_held(struct tag_scan *walk,
					    const struct lw_shell_word *word)
{
	const struct lw_tag_variable *held = lw_tag_stands_for(walk->judge, word);

	return held ? &held->value : word;
}

static void tag_scan_shell(struct tag_scan *walk)
{
	const struct lw_shell_command *command = walk->command;
	const struct lw_shell_word *word = NULL;
	bool code = false;

	while ((word = tag_word_at(walk, ++walk->at)) && tag_is_option(word))
		code |= word->text[1] != '-' && memchr(word->text, 'c', word->len);
	if (word && code) {
		word = tag_held(walk, word);
		lw_tag_judge_nested(walk->judge, word->text, word->len);
	} else if (word) {
		lw_tag_judge_operand(walk->judge, LW_TAG_ENTRY, word);
		lw_tag_scan_arguments(walk, walk->at + 1);
		lw_tag_scan_behind(walk, walk->at + 1);
	} else if (command->heredoc) {
		lw_tag_judge_nested(walk->judge, command->heredoc, command->heredoc_len);
	}
}

/* ---- wrappers ---- */

/* Judge the image in WORD, --container-image=IMAGE, if it is that. */
static void tag_judge_image_option(struct tag_scan *walk, const struct lw_shell_word *word)
{
	static const char option[] = "--container-image=";
	const uint32_t len = sizeof(option) - 1;
	struct lw_shell_word image;

	if (word->len <= len || memcmp(word->text, option, len))
		return;
	image = tag_word(word->text + len, word->text + word->len);
	lw_tag_judge_image(walk->judge, &image);
}

static void tag_scan_sbatch_line(struct tag_scan *walk)
{
	const struct lw_shell_word *word;

	for (uint32_t i = walk->at + 1; (word = tag_word_at(walk, i)); i++) {
		tag_judge_image_option(walk, word);
		if (tag_is(word, "--container-image") && tag_word_at(walk, i + 1))
			lw_tag_judge_image(walk->judge, word + 1);
	}
}

/*
 * When the current word is a variable that holds options, step over it. One of which nothing is
 * known is taken for options when others follow, as a shell drops it when it is empty.
 */
static bool tag_scan_held_options(struct tag_scan *walk)
{
	const struct lw_shell_word *word = tag_current(walk),
				   *next = tag_word_at(walk, walk->at + 1);
	const struct lw_tag_variable *held = lw_tag_stands_for(walk->judge, word);
	const char *p = held ? held->value.text : NULL, *end = held ? p + held->value.len : NULL;

	if (!held && (!lw_tag_is_variable(word) || !next || !tag_is_option(next) ||
		      tag_has_text(word->text, word->len, "PY")))
		return false;
	if (held && (p == end || *p != '-'))
		return false;
	/* SRUN_ARGS="--exclusive --container-image=pytorch.sqsh" */
	while (p < end) {
		struct lw_shell_word piece = lw_tag_next_piece(&p, end);

		tag_judge_image_option(walk, &piece);
	}
	walk->at++;
	return true;
}

static void tag_judge_option(struct tag_scan *walk, const char *name, size_t len,
			     const struct lw_shell_word *value)
{
	if (!value)
		return;
	if (tag_is_listed(name, len, " container-image image "))
		lw_tag_judge_image(walk->judge, tag_held(walk, value));
	else if (tag_is_listed(name, len, " prefix name n p "))
		tag_judge_environment(walk, value);
}

/* Step over one option with its values. */
static void tag_scan_option(struct tag_scan *walk, const struct tag_wrapper *wrapper)
{
	const struct lw_shell_word *word = tag_current(walk);
	uint32_t dashes = word->text[1] == '-' ? 2 : 1, len = word->len - dashes;
	const char *name = word->text + dashes, *equals = memchr(name, '=', len);
	struct lw_shell_word value;

	walk->at++;
	if (equals) {
		value = tag_word(equals + 1, name + len);
		tag_judge_option(walk, name, (size_t)(equals - name), &value);
		return;
	}
	if (dashes == 1 && len == 1 && *name && strchr(wrapper->letters, *name))
		return;
	/* its value is attached, or it is several */
	if (dashes == 1 && len > 1 && !wrapper->long_dash)
		return;
	if ((dashes == 2 || len > 1) && tag_is_listed(name, len, wrapper->flags))
		return;
	tag_judge_option(walk, name, len, tag_current(walk));
	walk->at += tag_is_listed(name, len, wrapper->pairs) ? 2 : 1;
}

static void tag_scan_options(struct tag_scan *walk, const struct tag_wrapper *wrapper)
{
	const struct lw_shell_word *word;

	while ((word = tag_current(walk))) {
		if (tag_is(word, "--")) {
			walk->at++;
			return;
		}
		if (tag_is_option(word))
			tag_scan_option(walk, wrapper);
		else if (!tag_scan_held_options(walk))
			return;
	}
}

static void tag_scan_wrapper(struct tag_scan *walk)
{
	const struct tag_wrapper *wrapper = walk->wrapper;
	const struct lw_shell_command *command = walk->command;
	const struct lw_shell_word *word;

	walk->at++;
	if (wrapper->commands) {
		tag_scan_options(walk, wrapper);
		word = tag_current(walk);
		if (!word || !tag_is_listed(word->text, word->len, wrapper->commands))
			return;
		walk->at++;
	}
	walk->done = false;
	tag_scan_options(walk, wrapper);
	for (uint32_t i = 0; i < wrapper->operands; i++) {
		word = tag_current(walk);
		if (word && wrapper->image && i + 1 == wrapper->operands)
			lw_tag_judge_image(walk->judge, tag_held(walk, word));
		walk->at++;
	}
	if (wrapper->image && !tag_current(walk) && command->heredoc)
		lw_tag_judge_nested(walk->judge, command->heredoc, command->heredoc_len);
}

static void tag_scan_conda(struct tag_scan *walk)
{
	const struct lw_shell_word *sub = tag_word_at(walk, walk->at + 1);
	const struct lw_shell_word *name = tag_word_at(walk, walk->at + 2);

	if (sub && tag_is(sub, "run")) {
		tag_scan_wrapper(walk);
		return;
	}
	if (sub && name && tag_is(sub, "activate"))
		tag_judge_environment(walk, name);
}

/* "ray job submit -- python train.py"; all else that ray does is as of any program. */
static void tag_scan_ray(struct tag_scan *walk)
{
	const struct lw_shell_word *job = tag_word_at(walk, walk->at + 1);
	const struct lw_shell_word *submit = tag_word_at(walk, walk->at + 2);

	if (job && submit && tag_is(job, "job") && tag_is(submit, "submit")) {
		walk->at += 2;
		tag_scan_wrapper(walk);
	} else {
		lw_tag_scan_program(walk);
	}
}

/* "coverage run -m lab.train", "kernprof -l train.py": as Python runs it */
static void tag_scan_python_tool(struct tag_scan *walk)
{
	const struct lw_shell_word *word;
	uint32_t i = walk->at + 1;

	while ((word = tag_word_at(walk, i)) && !tag_is(word, "-m") && !tag_is(word, "--") &&
	       !tag_ends_in(word, ".py"))
		i++;
	if (word && !tag_is(word, "--")) {
		walk->at = i - 1;
		lw_tag_scan_python(walk);
	} else {
		lw_tag_scan_behind(walk, walk->at + 1);
	}
}

/* ---- the table ---- */

#define TAG_VERB(...)
#define TAG_WRAPPER(name, ...) static const struct tag_wrapper wrapper_##name = { __VA_ARGS__ };
#include "tagger/tag_verbs.def"
#undef TAG_VERB
#undef TAG_WRAPPER

static const struct tag_verb verbs[] = {
#define TAG_WRAPPER(...)
#define TAG_VERB(name, walk, wrapper) { name, tag_scan_##walk, &wrapper_##wrapper },
#include "tagger/tag_verbs.def"
};

int lw_tag_by_name(const void *word, const void *entry)
{
	const struct lw_shell_word *base = word;
	const char *name = *(const char *const *)entry;
	size_t len = strlen(name);
	int order = memcmp(base->text, name, len < base->len ? len : base->len);

	return order ? order : (base->len > len) - (base->len < len);
}

static const struct tag_verb *tag_find_verb(const struct lw_shell_word *base)
{
	return bsearch(base, verbs, sizeof(verbs) / sizeof(verbs[0]), sizeof(verbs[0]),
		       lw_tag_by_name);
}

enum tag_role lw_tag_role(const struct lw_shell_word *base)
{
	const struct tag_verb *verb = tag_find_verb(base);

	if (!verb)
		return TAG_NO_VERB;
	if (verb->walk == tag_scan_keyword)
		return TAG_KEYWORD;
	if (verb->walk == tag_scan_shell || verb->wrapper == &wrapper_srun ||
	    verb->wrapper == &wrapper_mpirun || verb->wrapper == &wrapper_singularity ||
	    verb->wrapper == &wrapper_docker)
		return TAG_STARTS;
	return verb->wrapper != &wrapper_none || verb->walk == tag_scan_python_tool ||
			       verb->walk == tag_scan_language
		       ? TAG_RUNS
		       : TAG_SAYS;
}

bool lw_tag_scan_verb(struct tag_scan *walk)
{
	struct lw_shell_word base = tag_base(tag_current(walk));
	const struct tag_verb *verb = tag_find_verb(&base);

	if (!verb)
		return false;
	walk->wrapper = verb->wrapper;
	walk->done = true;
	verb->walk(walk);
	return true;
}
