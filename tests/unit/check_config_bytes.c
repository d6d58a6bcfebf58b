/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of src/config on damaged and random bytes. */

/*
 * The reader runs inside slurmctld, on a file that anybody may have mangled. Whatever
 * the bytes, it either takes settings that are in bounds, or fails with one line of
 * printable text and leaves the caller's settings alone. Run under ASan and valgrind.
 */
#include "config/config.h"

#include "unit/unit.h"

#include <errno.h>
#include <string.h>

static const char *const seeds[] = {
	"sched:\n  policy: relaxed\n  relax: 0.25 # more\n  interval: 1m\nlog:\n  level: debug\n",
	"---\n\"sched\": {policy: 'easy', \"dump_dir\": \"/a\\x20b\"}\nselect.narrow: off\n...\n",
	"topology:\n  islands: [{nodes: 'n[1-2]', gpus: 4}]\n"
	"  domains:\n  - name: a\n    nodes: n1\n",
	"? sched\n: &a {relax: 2.0}\n# \xc3\xa9\nselect: !!map\n  narrow: !!bool yes\n",
};

/* Bytes with a meaning in YAML, which find more than random ones do. */
static const char marks[] = "\n\t :-?[]{},#&*!|>'\"%@`\\0.\x01\xff\xc3~<";

/* xorshift64: fixed seeds, so that a failure comes back. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Every value of CFG must be one that its own text sets again. */
static void assert_in_bounds(const struct lw_config *cfg)
{
	struct lw_strbuf out = LW_STRBUF_INIT;
	struct lw_error err = { "" };
	struct lw_config back;

	lw_config_print(cfg, false, &out);
	ck_assert_msg(!lw_config_parse("printed", lw_strbuf_text(&out), out.len, &back, &err),
		      "%s\n%s", err.text, lw_strbuf_text(&out));
	ck_assert_uint_eq(lw_config_diff(cfg, &back, &out), 0);
	lw_config_fini(&back);
	lw_strbuf_fini(&out);
}

static void assert_handled(const char *text, size_t size)
{
	struct lw_error err = { "" };
	struct lw_config cfg;
	/* of exactly this size, so that ASan sees a read beyond it */
	char *bytes = malloc(size ? size : 1);
	int rc;

	ck_assert_ptr_nonnull(bytes);
	memcpy(bytes, text, size);
	rc = lw_config_parse("f", bytes, size, &cfg, &err);
	free(bytes);
	if (!rc) {
		assert_in_bounds(&cfg);
		lw_config_fini(&cfg);
		return;
	}
	ck_assert_int_eq(rc, -EINVAL);
	ck_assert_int_eq(strncmp(err.text, "f:", 2), 0);
	for (const char *p = err.text; *p; p++)
		ck_assert_msg(*p >= ' ' && *p < 0x7f, "byte %#x in a message", (unsigned char)*p);
}

TEST_EACH(every_beginning_is_handled, LW_COUNT_OF(seeds))
{
	for (size_t size = 0; size <= strlen(seeds[_i]); size++)
		assert_handled(seeds[_i], size);
}

TEST_EACH(every_byte_replaced_is_handled, LW_COUNT_OF(seeds))
{
	char text[256];
	size_t size = strlen(seeds[_i]);

	for (size_t at = 0; at < size; at++) {
		for (size_t n = 0; n < sizeof(marks); n++) {
			memcpy(text, seeds[_i], size);
			text[at] = marks[n];
			assert_handled(text, size);
		}
	}
}

TEST_EACH(random_edits_are_handled, 4)
{
	uint64_t state = 88172645463325252u + (uint64_t)_i;
	unsigned rounds = getenv("LW_QUICK") ? 200 : 3000;
	char text[256];

	for (unsigned round = 0; round < rounds; round++) {
		const char *seed = seeds[next_random(&state) % LW_COUNT_OF(seeds)];
		size_t size = strlen(seed);

		memcpy(text, seed, size);
		for (uint64_t edits = next_random(&state) % 8; edits; edits--) {
			size_t at = next_random(&state) % size;
			size_t from = next_random(&state) % size;
			uint64_t kind = next_random(&state) % 3;

			if (kind == 0)
				text[at] = (char)next_random(&state);
			else if (kind == 1)
				text[at] = marks[next_random(&state) % sizeof(marks)];
			else
				memmove(text + at, text + from, size - (at > from ? at : from));
		}
		assert_handled(text, size);
	}
}

TEST_EACH(depth_and_repetition_are_bounded, 9)
{
	static const char *const units[] = { "[",	 "{",	"- ", "? ", "a: ",
					     "{a: ", "&a ", "!",  "|\n" };
	size_t unit = strlen(units[_i]), size = getenv("LW_QUICK") ? 2000 : 20000;
	char *text = malloc(size);

	ck_assert_ptr_nonnull(text);
	for (size_t at = 0; at < size; at++)
		text[at] = units[_i][at % unit];
	assert_handled(text, size);
	/* the same behind a key of ours, where a value is awaited */
	memcpy(text, "sched.relax: ", 13);
	assert_handled(text, size);
	memcpy(text, "sched: {   : ", 13);
	assert_handled(text, size);
	free(text);
}
