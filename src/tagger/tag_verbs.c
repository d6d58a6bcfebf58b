/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: shell keywords, launchers, containers and environments around a program. */
#include "tagger/tag_judge.h"

#include <stdlib.h>
#include <string.h>

/* A program that runs the command behind its own options. Lists have blanks around each word. */
struct tag_wrapper {
	const char *letters; /* options of one letter without a value */
	/*
	 * Long ones, without their dashes. A long option that is not here takes the next word as
	 * its value, so one that is missing hides the program behind it.
	 */
	const char *flags;
	const char *pairs;   /* those with two values */
	const char *sub;     /* sub-commands that do so, or NULL */
	uint8_t operands;    /* words of its own before the command */
	bool image;          /* the last of them is a container image */
	bool long_dash;      /* -hostfile is one option, not h, o, s ... */
};

struct tag_verb {
	const char *name;
	void (*walk)(struct tag_walk *walk);
	const struct tag_wrapper *wrapper;
};

/* Whether the LEN bytes at NAME are a word of LIST, which may be NULL. */
static bool tag_is_listed(const char *name, size_t len, const char *list)
{
	if (!len || memchr(name, ' ', len))
		return false;
	for (const char *p = list; p && (p = strchr(p, ' ')); p++)
		if (!strncmp(p + 1, name, len) && p[len + 1] == ' ')
			return true;
	return false;
}

static void tag_walk_keyword(struct tag_walk *walk)
{
	walk->at++;
	walk->done = false;
}

/* "command -v X" only asks whether there is an X. */
static void tag_walk_command(struct tag_walk *walk)
{
	const struct lw_shell_word *next = tag_word_at(walk, ++walk->at);

	walk->done = next && tag_is_option(next);
}

static void tag_walk_nothing(struct tag_walk *walk)
{
	(void)walk;
}

static void tag_walk_export(struct tag_walk *walk)
{
	for (uint32_t i = walk->at + 1; i < walk->command->words; i++) {
		struct lw_shell_word word = *tag_word_at(walk, i);
		uint32_t len = tag_assigned(&word);

		if (len)
			lw_tag_set_variable(walk->judge, &word, len);
		word.len = len ? len : word.len;
		tag_judge_word(walk->judge, LW_TAG_VARIABLE, &word);
	}
}

static void tag_walk_load(struct tag_walk *walk)
{
	for (uint32_t i = walk->at + 1; i < walk->command->words; i++)
		tag_judge_word(walk->judge, LW_TAG_LOADED, tag_word_at(walk, i));
}

static void tag_judge_environment(struct tag_walk *walk, const struct lw_shell_word *word)
{
	struct lw_shell_word path = *word, base;

	if (tag_ends_in(&path, "/bin/activate"))
		path.len -= (uint32_t)strlen("/bin/activate");
	base = tag_base(&path);
	tag_judge_word(walk->judge, LW_TAG_ENVIRONMENT, &base);
}

static void tag_walk_source(struct tag_walk *walk)
{
	const struct lw_shell_word *what = tag_word_at(walk, walk->at + 1);
	const struct lw_shell_word *name = tag_word_at(walk, walk->at + 2);
	struct lw_shell_word base;

	if (!what)
		return;
	base = tag_base(what);
	if (name && tag_is(&base, "activate"))
		tag_judge_environment(walk, name);
	else if (tag_ends_in(what, "/bin/activate"))
		tag_judge_environment(walk, what);
}

/* read -r -d '' NAME <<EOF: a command to be, as launch scripts of containers keep them */
static void tag_walk_read(struct tag_walk *walk)
{
	const struct lw_shell_command *command = walk->command;

	if (command->heredoc && command->words > walk->at + 1)
		lw_tag_keep_variable(walk->judge, command->word[command->words - 1],
				     tag_word(command->heredoc,
					      command->heredoc + command->heredoc_len));
}

/* What WORD holds, if it is a variable that is known, or WORD. */
static const struct lw_shell_word *tag_held(struct tag_walk *walk,
					    const struct lw_shell_word *word)
{
	const struct lw_tag_variable *held = lw_tag_stands_for(walk->judge, word);

	return held ? &held->value : word;
}

