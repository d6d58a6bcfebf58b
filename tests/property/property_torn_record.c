/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: of a GPU record that is cut or damaged each line that is whole stands, and no other. */
#include "property/prng.h"
#include "property/tap.h"

#include "record/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START_S 1700000000

static int make_text(uint32_t samples, struct lw_strbuf *ret_text)
{
	struct lw_record_head head = {
		.job_id = 77,
		.user_id = 1001,
		.interval_s = 10,
		.start_s = START_S,
		.node = "n1",
		.step = "0",
		.gpu_count = 2,
		.gpu[0].id = "GPU-0",
		.gpu[1] = { .index = 3, .mem_total_mib = 81920, .id = "GPU-1" }
	};
	struct lw_record *record;
	int rc = lw_record_create(&head, &record);

	if (rc)
		return rc;
	for (uint32_t i = 0; !rc && i < samples; i++) {
		struct lw_gpu_sample both[2] = { { .has = 3 }, { .has = i % 3 } };

		for (unsigned m = 0; m < LW_METRIC_COUNT; m++)
			both[0].value[m] = both[1].value[m] = i * (m + 1) % 100;
		rc = lw_record_add(record, START_S + i * 10, both);
	}
	record->head.end_s = START_S + samples * 10;
	lw_record_print(record, ret_text);
	lw_record_print_sent(record->head.end_s, ret_text);
	lw_record_destroy(record);
	return rc ? rc : ret_text->error;
}

/* Lines of the whole text; one that is HIT is not looked for in the other. */
struct lines {
	const char *text;
	size_t size;
	size_t *begin; /* count + 1 of them */
	bool *hit;
	uint32_t count;
};

static int cut_into_lines(struct lines *lines)
{
	lines->begin = calloc(lines->size + 1, sizeof(*lines->begin));
	lines->hit = calloc(lines->size + 1, sizeof(*lines->hit));
	if (!lines->begin || !lines->hit)
		return -ENOMEM;
	for (size_t i = 0; i < lines->size; i++)
		if (lines->text[i] == '\n')
			lines->begin[++lines->count] = i + 1;
	return 0;
}

static void lines_fini(struct lines *lines)
{
	free(lines->begin);
	free(lines->hit);
}

/* What a reader makes of those that are not hit, as it prints it. */
static int print_rest(const struct lines *lines, struct lw_strbuf *out)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_record *record;
	struct lw_error err;
	int rc;

	for (uint32_t i = 0; i < lines->count; i++)
		if (!lines->hit[i])
			lw_strbuf_add_bytes(&text, lines->text + lines->begin[i],
					    lines->begin[i + 1] - lines->begin[i]);
	rc = lw_record_parse("rest", lw_strbuf_text(&text), text.len, &record, &err);
	lw_strbuf_fini(&text);
	if (rc)
		return rc;
	lw_record_print(record, out);
	lw_record_destroy(record);
	return 0;
}

/*
 * DATA is the whole text but for the lines that are hit. Its first line is, or all others are
 * read as they were and SPOILT: some are counted as damaged.
 */
static int check(const struct lines *lines, const char *data, size_t size, bool spoilt,
		 struct lw_strbuf *why)
{
	struct lw_strbuf wanted = LW_STRBUF_INIT, found = LW_STRBUF_INIT;
	struct lw_record *record = NULL;
	struct lw_error err = { "" };
	int rc = lw_record_parse("record", data, size, &record, &err);

	if (lines->hit[0]) {
		lw_record_destroy(rc ? NULL : record);
		if (rc != -EBADMSG || !strstr(err.text, "record"))
			return BROKEN(why, "no first line, and read as %d: %s\n", rc, err.text);
		return 0;
	}
	if (rc)
		return BROKEN(why, "read as %d: %s\n", rc, err.text);
	rc = print_rest(lines, &wanted);
	lw_record_print(record, &found);
	if (rc || strcmp(lw_strbuf_text(&wanted), lw_strbuf_text(&found)) != 0)
		rc = BROKEN(why, "wanted:\n%sfound:\n%s", lw_strbuf_text(&wanted),
			    lw_strbuf_text(&found));
	else if (!record->damaged != !spoilt)
		rc = BROKEN(why, "%u lines are said to be damaged\n", record->damaged);
	lw_record_destroy(record);
	lw_strbuf_fini(&wanted);
	lw_strbuf_fini(&found);
	return rc;
}

