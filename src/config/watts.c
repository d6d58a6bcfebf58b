/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: watts of GPUs by type, as energy.gpu_types has them. */
#include "config/watts.h"

#include "base/number.h"
#include "config/config.h"
#include "config/typeword.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

static bool watts_read_word(struct lw_typeword *word, struct lw_gpu_watts *watts)
{
	char *busy = word->type ? strchr(word->rest, '-') : NULL;
	uint64_t idle_w, busy_w;

	if (!busy)
		return false;
	*busy++ = '\0';
	if (!lw_number_read(word->rest, LW_WATTS_MAX_W, &idle_w) ||
	    !lw_number_read(busy, LW_WATTS_MAX_W, &busy_w) || busy_w < idle_w || !busy_w)
		return false;
	strcpy(watts->type, word->type);
	watts->idle_w = (double)idle_w;
	watts->busy_w = (double)busy_w;
	return true;
}

bool lw_gpu_watts_next(const char **words, struct lw_gpu_watts *ret_watts, struct lw_error *err)
{
	struct lw_typeword word;

	err->text[0] = '\0';
	if (!lw_typeword_next(words, &word))
		return false;
	if (watts_read_word(&word, ret_watts))
		return true;
	lw_error_set(err, -EINVAL,
		     "\"%.*s\" is not TYPE:IDLE-BUSY, in whole watts up to %d, such as "
		     "a100:50-400",
		     word.shown, word.at, LW_WATTS_MAX_W);
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

int lw_gpu_watts_check(const struct lw_config *config, const char **ret_key, struct lw_error *err)
{
	const char *words = config->energy_gpu_types;
	struct lw_gpu_watts watts;

	*ret_key = "energy.gpu_types";
	while (lw_gpu_watts_next(&words, &watts, err))
		continue;
	if (err->text[0])
		return -EINVAL;
	*ret_key = "energy.gpu_idle_w";
	if (config->energy_gpu_idle_w <= config->energy_gpu_busy_w)
		return 0;
	return lw_error_set(err, -EINVAL,
			    "%g W is above energy.gpu_busy_w, %g W; an idle GPU draws no more",
			    config->energy_gpu_idle_w, config->energy_gpu_busy_w);
}
