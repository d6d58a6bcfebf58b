/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: recognise a deep-learning (DL) job at submit; encode and decode its tag. */
#ifndef LW_TAGGER_TAG_H
#define LW_TAGGER_TAG_H

#include "base/error.h"
#include "base/rule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LW_TAG_EVIDENCE_MAX 64
#define LW_TAG_TEXT_MAX     160 /* an encoded tag with its NUL */
#define LW_TAG_RULES_MAX    512
#define LW_TAG_DL_POINTS    50 /* from here on a job is DL */
#define LW_TAG_GPU_POINTS   25 /* what asking for a GPU adds */
/* Scripts are read this far; no job script of people is longer. */
#define LW_TAG_SCRIPT_MAX (256 * 1024)

enum lw_tag_class {
	LW_TAG_NONE, /* not deep learning */
	LW_TAG_TRAINING,
	LW_TAG_SWEEP, /* trials of a hyperparameter search */
	LW_TAG_INFERENCE,
	LW_TAG_NOTEBOOK,
	LW_TAG_CLASS_COUNT,
};

struct lw_tag {
	enum lw_tag_class class;
	bool gang;          /* DL whose processes may span nodes and communicate */
	uint8_t confidence; /* in the class given, 0 .. 100 */
	char evidence[LW_TAG_EVIDENCE_MAX]; /* names of rules, "torchrun+gpu" */
};

/* What is known of a job at submit. Text is borrowed; any of it may be NULL. */
struct lw_tag_request {
	const char *script;
	size_t script_len;        /* its bytes, if known without looking for their end; 0: not */
	const char *command_line; /* of an interactive job, as typed */
	const char *const *argv;  /* the same in words; preferred when argc > 1 */
	uint32_t argc;
	const char *tres_per_node; /* "gres/gpu:a100:2", Slurm 22.05: "gres:gpu:2" */
	const char *tres_per_job;
	const char *tres_per_task;
	const char *tres_per_socket;
	const char *array;
	const char *name;
	const char *container;
	const char *comment;
	const char *partition; /* lists of names, as sbatch is told them */
	const char *features;
	const char *qos;
	const char *account;
	uint32_t tasks; /* 0: not said; so the others */
	uint32_t tasks_per_node;
	uint32_t nodes_min;
	uint32_t nodes_max;
};

/* Where a rule looks. Patterns are case-blind and know one wildcard, '*'. */
enum lw_tag_place {
	LW_TAG_PROGRAM,     /* a command's file name, alone or with its first operand */
	LW_TAG_MODULE,      /* what python -m runs */
	LW_TAG_ENTRY,       /* file name of the script that an interpreter or launcher runs */
	LW_TAG_ARGUMENT,    /* an argument of python or of a DL launcher */
	LW_TAG_IMPORT,      /* a module imported by Python code in the script */
	LW_TAG_IMAGE,       /* a container's image */
	LW_TAG_LOADED,      /* operand of module load */
	LW_TAG_ENVIRONMENT, /* a conda or virtual environment */
	LW_TAG_VARIABLE,    /* a variable that is set or exported */
	LW_TAG_JOB_NAME,
	/* a partition's name or a part of it, a QOS's, an account's or a feature's, of a job that
	 * asks for no GPU */
	LW_TAG_PARTITION,
	LW_TAG_PLACE_COUNT,
};

struct lw_tag_rule {
	const char *name; /* the evidence it gives; short, [a-z0-9-] */
	enum lw_tag_place place;
	int8_t weight;           /* points towards DL; negative: towards something else */
	enum lw_tag_class class; /* what the points say it is; NONE: nothing */
	const char *patterns;    /* separated by '|' */
};

struct lw_tag_rules;

