/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: words of leeway.yaml that say where, and which, jobs share GPUs. */
#include "cli/check/check.h"

#include <string.h>
#include <strings.h>

#define SEPARATORS " \t,;"

/* What job_submit/leeway takes (share/request.h); all else it passes over without a word. */
struct words {
	const char *key, *id;
	const char *kinds[2]; /* which stand before a colon and a name */
	const char *alone;    /* a word of its own, or NULL */
	const char *expected;
};

static const struct words where_words = {
	"where", "share-where", { "partition", "qos" }, NULL, "partition:NAME or qos:NAME"
};
static const struct words who_words = {
	"who", "share-who", { "account", "qos" }, "comment", "comment, account:NAME or qos:NAME"
};

/* Is it "KIND:NAME"? */
static bool is_kind(const char *word, size_t len, const char *kind)
{
	size_t kind_len = strlen(kind);

	return len > kind_len + 1 && word[kind_len] == ':' && !memcmp(word, kind, kind_len);
}

static bool is_taken(const struct words *words, const char *word, size_t len)
{
	if (words->alone && len == strlen(words->alone) && !memcmp(word, words->alone, len))
		return true;
	return is_kind(word, len, words->kinds[0]) || is_kind(word, len, words->kinds[1]);
}

static void check_list(struct lw_check *check, const struct words *words, const char *list)
{
	if (list && !list[strspn(list, SEPARATORS)])
		lw_check_add(check, LW_CHECK_ERROR, words->id,
			     lw_check_at_setting(check, words->key),
			     "share.%s is \"%s\", without a word: no job shares\n%s", words->key,
			     list, words->expected);
	while (list && *list) {
		size_t len = strcspn(list, SEPARATORS);

		if (len && !is_taken(words, list, len))
			lw_check_add(
				check, LW_CHECK_ERROR, words->id,
				lw_check_at_setting(check, words->key),
				"share.%s has \"%.*s\", which is not %s: no job shares by it\n"
				"%s, each with its own word before the colon, in small letters",
				words->key, (int)len, list, words->expected, words->expected);
		list += len;
		list += strspn(list, SEPARATORS);
	}
}

void lw_check_share_words(struct lw_check *check)
{
	check_list(check, &where_words, check->config.share_where);
	check_list(check, &who_words, check->config.share_who);
}
