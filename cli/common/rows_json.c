/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the jobs of sacct --json and of squeue --json, in the texts that these print without
 * it. */
#include "cli/common/rows.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Room for a name in a path of rows.def. */
#define KEY_MAX 32

static const char *const paths[LW_COLUMNS] = {
#define LW_COLUMN(column, member, sacct, others, squeue, form, json) [LW_COL_##column] = json,
#include "cli/common/rows.def"
#undef LW_COLUMN
};

int lw_rows_json_begin(struct lw_rows *rows, struct lw_error *err)
{
	const char *path = rows->table.path;
	json_error_t why;

	rows->root = json_loads(rows->table.lines.text, 0, &why);
	if (!rows->root)
		return lw_error_set(err, -EINVAL, "%s:%d:%d: %s", path, why.line, why.column,
				    why.text);
	rows->jobs = json_object_get(rows->root, "jobs");
	if (json_is_array(rows->jobs))
		return 0;
	return lw_error_set(err, -EINVAL,
			    "%s:1: no list \"jobs\": print it with sacct --json or squeue --json",
			    path);
}

/* The first of PATHS, "time/start|start_time", that JOB has; NULL: none. */
static const json_t *find_path(const json_t *job, const char *these)
{
	const json_t *at = NULL;

	while (!at && *these) {
		for (at = job; at && *these && *these != '|';) {
			size_t len = strcspn(these, "/|");
			char key[KEY_MAX];

			snprintf(key, sizeof(key), "%.*s", (int)len, these);
			at = json_object_get(at, key);
			these += len + (these[len] == '/');
		}
		these += strcspn(these, "|");
		these += *these == '|';
	}
	return at;
}

/* A number, which newer releases print as { "set", "infinite", "number" }; -1: none. */
static json_int_t number_of(const json_t *value)
{
	if (json_is_object(value)) {
		const json_t *set = json_object_get(value, "set");

		if (set && !json_is_true(set))
			return -1;
		value = json_object_get(value, "number");
	}
	return json_is_integer(value) ? json_integer_value(value) : -1;
}

/* One line of text: a name may have several. */
static void add_text(struct lw_strbuf *to, const char *text)
{
	size_t begin = to->len;

	lw_strbuf_add(to, "%s", text);
	for (size_t i = begin; !to->error && i < to->len; i++)
		if (iscntrl((unsigned char)to->text[i]))
			to->text[i] = ' ';
}

/* "gres/gpu:a100=2" of { "type", "name", "count" }. */
static void add_resource(struct lw_strbuf *to, const json_t *tres)
{
	const char *type = json_string_value(json_object_get(tres, "type"));
	const char *name = json_string_value(json_object_get(tres, "name"));
	bool mem = type && !strcmp(type, "mem");

	if (!type)
		return;
	add_text(to, type);
	if (name && *name) {
		lw_strbuf_add(to, "/");
		add_text(to, name);
	}
	lw_strbuf_add(to, "=%" JSON_INTEGER_FORMAT "%s",
		      number_of(json_object_get(tres, "count")), mem ? "M" : "");
}

