/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the words of a job's GPU record in its admin_comment. */
#include "record/comment.h"

#include "base/words.h"
#include "record/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define MIB                UINT64_C(1048576)
#define GZIP_WINDOW        (MAX_WBITS + 16)
#define COMPRESSION_MEMORY 8

/* "NAME":{"0":1,"1":2}, of those GPUs of a node that have a value; nothing without any. */
static void comment_add_gpus(struct lw_strbuf *json, const struct lw_record *record,
			     const char *name,
			     void (*add)(struct lw_strbuf *json, const struct lw_record *record,
					 uint32_t gpu, const char *before))
{
	size_t from = json->len, empty;

	lw_strbuf_add(json, "%s\"%s\":{",
		      json->len && json->text[json->len - 1] == '}' ? "," : "", name);
	empty = json->len;
	for (uint32_t g = 0; g < record->head.gpu_count; g++)
		add(json, record, g, json->len == empty ? "" : ",");
	if (json->len == empty && !json->error)
		json->len = from;
	else
		lw_strbuf_add(json, "}");
}

static void comment_add_total(struct lw_strbuf *json, const struct lw_record *record,
			      uint32_t gpu, const char *before)
{
	const struct lw_gpu *g = &record->head.gpu[gpu];

	if (g->mem_total_mib)
		lw_strbuf_add(json, "%s\"%" PRIu32 "\":%" PRIu64, before, g->index,
			      g->mem_total_mib * MIB);
}

static void comment_add_used(struct lw_strbuf *json, const struct lw_record *record, uint32_t gpu,
			     const char *before)
{
	struct lw_gpu_summary sum;

	lw_summary_gpu(record, gpu, &sum);
	if (sum.stat[LW_METRIC_MEM].count)
		lw_strbuf_add(json, "%s\"%" PRIu32 "\":%" PRIu64, before,
			      record->head.gpu[gpu].index, sum.stat[LW_METRIC_MEM].max * MIB);
}

static void comment_add_utilisation(struct lw_strbuf *json, const struct lw_record *record,
				    uint32_t gpu, const char *before)
{
	struct lw_gpu_summary sum;
	const struct lw_stat *util = &sum.stat[LW_METRIC_UTIL];
	uint64_t tenths;

	lw_summary_gpu(record, gpu, &sum);
	if (!util->count)
		return;
	tenths = (util->sum * 10 + util->count / 2) / util->count;
	lw_strbuf_add(json, "%s\"%" PRIu32 "\":%" PRIu64 ".%" PRIu64, before,
		      record->head.gpu[gpu].index, tenths / 10, tenths % 10);
}

static void comment_print_json(struct lw_record *const *records, uint32_t count,
			       struct lw_strbuf *json)
{
	int64_t start_s = INT64_MAX, end_s = 0;
	uint32_t gpus = 0;

	lw_strbuf_add(json, "{\"nodes\":{");
	for (uint32_t i = 0; i < count; i++) {
		const struct lw_record *record = records[i];

		lw_strbuf_add(json, "%s\"%s\":{", i ? "," : "", record->head.node);
		comment_add_gpus(json, record, "gpu_total_memory", comment_add_total);
		comment_add_gpus(json, record, "gpu_used_memory", comment_add_used);
		comment_add_gpus(json, record, "gpu_utilization", comment_add_utilisation);
		lw_strbuf_add(json, "}");
		gpus += record->head.gpu_count;
		start_s = record->head.start_s < start_s ? record->head.start_s : start_s;
		end_s = record->head.end_s > end_s ? record->head.end_s : end_s;
	}
	lw_strbuf_add(json, "},\"total_time\":%" PRId64 ",\"gpus\":%" PRIu32 "}",
		      end_s > start_s ? end_s - start_s : 0, gpus);
}

static int comment_compress_text(const char *text, size_t size, unsigned char **ret_data,
				 size_t *ret_size)
{
	z_stream stream = { .next_in = (unsigned char *)(uintptr_t)text,
			    .avail_in = (unsigned)size };
	unsigned char *data;
	size_t room;
	int rc;

	if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, COMPRESSION_MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	room = deflateBound(&stream, size);
	data = malloc(room);
	stream.next_out = data;
	stream.avail_out = (unsigned)room;
	rc = data ? deflate(&stream, Z_FINISH) : Z_MEM_ERROR;
	*ret_size = room - stream.avail_out;
	deflateEnd(&stream);
	if (rc != Z_STREAM_END) {
		free(data);
		return -ENOMEM;
	}
	*ret_data = data;
	return 0;
}

static void comment_add_base64(struct lw_strbuf *out, const unsigned char *data, size_t size)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < size; i += 3) {
		uint32_t left = (uint32_t)(size - i);
		uint32_t bits = (uint32_t)data[i] << 16;
		char quad[4];

		bits |= left > 1 ? (uint32_t)data[i + 1] << 8 : 0;
		bits |= left > 2 ? data[i + 2] : 0;
		for (int d = 0; d < 4; d++)
			quad[d] = digits[bits >> (18 - 6 * d) & 63];
		if (left < 3)
			quad[3] = '=';
		if (left < 2)
			quad[2] = '=';
		lw_strbuf_add_bytes(out, quad, sizeof(quad));
	}
}

/*
 * Its readers decode all that stands behind "JS1:", and stop at a "=" alone: so the data
 * must need one, or our other words would be taken for a part of them.
 */
int lw_js1_encode(struct lw_record *const *records, uint32_t count, char **ret_text)
{
	struct lw_strbuf json = LW_STRBUF_INIT, out = LW_STRBUF_INIT;
	unsigned char *data = NULL;
	size_t size = 0;
	int rc;

	comment_print_json(records, count, &json);
	do {
		free(data);
		data = NULL;
		rc = json.error ? json.error
				: comment_compress_text(json.text, json.len, &data, &size);
		lw_strbuf_add(&json, " ");
	} while (!rc && size % 3 == 0);
	lw_strbuf_add(&out, LW_JS1_PREFIX);
	if (!rc)
		comment_add_base64(&out, data, size);
	free(data);
	lw_strbuf_fini(&json);
	rc = rc ? rc : out.error;
	if (rc)
		lw_strbuf_fini(&out);
	else
		*ret_text = out.text;
	return rc;
}

/* OLD without a JS1 word at its begin. */
static const char *comment_skip_js1(const char *old)
{
	if (!old || strncmp(old, LW_JS1_PREFIX, strlen(LW_JS1_PREFIX)))
		return old;
	old += strcspn(old, " ");
	return old + (*old == ' ');
}

static int comment_put_first(const char *word, char *buf, size_t size)
{
	size_t len = strlen(word), rest = strlen(buf);

	if (len + 1 + rest + 1 > size)
		return -ENOSPC;
	memmove(buf + len + 1, buf, rest + 1);
	memcpy(buf, word, len);
	buf[len] = ' ';
	return 0;
}

int lw_comment_make(const char *old, struct lw_record *const *records, uint32_t count, bool js1,
		    char *buf, size_t size)
{
	char word[LW_SUMMARY_TEXT_MAX], *js1_word = NULL;
	struct lw_summary summary;
	int rc;

	lw_summary_make(records, count, &summary);
	lw_summary_encode(&summary, word, sizeof(word));
	rc = lw_words_put(js1 ? comment_skip_js1(old) : old, LW_SUMMARY_PREFIX, word, buf, size);
	if (rc || !js1)
		return rc;
	rc = lw_js1_encode(records, count, &js1_word);
	if (!rc)
		rc = comment_put_first(js1_word, buf, size);
	free(js1_word);
	return rc;
}