static void tag_walk_shell(struct tag_walk *walk)
{
	const struct lw_shell_command *command = walk->command;
	const struct lw_shell_word *word = NULL;
	bool code = false;

	while ((word = tag_word_at(walk, ++walk->at)) && tag_is_option(word))
		code |= word->text[1] != '-' && memchr(word->text, 'c', word->len);
	if (word && code) {
		word = tag_held(walk, word);
		lw_tag_judge_nested(walk->judge, word->text, word->len);
	} else if (word) {
		lw_tag_judge_operand(walk->judge, LW_TAG_ENTRY, word);
		lw_tag_walk_arguments(walk, walk->at + 1);
		lw_tag_walk_behind(walk, walk->at + 1);
	} else if (command->heredoc) {
		lw_tag_judge_nested(walk->judge, command->heredoc, command->heredoc_len);
	}
}

/* ---- wrappers ---- */

/* Judge the image in WORD, --container-image=IMAGE, if it is that. */
static void tag_judge_image_option(struct tag_walk *walk, const struct lw_shell_word *word)
{
	static const char option[] = "--container-image=";
	const uint32_t len = sizeof(option) - 1;
	struct lw_shell_word image;

	if (word->len <= len || memcmp(word->text, option, len))
		return;
	image = tag_word(word->text + len, word->text + word->len);
	lw_tag_judge_image(walk->judge, &image);
}

static void tag_walk_sbatch_line(struct tag_walk *walk)
{
	const struct lw_shell_word *word;

	for (uint32_t i = walk->at + 1; (word = tag_word_at(walk, i)); i++) {
		tag_judge_image_option(walk, word);
		if (tag_is(word, "--container-image") && tag_word_at(walk, i + 1))
			lw_tag_judge_image(walk->judge, word + 1);
	}
}

/*
 * When the current word is a variable that holds options, step over it. One of which nothing is
 * known is taken for options when others follow, as a shell drops it when it is empty.
 */
static bool tag_walk_held_options(struct tag_walk *walk)
{
	const struct lw_shell_word *word = tag_current(walk), *next = tag_word_at(walk, walk->at + 1);
	const struct lw_tag_variable *held = lw_tag_stands_for(walk->judge, word);
	const char *p = held ? held->value.text : NULL, *end = held ? p + held->value.len : NULL;

	if (!held && (!lw_tag_is_variable(word) || !next || !tag_is_option(next) ||
		      tag_has_text(word->text, word->len, "PY")))
		return false;
	if (held && (p == end || *p != '-'))
		return false;
	/* SRUN_ARGS="--exclusive --container-image=pytorch.sqsh" */
	while (p < end) {
		struct lw_shell_word piece = lw_tag_next_piece(&p, end);

		tag_judge_image_option(walk, &piece);
	}
	walk->at++;
	return true;
}

static void tag_judge_option(struct tag_walk *walk, const char *name, size_t len,
			 const struct lw_shell_word *value)
{
	if (!value)
		return;
	if (tag_is_listed(name, len, " container-image image "))
		lw_tag_judge_image(walk->judge, tag_held(walk, value));
	else if (tag_is_listed(name, len, " prefix name n p "))
		tag_judge_environment(walk, value);
}

/* Step over one option with its values. */
static void tag_walk_option(struct tag_walk *walk, const struct tag_wrapper *wrapper)
{
	const struct lw_shell_word *word = tag_current(walk);
	uint32_t dashes = word->text[1] == '-' ? 2 : 1, len = word->len - dashes;
	const char *name = word->text + dashes, *equals = memchr(name, '=', len);
	struct lw_shell_word value;

	walk->at++;
	if (equals) {
		value = tag_word(equals + 1, name + len);
		tag_judge_option(walk, name, (size_t)(equals - name), &value);
		return;
	}
	if (dashes == 1 && len == 1 && *name && strchr(wrapper->letters, *name))
		return;
	/* its value is attached, or it is several */
	if (dashes == 1 && len > 1 && !wrapper->long_dash)
		return;
	if ((dashes == 2 || len > 1) && tag_is_listed(name, len, wrapper->flags))
		return;
	tag_judge_option(walk, name, len, tag_current(walk));
	walk->at += tag_is_listed(name, len, wrapper->pairs) ? 2 : 1;
}

