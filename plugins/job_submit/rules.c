/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the rules of job_submit/leeway: the built-in ones, and those of leeway.yaml. */
#include "job_submit/rules.h"

#include "job_submit/slurm_private.h"

#include <errno.h>
#include <string.h>

static void log_complaint(void *arg, unsigned line, const char *text)
{
	slurm_error("leeway: job_submit: %s:%u: tag.rules: %s; the rule is left out",
		    (const char *)arg, line, text);
}

/* Those about the form of rules, one a line. */
static void log_lines(const char *text)
{
	while (text && *text) {
		size_t len = strcspn(text, "\n");

		slurm_error("leeway: job_submit: %.*s; the rule is left out", (int)len, text);
		text += len;
		text += *text == '\n';
	}
}

static void read_file(struct lw_submit_rules *rules, char *path)
{
	struct lw_error err = { "" };
	uint32_t taken;
	int rc = lw_config_load(path, &rules->config, &err);

	if (rc) {
		lw_config_default(&rules->config);
		if (rc != -ENOENT)
			slurm_error("leeway: job_submit: %s; using the built-in rules alone",
				    err.text);
		return;
	}
	log_lines(rules->config.tag_rules.complaints);
	taken = lw_tag_rules_take(rules->rules, &rules->config.tag_rules, log_complaint, path);
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
		read_file(rules, path);
	slurm_xfree((void **)&path);
}

void lw_submit_rules_fini(struct lw_submit_rules *rules)
{
	lw_tag_rules_destroy(rules->rules);
	rules->rules = NULL;
	lw_config_fini(&rules->config);
}
