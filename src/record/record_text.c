/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: GPU records as text, one checked line at a time: doc/dev/format-record.txt. */
#include "record/record.h"

#include "base/crc32.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define VERSION    1
#define CHECK_SIZE 10 /* " ~" and eight hex digits */
/* head and a bucket of 32 GPUs stay far below */
#define LINE_MAX_SIZE 16384
/* later than any job's time */
#define CLOCK_MAX_S (INT64_C(1) << 40)

static const char *const metric_names[LW_METRIC_COUNT] = {
#define LW_METRIC(constant, name, unit) name,
#include "record/metric.def"
#undef LW_METRIC
};

const char *lw_metric_name(enum lw_metric metric)
{
	return (unsigned)metric < LW_METRIC_COUNT ? metric_names[metric] : "?";
}

/* ---- writing ---- */

void lw_record_end_line(struct lw_strbuf *out, size_t from)
{
	if (!out->error)
		lw_strbuf_add(out, " ~%08" PRIx32 "\n",
			      lw_crc32(out->text + from, out->len - from));
}

static void print_record_head(const struct lw_record *record, struct lw_strbuf *out)
{
	const struct lw_record_head *head = &record->head;
	size_t from = out->len;

	lw_strbuf_add(out,
		      "lw-record %d job=%" PRIu32 " node=%s step=%s start=%" PRId64
		      " interval=%" PRIu32 " bucket=%" PRIu32,
		      VERSION, head->job_id, head->node, head->step, head->start_s,
		      head->interval_s, record->bucket_s);
	if (head->user_id != LW_RECORD_NO_USER)
		lw_strbuf_add(out, " user=%" PRIu32, head->user_id);
	if (head->shared)
		lw_strbuf_add(out, " shared=1");
	if (head->run_s)
		lw_strbuf_add(out, " run=%" PRId64, head->run_s);
	lw_strbuf_add(out, " metrics=");
	for (int m = 0; m < LW_METRIC_COUNT; m++)
		lw_strbuf_add(out, "%s%s", m ? "," : "", metric_names[m]);
	lw_record_end_line(out, from);
	for (uint32_t g = 0; g < head->gpu_count; g++) {
		from = out->len;
		lw_strbuf_add(out, "g index=%" PRIu32 " mem=%" PRIu32 " id=%s",
			      head->gpu[g].index, head->gpu[g].mem_total_mib,
			      head->gpu[g].id);
		lw_record_end_line(out, from);
	}
}

static void record_text_print_stat(const struct lw_gpu_bucket *bucket, const struct lw_stat *stat,
				   struct lw_strbuf *out)
{
	if (!stat->count)
		lw_strbuf_add(out, ",-");
	else if (stat->count == bucket->samples)
		lw_strbuf_add(out, ",%" PRIu64 "/%" PRIu32, stat->sum, stat->max);
	else
		lw_strbuf_add(out, ",%" PRIu64 "/%" PRIu32 "/%" PRIu32, stat->sum,
			      stat->max, stat->count);
}

void lw_record_print_bucket(const struct lw_record *record, uint32_t bucket,
			    struct lw_strbuf *out)
{
	size_t from = out->len;

	lw_strbuf_add(out, "b %" PRId64, record->slot[bucket]);
	for (uint32_t g = 0; g < record->head.gpu_count; g++) {
		const struct lw_gpu_bucket *b = lw_record_at(record, bucket, g);

		lw_strbuf_add(out, " %" PRIu32 ",%" PRIu32, b->samples, b->idle);
		for (int m = 0; m < LW_METRIC_COUNT; m++)
			record_text_print_stat(b, &b->stat[m], out);
	}
	lw_record_end_line(out, from);
}

/* What was counted of energy, one line a GPU of which it is known. */
static void print_record_energy(const struct lw_record *record, struct lw_strbuf *out)
{
	for (uint32_t g = 0; g < record->head.gpu_count; g++) {
		const struct lw_gpu_energy *energy = &record->head.gpu[g].energy;
		size_t from = out->len;

		if (!energy->covered_s)
			continue;
		lw_strbuf_add(out, "j %" PRIu32 " %" PRIu64 " %" PRIu32, g, energy->joules,
			      energy->covered_s);
		lw_record_end_line(out, from);
	}
}

static void record_text_print_time(char kind, int64_t at_s, struct lw_strbuf *out)
{
	size_t from = out->len;

	lw_strbuf_add(out, "%c %" PRId64, kind, at_s);
	lw_record_end_line(out, from);
}

void lw_record_print_sent(int64_t sent_end_s, struct lw_strbuf *out)
{
	record_text_print_time('s', sent_end_s, out);
}

