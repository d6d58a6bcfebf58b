/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: traces in the Standard Workload Format, reader and writer. */
#include "measure/swf.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/search.h"

#define FIELDS 18
#define BIG    INT64_C(1000000000000000)
/* Numbers above it are kept under another one. */
#define SHORT_MAX (INT32_MAX / 2)

enum field_type {
	TYPE_I64,
	TYPE_I32,
	TYPE_I8,
	TYPE_NAME, /* an int32_t: a number of any size, which only names something */
};

/* The 18 fields in their order: name, place, type, and what the standard allows. */
static const struct field {
	const char *name;
	size_t offset;
	enum field_type type;
	int64_t min, max;
	bool fraction; /* the standard, or logs in wide use, have "12.5" here */
} field_table[FIELDS] = {
#define FIELD(name, member, type, min, max, fraction)                                    \
	{                                                                                \
		name, offsetof(struct lw_swf_job, member), type, min, max, fraction      \
	}
	FIELD("job number", number, TYPE_I64, 0, BIG, false),
	FIELD("submit time", submit_s, TYPE_I64, 0, BIG, true),
	FIELD("wait time", wait_s, TYPE_I64, -1, BIG, true),
	FIELD("run time", run_s, TYPE_I64, -1, BIG, true),
	FIELD("allocated processors", procs, TYPE_I32, -1, INT32_MAX, false),
	FIELD("average CPU time", cpu_time_s, TYPE_I64, -1, BIG, true),
	FIELD("used memory", memory_kib, TYPE_I64, -1, BIG, true),
	FIELD("requested processors", requested_procs, TYPE_I32, -1, INT32_MAX, false),
	FIELD("requested time", requested_s, TYPE_I64, -1, BIG, true),
	FIELD("requested memory", requested_kib, TYPE_I64, -1, BIG, true),
	FIELD("status", status, TYPE_I8, -1, 5, false),
	FIELD("user", user, TYPE_NAME, -1, INT64_MAX, false),
	FIELD("group", group, TYPE_NAME, -1, INT64_MAX, false),
	FIELD("application", application, TYPE_NAME, -1, INT64_MAX, false),
	FIELD("queue", queue, TYPE_NAME, -1, INT64_MAX, false),
	FIELD("partition", partition, TYPE_NAME, -1, INT64_MAX, false),
	FIELD("preceding job", preceding, TYPE_I64, -1, BIG, false),
	FIELD("think time", think_s, TYPE_I64, -1, BIG, true),
#undef FIELD
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* One number; traces are large, so no strtoll. False: not a number of that form. */
static bool read_number(const char **p, bool fraction, int64_t *ret_value)
{
	const char *s = *p;
	bool minus = *s == '-';
	int64_t value = 0;

	if (minus)
		s++;
	if (!isdigit((unsigned char)*s))
		return false;
	for (; isdigit((unsigned char)*s); s++)
		value = value <= BIG ? value * 10 + (*s - '0') : value;
	if (*s == '.' && fraction) {
		value += s[1] >= '5' && s[1] <= '9';
		for (s++; isdigit((unsigned char)*s); s++)
			;
	}
	if (*s && !is_blank(*s))
		return false;
	*ret_value = minus ? -value : value;
	*p = s;
	return true;
}

static void swf_store(struct lw_swf_job *job, const struct field *field, int64_t value)
{
	char *at = (char *)job + field->offset;

	if (field->type == TYPE_I64)
		*(int64_t *)at = value;
	else if (field->type == TYPE_I8)
		*(int8_t *)at = (int8_t)value;
	else
		*(int32_t *)at = (int32_t)value;
}

/*
 * Numbers too large for the member are counted down from the largest that it takes, in the order
 * in which they appear: *VALUE becomes that of the number in the LEN bytes at WORD.
 */
static int short_name(struct lw_swf *swf, const char *word, size_t len, int64_t *value)
{
	uint64_t key = lw_hash_mix_bytes(LW_HASH_BEGIN, word, len);
	uint32_t number = swf->names.count;

	if (*value <= SHORT_MAX)
		return 0;
	if (!lw_lookup_get(&swf->names, key, &number) &&
	    (number > INT32_MAX - SHORT_MAX - 1 || lw_lookup_put(&swf->names, key, number)))
		return -ENOMEM;
	*value = INT32_MAX - (int64_t)number;
	return 0;
}

static const char *skip_blanks(const char *p)
{
	while (is_blank(*p))
		p++;
	return p;
}

static int parse_job(struct lw_swf *swf, const char *line, struct lw_swf_job *job,
		     struct lw_error *err)
{
	const char *p = line, *word;
	int64_t value;

	for (int i = 0; i < FIELDS; i++) {
		const struct field *f = &field_table[i];

		p = word = skip_blanks(p);
		if (!*p)
			return lw_error_set(err, -EINVAL,
					    "field %d (%s): missing, %d fields wanted",
					    i + 1, f->name, FIELDS);
		if (!read_number(&p, f->fraction, &value))
			return lw_error_set(err, -EINVAL,
					    "field %d (%s): \"%.*s\" is not a %snumber",
					    i + 1, f->name, (int)strcspn(p, " \t"), p,
					    f->fraction ? "" : "whole ");
		if (value < f->min || value > f->max)
			return lw_error_set(err, -EINVAL,
					    "field %d (%s): %.*s is out of range", i + 1,
					    f->name, (int)(p - word), word);
		if (f->type == TYPE_NAME && short_name(swf, word, (size_t)(p - word), &value))
			return lw_error_set(err, -ENOMEM, "out of memory");
		swf_store(job, f, value);
	}
	if (*skip_blanks(p))
		return lw_error_set(err, -EINVAL, "more than %d fields", FIELDS);
	return 0;
}

static int add_job(struct lw_swf *swf, const char *line, struct lw_error *err)
{
	struct lw_swf_job job;
	int rc = parse_job(swf, line, &job, err);

	if (rc)
		return rc;
	if (swf->job_count && job.submit_s < swf->jobs[swf->job_count - 1].submit_s)
		return lw_error_set(err, -EINVAL,
				    "field 2 (submit time): %" PRId64
				    " is before the line above: sort the trace by submit time",
				    job.submit_s);
	if (lw_grow((void **)&swf->jobs, &swf->room, swf->job_count + 1, sizeof(job)))
		return lw_error_set(err, -ENOMEM, "out of memory");
	swf->jobs[swf->job_count++] = job;
	return 0;
}

static void read_directive(struct lw_swf *swf, const char *line)
{
	static const struct {
		const char *key;
		size_t offset;
	} keys[] = {
		{ "MaxProcs:", offsetof(struct lw_swf, max_procs) },
		{ "MaxNodes:", offsetof(struct lw_swf, max_nodes) },
		{ "UnixStartTime:", offsetof(struct lw_swf, unix_start_s) },
	};
	const char *p = skip_blanks(line + 1);
	int64_t value;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t len = strlen(keys[i].key);

		if (strncasecmp(p, keys[i].key, len) != 0)
			continue;
		p = skip_blanks(p + len);
		/* "MaxNodes: 100 (a note)" occurs; anything else stays unknown */
		if (read_number(&p, false, &value) && value >= 0)
			*(int64_t *)((char *)swf + keys[i].offset) = value;
		return;
	}
}

