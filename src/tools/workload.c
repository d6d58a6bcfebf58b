/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway workload: turn a trace into a workload. */
#include "tools/tools.h"

int lw_tools_workload(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return LW_TOOLS_FAILED;
}
