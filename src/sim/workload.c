/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the workload a replay submits, as text (lw-workload(5)). */
#include "sim/workload.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "sim/lines.h"

#define MAGIC	"#lw-workload 1"
#define COLUMNS 12
#define TIME_MAX_S (INT64_C(100) * 366 * 86400)

static const char *const kind_names[LW_WORKLOAD_KINDS] = {
	"hpc", "train1", "gang", "sweep", "infer", "notebook",
};

static const char *const column_names[COLUMNS] = {
	"submit_s", "user", "nodes", "gpus_per_node", "cpus_per_node", "mem_mib_per_node",
	"limit_s", "run_s", "cancel_s", "array", "kind", "name",
};

const char *lw_workload_kind_name(enum lw_workload_kind kind)
{
	return kind < LW_WORKLOAD_KINDS ? kind_names[kind] : "?";
}

void lw_workload_fini(struct lw_workload *workload)
{
	free(workload->jobs);
	memset(workload, 0, sizeof(*workload));
}

int lw_workload_add(struct lw_workload *workload, const struct lw_workload_job *job)
{
	int rc = lw_grow((void **)&workload->jobs, &workload->room, workload->job_count + 1,
			 sizeof(*job));

	if (!rc)
		workload->jobs[workload->job_count++] = *job;
	return rc;
}

static bool comes_before(const struct lw_workload_job *a, const struct lw_workload_job *b)
{
	if (a->submit_s != b->submit_s)
		return a->submit_s < b->submit_s;
	return a->array < b->array;
}

/* Merge sort: stable, so that equal jobs keep their order on every machine. */
static void merge_sort(struct lw_workload_job *jobs, struct lw_workload_job *scratch, size_t n)
{
	size_t half = n / 2, left = 0, right = half, at = 0;

	if (n < 2)
		return;
	merge_sort(jobs, scratch, half);
	merge_sort(jobs + half, scratch, n - half);
	memcpy(scratch, jobs, n * sizeof(*jobs));
	while (left < half || right < n) {
		bool take_right = left == half ||
				  (right < n && comes_before(&scratch[right], &scratch[left]));

		jobs[at++] = scratch[take_right ? right++ : left++];
	}
}

int lw_workload_sort(struct lw_workload *workload)
{
	struct lw_workload_job *scratch;

	if (workload->job_count < 2)
		return 0;
	scratch = calloc(workload->job_count, sizeof(*scratch));
	if (!scratch)
		return -ENOMEM;
	merge_sort(workload->jobs, scratch, workload->job_count);
	free(scratch);
	return 0;
}

static int bad_field(struct lw_error *err, int column, const char *text, const char *want)
{
	return lw_error_set(err, -EINVAL, "field %d (%s): \"%s\" is not %s", column + 1,
			    column_names[column], text, want);
}

static int read_number(char **fields, int column, int64_t min, int64_t max, int64_t *ret_value,
		       struct lw_error *err)
{
	const char *text = fields[column];
	char want[64], *end;
	long long value;

	errno = 0;
	value = strtoll(text, &end, 10);
	if (end == text || *end || errno || isspace((unsigned char)*text) || value < min ||
	    value > max) {
		snprintf(want, sizeof(want), "a whole number of %" PRId64 " to %" PRId64, min, max);
		return bad_field(err, column, text, want);
	}
	*ret_value = value;
	return 0;
}

/* "-" or a number. */
static int read_optional(char **fields, int column, int64_t *ret_value, struct lw_error *err)
{
	if (strcmp(fields[column], "-") == 0) {
		*ret_value = LW_WORKLOAD_NEVER;
		return 0;
	}
	return read_number(fields, column, 0, TIME_MAX_S, ret_value, err);
}

/* Names end up on command lines and in job names: letters, digits and "._-" only. */
static int read_name(char **fields, int column, char *ret_name, struct lw_error *err)
{
	const char *text = fields[column];
	size_t len = strlen(text);

	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("._-", text[i]))
			return bad_field(err, column, text, "made of A-Z a-z 0-9 . _ -");
	if (!len || len >= LW_WORKLOAD_NAME_MAX || text[0] == '-')
		return bad_field(err, column, text, "a name of 1 to 47 characters");
	memcpy(ret_name, text, len + 1);
	return 0;
}

static int read_kind(char **fields, int column, enum lw_workload_kind *ret_kind,
		     struct lw_error *err)
{
	for (int i = 0; i < LW_WORKLOAD_KINDS; i++) {
		if (strcmp(fields[column], kind_names[i]) == 0) {
			*ret_kind = (enum lw_workload_kind)i;
			return 0;
		}
	}
	return bad_field(err, column, fields[column], "a kind of job (hpc, train1, gang, ...)");
}

