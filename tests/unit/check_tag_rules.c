/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the rules of tagger/tag: adding, reading, switching off. */
#include "tagger/tag.h"
#include "tagger/tag_judge.h"

#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SH "#!/bin/bash\n"
#define T  LW_TAG_TRAINING
#define I  LW_TAG_INFERENCE
#define O  LW_TAG_NONE

static struct lw_tag_rules *rules;

static void set_up(void)
{
	ck_assert_int_eq(lw_tag_rules_create(&rules), 0);
}

static void tear_down(void)
{
	lw_tag_rules_destroy(rules);
}

static const struct {
	struct lw_tag_rule rule;
	int want;
} additions[] = {
	{ { "site", LW_TAG_PROGRAM, 90, T, "ourtrainer|ours%*" }, 0 },
	{ { "", LW_TAG_PROGRAM, 90, T, "a" }, -EINVAL },
	{ { "Upper", LW_TAG_PROGRAM, 90, T, "a" }, -EINVAL },
	{ { "a-name-that-is-far-too-long-to-show", LW_TAG_PROGRAM, 90, T, "a" }, -EINVAL },
	{ { "place", (enum lw_tag_place)99, 90, T, "a" }, -EINVAL },
	{ { "class", LW_TAG_PROGRAM, 90, (enum lw_tag_class)99, "a" }, -EINVAL },
	{ { "weight", LW_TAG_PROGRAM, 120, T, "a" }, -EINVAL },
	{ { "empty", LW_TAG_PROGRAM, 90, T, "a||b" }, -EINVAL },
	{ { "none", LW_TAG_PROGRAM, 90, T, NULL }, -EINVAL },
};

FIXTURE(set_up, tear_down);

TEST_EACH(rule_is_added_or_named, LW_COUNT_OF(additions))
{
	struct lw_tag_request job = { .script = SH "OurTrainer\n" };
	struct lw_error err = { "" };
	struct lw_tag tag;

	ck_assert_int_eq(lw_tag_rules_add(rules, &additions[_i].rule, &err), additions[_i].want);
	lw_tag_recognise(&job, rules, &tag);
	ck_assert_int_eq(tag.class, additions[_i].want ? O : T);
	ck_assert_int_eq(err.text[0] != '\0', additions[_i].want != 0);
}

TEST(rule_is_switched_off)
{
	struct lw_tag_request job = { .script = SH "torchrun a\n" };
	struct lw_tag tag;

	ck_assert_int_eq(lw_tag_rules_disable(rules, "torchrun"), 0);
	ck_assert_int_eq(lw_tag_rules_disable(rules, "no-such-rule"), -ENOENT);
	lw_tag_recognise(&job, rules, &tag);
	ck_assert_int_eq(tag.class, O);
}

static const struct {
	const char *text[LW_RULE_FIELDS]; /* name, place, points, kind, patterns, off */
	const char *complaint;            /* NULL: taken */
	enum lw_tag_class want;           /* of a script with "ourtrainer" */
} written[] = {
	{ { "our", "program", "60", "inference", "ourtrain*", NULL }, NULL, I },
	{ { "our", "program", "60", NULL, "x|ourtrainer", "no" }, NULL, T },
	{ { "our", "program", "-60", "none", "ourtrainer", NULL }, NULL, O },
	{ { "torchrun", NULL, NULL, NULL, NULL, "yes" }, NULL, O },
	{ { NULL, "program", "60", "training", "ourtrainer", NULL },
	  "name: a rule needs one",
	  O },
	{ { "our", "progam", "60", "training", "ourtrainer", NULL },
	  "place: \"progam\" is none of program,",
	  O },
	{ { "our", NULL, "60", "training", "ourtrainer", NULL }, "place: \"\" is none of", O },
	{ { "our", "program", "101", "training", "ourtrainer", NULL },
	  "points: \"101\" is no whole number of -100 to 100",
	  O },
	{ { "our", "program", "6x", "training", "ourtrainer", NULL }, "points: \"6x\"", O },
	{ { "our", "program", "-", "training", "ourtrainer", NULL }, "points: \"-\"", O },
	{ { "our", "program", "", "training", "ourtrainer", NULL }, "points: \"\"", O },
	{ { "our", "program", "60", "learning", "ourtrainer", NULL }, "kind: \"learning\"", O },
	{ { "our", "program", "60", "training", "", NULL }, "an empty pattern", O },
	{ { "our", "program", "60", "training", NULL, NULL }, "no pattern", O },
	{ { "Our", "program", "60", "training", "ourtrainer", NULL }, "has only a-z", O },
	{ { "our", "program", "60", "training", "ourtrainer", "maybe" }, "off: \"maybe\"", O },
	{ { "our", NULL, NULL, NULL, NULL, "yes" }, "no rule is called \"our\"", O },
};

