/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which settings slurm.conf knows, by release. */
#ifndef LW_TOOLS_CHECK_SLURMKEYS_H
#define LW_TOOLS_CHECK_SLURMKEYS_H

#include <stdbool.h>
#include <stdint.h>

enum lw_slurmkey_where {
	LW_SLURMKEY_GLOBAL,
	LW_SLURMKEY_NODE,
	LW_SLURMKEY_PARTITION,
	LW_SLURMKEY_PARAM, /* a word of SchedulerParameters */
};

struct lw_slurmkey {
	enum lw_slurmkey_where where;
	const char *name;
	bool has_value;       /* of a PARAM: "name=value" and not "name" */
	uint16_t first, last; /* 2411 is Slurm 24.11; last 0: to this day */
};

/* The key called NAME, in any case, or NULL. */
const struct lw_slurmkey *lw_slurmkey_find(enum lw_slurmkey_where where, const char *name);

/* The key that somebody who wrote NAME most likely meant, or NULL. RELEASE as below. */
const struct lw_slurmkey *lw_slurmkey_nearest(enum lw_slurmkey_where where, const char *name,
					      uint32_t release);

/* Does Slurm RELEASE (major * 65536 + minor * 256 + micro; 0: unknown, any) know KEY? */
bool lw_slurmkey_known(const struct lw_slurmkey *key, uint32_t release);

#endif