/* Make a set holding the built-in rules, src/tagger/tag_rules.def. 0 or -ENOMEM. */
int lw_tag_rules_create(struct lw_tag_rules **ret_rules);
void lw_tag_rules_destroy(struct lw_tag_rules *rules);
/*
 * Add RULE, whose text is borrowed for the life of RULES. -EINVAL for a bad name, place,
 * class or an empty pattern, -ENOSPC beyond LW_TAG_RULES_MAX: with ERR, and the set as it
 * was, so that a caller can name the rule and go on without it. -ENOMEM.
 */
int lw_tag_rules_add(struct lw_tag_rules *rules, const struct lw_tag_rule *rule,
		     struct lw_error *err);
/* Told of a rule that was left out: its line in the file, and why with a remedy. */
typedef void (*lw_tag_complain_f)(void *arg, unsigned line, const char *text);
/*
 * Add, or switch off, what LIST says, whose text is borrowed for the life of RULES. Rules
 * with mistakes are left out, each with a call of COMPLAIN. Returns how many were taken.
 */
uint32_t lw_tag_rules_take(struct lw_tag_rules *rules, const struct lw_rule_list *list,
			   lw_tag_complain_f complain, void *arg);
/* Switch off every rule that gives evidence NAME. -ENOENT when none does. */
int lw_tag_rules_disable(struct lw_tag_rules *rules, const char *name);

/*
 * Judge JOB by RULES into *ret_tag. The points of all rules that hold are added up, each
 * evidence name once with its strongest rule; a GPU request adds more. From 50 points a
 * job is DL. A "leeway:dl" or "leeway:not-dl" in the user's comment decides instead.
 * Cannot fail; no allocation; one pass over at most LW_TAG_SCRIPT_MAX bytes.
 */
void lw_tag_recognise(const struct lw_tag_request *job, const struct lw_tag_rules *rules,
		      struct lw_tag *ret_tag);

/* What ARG's owner wants to know of a rule whose points count. */
typedef void (*lw_tag_evidence_f)(void *arg, const struct lw_tag_rule *rule);
/*
 * Call FOUND for every rule that has a say in what lw_tag_recognise() makes of JOB, in
 * the order of the table. LW_TAG_GPU_POINTS come on top when lw_tag_wants_gpu().
 */
void lw_tag_explain(const struct lw_tag_request *job, const struct lw_tag_rules *rules,
		    lw_tag_evidence_f found, void *arg);

/* GPUs (or shares of them) that one resource list asks for, in any release's spelling. */
uint32_t lw_tag_gpus(const char *tres);
/* Whether JOB asks for a GPU at all. */
bool lw_tag_wants_gpu(const struct lw_tag_request *job);
/* Whether TAG is worth writing down: that of a job of neither kind is not. */
bool lw_tag_is_wanted(const struct lw_tag_request *job, const struct lw_tag *tag);

/*
 * What a user may have overlooked in JOB, whose tag is TAG: one sentence, or NULL. It
 * lives for ever.
 */
const char *lw_tag_advice(const struct lw_tag_request *job, const struct lw_tag *tag);

/*
 * Write TAG as one word, "leeway:dl=training,gang=1,conf=92,ev=torchrun+gpu".
 * Returns its length. SIZE must be at least LW_TAG_TEXT_MAX.
 */
size_t lw_tag_encode(const struct lw_tag *tag, char *buf, size_t size);
/*
 * Find the tag among the words of an admin_comment (may be NULL). 0, -ENOENT when there
 * is none, -EINVAL when there is a damaged one. Unknown keys are passed over.
 */
int lw_tag_decode(const char *admin_comment, struct lw_tag *ret_tag);

/* What a tag begins with: the prefix for lw_words_put(). */
#define LW_TAG_PREFIX "leeway:dl="

/* "training"; never NULL. "none" for LW_TAG_NONE. */
const char *lw_tag_class_name(enum lw_tag_class class);
/* The class of that name, LEN bytes at TEXT, or -EINVAL. */
int lw_tag_class_parse(const char *text, size_t len);

#endif
