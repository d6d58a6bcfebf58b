/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which commands of a job script are worth reading, by their first words. */
#include "tagger/tag_judge.h"

#include <stdlib.h>
#include <string.h>

/* Programs that every system has: a file or folder called "train" is nothing behind these. */
bool lw_tag_is_common(const struct lw_shell_word *word)
{
	/* in the order of strcmp() */
	static const char *const names[] = {
		":", "[", "[[", "awk", "basename", "bc", "break", "bzip2", "cat", "cd", "chmod",
		"chown", "continue", "cp", "curl", "cut", "date", "df", "diff", "dirname",
		"done", "du", "echo", "esac", "exit", "expr", "false", "fi", "find", "free",
		"ftp", "function", "gawk", "gcc", "git", "grep", "gunzip", "gzip", "head",
		"hostname", "id", "kill", "let", "ln", "local", "logger", "ls", "lscpu", "lsof",
		"md5sum", "mkdir", "mktemp", "mv", "nvidia-smi", "perl", "pidof", "pigz", "ping",
		"pip", "pip3", "popd", "printenv", "printf", "ps", "pushd", "pwd", "readlink",
		"readonly", "realpath", "return", "rm", "rmdir", "rsync", "sacct", "sbatch",
		"sbcast", "scancel", "scontrol", "scp", "sed", "seq", "set", "shift", "shopt",
		"sleep", "sort", "split", "squeue", "ssh", "sstat", "stat", "sync", "tail",
		"tar", "tee", "test", "top", "touch", "tr", "trap", "true", "typeset", "ulimit",
		"umask", "unalias", "uname", "uniq", "unset", "unzip", "uptime", "wait", "wc",
		"wget", "which", "whoami", "zcat", "zip", "}",
	};

	return bsearch(word, names, sizeof(names) / sizeof(names[0]), sizeof(names[0]),
		       lw_tag_by_name);
}

bool lw_tag_wants_line(void *arg, const char *line, size_t len)
{
	const struct lw_tag_judge *judge = arg;
	const char *end = line + len;
	struct lw_shell_word word, base;

	do {
		word = lw_tag_next_piece(&line, end);
	} while (lw_tag_verb_is_keyword(&word));
	base = base_of(&word);
	if (!word.len || assigned(&word))
		return false;
	return lw_tag_verb_runs(&base) || is_python(&base) || ends_in(&base, ".py") ||
	       ends_in(&base, ".sh") || lw_tag_rules_may_begin(judge->rules, base.text, base.len);
}
