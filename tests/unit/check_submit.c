/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of cli/tag: submit and corpus. */
#include "cli/tag/corpus.h"
#include "cli/tag/submit.h"

#include "unit/scratch.h"
#include "unit/unit.h"

#include <string.h>

static const struct {
	const char *title, *script, *options;
	bool old;
	const char *node, *job, *task, *socket, *array, *name;
	uint32_t nodes_min, nodes_max, tasks;
} cases[] = {
	{ "nothing", "#!/bin/sh\n", NULL, false, "", "", "", "", "", "", 0, 0, 0 },
	{ "gres", "#!/bin/sh\n#SBATCH --gres=gpu:2\n", NULL, false, "gres/gpu:2", "", "", "", "",
	  "", 0, 0, 0 },
	{ "gres of 22.05", "#SBATCH --gres=gpu:a:2,nvme:1\n", NULL, true,
	  "gres:gpu:a:2,gres:nvme:1", "", "", "", "", "", 0, 0, 0 },
	{ "gres as another word", "#SBATCH --gres gpu -N2\n", NULL, false, "gres/gpu", "", "", "",
	  "", "", 2, 2, 0 },
	{ "gpus", "#SBATCH -G a:4,b:1\n", NULL, false, "", "gres/gpu:a:4,gres/gpu:b:1", "", "",
	  "", "", 0, 0, 0 },
	{ "gpus in one word", "#SBATCH -G4\n", NULL, false, "", "gres/gpu:4", "", "", "", "", 0,
	  0, 0 },
	{ "gpus per anything",
	  "#SBATCH --gpus-per-node=8 --gpus-per-task=1\n#SBATCH --gpus-per-socket=x:2\n", NULL,
	  false, "gres/gpu:8", "", "gres/gpu:1", "gres/gpu:x:2", "", "", 0, 0, 0 },
	{ "both per node", "#SBATCH --gres=nvme:1 --gpus-per-node=8\n", NULL, false,
	  "gres/nvme:1,gres/gpu:8", "", "", "", "", "", 0, 0, 0 },
	{ "tres per task", "#SBATCH --tres-per-task=cpu=8,gres/gpu=1\n", NULL, true, "", "",
	  "cpu=8,gres:gpu=1", "", "", "", 0, 0, 0 },
	{ "tasks of nodes", "#SBATCH -N 2-4 --ntasks-per-node 8\n", NULL, false, "", "", "", "",
	  "", "", 2, 4, 16 },
	{ "the command line wins", "#SBATCH -N 2 -J a --gres=gpu:1\n", "-N1 -J b --array=1-3",
	  false, "gres/gpu:1", "", "", "", "1-3", "b", 1, 1, 0 },
	{ "a comment behind", "#SBATCH -J x # -J y\n", NULL, false, "", "", "", "", "", "x", 0, 0,
	  0 },
	{ "after a command", "#SBATCH -J x\n\necho\n#SBATCH -J y\n", NULL, false, "", "", "", "",
	  "", "x", 0, 0, 0 },
	{ "switched off", "##SBATCH -J y\n# SBATCH -J z\n", NULL, false, "", "", "", "", "", "",
	  0, 0, 0 },
	{ "flags have no value", "#SBATCH --exclusive -H -J x --requeue -n 3\n", NULL, false, "",
	  "", "", "", "", "x", 0, 0, 3 },
	{ "an unknown option", "#SBATCH --site-thing -J x --other y -n 2\n", NULL, false, "", "",
	  "", "", "", "x", 0, 0, 2 },
	{ "an option cut short", "#SBATCH --nodes\n#SBATCH -N\n#SBATCH -\n", NULL, false, "", "",
	  "", "", "", "", 0, 0, 0 },
};

FIXTURE(scratch_setup, scratch_teardown);

TEST_EACH(options_are_read, LW_COUNT_OF(cases))
{
	struct lw_submit s;
	struct lw_tag_request r;

	lw_submit_read(cases[_i].script, cases[_i].options, cases[_i].old, &s);
	ck_assert_str_eq(s.tres_per_node, cases[_i].node);
	ck_assert_str_eq(s.tres_per_job, cases[_i].job);
	ck_assert_str_eq(s.tres_per_task, cases[_i].task);
	ck_assert_str_eq(s.tres_per_socket, cases[_i].socket);
	ck_assert_str_eq(s.array, cases[_i].array);
	ck_assert_str_eq(s.name, cases[_i].name);
	ck_assert_uint_eq(s.nodes_min, cases[_i].nodes_min);
	ck_assert_uint_eq(s.nodes_max, cases[_i].nodes_max);
	ck_assert_uint_eq(s.tasks, cases[_i].tasks);
	lw_submit_request(&s, cases[_i].script, &r);
	ck_assert_int_eq(r.name == NULL, cases[_i].name[0] == '\0');
}

