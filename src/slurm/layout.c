/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: do Slurm's records have the layout of the source that Leeway was built with? */

/* Also part of the select plugin: refers to nothing that only slurmctld has. */

#include "slurm/layout.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>

static int layout_differs(const char *what, size_t is, size_t expected, struct lw_error *err)
{
	return lw_error_set(err, -EBADMSG,
			    "%s has %zu bytes in this Slurm and %zu in the %s it was built for",
			    what, is, expected, LW_SLURM_RELEASE);
}

int lw_layout_check_object(const char *what, const void *object, size_t size,
			   struct lw_error *err)
{
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;

	if (!dladdr1(object, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol ||
	    info.dli_saddr != object || !symbol->st_size || symbol->st_size == size)
		return 0;
	return layout_differs(what, symbol->st_size, size, err);
}

int lw_layout_check_record(const char *what, const void *record, size_t size,
			   struct lw_error *err)
{
	if (!record || xsize((void *)record) == size)
		return 0;
	return layout_differs(what, xsize((void *)record), size, err);
}

static int layout_check_gres(const char *what, list_t *list, size_t size, struct lw_error *err)
{
	const gres_state_t *gres = list ? list_peek(list) : NULL;
	int rc;

	if (!gres)
		return 0;
	rc = lw_layout_check_record("a gres record", gres, sizeof(*gres), err);
	return rc ? rc : lw_layout_check_record(what, gres->gres_data, size, err);
}

int lw_layout_check_node_gres(const node_record_t *node, struct lw_error *err)
{
	return layout_check_gres("the gres of a node", node->gres_list, sizeof(gres_node_state_t),
				 err);
}

int lw_layout_check_job(const job_record_t *job, struct lw_error *err)
{
	const job_details_t *details;
	int rc = lw_layout_check_record("a job record", job, sizeof(*job), err);

	if (rc)
		return rc;
	details = job->details;
	if (job->magic != JOB_MAGIC)
		return lw_error_set(err, -EBADMSG, "a job record has magic 0x%x", job->magic);
	rc = lw_layout_check_record("the details of a job", details, sizeof(*details), err);
	if (!rc && details && details->magic != DETAILS_MAGIC)
		rc = lw_error_set(err, -EBADMSG, "the details of a job have magic 0x%x",
				  details->magic);
	if (!rc)
		rc = lw_layout_check_record("what a job holds", job->job_resrcs,
					    sizeof(*job->job_resrcs), err);
	if (!rc)
		rc = layout_check_gres("the gres of a job", job->gres_list_req,
				       sizeof(gres_job_state_t), err);
	return rc;
}

/* What job_record_create() writes, from the beginning of the record to its end. */
static bool layout_is_fresh(const job_record_t *job)
{
	return job->array_task_id == NO_VAL && job->requid == (uint32_t)-1 &&
	       job->site_factor == NICE_OFFSET && job->billable_tres == (double)NO_VAL &&
	       job->step_list && job->details && !job->part_ptr && !job->time_limit;
}

int lw_layout_check_common(struct lw_error *err)
{
	job_record_t *job;
	int rc = lw_layout_check_object("slurm_conf", &slurm_conf, sizeof(slurm_conf), err);

	if (rc)
		return rc;
	job = lw_slurm_sample_job();
	if (!job)
		return 0;
	rc = lw_layout_check_job(job, err);
	if (!rc && !layout_is_fresh(job))
		rc = lw_error_set(err, -EBADMSG,
				  "a fresh job record does not begin with the values of Slurm %s",
				  LW_SLURM_RELEASE);
	lw_slurm_sample_job_free(job);
	return rc;
}