/* The scheduler that started the job, as the column Flags of sacct names it. */
static const char *flag_name(const char *flag)
{
	static const struct {
		const char *json, *text;
	} names[] = {
		{ "STARTED_ON_SUBMIT", "SchedSubmit" },
		{ "STARTED_ON_SCHEDULE", "SchedMain" },
		{ "STARTED_ON_BACKFILL", "SchedBackfill" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(flag, names[i].json) == 0)
			return names[i].text;
	return flag;
}

/* A list of texts or of resources, parted by commas. */
static void add_list(struct lw_strbuf *to, const json_t *list)
{
	const json_t *item;
	size_t i;

	json_array_foreach(list, i, item)
	{
		lw_strbuf_add(to, "%s", i ? "," : "");
		if (json_is_string(item))
			add_text(to, flag_name(json_string_value(item)));
		else
			add_resource(to, item);
	}
}

static void add_value(struct lw_strbuf *to, const json_t *value)
{
	if (json_is_string(value))
		add_text(to, json_string_value(value));
	else if (json_is_array(value))
		add_list(to, value);
	else if (json_is_true(json_object_get(value, "infinite")))
		lw_strbuf_add(to, "UNLIMITED");
	else if (number_of(value) >= 0 || json_is_integer(value))
		lw_strbuf_add(to, "%" JSON_INTEGER_FORMAT, number_of(value));
}

/* "12", "12_3", "12_[4-9%2]", "12+1" */
static void add_id(struct lw_strbuf *to, const json_t *job)
{
	json_int_t array = number_of(find_path(job, "array/job_id|array_job_id"));
	json_int_t task = number_of(find_path(job, "array/task_id|array_task_id"));
	json_int_t het = number_of(find_path(job, "het/job_id|het_job_id"));
	json_int_t offset = number_of(find_path(job, "het/job_offset|het_job_offset"));
	const char *tasks = json_string_value(find_path(job, "array/task|array_task_string"));

	if (array > 0 && tasks && *tasks) {
		lw_strbuf_add(to, "%" JSON_INTEGER_FORMAT "_[", array);
		add_text(to, tasks);
		lw_strbuf_add(to, "]");
	} else if (array > 0 && task >= 0) {
		lw_strbuf_add(to, "%" JSON_INTEGER_FORMAT "_%" JSON_INTEGER_FORMAT, array, task);
	} else if (het > 0 && offset >= 0) {
		lw_strbuf_add(to, "%" JSON_INTEGER_FORMAT "+%" JSON_INTEGER_FORMAT, het, offset);
	} else {
		add_value(to, json_object_get(job, "job_id"));
	}
}

/* sacct tells how many CPUs a job had among its resources alone. */
static void add_cpus(struct lw_strbuf *to, const json_t *job)
{
	struct lw_strbuf tres = LW_STRBUF_INIT;
	int64_t cpus;

	add_value(&tres, find_path(job, "tres/allocated"));
	cpus = lw_sacct_tres(lw_strbuf_text(&tres), "cpu");
	if (cpus)
		lw_strbuf_add(to, "%" JSON_INTEGER_FORMAT, (json_int_t)cpus);
	else
		add_value(to, find_path(job, paths[LW_COL_CPUS]));
	to->error = to->error ? to->error : tres.error;
	lw_strbuf_fini(&tres);
}

static void add_column(struct lw_strbuf *to, const json_t *job, enum lw_column column)
{
	const json_t *value = find_path(job, paths[column]);

	if (column == LW_COL_JOB)
		add_id(to, job);
	else if (column == LW_COL_CPUS)
		add_cpus(to, job);
	else if (column == LW_COL_STATE && json_is_array(value))
		/* RUNNING and COMPLETING: the last one is what squeue prints */
		add_value(to, json_array_get(value, json_array_size(value) - 1));
	else
		add_value(to, value);
}

int lw_rows_json_next(struct lw_rows *rows, struct lw_row *row, struct lw_error *err)
{
	const json_t *job = json_array_get(rows->jobs, rows->next);
	size_t begins[LW_COLUMNS];

	if (!job)
		return 0;
	rows->table.line = (uint32_t)++rows->next;
	rows->table.taken++;
	if (!json_is_object(job) || number_of(json_object_get(job, "job_id")) < 0)
		return lw_error_set(err, -EINVAL, "it is no job: it has no number \"job_id\"");
	rows->texts.len = 0;
	for (int c = 0; c < LW_COLUMNS; c++) {
		begins[c] = rows->texts.len;
		if (rows->at[c] >= 0)
			add_column(&rows->texts, job, (enum lw_column)c);
		lw_strbuf_add_bytes(&rows->texts, "", 1);
	}
	if (rows->texts.error)
		return -ENOMEM;
	for (int c = 0; c < LW_COLUMNS; c++)
		row->text[c] = rows->texts.text + begins[c];
	return 1;
}
