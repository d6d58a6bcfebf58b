/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which settings Slurm's files know, by release, and which values these may have. */
#ifndef LW_CLI_CHECK_SLURMKEYS_H
#define LW_CLI_CHECK_SLURMKEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lw_slurmkey_where {
	LW_SLURMKEY_GLOBAL,
	LW_SLURMKEY_NODE,
	LW_SLURMKEY_PARTITION,
	LW_SLURMKEY_CGROUP, /* cgroup.conf */
	LW_SLURMKEY_GRES,   /* gres.conf */
	LW_SLURMKEY_SWITCH, /* topology.conf of topology/tree */
	LW_SLURMKEY_BLOCK,  /* the same of topology/block */
	LW_SLURMKEY_PARAM,  /* a word of SchedulerParameters */
};

/* What a value may be: slurmvalues.def. */
enum lw_slurmtype {
#define TOOLS_SLURM_TYPE(type, form, daemon, least, most, text) LW_SLURMTYPE_##type,
#include "cli/check/slurmvalues.def"
};

struct lw_slurmkey {
	enum lw_slurmkey_where where;
	const char *name;
	enum lw_slurmtype type; /* but of a PARAM */
	bool has_value;         /* of a PARAM: "name=value" and not "name" */
	uint16_t first, last;   /* 2411 is Slurm 24.11; last 0: to this day */
};

/* A release without a micro part: 24.11. */
#define LW_SLURM_ANY_MICRO 0xffU

/*
 * The key called NAME, in any case, or NULL: as RELEASE (major * 65536 + minor * 256 + micro; 0:
 * unknown) knows it, or else as another one does.
 */
const struct lw_slurmkey *lw_slurmkey_find(enum lw_slurmkey_where where, const char *name,
					   uint32_t release);

/* The key that NAME was most likely meant to be, or NULL. */
const struct lw_slurmkey *lw_slurmkey_nearest(enum lw_slurmkey_where where, const char *name,
					      uint32_t release);

/* A word that is no word of SchedulerParameters but of another setting. */
struct lw_slurmkey_elsewhere {
	const char *word, *key;
	const char *how; /* "moved to" */
};

/* The one called WORD, in any case, or NULL. */
const struct lw_slurmkey_elsewhere *lw_slurmkey_elsewhere(const char *word);

/* Does Slurm RELEASE (0: any) know KEY? Releases that are not supported know all of them. */
bool lw_slurmkey_known(const struct lw_slurmkey *key, uint32_t release);

/* Are the names of RELEASE in these tables? */
bool lw_slurmkey_supports(uint32_t release);

/* "22.05, 23.02 and 24.11": the supported releases. */
const char *lw_slurmkey_releases(char *buf, size_t size);

#endif
