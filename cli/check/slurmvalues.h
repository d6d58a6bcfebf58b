/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: whether Slurm takes a value, by the type of its setting and by release. */
#ifndef LW_CLI_CHECK_SLURMVALUES_H
#define LW_CLI_CHECK_SLURMVALUES_H

#include "cli/check/slurmkeys.h"

/* What Slurm does with a value. */
enum lw_slurmvalue {
	LW_SLURMVALUE_TAKEN,
	LW_SLURMVALUE_IGNORED, /* the setting has no effect any more */
	LW_SLURMVALUE_REMOVED, /* the setting must not be given */
	LW_SLURMVALUE_WRONG,
	LW_SLURMVALUE_PLUGIN, /* names a plugin that Slurm itself does not have */
};

#define LW_SLURMVALUE_TEXT 512

struct lw_slurmvalue_fault {
	bool of_node;                      /* slurmd does not start with it, and slurmctld does */
	bool harmless;                     /* slurmctld starts, and does without the plugin */
	char item[128];                    /* the part of the value that is wrong */
	char plugin[128];                  /* the file of that plugin */
	char expected[LW_SLURMVALUE_TEXT]; /* "a number", "write Contain", "one of yes, no" */
};

/*
 * What does Slurm RELEASE (0: unknown, any) do with VALUE of a setting of TYPE? With an answer
 * of WRONG or PLUGIN, *ret_fault is filled.
 */
enum lw_slurmvalue lw_slurmvalue_check(enum lw_slurmtype type, uint32_t release,
				       const char *value, struct lw_slurmvalue_fault *ret_fault);

#endif
