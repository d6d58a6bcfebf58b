/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: watts of GPUs by type, from energy.gpu_types: "a100:50-400 k80:25-150". */
#ifndef LW_CONFIG_WATTS_H
#define LW_CONFIG_WATTS_H

#include "base/error.h"
#include "config/typeword.h"

#include <stdbool.h>

#define LW_WATTS_MAX_W    10000

/* Of one GPU. */
struct lw_gpu_watts {
	char type[LW_TYPEWORD_NAME_MAX];
	double idle_w, busy_w;
};

/*
 * Read the next word of *WORDS, NULL for none, and move past it. False: there is none, or, with
 * ERR, it is no "TYPE:IDLE-BUSY".
 */
bool lw_gpu_watts_next(const char **words, struct lw_gpu_watts *ret_watts, struct lw_error *err);
/* The first of WORDS for TYPE; words after an invalid one are not read. */
bool lw_gpu_watts_find(const char *words, const char *type, struct lw_gpu_watts *ret_watts);

struct lw_config;
/*
 * Are the watts of CONFIG valid together: can each word of energy.gpu_types be read, and does no
 * idle GPU draw more than a busy one? 0, or -EINVAL with ERR; *RET_KEY is then the name of the
 * setting, of two settings the larger one.
 */
int lw_gpu_watts_check(const struct lw_config *config, const char **ret_key, struct lw_error *err);

#endif
