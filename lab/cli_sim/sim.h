/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the parts of leeway sim. */
#ifndef LW_LAB_CLI_SIM_SIM_H
#define LW_LAB_CLI_SIM_SIM_H

#include "measure/sha256.h"
#include "base/strbuf.h"
#include "cli/chart/chart.h"
#include "cli/common/energy.h"
#include "lab/cli_sim/progress.h"
#include "lab/cli_sim/sim_curves.h"
#include "lab/cli_sim/sim_settings.h"
#include "lab/sim/procmap.h"
#include "lab/sim/shake.h"
#include "lab/sim/text_model.h"
#include "lab/sim/tracejobs.h"
#include "lab/sim/trial.h"
#include "measure/figures.h"

/* What to simulate: a policy with all its settings. */
struct lw_simspec {
	char label[80];
	char settings[LW_SIM_SETTINGS]; /* POLICY[:KEY=VALUE...]: all that was said of it */
	struct lw_policy_params policy; /* order learned is LW_ORDER_OUTSIDE */
	struct lw_nets nets;
	bool inspects;      /* with nets.inspector, once it was given */
	lw_choose_f choose; /* NULL, or chooses nodes in place of the planner */
	bool ends_before;   /* as in struct lw_outside */
	enum lw_predictor runtime;
	struct lw_noise noise;
	enum lw_chain_mode chain;
	struct lw_lease_settings lease; /* agree 0: no job agrees to be stopped */
	bool sizes; /* size.mode */
	bool one_event; /* plan after every single event (lab/sim/engine.h) */
	bool is_stock;                /* the model of Slurm schedules, by these */
	struct lw_stock_params stock;
	enum lw_published published; /* if another simulator's rule plans, which one */
	struct lw_sharing sharing;   /* of GPUs; without the table, which is the trace's */
};

/* What all runs begin with. */
struct lw_simbase {
	struct lw_simsettings settings; /* defaults, or what leeway.yaml says */
	const struct lw_simset *sets;   /* --set, in their order */
	uint32_t set_count;
};

/*
 * Read "NAME: KEY=VALUE ...", "NAME" or "KEY=VALUE ...". A NAME without sched.policy behind it is
 * that of a policy or a published system, if there is one; without a name the settings are the
 * label, and "" is what BASE has. *RET_SETTINGS is what the spec was made of. -EINVAL with ERR.
 */
int lw_simspec_parse(const struct lw_simbase *base, const char *text,
		     struct lw_simsettings *ret_settings, struct lw_simspec *ret_spec,
		     struct lw_error *err);

/*
 * What sched.policy=stock goes by in the slurm.conf at PATH, which may be the directory with it,
 * and in what it includes. An error, with ERR: it cannot be read.
 */
int lw_simconf_read(const char *path, struct lw_stock_params *params, struct lw_error *err);

/* Has SPEC jobs choose among types of GPUs? Only recipes tell these apart. */
bool lw_simspec_chooses(const struct lw_simspec *spec);

/* The nets that --model gives, one of a kind. */
struct lw_simmodels {
	struct lw_model models[LW_NET_KINDS];
	bool given[LW_NET_KINDS];
};

/* Read the model at PATH. -EINVAL with ERR: there is another of its kind, or -errno of the file. */
int lw_simmodels_load(struct lw_simmodels *models, const char *path, struct lw_error *err);
/*
 * Give SPEC the models that it uses, and note these in USED, by kind; MODELS must outlive SPEC.
 * -EINVAL with ERR: one is missing.
 */
int lw_simspec_take_models(struct lw_simspec *spec, const struct lw_simmodels *models,
			   bool used[LW_NET_KINDS], struct lw_error *err);
/* -EINVAL with ERR: one was given, and is not USED. */
int lw_simmodels_check(const struct lw_simmodels *models, const bool used[LW_NET_KINDS],
		       struct lw_error *err);

