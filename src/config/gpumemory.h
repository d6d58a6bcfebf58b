/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: memory of GPUs by type, from select.gpu_memory: "a100:40960 k80:11441". */
#ifndef LW_CONFIG_GPUMEMORY_H
#define LW_CONFIG_GPUMEMORY_H

#include "base/error.h"
#include "config/typeword.h"

#include <stdbool.h>
#include <stdint.h>

#define LW_GPU_MEMORY_MAX_MIB  16777216

/* Of one GPU. */
struct lw_gpu_memory {
	char type[LW_TYPEWORD_NAME_MAX];
	uint32_t mib; /* above 0 */
};

/*
 * Read the next word of *WORDS, NULL for none, and move past it. False: there is none, or, with
 * ERR, it is no "TYPE:MIB".
 */
bool lw_gpu_memory_next(const char **words, struct lw_gpu_memory *ret_memory,
			struct lw_error *err);
/* The first of WORDS for TYPE, in MiB; 0: none. Words after an invalid one are not read. */
uint32_t lw_gpu_memory_mib(const char *words, const char *type);

#endif
