/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the workload a replay submits, as text (lw-workload(5)). */
#include "measure/workload.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/search.h"
#include "measure/workload_machine.h"
#include "measure/workload_words.h"

#define MAGIC      "#lw-workload "
#define VERSIONS   2
#define COLUMNS    12
#define RUN_COLUMN 7
#define ARRAY_MAX  1000

static const char *const kind_names[LW_WORKLOAD_KINDS] = {
	"hpc", "train1", "gang", "sweep", "infer", "notebook",
};

static const char *const column_names[COLUMNS] = {
	"submit_s",      "user",          "nodes",
	"gpus_per_node", "cpus_per_node", "mem_mib_per_node",
	"limit_s",       "run_s",         "cancel_s",
	"array",         "kind",          "name",
};

const char *lw_workload_kind_name(enum lw_workload_kind kind)
{
	return kind < LW_WORKLOAD_KINDS ? kind_names[kind] : "?";
}

void lw_workload_fini(struct lw_workload *workload)
{
	free(workload->jobs);
	free(workload->afters);
	free(workload->ids);
	memset(workload, 0, sizeof(*workload));
}

int lw_workload_add(struct lw_workload *workload, const struct lw_workload_job *job)
{
	int rc = lw_grow((void **)&workload->jobs, &workload->room,
			 workload->job_count + 1, sizeof(*job));

	if (!rc)
		workload->jobs[workload->job_count++] = *job;
	return rc;
}

int lw_workload_add_after(struct lw_workload *workload, struct lw_workload_job *job,
			  struct lw_after after)
{
	if (lw_grow((void **)&workload->afters, &workload->after_room, workload->after_count + 1,
		    sizeof(after)))
		return -ENOMEM;
	if (!job->after_count++)
		job->first_after = workload->after_count;
	workload->afters[workload->after_count++] = after;
	return 0;
}

int lw_workload_add_id(struct lw_workload *workload, uint32_t id, uint32_t first, uint32_t tasks)
{
	if (workload->id_count && workload->ids[workload->id_count - 1].id >= id)
		return -EINVAL;
	if (lw_grow((void **)&workload->ids, &workload->id_room, workload->id_count + 1,
		    sizeof(*workload->ids)))
		return -ENOMEM;
	workload->ids[workload->id_count++] = (struct lw_workload_id){ id, first, tasks };
	return 0;
}

const struct lw_workload_id *lw_workload_find(const struct lw_workload *workload, uint32_t id)
{
	uint32_t at;

	LW_SEARCH(at, workload->id_count, workload->ids[at].id < id);
	return at < workload->id_count && workload->ids[at].id == id ? &workload->ids[at] : NULL;
}

static bool comes_before(const struct lw_workload_job *a, const struct lw_workload_job *b)
{
	if (a->submit_s != b->submit_s)
		return a->submit_s < b->submit_s;
	return a->array < b->array;
}

