/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: shell keywords, launchers, containers and environments around a program. */
#include "policy/tag/tag_walk.h"

#include <string.h>

/* Programs with options of their own, as bits. */
enum {
	PLAIN = 1 << 0,
	TIMEOUT = 1 << 1,
	SRUN = 1 << 2,
	MPIRUN = 1 << 3,
	SINGULARITY = 1 << 4,
	DOCKER = 1 << 5,
	IMAGE_RUN = 1 << 6,
	CH_RUN = 1 << 7,
	ENV_RUN = 1 << 8,
	PROFILER = 1 << 9,
	NCU = 1 << 10,
	/* and words that stand behind them */
	SUB_CONTAINER = 1 << 11,
	SUB_PROFILER = 1 << 12,
	SUB_RUN = 1 << 13,
	PAIR = 1 << 14, /* options of mpirun with two values */
};

/* A program that runs the command behind its own options. */
struct wrapper {
	uint16_t own;        /* the bit of its options without a value */
	const char *letters; /* those of one letter */
	uint16_t sub;        /* the bit of the sub-commands that do so, or 0 */
	uint8_t operands;    /* words of its own before the command */
	bool image;          /* the last of them is a container image */
	bool long_dash;      /* -hostfile is one option, not h, o, s ... */
};

struct verb {
	const char *name;
	void (*walk)(struct walk *walk, const struct wrapper *wrapper);
	const struct wrapper *wrapper;
};

static const struct flag {
	const char *name;
	uint16_t of;
} flags[] = {
#define LW_TAG_FLAG(name, of) { name, of },
#include "policy/tag/tag_flags.def"
#undef LW_TAG_FLAG
};

/* Whether NAME is one of the flags of what OF stands for. */
LW_TAG_HOT static bool is_of(const struct walk *walk, const char *name, uint32_t len, uint16_t of)
{
	uint16_t id = lw_tag_index_exact(lw_tag_rules_index(walk->judge->rules), LW_TAG_SPACE_FLAGS,
					 name, len);

	return id != LW_TAG_INDEX_NONE && (flags[id].of & of);
}

static void walk_keyword(struct walk *walk, const struct wrapper *wrapper)
{
	(void)wrapper;
	walk->at++;
}

/* "command -v X" only asks whether there is an X. */
static void walk_command(struct walk *walk, const struct wrapper *wrapper)
{
	const struct lw_shell_word *next = word_at(walk, ++walk->at);

	(void)wrapper;
	walk->done = next && is_option(next);
}

static void walk_nothing(struct walk *walk, const struct wrapper *wrapper)
{
	(void)wrapper;
	walk->done = true;
}

LW_TAG_HOT static void walk_export(struct walk *walk, const struct wrapper *wrapper)
{
	(void)wrapper;
	for (uint32_t i = walk->at + 1; i < walk->command->words; i++) {
		const struct lw_shell_word *word = word_at(walk, i);
		uint32_t len = assigned(word);

		if (len)
			lw_tag_walk_assignment(walk, word, len);
		else
			judge_word(walk, LW_TAG_VARIABLE, word);
	}
	walk->done = true;
}

LW_TAG_HOT static void walk_load(struct walk *walk, const struct wrapper *wrapper)
{
	(void)wrapper;
	for (uint32_t i = walk->at + 1; i < walk->command->words; i++)
		judge_word(walk, LW_TAG_LOADED, word_at(walk, i));
	walk->done = true;
}

LW_TAG_HOT static void judge_environment(struct walk *walk, const struct lw_shell_word *word)
{
	struct lw_shell_word path = *word, base;

	if (ends_in(&path, "/bin/activate"))
		path.len -= (uint32_t)strlen("/bin/activate");
	base = base_of(&path);
	judge_word(walk, LW_TAG_ENVIRONMENT, &base);
}

