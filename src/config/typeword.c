/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: words on types of GPUs, as settings have them. */
#include "config/typeword.h"

#include <string.h>

/* The type is before the last colon. */
static void typeword_part_at_colon(struct lw_typeword *word)
{
	char *colon = strrchr(word->text, ':');

	if (!colon || colon == word->text)
		return;
	*colon = '\0';
	/* two types between which a comma stands, say, are none */
	if (colon - word->text >= LW_TYPEWORD_NAME_MAX || strpbrk(word->text, ":,"))
		return;
	word->type = word->text;
	word->rest = colon + 1;
}

bool lw_typeword_next(const char **words, struct lw_typeword *ret_word)
{
	const char *at = *words ? *words + strspn(*words, " ") : "";
	size_t len = strcspn(at, " ");
	bool fits = len < sizeof(ret_word->text);

	*words = at + len;
	*ret_word = (struct lw_typeword){ .at = at };
	ret_word->shown = (int)(fits ? len : sizeof(ret_word->text));
	if (len && fits) {
		memcpy(ret_word->text, at, len);
		typeword_part_at_colon(ret_word);
	}
	return len > 0;
}
