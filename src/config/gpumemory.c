/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: memory of GPUs by type, as select.gpu_memory has it. */
#include "config/gpumemory.h"

#include "base/number.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

static bool read_word(char *word, struct lw_gpu_memory *memory)
{
	char *number = strrchr(word, ':');
	uint64_t mib;

	if (!number || number == word)
		return false;
	*number++ = '\0';
	/* two types between which a comma stands, say, are none */
	if (strlen(word) >= sizeof(memory->type) || strpbrk(word, ":,") ||
	    !lw_number_read(number, LW_GPU_MEMORY_MAX_MIB, &mib) || !mib)
		return false;
	strcpy(memory->type, word);
	memory->mib = (uint32_t)mib;
	return true;
}

bool lw_gpu_memory_next(const char **words, struct lw_gpu_memory *ret_memory,
			struct lw_error *err)
{
	char word[LW_GPU_MEMORY_NAME_MAX + 16] = "";
	const char *at = *words ? *words + strspn(*words, " ") : "";
	size_t len = strcspn(at, " ");

	err->text[0] = '\0';
	*words = at + len;
	if (!len)
		return false;
	if (len < sizeof(word))
		memcpy(word, at, len);
	if (len < sizeof(word) && read_word(word, ret_memory))
		return true;
	lw_error_set(err, -EINVAL,
		     "\"%.*s\" is not TYPE:MIB, such as a100:40960, up to %d",
		     (int)(len < sizeof(word) ? len : sizeof(word)), at, LW_GPU_MEMORY_MAX_MIB);
	return false;
}

uint32_t lw_gpu_memory_mib(const char *words, const char *type)
{
	struct lw_gpu_memory memory;
	struct lw_error err;

	while (lw_gpu_memory_next(&words, &memory, &err))
		if (strcasecmp(memory.type, type) == 0)
			return memory.mib;
	return 0;
}
