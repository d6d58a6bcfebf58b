/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the names of a job's partition, features, QOS and account tell; see tag_judge.h. */
/*
 * Where a partition brings its GPUs, few ask for them. Names are made of parts: "gpu" is one of
 * "seas_gpu,gpu-test" and of "gpu2", and none of "gpuless".
 */
#include "policy/tag/tag_judge.h"

/* No list of names that people write is longer. */
#define NAMES_MAX 256

static inline bool is_letter(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *letters_end(const char *p, const char *end)
{
	while (p < end && is_letter(*p))
		p++;
	return p;
}

static inline bool ends_name(char c)
{
	return c == ',' || c == '|' || c == '&' || c == '[' || c == ']' || c == '(' || c == ')';
}

/* The letters in FROM .. END, which has digits, too: "gpu" of "gpu2". */
static void judge_letters(struct lw_tag_judge *judge, const char *from, const char *end)
{
	for (const char *p = from, *next; p < end; p = next + 1) {
		next = letters_end(p, end);
		if (next > p)
			lw_tag_judge_text(judge, LW_TAG_PARTITION, p, (size_t)(next - p));
	}
}

/* A part from P on of a name that ends at END; returns its end. */
static const char *judge_part(struct lw_tag_judge *judge, const char *p,
					 const char *end)
{
	const char *from = p;

	p = letters_end(p, end);
	if (p < end && is_digit(*p)) {
		while (p < end && (is_letter(*p) || is_digit(*p)))
			p++;
		judge_letters(judge, from, p);
	}
	if (p > from)
		lw_tag_judge_text(judge, LW_TAG_PARTITION, from, (size_t)(p - from));
	return p;
}

/* One name: its parts and, when it has several, the whole. */
static void judge_name(struct lw_tag_judge *judge, const char *name, const char *end)
{
	const char *p = judge_part(judge, name, end);

	if (p == end)
		return;
	while (p < end)
		p = judge_part(judge, p + 1, end);
	lw_tag_judge_text(judge, LW_TAG_PARTITION, name, (size_t)(end - name));
}

/* Whether the letters in FROM .. END say that there are no GPUs, or not in all. */
static bool is_denial(const char *from, const char *end)
{
	static const char words[][8] = { "cpu", "cpus", "cpuq", "no", "non", "nogpu", "nongpu" };
	size_t len = (size_t)(end - from);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t same = 0;

		while (same < len && (from[same] | 0x20) == words[i][same])
			same++;
		if (same == len && !words[i][len])
			return true;
	}
	return false;
}

static bool has_denial(const char *list, const char *end)
{
	for (const char *p = list, *next; p < end; p = next + 1) {
		next = letters_end(p, end);
		if (next > p && is_denial(p, next))
			return true;
	}
	return false;
}

static const char *list_end(const char *list)
{
	const char *end = list;

	while (*end && end - list < NAMES_MAX)
		end++;
	return end;
}

static void judge_list(struct lw_tag_judge *judge, const char *list)
{
	const char *end = list_end(list);

	for (const char *p = list, *next; p < end; p = next + 1) {
		for (next = p; next < end && !ends_name(*next);)
			next++;
		if (next > p)
			judge_name(judge, p, next);
	}
}

/* Names of something with GPUs and of another that has none but CPUs tell nothing together. */
static void take_back_denied(struct lw_tag_judge *judge, const char *list,
					const struct lw_tag_fired *before)
{
	if (list && fired_since(judge, before) && has_denial(list, list_end(list)))
		judge->fired = *before;
}

/* A partition denies what all four tell, the others what they tell themselves. */
void lw_tag_judge_names(struct lw_tag_judge *judge, const struct lw_tag_request *job)
{
	const char *const lists[] = { job->features, job->qos, job->account };
	const struct lw_tag_fired before = judge->fired;

	if (job->partition)
		judge_list(judge, job->partition);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const struct lw_tag_fired own = judge->fired;

		if (lists[i])
			judge_list(judge, lists[i]);
		take_back_denied(judge, lists[i], &own);
	}
	take_back_denied(judge, job->partition, &before);
	judge->named = fired_since(judge, &before);
}