TEST(names_are_read)
{
	const char *script = "#SBATCH -p gpu,long -C 'a100|h100'\n"
			     "#SBATCH --qos=fast\n#SBATCH --account lab-gpu\n";
	struct lw_tag_request r;
	struct lw_submit s;

	lw_submit_read(script, "--partition=short", false, &s);
	lw_submit_request(&s, script, &r);
	ck_assert_str_eq(r.partition, "short");
	ck_assert_str_eq(r.features, "a100|h100");
	ck_assert_str_eq(r.qos, "fast");
	ck_assert_str_eq(r.account, "lab-gpu");
	lw_submit_read("#!/bin/sh\n", NULL, false, &s);
	lw_submit_request(&s, "", &r);
	ck_assert(!r.partition && !r.features && !r.qos && !r.account);
}

TEST(long_values_are_cut)
{
	char script[4 * LW_SUBMIT_TEXT_MAX];
	struct lw_submit s;

	memset(script, 'x', sizeof(script));
	memcpy(script, "#SBATCH --gres=", 15);
	memcpy(script + sizeof(script) / 2, "\n#SBATCH --gpus-per-node=", 25);
	script[sizeof(script) - 1] = '\0';
	lw_submit_read(script, NULL, false, &s);
	ck_assert_uint_lt(strlen(s.tres_per_node), sizeof(s.tres_per_node));
	ck_assert_uint_eq(strlen(s.gres), sizeof(s.gres) - 1);
}

static const struct {
	const char *index, *complaint;
} bad[] = {
	{ "a.job\ttuned\tnone\t0\t-\n", ":1: wants file, part" },
	{ "# c\na.job\tmine\tnone\t0\t-\tx\n", ":2: part: \"mine\"" },
	{ "a.job\theld\tlunch\t0\t-\tx\n", ":1: kind: \"lunch\"" },
	{ "b.job\theld\tnone\t0\t-\tx\n", "b.job: " },
	{ "# nothing\n", "no scripts" },
	{ "", "empty" },
};

TEST_EACH(bad_index_is_named, LW_COUNT_OF(bad))
{
	struct lw_error err = { "" };
	struct lw_corpus corpus;

	scratch_write("index.tsv", bad[_i].index);
	scratch_write("a.job", "#!/bin/sh\n");
	ck_assert_int_lt(lw_corpus_read(scratch_dir, &corpus, &err), 0);
	ck_assert_msg(strstr(err.text, bad[_i].complaint) != NULL, "%s", err.text);
	ck_assert_uint_eq(corpus.scripts, 0);
}

TEST(line_ends_of_an_index_may_be_cr_lf)
{
	struct lw_error err = { "" };
	struct lw_corpus corpus;

	scratch_write("index.tsv", "# c\r\n\r\na.job\theld\tnone\t0\t-\tx\r\n");
	scratch_write("a.job", "#!/bin/sh\n");
	ck_assert_msg(!lw_corpus_read(scratch_dir, &corpus, &err), "%s", err.text);
	ck_assert_str_eq(corpus.script[0].title, "x");
	lw_corpus_fini(&corpus);
}

TEST(tags_are_counted)
{
	struct lw_corpus_script script[] = {
		{ .kind = LW_TAG_TRAINING, .tag.class = LW_TAG_TRAINING },
		{ .kind = LW_TAG_TRAINING, .tag.class = LW_TAG_SWEEP, .tag.gang = true },
		{ .kind = LW_TAG_NONE, .tag.class = LW_TAG_SWEEP, .part = LW_CORPUS_HELD },
		{ .kind = LW_TAG_NOTEBOOK, .tag.class = LW_TAG_NONE },
	};
	struct lw_corpus corpus = { script, LW_COUNT_OF(script), 0 };
	struct lw_corpus_score all, tuned;

	lw_corpus_count(&corpus, LW_CORPUS_PARTS, &all);
	lw_corpus_count(&corpus, LW_CORPUS_TUNED, &tuned);
	ck_assert_double_eq_tol(lw_corpus_precision(&all), 2.0 / 3, 1e-9);
	ck_assert_double_eq_tol(lw_corpus_recall(&all), 2.0 / 3, 1e-9);
	ck_assert_double_eq_tol(lw_corpus_precision(&tuned), 1, 1e-9);
	ck_assert_uint_eq(all.gang_right, 1);
	ck_assert_uint_eq(tuned.scripts, 3);
}
