/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the parts of leeway check share: the files as read, and what was found. */
#ifndef LW_CLI_CHECK_CHECK_H
#define LW_CLI_CHECK_CHECK_H

#include "cli/check/slurmkeys.h"
#include "cli/common/slurmconf.h"
#include "config/config.h"
#include "planner/model/params.h"
#include "share/rule.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum lw_check_severity {
	LW_CHECK_NOTE,    /* good to know; nothing to do */
	LW_CHECK_WARNING, /* works, but not as an administrator will expect */
	LW_CHECK_ERROR,   /* does not work */
	LW_CHECK_FATAL,   /* an error with which slurmctld does not start */
};

struct lw_check_place {
	const char *file; /* as the cluster knows it, without the root; outlives the check */
	uint32_t line;    /* 0: the file as a whole */
};

struct lw_check_finding {
	enum lw_check_severity severity;
	const char *id; /* a fixed word for scripts: "bf-window" */
	char *file;
	uint32_t line;
	char *what;
	char *remedy;
};

/* A node, as slurm.conf declares it. */
struct lw_check_node {
	char *name;
	uint32_t line;    /* index of its line in struct lw_slurmconf */
	const char *gres; /* Gres=, or NULL; of slurm.conf as read */
	uint32_t gpus;
	uint32_t cores; /* 0: not said */
	bool links; /* gres.conf says which of them are linked */
};

/* The user that slurmctld runs as. */
struct lw_check_user {
	char name[64];
	uid_t uid;
	gid_t gid;
	bool known;
};

struct lw_check {
	const char *root;          /* before every path; "" for none */
	const char *conf_dir;      /* where slurm.conf is, below root */
	char slurm_conf[PATH_MAX]; /* its path, without the root */
	char yaml_path[PATH_MAX];  /* the same of leeway.yaml */
	/* of Slurm, major * 65536 + minor * 256 + micro (LW_SLURM_ANY_MICRO); 0: not known */
	uint32_t release;
	char plugin_dir[PATH_MAX]; /* of Slurm's own plugins, where PluginDir is not written */
	bool in_path;              /* PluginDir names a directory of ours */
	bool readable;             /* slurm.conf was read: the next one says something */
	bool incomplete; /* a file that it includes is not here: what is missing may be there */
	bool loads;      /* slurmctld will load our scheduler plugin */
	struct lw_check_user user; /* SlurmUser, unless it is root */
	struct lw_slurmconf slurm;
	struct lw_config config;     /* leeway.yaml, or its defaults */
	bool yaml_bad;               /* leeway.yaml has a mistake: config is only the defaults */
	struct lw_check_node *nodes; /* in order of names */
	uint32_t node_count, node_room;
	struct lw_check_finding *findings;
	uint32_t finding_count, finding_room;
	int error; /* -ENOMEM once; findings may then be missing */
};

/*
 * Add a finding at PLACE. The text is "what it is\nwhat to do", from FMT. Memory running
 * out is kept in check->error.
 */
