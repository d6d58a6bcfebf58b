/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: GPU records, their summary, and the words in AdminComment. */
#include "fuzz/fuzz.h"

#include "base/crc32.h"
#include "record/comment.h"
#include "record/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Give each line of DATA its check, as if it had been written so. */
static void add_checks(const uint8_t *data, size_t size, struct lw_strbuf *out)
{
	while (size) {
		const uint8_t *end = memchr(data, '\n', size);
		size_t len = end ? (size_t)(end - data) : size;
		char check[16];

		snprintf(check, sizeof(check), " ~%08" PRIx32 "\n", lw_crc32(data, len));
		lw_strbuf_add_bytes(out, (const char *)data, len);
		lw_strbuf_add(out, "%s", check);
		data += len + (end != NULL);
		size -= len + (end != NULL);
	}
}

static struct lw_record *parse(const uint8_t *data, size_t size, bool checked)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_record *record = NULL;
	struct lw_error err = { "" };
	int rc;

	if (checked)
		add_checks(data, size, &text);
	else
		lw_strbuf_add_bytes(&text, (const char *)data, size);
	rc = lw_record_parse("record", lw_strbuf_text(&text), text.len, &record, &err);
	fuzz_check(!rc == !!record);
	if (rc && rc != -ENOMEM)
		fuzz_check_told(err.text);
	lw_strbuf_fini(&text);
	return record;
}

/* Printed, parsed and printed again it must be the same bytes. */
static void print_and_parse(const struct lw_record *record)
{
	struct lw_strbuf text = LW_STRBUF_INIT, again = LW_STRBUF_INIT;
	struct lw_record *read = NULL;
	struct lw_error err = { "" };

	lw_record_print(record, &text);
	fuzz_check(!lw_record_parse("printed", text.text, text.len, &read, &err));
	fuzz_check(!read->damaged);
	lw_record_print(read, &again);
	fuzz_check(text.len == again.len && !memcmp(text.text, again.text, text.len));
	lw_record_destroy(read);
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&again);
}

/* What the word says must be what was summed up, where it has the digits. */
static void check_word(const struct lw_summary *summary, const char *word)
{
	struct lw_summary_word read;
	int rc = lw_summary_decode(word, &read);

	/* larger than any GPU: not read back */
	if (summary->stat[LW_METRIC_MEM].max > UINT32_MAX / 2048 ||
	    summary->stat[LW_METRIC_UTIL].max > UINT32_MAX / 1024 ||
	    summary->stat[LW_METRIC_POWER].max > UINT32_MAX / 1024 || summary->idle_s < 0 ||
	    summary->empty_s < 0)
		return;
	fuzz_check(!rc);
	fuzz_check(read.gpus == summary->gpus && read.idle_s == summary->idle_s);
	lw_summary_use(word, 100);
}

static int digit(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* The bytes of TEXT in base64, up to the first "=". */
static size_t decode(const char *text, unsigned char *out, size_t room)
{
	uint32_t bits = 0, have = 0;
	size_t size = 0;

	for (; digit(*text) >= 0 && size < room; text++) {
		bits = bits << 6 | (uint32_t)digit(*text);
		have += 6;
		if (have >= 8) {
			have -= 8;
			out[size++] = (unsigned char)(bits >> have);
		}
	}
	fuzz_check(*text == '=');
	return size;
}

/* Others must be able to read it: base64 of a gzip of a JSON object. */
static void check_js1(const char *text)
{
	static unsigned char packed[1 << 20], json[1 << 20];
	z_stream stream = { .next_in = packed, .next_out = json, .avail_out = sizeof(json) };
	json_t *root;

	fuzz_check(!strncmp(text, LW_JS1_PREFIX, 4));
	stream.avail_in = (unsigned)decode(text + 4, packed, sizeof(packed));
	fuzz_check(inflateInit2(&stream, MAX_WBITS + 16) == Z_OK);
	fuzz_check(inflate(&stream, Z_FINISH) == Z_STREAM_END);
	/* a name may be no UTF-8, which no node's is */
	root = json_loadb((char *)json, stream.total_out, JSON_REJECT_DUPLICATES, NULL);
	if (!root)
		root = json_object();
	json_decref(root);
	inflateEnd(&stream);
}

static void use(struct lw_record *const *records, uint32_t count, const char *old)
{
	char word[LW_SUMMARY_TEXT_MAX], comment[LW_COMMENT_MAX], *js1 = NULL;
	struct lw_summary summary;
	struct lw_gpu_summary gpu;

	lw_summary_make(records, count, &summary);
	fuzz_check(lw_summary_encode(&summary, word, sizeof(word)) < sizeof(word));
	check_word(&summary, word);
	for (uint32_t i = 0; i < records[0]->head.gpu_count; i++)
		lw_summary_gpu(records[0], i, &gpu);
	if (!lw_js1_encode(records, count, &js1)) {
		check_js1(js1);
		free(js1);
	}
	for (int with = 0; with < 2; with++)
		if (!lw_comment_make(old, records, count, with, comment, sizeof(comment)))
			fuzz_check(strstr(comment, LW_SUMMARY_PREFIX));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how = fuzz_take(&data, &size);
	/* two records, behind each other */
	const uint8_t *second = size ? memmem(data, size, "\n\n", 2) : NULL;
	size_t first_size = second ? (size_t)(second - data) + 1 : size;
	struct lw_record *records[2] = { parse(data, first_size, how & 1), NULL };
	uint32_t count = 1;

	if (!records[0])
		return 0;
	if (second)
		records[1] = parse(second + 2, size - first_size - 1, how & 1);
	print_and_parse(records[0]);
	count += records[1] != NULL;
	use(records, count, how & 2 ? "JS1:abc= leeway:gpu=n:1 and more" : NULL);
	if (records[1] && !lw_record_merge(records[0], records[1]))
		use(records, 1, "old");
	lw_record_destroy(records[0]);
	lw_record_destroy(records[1]);
	return 0;
}