void lw_record_print_owed(int64_t end_s, struct lw_strbuf *out)
{
	record_text_print_time('u', end_s, out);
}

void lw_record_print(const struct lw_record *record, struct lw_strbuf *out)
{
	print_record_head(record, out);
	for (uint32_t i = 0; i < record->bucket_count; i++)
		lw_record_print_bucket(record, i, out);
	print_record_energy(record, out);
	lw_record_print_company(record, out);
	if (record->head.end_s)
		record_text_print_time('e', record->head.end_s, out);
	if (record->head.sent)
		lw_record_print_sent(record->head.sent_end_s, out);
	if (lw_record_is_owed(record))
		lw_record_print_owed(record->head.end_s, out);
}

/* ---- reading ---- */

struct reader {
	struct lw_record_head head;
	uint32_t bucket_s;
	int8_t column[16]; /* metric of each column; -1: none that we know */
	uint32_t columns;
	uint32_t damaged;
	struct lw_record *record; /* made at the first line after the head */
};

/* The value of " KEY=" in LINE, up to a blank, into BUF. */
static bool record_text_get_word(const char *line, const char *key, char *buf, size_t size)
{
	const char *p = line;
	size_t key_len = strlen(key), len;

	while ((p = strchr(p, ' '))) {
		p++;
		if (!strncmp(p, key, key_len) && p[key_len] == '=') {
			p += key_len + 1;
			len = strcspn(p, " ");
			if (!len || len >= size)
				return false;
			memcpy(buf, p, len);
			buf[len] = '\0';
			return true;
		}
	}
	return false;
}

