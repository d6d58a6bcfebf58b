/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway size: how many GPUs to ask for. */
#include "cli/size/size.h"

#include <errno.h>
#include <stddef.h>

#include "cli/common/output.h"
#include "cli/common/tools.h"

static const char usage[] =
	"usage: leeway size [NAME] [--user U] [--since TIME] [--json[=FILE]]\n"
	"Say how many GPUs to ask for. For each job name that ran at several sizes: how\n"
	"fast your jobs were at each, by their progress or their run times, how well that\n"
	"uses the GPUs, how long they waited, and which size still makes good use. Jobs\n"
	"without GPUs go by nodes. With NAME, only jobs of that name.\n\n";

static int size_run(const struct lw_runs_request *request, struct lw_error *err)
{
	struct lw_size_kinds kinds = { .count = 0 };
	int rc = lw_output_check(request->json, err);

	if (!rc)
		rc = lw_size_read(&kinds, request, err);
	if (!rc && request->json)
		rc = lw_size_json(request->json, &kinds, err);
	else if (!rc && lw_size_print(&kinds))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	lw_size_kinds_fini(&kinds);
	return rc;
}

int lw_tools_size(int argc, char **argv)
{
	return lw_runs_command("size", usage, size_run, argc, argv);
}