static void tag_walk_options(struct tag_walk *walk, const struct tag_wrapper *wrapper)
{
	const struct lw_shell_word *word;

	while ((word = tag_current(walk))) {
		if (tag_is(word, "--")) {
			walk->at++;
			return;
		}
		if (tag_is_option(word))
			tag_walk_option(walk, wrapper);
		else if (!tag_walk_held_options(walk))
			return;
	}
}

static void tag_walk_wrapper(struct tag_walk *walk)
{
	const struct tag_wrapper *wrapper = walk->wrapper;
	const struct lw_shell_command *command = walk->command;
	const struct lw_shell_word *word;

	walk->at++;
	if (wrapper->sub) {
		tag_walk_options(walk, wrapper);
		word = tag_current(walk);
		if (!word || !tag_is_listed(word->text, word->len, wrapper->sub))
			return;
		walk->at++;
	}
	walk->done = false;
	tag_walk_options(walk, wrapper);
	for (uint32_t i = 0; i < wrapper->operands; i++) {
		word = tag_current(walk);
		if (word && wrapper->image && i + 1 == wrapper->operands)
			lw_tag_judge_image(walk->judge, tag_held(walk, word));
		walk->at++;
	}
	if (wrapper->image && !tag_current(walk) && command->heredoc)
		lw_tag_judge_nested(walk->judge, command->heredoc, command->heredoc_len);
}

static void tag_walk_conda(struct tag_walk *walk)
{
	const struct lw_shell_word *sub = tag_word_at(walk, walk->at + 1);
	const struct lw_shell_word *name = tag_word_at(walk, walk->at + 2);

	if (sub && tag_is(sub, "run")) {
		tag_walk_wrapper(walk);
		return;
	}
	if (sub && name && tag_is(sub, "activate"))
		tag_judge_environment(walk, name);
}

/* "ray job submit -- python train.py"; all else that ray does is as of any program. */
static void tag_walk_ray(struct tag_walk *walk)
{
	const struct lw_shell_word *job = tag_word_at(walk, walk->at + 1);
	const struct lw_shell_word *submit = tag_word_at(walk, walk->at + 2);

	if (job && submit && tag_is(job, "job") && tag_is(submit, "submit")) {
		walk->at += 2;
		tag_walk_wrapper(walk);
	} else {
		lw_tag_walk_program(walk);
	}
}

/* "coverage run -m lab.train", "kernprof -l train.py": as Python runs it */
static void tag_walk_python_tool(struct tag_walk *walk)
{
	const struct lw_shell_word *word;
	uint32_t i = walk->at + 1;

	while ((word = tag_word_at(walk, i)) && !tag_is(word, "-m") && !tag_is(word, "--") &&
	       !tag_ends_in(word, ".py"))
		i++;
	if (word && !tag_is(word, "--")) {
		walk->at = i - 1;
		lw_tag_walk_python(walk);
	} else {
		lw_tag_walk_behind(walk, walk->at + 1);
	}
}

/* ---- tables ---- */

#define CONTAINER " exec run shell start "
#define RUN_FLAGS                                                                        \
	" verbose no-capture-output live-stream frozen locked isolated no-sync active "  \
	"offline no-project no-wait "

static const struct tag_wrapper plain = { .letters = "ivkpfFaL",
				      .flags = " foreground preserve-status " };
static const struct tag_wrapper timeout = { .letters = "v",
					.flags = " foreground preserve-status ",
					.operands = 1 };
static const struct tag_wrapper taskset = { .letters = "ac",
					.flags = " foreground preserve-status ",
					.operands = 1 };
