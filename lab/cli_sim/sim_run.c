/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway sim: run policies over a trace, once or shaken, some at a time. */
#include "lab/cli_sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/cli_sim/progress.h"
#include "lab/sim/pool.h"

/*
 * One turn of one run. It may run in a process of its own, so what comes of it lies in room that
 * this process shares, which judges it.
 */
struct turn {
	struct lw_sim_job *jobs;
	FILE *procs; /* NULL, or what another process writes the processors to */
	struct lw_energy energy;
	struct lw_locality locality;
	struct lw_sharing_found shared;
	struct lw_sim_outlook outlook;
	double wall_s;
	_Atomic uint32_t finished; /* of the jobs, so far */
};

/* All turns of all runs, those of a run side by side. */
struct batch {
	const struct lw_simtrace *trace;
	const struct lw_simrepeat *repeat;
	struct lw_simrun *runs;
	struct lw_simgrid grid;
	struct turn *turns;
	uint32_t count, each;      /* turns, and those of a run */
	uint32_t ended;            /* turns */
	bool apart;                /* they are in processes of their own */
	int64_t *wait_s;           /* of the first run, turn by turn; NULL: it is alone */
	struct lw_figures_sum sum; /* of the run that ends now */
	struct lw_progress bar;
	double begun_s;
};

struct watch {
	struct batch *batch;
	uint32_t index;
};

static void show_turn(void *arg, uint32_t submitted, uint32_t finished, uint32_t total,
		      int64_t now_s)
{
	const struct watch *watch = arg;
	struct batch *batch = watch->batch;
	double turn = watch->index % batch->each;
	char detail[96];

	batch->turns[watch->index].finished = finished;
	if (batch->apart)
		return;
	snprintf(detail, sizeof(detail),
		 "%" PRIu32 " of %" PRIu32 " jobs, %" PRIu32 " in the system, day %" PRId64,
		 finished, total, submitted - finished, now_s / 86400);
	lw_progress_show(&batch->bar, (turn + (double)finished / total) / batch->each, detail);
}

/* All that other processes run. */
static void show_batch(void *arg)
{
	struct batch *batch = arg;
	double finished = 0;
	char detail[64];

	for (uint32_t i = 0; i < batch->count; i++)
		finished += batch->turns[i].finished;
	snprintf(detail, sizeof(detail), "%" PRIu32 " of %" PRIu32 " done", batch->ended,
		 batch->count);
	lw_progress_show(&batch->bar, finished / batch->count / batch->trace->jobs.count, detail);
}

/* A bar for each run, unless one is for all. */
static void begin_bar(struct batch *batch, uint32_t index)
{
	uint32_t runs = batch->count / batch->each;
	struct lw_progress_step step = { "policy", index / batch->each + 1, runs > 1 ? runs : 0,
					 batch->begun_s };

	if (index % batch->each || (batch->apart && index))
		return;
	lw_progress_begin(&batch->bar,
			  batch->apart ? "runs" : batch->runs[index / batch->each].spec.label);
	if (!batch->apart)
		lw_progress_set_step(&batch->bar, &step);
}

static void shake(const struct lw_simrepeat *repeat, uint32_t turn, struct lw_sim_job *jobs,
		  uint32_t count)
{
	uint64_t seed = repeat->seed + turn;

	if (repeat->sessions)
		lw_shake_sessions(jobs, count, repeat->shake_by_s, seed);
	else
		lw_shake(jobs, count, repeat->shake_by_s, seed);
}

/* Its jobs, and where it is to write processors. */
static int begin_turn(void *arg, uint32_t index)
{
	struct batch *batch = arg;
	const struct lw_tracejobs *jobs = &batch->trace->jobs;
	size_t size = jobs->count * sizeof(*jobs->jobs);
	struct turn *turn = &batch->turns[index];

	begin_bar(batch, index);
	turn->jobs = batch->repeat->in_place ? jobs->jobs : lw_pool_room(size);
	if (!turn->jobs)
		return -ENOMEM;
	if (turn->jobs != jobs->jobs)
		memcpy(turn->jobs, jobs->jobs, size);
	if (batch->repeat->shakes)
		shake(batch->repeat, index % batch->each, turn->jobs, jobs->count);
	if (batch->apart && batch->repeat->procs && !(index % batch->each)) {
		turn->procs = tmpfile();
		return turn->procs ? 0 : -errno;
	}
	return 0;
}