static int read_numbers(char **f, struct lw_workload_job *job, struct lw_error *err)
{
	int64_t nodes = 0, gpus = 0, cpus = 0;
	int rc = read_number(f, 0, 0, TIME_MAX_S, &job->submit_s, err);

	if (!rc)
		rc = read_number(f, 2, 1, 1000000, &nodes, err);
	if (!rc)
		rc = read_number(f, 3, 0, 1000, &gpus, err);
	if (!rc)
		rc = read_number(f, 4, 1, 100000, &cpus, err);
	if (!rc)
		rc = read_number(f, 5, 0, INT64_C(1) << 40, &job->mem_mib_per_node, err);
	if (!rc)
		rc = read_number(f, 6, 60, TIME_MAX_S, &job->limit_s, err);
	if (!rc)
		rc = read_number(f, 7, 0, TIME_MAX_S, &job->run_s, err);
	job->nodes = (uint32_t)nodes;
	job->gpus_per_node = (uint32_t)gpus;
	job->cpus_per_node = (uint32_t)cpus;
	return rc;
}

static int parse_job(char *line, struct lw_workload_job *job, struct lw_error *err)
{
	char *f[COLUMNS];
	uint32_t n = lw_lines_split(line, '\t', f, COLUMNS);
	int rc;

	if (n != COLUMNS)
		return lw_error_set(err, -EINVAL, "%" PRIu32 " fields, %d wanted", n, COLUMNS);
	memset(job, 0, sizeof(*job));
	rc = read_numbers(f, job, err);
	if (!rc && job->limit_s % 60)
		rc = bad_field(err, 6, f[6], "whole minutes");
	if (!rc)
		rc = read_optional(f, 8, &job->cancel_s, err);
	if (!rc)
		rc = read_optional(f, 9, &job->array, err);
	if (!rc)
		rc = read_name(f, 1, job->user, err);
	if (!rc)
		rc = read_kind(f, 10, &job->kind, err);
	if (!rc)
		rc = read_name(f, 11, job->name, err);
	return rc;
}

/* The jobs of one array are one sbatch: they must agree in what sbatch is told. */
static bool fits_array(const struct lw_workload_job *a, const struct lw_workload_job *b)
{
	return a->submit_s == b->submit_s && a->nodes == b->nodes &&
	       a->gpus_per_node == b->gpus_per_node && a->cpus_per_node == b->cpus_per_node &&
	       a->mem_mib_per_node == b->mem_mib_per_node && a->limit_s == b->limit_s &&
	       a->kind == b->kind && strcmp(a->user, b->user) == 0 &&
	       strcmp(a->name, b->name) == 0;
}

static int add_line(struct lw_workload *workload, char *line, struct lw_error *err)
{
	const struct lw_workload_job *last =
		workload->job_count ? &workload->jobs[workload->job_count - 1] : NULL;
	struct lw_workload_job job;
	int rc = parse_job(line, &job, err);

	if (rc)
		return rc;
	if (last && job.submit_s < last->submit_s)
		return lw_error_set(err, -EINVAL, "field 1 (submit_s): before the line above");
	if (last && job.array != LW_WORKLOAD_NEVER && job.array == last->array &&
	    !fits_array(last, &job))
		return lw_error_set(err, -EINVAL,
				    "field 10 (array): differs from the line above in more than "
				    "run_s and cancel_s");
	if (lw_workload_add(workload, &job))
		return lw_error_set(err, -ENOMEM, "out of memory");
	return 0;
}

static int read_lines(struct lw_workload *workload, struct lw_lines *lines, struct lw_error *err)
{
	char *line = lw_lines_next(lines);
	int rc = 0;

	if (!line || strcmp(line, MAGIC) != 0)
		return lw_error_set(err, -EINVAL, "the first line is not \"" MAGIC "\"");
	while (!rc && (line = lw_lines_next(lines)))
		if (*line && *line != '#')
			rc = add_line(workload, line, err);
	return rc;
}

int lw_workload_read(struct lw_workload *workload, const char *path, struct lw_error *err)
{
	struct lw_lines lines;
	int rc;

	memset(workload, 0, sizeof(*workload));
	rc = lw_lines_open(&lines, path, err);
	if (rc)
		return rc;
	rc = read_lines(workload, &lines, err);
	if (rc) {
		lw_error_prefix(err, rc, "%s:%" PRIu32 ": ", path,
				lines.number ? lines.number : 1);
		lw_workload_fini(workload);
	}
	lw_lines_fini(&lines);
	return rc;
}

static void write_optional(int64_t value, FILE *out)
{
	if (value == LW_WORKLOAD_NEVER)
		fputs("-\t", out);
	else
		fprintf(out, "%" PRId64 "\t", value);
}

int lw_workload_write(const struct lw_workload *workload, const char *comments, FILE *out)
{
	fprintf(out, "%s\n%s#", MAGIC, comments ? comments : "");
	for (int i = 0; i < COLUMNS; i++)
		fprintf(out, "%c%s", i ? '\t' : ' ', column_names[i]);
	fputc('\n', out);
	for (uint32_t i = 0; i < workload->job_count; i++) {
		const struct lw_workload_job *j = &workload->jobs[i];

		fprintf(out,
			"%" PRId64 "\t%s\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRId64
			"\t%" PRId64 "\t%" PRId64 "\t",
			j->submit_s, j->user, j->nodes, j->gpus_per_node, j->cpus_per_node,
			j->mem_mib_per_node, j->limit_s, j->run_s);
		write_optional(j->cancel_s, out);
		write_optional(j->array, out);
		fprintf(out, "%s\t%s\n", kind_names[j->kind], j->name);
	}
	return ferror(out) ? -EIO : 0;
}
