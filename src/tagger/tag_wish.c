/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which commands of a job script are worth reading, by their first words. */
#include "tagger/tag_judge.h"

#include <string.h>

/* Programs that every system has: a file or folder called "train" is nothing behind these. */
bool lw_tag_is_common(const struct lw_shell_word *word)
{
	static const char names[] =
		" : [ [[ awk basename bc break bzip2 cat cd chmod chown continue cp curl cut "
		"date df diff dirname done du echo esac exit expr false fi find free ftp function "
		"gawk gcc git grep gunzip gzip head hostname id kill let ln local logger ls lscpu "
		"lsof md5sum mkdir mktemp mv nvidia-smi perl pidof pigz ping pip pip3 popd "
		"printenv printf ps pushd pwd readlink readonly realpath return rm rmdir rsync "
		"sacct sbatch sbcast scancel scontrol scp sed seq set shift shopt sleep sort split "
		"squeue sstat ssh stat sync tail tar tee test top touch tr trap true typeset "
		"ulimit umask unalias uname uniq unset unzip uptime wait wc wget which whoami zcat "
		"zip } ";
	char spaced[16] = " ";

	if (word->len > sizeof(spaced) - 2 || memchr(word->text, ' ', word->len))
		return false;
	memcpy(spaced + 1, word->text, word->len);
	spaced[word->len + 1] = ' ';
	return memmem(names, sizeof(names) - 1, spaced, word->len + 2) != NULL;
}

/* "PROGRAM train": whatever it is that learns. END is that of the text WORD stands in. */
static bool is_told_to_train(const struct lw_shell_word *word, const char *end)
{
	static const char operand[] = " train";
	const size_t len = sizeof(operand) - 1;
	const char *behind = word->text + word->len;

	return end && end > behind && (size_t)(end - behind) > len &&
	       !memcmp(behind, operand, len) && (behind[len] == ' ' || behind[len] == '\n') &&
	       !lw_tag_is_common(word);
}

/* Whether a command that may stand behind any program follows WORD on its line. */
static bool runs_another(const struct lw_tag_judge *judge, const struct lw_shell_word *word,
			 const char *end)
{
	const char *p = word->text + word->len, *newline;
	struct lw_shell_word piece, next;

	if (!end || p >= end || *p != ' ' || lw_tag_is_common(word))
		return false;
	newline = memchr(p, '\n', (size_t)(end - p));
	end = newline ? newline : end;
	for (piece = lw_tag_next_piece(&p, end); p < end; piece = next) {
		next = lw_tag_next_piece(&p, end);
		if (piece.len && next.len && lw_tag_is_command(judge, &piece, &next))
			return true;
	}
	return false;
}

/* Whether BASE, which is no verb, may be the name of a program that says something. */
static bool is_program(const struct lw_tag_judge *judge, const struct lw_shell_word *base)
{
	return is_python(base) || ends_in(base, ".py") || ends_in(base, ".sh") ||
	       lw_tag_rules_may_begin(judge->rules, base->text, base->len);
}

/* What is neither known nor the beginning of something known is of no interest. */
enum lw_shell_wish lw_tag_wish(const struct lw_tag_judge *judge, const struct lw_shell_word *word,
			       const char *end, bool programs_only)
{
	struct lw_shell_word base = base_of(word);
	bool runs = false, sets = assigned(word) || (word->len && *word->text == '$');
	enum lw_shell_wish verb = lw_tag_verb_wish(&base, &runs);

	if (!word->len)
		return LW_SHELL_SKIP;
	if (verb != LW_SHELL_SKIP && (runs || !programs_only))
		return verb;
	if (verb == LW_SHELL_SKIP &&
	    ((sets && !programs_only) || (!assigned(word) && is_program(judge, &base))))
		return LW_SHELL_READ;
	return is_told_to_train(word, end) ||
			       (verb == LW_SHELL_SKIP && runs_another(judge, word, end))
		       ? LW_SHELL_READ
		       : LW_SHELL_SKIP;
}
