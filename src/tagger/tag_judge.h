/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: gather the rules that match a job's script or command; private to tag*.c. */
#ifndef LW_TAGGER_TAG_JUDGE_H
#define LW_TAGGER_TAG_JUDGE_H

#include "tagger/shell.h"
#include "tagger/tag.h"

#include <string.h>

#define LW_TAG_VARIABLES_MAX 48
#define LW_TAG_JOINED_MAX    2048
/* sh -c inside sh -c, and variables in variables */
#define LW_TAG_DEPTH_MAX 3

/* The rules that match, by number. */
struct lw_tag_fired {
	uint32_t count;
	bool rule[LW_TAG_RULES_MAX];
};

/* A shell variable that may hold a command; its text is in the script, or in JOINED. */
struct lw_tag_variable {
	struct lw_shell_word name, value;
	bool array; /* its words are one command, on however many lines */
};

struct lw_tag_judge {
	const struct lw_tag_rules *rules;
	struct lw_tag_fired fired;
	struct lw_tag_fired apart;     /* evidence of scripts against deep learning */
	bool named;                    /* did names say anything of the job? */
	unsigned depth;                /* of sh -c inside sh -c */
	size_t nested_left, code_left; /* bytes of such commands, of Python, to read */
	const char *script;            /* being read, or NULL */
	size_t script_len;
	struct lw_shell_gap gap; /* the part of it that was skipped */
	uint32_t joined_len;     /* of values that were joined */
	uint32_t variables;
	char joined[LW_TAG_JOINED_MAX];
	struct lw_tag_variable variable[LW_TAG_VARIABLES_MAX];
};

/* The role of a verb. */
enum tag_role {
	TAG_NO_VERB,
	TAG_SAYS,    /* gives evidence itself, such as "module load" */
	TAG_KEYWORD, /* none: it is skipped */
	TAG_RUNS,    /* runs another program */
	TAG_STARTS,  /* runs one on other nodes, in a container or in a shell */
};

/* A pass over the words of one command. */
struct tag_scan {
	struct lw_tag_judge *judge;
	const struct tag_wrapper *wrapper; /* of the current word, a verb */
	const struct lw_shell_command *command;
	uint32_t at;
	bool done;
};

/* ---- rules ---- */

/* Note in FIRED the rules of PLACE with a pattern that matches the LEN bytes at TEXT. */
void lw_tag_rules_match(const struct lw_tag_rules *rules, enum lw_tag_place place,
			const char *text, size_t len, struct lw_tag_fired *fired);
/* The same for two words with a blank between them, as "jupyter lab". */
void lw_tag_rules_match_pair(const struct lw_tag_rules *rules, enum lw_tag_place place,
			     const struct lw_shell_word *first,
			     const struct lw_shell_word *second, struct lw_tag_fired *fired);
/* Does WORD match a pattern of PROGRAM, or the first word of a pattern of two? */
bool lw_tag_rules_may_begin(const struct lw_tag_rules *rules, const struct lw_shell_word *word);
/* Rule NUMBER, or NULL if there are fewer. */
const struct lw_tag_rule *lw_tag_rules_at(const struct lw_tag_rules *rules, uint32_t number);

/* ---- judging: each function adds to the rules that match ---- */

void lw_tag_judge_init(struct lw_tag_judge *judge, const struct lw_tag_rules *rules);
/* A whole job script: by its first line a shell script, Python code, or something else. */
void lw_tag_judge_script(struct lw_tag_judge *judge, const char *script, size_t size);
/* For a job script that was judged: the programs run in the part that was skipped. */
void lw_tag_judge_gap(struct lw_tag_judge *judge);
/*
 * The commands in TEXT; NESTED: those of a text inside the script, unless it is nested too deep.
 */
void lw_tag_judge_commands(struct lw_tag_judge *judge, const char *text, size_t len);
void lw_tag_judge_nested(struct lw_tag_judge *judge, const char *text, size_t len);
void lw_tag_judge_command(struct lw_tag_judge *judge, const struct lw_shell_command *command);
/* The names of JOB's partition, features, QOS and account, part by part. */
void lw_tag_judge_names(struct lw_tag_judge *judge, const struct lw_tag_request *job);
/* What CODE in the language of INTERPRETER loads; false if that language is not known. */
bool lw_tag_judge_interpreted(struct lw_tag_judge *judge, const struct lw_shell_word *interpreter,
			      const char *code, size_t size);
/* WORD of a command in PLACE; a variable stands for its value, word by word. */
void lw_tag_judge_operand(struct lw_tag_judge *judge, enum lw_tag_place place,
			  const struct lw_shell_word *word);
/* A container image, as a reference in a registry or as a file. */
void lw_tag_judge_image(struct lw_tag_judge *judge, const struct lw_shell_word *image);

/* ---- variables ---- */

/* WORD, NAME=value with a name of LEN bytes, is set: remember its value. */
void lw_tag_set_variable(struct lw_tag_judge *judge, const struct lw_shell_word *word,
			 uint32_t len);
/* The same for a NAME with a value, if both are in the script; NULL: it is not kept. */
struct lw_tag_variable *lw_tag_keep_variable(struct lw_tag_judge *judge,
					     struct lw_shell_word name,
					     struct lw_shell_word value);