LW_TAG_HOT static void walk_source(struct walk *walk, const struct wrapper *wrapper)
{
	const struct lw_shell_word *what = word_at(walk, walk->at + 1);
	const struct lw_shell_word *name = word_at(walk, walk->at + 2);
	struct lw_shell_word base;

	(void)wrapper;
	walk->done = true;
	if (!what)
		return;
	base = base_of(what);
	if (name && is(&base, "activate"))
		judge_environment(walk, name);
	else if (ends_in(what, "/bin/activate"))
		judge_environment(walk, what);
}

/* read -r -d '' NAME <<EOF: a command to be, as launch scripts of containers keep them */
static void walk_read(struct walk *walk, const struct wrapper *wrapper)
{
	const struct lw_shell_command *command = walk->command;
	const struct lw_shell_word *name = word_at(walk, command->words - 1);

	(void)wrapper;
	if (command->heredoc && command->words > walk->at + 1)
		lw_tag_keep_variable(walk->judge, name, command->heredoc, command->heredoc_len);
	walk->done = true;
}

static void walk_sbatch_line(struct walk *walk, const struct wrapper *wrapper)
{
	static const char option[] = "--container-image";
	const size_t len = sizeof(option) - 1;

	(void)wrapper;
	for (uint32_t i = walk->at + 1; i < walk->command->words; i++) {
		const struct lw_shell_word *word = word_at(walk, i);

		if (word->len > len + 1 && !memcmp(word->text, option, len))
			lw_tag_judge_image(walk->judge, word->text + len + 1,
					   word->len - len - 1);
		else if (is(word, option) && word_at(walk, i + 1))
			lw_tag_judge_image(walk->judge, word_at(walk, i + 1)->text,
					   word_at(walk, i + 1)->len);
	}
	walk->done = true;
}

void lw_tag_walk_nested(struct walk *walk, const char *text, size_t len)
{
	struct lw_tag_judge *judge = walk->judge;

	if (judge->depth >= LW_TAG_DEPTH_MAX)
		return;
	if (len > judge->nested_left)
		len = judge->nested_left;
	judge->nested_left -= len;
	judge->depth++;
	lw_tag_judge_commands(judge, text, len);
	judge->depth--;
}

static void walk_shell(struct walk *walk, const struct wrapper *wrapper)
{
	const struct lw_shell_command *command = walk->command;
	const struct lw_shell_word *word = NULL;
	bool code = false;

	(void)wrapper;
	walk->done = true;
	while ((word = word_at(walk, ++walk->at)) && is_option(word))
		code = code ||
		       (word->text[1] != '-' && memchr(word->text, 'c', word->len));
	if (word && code) {
		lw_tag_walk_code(walk, word);
	} else if (word) {
		lw_tag_walk_entry(walk, word);
		lw_tag_walk_arguments(walk, walk->at + 1);
	} else if (command->heredoc) {
		lw_tag_walk_nested(walk, command->heredoc, command->heredoc_len);
	}
}

/* ---- wrappers ---- */

LW_TAG_HOT static void judge_option(struct walk *walk, const char *name, uint32_t len,
				    const struct lw_shell_word *value)
{
	struct lw_shell_word option = { .text = name, .len = len };

	if (!value || !strchr("cinp", *name))
		return;
	if (is(&option, "container-image") || is(&option, "image"))
		lw_tag_walk_image(walk, value);
	else if (is(&option, "prefix") || is(&option, "name") || is(&option, "n") ||
		 is(&option, "p"))
		judge_environment(walk, value);
}

static bool has_no_value(const struct walk *walk, const struct wrapper *wrapper,
			 const char *name, uint32_t len, uint32_t dashes)
{
	if (dashes == 1 && len == 1)
		return *name && strchr(wrapper->letters, *name);
	if (dashes == 1 && !wrapper->long_dash)
		return true; /* its value is attached, or it is several */
	return is_of(walk, name, len, wrapper->own);
}

