/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway chain: where the script stands in what is written behind sbatch. */
#include "cli/chain/chain.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

/*
 * The options of sbatch, 22.05 to 26.05 (its man page). A site's own, of SPANK, are in no table:
 * such a one has its value behind a "=", or none.
 */
enum kind {
	UNKNOWN,
	FLAG,  /* no value, or one behind a "=" only */
	VALUE, /* which may be the next word */
	WRAP,  /* such a one, in place of a script */
	NEVER, /* makes no chain */
};

static const char flags[] =
	" contiguous exclusive get-user-env hold ignore-pbs nice no-kill no-requeue oom-kill-step"
	" overcommit oversubscribe parsable propagate reboot requeue resv-ports share spread-job"
	" stepmgr use-min-nodes verbose ";
static const char values[] =
	" account acctg-freq array batch bb bbf begin chdir cluster cluster-constraint "
	"clusters comment constraint container container-id context "
	"core-spec cores-per-socket cpu-freq cpus-per-gpu cpus-per-task deadline "
	"delay-boot dependency distribution error exclude export export-file extra "
	"extra-node-info gid gpu-bind gpu-freq gpus gpus-per-node gpus-per-socket "
	"gpus-per-task gres gres-flags hint input job-name kill-on-invalid-dep licenses "
	"mail-type mail-user mcs-label mem mem-bind mem-per-cpu mem-per-gpu mincpus "
	"network nodefile nodelist nodes ntasks ntasks-per-core ntasks-per-gpu "
	"ntasks-per-node ntasks-per-socket ntasks-per-tres open-mode output partition "
	"prefer priority profile qos reservation segment signal sockets-per-node "
	"switches tasks-per-node thread-spec threads-per-core time time-min tmp "
	"tres-bind tres-per-task uid wait-all-nodes wckey ";
static const char wraps[] = " wrap ";
static const char nevers[] = " help usage version test-only wait quiet ";

static const char flag_letters[] = "HkOsv";
static const char value_letters[] = "aAbBcCdDeFGiJLmMnNopqStwx";
static const char never_letters[] = "hVWQ";

static const struct {
	const char *names;
	enum kind kind;
} kinds[] = { { flags, FLAG }, { values, VALUE }, { wraps, WRAP }, { nevers, NEVER } };

/* Does a name in NAMES begin with the LEN letters of NAME? 2: one is just that. */
static int list_has(const char *names, const char *name, size_t len)
{
	int found = 0;

	for (const char *at = names; (at = strchr(at, ' ')) && at[1]; at++) {
		if (strncmp(at + 1, name, len) != 0)
			continue;
		if (at[1 + len] == ' ')
			return 2;
		found = 1;
	}
	return found;
}

/* What the name of LEN letters is, or what it may be short for. */
static enum kind kind_of_name(const char *name, size_t len)
{
	enum kind kind = UNKNOWN;

	for (size_t i = 0; len && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		int found = list_has(kinds[i].names, name, len);

		if (found == 2)
			return kinds[i].kind;
		if (found && kind == UNKNOWN)
			kind = kinds[i].kind;
	}
	return kind;
}

/* -Hvn4: flags, and then at most one that takes a value; *RET_REST is what stands behind that. */
static enum kind kind_of_letters(const char *letters, const char **ret_rest)
{
	while (*letters && strchr(flag_letters, *letters)) {
		/* -k alone of them may have a value, which is the rest */
		if (*letters == 'k')
			return FLAG;
		letters++;
	}
	*ret_rest = *letters ? letters + 1 : letters;
	if (!*letters)
		return FLAG;
	return strchr(never_letters, *letters)   ? NEVER
	       : strchr(value_letters, *letters) ? VALUE
						 : UNKNOWN;
}

/* What WORD, which begins with a dash, is; *RET_APART: its value is the next word. */
static enum kind kind_of_word(const char *word, bool *ret_apart)
{
	const char *rest = "";
	enum kind kind;

	if (word[1] == '-') {
		kind = kind_of_name(word + 2, strcspn(word + 2, "="));
		*ret_apart = !strchr(word, '=') && (kind == VALUE || kind == WRAP);
		return kind;
	}
	kind = kind_of_letters(word + 1, &rest);
	*ret_apart = kind == VALUE && !*rest;
	return kind;
}

bool lw_chain_takes_next(const char *word)
{
	bool apart = false;

	if (word[0] == '-' && word[1] && strcmp(word, "--") != 0)
		kind_of_word(word, &apart);
	return apart;
}

/* An option at AT of LINE, of which the place of one more is not known yet. Its words, or 0. */
static int pass_option(const struct lw_chain_line *line, int at, bool *wrapped,
		       struct lw_error *err)
{
	const char *word = line->words[at];
	bool apart = false;
	enum kind kind = kind_of_word(word, &apart);
	bool last = at + 1 == line->count;

	*wrapped |= kind == WRAP;
	if (kind == NEVER)
		lw_error_set(err, -EINVAL, "%s of sbatch makes no chain%s", word,
			     strstr(word, "test") ? ": see --dry-run" : "");
	else if (apart && last)
		lw_error_set(err, -EINVAL, "%s: its value is missing", word);
	else if (kind == UNKNOWN && !strchr(word, '=') && !last &&
		 line->words[at + 1][0] != '-' && strcmp(line->words[at + 1], ":") != 0)
		lw_error_set(
			err, -EINVAL,
			"%s: is \"%s\" its value, or the script? Write %s=%s, or \"--\" before "
			"the script",
			word, line->words[at + 1], word, line->words[at + 1]);
	else
		return apart ? 2 : 1;
	return 0;
}

int lw_chain_read_line(char **words, int count, struct lw_chain_line *ret_line,
		       struct lw_error *err)
{
	struct lw_chain_line line = { .words = words, .count = count, .options = -1 };
	bool wrapped = false;
	int i = 0;

	while (i < count && words[i][0] == '-' && strcmp(words[i], "--") != 0) {
		int length = pass_option(&line, i, &wrapped, err);

		if (!length)
			return -EINVAL;
		i += length;
		if (i < count && strcmp(words[i], ":") == 0) {
			line.options = line.options < 0 ? i : line.options;
			i++;
		}
	}
	line.options = line.options < 0 ? i : line.options;
	if (i < count && strcmp(words[i], "--") == 0)
		i++;
	if (i >= count && !wrapped)
		return lw_error_set(err, -EINVAL, "which script?");
	if (i < count && wrapped)
		return lw_error_set(err, -EINVAL, "\"%s\": a script, and --wrap", words[i]);
	*ret_line = line;
	return 0;
}
