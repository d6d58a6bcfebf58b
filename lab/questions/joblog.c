/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the words for what a log holds. */
#include "lab/questions/joblog.h"

const char *lw_joblog_unit_name(enum lw_joblog_unit unit)
{
	static const char *const names[] = { "core", "GPU", "node" };

	return names[unit];
}

const char *lw_outcome_name(enum lw_outcome outcome)
{
	static const char *const names[LW_OUTCOMES] = { "completed", "failed", "cancelled",
							"timeout", "unknown" };

	return names[outcome];
}
