/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: shell keywords, launchers, containers and environments around a program. */
#include "policy/tag_walk.h"

#include <stdlib.h>
#include <string.h>

/* sh -c inside sh -c */
#define DEPTH_MAX 3

/* A program that runs the command behind its own options. */
struct wrapper {
	const char *flags; /* options without a value, " a b " */
	const char *pairs; /* options with two values, " mca " */
	const char *sub;   /* sub-commands that do so; NULL: no sub-command */
	uint8_t operands;  /* words of its own before the command */
	bool image;        /* the last of them is a container image */
	bool long_dash;    /* -hostfile is one option, not h, o, s ... */
};

struct verb {
	const char *name;
	void (*walk)(struct walk *walk, const struct wrapper *wrapper);
	const struct wrapper *wrapper;
};

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

static void walk_export(struct walk *walk, const struct wrapper *wrapper)
{
	(void)wrapper;
	for (uint32_t i = walk->at + 1; i < walk->command->words; i++) {
		const struct lw_shell_word *word = word_at(walk, i);
		uint32_t len = assigned(word);

		lw_tag_judge_text(walk->judge, LW_TAG_VARIABLE, word->text,
				  len ? len : word->len);
	}
	walk->done = true;
}

static void walk_load(struct walk *walk, const struct wrapper *wrapper)
{
	(void)wrapper;
	for (uint32_t i = walk->at + 1; i < walk->command->words; i++)
		judge_word(walk, LW_TAG_LOADED, word_at(walk, i));
	walk->done = true;
}

static void judge_environment(struct walk *walk, const struct lw_shell_word *word)
{
	struct lw_shell_word path = *word, base;

	if (ends_in(&path, "/bin/activate"))
		path.len -= (uint32_t)strlen("/bin/activate");
	base = base_of(&path);
	judge_word(walk, LW_TAG_ENVIRONMENT, &base);
}

static void walk_source(struct walk *walk, const struct wrapper *wrapper)
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

static void scan_nested(struct walk *walk, const char *text, size_t len)
{
	if (walk->judge->depth >= DEPTH_MAX)
		return;
	walk->judge->depth++;
	lw_shell_scan(text, len, lw_tag_judge_command, walk->judge);
	walk->judge->depth--;
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
		scan_nested(walk, word->text, word->len);
	} else if (word) {
		lw_tag_walk_entry(walk, word);
		lw_tag_walk_arguments(walk, walk->at + 1);
	} else if (command->heredoc) {
		scan_nested(walk, command->heredoc, command->heredoc_len);
	}
}

/* ---- wrappers ---- */

static void judge_option(struct walk *walk, const char *name, uint32_t len,
			 const struct lw_shell_word *value)
{
	struct lw_shell_word option = { name, len };

	if (!value)
		return;
	if (is(&option, "container-image") || is(&option, "image"))
		lw_tag_judge_image(walk->judge, value->text, value->len);
	else if (is(&option, "prefix") || is(&option, "name") || is(&option, "n") ||
		 is(&option, "p"))
		judge_environment(walk, value);
}

/* Step over one option with its values. */
static void walk_option(struct walk *walk, const struct wrapper *wrapper)
{
	const struct lw_shell_word *word = current(walk);
	uint32_t dashes = word->len > 1 && word->text[1] == '-' ? 2 : 1;
	const char *name = word->text + dashes;
	uint32_t len = word->len - dashes;
	const char *equals = memchr(name, '=', len);
	struct lw_shell_word value;

	walk->at++;
	if (equals) {
		value.text = equals + 1;
		value.len = (uint32_t)(name + len - value.text);
		judge_option(walk, name, (uint32_t)(equals - name), &value);
	} else if (in_list(wrapper->flags, name, len) ||
		   (dashes == 1 && len > 1 && !wrapper->long_dash)) {
		return; /* no value, or one that is attached */
	} else {
		judge_option(walk, name, len, current(walk));
		walk->at += in_list(wrapper->pairs, name, len) ? 2 : 1;
	}
}

static void walk_options(struct walk *walk, const struct wrapper *wrapper)
{
	const struct lw_shell_word *word;

	while ((word = current(walk)) && is_option(word)) {
		if (is(word, "--")) {
			walk->at++;
			return;
		}
		walk_option(walk, wrapper);
	}
}