/* All of TEXT as a number of 0 .. MAX. */
static bool record_text_to_number(const char *text, uint64_t max, uint64_t *ret_value)
{
	uint64_t value = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		unsigned digit = (unsigned)(*text - '0');

		if (digit > 9 || digit > max || value > (max - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*ret_value = value;
	return true;
}

static bool record_text_get_number(const char *line, const char *key, uint64_t max,
				   uint64_t *ret_value)
{
	char word[32];

	return record_text_get_word(line, key, word, sizeof(word)) &&
	       record_text_to_number(word, max, ret_value);
}

static void record_text_read_columns(struct reader *reader, const char *names)
{
	while (*names && reader->columns < sizeof(reader->column)) {
		size_t len = strcspn(names, ",");
		int8_t column = -1;

		for (int m = 0; m < LW_METRIC_COUNT; m++)
			if (strlen(metric_names[m]) == len &&
			    !memcmp(metric_names[m], names, len))
				column = (int8_t)m;
		reader->column[reader->columns++] = column;
		names += len + (names[len] == ',');
	}
}

static bool record_text_read_head(struct reader *reader, const char *line)
{
	struct lw_record_head *head = &reader->head;
	uint64_t job, start, interval, bucket, user, run, shared;
	char metrics[128];

	if (!record_text_get_number(line, "job", UINT32_MAX, &job) ||
	    !record_text_get_number(line, "start", CLOCK_MAX_S, &start) ||
	    !record_text_get_number(line, "interval", 86400, &interval) || !interval ||
	    !record_text_get_number(line, "bucket", UINT32_MAX, &bucket) || bucket < interval ||
	    !record_text_get_word(line, "node", head->node, sizeof(head->node)) ||
	    !record_text_get_word(line, "step", head->step, sizeof(head->step)) ||
	    !record_text_get_word(line, "metrics", metrics, sizeof(metrics)))
		return false;
	if (!record_text_get_number(line, "user", UINT32_MAX, &user))
		user = LW_RECORD_NO_USER;
	if (!record_text_get_number(line, "run", CLOCK_MAX_S, &run))
		run = 0;
	head->shared = record_text_get_number(line, "shared", 1, &shared) && shared;
	head->job_id = (uint32_t)job;
	head->user_id = (uint32_t)user;
	head->run_s = (int64_t)run;
	head->start_s = (int64_t)start;
	head->interval_s = (uint32_t)interval;
	reader->bucket_s = (uint32_t)bucket;
	record_text_read_columns(reader, metrics);
	return true;
}

static bool record_text_read_gpu(struct reader *reader, const char *line)
{
	struct lw_gpu *gpu = &reader->head.gpu[reader->head.gpu_count];
	uint64_t index, mem;

	if (reader->record || reader->head.gpu_count >= LW_RECORD_GPUS_MAX ||
	    !record_text_get_number(line, "index", UINT32_MAX, &index) ||
	    !record_text_get_number(line, "mem", UINT32_MAX, &mem) ||
	    !record_text_get_word(line, "id", gpu->id, sizeof(gpu->id)))
		return false;
	gpu->index = (uint32_t)index;
	gpu->mem_total_mib = (uint32_t)mem;
	reader->head.gpu_count++;
	return true;
}

/* Cut the number off *TEXT that ends at STOP (or at the end); step over STOP. */
static bool record_take(char **text, char stop, uint64_t max, uint64_t *ret_value)
{
	char *end = strchr(*text, stop);
	bool ok;

	if (end)
		*end = '\0';
	ok = record_text_to_number(*text, max, ret_value);
	*text = end ? end + 1 : *text + strlen(*text);
	return ok;
}

/* "sum/max" or "sum/max/count" or "-". */
static bool record_text_read_stat(char *text, uint32_t samples, struct lw_stat *ret_stat)
{
	uint64_t sum, max, count = samples;

	if (!strcmp(text, "-"))
		return true;
	if (!record_take(&text, '/', UINT64_MAX, &sum) ||
	    !record_take(&text, '/', UINT32_MAX, &max) ||
	    (*text && !record_take(&text, '/', UINT32_MAX, &count)))
		return false;
	/* no sum of values of which none is above the highest; two of 32 bits do not overflow */
	if (count > samples || sum > count * max)
		return false;
	*ret_stat = (struct lw_stat){ sum, (uint32_t)count, (uint32_t)max };
	return true;
}

/* "samples,idle,stat,stat..." */
static bool record_text_read_gpu_bucket(const struct reader *reader, char *text,
					struct lw_gpu_bucket *ret_bucket)
{
	uint64_t samples, idle;
	char *next;

	if (!record_take(&text, ',', UINT32_MAX, &samples) ||
	    !record_take(&text, ',', samples, &idle))
		return false;
	ret_bucket->samples = (uint32_t)samples;
	ret_bucket->idle = (uint32_t)idle;
	for (uint32_t c = 0; c < reader->columns; c++, text = next) {
		struct lw_stat stat = { 0 };

		next = strchr(text, ',');
		if (next)
			*next++ = '\0';
		else
			next = text + strlen(text);
		if (!record_text_read_stat(text, ret_bucket->samples, &stat))
			return false;
		if (reader->column[c] >= 0)
			ret_bucket->stat[reader->column[c]] = stat;
	}
	return true;
}

/* Put a whole bucket in its place; the later line of a slot replaces the earlier. */
static bool record_text_store_bucket(struct lw_record *record, int64_t slot,
				     const struct lw_gpu_bucket *row)
{
	struct lw_gpu_sample nothing[LW_RECORD_GPUS_MAX] = { { 0 } };
	uint32_t i;

	if (slot > CLOCK_MAX_S / record->bucket_s ||
	    lw_record_add(record, slot * record->bucket_s, nothing))
		return false;
	for (i = 0; i < record->bucket_count && record->slot[i] != slot; i++)
		;
	if (i == record->bucket_count)
		return false; /* more slots than any writer of ours makes */
	memcpy(&record->bucket[(size_t)i * record->head.gpu_count], row,
	       record->head.gpu_count * sizeof(*row));
	return true;
}

static bool record_text_read_bucket(struct reader *reader, char *line)
{
	struct lw_gpu_bucket row[LW_RECORD_GPUS_MAX] = { { 0 } };
	uint64_t slot;

	line += 2;
	if (!record_take(&line, ' ', INT64_MAX, &slot))
		return false;
	for (uint32_t g = 0; g < reader->head.gpu_count; g++) {
		char *next = strchr(line, ' ');

		if (next)
			*next++ = '\0';
		else
			next = line + strlen(line);
		if (!record_text_read_gpu_bucket(reader, line, &row[g]))
			return false;
		line = next;
	}
	return !*line && record_text_store_bucket(reader->record, (int64_t)slot, row);
}

/* "gpu joules seconds" */
static bool record_text_read_energy(struct reader *reader, char *text)
{
	uint64_t gpu, joules, covered_s;

	if (!record_take(&text, ' ', LW_RECORD_GPUS_MAX - 1, &gpu) ||
	    !record_take(&text, ' ', UINT64_MAX, &joules) ||
	    !record_take(&text, ' ', UINT32_MAX, &covered_s) || *text || !covered_s ||
	    gpu >= reader->head.gpu_count || joules > covered_s * LW_GPU_WATTS_MAX)
		return false;
	reader->head.gpu[gpu].energy = (struct lw_gpu_energy){ joules, (uint32_t)covered_s };
	return true;
}

static int make_record(struct reader *reader)
{
	int rc = 0;

	if (!reader->record)
		rc = lw_record_create(&reader->head, &reader->record);
	if (!rc)
		reader->record->bucket_s = reader->bucket_s;
	return rc;
}

/* One line with a valid checksum. */
static int record_text_read_line(struct reader *reader, char *line)
{
	uint64_t end;
	bool ok = true;
	int rc;

	if (!memcmp(line, "g ", 2)) {
		ok = record_text_read_gpu(reader, line);
	} else if (!memcmp(line, "b ", 2)) {
		rc = make_record(reader);
		if (rc)
			return rc;
		ok = record_text_read_bucket(reader, line);
	} else if (!memcmp(line, "j ", 2)) {
		ok = record_text_read_energy(reader, line + 2);
	} else if (!memcmp(line, "e ", 2)) {
		ok = record_text_to_number(line + 2, CLOCK_MAX_S, &end);
		if (ok)
			reader->head.end_s = (int64_t)end;
	} else if (!memcmp(line, "s ", 2)) {
		ok = record_text_to_number(line + 2, CLOCK_MAX_S, &end);
		reader->head.sent = reader->head.sent || ok;
		if (ok)
			reader->head.sent_end_s = (int64_t)end;
	} else if (!memcmp(line, "t ", 2) || !memcmp(line, "n ", 2)) {
		ok = lw_record_read_company(&reader->head, line);
	} else if (!memcmp(line, "u ", 2)) {
		ok = record_text_to_number(line + 2, CLOCK_MAX_S, &end);
		reader->head.owed = reader->head.owed || ok;
	}
	reader->damaged += !ok;
	return 0;
}

/* Copy the next line into BUF without its check. False when the check is wrong. */
static bool record_text_next_line(const char **text, const char *end, char *buf)
{
	const char *line = *text;
	const char *newline = memchr(line, '\n', (size_t)(end - line));
	size_t len = (size_t)((newline ? newline : end) - line);
	char check[CHECK_SIZE + 1];

	*text = newline ? newline + 1 : end;
	if (!newline || len < CHECK_SIZE + 2 || len >= LINE_MAX_SIZE)
		return false;
	len -= CHECK_SIZE;
	snprintf(check, sizeof(check), " ~%08" PRIx32, lw_crc32(line, len));
	if (memcmp(line + len, check, CHECK_SIZE))
		return false;
	memcpy(buf, line, len);
	buf[len] = '\0';
	return !memchr(buf, '\0', len);
}

static int record_text_read_first_line(struct reader *reader, const char *name, const char *line,
				       struct lw_error *err)
{
	char word[16];
	uint64_t version;

	if (strncmp(line, "lw-record ", 10))
		return lw_error_set(err, -EBADMSG, "%s: not a GPU record", name);
	line += 10;
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(line, " "), line);
	if (!record_text_to_number(word, UINT32_MAX, &version))
		return lw_error_set(err, -EBADMSG, "%s: no version", name);
	if (version > VERSION)
		return lw_error_set(err, -ENOTSUP, "%s: version %s is newer than ours (%d)", name,
				    word, VERSION);
	if (!record_text_read_head(reader, line))
		return lw_error_set(err, -EBADMSG, "%s: damaged first line", name);
	return 0;
}

int lw_record_parse(const char *name, const char *text, size_t size,
		    struct lw_record **ret_record, struct lw_error *err)
{
	struct reader reader = { .columns = 0 };
	const char *end = text + size;
	char line[LINE_MAX_SIZE];
	int rc;

	if (!size || !record_text_next_line(&text, end, line))
		return lw_error_set(err, -EBADMSG, "%s: no readable first line", name);
	rc = record_text_read_first_line(&reader, name, line, err);
	while (!rc && text < end) {
		if (record_text_next_line(&text, end, line))
			rc = record_text_read_line(&reader, line);
		else
			reader.damaged++;
	}
	if (!rc)
		rc = make_record(&reader);
	if (rc) {
		lw_record_destroy(reader.record);
		return rc == -EINVAL ? lw_error_set(err, -EBADMSG, "%s: bad head", name) : rc;
	}
	for (uint32_t g = 0; g < reader.head.gpu_count; g++)
		reader.record->head.gpu[g].energy = reader.head.gpu[g].energy;
	reader.record->head.company = reader.head.company;
	reader.record->head.end_s = reader.head.end_s;
	reader.record->head.sent = reader.head.sent;
	reader.record->head.sent_end_s = reader.head.sent_end_s;
	reader.record->head.owed = reader.head.owed;
	reader.record->damaged = reader.damaged;
	*ret_record = reader.record;
	return 0;
}