static int of_small(int (*try)(struct lines *lines, char *copy, struct lw_strbuf *why),
		    struct lw_strbuf *why)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc = make_text(4, &text);
	struct lines lines = { .text = lw_strbuf_text(&text), .size = text.len };
	char *copy = malloc(lines.size + 1);

	if (rc || !copy || cut_into_lines(&lines))
		rc = BROKEN(why, "cannot be made\n");
	else
		memcpy(copy, lines.text, lines.size + 1);
	if (!rc)
		rc = try(&lines, copy, why);
	lines_fini(&lines);
	free(copy);
	lw_strbuf_fini(&text);
	return rc;
}

static int every_cut(struct lines *lines, char *copy, struct lw_strbuf *why)
{
	int rc = 0;

	for (size_t size = 0; !rc && size < lines->size; size++) {
		bool within = false;

		for (uint32_t i = 0; i < lines->count; i++) {
			lines->hit[i] = lines->begin[i + 1] > size;
			within |= lines->hit[i] && lines->begin[i] < size;
		}
		rc = check(lines, copy, size, within, why);
		if (rc)
			lw_strbuf_add(why, "cut to %zu bytes\n", size);
	}
	printf("# %zu bytes, as many cuts\n", lines->size);
	return rc;
}

static int every_bit(struct lines *lines, char *copy, struct lw_strbuf *why)
{
	int rc = 0;

	for (size_t bit = 0; !rc && bit < lines->size * 8; bit++) {
		size_t at = bit / 8;

		copy[at] ^= (char)(1 << bit % 8);
		/* without its end a line takes the next one with it */
		for (uint32_t i = 0; i < lines->count; i++)
			lines->hit[i] =
				at >= lines->begin[i] - (i > 0) && at < lines->begin[i + 1];
		rc = check(lines, copy, lines->size, true, why);
		if (rc)
			lw_strbuf_add(why, "bit %zu of byte %zu\n", bit % 8, at);
		copy[at] ^= (char)(1 << bit % 8);
	}
	printf("# %zu bytes, %zu bits\n", lines->size, lines->size * 8);
	return rc;
}

static int cuts(uint64_t seed, struct lw_strbuf *why)
{
	(void)seed;
	return of_small(every_cut, why);
}

static int bits(uint64_t seed, struct lw_strbuf *why)
{
	(void)seed;
	return of_small(every_bit, why);
}

/* ---- a full one ---- */

/* Blocks that are lost, and bytes that are others, here and there. */
static void spoil(struct prng *prng, struct lines *lines, char *copy)
{
	for (uint32_t n = prng_between(prng, 1, 5); n; n--) {
		size_t at = prng_between(prng, 0, (uint32_t)lines->size - 1);
		size_t len = prng_between(prng, 0, 1) ? 1 : prng_between(prng, 1, 4096);

		for (size_t i = at; i < at + len && i < lines->size; i++) {
			char before = copy[i];

			copy[i] = len == 1 ? (char)prng_between(prng, 0, 255) : '\0';
			if (copy[i] == before)
				continue;
			for (uint32_t k = 0; k < lines->count; k++)
				lines->hit[k] |=
					i >= lines->begin[k] - (k > 0) && i < lines->begin[k + 1];
		}
	}
}

static int damaged(uint64_t seed, struct lw_strbuf *why)
{
	static struct lw_strbuf text;
	struct prng prng = { seed };
	struct lines lines = { 0 };
	bool spoilt = false;
	char *copy;
	int rc = text.len ? 0 : make_text(LW_RECORD_BUCKETS, &text);

	lines.text = lw_strbuf_text(&text);
	lines.size = text.len;
	copy = malloc(lines.size + 1);
	if (rc || !copy || cut_into_lines(&lines)) {
		rc = BROKEN(why, "cannot be made\n");
	} else {
		memcpy(copy, lines.text, lines.size + 1);
		spoil(&prng, &lines, copy);
		for (uint32_t i = 0; i < lines.count; i++)
			spoilt |= lines.hit[i];
		rc = check(&lines, copy, lines.size, spoilt, why);
	}
	if (seed == 1)
		printf("# %zu bytes to be damaged\n", lines.size);
	lines_fini(&lines);
	free(copy);
	return rc;
}

static const struct property properties[] = {
	{ "a record cut at any length has the lines before, and says so", cuts, 1 },
	{ "one with any bit turned has all lines but that, and says so", bits, 1 },
	{ "and so has a full one with lost and changed pieces", damaged, 2000 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(properties[0]));
}