struct said {
	unsigned line;
	char text[LW_ERROR_MAX];
};

static void note_complaint(void *arg, unsigned line, const char *text)
{
	struct said *said = arg;

	said->line = line;
	snprintf(said->text, sizeof(said->text), "%s", text);
}

TEST_EACH(written_rule_is_taken_or_named, LW_COUNT_OF(written))
{
	struct lw_tag_request job = { .script = SH "ourtrainer\n" };
	struct lw_rule_line line = { .line = 7 };
	struct lw_rule_list list = { .rule = &line, .rules = 1 };
	struct said said = { 0, "" };
	struct lw_tag tag;

	for (int i = 0; i < LW_RULE_FIELDS; i++)
		line.text[i] = written[_i].text[i] ? strdup(written[_i].text[i]) : NULL;
	ck_assert_uint_eq(lw_tag_rules_take(rules, &list, note_complaint, &said),
			  written[_i].complaint == NULL);
	ck_assert_msg(
		said.line == (written[_i].complaint ? 7 : 0) &&
			strstr(said.text, written[_i].complaint ? written[_i].complaint : ""),
		"%u: %s", said.line, said.text);
	lw_tag_recognise(&job, rules, &tag);
	ck_assert_int_eq(tag.class, written[_i].want);
	for (int i = 0; i < LW_RULE_FIELDS; i++)
		free(line.text[i]);
}

/* "alpha" begins as alphafold does, "tune" may be "tune run". */
static const struct {
	const char *word;
	bool want;
} beginnings[] = {
	{ "alpha", false },   { "alphafold3", true },     { "tune", true },  { "tuned", false },
	{ "my-train", true }, { "training", false },      { "caffe", true }, { "caf", false },
	{ "rm", false },      { "dp", true },
};

TEST_EACH(first_word_may_begin_a_pattern, LW_COUNT_OF(beginnings))
{
	const char *text = beginnings[_i].word;
	const struct lw_shell_word word = { .text = text, .len = (uint32_t)strlen(text) };

	ck_assert_msg(lw_tag_rules_may_begin(rules, &word) == beginnings[_i].want, "%s", text);
}

/* Names count by whole parts, and not beside a request for GPUs or names that deny them. */
static const struct {
	const char *partition, *features, *qos, *account, *gpus;
	bool want;
} names[] = {
	{ NULL, NULL, NULL, NULL, NULL, false },
	{ "", "", "", "", NULL, false },
	{ "gpu", NULL, NULL, NULL, NULL, true },
	{ "GPU", NULL, NULL, NULL, NULL, true },
	{ "gpu2", NULL, NULL, NULL, NULL, true },
	{ "4gpu", NULL, NULL, NULL, NULL, true },
	{ "seas_gpu", NULL, NULL, NULL, NULL, true },
	{ "gpu-test", NULL, NULL, NULL, NULL, true },
	{ "low.gpus.long", NULL, NULL, NULL, NULL, true },
	{ "long,gpu,short", NULL, NULL, NULL, NULL, true },
	{ "gpuA100x4", NULL, NULL, NULL, NULL, true },
	{ "mcml-dgx-a100-40x8", NULL, NULL, NULL, NULL, true },
	{ "batch_dgx1_m2", NULL, NULL, NULL, NULL, true },
	{ "mi2104x", NULL, NULL, NULL, NULL, true },
	{ "titanxp", NULL, NULL, NULL, NULL, true },
	{ "rtx8000", NULL, NULL, NULL, NULL, true },
	{ "RTX_6000", NULL, NULL, NULL, NULL, true },
	{ "gpuless", NULL, NULL, NULL, NULL, false },
	{ "bigpunch", NULL, NULL, NULL, NULL, false },
	{ "a1001", NULL, NULL, NULL, NULL, false },
	{ "teslas-lab", NULL, NULL, NULL, NULL, false },
	{ "general", NULL, NULL, NULL, NULL, false },
	{ "cpu", NULL, NULL, NULL, NULL, false },
	{ "cpu,gpu", NULL, NULL, NULL, NULL, false },
	{ "gpu_CPU2", NULL, NULL, NULL, NULL, false },
	{ "no-gpu", NULL, NULL, NULL, NULL, false },
	{ "nogpu", NULL, NULL, NULL, NULL, false },
	{ "-_-,,", NULL, NULL, NULL, NULL, false },
	{ NULL, "a100|h100", NULL, NULL, NULL, true },
	{ NULL, "ib&v100", NULL, NULL, NULL, true },
	{ NULL, "[rack1|rack2]&l40s*2", NULL, NULL, NULL, true },
	{ NULL, "skylake", NULL, NULL, NULL, false },
	{ NULL, NULL, "gpu_long", NULL, NULL, true },
	{ NULL, NULL, NULL, "ofp@v100", NULL, true },
	{ NULL, NULL, NULL, "abcd-delta-gpu", NULL, true },
	{ NULL, NULL, NULL, "p1002", NULL, false },
	{ NULL, NULL, NULL, "lab-cpu-gpu", NULL, false },
	{ NULL, NULL, "gpu", "lab-cpu-gpu", NULL, true },
	{ "gpu", NULL, NULL, "lab-cpu", NULL, true },
	{ "cpu", NULL, NULL, "lab-gpu", NULL, false },
	{ "gpu", NULL, NULL, NULL, "gres/gpu:1", false },
};

