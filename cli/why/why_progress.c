/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway why and leeway when: how far a running job says that it is. */
#include "cli/why/why.h"

#include <inttypes.h>
#include <string.h>

#include "cli/common/slurmcall.h"

/* What Slurm does not tell is left out: the rest of the answer is not about that. */
void lw_why_progress(struct lw_why_job *job, int64_t now_s)
{
	struct lw_strbuf comment = LW_STRBUF_INIT;
	struct lw_error why;

	if (strcmp(job->state, "RUNNING") != 0 || strpbrk(job->id, "[,"))
		return;
	job->reports = !lw_slurm_comment(job->id, &comment, &job->limit_s, &why) &&
		       lw_pace_read(lw_strbuf_text(&comment), &job->progress);
	if (!job->reports || job->start_s == TOOLS_WHY_NONE ||
	    !lw_pace_end(&job->progress, job->start_s, now_s, &job->done_s))
		job->done_s = 0;
	lw_strbuf_fini(&comment);
}

void lw_why_tell_progress(const struct lw_why_job *job, int64_t now_s, struct lw_strbuf *line)
{
	const struct lw_pace *progress = &job->progress;
	char when[TOOLS_WHY_WHEN_MAX];

	if (!job->reports)
		return;
	lw_strbuf_add(line, "%" PRIu64, progress->step);
	if (progress->of)
		lw_strbuf_add(line, " of %" PRIu64, progress->of);
	if (progress->at_s)
		lw_strbuf_add(line, ", %s", lw_why_when(progress->at_s, now_s, when));
	if (job->done_s)
		lw_strbuf_add(line, "; at that rate done %s",
			      lw_why_when(job->done_s, now_s, when));
	if (job->done_s && job->limit_s && job->done_s > job->limit_s)
		lw_strbuf_add(line, ", but its time limit ends it %s",
			      lw_why_when(job->limit_s, now_s, when));
}

static json_t *make_number(uint64_t number)
{
	return number ? json_integer((json_int_t)number) : json_null();
}

void lw_why_set_progress(json_t *o, const struct lw_why_job *job)
{
	if (!job->reports)
		return;
	json_object_set_new(o, "progress_step", json_integer((json_int_t)job->progress.step));
	json_object_set_new(o, "progress_of", make_number(job->progress.of));
	json_object_set_new(o, "progress_s", make_number((uint64_t)job->progress.at_s));
	json_object_set_new(o, "progress_done_s", make_number((uint64_t)job->done_s));
}
