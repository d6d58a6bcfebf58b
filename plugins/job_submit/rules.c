/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the rules of job_submit/leeway: the built-in ones, and those of leeway.yaml. */
#include "job_submit/rules.h"

#include "job_submit/slurm_private.h"

#include <errno.h>
#include <string.h>

static void rules_log_complaint(void *arg, unsigned line, const char *text)
{
	slurm_error("leeway: job_submit: %s:%u: tag.rules: %s; the rule is left out",
		    (const char *)arg, line, text);
}

/* What the mistake is the scheduler plugin says, and leeway check. */
static void rules_log_refusal(const char *path, const struct lw_mistakes *mistakes,
			      const struct lw_error *err)
{
	uint32_t first = 0;

	while (first < mistakes->count && mistakes->mistake[first].rule)
		first++;
	if (first < mistakes->count)
		slurm_error("leeway: job_submit: %s:%u: has a mistake; using the built-in rules "
			    "alone (leeway check tells more)",
			    path, mistakes->mistake[first].line);
	else
		slurm_error("leeway: job_submit: %s; using the built-in rules alone", err->text);
}

/* Without the file, or with a mistake in it, there are the built-in rules. */
static int rules_load_config(char *path, struct lw_config *ret_config)
{
	struct lw_mistakes mistakes = { .count = 0 };
	struct lw_error err = { "" };
	int rc = lw_config_load(path, ret_config, &mistakes, &err);

	if (rc)
		lw_config_default(ret_config);
	if (rc && rc != -ENOENT)
		rules_log_refusal(path, &mistakes, &err);
	for (uint32_t i = 0; !rc && i < mistakes.count; i++)
		rules_log_complaint(path, mistakes.mistake[i].line, mistakes.mistake[i].what);
	lw_mistakes_fini(&mistakes);
	return rc;
}

static void rules_read_file(struct lw_submit_rules *rules, char *path)
{
	uint32_t taken;

	if (rules_load_config(path, &rules->config))
		return;
	taken = lw_tag_rules_take(rules->rules, &rules->config.tag_rules, rules_log_complaint,
				  path);
	if (taken)
		slurm_info("leeway: job_submit: %s: %u rules taken", path, taken);
}

void lw_submit_rules_init(struct lw_submit_rules *rules)
{
	char name[] = "leeway.yaml";
	char *path;

	lw_config_default(&rules->config);
	if (lw_tag_rules_create(&rules->rules)) {
		rules->rules = NULL;
		slurm_error("leeway: job_submit: out of memory, jobs get no tag");
		return;
	}
	path = get_extra_conf_path(name);
	if (path)
		rules_read_file(rules, path);
	slurm_xfree((void **)&path);
}

void lw_submit_rules_fini(struct lw_submit_rules *rules)
{
	lw_tag_rules_destroy(rules->rules);
	rules->rules = NULL;
	lw_config_fini(&rules->config);
}
