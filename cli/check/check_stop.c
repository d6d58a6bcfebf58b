/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: what keeps jobs from being stopped and from running again. */
#include "cli/check/check.h"

#include "base/number.h"
#include "base/stop.h"

#include <inttypes.h>

/* Slurm's own, where slurm.conf does not say. */
#define KILL_WAIT_S 30

/* A value that is no number is another check's matter. */
static uint64_t stop_number_of(const struct lw_check *check, const char *key, uint64_t otherwise,
			       struct lw_check_place *ret_place)
{
	const char *value = lw_check_global(check, key, ret_place);

	return value ? lw_number_begins(value, UINT32_MAX, otherwise) : otherwise;
}

/* The first release in which it was seen. */
#define GRACE_RELEASE (24 * 65536 + 11 * 256)
/* The first one after 22.05. */
#define SIZES_RELEASE (23 * 65536 + 2 * 256)
/* Slurm's own number. */
#define BATCH_REQUEUE 5

static bool stop_is_requeued(const struct lw_check *check, const struct lw_slurmconf_line *line)
{
	const char *mode = lw_slurmconf_value(line, "PreemptMode");

	if (!mode)
		mode = lw_check_global(check, "PreemptMode", NULL);
	return lw_check_listed(mode, "REQUEUE");
}

/* Of preemption by requeue: a job that ends by itself in its grace time is one more launch. */
static void stop_check_grace(struct lw_check *check)
{
	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];
		const char *grace = lw_slurmconf_value(line, "GraceTime");

		if (lw_check_scope(line) != LW_CHECK_PARTITION || !grace ||
		    !lw_number_begins(grace, UINT32_MAX, 0) || !stop_is_requeued(check, line))
			continue;
		lw_check_add(check, LW_CHECK_NOTE, "stop-grace", lw_check_at(line),
			     "GraceTime=%s: a job that Slurm preempts, and that saves and ends in "
			     "that time, is held after %ld times\n"
			     "SchedulerParameters=max_batch_requeue=100, or no GraceTime",
			     grace, lw_check_param(check, "max_batch_requeue", BATCH_REQUEUE));
	}
}

/* ---- once the nodes are known ---- */

/* The least share of the machine that a job on a whole node has: by CPUs or by GPUs. */
static double stop_least_share(const struct lw_check *check)
{
	double cores = 0, gpus = 0, least = 1;
	bool known = true;

	for (uint32_t i = 0; i < check->node_count; i++) {
		cores += check->nodes[i].cores;
		gpus += check->nodes[i].gpus;
		known = known && check->nodes[i].cores;
	}
	for (uint32_t i = 0; i < check->node_count; i++) {
		double share = known ? check->nodes[i].cores / cores : 1.0 / check->node_count;
		double of_gpus = gpus > 0 ? check->nodes[i].gpus / gpus : 0;

		share = of_gpus > share ? of_gpus : share;
		least = share < least ? share : least;
	}
	return least;
}

void lw_check_stop_share(struct lw_check *check)
{
	double share = check->config.stop_share * check->config.stop_widest;
	double least = stop_least_share(check);
	/* in hundredths, upwards */
	int wanted = (int)(100 * least / check->config.stop_widest + 0.999);
	char remedy[96] = "in a cluster so small let an administrator order it: stop.for: none";

	/* with none at all stop.for does nothing: check_settings.c */
	if (check->yaml_bad || check->incomplete || !check->node_count || share >= least ||
	    !(share > 0) || !check->config.stop_mode ||
	    !(check->config.stop_for & LW_STOP_FOR_SHORT) ||
	    lw_check_policy_has(check, LW_RESERVES_ALL))
		return;
	if (wanted <= 100)
		snprintf(remedy, sizeof(remedy), "stop.share: %.2f, or more", wanted / 100.0);
	lw_check_add(check, LW_CHECK_WARNING, "stop-share", lw_check_at_setting(check, "for"),
		     "stop.share %g: stop.for asks a job of at most %g of that (stop.widest), "
		     "which is less than one of the %" PRIu32
		     " nodes: no job on a whole node makes room\n%s",
		     check->config.stop_share, check->config.stop_widest, check->node_count,
		     remedy);
}

/* Seen on 22.05.8, and not on 24.11.5. */
static void stop_check_sizes(struct lw_check *check)
{
	if (!check->config.size_mode || !check->release || check->release >= SIZES_RELEASE)
		return;
	lw_check_add(check, LW_CHECK_NOTE, "size-release", lw_check_at_setting(check, "size.mode"),
		     "Slurm 22.05 gives a job with --ntasks-per-node and a range of nodes the "
		     "fewest of these, whatever size.mode chooses\n"
		     "tell users to leave out --ntasks-per-node, or take a later Slurm");
}

void lw_check_stop(struct lw_check *check)
{
	struct lw_check_place place = { 0 };
	uint64_t kill_wait_s;

	if (check->yaml_bad || !check->config.stop_mode)
		return;
	kill_wait_s = stop_number_of(check, "KillWait", KILL_WAIT_S, &place);
	if (kill_wait_s < (uint64_t)check->config.stop_save_s)
		lw_check_add(check, LW_CHECK_WARNING, "stop-kill-wait", place,
			     "KillWait is %" PRIu64 " s, and stop.save %" PRId64
			     " s: a job without a signal of its own is not asked to stop\n"
			     "KillWait=%" PRId64,
			     kill_wait_s, check->config.stop_save_s, check->config.stop_save_s);
	if (!stop_number_of(check, "JobRequeue", 1, &place))
		lw_check_add(check, LW_CHECK_WARNING, "stop-requeue", place,
			     "JobRequeue=0: only jobs with --requeue can be stopped (stop.mode)\n"
			     "JobRequeue=1, if jobs may run their scripts again");
	if (check->release >= GRACE_RELEASE)
		stop_check_grace(check);
	stop_check_sizes(check);
}