static struct lw_trial trial_of(const struct batch *batch, const struct lw_simspec *spec)
{
	struct lw_trial trial = { .policy = spec->policy,
				  .nets = spec->nets,
				  .choose = spec->choose,
				  .ends_before = spec->ends_before,
				  .runtime = spec->runtime,
				  .noise = spec->noise,
				  .chain = spec->chain,
				  .lease = spec->lease,
				  .sizes = spec->sizes,
				  .one_event = spec->one_event,
				  .stock = spec->is_stock ? &spec->stock : NULL,
				  .published = spec->published,
				  .energy_model = batch->repeat->energy,
				  .sharing = spec->sharing,
				  .machine = batch->trace->machine };

	trial.sharing.table = &batch->trace->tenants;
	return trial;
}

static bool sees_locality(const struct lw_machine *machine)
{
	return machine->nodes && machine->gpus_per_node;
}

static int run_turn(void *arg, uint32_t index)
{
	struct batch *batch = arg;
	struct lw_simrun *run = &batch->runs[index / batch->each];
	struct lw_trial trial = trial_of(batch, &run->spec);
	struct turn *turn = &batch->turns[index];
	bool first = !(index % batch->each);
	struct watch watch = { batch, index };
	double begun_s = lw_progress_clock_s();
	int rc;

	trial.energy = trial.energy_model ? &turn->energy : NULL;
	trial.locality = sees_locality(&trial.machine) ? &turn->locality : NULL;
	trial.shared = &turn->shared;
	trial.procs = batch->repeat->procs && first ? &run->procs : NULL;
	trial.outlook = batch->repeat->outlook && first ? &turn->outlook : NULL;
	rc = lw_trial_run(&trial, turn->jobs, batch->trace->jobs.count, show_turn, &watch);
	turn->wall_s = lw_progress_clock_s() - begun_s;
	return rc || !turn->procs ? rc : lw_procmap_write(&run->procs, turn->procs);
}

/* The waits of the base are kept, and those of the others are laid beside them. */
static struct lw_harm look_beside(const struct batch *batch, const struct turn *turn,
				  uint32_t index)
{
	uint32_t count = batch->trace->jobs.count;
	int64_t *wait_s = batch->wait_s + (size_t)(index % batch->each) * count;

	if (batch->wait_s && index >= batch->each)
		return lw_harm_of(turn->jobs, wait_s, count);
	for (uint32_t i = 0; batch->wait_s && i < count; i++)
		wait_s[i] = lw_harm_wait_s(&turn->jobs[i]);
	return (struct lw_harm){ 0 };
}

static int judge_turn(struct batch *batch, uint32_t index, struct lw_harm *ret_harm)
{
	struct lw_simrun *run = &batch->runs[index / batch->each];
	const struct lw_energy_model *energy = batch->repeat->energy;
	const struct lw_simtrace *trace = batch->trace;
	const struct turn *turn = &batch->turns[index];
	struct lw_figures_watched seen = { .wall_s = turn->wall_s, .harm = ret_harm };
	struct lw_figures figures;
	int rc;

	seen.energy = energy ? &turn->energy : NULL;
	seen.factors = energy && energy->factor_count > 0;
	seen.locality = sees_locality(&trace->machine) ? &turn->locality : NULL;
	seen.shared = run->spec.sharing.rule.mode != LW_SHARE_OFF ? &turn->shared : NULL;
	*ret_harm = look_beside(batch, turn, index);
	rc = lw_figures_of(turn->jobs, trace->jobs.count, &trace->machine, &seen, &figures);
	if (rc)
		return rc;
	lw_figures_add(&batch->sum, &figures);
	lw_simcurves_add(&run->curves, &batch->grid, turn->jobs, trace->jobs.count);
	return 0;
}

/* What is told by the first turn alone. */
static int take_first(struct lw_simrun *run, struct turn *turn, const struct lw_harm *harm)
{
	run->harm = *harm;
	run->outlook = turn->outlook;
	run->jobs = turn->jobs;
	turn->jobs = NULL;
	if (!turn->procs)
		return 0;
	rewind(turn->procs);
	return lw_procmap_read(&run->procs, turn->procs);
}

static void free_turn(const struct batch *batch, struct turn *turn)
{
	const struct lw_tracejobs *jobs = &batch->trace->jobs;

	if (turn->jobs != jobs->jobs)
		lw_pool_room_free(turn->jobs, jobs->count * sizeof(*jobs->jobs));
	turn->jobs = NULL;
	if (turn->procs)
		(void)fclose(turn->procs);
	turn->procs = NULL;
}

