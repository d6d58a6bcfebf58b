/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where readings of GPUs come from: one table of functions a source. */
#include "record/sampler.h"

#include <errno.h>
#include <string.h>

int lw_sampler_choose(const char *spec, const struct lw_sampler_ops **ret_ops,
		      const char **ret_arg, struct lw_error *err)
{
	if (!strncmp(spec, "fake:", 5)) {
		if (spec[5] != '/')
			return lw_error_set(err, -EINVAL,
					    "source=%s: fake: needs an absolute path",
					    spec);
		*ret_ops = &lw_sampler_fake;
		*ret_arg = spec + 5;
		return 0;
	}
	if (!strcmp(spec, "nvml") || !strcmp(spec, "auto")) {
		*ret_ops = &lw_sampler_nvml;
		*ret_arg = "";
		return 0;
	}
	return lw_error_set(err, -EINVAL, "source=%s: use fake:/path, nvml or auto",
			    spec);
}
