/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the comment of GPU use that jobstats reads. */
#include "record/comment.h"
#include "record/jobend.h"
#include "unit/gpu_records.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

static int digit_of(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* As Python's base64.b64decode: what is no digit is passed over, "=" ends it. */
static size_t decode(const char *text, unsigned char *data)
{
	uint32_t bits = 0;
	size_t size = 0, digits = 0;

	for (; *text && *text != '='; text++) {
		int digit = digit_of(*text);

		if (digit < 0)
			continue;
		bits = bits << 6 | (uint32_t)digit;
		if (++digits % 4 == 0)
			for (int i = 2; i >= 0; i--)
				data[size++] = (unsigned char)(bits >> (8 * i));
	}
	ck_assert_int_eq(*text, '=');
	if (digits % 4 == 2)
		data[size++] = (unsigned char)(bits >> 4);
	if (digits % 4 == 3) {
		data[size++] = (unsigned char)(bits >> 10);
		data[size++] = (unsigned char)(bits >> 2);
	}
	return size;
}

static void unpack(const char *comment, char *json, size_t room)
{
	unsigned char data[4096];
	z_stream stream = { .next_in = data,
			    .next_out = (unsigned char *)json,
			    .avail_out = (unsigned)room - 1 };

	ck_assert_int_eq(strncmp(comment, "JS1:", 4), 0);
	stream.avail_in = (unsigned)decode(comment + 4, data);
	ck_assert_int_eq(inflateInit2(&stream, MAX_WBITS + 16), Z_OK);
	ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
	ck_assert_uint_eq(stream.avail_in, 0);
	json[room - 1 - stream.avail_out] = '\0';
	inflateEnd(&stream);
}

TEST(js1_is_what_jobstats_reads)
{
	struct lw_record *records[2] = { make_record("n1", "batch", 2),
					 make_record("n2", "0", 1) };
	char comment[LW_COMMENT_MAX], json[2048];

	fill(records[0], 50, 1);
	records[1]->head.gpu[0].mem_total_mib = 0; /* and never read */
	ck_assert_int_eq(lw_comment_make("leeway:dl=none,5,- admin's", records, 2, true, comment,
					 sizeof(comment)),
			 0);
	unpack(comment, json, sizeof(json));
	json[strcspn(json, " ")] = '\0';
	ck_assert_str_eq(json, "{\"nodes\":{\"n1\":{"
			       "\"gpu_total_memory\":{\"0\":85899345920,\"1\":85899345920},"
			       "\"gpu_used_memory\":{\"0\":1073741824,\"1\":1073741824},"
			       "\"gpu_utilization\":{\"0\":50.0,\"1\":51.0}},\"n2\":{}},"
			       "\"total_time\":60,\"gpus\":3}");
	ck_assert_ptr_nonnull(strstr(comment, " leeway:dl=none,5,- admin's leeway:gpu=n:3,"));
	lw_record_destroy(records[0]);
	lw_record_destroy(records[1]);
}

/* Put again, both words are replaced; whatever the length, readers find the end. */
TEST_EACH(js1_is_replaced, 9)
{
	struct lw_record *record = make_record("n1", "batch", (uint32_t)_i + 1);
	char first[LW_COMMENT_MAX], second[LW_COMMENT_MAX], json[4096];

	ck_assert_int_eq(lw_comment_make("hand-written", &record, 1, true, first, sizeof(first)),
			 0);
	fill(record, 7, 0);
	ck_assert_int_eq(lw_comment_make(first, &record, 1, true, second, sizeof(second)), 0);
	unpack(second, json, sizeof(json));
	ck_assert_ptr_nonnull(strstr(json, "\"0\":7.0"));
	ck_assert_ptr_eq(strstr(second, "JS1:"), second);
	ck_assert_ptr_null(strstr(second + 4, "JS1:"));
	ck_assert_ptr_nonnull(strstr(second, " hand-written leeway:gpu=n:"));
	ck_assert_int_eq(lw_comment_make(first, &record, 1, true, second, 40), -ENOSPC);
	lw_record_destroy(record);
}

TEST(gpu_without_a_process_is_told)
{
	struct lw_record *record = make_record("n1", "batch", 2);
	char comment[LW_COMMENT_MAX];
	struct lw_summary_word word;

	fill(record, 0, 0);
	ck_assert_int_eq(lw_comment_make(NULL, &record, 1, false, comment, sizeof(comment)), 0);
	ck_assert_str_eq(comment, "leeway:gpu=n:2,util:1/1,mem:1024/1024M,idle:60,empty:120,"
				  "quiet:1,half:80");
	ck_assert_int_eq(lw_summary_decode(comment, &word), 0);
	ck_assert_int_eq(word.empty_s, 120);
	lw_record_destroy(record);
}
