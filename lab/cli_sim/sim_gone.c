/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: options of the release before, refused with what stands for them. */
#include "lab/cli_sim/sim_request.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *option, *form;
} gone[] = {
#define LW_GONE(option, form) { option, form },
#include "lab/cli_sim/gone.def"
};

int lw_simrequest_check_gone(int argc, char **argv, struct lw_error *err)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *name = argv[i] + 2;
		size_t len = strncmp(argv[i], "--", 2) ? 0 : strcspn(name, "=");

		for (size_t k = 0; len && k < sizeof(gone) / sizeof(gone[0]); k++)
			if (strlen(gone[k].option) == len && !memcmp(gone[k].option, name, len))
				return lw_error_set(err, -EINVAL, "--%s is gone; use %s",
						    gone[k].option, gone[k].form);
	}
	return 0;
}
