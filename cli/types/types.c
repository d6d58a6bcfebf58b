/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway types: which type of GPUs to ask for. */
#include "cli/types/types.h"

#include <stddef.h>

#include "cli/common/output.h"
#include "cli/common/tools.h"

static const char usage[] =
	"usage: leeway types [NAME] [--user U] [--since TIME] [--json[=FILE]]\n"
	"Say which GPU type to ask for. For each job name and number of GPUs: how long\n"
	"your jobs ran on each type and the energy they took, from accounting, how many\n"
	"GPUs of the type are free now, and how many jobs wait for it. With NAME, only\n"
	"jobs of that name.\n\n";

static int types_run(const struct lw_runs_request *request, struct lw_error *err)
{
	struct lw_types_kinds kinds = { .count = 0 };
	struct lw_types_here here = { .any = 0 };
	int rc = lw_output_check(request->json, err);

	if (!rc)
		rc = lw_types_read(&kinds, request, err);
	if (!rc)
		rc = lw_types_look(&here, err);
	if (!rc && request->json)
		rc = lw_types_json(request->json, &kinds, &here, err);
	else if (!rc)
		lw_types_print(&kinds, &here);
	lw_types_kinds_fini(&kinds);
	lw_types_here_fini(&here);
	return rc;
}

int lw_tools_types(int argc, char **argv)
{
	return lw_runs_command("types", usage, types_run, argc, argv);
}
