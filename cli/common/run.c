/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what one replay left behind: meta data, and the whole of it. */
#include "cli/common/run.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "base/strbuf.h"
#include "cli/common/origin.h"
#include "cli/common/tools.h"
#include "measure/lines.h"
#include "measure/workload.h"

/* as many jobs, or microseconds, as there may be of one kind */
#define COUNT_MAX UINT32_MAX

static void set_text(const json_t *meta, const char *key, char **ret_text)
{
	const json_t *value = json_object_get(meta, key);

	/* "unknown" without memory: a label is not worth a failure */
	if (json_is_string(value))
		*ret_text = strdup(json_string_value(value));
}

static bool is_text(const json_t *value, const char *text)
{
	return json_is_string(value) && !strcmp(json_string_value(value), text);
}

/* A whole number of up to MOST; one that is not there stays what it is. */
static int set_number(const json_t *meta, const char *key, int64_t most, int64_t *ret_value,
		      struct lw_error *err)
{
	const json_t *value = json_object_get(meta, key);
	double number = json_number_value(value);

	if (!value || json_is_null(value))
		return 0;
	if (!json_is_number(value) || !(number >= 0 && number <= (double)most) ||
	    (double)(int64_t)number != number)
		return lw_error_set(err, -EINVAL, "%s is no whole number of 0 to %" PRId64, key,
				    most);
	*ret_value = (int64_t)number;
	return 0;
}

static int set_numbers(const json_t *meta, struct lw_run *run, struct lw_error *err)
{
	const struct {
		const char *key;
		int64_t most, *value;
	} numbers[] = {
		{ "nodes", LW_WORKLOAD_NODES_MAX, &run->nodes },
		{ "gpus_per_node", LW_WORKLOAD_GPUS_MAX, &run->gpus_per_node },
		{ "cpus_per_node", LW_WORKLOAD_CPUS_MAX, &run->cpus_per_node },
		{ "mem_mib_per_node", UINT32_MAX, &run->mem_mib_per_node },
		/* sacct has a row a task; "jobs" counts an array as one */
		{ "jobs", UINT32_MAX, &run->submitted },
		{ "tasks", UINT32_MAX, &run->submitted },
	};
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof(numbers) / sizeof(numbers[0]); i++)
		rc = set_number(meta, numbers[i].key, numbers[i].most, numbers[i].value, err);
	return rc;
}

static int load_meta(struct lw_run *run, const char *path, struct lw_error *err)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	json_error_t why;
	json_t *meta;
	int rc = lw_tools_read_text(path, &text, err);

	if (!rc)
		meta = json_loadb(lw_strbuf_text(&text), text.len, 0, &why);
	lw_strbuf_fini(&text);
	if (rc)
		return rc;
	if (!meta)
		return lw_error_set(err, -EINVAL, "%s:%d: %s", path, why.line, why.text);
	if (!json_is_object(meta)) {
		json_decref(meta);
		return lw_error_set(err, -EINVAL, "%s: not a JSON object", path);
	}
	set_text(meta, "label", &run->label);
	set_text(meta, "slurm_version", &run->slurm_version);
	set_text(meta, "workload", &run->workload);
	set_text(meta, "workload_sha256", &run->sha256);
	if (!run->sha256)
		set_text(meta, "sha256", &run->sha256);
	set_text(meta, "measured", &run->started);
	if (!run->started)
		set_text(meta, "started", &run->started);
	run->by_stock = is_text(json_object_get(meta, "sched"), "stock");
	run->factor = json_number_value(json_object_get(meta, "factor"));
	rc = set_numbers(meta, run, err);
	json_decref(meta);
	return rc ? lw_error_prefix(err, rc, "%s: ", path) : 0;
}

/* "Name:  12", what is behind the blanks. */
static int read_behind(const char *colon, int64_t *ret_value)
{
	uint64_t value;

	colon += 1 + strspn(colon + 1, " \t");
	/* releases put words behind some */
	if (!lw_number_take(&colon, COUNT_MAX, &value))
		return -EINVAL;
	*ret_value = (int64_t)value;
	return 0;
}

/* One line of sdiag; what none of ours is stays unread. */
static int read_sdiag(struct lw_run *run, const char *line, bool *in_backfill)
{
	const char *colon = strchr(line, ':');

	if (!strncmp(line, "Main schedule statistics", 24))
		*in_backfill = false;
	else if (!strncmp(line, "Backfilling stats", 17))
		*in_backfill = true;
	else if (colon && !strncmp(line, "Jobs started:", 13))
		return read_behind(colon, &run->sdiag_started);
	else if (colon && !strncmp(line, "Total backfilled jobs (since last slurm", 39))
		return read_behind(colon, &run->sdiag_backfilled);
	else if (colon && !strncmp(line, "Mean cycle:", 11))
		return read_behind(colon, *in_backfill ? &run->sdiag_backfill_mean_us
						       : &run->sdiag_main_mean_us);
	return 0;
}