/* Step over one option with its values. */
LW_TAG_HOT static void walk_option(struct walk *walk, const struct wrapper *wrapper)
{
	const struct lw_shell_word *word = current(walk);
	uint32_t dashes = word->len > 1 && word->text[1] == '-' ? 2 : 1;
	const char *name = word->text + dashes;
	uint32_t len = word->len - dashes;
	const char *equals = lw_tag_find(name, name + len, '=');
	struct lw_shell_word value;

	walk->at++;
	if (equals < name + len) {
		value.text = equals + 1;
		value.len = (uint32_t)(name + len - value.text);
		judge_option(walk, name, (uint32_t)(equals - name), &value);
	} else if (has_no_value(walk, wrapper, name, len, dashes)) {
		return;
	} else {
		judge_option(walk, name, len, current(walk));
		walk->at += wrapper->own == MPIRUN && is_of(walk, name, len, PAIR) ? 2 : 1;
	}
}

LW_TAG_HOT static void walk_options(struct walk *walk, const struct wrapper *wrapper)
{
	const struct lw_shell_word *word;

	while ((word = current(walk))) {
		if (!is_option(word)) {
			if (word->len > 1 && *word->text == '$' &&
			    lw_tag_walk_held_options(walk, wrapper->image))
				continue;
			return;
		}
		if (is(word, "--")) {
			walk->at++;
			return;
		}
		walk_option(walk, wrapper);
	}
}

LW_TAG_HOT static void walk_wrapper(struct walk *walk, const struct wrapper *wrapper)
{
	const struct lw_shell_word *word;

	walk->at++;
	if (wrapper->sub) {
		walk_options(walk, wrapper);
		word = current(walk);
		if (!word || !is_of(walk, word->text, word->len, wrapper->sub)) {
			walk->done = true;
			return;
		}
		walk->at++;
	}
	walk_options(walk, wrapper);
	for (uint32_t i = 0; i < wrapper->operands; i++) {
		word = current(walk);
		if (word && wrapper->image && i + 1 == wrapper->operands)
			lw_tag_walk_image(walk, word);
		walk->at++;
	}
	if (wrapper->image && !current(walk) && walk->command->heredoc)
		lw_tag_walk_nested(walk, walk->command->heredoc, walk->command->heredoc_len);
}

static void walk_conda(struct walk *walk, const struct wrapper *wrapper)
{
	const struct lw_shell_word *sub = word_at(walk, walk->at + 1);
	const struct lw_shell_word *name = word_at(walk, walk->at + 2);

	if (sub && is(sub, "run")) {
		walk_wrapper(walk, wrapper);
		return;
	}
	if (sub && name && is(sub, "activate"))
		judge_environment(walk, name);
	walk->done = true;
}

static const struct wrapper plain = { .own = PLAIN, .letters = "ivkpfFaL" };
static const struct wrapper timeout = { .own = TIMEOUT, .letters = "v", .operands = 1 };
static const struct wrapper taskset = { .own = PLAIN, .letters = "ac", .operands = 1 };
static const struct wrapper srun = { .own = SRUN, .letters = "luvQOXKZEsHVkI" };
static const struct wrapper mpirun = { .own = MPIRUN, .letters = "vql", .long_dash = true };
static const struct wrapper singularity = { .own = SINGULARITY,
					    .letters = "cCeipufWsdqv",
					    .sub = SUB_CONTAINER,
					    .operands = 1,
					    .image = true };
static const struct wrapper docker = {
	.own = DOCKER, .letters = "itdP", .sub = SUB_CONTAINER, .operands = 1, .image = true
};
static const struct wrapper image_run = {
	.own = IMAGE_RUN, .letters = "rw", .sub = SUB_CONTAINER, .operands = 1, .image = true
};
static const struct wrapper ch_run = {
	.own = CH_RUN, .letters = "wc", .operands = 1, .image = true
};
static const struct wrapper env_run = { .own = ENV_RUN, .letters = "sq", .sub = SUB_RUN };
static const struct wrapper profiler = { .own = PROFILER, .letters = "vq", .sub = SUB_PROFILER };
static const struct wrapper ncu = { .own = NCU, .letters = "f", .long_dash = true };

