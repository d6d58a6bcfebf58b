/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the settings of a simulation: those of leeway.yaml, and the simulator's own. */
#ifndef LW_LAB_CLI_SIM_SIM_SETTINGS_H
#define LW_LAB_CLI_SIM_SIM_SETTINGS_H

#include "base/error.h"
#include "planner/model/params.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Room for a policy with all its settings as text. */
#define LW_SIM_SETTINGS 256
/* At least as many settings as there are. */
#define LW_SIMSETTINGS_MAX 96

/* A member for each row of settings.def. An enum is the place of its choice. */
struct lw_simown {
#define LW_OWN_ENUM(field, path, def, choices, need, sentence) int field;
#define LW_OWN_TIME(field, path, def, need, sentence)          int64_t field;
#define LW_OWN_SHARE(field, path, def, max, need, sentence)    double field;
#define LW_OWN_COUNT(field, path, def, max, need, sentence)    uint32_t field;
#define LW_OWN_FLAG(field, path, def, need, sentence)          bool field;
#define LW_OWN_TEXT(field, path, need, sentence)               const char *field;
#include "lab/cli_sim/settings.def"
};

/* What set a setting. */
enum lw_simgiver {
	LW_SIM_BY_DEFAULT, /* leeway.yaml, a published system, or nothing: it may have no effect */
	LW_SIM_BY_SET,     /* --set: it must have an effect in one run */
	LW_SIM_BY_RUN,     /* --run: it must have an effect in this run */
};

struct lw_simsettings {
	struct lw_policy_params policy;
	struct lw_simown own;
	bool stock;     /* the model of Slurm schedules */
	bool published; /* another simulator's rule plans; this and policy.kind: of own.policy */
	uint8_t given[LW_SIMSETTINGS_MAX];
	char text[LW_SIM_SETTINGS]; /* ":KEY=VALUE..." of what was set of one run */
};

/* One --set. */
struct lw_simset {
	const char *key; /* up to the "=" */
	const char *value;
};

/*
 * Add "KEY=VALUE" of the option called NAME to SETS, of which there are *COUNT, and MOST at most.
 * -EINVAL with ERR.
 */
int lw_simset_add(struct lw_simset *sets, uint32_t *count, uint32_t most, const char *name,
		  const char *value, struct lw_error *err);

/* The same of sim.conf=VALUE, for an option of its own. */
int lw_simset_add_conf(struct lw_simset *sets, uint32_t *count, uint32_t most, const char *name,
		       const char *value, struct lw_error *err);

/* What a simulation has where nothing is said; no job is moved up for its age, and no cap. */
void lw_simsettings_default(struct lw_simsettings *settings);
/* What slurmctld would take of the leeway.yaml at PATH. As lw_config_load() on failure. */
int lw_simsettings_load(struct lw_simsettings *settings, const char *path, struct lw_error *err);
/* The same from the defaults on; a PATH of NULL is a leeway.yaml that sets nothing. */
int lw_simsettings_site(struct lw_simsettings *settings, const char *path, struct lw_error *err);
/*
 * KEY may end in "=...". VALUE must outlive SETTINGS. -EINVAL with ERR: there is no such setting,
 * or no such value, or it is of all runs, and GIVER one of them.
 */
int lw_simsettings_set(struct lw_simsettings *settings, const char *key, const char *value,
		       enum lw_simgiver giver, struct lw_error *err);
/* "KEY=VALUE KEY=VALUE,KEY=VALUE" in WORDS, which is cut up and must outlive SETTINGS. */
int lw_simsettings_set_words(struct lw_simsettings *settings, char *words, enum lw_simgiver giver,
			     struct lw_error *err);

/* Was the setting called PATH set by --set or --run? */
bool lw_simsettings_given(const struct lw_simsettings *settings, const char *path);
/* -EINVAL with ERR: what was set does nothing in any of COUNT runs, or in the run that has it. */
int lw_simsettings_check(const struct lw_simsettings *runs, uint32_t count, struct lw_error *err);

/* The choices of sched.policy, parted by blanks. */
extern const char lw_sim_policies[];
/* The place of a policy among the choices of sched.policy, or -EINVAL. */
int lw_simsettings_policy(const char *name);
/* The name of what plans. */
const char *lw_simsettings_policy_name(const struct lw_simsettings *settings, char *buf,
				       size_t size);

/* A line each: what there is to set. */
void lw_simsettings_print(FILE *out);
/* All of them, parted by blanks. */
const char *lw_simsettings_names(void);

#endif
