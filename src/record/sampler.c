/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where readings of GPUs come from: one table of functions a source. */
#include "record/sampler.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define HAS_AMDGPU "/sys/module/amdgpu"
#define HAS_NVIDIA "/proc/driver/nvidia"

static const struct {
	const char *name;
	const struct lw_sampler_ops *ops;
	bool needs_arg;
} sources[] = {
	{ "fake", &lw_sampler_fake, true },
	{ "nvml", &lw_sampler_nvml, false },
	{ "amd", &lw_sampler_amd, false },
};

static const struct lw_sampler_ops *choose_auto(void)
{
	return !access(HAS_AMDGPU, F_OK) && access(HAS_NVIDIA, F_OK) ? &lw_sampler_amd
								     : &lw_sampler_nvml;
}

int lw_sampler_choose(const char *spec, const struct lw_sampler_ops **ret_ops,
		      const char **ret_arg, struct lw_error *err)
{
	size_t len = strcspn(spec, ":");
	const char *arg = spec[len] ? spec + len + 1 : "";

	if (!strcmp(spec, "auto")) {
		*ret_ops = choose_auto();
		*ret_arg = "";
		return 0;
	}
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		if (strlen(sources[i].name) != len || strncmp(spec, sources[i].name, len))
			continue;
		if (*arg != '/' && (spec[len] || sources[i].needs_arg))
			return lw_error_set(err, -EINVAL, "source=%s: %s: needs an absolute path",
					    spec, sources[i].name);
		*ret_ops = sources[i].ops;
		*ret_arg = arg;
		return 0;
	}
	return lw_error_set(err, -EINVAL, "source=%s: use fake:/path, nvml, amd or auto", spec);
}