static int read_lines(struct lw_swf *swf, struct lw_lines *lines, const char *path,
		      bool lenient, struct lw_error *err)
{
	static const char workload[] = "#lw-workload";
	struct lw_error why = { "out of memory" };
	const char *p;
	int rc;

	while ((p = lw_lines_next(lines))) {
		p = skip_blanks(p);
		if (*p == ';')
			read_directive(swf, p);
		if (!*p || *p == ';')
			continue;
		if (lines->number == 1 && strncmp(p, workload, strlen(workload)) == 0)
			return lw_error_set(
				err, -EINVAL,
				"%s: a workload, as in lw-workload(5), and no trace in "
				"the Standard Workload Format",
				path);
		rc = add_job(swf, p, &why);
		if (!rc)
			continue;
		if (rc != -EINVAL || !lenient)
			return lw_error_set(err, rc, "%s:%" PRIu32 ": %s", path,
					    lines->number, why.text);
		if (!swf->skipped++) {
			swf->bad_line = lines->number;
			swf->bad = why;
		}
	}
	return 0;
}

int lw_swf_parse(struct lw_swf *swf, struct lw_lines *lines, const char *path, bool lenient,
		 struct lw_error *err)
{
	int rc;

	memset(swf, 0, sizeof(*swf));
	swf->max_procs = swf->max_nodes = swf->unix_start_s = -1;
	rc = read_lines(swf, lines, path, lenient, err);
	if (!rc && !lines->number)
		rc = lw_error_set(err, -EINVAL, "%s: the file is empty", path);
	if (rc)
		lw_swf_fini(swf);
	return rc;
}

int lw_swf_read(struct lw_swf *swf, const char *path, bool lenient, struct lw_error *err)
{
	struct lw_lines lines;
	int rc;

	memset(swf, 0, sizeof(*swf));
	rc = lw_lines_open(&lines, path, err);
	if (rc)
		return rc;
	rc = lw_swf_parse(swf, &lines, path, lenient, err);
	lw_lines_fini(&lines);
	return rc;
}

void lw_swf_fini(struct lw_swf *swf)
{
	free(swf->jobs);
	lw_lookup_fini(&swf->names);
	memset(swf, 0, sizeof(*swf));
}

static int compare_numbers(const void *a, const void *b)
{
	const struct lw_swf_number *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Few traces say it of any job. */
static bool says_any(const struct lw_swf *swf)
{
	for (uint32_t i = 0; i < swf->job_count; i++)
		if (swf->jobs[i].preceding > 0)
			return true;
	return false;
}

int lw_swf_numbers_init(struct lw_swf_numbers *numbers, const struct lw_swf *swf)
{
	memset(numbers, 0, sizeof(*numbers));
	if (!says_any(swf))
		return 0;
	numbers->list = calloc(swf->job_count, sizeof(*numbers->list));
	if (!numbers->list)
		return -ENOMEM;
	for (uint32_t i = 0; i < swf->job_count; i++)
		numbers->list[i] = (struct lw_swf_number){ swf->jobs[i].number, i };
	numbers->count = swf->job_count;
	qsort(numbers->list, numbers->count, sizeof(*numbers->list), compare_numbers);
	return 0;
}

void lw_swf_numbers_fini(struct lw_swf_numbers *numbers)
{
	free(numbers->list);
	memset(numbers, 0, sizeof(*numbers));
}

uint32_t lw_swf_numbers_before(const struct lw_swf_numbers *numbers, int64_t number,
			       uint32_t place)
{
	const struct lw_swf_number key = { number, place };
	uint32_t at;

	LW_SEARCH(at, numbers->count, compare_numbers(&numbers->list[at], &key) < 0);
	return at && numbers->list[at - 1].number == number ? numbers->list[at - 1].place
							    : LW_SWF_NOWHERE;
}