/* $NAME, ${NAME}, ${NAME[@]} or the rest of $( ), and nothing after it */
bool lw_tag_is_variable(const struct lw_shell_word *word);
/* The name in $NAME or ${NAME}. */
struct lw_shell_word lw_tag_name_of(const struct lw_shell_word *word);
/* ${NAME:-train.py}: its default value; else WORD unchanged. */
struct lw_shell_word lw_tag_default_of(struct lw_shell_word word);
/* The variable that WORD stands for, or NULL if it is none, or not known. */
const struct lw_tag_variable *lw_tag_stands_for(const struct lw_tag_judge *judge,
						const struct lw_shell_word *word);
/* The next word of *TEXT, which is split as the shell splits an unquoted variable. */
struct lw_shell_word lw_tag_next_piece(const char **text, const char *end);

/* ---- commands, from the current word on ---- */

/*
 * If the current word is a verb (a keyword, a launcher, export, module, conda ...), judge what
 * it says, skip it or end the pass, and return true.
 */
bool lw_tag_scan_verb(struct tag_scan *walk);
enum tag_role lw_tag_role(const struct lw_shell_word *base);
/* Compare a word with an entry of a table that begins with its name, for bsearch(). */
int lw_tag_by_name(const void *word, const void *entry);
/* A program that is no verb, with its arguments. */
void lw_tag_scan_program(struct tag_scan *walk);
/* Go on at the command that an unknown program may run, from index FROM on, if there is one. */
void lw_tag_scan_behind(struct tag_scan *walk, uint32_t from);
/* Python, or Julia or R, with the file, the module or the code that it runs. */
void lw_tag_scan_python(struct tag_scan *walk);
void lw_tag_scan_language(struct tag_scan *walk);
/*
 * Every word from index FROM on is an argument; for a launcher, one may be the script that it
 * runs.
 */
void lw_tag_scan_arguments(struct tag_scan *walk, uint32_t from);
void lw_tag_scan_launcher(struct tag_scan *walk, uint32_t from);
/*
 * "cellpose --train", "yolo mode=predict": for some programs, options say what they do. Test the
 * words from index FROM on, if BASE is one of these programs.
 */
void lw_tag_judge_options(struct tag_scan *walk, enum lw_tag_place place,
			  const struct lw_shell_word *base, uint32_t from);
/* Does LINE of a script begin with a program that may be evidence, or that runs one? */
bool lw_tag_wants_line(void *judge, const char *line, size_t len);

/* ---- small helpers ---- */

static inline void tag_fire(struct lw_tag_fired *fired, uint32_t number)
{
	fired->count += !fired->rule[number];
	fired->rule[number] = true;
}

static inline bool tag_is_identifier(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static inline const char *tag_identifier_end(const char *p, const char *end)
{
	while (p < end && tag_is_identifier(*p))
		p++;
	return p;
}

static inline bool tag_is(const struct lw_shell_word *word, const char *text)
{
	return word->len == strlen(text) && !memcmp(word->text, text, word->len);
}

static inline bool tag_ends_in(const struct lw_shell_word *word, const char *tail)
{
	size_t len = strlen(tail);

	return word->len > len && !memcmp(word->text + word->len - len, tail, len);
}

static inline bool tag_has_text(const char *text, size_t len, const char *part)
{
	return memmem(text, len, part, strlen(part)) != NULL;
}

/* The word from TEXT up to END. */
static inline struct lw_shell_word tag_word(const char *text, const char *end)
{
	return (struct lw_shell_word){ .text = text, .len = (uint32_t)(end - text) };
}

/* The file name in WORD, without its folders. */
static inline struct lw_shell_word tag_base(const struct lw_shell_word *word)
{
	const char *slash = word->len > 1 ? memrchr(word->text, '/', word->len - 1) : NULL;

	return slash ? tag_word(slash + 1, word->text + word->len) : *word;
}

static inline const struct lw_shell_word *tag_word_at(const struct tag_scan *walk, uint32_t index)
{
	return index < walk->command->words ? &walk->command->word[index] : NULL;
}

static inline const struct lw_shell_word *tag_current(const struct tag_scan *walk)
{
	return tag_word_at(walk, walk->at);
}

static inline bool tag_is_option(const struct lw_shell_word *word)
{
	return word->len > 1 && word->text[0] == '-';
}

/* The length of NAME in NAME=value or NAME+=value, or 0. */
static inline uint32_t tag_assigned(const struct lw_shell_word *word)
{
	const char *end = word->text + word->len, *stop = tag_identifier_end(word->text, end);
	const char *equals = stop < end && *stop == '+' ? stop + 1 : stop;

	if (equals >= end || *equals != '=' || (*word->text >= '0' && *word->text <= '9'))
		return 0;
	return (uint32_t)(stop - word->text);
}

/* python, python3.11, ipython */
static inline bool tag_is_python(const struct lw_shell_word *base)
{
	uint32_t i = base->len && *base->text == 'i';

	if (base->len < i + 6 || memcmp(base->text + i, "python", 6))
		return false;
	for (i += 6; i < base->len; i++)
		if (!(base->text[i] >= '0' && base->text[i] <= '9') && base->text[i] != '.')
			return false;
	return true;
}

static inline void tag_judge_word(struct lw_tag_judge *judge, enum lw_tag_place place,
				  const struct lw_shell_word *word)
{
	lw_tag_rules_match(judge->rules, place, word->text, word->len, &judge->fired);
}

static inline void tag_judge_pair(struct lw_tag_judge *judge, enum lw_tag_place place,
				  const struct lw_shell_word *first,
				  const struct lw_shell_word *second)
{
	lw_tag_rules_match_pair(judge->rules, place, first, second, &judge->fired);
}

#endif
