/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of base/sha256.h, by the examples of FIPS 180 and others. */
#include "base/sha256.h"

#include "unit/unit.h"

#include <string.h>

static const struct {
	const char *text;
	uint32_t times;
	const char *sum;
} known[] = {
	{ "", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
	{ "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
	{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
	  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	{ "a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
	{ "0123456701234567012345670123456701234567012345670123456701234567", 10,
	  "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5" },
};

TEST_EACH(sums_are_right, LW_COUNT_OF(known))
{
	char text[LW_SHA256_TEXT];
	struct lw_sha256 sha;

	lw_sha256_init(&sha);
	for (uint32_t i = 0; i < known[_i].times; i++)
		lw_sha256_add(&sha, known[_i].text, strlen(known[_i].text));
	lw_sha256_end(&sha, text);
	ck_assert_str_eq(text, known[_i].sum);
}

/* However it comes in pieces. */
TEST(pieces_do_not_matter)
{
	char whole[LW_SHA256_TEXT], parts[LW_SHA256_TEXT], data[300];
	struct lw_sha256 sha;

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (char)(i * 7);
	lw_sha256_init(&sha);
	lw_sha256_add(&sha, data, sizeof(data));
	lw_sha256_end(&sha, whole);
	for (size_t cut = 0; cut <= sizeof(data); cut++) {
		lw_sha256_init(&sha);
		lw_sha256_add(&sha, data, cut);
		lw_sha256_add(&sha, data + cut, sizeof(data) - cut);
		lw_sha256_end(&sha, parts);
		ck_assert_str_eq(whole, parts);
	}
}
