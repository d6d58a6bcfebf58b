/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: watts of GPUs by type, as energy.gpu_types has them. */
#include "config/watts.h"

#include "base/number.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

static bool read_word(char *word, struct lw_gpu_watts *watts)
{
	char *numbers = strrchr(word, ':'), *busy;
	uint64_t idle_w, busy_w;

	if (!numbers || numbers == word)
		return false;
	*numbers++ = '\0';
	busy = strchr(numbers, '-');
	/* two types between which a comma stands, say, are none */
	if (!busy || strlen(word) >= sizeof(watts->type) || strpbrk(word, ":,"))
		return false;
	*busy++ = '\0';
	if (!lw_number_read(numbers, LW_WATTS_MAX_W, &idle_w) ||
	    !lw_number_read(busy, LW_WATTS_MAX_W, &busy_w) || busy_w < idle_w || !busy_w)
		return false;
	strcpy(watts->type, word);
	watts->idle_w = (double)idle_w;
	watts->busy_w = (double)busy_w;
	return true;
}

bool lw_gpu_watts_next(const char **words, struct lw_gpu_watts *ret_watts, struct lw_error *err)
{
	char word[LW_WATTS_NAME_MAX + 16] = "";
	const char *at = *words ? *words + strspn(*words, " ") : "";
	size_t len = strcspn(at, " ");

	err->text[0] = '\0';
	*words = at + len;
	if (!len)
		return false;
	if (len < sizeof(word))
		memcpy(word, at, len);
	if (len < sizeof(word) && read_word(word, ret_watts))
		return true;
	lw_error_set(err, -EINVAL,
		     "\"%.*s\" is not TYPE:IDLE-BUSY, in whole watts up to %d, such as "
		     "a100:50-400",
		     (int)(len < sizeof(word) ? len : sizeof(word)), at, LW_WATTS_MAX_W);
	return false;
}

bool lw_gpu_watts_find(const char *words, const char *type, struct lw_gpu_watts *ret_watts)
{
	struct lw_gpu_watts watts;
	struct lw_error err;

	while (lw_gpu_watts_next(&words, &watts, &err)) {
		if (strcasecmp(watts.type, type) != 0)
			continue;
		*ret_watts = watts;
		return true;
	}
	return false;
}
