/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the order las2d: jobs likely to use little GPU time first, in two queues. */

/*
 * Least attained service in two dimensions, GPUs and time, in discrete queues, each first come,
 * first served: Gu et al., "Tiresias: a GPU cluster manager for distributed deep learning", NSDI
 * 2019. There a job that runs sinks to the lower queue and is preempted. Here jobs are not
 * preempted, and a waiting job has attained no service. So the mean run time of the user's last
 * runs, times the GPUs that this job asks for, stands for it: the history has run times but no
 * GPUs. A user without runs is in the first queue, like a new job in the paper.
 *
 * The threshold, las_threshold_s, is in doc/dev/planner.md, with the reason for its default.
 */
#include "planner/order/order.h"

/* Later than any submission, and with it still exact to the second. */
#define SECOND_QUEUE 0x1p50

/* A job without GPUs counts its CPUs' share of them; in a cluster without GPUs, its CPUs. */
static double las2d_gpus_of(const struct lw_order_view *view)
{
	struct lw_demand demand = lw_demand_of(view->scale, &view->class->request);

	if (demand.gpus > 0)
		return demand.gpus;
	return view->scale->cpus_per_gpu > 0 ? demand.cpus / view->scale->cpus_per_gpu
					     : demand.cpus;
}

double lw_order_key_las2d(const struct lw_order_view *view)
{
	double attained_s = (double)view->class->expected.attained_s * las2d_gpus_of(view);
	bool second = attained_s >= (double)view->params->las_threshold_s;

	return (double)view->job->submit_s + (second ? SECOND_QUEUE : 0);
}