static int load_sdiag(struct lw_run *run, const char *path, struct lw_error *err)
{
	bool in_backfill = false;
	struct lw_lines lines;
	int rc = lw_lines_open(&lines, path, err);
	const char *line;

	if (rc)
		return rc;
	while (!rc && (line = lw_lines_next(&lines)))
		rc = read_sdiag(run, line + strspn(line, " \t"), &in_backfill);
	if (rc)
		lw_error_set(err, rc, "%s:%" PRIu32 ": no number, or one that no count is", path,
			     lines.number);
	lw_lines_fini(&lines);
	return rc;
}

static int load_promises(struct lw_run *run, const char *path, struct lw_error *err)
{
	int rc = lw_promise_read_totals(path, &run->promises, &run->open_promises, err);

	run->has_promises = !rc;
	return rc;
}

static int load_part(struct lw_run *run, const char *name, bool required,
		     int (*load)(struct lw_run *, const char *, struct lw_error *),
		     struct lw_error *err)
{
	char path[PATH_MAX];
	int rc;

	if (snprintf(path, sizeof(path), "%s/%s", run->dir, name) >= (int)sizeof(path))
		return lw_error_set(err, -ENAMETOOLONG, "%s: path too long", run->dir);
	rc = load(run, path, err);
	if (!rc)
		lw_origin_add_file(path);
	if (rc != -ENOENT || required)
		return rc;
	/* stock has no such file */
	if (load == load_promises && run->by_stock)
		return 0;
	fprintf(stderr, "leeway report: %s is missing: its figures are left out\n",
		lw_tools_plain(path));
	return 0;
}

/* Without a label of its own a run is called after its folder. */
static int set_label(struct lw_run *run)
{
	char *end = run->dir + strlen(run->dir), *slash;

	while (end > run->dir + 1 && end[-1] == '/')
		*--end = '\0';
	if (run->label && *run->label)
		return 0;
	free(run->label);
	slash = strrchr(run->dir, '/');
	run->label = strdup(slash && slash[1] ? slash + 1 : run->dir);
	return run->label ? 0 : -ENOMEM;
}

/* Why there is nothing to read, with what to do; of a fault in the file, as it was said. */
static int explain(const char *dir, int rc, struct lw_error *err)
{
	struct stat st;

	if (rc == -ENOMEM || rc == -ENAMETOOLONG)
		return rc;
	if (stat(dir, &st))
		return lw_error_set(err, rc,
				    "%s: %s: name the folder of a replay, in which sacct.psv is",
				    dir, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return lw_error_set(err, rc,
				    "%s: no folder: name the one of a replay, in which sacct.psv "
				    "is",
				    dir);
	if (rc == -ENOENT)
		return lw_error_set(err, rc,
				    "%s/sacct.psv: not there: it is what sacct -a -X -P prints "
				    "(leeway-report(1))",
				    dir);
	return rc;
}

int lw_run_load(struct lw_run *run, const char *dir, struct lw_error *err)
{
	int rc;

	memset(run, 0, sizeof(*run));
	run->submitted = run->sdiag_started = run->sdiag_backfilled = LW_RUN_NONE;
	run->sdiag_main_mean_us = run->sdiag_backfill_mean_us = LW_RUN_NONE;
	run->late_mean_s = -1;
	run->late_max_s = run->arrivals_s = LW_RUN_NONE;
	run->dir = strdup(dir);
	if (!run->dir)
		return lw_error_set(err, -ENOMEM, "out of memory");
	rc = load_part(run, "sacct.psv", true, lw_run_load_sacct, err);
	if (rc)
		explain(dir, rc, err);
	else
		rc = load_part(run, "meta.json", false, load_meta, err);
	if (!rc)
		rc = load_part(run, "squeue.tsv", false, lw_run_load_squeue, err);
	if (!rc)
		rc = load_part(run, "sdiag.txt", false, load_sdiag, err);
	if (!rc)
		rc = load_part(run, "submitted.tsv", false, lw_run_load_submitted, err);
	if (!rc)
		rc = load_part(run, "leeway_promises", false, load_promises, err);
	if (!rc && set_label(run))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	if (rc)
		lw_run_fini(run);
	return rc;
}

void lw_run_fini(struct lw_run *run)
{
	for (uint32_t i = 0; i < run->job_count; i++) {
		free(run->jobs[i].id);
		free(run->jobs[i].raw_id);
		free(run->jobs[i].name);
		free(run->jobs[i].state);
		free(run->jobs[i].user);
		free(run->jobs[i].account);
		free(run->jobs[i].node_list);
	}
	free(run->jobs);
	lw_run_free_told(run);
	free(run->dir);
	free(run->label);
	free(run->slurm_version);
	free(run->workload);
	free(run->sha256);
	free(run->started);
	memset(run, 0, sizeof(*run));
}
