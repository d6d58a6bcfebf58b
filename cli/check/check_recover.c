/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: what keeps a job from running again after a node failed. */
#include "cli/check/check.h"

#include "base/number.h"

/* A value that is no number is another check's matter. */
static bool recover_is_zero(const struct lw_check *check, const char *key,
			    struct lw_check_place *ret_place)
{
	const char *value = lw_check_global(check, key, ret_place);

	return value && !lw_number_begins(value, UINT32_MAX, 1);
}

void lw_check_recover(struct lw_check *check)
{
	struct lw_check_place place;

	if (check->yaml_bad || !check->config.recover_mode)
		return;
	if (recover_is_zero(check, "SlurmdTimeout", &place))
		lw_check_add(
			check, LW_CHECK_WARNING, "recover-timeout", place,
			"SlurmdTimeout=0: Slurm never takes a node for dead, so recover.mode "
			"does nothing for the jobs of a node that dies\nSlurmdTimeout=300");
	if (recover_is_zero(check, "JobRequeue", &place))
		lw_check_add(check, LW_CHECK_NOTE, "recover-requeue", place,
			     "JobRequeue=0: recover.mode is only for jobs with --requeue\n"
			     "JobRequeue=1, if jobs may run their scripts again");
}