/* "list", and the names of published schedulers, parted by blanks. */
extern const char lw_sim_systems[];

/* Is there a system of that name in systems.def? */
bool lw_simsystem_is(const char *name);
/* Set what it is made of. -EINVAL with ERR: there is none. */
int lw_simsystem_set(struct lw_simsettings *settings, const char *name, struct lw_error *err);
/* The run of a published system, as lw_simspec_parse(). */
int lw_simspec_of_system(const struct lw_simbase *base, const char *system,
			 struct lw_simsettings *ret_settings, struct lw_simspec *ret_spec,
			 struct lw_error *err);
/* What each is made of, and where it is published. */
void lw_simsystems_print(FILE *out);

/* Of one comparison. */
#define LW_SIM_RUNS_MAX 6

/* SETTINGS are what SPECS were made of. */
struct lw_simspecs {
	struct lw_simspec specs[LW_SIM_RUNS_MAX];
	struct lw_simsettings settings[LW_SIM_RUNS_MAX];
	uint32_t count;
};

/* Add a run as lw_simspec_parse() reads it, or "@FILE", those of a file. -EINVAL with ERR. */
int lw_simspecs_add_run(struct lw_simspecs *specs, const struct lw_simbase *base,
			const char *text, struct lw_error *err);
/* Add our choice to SPECS, which are none. */
int lw_simspecs_add_standard(struct lw_simspecs *specs, const struct lw_simbase *base,
			     struct lw_error *err);
/* Add the published systems "a,b,c". */
int lw_simspecs_add_systems(struct lw_simspecs *specs, const struct lw_simbase *base,
			    const char *systems, struct lw_error *err);

/* A trace or a workload with what is simulated of it. */
struct lw_simtrace {
	const char *path;
	const char *name; /* without folder */
	char sha256[LW_SHA256_TEXT];
	struct lw_swf swf; /* without its jobs; empty: the file is a workload */
	int64_t *numbers;  /* by line of a job of it: its number there */
	struct lw_tracejobs jobs;
	struct lw_machine machine;
	struct lw_recipes recipes; /* of a workload; none: run times are as they are */
	const char *recipes_path;  /* NULL: none were given */
	uint32_t recipes_untold; /* jobs that name one, without a file of them */
	const char *account_shares;      /* as given; NULL: all the same */
	struct lw_sharing_table tenants; /* of jobs that may share GPUs; empty: not known */
	const char *tenants_path;        /* NULL: what is known of them is of the recipes */
};

struct lw_simtrace_options {
	struct lw_tracejobs_options jobs;
	const char *tenants;	 /* the file of jobs that may share GPUs, or NULL */
	uint32_t tenant_runs;	 /* so many earlier runs of each kind are known, */
	double tenant_noise;	 /* each off by so much; 0 runs: what they use is known */
	uint32_t tenant_seed;
	bool lenient;
	const char *recipes; /* NULL, or the file with the recipes that a workload names */
	const char *account_shares; /* NULL, or as lw_simaccounts_give() has them */
	bool allow_dropped; /* also when that is more than 1 % of the jobs */
};

/* gpus_per_node and mem_mib_per_node of the options if they are not given. */
#define LW_SIM_NOT_SAID UINT32_MAX

/*
 * Fill in of MACHINE, as the options have it, what they do not say, from what the trace or the
 * workload PATH says. -EINVAL with ERR: neither says enough; -EDOM: there can be no such machine.
 */
int lw_simmachine_of_swf(struct lw_machine *machine, const struct lw_swf *swf, const char *path,
			 struct lw_error *err);
int lw_simmachine_of_workload(struct lw_machine *machine, const struct lw_workload *workload,
			      const char *path, struct lw_error *err);

/* -EINVAL or -errno with ERR: of the file; -EDOM: of the machine that the options ask for. */
int lw_simtrace_open(struct lw_simtrace *trace, const char *path,
		     const struct lw_simtrace_options *options, struct lw_error *err);
