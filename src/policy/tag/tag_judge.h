/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: gather the rules that hold for a job's script or command; private to tag*.c. */
#ifndef LW_POLICY_TAG_TAG_JUDGE_H
#define LW_POLICY_TAG_TAG_JUDGE_H

#include "policy/tag/shell.h"
#include "policy/tag/tag_rules.h"

#define LW_TAG_VARIABLES_MAX 48
/* one name fires fewer rules */
#define LW_TAG_RECENT_MAX 16
/* sh -c inside sh -c, and variables in variables */
#define LW_TAG_DEPTH_MAX 3

/* A shell variable that may hold a command; its text stands in the script. */
struct lw_tag_variable {
	const char *name, *value;
	uint32_t name_len, value_len;
};

/* Rules, by number, a bit each. */
struct lw_tag_fired {
	uint64_t bits[LW_TAG_RULES_MAX / 64];
};

struct lw_tag_judge {
	const struct lw_tag_rules *rules;
	struct lw_tag_fired fired; /* rules that hold */
	bool has_apart;
	struct lw_tag_fired apart; /* what scripts say that speak against learning, if any */
	uint16_t recent[LW_TAG_RECENT_MAX]; /* rules that did not hold before, */
	uint32_t fresh;                     /* so many since a script's name was looked at */
	bool named;                         /* whether names told anything of the job */
	unsigned depth;                        /* of sh -c inside sh -c */
	size_t nested_left, code_left;         /* bytes of such commands, of Python, to read */
	const char *script;                    /* that is being read, or NULL */
	size_t script_len;
	const char *gap; /* what of it was passed over */
	size_t gap_len;
	uint32_t variables;
	struct lw_tag_variable variable[LW_TAG_VARIABLES_MAX];
};

/* Match TEXT against the rules of PLACE. */
void lw_tag_judge_text(struct lw_tag_judge *judge, enum lw_tag_place place,
		       const char *text, size_t len);
/* WORD of a command in PLACE; a variable stands for what it holds, word by word. */
void lw_tag_judge_operand(struct lw_tag_judge *judge, enum lw_tag_place place,
			  const struct lw_shell_word *word);
/* A container image, as a registry's reference or as a file. */
void lw_tag_judge_image(struct lw_tag_judge *judge, const char *image, size_t len);
/* The names of JOB's partition, features, QOS and account, part by part. */
void lw_tag_judge_names(struct lw_tag_judge *judge, const struct lw_tag_request *job);
/* Set up JUDGE to judge by RULES. */
void lw_tag_judge_init(struct lw_tag_judge *judge, const struct lw_tag_rules *rules);

/* One command in words. */
void lw_tag_judge_command(struct lw_tag_judge *judge, const struct lw_shell_command *command);
/* The commands in TEXT. */
void lw_tag_judge_commands(struct lw_tag_judge *judge, const char *text, size_t len);
/* Of a job script that was judged, the programs run in what was passed over. */
void lw_tag_judge_gap(struct lw_tag_judge *judge);
/* A whole job script: by its first line a shell's, Python code, or something else. */
void lw_tag_judge_script(struct lw_tag_judge *judge, const char *script, size_t size);

#endif