static const struct wrapper uvx = { .own = ENV_RUN, .letters = "qv" };
static const struct wrapper ray_submit = { .own = ENV_RUN, .letters = "" };

/* "ray job submit -- python train.py"; all else that ray does is as of any program. */
static void walk_ray(struct walk *walk, const struct wrapper *wrapper)
{
	const struct lw_shell_word *job = word_at(walk, walk->at + 1);
	const struct lw_shell_word *submit = word_at(walk, walk->at + 2);

	(void)wrapper;
	if (job && submit && is(job, "job") && is(submit, "submit")) {
		walk->at += 2;
		walk_wrapper(walk, &ray_submit);
	} else {
		lw_tag_walk_program(walk);
	}
}

static void walk_julia(struct walk *walk, const struct wrapper *wrapper)
{
	(void)wrapper;
	lw_tag_walk_julia(walk);
}

static void walk_r(struct walk *walk, const struct wrapper *wrapper)
{
	(void)wrapper;
	lw_tag_walk_r(walk);
}

static const struct verb verbs[] = {
	{ "!", walk_keyword, NULL },
	{ "#SBATCH", walk_sbatch_line, NULL },
	{ ".", walk_source, NULL },
	{ "R", walk_r, NULL },
	{ "Rscript", walk_r, NULL },
	{ "alias", walk_nothing, NULL },
	{ "apptainer", walk_wrapper, &singularity },
	{ "aprun", walk_wrapper, &srun },
	{ "bash", walk_shell, NULL },
	{ "builtin", walk_keyword, NULL },
	{ "case", walk_nothing, NULL },
	{ "ch-run", walk_wrapper, &ch_run },
	{ "command", walk_command, NULL },
	{ "conda", walk_conda, &env_run },
	{ "csh", walk_shell, NULL },
	{ "dash", walk_shell, NULL },
	{ "declare", walk_export, NULL },
	{ "do", walk_keyword, NULL },
	{ "docker", walk_wrapper, &docker },
	{ "elif", walk_keyword, NULL },
	{ "else", walk_keyword, NULL },
	{ "enroot", walk_wrapper, &image_run },
	{ "env", walk_wrapper, &plain },
	{ "eval", walk_keyword, NULL },
	{ "exec", walk_wrapper, &plain },
	{ "export", walk_export, NULL },
	{ "for", walk_nothing, NULL },
	{ "ibrun", walk_wrapper, &srun },
	{ "if", walk_keyword, NULL },
	{ "ionice", walk_wrapper, &plain },
	{ "jsrun", walk_wrapper, &srun },
	{ "julia", walk_julia, NULL },
	{ "ksh", walk_shell, NULL },
	{ "mamba", walk_conda, &env_run },
	{ "micromamba", walk_conda, &env_run },
	{ "ml", walk_load, NULL },
	{ "module", walk_load, NULL },
	{ "mpiexec", walk_wrapper, &mpirun },
	{ "mpiexec.hydra", walk_wrapper, &mpirun },
	{ "mpirun", walk_wrapper, &mpirun },
	{ "ncu", walk_wrapper, &ncu },
	{ "nice", walk_wrapper, &plain },
	{ "nohup", walk_keyword, NULL },
	{ "nsys", walk_wrapper, &profiler },
	{ "numactl", walk_wrapper, &plain },
	{ "orterun", walk_wrapper, &mpirun },
	{ "parallel", walk_wrapper, &plain },
	{ "pdm", walk_wrapper, &env_run },
	{ "perf", walk_wrapper, &profiler },
	{ "pipenv", walk_wrapper, &env_run },
	{ "pixi", walk_wrapper, &env_run },
	{ "podman", walk_wrapper, &docker },
	{ "poetry", walk_wrapper, &env_run },
	{ "prun", walk_wrapper, &mpirun },
	{ "ray", walk_ray, NULL },
	{ "read", walk_read, NULL },
	{ "sarus", walk_wrapper, &image_run },
	{ "setenv", walk_export, NULL },
	{ "setsid", walk_wrapper, &plain },
	{ "sh", walk_shell, NULL },
	{ "shifter", walk_wrapper, &srun },
	{ "singularity", walk_wrapper, &singularity },
	{ "source", walk_source, NULL },
	{ "spack", walk_load, NULL },
	{ "srun", walk_wrapper, &srun },
	{ "stdbuf", walk_wrapper, &plain },
	{ "taskset", walk_wrapper, &taskset },
	{ "tcsh", walk_shell, NULL },
	{ "then", walk_keyword, NULL },
	{ "time", walk_wrapper, &plain },
	{ "timeout", walk_wrapper, &timeout },
	{ "udocker", walk_wrapper, &docker },
	{ "until", walk_keyword, NULL },
	{ "uv", walk_wrapper, &env_run },
	{ "uvx", walk_wrapper, &uvx },
	{ "while", walk_keyword, NULL },
	{ "xargs", walk_wrapper, &plain },
	{ "xvfb-run", walk_wrapper, &plain },
	{ "zsh", walk_shell, NULL },
	{ "{", walk_keyword, NULL },
};