static void walk_wrapper(struct walk *walk, const struct wrapper *wrapper)
{
	const struct lw_shell_word *word;

	walk->at++;
	if (wrapper->sub) {
		walk_options(walk, wrapper);
		word = current(walk);
		if (!word || !in_list(wrapper->sub, word->text, word->len)) {
			walk->done = true;
			return;
		}
		walk->at++;
	}
	walk_options(walk, wrapper);
	for (uint32_t i = 0; i < wrapper->operands; i++) {
		word = current(walk);
		if (word && wrapper->image && i + 1 == wrapper->operands)
			lw_tag_judge_image(walk->judge, word->text, word->len);
		walk->at++;
	}
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

static const struct wrapper plain = {
	.flags = " i v k p f F a L foreground preserve-status "
};
static const struct wrapper timeout = { .flags = " v foreground preserve-status ",
					.operands = 1 };
static const struct wrapper taskset = { .flags = " a c ", .operands = 1 };
static const struct wrapper srun = {
	.flags =
		" l u v Q O X K Z E s H V k I label unbuffered verbose quiet pty exclusive "
		"overlap exact overcommit oversubscribe no-kill kill-on-bad-exit contiguous "
		"disable-status spread-job use-min-nodes multi-prog preserve-env "
		"container-mount-home no-container-mount-home container-writable "
		"container-readonly container-remap-root no-container-remap-root "
		"container-entrypoint no-container-entrypoint ",
};
static const struct wrapper mpirun = {
	.flags =
		" oversubscribe allow-run-as-root report-bindings tag-output verbose v q "
		"display-map display-allocation nolocal use-hwthread-cpus bind-to-core "
		"bynode bycore byslot nooversubscribe prepend-rank l print-all-exitcodes ",
	.pairs = " mca omca gmca pmixmca prtemca genv env ",
	.long_dash = true,
};
static const struct wrapper singularity = {
	.flags =
		" nv rocm nvccli c C e i p u f W contain containall cleanenv no-home writable "
		"writable-tmpfs fakeroot ipc pid userns compat no-init no-privs s d q v "
		"silent debug quiet verbose ",
	.sub = " exec run shell ",
	.operands = 1,
	.image = true,
};
static const struct wrapper docker = {
	.flags = " rm i t d it interactive tty detach privileged init read-only P ",
	.sub = " run exec ",
	.operands = 1,
	.image = true,
};
static const struct wrapper image_run = {
	.flags = " rw root r w root ", .sub = " start run ", .operands = 1, .image = true
};
static const struct wrapper ch_run = { .flags = " w c write ",
				       .operands = 1,
				       .image = true };
static const struct wrapper env_run = {
	.flags =
		" no-capture-output live-stream s q verbose frozen locked isolated no-sync "
		"active offline no-project ",
	.sub = " run ",
};
static const struct wrapper profiler = {
	.flags = " v q ",
	.sub = " profile record stat run launch ",
};
static const struct wrapper ncu = { .flags = " f nvtx force-overwrite ",
				    .long_dash = true };

/* Sorted by name, for bsearch. */
static const struct verb verbs[] = {
	{ "!", walk_keyword, NULL },
	{ "#SBATCH", walk_sbatch_line, NULL },
	{ ".", walk_source, NULL },
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
	{ "while", walk_keyword, NULL },
	{ "xargs", walk_wrapper, &plain },
	{ "xvfb-run", walk_wrapper, &plain },
	{ "zsh", walk_shell, NULL },
	{ "{", walk_keyword, NULL },
};

static int compare_verb(const void *key, const void *item)
{
	const struct lw_shell_word *word = key;
	const struct verb *verb = item;
	int order = strncmp(word->text, verb->name, word->len);

	return order ? order : (verb->name[word->len] ? -1 : 0);
}

static const struct verb *find_verb(const struct lw_shell_word *word)
{
	struct lw_shell_word base = base_of(word);

	if (!base.len)
		return NULL;
	return bsearch(&base, verbs, sizeof(verbs) / sizeof(verbs[0]), sizeof(verbs[0]),
		       compare_verb);
}

bool lw_tag_walk_verb(struct walk *walk)
{
	const struct verb *verb = find_verb(current(walk));

	if (!verb)
		return false;
	verb->walk(walk, verb->wrapper);
	return true;
}