static const struct tag_wrapper srun = {
	.letters = "luvQOXKZEsHVkI",
	.flags = " label unbuffered verbose quiet pty exclusive overlap exact overcommit "
		 "oversubscribe no-kill kill-on-bad-exit contiguous disable-status spread-job "
		 "use-min-nodes multi-prog preserve-env container-mount-home "
		 "no-container-mount-home container-writable container-readonly "
		 "container-remap-root no-container-remap-root container-entrypoint "
		 "no-container-entrypoint ",
};
static const struct tag_wrapper mpirun = {
	.letters = "vql",
	.flags = " verbose oversubscribe allow-run-as-root report-bindings tag-output display-map "
		 "display-allocation nolocal use-hwthread-cpus bind-to-core bynode bycore byslot "
		 "nooversubscribe prepend-rank print-all-exitcodes ",
	.pairs = " mca omca gmca pmixmca prtemca genv env ",
	.long_dash = true,
};
static const struct tag_wrapper singularity = {
	.letters = "cCeipufWsdqv",
	.flags = " verbose quiet nv rocm nvccli contain containall cleanenv no-home writable "
		 "writable-tmpfs fakeroot ipc pid userns compat no-init no-privs silent debug ",
	.sub = CONTAINER,
	.operands = 1,
	.image = true,
};
static const struct tag_wrapper docker = {
	.letters = "itdP",
	.flags = " rm interactive tty detach privileged init read-only ",
	.sub = CONTAINER,
	.operands = 1,
	.image = true,
};
static const struct tag_wrapper image_run = {
	.letters = "rw", .flags = " rw root ", .sub = CONTAINER, .operands = 1, .image = true
};
static const struct tag_wrapper ch_run = {
	.letters = "wc", .flags = " write ", .operands = 1, .image = true
};
static const struct tag_wrapper env_run = { .letters = "sq", .flags = RUN_FLAGS, .sub = " run " };
static const struct tag_wrapper profiler = { .letters = "vq",
					 .sub = " run profile record stat launch " };
static const struct tag_wrapper ncu = { .letters = "f",
				    .flags = " nvtx force-overwrite ",
				    .long_dash = true };
static const struct tag_wrapper uvx = { .letters = "qv", .flags = RUN_FLAGS };
static const struct tag_wrapper ray_submit = { .letters = "", .flags = RUN_FLAGS };

/* By name, in the order of strcmp(). */
static const struct tag_verb verbs[] = {
	{ "!", tag_walk_keyword, NULL }, { "#SBATCH", tag_walk_sbatch_line, NULL },
	{ ".", tag_walk_source, NULL }, { "R", lw_tag_walk_r, NULL },
	{ "Rscript", lw_tag_walk_r, NULL }, { "alias", tag_walk_nothing, NULL },
	{ "apptainer", tag_walk_wrapper, &singularity }, { "aprun", tag_walk_wrapper, &srun },
	{ "bash", tag_walk_shell, NULL }, { "builtin", tag_walk_keyword, NULL },
	{ "case", tag_walk_nothing, NULL }, { "ch-run", tag_walk_wrapper, &ch_run },
	{ "command", tag_walk_command, NULL }, { "conda", tag_walk_conda, &env_run },
	{ "coverage", tag_walk_python_tool, NULL }, { "csh", tag_walk_shell, NULL },
	{ "dash", tag_walk_shell, NULL }, { "declare", tag_walk_export, NULL },
	{ "do", tag_walk_keyword, NULL }, { "docker", tag_walk_wrapper, &docker },
	{ "elif", tag_walk_keyword, NULL }, { "else", tag_walk_keyword, NULL },
	{ "enroot", tag_walk_wrapper, &image_run }, { "env", tag_walk_wrapper, &plain },
	{ "eval", tag_walk_keyword, NULL }, { "exec", tag_walk_wrapper, &plain },
	{ "export", tag_walk_export, NULL }, { "fil-profile", tag_walk_python_tool, NULL },
	{ "for", tag_walk_nothing, NULL }, { "ibrun", tag_walk_wrapper, &srun },
	{ "if", tag_walk_keyword, NULL }, { "ionice", tag_walk_wrapper, &plain },
	{ "jsrun", tag_walk_wrapper, &srun }, { "julia", lw_tag_walk_julia, NULL },
	{ "kernprof", tag_walk_python_tool, NULL }, { "ksh", tag_walk_shell, NULL },
	{ "mamba", tag_walk_conda, &env_run }, { "memray", tag_walk_python_tool, NULL },
	{ "micromamba", tag_walk_conda, &env_run }, { "ml", tag_walk_load, NULL },
	{ "module", tag_walk_load, NULL }, { "mpiexec", tag_walk_wrapper, &mpirun },
	{ "mpiexec.hydra", tag_walk_wrapper, &mpirun }, { "mpirun", tag_walk_wrapper, &mpirun },
	{ "mprof", tag_walk_python_tool, NULL }, { "ncu", tag_walk_wrapper, &ncu },
	{ "nice", tag_walk_wrapper, &plain }, { "nohup", tag_walk_keyword, NULL },
	{ "nsys", tag_walk_wrapper, &profiler }, { "numactl", tag_walk_wrapper, &plain },
	{ "orterun", tag_walk_wrapper, &mpirun }, { "parallel", tag_walk_wrapper, &plain },
	{ "pdm", tag_walk_wrapper, &env_run }, { "perf", tag_walk_wrapper, &profiler },
	{ "pipenv", tag_walk_wrapper, &env_run }, { "pixi", tag_walk_wrapper, &env_run },
	{ "podman", tag_walk_wrapper, &docker }, { "poetry", tag_walk_wrapper, &env_run },
	{ "prun", tag_walk_wrapper, &mpirun }, { "pyinstrument", tag_walk_python_tool, NULL },
	{ "ray", tag_walk_ray, &ray_submit }, { "read", tag_walk_read, NULL },
	{ "sarus", tag_walk_wrapper, &image_run }, { "scalene", tag_walk_python_tool, NULL },
	{ "setenv", tag_walk_export, NULL }, { "setsid", tag_walk_wrapper, &plain },
	{ "sh", tag_walk_shell, NULL }, { "shifter", tag_walk_wrapper, &srun },
	{ "singularity", tag_walk_wrapper, &singularity }, { "source", tag_walk_source, NULL },
	{ "spack", tag_walk_load, NULL }, { "srun", tag_walk_wrapper, &srun },
	{ "stdbuf", tag_walk_wrapper, &plain }, { "taskset", tag_walk_wrapper, &taskset },
	{ "tcsh", tag_walk_shell, NULL }, { "then", tag_walk_keyword, NULL },
	{ "time", tag_walk_wrapper, &plain }, { "timeout", tag_walk_wrapper, &timeout },
	{ "udocker", tag_walk_wrapper, &docker }, { "until", tag_walk_keyword, NULL },
	{ "uv", tag_walk_wrapper, &env_run }, { "uvx", tag_walk_wrapper, &uvx },
	{ "viztracer", tag_walk_python_tool, NULL }, { "while", tag_walk_keyword, NULL },
	{ "xargs", tag_walk_wrapper, &plain }, { "xvfb-run", tag_walk_wrapper, &plain },
	{ "zsh", tag_walk_shell, NULL }, { "{", tag_walk_keyword, NULL },
};

