/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: shell keywords, launchers, containers and environments around a program. */
#include "tagger/tag_judge.h"

#include <stdlib.h>
#include <string.h>

/* A program that runs the command behind its own options. Lists have blanks around each word. */
struct wrapper {
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

struct verb {
	const char *name;
	void (*walk)(struct walk *walk);
	const struct wrapper *wrapper;
};

/* Whether the LEN bytes at NAME are a word of LIST, which may be NULL. */
static bool is_listed(const char *name, size_t len, const char *list)
{
	if (!len || memchr(name, ' ', len))
		return false;
	for (const char *p = list; p && (p = strchr(p, ' ')); p++)
		if (!strncmp(p + 1, name, len) && p[len + 1] == ' ')
			return true;
	return false;
}

static void walk_keyword(struct walk *walk)
{
	walk->at++;
	walk->done = false;
}

/* "command -v X" only asks whether there is an X. */
static void walk_command(struct walk *walk)
{
	const struct lw_shell_word *next = word_at(walk, ++walk->at);

	walk->done = next && is_option(next);
}

static void walk_nothing(struct walk *walk)
{
	(void)walk;
}

static void walk_export(struct walk *walk)
{
	for (uint32_t i = walk->at + 1; i < walk->command->words; i++) {
		const struct lw_shell_word *word = word_at(walk, i);
		uint32_t len = assigned(word);

		if (len)
			lw_tag_judge_assignment(walk->judge, word, len);
		else
			judge_word(walk, LW_TAG_VARIABLE, word);
	}
}

static void walk_load(struct walk *walk)
{
	for (uint32_t i = walk->at + 1; i < walk->command->words; i++)
		judge_word(walk, LW_TAG_LOADED, word_at(walk, i));
}

static void judge_environment(struct walk *walk, const struct lw_shell_word *word)
{
	struct lw_shell_word path = *word, base;

	if (ends_in(&path, "/bin/activate"))
		path.len -= (uint32_t)strlen("/bin/activate");
	base = base_of(&path);
	judge_word(walk, LW_TAG_ENVIRONMENT, &base);
}

static void walk_source(struct walk *walk)
{
	const struct lw_shell_word *what = word_at(walk, walk->at + 1);
	const struct lw_shell_word *name = word_at(walk, walk->at + 2);
	struct lw_shell_word base;

	if (!what)
		return;
	base = base_of(what);
	if (name && is(&base, "activate"))
		judge_environment(walk, name);
	else if (ends_in(what, "/bin/activate"))
		judge_environment(walk, what);
}

/* read -r -d '' NAME <<EOF: a command to be, as launch scripts of containers keep them */
static void walk_read(struct walk *walk)
{
	const struct lw_shell_command *command = walk->command;
	const struct lw_shell_word *name = word_at(walk, command->words - 1);

	if (command->heredoc && command->words > walk->at + 1)
		lw_tag_keep_variable(walk->judge, name, command->heredoc, command->heredoc_len);
}

/* Commands, or a variable that holds them. */
static void walk_code(struct walk *walk, const struct lw_shell_word *word)
{
	const struct lw_tag_variable *held = lw_tag_stands_for(walk->judge, word);

	lw_tag_judge_nested(walk->judge, held ? held->value : word->text,
			    held ? held->value_len : word->len);
}

static void walk_shell(struct walk *walk)
{
	const struct lw_shell_command *command = walk->command;
	const struct lw_shell_word *word = NULL;
	bool code = false;

	while ((word = word_at(walk, ++walk->at)) && is_option(word))
		code |= word->text[1] != '-' && memchr(word->text, 'c', word->len);
	if (word && code) {
		walk_code(walk, word);
	} else if (word) {
		lw_tag_judge_operand(walk->judge, LW_TAG_ENTRY, word);
		lw_tag_walk_arguments(walk, walk->at + 1);
		lw_tag_walk_behind(walk, walk->at + 1);
	} else if (command->heredoc) {
		lw_tag_judge_nested(walk->judge, command->heredoc, command->heredoc_len);
	}
}

/* ---- wrappers ---- */

static void walk_image(struct walk *walk, const struct lw_shell_word *word)
{
	const struct lw_tag_variable *held = lw_tag_stands_for(walk->judge, word);

	lw_tag_judge_image(walk->judge, held ? held->value : word->text,
			   held ? held->value_len : word->len);
}

/* Judge the image in WORD, --container-image=IMAGE, if it is that. */
static void judge_image_option(struct walk *walk, const struct lw_shell_word *word)
{
	static const char option[] = "--container-image=";
	const uint32_t len = sizeof(option) - 1;

	if (begins_with(word, option))
		lw_tag_judge_image(walk->judge, word->text + len, word->len - len);
}

static void walk_sbatch_line(struct walk *walk)
{
	const struct lw_shell_word *word;

	for (uint32_t i = walk->at + 1; (word = word_at(walk, i)); i++) {
		judge_image_option(walk, word);
		if (is(word, "--container-image") && word_at(walk, i + 1))
			lw_tag_judge_image(walk->judge, word[1].text, word[1].len);
	}
}

/* SRUN_ARGS="--exclusive --container-image=pytorch.sqsh" */
static void judge_held_options(struct walk *walk, const struct lw_tag_variable *held)
{
	const char *p = held->value, *end = p + held->value_len;

	while (p < end) {
		struct lw_shell_word piece = lw_tag_next_piece(&p, end);

		judge_image_option(walk, &piece);
	}
}

/*
 * When the current word is a variable that holds options, step over it. One of which nothing is
 * known is taken for options when others follow, as a shell drops it when it is empty.
 */
static bool walk_held_options(struct walk *walk)
{
	const struct lw_shell_word *word = current(walk), *next = word_at(walk, walk->at + 1);
	const struct lw_tag_variable *held = lw_tag_stands_for(walk->judge, word);

	if (held && held->value_len && *held->value == '-')
		judge_held_options(walk, held);
	else if (held || !lw_tag_is_variable(word) || !next || !is_option(next) ||
		 has_text(word->text, word->len, "PY"))
		return false;
	walk->at++;
	return true;
}

static void judge_option(struct walk *walk, const char *name, size_t len,
			 const struct lw_shell_word *value)
{
	if (!value)
		return;
	if (is_listed(name, len, " container-image image "))
		walk_image(walk, value);
	else if (is_listed(name, len, " prefix name n p "))
		judge_environment(walk, value);
}

/* Step over one option with its values. */
static void walk_option(struct walk *walk, const struct wrapper *wrapper)
{
	const struct lw_shell_word *word = current(walk);
	uint32_t dashes = word->text[1] == '-' ? 2 : 1, len = word->len - dashes;
	const char *name = word->text + dashes, *equals = memchr(name, '=', len);
	struct lw_shell_word value;

	walk->at++;
	if (equals) {
		value.text = equals + 1;
		value.len = (uint32_t)(name + len - value.text);
		judge_option(walk, name, (size_t)(equals - name), &value);
		return;
	}
	if (dashes == 1 && len == 1 && *name && strchr(wrapper->letters, *name))
		return;
	/* its value is attached, or it is several */
	if (dashes == 1 && len > 1 && !wrapper->long_dash)
		return;
	if ((dashes == 2 || len > 1) && is_listed(name, len, wrapper->flags))
		return;
	judge_option(walk, name, len, current(walk));
	walk->at += is_listed(name, len, wrapper->pairs) ? 2 : 1;
}

static void walk_options(struct walk *walk, const struct wrapper *wrapper)
{
	const struct lw_shell_word *word;

	while ((word = current(walk))) {
		if (is(word, "--")) {
			walk->at++;
			return;
		}
		if (is_option(word))
			walk_option(walk, wrapper);
		else if (!walk_held_options(walk))
			return;
	}
}

static void walk_wrapper(struct walk *walk)
{
	const struct wrapper *wrapper = walk->wrapper;
	const struct lw_shell_command *command = walk->command;
	const struct lw_shell_word *word;

	walk->at++;
	if (wrapper->sub) {
		walk_options(walk, wrapper);
		word = current(walk);
		if (!word || !is_listed(word->text, word->len, wrapper->sub))
			return;
		walk->at++;
	}
	walk->done = false;
	walk_options(walk, wrapper);
	for (uint32_t i = 0; i < wrapper->operands; i++) {
		word = current(walk);
		if (word && wrapper->image && i + 1 == wrapper->operands)
			walk_image(walk, word);
		walk->at++;
	}
	if (wrapper->image && !current(walk) && command->heredoc)
		lw_tag_judge_nested(walk->judge, command->heredoc, command->heredoc_len);
}

static void walk_conda(struct walk *walk)
{
	const struct lw_shell_word *sub = word_at(walk, walk->at + 1);
	const struct lw_shell_word *name = word_at(walk, walk->at + 2);

	if (sub && is(sub, "run")) {
		walk_wrapper(walk);
		return;
	}
	if (sub && name && is(sub, "activate"))
		judge_environment(walk, name);
}

/* "ray job submit -- python train.py"; all else that ray does is as of any program. */
static void walk_ray(struct walk *walk)
{
	const struct lw_shell_word *job = word_at(walk, walk->at + 1);
	const struct lw_shell_word *submit = word_at(walk, walk->at + 2);

	if (job && submit && is(job, "job") && is(submit, "submit")) {
		walk->at += 2;
		walk_wrapper(walk);
	} else {
		lw_tag_walk_program(walk);
	}
}

/* "coverage run -m lab.train", "kernprof -l train.py": as Python runs it */
static void walk_python_tool(struct walk *walk)
{
	const struct lw_shell_word *word;
	uint32_t i = walk->at + 1;

	while ((word = word_at(walk, i)) && !is(word, "-m") && !is(word, "--") &&
	       !ends_in(word, ".py"))
		i++;
	if (word && !is(word, "--")) {
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

static const struct wrapper plain = { .letters = "ivkpfFaL",
				      .flags = " foreground preserve-status " };
static const struct wrapper timeout = { .letters = "v",
					.flags = " foreground preserve-status ",
					.operands = 1 };
static const struct wrapper taskset = { .letters = "ac",
					.flags = " foreground preserve-status ",
					.operands = 1 };
static const struct wrapper srun = {
	.letters = "luvQOXKZEsHVkI",
	.flags = " label unbuffered verbose quiet pty exclusive overlap exact overcommit "
		 "oversubscribe no-kill kill-on-bad-exit contiguous disable-status spread-job "
		 "use-min-nodes multi-prog preserve-env container-mount-home "
		 "no-container-mount-home container-writable container-readonly "
		 "container-remap-root no-container-remap-root container-entrypoint "
		 "no-container-entrypoint ",
};
static const struct wrapper mpirun = {
	.letters = "vql",
	.flags = " verbose oversubscribe allow-run-as-root report-bindings tag-output display-map "
		 "display-allocation nolocal use-hwthread-cpus bind-to-core bynode bycore byslot "
		 "nooversubscribe prepend-rank print-all-exitcodes ",
	.pairs = " mca omca gmca pmixmca prtemca genv env ",
	.long_dash = true,
};
static const struct wrapper singularity = {
	.letters = "cCeipufWsdqv",
	.flags = " verbose quiet nv rocm nvccli contain containall cleanenv no-home writable "
		 "writable-tmpfs fakeroot ipc pid userns compat no-init no-privs silent debug ",
	.sub = CONTAINER,
	.operands = 1,
	.image = true,
};
static const struct wrapper docker = {
	.letters = "itdP",
	.flags = " rm interactive tty detach privileged init read-only ",
	.sub = CONTAINER,
	.operands = 1,
	.image = true,
};
static const struct wrapper image_run = {
	.letters = "rw", .flags = " rw root ", .sub = CONTAINER, .operands = 1, .image = true
};
static const struct wrapper ch_run = {
	.letters = "wc", .flags = " write ", .operands = 1, .image = true
};
static const struct wrapper env_run = { .letters = "sq", .flags = RUN_FLAGS, .sub = " run " };
static const struct wrapper profiler = { .letters = "vq",
					 .sub = " run profile record stat launch " };
static const struct wrapper ncu = { .letters = "f",
				    .flags = " nvtx force-overwrite ",
				    .long_dash = true };
static const struct wrapper uvx = { .letters = "qv", .flags = RUN_FLAGS };
static const struct wrapper ray_submit = { .letters = "", .flags = RUN_FLAGS };

/* By name, in the order of strcmp(). */
static const struct verb verbs[] = {
	{ "!", walk_keyword, NULL }, { "#SBATCH", walk_sbatch_line, NULL },
	{ ".", walk_source, NULL }, { "R", lw_tag_walk_r, NULL },
	{ "Rscript", lw_tag_walk_r, NULL }, { "alias", walk_nothing, NULL },
	{ "apptainer", walk_wrapper, &singularity }, { "aprun", walk_wrapper, &srun },
	{ "bash", walk_shell, NULL }, { "builtin", walk_keyword, NULL },
	{ "case", walk_nothing, NULL }, { "ch-run", walk_wrapper, &ch_run },
	{ "command", walk_command, NULL }, { "conda", walk_conda, &env_run },
	{ "coverage", walk_python_tool, NULL }, { "csh", walk_shell, NULL },
	{ "dash", walk_shell, NULL }, { "declare", walk_export, NULL },
	{ "do", walk_keyword, NULL }, { "docker", walk_wrapper, &docker },
	{ "elif", walk_keyword, NULL }, { "else", walk_keyword, NULL },
	{ "enroot", walk_wrapper, &image_run }, { "env", walk_wrapper, &plain },
	{ "eval", walk_keyword, NULL }, { "exec", walk_wrapper, &plain },
	{ "export", walk_export, NULL }, { "fil-profile", walk_python_tool, NULL },
	{ "for", walk_nothing, NULL }, { "ibrun", walk_wrapper, &srun },
	{ "if", walk_keyword, NULL }, { "ionice", walk_wrapper, &plain },
	{ "jsrun", walk_wrapper, &srun }, { "julia", lw_tag_walk_julia, NULL },
	{ "kernprof", walk_python_tool, NULL }, { "ksh", walk_shell, NULL },
	{ "mamba", walk_conda, &env_run }, { "memray", walk_python_tool, NULL },
	{ "micromamba", walk_conda, &env_run }, { "ml", walk_load, NULL },
	{ "module", walk_load, NULL }, { "mpiexec", walk_wrapper, &mpirun },
	{ "mpiexec.hydra", walk_wrapper, &mpirun }, { "mpirun", walk_wrapper, &mpirun },
	{ "mprof", walk_python_tool, NULL }, { "ncu", walk_wrapper, &ncu },
	{ "nice", walk_wrapper, &plain }, { "nohup", walk_keyword, NULL },
	{ "nsys", walk_wrapper, &profiler }, { "numactl", walk_wrapper, &plain },
	{ "orterun", walk_wrapper, &mpirun }, { "parallel", walk_wrapper, &plain },
	{ "pdm", walk_wrapper, &env_run }, { "perf", walk_wrapper, &profiler },
	{ "pipenv", walk_wrapper, &env_run }, { "pixi", walk_wrapper, &env_run },
	{ "podman", walk_wrapper, &docker }, { "poetry", walk_wrapper, &env_run },
	{ "prun", walk_wrapper, &mpirun }, { "pyinstrument", walk_python_tool, NULL },
	{ "ray", walk_ray, &ray_submit }, { "read", walk_read, NULL },
	{ "sarus", walk_wrapper, &image_run }, { "scalene", walk_python_tool, NULL },
	{ "setenv", walk_export, NULL }, { "setsid", walk_wrapper, &plain },
	{ "sh", walk_shell, NULL }, { "shifter", walk_wrapper, &srun },
	{ "singularity", walk_wrapper, &singularity }, { "source", walk_source, NULL },
	{ "spack", walk_load, NULL }, { "srun", walk_wrapper, &srun },
	{ "stdbuf", walk_wrapper, &plain }, { "taskset", walk_wrapper, &taskset },
	{ "tcsh", walk_shell, NULL }, { "then", walk_keyword, NULL },
	{ "time", walk_wrapper, &plain }, { "timeout", walk_wrapper, &timeout },
	{ "udocker", walk_wrapper, &docker }, { "until", walk_keyword, NULL },
	{ "uv", walk_wrapper, &env_run }, { "uvx", walk_wrapper, &uvx },
	{ "viztracer", walk_python_tool, NULL }, { "while", walk_keyword, NULL },
	{ "xargs", walk_wrapper, &plain }, { "xvfb-run", walk_wrapper, &plain },
	{ "zsh", walk_shell, NULL }, { "{", walk_keyword, NULL },
};

int lw_tag_by_name(const void *word, const void *entry)
{
	const struct lw_shell_word *base = word;
	const char *name = *(const char *const *)entry;
	size_t len = strlen(name);
	int order = memcmp(base->text, name, len < base->len ? len : base->len);

	return order ? order : (base->len > len) - (base->len < len);
}

static const struct verb *find_verb(const struct lw_shell_word *base)
{
	return base->len ? bsearch(base, verbs, sizeof(verbs) / sizeof(verbs[0]),
				   sizeof(verbs[0]), lw_tag_by_name)
			 : NULL;
}

bool lw_tag_verb_is_keyword(const struct lw_shell_word *base)
{
	const struct verb *verb = find_verb(base);

	return verb && verb->walk == walk_keyword;
}

bool lw_tag_verb_runs(const struct lw_shell_word *base)
{
	const struct verb *verb = find_verb(base);

	return verb && (verb->wrapper || verb->walk == walk_shell ||
			verb->walk == walk_python_tool || verb->walk == lw_tag_walk_julia ||
			verb->walk == lw_tag_walk_r);
}

bool lw_tag_verb_starts(const struct lw_shell_word *base)
{
	const struct verb *verb = find_verb(base);

	return verb && (verb->wrapper == &srun || verb->wrapper == &mpirun ||
			verb->wrapper == &singularity || verb->wrapper == &docker ||
			verb->walk == walk_shell);
}

bool lw_tag_walk_verb(struct walk *walk)
{
	struct lw_shell_word base = base_of(current(walk));
	const struct verb *verb = find_verb(&base);

	if (!verb)
		return false;
	walk->wrapper = verb->wrapper;
	walk->done = true;
	verb->walk(walk);
	return true;
}
