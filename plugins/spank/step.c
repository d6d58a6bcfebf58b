/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: one step in slurmstepd: its GPUs, its watch, and the report at its end. */
#include "spank/step.h"

#include "record/watch.h"
#include "spank/job.h"
#include "spank/share.h"

#include <link.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/spank.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The end of a step waits this long for a driver, a disk or slurmctld, and no longer. */
#define STOP_WAIT_S 10

/* A slurmstepd runs one step, and SPANK gives a plugin no place of its own to keep this.
 */
static struct {
	struct lw_watch *watch;
	uint32_t job_id;
	bool js1;
} step;

static void step_write_log(void *arg, enum lw_log_level level, const char *line)
{
	(void)arg;
	if (level == LW_LOG_ERROR)
		slurm_error("leeway: %s", line);
	else if (level == LW_LOG_DEBUG)
		slurm_debug("leeway: %s", line);
	else
		slurm_info("leeway: %s", line);
}

static const struct lw_log log_to_slurm = { step_write_log, NULL, LW_LOG_DEBUG };

const struct lw_log *lw_step_log(void)
{
	return &log_to_slurm;
}

static void name_step(uint32_t step_id, char *buf, size_t size)
{
	if (step_id == SLURM_BATCH_SCRIPT)
		snprintf(buf, size, "batch");
	else if (step_id == SLURM_INTERACTIVE_STEP)
		snprintf(buf, size, "interactive");
	else
		snprintf(buf, size, "%u", step_id);
}

/* One of Slurm's plugins, and whether slurmstepd has it loaded. */
struct loaded {
	const char *plugin;
	bool is;
};

static int step_look_at_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct loaded *loaded = arg;
	const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;

	(void)size;
	loaded->is = slash && !strcmp(slash + 1, loaded->plugin);
	return loaded->is;
}

static bool step_is_loaded(const char *plugin)
{
	struct loaded loaded = { .plugin = plugin };

	dl_iterate_phdr(step_look_at_object, &loaded);
	return loaded.is;
}

/*
 * Slurm's values for a step are in the step's environment, which its user may write too. Slurm
 * sets or removes these variables if GresTypes names gpu; elsewhere the user sets them, and
 * could have GPUs of others recorded as the job's own.
 *
 * The step's GPUs by Slurm's count on this node. A step inherits SLURM_JOB_GPUS from the batch
 * script, where it means the devices of the first node: so only the batch step may use it.
 */
static bool step_get_gpus(spank_t spank, uint32_t step_id, char *buf, int size)
{
	bool own = step_id == SLURM_BATCH_SCRIPT || step_id == SLURM_INTERACTIVE_STEP;

	if (!step_is_loaded("gres_gpu.so"))
		return false;
	if (own && !spank_getenv(spank, "SLURM_JOB_GPUS", buf, size) && *buf)
		return true;
	return step_id != SLURM_BATCH_SCRIPT &&
	       !spank_getenv(spank, "SLURM_STEP_GPUS", buf, size) && *buf;
}

/* Set by Slurm for a job with shards, and left to one with whole GPUs that inherits it. */
#define SHARDS_VARIABLE "SLURM_SHARDS_ON_NODE"

void lw_step_disinherit(void)
{
	unsetenv(SHARDS_VARIABLE);
}

/*
 * Shares of a GPU: what the device counts is not this job's alone. A user may set these variables
 * himself, and only the plugin takes them out of a job without shares (that of shards out of one
 * without GPUs: lw_step_disinherit() does the rest); slurmstepd has loaded it where GresTypes
 * names it.
 */
static bool step_is_shared(spank_t spank)
{
	static const struct {
		const char *plugin, *variable;
	} kinds[] = {
		{ "gres_shard.so", SHARDS_VARIABLE },
		{ "gres_mps.so", "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE" },
	};
	char buf[16];

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (step_is_loaded(kinds[i].plugin) &&
		    spank_getenv(spank, kinds[i].variable, buf, sizeof(buf)) == ESPANK_SUCCESS)
			return true;
	return false;
}

/*
 * Where Slurm names devices by UUID, above all MIG instances, the UUID is the better key. Slurm
 * numbers the devices that CUDA shall see from 0, so plain numbers there are of no use.
 */
static int step_name_gpus(spank_t spank, struct lw_gpu *gpus, int count)
{
	char buf[LW_RECORD_GPUS_MAX * LW_GPU_ID_MAX];
	int named;

	if (spank_getenv(spank, "CUDA_VISIBLE_DEVICES", buf, sizeof(buf)) != ESPANK_SUCCESS)
		return count;
	named = lw_watch_parse_uuids(buf, gpus, count);
	return named < 0 ? count : named;
}