/* Read what is to be known of jobs that may share GPUs, if the options say so. As open. */
int lw_simshare_open(struct lw_simtrace *trace, const struct lw_simtrace_options *options,
		     struct lw_error *err);
/* Can SPEC's jobs share GPUs on it? -EDOM with ERR. */
int lw_simshare_check(const struct lw_simspec *spec, const struct lw_simtrace *trace,
		      struct lw_error *err);
struct lw_simrun;
/* Where jobs of RUN were to share GPUs and none did, say on standard error why, as far as known. */
void lw_simshare_print_note(const struct lw_simrun *run, const struct lw_simtrace *trace);
/* Is SHARES "NUMBER=SHARE,...", with no number twice? -EINVAL with ERR: it is not. */
int lw_simaccounts_check(const char *shares, struct lw_error *err);
/*
 * SHARES as above, kept by TRACE: the shares of accounts of the machine, by the group of a
 * trace, or by user where jobs have none; others count as 1. -EINVAL with ERR: it is not valid;
 * -EDOM: no job is of such an account.
 */
int lw_simaccounts_give(struct lw_simtrace *trace, const char *shares, struct lw_error *err);
void lw_simtrace_close(struct lw_simtrace *trace);
/* What the file calls a job: its number in the trace, or its place in the workload. */
int64_t lw_simtrace_number(const struct lw_simtrace *trace, const struct lw_sim_job *job);
/* Say on standard error what was left out of it. */
void lw_simtrace_print_notes(const struct lw_simtrace *trace);

/* What the options say of energy. */
struct lw_simenergy {
	bool wanted, suspends;
	const char *config, *factors;
	int64_t suspend_after_s, resume_delay_s;
	struct lw_energy_watts watts;
	struct lw_energy_model model; /* made of it */
};

/* -EINVAL with ERR: SPEC goes by energy, and it is not counted. */
int lw_simenergy_check_spec(const struct lw_simenergy *energy, const struct lw_simspec *spec,
			    struct lw_error *err);
/* *RET_MODEL is untouched if no run wants a model. -errno of a file, with ERR. */
int lw_simenergy_read(struct lw_simenergy *energy, const struct lw_energy_model **ret_model,
		      struct lw_error *err);

struct lw_simrun;

/* How often: 0 shakes is once, with the submissions as they are. */
struct lw_simrepeat {
	uint32_t shakes;
	uint32_t shake_by_s; /* a submission moves by up to so much, either way */
	uint64_t seed;
	bool sessions; /* what a user submits in one session moves together */
	const struct lw_energy_model *energy; /* NULL: it is not counted */
	bool in_place; /* run the trace's jobs themselves: it is run once, and by no other run */
	bool procs;    /* keep which processors each job had, the first time */
	bool outlook;  /* judge what would have been said of the jobs that wait, the first time */
	uint32_t at_once; /* runs and shakes, each in its own process; up to 1: all in this */
	/*
	 * NULL, or told of each run when it is done, in their order, with the waits of the first
	 * run's jobs, or NULL if it is the first. It may free what the run holds.
	 */
	int (*ended)(void *arg, struct lw_simrun *run, const int64_t *base_wait_s);
	void *arg;
};

struct lw_simrun {
	struct lw_simspec spec;
	struct lw_simrepeat repeat;
	struct lw_figures mean;
	struct lw_figures sd;    /* of one shake from the next */
	struct lw_simcurves curves;
	struct lw_harm harm;           /* beside the run to compare with, the first time */
	struct lw_sim_outlook outlook; /* of the first time, if asked for */
	struct lw_procmap procs;
	struct lw_sim_job *jobs; /* as they ran, the first time; job_count of them */
	uint32_t job_count;      /* the trace's */
};

/*
 * Run each of COUNT RUNS, of which only spec is given; all others are compared with the first. 0,
 * or with ERR -ENOMEM, -EDOM: a rule is of another machine, or as lw_pool_run(). The runs are to be
 * finished either way.
 */
