/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: that a job lost a node and runs again for that, as one word in its AdminComment. */
#include "base/nodeloss.h"

#include "base/number.h"
#include "base/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TIME_MAX_S INT64_C(1000000000000)

static bool nodeloss_is_name(const char *name, size_t len)
{
	return len && len < LW_NODELOSS_NODE_MAX && strcspn(name, " \t\r\n;,:") >= len;
}

void lw_nodeloss_word(const struct lw_nodeloss *loss, char word[LW_NODELOSS_WORD_MAX])
{
	int len = snprintf(word, LW_NODELOSS_WORD_MAX,
			   LW_NODELOSS_START "at:%" PRId64 ",try:%" PRIu32, loss->at_s,
			   loss->tries);

	if (nodeloss_is_name(loss->node, strlen(loss->node)))
		snprintf(word + len, LW_NODELOSS_WORD_MAX - (size_t)len, ",node:%s", loss->node);
}

/* NAME and a number above 0, at *AT; 0: they are not there. */
static uint64_t nodeloss_take(const char **at, const char *name, uint64_t most)
{
	uint64_t value;

	if (strncmp(*at, name, strlen(name)))
		return 0;
	*at += strlen(name);
	return lw_number_take(at, most, &value) ? value : 0;
}

bool lw_nodeloss_read(const char *comment, struct lw_nodeloss *ret_loss)
{
	static const char node[] = ",node:";
	struct lw_nodeloss loss = { .node = "" };
	size_t len, left;
	const char *word = lw_words_find(comment, LW_NODELOSS_START, &len), *at = word;

	if (!word)
		return false;
	loss.at_s = (int64_t)nodeloss_take(&at, LW_NODELOSS_START "at:", TIME_MAX_S);
	loss.tries = (uint32_t)nodeloss_take(&at, ",try:", UINT32_MAX);
	if (!loss.at_s || !loss.tries)
		return false;
	left = len - (size_t)(at - word);
	if (left > strlen(node) && !strncmp(at, node, strlen(node))) {
		at += strlen(node);
		left -= strlen(node);
		if (!nodeloss_is_name(at, left))
			return false;
		memcpy(loss.node, at, left);
		left = 0;
	}
	if (left)
		return false;
	*ret_loss = loss;
	return true;
}