void lw_step_name_node(char *buf, size_t size)
{
	const char *name = getenv("SLURMD_NODENAME");

	if (name && *name)
		snprintf(buf, size, "%s", name);
	else if (gethostname(buf, size))
		snprintf(buf, size, "node");
	buf[size - 1] = '\0';
}

/* What is told of a job. */
struct summary {
	struct lw_record *const *records;
	uint32_t count;
	bool js1;
};

static int step_put_summary(void *arg, const char *old, char buf[LW_COMMENT_MAX])
{
	const struct summary *summary = arg;

	return lw_comment_make(old, summary->records, summary->count, summary->js1, buf,
			       LW_COMMENT_MAX);
}

/*
 * Ask slurmctld for the admin_comment of the job of RECORDS and send it back with their
 * summary in it, until it stands there (record/change.h). Whether it was taken; the log has the
 * reason if not. Only from slurm_spank_exit or while it waits: in other callbacks slurmstepd
 * holds a lock that an RPC needs.
 */
static bool step_publish(struct lw_record *const *records, uint32_t count, bool js1)
{
	struct summary summary = { records, count, js1 };
	uint32_t job_id = records[0]->head.job_id;
	int rc = lw_job_change(job_id, NULL, step_put_summary, &summary);

	if (rc == -ESLURM_JOB_FINISHED)
		slurm_debug("leeway: job %u has ended: its summary goes to accounting", job_id);
	else if (rc)
		slurm_error("leeway: job %u: the summary was not sent: %s", job_id,
			    slurm_strerror(-rc));
	return !rc;
}

static bool step_done(void *arg, struct lw_record *const *records, uint32_t count)
{
	(void)arg;
	return step_publish(records, count, step.js1);
}

/*
 * The batch step tells for the whole job, while slurmctld still takes it. A job without
 * one, or that was killed, is told of when it has ended: lw_job_end().
 */
static void step_start(spank_t spank, struct lw_watch_params *params)
{
	bool batch = !strcmp(params->head.step, "batch");
	struct lw_error err;
	uid_t user = 0;

	lw_step_name_node(params->head.node, sizeof(params->head.node));
	params->head.user_id = spank_get_item(spank, S_JOB_UID, &user) == ESPANK_SUCCESS
				       ? user
				       : LW_RECORD_NO_USER;
	params->head.start_s = (int64_t)time(NULL);
	params->head.run_s = batch ? params->head.start_s : 0;
	params->shared = step_is_shared(spank);
	params->share_calls = lw_share_calls(step.job_id);
	params->log = &log_to_slurm;
	step.js1 = params->options.js1;
	if (params->options.summary && batch)
		params->done = step_done;
	if (lw_watch_start(params, &step.watch, &err))
		slurm_error("leeway: job %u: no GPU record: %s", step.job_id, err.text);
}

void lw_step_begin(spank_t spank, int count, char **words)
{
	struct lw_watch_params params = { .shared = false };
	uint32_t step_id = 0;
	char gpus[1024];
	int gpu_count;

	/* Slurm calls a plugin once for each line of plugstack.conf that names it */
	if (step.watch) {
		slurm_error(
			"leeway: job %u: plugstack.conf has leeway.so twice; the first line counts",
			step.job_id);
		return;
	}
	if (spank_get_item(spank, S_JOB_ID, &step.job_id) ||
	    spank_get_item(spank, S_JOB_STEPID, &step_id) || step_id == SLURM_EXTERN_CONT ||
	    !step_get_gpus(spank, step_id, gpus, sizeof(gpus)))
		return;
	gpu_count = lw_watch_parse_gpus(gpus, params.head.gpu);
	if (gpu_count < 0) {
		slurm_error("leeway: job %u: cannot read the list of GPUs \"%s\"",
			    step.job_id, gpus);
		return;
	}
	params.head.job_id = step.job_id;
	params.head.gpu_count = (uint32_t)step_name_gpus(spank, params.head.gpu, gpu_count);
	name_step(step_id, params.head.step, sizeof(params.head.step));
	lw_watch_options_read(&params.options, count, words, &log_to_slurm);
	step_start(spank, &params);
}

void lw_step_end(void)
{
	if (lw_watch_stop(step.watch, STOP_WAIT_S))
		slurm_error(
			"leeway: job %u: gave up waiting for the GPU record after %d s",
			step.job_id, STOP_WAIT_S);
	step.watch = NULL;
}