LW_TAG_HOT void lw_tag_verbs_prefetch(void)
{
	lw_tag_prefetch(verbs, sizeof(verbs));
}

int lw_tag_verbs_add(struct lw_tag_index *index)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		rc = lw_tag_index_add(index, LW_TAG_SPACE_VERBS, verbs[i].name,
				      strlen(verbs[i].name), (uint16_t)i);
	for (size_t i = 0; !rc && i < sizeof(flags) / sizeof(flags[0]); i++)
		rc = lw_tag_index_add(index, LW_TAG_SPACE_FLAGS, flags[i].name,
				      strlen(flags[i].name), (uint16_t)i);
	return rc;
}

LW_TAG_HOT static const struct verb *find_verb(const struct lw_tag_rules *rules,
					       const struct lw_shell_word *base)
{
	uint16_t id = lw_tag_index_exact(lw_tag_rules_index(rules), LW_TAG_SPACE_VERBS, base->text,
					 base->len);

	return id == LW_TAG_INDEX_NONE ? NULL : &verbs[id];
}

LW_TAG_HOT enum lw_shell_wish lw_tag_verb_wish(const struct lw_tag_rules *rules,
					       const struct lw_shell_word *base)
{
	const struct verb *verb = find_verb(rules, base);

	if (!verb)
		return LW_SHELL_SKIP;
	return verb->walk == walk_keyword ? LW_SHELL_DROP : LW_SHELL_READ;
}

LW_TAG_LONG static bool runs_program(const struct verb *verb)
{
	return verb->wrapper || verb->walk == walk_shell || verb->walk == walk_keyword ||
	       verb->walk == walk_julia || verb->walk == walk_r || verb->walk == walk_ray;
}

LW_TAG_LONG enum lw_shell_wish lw_tag_verb_runs(const struct lw_tag_rules *rules,
				    const struct lw_shell_word *base)
{
	const struct verb *verb = find_verb(rules, base);

	if (!verb || !runs_program(verb))
		return LW_SHELL_SKIP;
	return verb->walk == walk_keyword ? LW_SHELL_DROP : LW_SHELL_READ;
}

LW_TAG_HOT bool lw_tag_walk_verb(struct walk *walk)
{
	struct lw_shell_word base = base_of(current(walk));
	const struct verb *verb = find_verb(walk->judge->rules, &base);

	if (!verb)
		return false;
	verb->walk(walk, verb->wrapper);
	return true;
}
