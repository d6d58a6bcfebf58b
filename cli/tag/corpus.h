/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: labelled job scripts, and how often their tags are right. */
#ifndef LW_CLI_TAG_CORPUS_H
#define LW_CLI_TAG_CORPUS_H

#include "base/error.h"
#include "tagger/tag.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Rules are made with the first part and only measured with the others. The author of the blind
 * parts had not read the rules. A sealed part is counted, but its mistakes are never listed, so
 * that rules cannot be fitted to them.
 */
enum lw_corpus_part {
	LW_CORPUS_TUNED,
	LW_CORPUS_HELD,
	LW_CORPUS_BLIND,
	LW_CORPUS_SEALED,
	LW_CORPUS_PARTS,
};

struct lw_corpus_script {
	char *file; /* name in the corpus' directory */
	char *title;
	char *options; /* of sbatch, or NULL */
	char *text;
	enum lw_corpus_part part;
	enum lw_tag_class kind; /* what it is */
	bool gang;
	struct lw_tag tag; /* what it was taken for */
};

struct lw_corpus {
	struct lw_corpus_script *script;
	uint32_t scripts, room;
};

/* Counts of one part: [what it is][what it was taken for]. */
struct lw_corpus_score {
	uint32_t scripts;
	uint32_t kinds[LW_TAG_CLASS_COUNT][LW_TAG_CLASS_COUNT];
	uint32_t gang_right; /* among deep learning that was found */
	uint32_t found;      /* deep learning taken for deep learning */
	uint32_t dl;         /* deep learning */
	uint32_t called;     /* taken for deep learning */
};

/*
 * Read DIR/index.tsv and the scripts it names. 0, or -errno with ERR as
 * "DIR/index.tsv:12: ...", and *ret_corpus empty then. Free it with lw_corpus_fini().
 */
int lw_corpus_read(const char *dir, struct lw_corpus *ret_corpus, struct lw_error *err);
void lw_corpus_fini(struct lw_corpus *corpus);

/* Tag every script by RULES, with GPU requests spelt as Slurm 22.05 does or as later. */
void lw_corpus_tag(struct lw_corpus *corpus, const struct lw_tag_rules *rules,
		   bool old_spelling);
/* Count the tags of PART; LW_CORPUS_PARTS stands for all. */
void lw_corpus_count(const struct lw_corpus *corpus, enum lw_corpus_part part,
		     struct lw_corpus_score *ret_score);

/* Shares of 0 to 1; 1 when there is nothing to be wrong about. */
double lw_corpus_precision(const struct lw_corpus_score *score);
double lw_corpus_recall(const struct lw_corpus_score *score);

/* "tuned", "held", "blind", "sealed", "all" */
const char *lw_corpus_part_name(enum lw_corpus_part part);

/* Precision, recall, a table of kinds and every script that was misjudged, but the sealed. */
void lw_corpus_print(const struct lw_corpus *corpus, FILE *out);
/* The same as JSON. 0, or -ENOMEM or -EIO with ERR. */
int lw_corpus_print_json(const struct lw_corpus *corpus, const char *path, struct lw_error *err);

#endif
