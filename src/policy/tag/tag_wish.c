/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which commands of a job script are worth reading, by their first words. */
#include "policy/tag/tag_walk.h"

#include <string.h>

/*
 * What most commands of job scripts begin with: keywords, what every shell and every system
 * has, and what centres tell their users. What the rules want of them is asked once, so that
 * a script made of them is read without a look at the rules.
 */
static const char *const common[] = {
	"!", "#SBATCH", ".", ":", "[", "[[", "alias", "awk", "basename", "bash", "bc", "break",
	"bzip2", "case", "cat", "cd", "chmod", "chown", "command", "conda", "continue", "cp",
	"curl", "cut", "date", "declare", "df", "diff", "dirname", "do", "done", "du", "echo",
	"elif", "else", "env", "esac", "eval", "exec", "exit", "export", "expr", "false", "fi",
	"find", "for", "free", "ftp", "function", "gawk", "gcc", "git", "grep", "gunzip", "gzip",
	"head", "hostname", "id", "if", "kill", "let", "ln", "local", "logger", "ls", "lscpu",
	"lsof", "make", "md5sum", "mkdir", "mktemp", "ml", "module", "mpiexec", "mpirun", "mv",
	"nice", "nohup", "numactl", "nvidia-smi", "perl", "pidof", "pigz", "ping", "pip", "pip3",
	"popd", "printenv", "printf", "ps", "pushd", "pwd", "python", "python3", "read",
	"readlink", "readonly", "realpath", "return", "rm", "rmdir", "rsync", "sacct", "sbatch",
	"sbcast", "scancel", "scontrol", "scp", "sed", "seq", "set", "setenv", "shift", "shopt",
	"sleep", "sort", "source", "split", "squeue", "srun", "sstat", "ssh", "stat", "sync",
	"tail", "tar", "tee", "test", "then", "time", "timeout", "top", "touch", "tr", "trap",
	"true", "typeset", "ulimit", "umask", "uname", "unalias", "uniq", "unset", "until",
	"unzip", "uptime", "wait", "wc", "wget", "which", "while", "whoami", "xargs", "zcat",
	"zip", "{", "}",
};

LW_TAG_HOT bool lw_tag_is_python(const struct lw_shell_word *base)
{
	uint32_t skip = 0;

	if (base->len >= 7 && !memcmp(base->text, "ipython", 7))
		skip = 7;
	else if (base->len >= 6 && !memcmp(base->text, "python", 6))
		skip = 6;
	for (uint32_t i = skip; i < base->len; i++)
		if (!(base->text[i] >= '0' && base->text[i] <= '9') && base->text[i] != '.')
			return false;
	return skip > 0;
}

/* Whether BASE, which is no verb, may be the name of a program that says something. */
LW_TAG_HOT static bool is_program(const struct lw_tag_rules *rules,
				  const struct lw_shell_word *base)
{
	return lw_tag_is_python(base) || ends_in(base, ".py") || ends_in(base, ".sh") ||
	       lw_tag_index_may_begin(lw_tag_rules_index(rules), LW_TAG_PROGRAM, base->text,
				      base->len);
}

LW_TAG_HOT enum lw_shell_wish lw_tag_wish(const struct lw_tag_rules *rules,
					  const struct lw_shell_word *word)
{
	struct lw_shell_word base = base_of(word);
	enum lw_shell_wish wish;

	if (!word->len)
		return LW_SHELL_SKIP;
	wish = lw_tag_verb_wish(rules, &base);
	if (wish != LW_SHELL_SKIP)
		return wish;
	return assigned(word) || *word->text == '$' || is_program(rules, &base) ? LW_SHELL_READ
										: LW_SHELL_SKIP;
}

LW_TAG_LONG enum lw_shell_wish lw_tag_wish_program(const struct lw_tag_rules *rules,
				       const struct lw_shell_word *word)
{
	struct lw_shell_word base = base_of(word);

	if (lw_tag_verb_wish(rules, &base) != LW_SHELL_SKIP)
		return lw_tag_verb_runs(rules, &base);
	return !assigned(word) && is_program(rules, &base) ? LW_SHELL_READ : LW_SHELL_SKIP;
}

void lw_tag_wish_common(const struct lw_tag_rules *rules, struct lw_shell_known *ret_known)
{
	memset(ret_known, 0, sizeof(*ret_known));
	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++) {
		struct lw_shell_word word = { .text = common[i],
					      .len = (uint32_t)strlen(common[i]) };

		lw_shell_know(ret_known, &word, lw_tag_wish(rules, &word));
	}
}
