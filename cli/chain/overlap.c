/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway chain submit --overlap: when the next link may begin beside the one before. */
#include "cli/chain/chain.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/number.h"

/* No limit has a longer part, nor is longer. */
#define PART_MAX    100000000
#define LIMIT_MAX_S (INT64_C(100) * 366 * 86400)

/* sbatch's forms of a limit: M, M:S, H:M:S, D-H, D-H:M, D-H:M:S. In seconds; 0: none of them. */
static int64_t overlap_limit_s(const char *text)
{
	bool has_days = strchr(text, '-') != NULL;
	uint64_t part[3] = { 0 }, days = 0;
	int n = 0;

	if (has_days && (!lw_number_take(&text, PART_MAX, &days) || *text++ != '-'))
		return 0;
	do {
		if (n == 3 || !lw_number_take(&text, PART_MAX, &part[n++]))
			return 0;
	} while (*text == ':' && text++);
	if (*text)
		return 0;
	if (has_days || n == 3)
		return (int64_t)(days * 86400 + part[0] * 3600 + part[1] * 60 + part[2]);
	return (int64_t)(part[0] * 60 + part[1]);
}

/*
 * The value of --time in LINE, the last one, as sbatch has it; NULL: there is none. *RET_LESS: with
 * --time-min Slurm may give the job less.
 */
static const char *overlap_find_limit(const struct lw_chain_line *line, bool *ret_less)
{
	const char *limit = NULL;

	*ret_less = false;
	for (int i = 0; i < line->options; i++) {
		const char *word = line->words[i];
		const char *next = i + 1 < line->options ? line->words[i + 1] : NULL;

		if (strncmp(word, "--time=", 7) == 0)
			limit = word + 7;
		else if (strcmp(word, "--time") == 0 || strcmp(word, "-t") == 0)
			limit = next;
		else if (strncmp(word, "-t", 2) == 0)
			limit = word + 2 + (word[2] == '=');
		*ret_less |= strncmp(word, "--time-", 7) == 0;
		i += lw_chain_takes_next(word);
	}
	return limit;
}

int lw_chain_overlap(const struct lw_chain_line *line, int64_t overlap_s, uint32_t *ret_after_min,
		     struct lw_error *err)
{
	bool less;
	const char *limit = overlap_find_limit(line, &less);
	int64_t limit_s = limit ? overlap_limit_s(limit) : 0;

	if (!limit)
		return lw_error_set(err, -EINVAL,
				    "--overlap counts from the end of the limit, which is not "
				    "known: add --time, as in the script");
	if (less)
		return lw_error_set(err, -EINVAL,
				    "--overlap: with --time-min a job may get less than --time: "
				    "leave it out");
	if (!limit_s || limit_s > LIMIT_MAX_S)
		return lw_error_set(err, -EINVAL,
				    "--time \"%s\": --overlap needs a limit such as 90, 2:30:00 "
				    "or 1-0",
				    limit);
	if (limit_s < 120 || overlap_s > limit_s / 2)
		return lw_error_set(err, -EINVAL,
				    "--overlap: more than half of the limit, --time \"%s\": with "
				    "three links three jobs would run at once",
				    limit);
	*ret_after_min = (uint32_t)((limit_s - overlap_s) / 60);
	return 0;
}
