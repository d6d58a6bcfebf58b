/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the sources of GPU readings: one table of functions for each. */
#include "record/sampler.h"

#include "base/strbuf.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define HAS_AMDGPU "/sys/module/amdgpu"
#define HAS_NVIDIA "/proc/driver/nvidia"

static const struct {
	const struct lw_sampler_ops *ops;
	bool needs_arg;
} sources[] = {
	{ &lw_sampler_fake, true },
	{ &lw_sampler_nvml, false },
	{ &lw_sampler_amd, false },
};

#define SOURCES (sizeof(sources) / sizeof(sources[0]))

static const struct lw_sampler_ops *sampler_choose_auto(void)
{
	return !access(HAS_AMDGPU, F_OK) && access(HAS_NVIDIA, F_OK) ? &lw_sampler_amd
								     : &lw_sampler_nvml;
}

static int sampler_no_such_source(const char *spec, struct lw_error *err)
{
	struct lw_strbuf names = LW_STRBUF_INIT;
	int rc;

	for (size_t i = 0; i < SOURCES; i++)
		lw_strbuf_add(&names, "%s%s, ", sources[i].ops->name,
			      sources[i].needs_arg ? ":/path" : "");
	rc = lw_error_set(err, -EINVAL, "source=%s: use %sor auto", spec, lw_strbuf_text(&names));
	lw_strbuf_fini(&names);
	return rc;
}

int lw_sampler_choose(const char *spec, const struct lw_sampler_ops **ret_ops,
		      const char **ret_arg, struct lw_error *err)
{
	size_t len = strcspn(spec, ":");
	const char *arg = spec[len] ? spec + len + 1 : "";

	if (!strcmp(spec, "auto")) {
		*ret_ops = sampler_choose_auto();
		*ret_arg = "";
		return 0;
	}
	for (size_t i = 0; i < SOURCES; i++) {
		const char *name = sources[i].ops->name;

		if (strlen(name) != len || strncmp(spec, name, len))
			continue;
		if (*arg != '/' && (spec[len] || sources[i].needs_arg))
			return lw_error_set(err, -EINVAL, "source=%s: %s: needs an absolute path",
					    spec, name);
		*ret_ops = sources[i].ops;
		*ret_arg = arg;
		return 0;
	}
	return sampler_no_such_source(spec, err);
}