/* Merge sort: stable, so that equal jobs keep their order on every machine. */
static void merge_sort(struct lw_workload_job *jobs, struct lw_workload_job *scratch,
		       size_t n)
{
	size_t half = n / 2, left = 0, right = half, at = 0;

	if (n < 2)
		return;
	merge_sort(jobs, scratch, half);
	merge_sort(jobs + half, scratch, n - half);
	memcpy(scratch, jobs, n * sizeof(*jobs));
	while (left < half || right < n) {
		bool take_right =
			left == half ||
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

static int read_number(char **fields, int column, int64_t min, int64_t max,
		       int64_t *ret_value, struct lw_error *err)
{
	const char *text = fields[column];
	char want[64], *end;
	long long value;

	errno = 0;
	value = strtoll(text, &end, 10);
	if (end == text || *end || errno || isspace((unsigned char)*text) ||
	    value < min || value > max) {
		snprintf(want, sizeof(want), "a whole number of %" PRId64 " to %" PRId64,
			 min, max);
		return bad_field(err, column, text, want);
	}
	*ret_value = value;
	return 0;
}

/* "-" or a number. */
static int read_optional(char **fields, int column, int64_t *ret_value,
			 struct lw_error *err)
{
	if (strcmp(fields[column], "-") == 0) {
		*ret_value = LW_WORKLOAD_NEVER;
		return 0;
	}
	return read_number(fields, column, 0, LW_WORKLOAD_TIME_MAX_S, ret_value, err);
}

const char *lw_workload_take_name(const char *text, char ret_name[LW_WORKLOAD_NAME_MAX])
{
	size_t len = strlen(text);

	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("._-", text[i]))
			return "made of A-Z a-z 0-9 . _ -";
	if (!len || len >= LW_WORKLOAD_NAME_MAX || text[0] == '-')
		return "a name of 1 to 47 characters";
	memcpy(ret_name, text, len + 1);
	return NULL;
}

static int read_name(char **fields, int column, char *ret_name, struct lw_error *err)
{
	const char *want = lw_workload_take_name(fields[column], ret_name);

	return want ? bad_field(err, column, fields[column], want) : 0;
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
	return bad_field(err, column, fields[column],
			 "a kind of job (hpc, train1, gang, ...)");
}

static int read_numbers(char **f, struct lw_workload_job *job, struct lw_error *err)
{
	int64_t user = 0, nodes = 0, gpus = 0, cpus = 0;
	int rc = read_number(f, 0, 0, LW_WORKLOAD_TIME_MAX_S, &job->submit_s, err);

	if (!rc)
		rc = read_number(f, 1, 0, INT32_MAX, &user, err);
	if (!rc)
		rc = read_number(f, 2, 1, LW_WORKLOAD_NODES_MAX, &nodes, err);
	if (!rc)
		rc = read_number(f, 3, 0, LW_WORKLOAD_GPUS_MAX, &gpus, err);
	if (!rc)
		rc = read_number(f, 4, 1, LW_WORKLOAD_CPUS_MAX, &cpus, err);
	if (!rc)
		rc = read_number(f, 5, 0, LW_WORKLOAD_MEM_MAX, &job->mem_mib_per_node, err);
	if (!rc)
		rc = read_number(f, 6, 60, LW_WORKLOAD_TIME_MAX_S, &job->limit_s, err);
	job->user = (uint32_t)user;
	job->nodes = (uint32_t)nodes;
	job->gpus_per_node = (uint32_t)gpus;
	job->cpus_per_node = (uint32_t)cpus;
	return rc;
}

/* All but the run times. */
static int parse_job(char **f, struct lw_workload_job *job, int64_t *ret_tasks,
		     struct lw_error *err)
{
	int rc;

	memset(job, 0, sizeof(*job));
	job->array = LW_WORKLOAD_NEVER;
	rc = read_numbers(f, job, err);
	if (!rc && job->limit_s % 60)
		rc = bad_field(err, 6, f[6], "whole minutes");
	if (!rc)
		rc = read_optional(f, 8, &job->cancel_s, err);
	if (!rc && strcmp(f[9], "-") == 0)
		*ret_tasks = 1;
	else if (!rc)
		rc = read_number(f, 9, 2, ARRAY_MAX, ret_tasks, err);
	if (!rc)
		rc = read_kind(f, 10, &job->kind, err);
	if (!rc)
		rc = read_name(f, 11, job->name, err);
	return rc;
}

/* Field 8 of an array: one run time for all tasks, or "5,7,9": one each. */
static int add_tasks(struct lw_workload *workload, char **f, struct lw_workload_job *job,
		     uint32_t tasks, struct lw_error *err)
{
	char *runs[ARRAY_MAX];
	uint32_t n = lw_lines_split(f[RUN_COLUMN], ',', runs, ARRAY_MAX);
	int rc = 0;

	if (n != 1 && n != tasks)
		return lw_error_set(err, -EINVAL,
				    "field 8 (run_s): %" PRIu32 " run times for %" PRIu32
				    " tasks",
				    n, tasks);
	for (uint32_t i = 0; !rc && i < tasks; i++) {
		f[RUN_COLUMN] = runs[n == 1 ? 0 : i];
		rc = read_number(f, RUN_COLUMN, 0, LW_WORKLOAD_TIME_MAX_S, &job->run_s, err);
		if (!rc && lw_workload_add(workload, job))
			rc = lw_error_set(err, -ENOMEM, "out of memory");
	}
	return rc;
}

/* Has one of the first COUNT fields a blank in it, which none may have? */
static bool has_blank(char *const *fields, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (strchr(fields[i], ' '))
			return true;
	return false;
}

static int check_columns(char *const *fields, uint32_t count, uint32_t most, struct lw_error *err)
{
	if (count < COLUMNS || (count > COLUMNS && most == COLUMNS))
		return lw_error_set(err, -EINVAL, "%" PRIu32 " field%s, %d wanted%s", count,
				    count == 1 ? "" : "s", COLUMNS,
				    has_blank(fields, count < most ? count : most)
					    ? ": tabs part them, not blanks"
					    : "");
	if (count > most)
		return lw_error_set(err, -EINVAL, "%" PRIu32 " fields, at most %" PRIu32 " wanted",
				    count, most);
	return 0;
}

static int add_line(struct lw_workload *workload, int version, char *line, struct lw_error *err)
{
	char *f[COLUMNS + LW_WORKLOAD_WORDS_MAX];
	uint32_t most = COLUMNS + (version > 1 ? LW_WORKLOAD_WORDS_MAX : 0);
	uint32_t n = lw_lines_split(line, '\t', f, most), count = workload->job_count;
	struct lw_workload_job job;
	int64_t tasks = 1;
	int rc = check_columns(f, n, most, err);

	if (!rc)
		rc = parse_job(f, &job, &tasks, err);
	if (!rc && n > COLUMNS)
		rc = lw_workload_read_words(workload, &job, (uint32_t)tasks, f + COLUMNS,
					    n - COLUMNS, err);
	if (rc)
		return rc;
	if (count && job.submit_s < workload->jobs[count - 1].submit_s)
		return lw_error_set(err, -EINVAL,
				    "field 1 (submit_s): before the line above");
	/* any number that no other array has: the place of its first task */
	if (tasks > 1)
		job.array = count;
	return add_tasks(workload, f, &job, (uint32_t)tasks, err);
}

/* The version that the first line says; 0: it is none. */
static int version_of(const char *line)
{
	size_t len = strlen(MAGIC);
	char *end;
	long version;

	if (strncmp(line, MAGIC, len) != 0 || !isdigit((unsigned char)line[len]))
		return 0;
	version = strtol(line + len, &end, 10);
	return version < 1 || version > 999 || !strchr("\r\n", *end) ? 0 : (int)version;
}

static int read_version(const char *line, int *ret_version, struct lw_error *err)
{
	*ret_version = line ? version_of(line) : 0;
	if (!*ret_version)
		return lw_error_set(err, -EINVAL,
				    "the first line is not \"" MAGIC "1\" or \"" MAGIC "2\"");
	if (*ret_version > VERSIONS)
		return lw_error_set(err, -EINVAL,
				    "version %d of lw-workload is of a later Leeway: this one "
				    "reads 1 to %d",
				    *ret_version, VERSIONS);
	return 0;
}

static int read_lines(struct lw_workload *workload, struct lw_lines *lines,
		      struct lw_error *err)
{
	char *line = lw_lines_next(lines);
	int version, rc = read_version(line, &version, err);

	while (!rc && (line = lw_lines_next(lines))) {
		if (lw_workload_is_machine(line))
			rc = lw_workload_read_machine(workload, line, err);
		else if (*line && *line != '#')
			rc = add_line(workload, version, line, err);
	}
	return rc;
}

bool lw_workload_is(const struct lw_lines *lines)
{
	return lines->next && version_of(lines->next);
}

int lw_workload_parse(struct lw_workload *workload, struct lw_lines *lines, const char *path,
		      struct lw_error *err)
{
	int rc;

	memset(workload, 0, sizeof(*workload));
	rc = read_lines(workload, lines, err);
	if (rc) {
		lw_error_prefix(err, rc, "%s:%" PRIu32 ": ", path,
				lines->number ? lines->number : 1);
		lw_workload_fini(workload);
	}
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
	rc = lw_workload_parse(workload, &lines, path, err);
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

/* How many jobs from FIRST on are tasks of one array; 1 for a job of its own. */
static uint32_t count_tasks(const struct lw_workload *workload, uint32_t first)
{
	int64_t array = workload->jobs[first].array;
	uint32_t end = first + 1;

	while (array != LW_WORKLOAD_NEVER && end < workload->job_count &&
	       workload->jobs[end].array == array)
		end++;
	return end - first;
}

static void write_runs(const struct lw_workload_job *tasks, uint32_t count, FILE *out)
{
	bool alike = true;

	for (uint32_t i = 1; i < count; i++)
		alike = alike && tasks[i].run_s == tasks[0].run_s;
	for (uint32_t i = 0; i < (alike ? 1 : count); i++)
		fprintf(out, "%s%" PRId64, i ? "," : "", tasks[i].run_s);
	fputc('\t', out);
}

/* The least version that a reader needs. */
static int version_needed(const struct lw_workload *workload)
{
	for (uint32_t i = 0; i < workload->job_count; i++)
		if (lw_workload_has_words(&workload->jobs[i]))
			return 2;
	return 1;
}

int lw_workload_write(const struct lw_workload *workload, const char *comments, FILE *out)
{
	uint32_t tasks;

	fprintf(out, MAGIC "%d\n%s", version_needed(workload), comments ? comments : "");
	lw_workload_write_machine(workload, out);
	fputc('#', out);
	for (int i = 0; i < COLUMNS; i++)
		fprintf(out, "%s%s", i ? "\t" : "", column_names[i]);
	fputc('\n', out);
	for (uint32_t i = 0; i < workload->job_count; i += tasks) {
		const struct lw_workload_job *j = &workload->jobs[i];

		tasks = count_tasks(workload, i);
		fprintf(out,
			"%" PRId64 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32
			"\t%" PRId64 "\t%" PRId64 "\t",
			j->submit_s, j->user, j->nodes, j->gpus_per_node,
			j->cpus_per_node, j->mem_mib_per_node, j->limit_s);
		write_runs(j, tasks, out);
		write_optional(j->cancel_s, out);
		write_optional(tasks > 1 ? (int64_t)tasks : LW_WORKLOAD_NEVER, out);
		fprintf(out, "%s\t%s", kind_names[j->kind], j->name);
		lw_workload_write_words(workload, j, out);
		fputc('\n', out);
	}
	return ferror(out) ? -EIO : 0;
}