static int end_run(struct batch *batch, struct lw_simrun *run)
{
	const struct lw_simrepeat *repeat = batch->repeat;

	run->mean = lw_figures_mean(&batch->sum);
	run->sd = lw_figures_sd(&batch->sum);
	batch->sum = (struct lw_figures_sum){ 0 };
	return repeat->ended ? repeat->ended(repeat->arg, run,
					     run == batch->runs ? NULL : batch->wait_s)
			     : 0;
}

static int end_turn(void *arg, uint32_t index)
{
	struct batch *batch = arg;
	struct lw_simrun *run = &batch->runs[index / batch->each];
	struct turn *turn = &batch->turns[index];
	struct lw_harm harm;
	int rc = judge_turn(batch, index, &harm);

	if (!rc && !(index % batch->each))
		rc = take_first(run, turn, &harm);
	free_turn(batch, turn);
	batch->ended++;
	if (rc || batch->ended % batch->each)
		return rc;
	if (!batch->apart)
		lw_progress_end(&batch->bar);
	return end_run(batch, run);
}

/* Before any run takes its time. */
static int check_specs(const struct lw_simrun *runs, uint32_t count,
		       const struct lw_simtrace *trace, struct lw_error *err)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < count; i++) {
		if (runs[i].spec.is_stock && !trace->machine.nodes)
			return lw_error_set(err, -EDOM,
					    "%s: Slurm schedules nodes, and this machine is one "
					    "pool: give --nodes",
					    runs[i].spec.label);
		if (runs[i].spec.published && trace->machine.nodes)
			return lw_error_set(err, -EDOM,
					    "%s: its rule knows one pool of processors: leave "
					    "out --nodes",
					    runs[i].spec.label);
		rc = lw_simshare_check(&runs[i].spec, trace, err);
	}
	return rc;
}

static int run_batch(struct batch *batch, struct lw_error *err)
{
	const struct lw_pool pool = { .count = batch->count,
				      .at_once = batch->repeat->at_once,
				      .begin = begin_turn,
				      .work = run_turn,
				      .end = end_turn,
				      .show = isatty(STDERR_FILENO) ? show_batch : NULL,
				      .arg = batch };
	size_t waits = (size_t)batch->each * batch->trace->jobs.count + 1;
	size_t size = batch->count * sizeof(*batch->turns);
	int rc = -ENOMEM;

	batch->apart = lw_pool_is_apart(&pool);
	batch->turns = lw_pool_room(size);
	if (batch->count > batch->each)
		batch->wait_s = calloc(waits, sizeof(*batch->wait_s));
	if (batch->turns && (batch->wait_s || batch->count == batch->each))
		rc = lw_pool_run(&pool, err);
	else
		(void)lw_error_set(err, rc, "out of memory");
	lw_progress_end(&batch->bar);
	for (uint32_t i = 0; batch->turns && i < batch->count; i++)
		free_turn(batch, &batch->turns[i]);
	lw_pool_room_free(batch->turns, size);
	free(batch->wait_s);
	return rc;
}

int lw_simruns_do(struct lw_simrun *runs, uint32_t count, const struct lw_simtrace *trace,
		  const struct lw_simrepeat *repeat, struct lw_error *err)
{
	struct batch batch = { .trace = trace, .repeat = repeat, .runs = runs };
	int rc = check_specs(runs, count, trace, err);

	for (uint32_t i = 0; i < count; i++) {
		runs[i].repeat = *repeat;
		runs[i].job_count = trace->jobs.count;
	}
	if (rc)
		return rc;
	batch.each = repeat->shakes ? repeat->shakes : 1;
	batch.count = count * batch.each;
	batch.begun_s = lw_progress_clock_s();
	lw_simgrid_init(&batch.grid, trace->jobs.jobs, trace->jobs.count, &trace->machine);
	return run_batch(&batch, err);
}

int lw_simrun_do(struct lw_simrun *run, const struct lw_simtrace *trace,
		 const struct lw_simspec *spec, const struct lw_simrepeat *repeat,
		 struct lw_error *err)
{
	int rc;

	*run = (struct lw_simrun){ .spec = *spec };
	rc = lw_simruns_do(run, 1, trace, repeat, err);
	if (rc)
		lw_simrun_fini(run);
	return rc;
}

void lw_simrun_fini(struct lw_simrun *run)
{
	if (!run->repeat.in_place)
		lw_pool_room_free(run->jobs, run->job_count * sizeof(*run->jobs));
	run->jobs = NULL;
	lw_procmap_fini(&run->procs);
}
