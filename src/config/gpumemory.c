/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: memory of GPUs by type, as select.gpu_memory has it. */
#include "config/gpumemory.h"

#include "base/number.h"
#include "config/typeword.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

static bool gpumemory_read_word(const struct lw_typeword *word, struct lw_gpu_memory *memory)
{
	uint64_t mib;

	if (!word->type || !lw_number_read(word->rest, LW_GPU_MEMORY_MAX_MIB, &mib) || !mib)
		return false;
	strcpy(memory->type, word->type);
	memory->mib = (uint32_t)mib;
	return true;
}

bool lw_gpu_memory_next(const char **words, struct lw_gpu_memory *ret_memory,
			struct lw_error *err)
{
	struct lw_typeword word;

	err->text[0] = '\0';
	if (!lw_typeword_next(words, &word))
		return false;
	if (gpumemory_read_word(&word, ret_memory))
		return true;
	lw_error_set(err, -EINVAL, "\"%.*s\" is not TYPE:MIB, such as a100:40960, up to %d",
		     word.shown, word.at, LW_GPU_MEMORY_MAX_MIB);
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