static void note_names(void *arg, const struct lw_tag_rule *rule)
{
	*(bool *)arg |= !strcmp(rule->name, "gpu-partition");
}

TEST_EACH(names_tell_of_gpus, LW_COUNT_OF(names))
{
	struct lw_tag_request job = { .script = SH "python train.py\n",
				      .partition = names[_i].partition,
				      .features = names[_i].features,
				      .qos = names[_i].qos,
				      .account = names[_i].account,
				      .tres_per_node = names[_i].gpus };
	bool found = false;
	struct lw_tag tag;

	lw_tag_explain(&job, rules, note_names, &found);
	ck_assert_int_eq(found, names[_i].want);
	lw_tag_recognise(&job, rules, &tag);
	ck_assert_int_eq(tag.class, names[_i].want || names[_i].gpus ? T : O);
	ck_assert_int_eq(strstr(tag.evidence, "gpu-partition") != NULL, names[_i].want);
}

static const struct {
	const char *script;
	enum lw_tag_class want;
} brought[] = {
	{ SH "python train.py\n", T },          { SH "python main.py\n", T },
	{ SH "python orbit.py\n", O },          { SH "srun vasp_std\n", O },
	{ SH "gmx mdrun -deffnm md\n", O },     { SH "Rscript train.R\n", O },
	{ SH "nvidia-smi\nhostname\n", O },
};

TEST_EACH(partition_counts_as_a_request, LW_COUNT_OF(brought))
{
	struct lw_tag_request job = { .script = brought[_i].script, .partition = "gpu" };
	struct lw_tag tag;

	lw_tag_recognise(&job, rules, &tag);
	ck_assert_int_eq(tag.class, brought[_i].want);
	ck_assert(lw_tag_is_wanted(&job, &tag) == (tag.class != O));
	ck_assert_int_eq(lw_tag_rules_disable(rules, "gpu-partition"), 0);
	lw_tag_recognise(&job, rules, &tag);
	ck_assert_int_eq(tag.class, O);
}

/* A site whose partition tells nothing by its parts names it as a whole. */
TEST(whole_names_match_rules_of_the_site)
{
	const struct lw_tag_rule rule = { "gpu-partition", LW_TAG_PARTITION, 25, O,
					  "boost_usr_*" };
	struct lw_tag_request job = { .script = SH "python train.py\n",
				      .partition = "serial,boost_usr_prod" };
	struct lw_error err = { "" };
	struct lw_tag tag;

	lw_tag_recognise(&job, rules, &tag);
	ck_assert_int_eq(tag.class, O);
	ck_assert_int_eq(lw_tag_rules_add(rules, &rule, &err), 0);
	lw_tag_recognise(&job, rules, &tag);
	ck_assert_int_eq(tag.class, T);
}

/* The middle of a long script is worth its time on a partition of GPUs, too. */
TEST(middle_is_read_on_such_a_partition)
{
	struct lw_tag_request job = { .partition = "gpu" };
	char text[16384] = SH;
	struct lw_tag tag;

	for (int i = 0; i < 250; i++)
		strcat(text, i == 170 ? "torchrun a.py\n" : "mkdir a b c; ls d; cp e f; ls g\n");
	job.script = text;
	lw_tag_recognise(&job, rules, &tag);
	ck_assert_int_eq(tag.class, T);
}

/* No name is so long; the rest is not looked at. */
TEST(long_names_are_cut)
{
	char text[4096];
	struct lw_tag_request job = { .script = SH "python train.py\n", .partition = text };
	struct lw_tag tag;

	memset(text, 'x', sizeof(text));
	memcpy(text + sizeof(text) - 5, ",gpu", 5);
	lw_tag_recognise(&job, rules, &tag);
	ck_assert_int_eq(tag.class, O);
	memcpy(text, "gpu,", 4);
	lw_tag_recognise(&job, rules, &tag);
	ck_assert_int_eq(tag.class, T);
}
