/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how jobs fared that were stopped for others. */
#include "measure/figures.h"

static double stop_width(const struct lw_sim_job *job, const struct lw_machine *machine)
{
	const struct lw_request *req = &job->request;
	double each = (double)req->nodes_min * req->gpus_per_node;

	if (!machine->gpus_per_node)
		return lw_machine_width(machine, req);
	return each > req->gpus_total ? each : req->gpus_total;
}

static void stop_count(const struct lw_sim_job *job, struct lw_figures_stops *stops)
{
	int64_t run_s = job->run_s < job->limit_s ? job->run_s : job->limit_s;
	double stretch = (double)(lw_sim_job_end_s(job) - job->first_start_s) /
			 (double)(run_s > 1 ? run_s : 1);

	stops->jobs++;
	stops->stretch += stretch;
	stops->worst = stretch > stops->worst ? stretch : stops->worst;
}

void lw_figures_stops_of(const struct lw_sim_job *jobs, uint32_t count,
			 const struct lw_machine *machine, struct lw_figures_stops *ret_stops)
{
	struct lw_figures_stops stops = { 0 };

	*ret_stops = stops;
	for (uint32_t i = 0; i < count; i++)
		stops.agree += jobs[i].agrees;
	for (uint32_t i = 0; stops.agree && i < count; i++) {
		const struct lw_sim_job *job = &jobs[i];
		double width = stop_width(job, machine);

		if (job->start_s == LW_NO_TIME)
			continue;
		stops.used +=
			width * (double)(lw_sim_job_end_s(job) - job->start_s + job->spent_s);
		stops.lost += width * (double)job->lost_s;
		stops.late += job->late;
		stops.count += job->agrees ? job->stops : 0;
		if (job->agrees && job->stops)
			stop_count(job, &stops);
	}
	*ret_stops = stops;
}