int lw_tag_by_name(const void *word, const void *entry)
{
	const struct lw_shell_word *base = word;
	const char *name = *(const char *const *)entry;
	size_t len = strlen(name);
	int order = memcmp(base->text, name, len < base->len ? len : base->len);

	return order ? order : (base->len > len) - (base->len < len);
}

static const struct tag_verb *tag_find_verb(const struct lw_shell_word *base)
{
	return base->len ? bsearch(base, verbs, sizeof(verbs) / sizeof(verbs[0]),
				   sizeof(verbs[0]), lw_tag_by_name)
			 : NULL;
}

bool lw_tag_verb_is_keyword(const struct lw_shell_word *base)
{
	const struct tag_verb *verb = tag_find_verb(base);

	return verb && verb->walk == tag_walk_keyword;
}

bool lw_tag_verb_runs(const struct lw_shell_word *base)
{
	const struct tag_verb *verb = tag_find_verb(base);

	return verb && (verb->wrapper || verb->walk == tag_walk_shell ||
			verb->walk == tag_walk_python_tool || verb->walk == lw_tag_walk_julia ||
			verb->walk == lw_tag_walk_r);
}

bool lw_tag_verb_starts(const struct lw_shell_word *base)
{
	const struct tag_verb *verb = tag_find_verb(base);

	return verb && (verb->wrapper == &srun || verb->wrapper == &mpirun ||
			verb->wrapper == &singularity || verb->wrapper == &docker ||
			verb->walk == tag_walk_shell);
}

bool lw_tag_walk_verb(struct tag_walk *walk)
{
	struct lw_shell_word base = tag_base(tag_current(walk));
	const struct tag_verb *verb = tag_find_verb(&base);

	if (!verb)
		return false;
	walk->wrapper = verb->wrapper;
	walk->done = true;
	verb->walk(walk);
	return true;
}
