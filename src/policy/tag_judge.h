/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: gather the rules that hold for a job's script or command; private to tag*.c. */
#ifndef LW_POLICY_TAG_JUDGE_H
#define LW_POLICY_TAG_JUDGE_H

#include "policy/shell.h"
#include "policy/tag_rules.h"

struct lw_tag_judge {
	const struct lw_tag_rules *rules;
	uint64_t fired[LW_TAG_RULES_MAX / 64]; /* rules that hold */
	unsigned depth;                        /* of sh -c inside sh -c */
};

/* Match TEXT against the rules of PLACE. */
void lw_tag_judge_text(struct lw_tag_judge *judge, enum lw_tag_place place,
		       const char *text, size_t len);
/* A container image, as a registry's reference or as a file. */
void lw_tag_judge_image(struct lw_tag_judge *judge, const char *image, size_t len);
/* One command in words; ARG is the judge, so that it can be given to lw_shell_scan(). */
void lw_tag_judge_command(void *arg, const struct lw_shell_command *command);
/* A whole job script: by its first line a shell's, Python code, or something else. */
void lw_tag_judge_script(struct lw_tag_judge *judge, const char *script);

#endif