void lw_check_add(struct lw_check *check, enum lw_check_severity severity, const char *id,
		  struct lw_check_place place, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* Another file than slurm.conf could not be read: RC and FAULT of lw_slurmconf_read(). */
void lw_check_unreadable(struct lw_check *check, int rc, const struct lw_slurmconf_fault *fault);

/*
 * Are there files that CONF includes and that are not here? Without one of them DAEMON does not
 * start, or (NULL) all go on; the finding is of SEVERITY.
 */
bool lw_check_absent(struct lw_check *check, const struct lw_slurmconf *conf,
		     enum lw_check_severity severity, const char *daemon);

/*
 * NAMES, the value of KEY, were no list of nodes: RC of lw_hosts_add(). What of it is a mistake is
 * of SEVERITY.
 */
void lw_check_no_nodes(struct lw_check *check, int rc, enum lw_check_severity severity,
		       struct lw_check_place place, const char *key, const char *names);

/* Which of the COUNT WORDS is TEXT, in any case of letters? -1: none. */
int lw_check_word(const char *text, const char *const *words, size_t count);
#define LW_CHECK_WORD(text, words)                                                               \
	lw_check_word((text), (words), sizeof(words) / sizeof((words)[0]))

/*
 * Check the names and values of CONF, a file with the settings of WHERE. A mistake is of
 * SEVERITY, because DAEMON does not start with it.
 */
void lw_check_table(struct lw_check *check, const struct lw_slurmconf *conf,
		    enum lw_slurmkey_where where, enum lw_check_severity severity,
		    const char *daemon);

/* Where LINE is; slurm.conf as a whole. */
struct lw_check_place lw_check_at(const struct lw_slurmconf_line *line);
struct lw_check_place lw_check_at_slurm_conf(const struct lw_check *check);

/* Where leeway.yaml sets KEY, the last word of its path; the file as a whole if not seen. */
struct lw_check_place lw_check_at_setting(const struct lw_check *check, const char *key);

/* What LINE of slurm.conf is about, by its first key. */
enum lw_check_scope {
	LW_CHECK_GLOBAL,
	LW_CHECK_NODE,
	LW_CHECK_PARTITION,
	LW_CHECK_OTHER, /* NodeSet, DownNodes and the like */
};
enum lw_check_scope lw_check_scope(const struct lw_slurmconf_line *line);

/*
 * The value of a global KEY of slurm.conf, the last one as Slurm takes it, or NULL, with
 * its place, or slurm.conf as a whole; PLACE may be NULL.
 */
const char *lw_check_global(const struct lw_check *check, const char *key,
			    struct lw_check_place *ret_place);

/* Is WORD an item of LIST, separated by commas, in any case? LIST may be NULL. */
bool lw_check_listed(const char *list, const char *word);

/* The number behind KEY= in SchedulerParameters, or FALLBACK. */
long lw_check_param(const struct lw_check *check, const char *key, long fallback);

/* A line with NodeName=, and the NodeName=DEFAULT lines before it. */
struct lw_check_node_line {
	struct lw_check *check;
	const struct lw_slurmconf_line *line;
	const struct lw_slurmconf_line **defaults;
	uint32_t default_count, default_room;
};

/* Call TAKE for each line of slurm.conf that declares nodes. */
void lw_check_each_node_line(struct lw_check *check,
			     void (*take)(const struct lw_check_node_line *node));
/* The value of KEY for the nodes of the line, or NULL. */
const char *lw_check_node_value(const struct lw_check_node_line *node, const char *key);

/*
 * The first of NAMES that no NodeName= declares, nor, if they count, a NodeSet= (SETS), into
 * BUF[SIZE]; or NULL. Once lw_check_nodes() has read the nodes.
 */
const char *lw_check_undeclared(struct lw_check *check, const char *names, bool sets, char *buf,
				size_t size);

/* The node called NAME, once lw_check_nodes() has run, or NULL. */
const struct lw_check_node *lw_check_find_node(const struct lw_check *check, const char *name);

/* Does sched.policy of leeway.yaml have one of TRAITS? */
static inline bool lw_check_policy_has(const struct lw_check *check, unsigned traits)
{
	return lw_policy_has((enum lw_policy_kind)check->config.sched_policy, traits);
}

/* Has leeway.yaml guests on GPUs that others lend, as far as it alone says? */
static inline bool lw_check_has_guests(const struct lw_check *check)
{
	return !check->yaml_bad && check->config.share_mode == LW_SHARE_SLICE &&
	       check->config.share_opportunistic;
}

/* And nothing of other jobs that share, nor of a record of their use. */
static inline bool lw_check_only_guests(const struct lw_check *check)
{
	return lw_check_has_guests(check) && !check->config.share_who &&
	       !check->config.share_record;
}

/* Are share.parts such that jobs may share, and guests come? And so many that would be. */
bool lw_check_parts_fit(const struct lw_check *check);
uint32_t lw_check_parts_advised(const struct lw_check *check);

/* Does any node have GPUs by slurm.conf? Once lw_check_nodes() has run. */
bool lw_check_has_gpus(const struct lw_check *check);

/* Write root and PATH into BUF[PATH_MAX]; too long a path is cut, and then not found. */
const char *lw_check_path(const struct lw_check *check, const char *path, char *buf);

/* What keeps SlurmUser from a file. */
struct lw_check_obstacle {
	char path[PATH_MAX]; /* it or a directory above it, without the root */
	char remedy[96];     /* the command that PATH behind it completes */
};

/*
 * May SlurmUser do MODE, as of access(), with the file or directory PATH (without the root)?
 * If not, *ret_obstacle says why; it is written to in any case.
 */
bool lw_check_allows(const struct lw_check *check, const char *path, int mode,
		     struct lw_check_obstacle *ret_obstacle);

/* "24.11.5" into BUF, "24.11" if no more is known. */
const char *lw_check_release(uint32_t release, char *buf, size_t size);

/* "Slurm 24.11.5" into BUF, "Slurm" when its release is not known. */
const char *lw_check_slurm(const struct lw_check *check, char *buf, size_t size);

/* Has the Gres= of any node GPUs of TYPE, or GPUs of which it does not say the type? */
bool lw_check_has_type(const struct lw_check *check, const char *type);
/* How many devices File= names; 0 when it is no list of files. */
uint32_t lw_check_count_files(const char *files);

/*
 * The checks. Each needs slurm.conf as read; access sets user, plugins sets release, in_path
 * and loads, settings sets config, and nodes sets nodes, for those after them.
 */
void lw_check_access(struct lw_check *check);    /* SlurmUser, and its directory */
void lw_check_plugins(struct lw_check *check);   /* PluginDir and the files in it */
void lw_check_settings(struct lw_check *check);  /* leeway.yaml */
void lw_check_metrics(struct lw_check *check);   /* sched.metrics of it */
void lw_check_keys(struct lw_check *check);      /* names in slurm.conf */
void lw_check_values(struct lw_check *check);    /* what slurm.conf sets them to */
void lw_check_pairs(struct lw_check *check);     /* what they need of each other */
void lw_check_params(struct lw_check *check);    /* SchedulerParameters */
void lw_check_scheduler(struct lw_check *check); /* what starts jobs, how far ahead */
void lw_check_chains(struct lw_check *check);    /* jobs that wait for others */
void lw_check_recover(struct lw_check *check);   /* failed nodes of jobs */
void lw_check_stop(struct lw_check *check);      /* jobs that are stopped */
void lw_check_canary(struct lw_check *check);    /* the jobs that Leeway plans */
void lw_check_share(struct lw_check *check);     /* jobs that share GPUs */
void lw_check_guests(struct lw_check *check);    /* and guests on lent GPUs */
void lw_check_energy(struct lw_check *check);    /* select.energy */
void lw_check_nodes(struct lw_check *check);     /* placement, partitions */
void lw_check_stop_share(struct lw_check *check); /* jobs of a node that are stopped */
void lw_check_lines(struct lw_check *check);     /* numbers of a node's line */
void lw_check_guards(struct lw_check *check);    /* what slurmctld itself refuses */
void lw_check_slurm_rows(struct lw_check *check); /* the same, by slurmguards.def */
void lw_check_cluster(struct lw_check *check);   /* what is missing, or too much */
void lw_check_types(struct lw_check *check);     /* what takes their choice away */
void lw_check_share_nodes(struct lw_check *check); /* the nodes on which they do */
void lw_check_gres(struct lw_check *check);      /* gres.conf */
void lw_check_cgroup(struct lw_check *check);    /* cgroup.conf */
void lw_check_topology(struct lw_check *check);  /* topology.conf, topology.yaml */
void lw_check_spank(struct lw_check *check);     /* plugstack.conf */

/*
 * The plugin file at PATH (without the root), which should have plugin_type TYPE: can it be
 * read, which user may write it, was it built for this Slurm? MASK says which parts of the
 * release must agree. Findings go to PLACE. True if Slurm will load it.
 */
bool lw_check_plugin_file(struct lw_check *check, const char *path, const char *type,
			  uint32_t mask, struct lw_check_place place);

/* All parts of a release. */
#define LW_CHECK_MICRO 0xffffff

/* JobSubmitPlugins; are Slurm's own plugins on this machine? A part of lw_check_plugins(). */
void lw_check_submit(struct lw_check *check, bool plugins_here);

/*
 * The first directory of PluginDir, or Slurm's own where that is not written, that has FILE, as
 * a path in BUF[PATH_MAX]; or NULL.
 */
const char *lw_check_find_plugin(const struct lw_check *check, const char *file, char *buf);

/* Gres= of the nodes of a line. A part of lw_check_lines(). */
void lw_check_node_gres(const struct lw_check_node_line *node);

/* CONF, a file with the settings of WHERE, but for those of the cluster, by slurmguards.def. */
void lw_check_rows(struct lw_check *check, const struct lw_slurmconf *conf,
		   enum lw_slurmkey_where where);

/* CONF, gres.conf: its lines, each and beside each other. A part of lw_check_gres(). */
void lw_check_greslines(struct lw_check *check, const struct lw_slurmconf *conf);
/* CONF, gres.conf: what slurmd does not start with. A part of lw_check_gres(). */
void lw_check_devices(struct lw_check *check, const struct lw_slurmconf *conf);
/* Its parts of GPUs, shard and mps, against Gres=. Another part of it. */
void lw_check_parts(struct lw_check *check, const struct lw_slurmconf *conf);

/*
 * CONF, the topology.conf of topology/block (BLOCKS) or topology/tree: what these plugins do not
 * take. A part of lw_check_topology().
 */
void lw_check_toporules(struct lw_check *check, const struct lw_slurmconf *conf, bool blocks);

/*
 * Print what was found, sorted by place, to standard output: on a terminal in lines that fit it.
 * -ENOMEM with ERR.
 */
int lw_check_print(const struct lw_check *check, struct lw_error *err);
/* The same as JSON to PATH. -errno with ERR. */
int lw_check_print_json(const struct lw_check *check, const char *path, struct lw_error *err);
/* How many findings of SEVERITY are there? What is fatal is an error, too. */
uint32_t lw_check_count(const struct lw_check *check, enum lw_check_severity severity);

#endif
