/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: watts of GPUs by type, as energy.gpu_types has them: "a100:50-400 k80:25-150". */
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
 * Read the next word of *WORDS, NULL for none, and move behind it. False: there is none, or, with
 * ERR, it is no "TYPE:IDLE-BUSY".
 */
bool lw_gpu_watts_next(const char **words, struct lw_gpu_watts *ret_watts, struct lw_error *err);
/* The first of WORDS that is of TYPE; what is behind a bad word is not read. */
bool lw_gpu_watts_find(const char *words, const char *type, struct lw_gpu_watts *ret_watts);

struct lw_config;
/*
 * Do the watts of CONFIG go together: each word of energy.gpu_types can be read, and no idle GPU
 * draws more than a busy one? 0, or -EINVAL with ERR; *RET_KEY is then the setting, as it is
 * called, and if two do not go together the one that is the larger.
 */
int lw_gpu_watts_check(const struct lw_config *config, const char **ret_key, struct lw_error *err);

#endif