int lw_simruns_do(struct lw_simrun *runs, uint32_t count, const struct lw_simtrace *trace,
		  const struct lw_simrepeat *repeat, struct lw_error *err);
/* A single one of SPEC; if it fails, nothing is to be finished. */
int lw_simrun_do(struct lw_simrun *run, const struct lw_simtrace *trace,
		 const struct lw_simspec *spec, const struct lw_simrepeat *repeat,
		 struct lw_error *err);
void lw_simrun_fini(struct lw_simrun *run);

/* One run for people, and by job; sim_json.h has it for programs. */
void lw_simrun_print(const struct lw_simrun *run, const struct lw_simtrace *trace, FILE *out);
void lw_simrun_print_schedule(const struct lw_simrun *run, const struct lw_simtrace *trace,
			      FILE *out);
/* How what would have been said of jobs held, by queue length. */
void lw_simrun_print_outlook(const struct lw_simrun *run, FILE *out);
/* A line a job that started, as evalys reads it; the first time, if processors were kept. */
void lw_simrun_jobs_csv(const struct lw_simrun *run, const struct lw_simtrace *trace,
			struct lw_strbuf *sb);
/* The figures named in KEYS, "a,b:sd,c", with tabs between; keys that are none are left out. */
void lw_simrun_print_keys(const struct lw_simrun *run, const char *keys, FILE *out);
/* Are all of KEYS figures? -EINVAL with ERR. */
int lw_simrun_check_keys(const char *keys, struct lw_error *err);

/* What to know of SPEC that its name does not tell: a sentence, or NULL. */
const char *lw_simspec_note(const struct lw_simspec *spec);

/* Several policies on one trace; the first is the base that the others are compared with. */
struct lw_simcompare {
	const struct lw_simtrace *trace;
	struct lw_simrun *runs; /* all of them, the frontier behind the others */
	uint32_t count;
	struct lw_simrun *frontier; /* relaxed by rising factors */
	uint32_t frontier_count;
};

/* FRONTIER: relaxed by rising factors as well. Fails as lw_simruns_do(). */
int lw_simcompare_do(struct lw_simcompare *compare, const struct lw_simtrace *trace,
		     const struct lw_simspecs *specs, const struct lw_simrepeat *repeat,
		     bool frontier, struct lw_error *err);
void lw_simcompare_fini(struct lw_simcompare *compare);

/*
 * Means are over the jobs that started. Do so many others start in one run than in another, more
 * than 1 %, that their means are of different jobs?
 */
bool lw_simcompare_differ(const struct lw_simcompare *compare);
/* Is FIGURE known of one of its policies? */
bool lw_simcompare_knows(const struct lw_simcompare *compare, enum lw_figure figure);

/* The I-th of all runs: those of the frontier come behind the others. */
const struct lw_simrun *lw_simcompare_run(const struct lw_simcompare *compare, uint32_t i);

/* As tables; of energy, sharing and deadlines where there is something to tell. */
void lw_simcompare_print(const struct lw_simcompare *compare, FILE *out);
/* As lw_simrun_print_keys(), a line for each run, with its label and a tab before. */
void lw_simcompare_print_keys(const struct lw_simcompare *compare, const char *keys, FILE *out);
/* What each of its runs looks like, in charts and tables, and the frontier behind them. */
void lw_simcompare_looks(const struct lw_simcompare *compare,
			 struct lw_look looks[LW_SIM_RUNS_MAX + 1]);
/* Its charts, for the caller to finish; the unit of all waits in them. */
struct lw_unit lw_simcompare_charts(const struct lw_simcompare *compare, struct lw_charts *charts);
/* A page that needs no other file, with CHARTS, which tell waits in UNIT. */
void lw_simcompare_html(const struct lw_simcompare *compare, const struct lw_charts *charts,
			const struct lw_unit *unit, struct lw_strbuf *sb);

#endif
