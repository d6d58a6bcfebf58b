/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the names of a job's partition, features, QOS and account tell; see tag_judge.h.
 */
/*
 * Where a partition brings its GPUs, few ask for them. Names are made of parts: "gpu" is one of
 * "seas_gpu,gpu-test" and of "gpu2", and none of "gpuless".
 */
#include "tagger/tag_judge.h"

/* No list of names that people write is longer. */
#define NAMES_MAX 256

#define LETTERS    "abcdefghijklmnopqrstuvwxyz"
#define DIGITS     "0123456789"
#define SEPARATORS ",|&[]()"

/* A name of LEN bytes: its parts, of parts with digits the letters, and the whole. */
static void tag_judge_name(struct lw_tag_judge *judge, const char *name, size_t len)
{
	const char *const sets[] = { LETTERS, LETTERS DIGITS };

	for (size_t i = 0; i < 2; i++)
		for (size_t at = 0, part; at < len; at += part + 1) {
			part = strspn(name + at, sets[i]);
			lw_tag_rules_match(judge->rules, LW_TAG_PARTITION, name + at, part,
					   &judge->fired);
		}
	lw_tag_rules_match(judge->rules, LW_TAG_PARTITION, name, len, &judge->fired);
}

/* Whether a part of LIST says that there are no GPUs, or not in all. */
static bool tag_has_denial(const char *list)
{
	static const char *const words[] = {
		"cpu", "cpus", "cpuq", "no", "non", "nogpu", "nongpu"
	};

	for (size_t len; *list; list += len + (list[len] != '\0')) {
		const struct lw_shell_word part = { list, len = strspn(list, LETTERS), 0, NULL };

		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (tag_is(&part, words[i]))
				return true;
	}
	return false;
}

/*
 * Judge LIST, which may be NULL; whether it denies itself. Names of something with GPUs and of
 * another that has none but CPUs tell nothing together.
 */
static bool tag_judge_list(struct lw_tag_judge *judge, const char *list)
{
	size_t size = list ? strnlen(list, NAMES_MAX) : 0;
	char text[NAMES_MAX + 1];

	for (size_t i = 0; i < size; i++)
		text[i] = (char)(list[i] >= 'A' && list[i] <= 'Z' ? list[i] | 0x20 : list[i]);
	text[size] = '\0';
	for (size_t at = 0, len; at < size; at += len + 1) {
		len = strcspn(text + at, SEPARATORS);
		tag_judge_name(judge, text + at, len);
	}
	return tag_has_denial(text);
}

/* A partition denies what all four tell, the others what they tell themselves. */
void lw_tag_judge_names(struct lw_tag_judge *judge, const struct lw_tag_request *job)
{
	const char *const lists[] = { job->features, job->qos, job->account };
	const struct lw_tag_fired before = judge->fired;
	bool denied = tag_judge_list(judge, job->partition);

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const struct lw_tag_fired own = judge->fired;

		if (tag_judge_list(judge, lists[i]))
			judge->fired = own;
	}
	if (denied)
		judge->fired = before;
	judge->named = judge->fired.count != before.count;
}
