/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the tag as text, and of the requests for GPUs that it reads. */
#include "tagger/tag.h"
#include "base/words.h"
#include "unit/unit.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *tres;
	uint32_t want;
} gpu_requests[] = {
	{ "gres:gpu:1", 1 },	       { "gres/gpu:1", 1 },	   { "gres/gpu", 1 },
	{ "gres:gpu", 1 },	       { "gres/gpu:a100:4", 4 },   { "gres:gpu:a100:4", 4 },
	{ "gres/gpu:a100", 1 },	       { "gpu:2", 2 },		   { "gres/gpu=3", 3 },
	{ "gres/gpu:a100=3", 3 },      { "gres/gpu:0", 0 },	   { "gres/shard:2", 2 },
	{ "gres/mps:50", 50 },	       { "gres/nic:2", 0 },	   { "gres/gpumem:2", 0 },
	{ "gres/gpu:1,gres/nic:4", 1 }, { "gres/gpu:a:1,gres/gpu:b:2", 3 },
	{ "gres/gpu:1g.10gb:2", 2 },   { "license/x:3", 0 },	   { "", 0 },
	{ "gres/gpu:2(IDX:0-1)", 2 },  { ",,", 0 },		   { "gres/gpu:", 0 },
	{ "gres/gpu:99999999999", UINT32_MAX },
};

TEST_EACH(gpu_request_is_read, LW_COUNT_OF(gpu_requests))
{
	ck_assert_msg(lw_tag_gpus(gpu_requests[_i].tres) == gpu_requests[_i].want, "%s: %u",
		      gpu_requests[_i].tres, lw_tag_gpus(gpu_requests[_i].tres));
}

TEST_EACH(tag_survives_text, 60)
{
	struct lw_tag tag = { .gang = _i & 1, .confidence = (uint8_t)(_i * 7 % 101) }, got;
	char text[LW_TAG_TEXT_MAX], comment[2 * LW_TAG_TEXT_MAX];

	tag.class = (enum lw_tag_class)(_i % LW_TAG_CLASS_COUNT);
	if (_i % 3)
		memcpy(tag.evidence, "torchrun+gpu", sizeof("torchrun+gpu"));
	if (_i % 3 == 2)
		memset(tag.evidence, 'x', sizeof(tag.evidence) - 1);
	ck_assert_uint_lt(lw_tag_encode(&tag, text, sizeof(text)), sizeof(text));
	ck_assert_int_eq(lw_words_put("seen by ops", LW_TAG_PREFIX, text, comment,
				      sizeof(comment)), 0);
	ck_assert_int_eq(lw_tag_decode(comment, &got), 0);
	ck_assert_int_eq(got.class, tag.class);
	ck_assert_int_eq(got.gang, tag.gang);
	ck_assert_uint_eq(got.confidence, tag.confidence);
	ck_assert_str_eq(got.evidence, tag.evidence);
}

static const struct {
	const char *comment;
	int want;
} decodes[] = {
	{ NULL, -ENOENT },
	{ "", -ENOENT },
	{ "leeway:gpu=n:4", -ENOENT },
	{ "xleeway:dl=training", -ENOENT },
	{ "leeway:dl=training", 0 },
	{ "leeway:dl=training,new=7,conf=50", 0 },
	{ "note leeway:dl=none,gang=0,conf=75,ev=gpu end", 0 },
	{ "leeway:dl=", -EINVAL },
	{ "leeway:dl=lunch", -EINVAL },
	{ "leeway:dl=training,conf=101", -EINVAL },
	{ "leeway:dl=training,conf=x", -EINVAL },
	{ "leeway:dl=training,gang=2", -EINVAL },
};

TEST_EACH(tag_is_decoded_or_refused, LW_COUNT_OF(decodes))
{
	struct lw_tag tag;

	ck_assert_int_eq(lw_tag_decode(decodes[_i].comment, &tag), decodes[_i].want);
}

static const struct {
	const char *text, *want;
} puts_[] = {
	{ NULL, "w=1" },
	{ "", "w=1" },
	{ "keep this", "keep this w=1" },
	{ "keep ", "keep w=1" },
	{ "a w=0 b", "a w=1 b" },
	{ "w=0", "w=1" },
	{ "xw=0", "xw=0 w=1" },
	{ "w=0 w=0", "w=1 w=0" },
};

TEST_EACH(word_is_put, LW_COUNT_OF(puts_))
{
	char buf[32];

	ck_assert_int_eq(lw_words_put(puts_[_i].text, "w=", "w=1", buf, sizeof(buf)), 0);
	ck_assert_str_eq(buf, puts_[_i].want);
	ck_assert_int_eq(lw_words_put(puts_[_i].text, "w=", "w=1", buf, strlen(puts_[_i].want)),
			 -ENOSPC);
	ck_assert_str_eq(buf, "");
}
