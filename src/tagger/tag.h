/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: recognise a deep-learning (DL) job at its submission; encode and decode its tag. */
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
/* Scripts are read this far; no job script written by hand is longer. */
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
	bool gang;          /* DL, and its processes may span nodes and communicate */
	uint8_t confidence; /* in the class, 0 .. 100 */
	char evidence[LW_TAG_EVIDENCE_MAX]; /* names of rules, "torchrun+gpu" */
};

/* A job at its submission. Text is borrowed; any of it may be NULL. */
struct lw_tag_request {
	const char *script;
	size_t script_len;        /* its bytes, if known; 0: not known */
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
	const char *partition; /* lists of names, as given to sbatch */
	const char *features;
	const char *qos;
	const char *account;
	uint32_t tasks; /* 0: not given; likewise the next */
	uint32_t tasks_per_node;
	uint32_t nodes_min;
	uint32_t nodes_max;
};

/* Where a rule looks. Patterns ignore case and have one wildcard, '*'. */
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
	/*
	 * of a job that asks for no GPU: the name of a partition or a part of it, or that of a
	 * QOS, an account or a feature
	 */
	LW_TAG_PARTITION,
	LW_TAG_PLACE_COUNT,
};

struct lw_tag_rule {
	const char *name; /* the evidence it gives; short, [a-z0-9-] */
	enum lw_tag_place place;
	int8_t weight;           /* points towards DL; negative: towards something else */
	enum lw_tag_class class; /* the class that the points speak for; NONE: none */
	const char *patterns;    /* separated by '|' */
};

struct lw_tag_rules;

/* Make a set holding the built-in rules, src/tagger/tag_rules.def. 0 or -ENOMEM. */
int lw_tag_rules_create(struct lw_tag_rules **ret_rules);
void lw_tag_rules_destroy(struct lw_tag_rules *rules);
/*
 * Add RULE, with text borrowed for the life of RULES. -EINVAL for a bad name, place, class or an
 * empty pattern, -ENOSPC beyond LW_TAG_RULES_MAX: with ERR and RULES unchanged, so that a caller
 * can name the rule and go on without it. -ENOMEM.
 */
int lw_tag_rules_add(struct lw_tag_rules *rules, const struct lw_tag_rule *rule,
		     struct lw_error *err);
/* Called for a rule that was left out: its line in the file, and the reason with a remedy. */
typedef void (*lw_tag_complain_f)(void *arg, unsigned line, const char *text);
/*
 * Add the rules of LIST, or switch rules off, as it says; its text is borrowed for the life of
 * RULES. Rules with mistakes are left out, each with a call of COMPLAIN. Returns how many were
 * taken.
 */
uint32_t lw_tag_rules_take(struct lw_tag_rules *rules, const struct lw_rule_list *list,
			   lw_tag_complain_f complain, void *arg);
/* Switch off every rule with evidence NAME. -ENOENT if there is none. */
int lw_tag_rules_disable(struct lw_tag_rules *rules, const char *name);

/*
 * Judge JOB by RULES into *ret_tag. The points of all rules that match are added up, each
 * evidence name once with its strongest rule; a GPU request adds more. From 50 points on a job
 * is DL. A "leeway:dl" or "leeway:not-dl" in the user's comment decides instead. Cannot fail; no
 * allocation; one pass over at most LW_TAG_SCRIPT_MAX bytes.
 */
void lw_tag_recognise(const struct lw_tag_request *job, const struct lw_tag_rules *rules,
		      struct lw_tag *ret_tag);

/* Called for a rule with points that count. */
typedef void (*lw_tag_evidence_f)(void *arg, const struct lw_tag_rule *rule);
/*
 * Call FOUND for every rule that counts in the result of lw_tag_recognise() for JOB, in the
 * order of the table. If lw_tag_wants_gpu(), LW_TAG_GPU_POINTS are added.
 */
void lw_tag_explain(const struct lw_tag_request *job, const struct lw_tag_rules *rules,
		    lw_tag_evidence_f found, void *arg);

/* The number of GPUs (or shares of them) in a resource list, in the spelling of any release. */
uint32_t lw_tag_gpus(const char *tres);
/* Does JOB ask for a GPU at all? */
bool lw_tag_wants_gpu(const struct lw_tag_request *job);
/* Is TAG worth writing down? Not for a job without GPU that is not DL. */
bool lw_tag_is_wanted(const struct lw_tag_request *job, const struct lw_tag *tag);

/*
 * A likely mistake of the user in JOB, tagged TAG: one sentence, or NULL. The text is constant.
 */
const char *lw_tag_advice(const struct lw_tag_request *job, const struct lw_tag *tag);

/*
 * Write TAG as one word, "leeway:dl=training,gang=1,conf=92,ev=torchrun+gpu".
 * Returns its length. SIZE must be at least LW_TAG_TEXT_MAX.
 */
size_t lw_tag_encode(const struct lw_tag *tag, char *buf, size_t size);
/*
 * Find the tag among the words of an admin_comment (may be NULL). 0, -ENOENT if there is none,
 * -EINVAL if it is damaged. Unknown keys are skipped.
 */
int lw_tag_decode(const char *admin_comment, struct lw_tag *ret_tag);

/* The beginning of a tag: the prefix for lw_words_put(). */
#define LW_TAG_PREFIX "leeway:dl="

/* "training"; never NULL. "none" for LW_TAG_NONE. */
const char *lw_tag_class_name(enum lw_tag_class class);
/* The class of that name, LEN bytes at TEXT, or -EINVAL. */
int lw_tag_class_parse(const char *text, size_t len);

#endif
