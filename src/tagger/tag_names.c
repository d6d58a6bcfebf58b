/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the names of a job's partition, features, QOS and account tell; see tag_judge.h. */
/*
 * Where a partition brings its GPUs, few ask for them. Names are made of parts: "gpu" is one of
 * "seas_gpu,gpu-test" and of "gpu2", and none of "gpuless".
 */
#include "tagger/tag_judge.h"

#include <string.h>

/* No list of names that people write is longer. */
#define NAMES_MAX 256

#define LETTERS	   "abcdefghijklmnopqrstuvwxyz"
#define DIGITS	   "0123456789"
#define SEPARATORS ",|&[]()"

static void judge_part(struct lw_tag_judge *judge, const char *text, size_t len)
{
	if (len)
		lw_tag_judge_text(judge, LW_TAG_PARTITION, text, len);
}

/* A name of LEN bytes: its parts, of parts with digits the letters, and the whole. */
static void judge_name(struct lw_tag_judge *judge, const char *name, size_t len)
{
	for (size_t at = 0, part; at < len; at += part + 1) {
		size_t letters = strspn(name + at, LETTERS);

		part = strspn(name + at, LETTERS DIGITS);
		if (letters < part)
			for (size_t i = at, n; i < at + part; i += n + 1) {
				n = strspn(name + i, LETTERS);
				judge_part(judge, name + i, n);
			}
		judge_part(judge, name + at, part);
	}
	judge_part(judge, name, len);
}

/* Whether a part of LIST says that there are no GPUs, or not in all. */
static bool has_denial(const char *list)
{
	static const char words[] = " cpu cpus cpuq no non nogpu nongpu ";

	for (size_t len; *list; list += len + (list[len] != '\0')) {
		len = strspn(list, LETTERS);
		for (const char *at = words; len && at[1]; at = strchr(at + 1, ' '))
			if (!strncmp(at + 1, list, len) && at[len + 1] == ' ')
				return true;
	}
	return false;
}

/*
 * Judge LIST, which may be NULL; whether it denies itself. Names of something with GPUs and of
 * another that has none but CPUs tell nothing together.
 */
static bool judge_list(struct lw_tag_judge *judge, const char *list)
{
	size_t size = list ? strnlen(list, NAMES_MAX) : 0;
	char text[NAMES_MAX + 1];

	for (size_t i = 0; i < size; i++)
		text[i] = (char)(list[i] >= 'A' && list[i] <= 'Z' ? list[i] | 0x20 : list[i]);
	text[size] = '\0';
	for (size_t at = 0, len; at < size; at += len + 1) {
		len = strcspn(text + at, SEPARATORS);
		judge_name(judge, text + at, len);
	}
	return has_denial(text);
}

/* A partition denies what all four tell, the others what they tell themselves. */
void lw_tag_judge_names(struct lw_tag_judge *judge, const struct lw_tag_request *job)
{
	const char *const lists[] = { job->features, job->qos, job->account };
	const struct lw_tag_fired before = judge->fired;
	bool denied = judge_list(judge, job->partition);

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const struct lw_tag_fired own = judge->fired;

		if (judge_list(judge, lists[i]))
			judge->fired = own;
	}
	if (denied)
		judge->fired = before;
	judge->named = fired_since(judge, &before);
}
