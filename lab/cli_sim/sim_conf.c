/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: what the model of Slurm goes by in slurm.conf. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cli/common/slurmconf.h"

/* The file itself, from the root. */
static int find_conf(const char *path, char **ret_path, struct lw_error *err)
{
	char name[PATH_MAX];
	struct stat stat_of;
	bool is_dir = !stat(path, &stat_of) && S_ISDIR(stat_of.st_mode);

	if (snprintf(name, sizeof(name), "%s%s", path, is_dir ? "/slurm.conf" : "") >=
	    (int)sizeof(name))
		return lw_error_set(err, -ENAMETOOLONG, "sim.conf: the name is too long");
	*ret_path = realpath(name, NULL);
	return *ret_path ? 0 : lw_error_set(err, -errno, "cannot read %s: %m", name);
}

int lw_simconf_read(const char *path, struct lw_stock_params *params, struct lw_error *err)
{
	struct lw_slurmconf_fault fault;
	struct lw_slurmconf conf = { 0 };
	char *file;
	int rc = find_conf(path, &file, err);

	if (rc)
		return rc;
	rc = lw_slurmconf_read(&conf, LW_SLURMCONF_PAIRS, "", file, &fault);
	if (rc)
		*err = fault.err;
	for (uint32_t i = 0; !rc && i < conf.line_count; i++)
		for (uint32_t k = 0; k < conf.lines[i].pair_count; k++)
			(void)lw_stock_params_set(params, conf.lines[i].pairs[k].key,
						  conf.lines[i].pairs[k].value);
	lw_slurmconf_fini(&conf);
	free(file);
	return rc;
}
