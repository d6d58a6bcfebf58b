/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: what else is kept: ages, kept nodes, waits, ended promises; words. */
#include "fuzz/fuzz.h"

#include "base/past.h"
#include "base/promise_ended.h"
#include "base/savefile.h"
#include "base/why.h"
#include "planner/text/text.h"
#include "predictor/outlook.h"
#include "slurm/keep/guarded.h"
#include "slurm/keep/since.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOW_S 1000

/* A whole file of KIND with DATA in it. */
static const char *write_state(const char *kind, const uint8_t *data, size_t size)
{
	struct lw_strbuf file = LW_STRBUF_INIT;
	const char *path;

	fuzz_check(!lw_savefile_print(kind, 1, data, size, &file));
	path = fuzz_write("kept", lw_strbuf_text(&file), file.len);
	lw_strbuf_fini(&file);
	return path;
}

static void load_since(const char *path)
{
	struct lw_error err = { "" };
	struct lw_since *since;
	uint32_t count;

	if (lw_since_create(path, NOW_S, NULL, &since))
		return;
	lw_since_runs(since, 7, 1, 100, false);
	fuzz_check(lw_since_of(since, 7, 900, true) <= 900);
	count = lw_since_count(since);
	fuzz_check(count <= LW_SINCE_MAX && !lw_since_save(since, &err));
	lw_since_destroy(since);
}

static void load_guarded(const char *path)
{
	static const char text[] = "lw-snapshot 1\nnow 1000\ngpu-type 0 a100\n"
				   "node 0-1 n[0-1] cpus=8 mem=9000 gpu:a100=4\nset 0 all 0-1\n";
	const struct lw_alloc *allocs;
	struct lw_guarded *guarded;
	struct lw_snapshot snap;
	struct lw_error err;
	uint32_t count;

	if (lw_guarded_create(path, NOW_S, NULL, &guarded))
		return;
	fuzz_check(!lw_snapshot_parse(&snap, "text", text, &err));
	for (uint32_t job = 1; job < 9; job++) {
		lw_guarded_start(guarded, job, 0);
		if (lw_guarded_find(guarded, &snap, job, 0, &allocs, &count))
			continue;
		for (uint32_t i = 0; i < count; i++)
			fuzz_check(allocs[i].node < snap.node_count);
	}
	lw_snapshot_fini(&snap);
	lw_guarded_destroy(guarded);
}

/* Printed and read again it is the same. */
static void load_outlook(char *text, size_t size)
{
	static struct lw_outlook outlook, again;
	struct lw_strbuf first = LW_STRBUF_INIT, second = LW_STRBUF_INIT;
	const struct lw_outlook_case job = { .base_s = 500, .age_s = 60, .share = 0.5 };
	struct lw_outlook_sample said;
	struct lw_error err = { "" };
	char *copy;

	if (lw_outlook_parse(&outlook, text, size, "waits", &err)) {
		fuzz_check_told(err.text);
		lw_outlook_init(&outlook);
	}
	lw_outlook_print(&outlook, &first);
	copy = fuzz_text((const uint8_t *)lw_strbuf_text(&first), first.len);
	fuzz_check(!lw_outlook_parse(&again, copy, first.len, "again", &err));
	lw_outlook_print(&again, &second);
	fuzz_check(strcmp(lw_strbuf_text(&first), lw_strbuf_text(&second)) == 0);
	said = lw_outlook_say(&outlook, &job, NOW_S);
	fuzz_check(said.low_s <= said.p50_s && said.p50_s <= said.p90_s);
	lw_outlook_learn(&outlook, &said, NOW_S + 77);
	free(copy);
	lw_strbuf_fini(&first);
	lw_strbuf_fini(&second);
}

static void load_ended(char *text, size_t size)
{
	static struct lw_promise_ring ring;
	struct lw_strbuf out = LW_STRBUF_INIT;
	struct lw_error err = { "" };

	if (lw_promise_ring_parse(&ring, text, size, "ended", &err)) {
		fuzz_check_told(err.text);
		fuzz_check(!ring.count);
	}
	fuzz_check(ring.count <= LW_PROMISE_ENDED_MAX);
	lw_promise_ring_print(&ring, &out);
	lw_strbuf_fini(&out);
}

/* What is read is written in a word, and that is read as the same. */
static void read_word(const char *text)
{
	struct lw_statement why, again;
	char word[LW_WHY_MAX], second[LW_WHY_MAX];
	int rc = lw_why_decode(text, &why);

	fuzz_check(!rc || rc == -ENOENT || rc == -EINVAL || rc == -ENOTSUP);
	if (rc)
		return;
	fuzz_check(lw_why_encode(&why, word) < LW_WHY_MAX);
	fuzz_check(!lw_why_decode(word, &again));
	lw_why_encode(&again, second);
	fuzz_check(strcmp(word, second) == 0);
}

/* The same of a job's past. */
static void read_past(const char *text)
{
	struct lw_past past, again;
	char word[LW_PAST_MAX], second[LW_PAST_MAX];
	int rc = lw_past_decode(text, &past);

	fuzz_check(!rc || rc == -ENOENT || rc == -EINVAL || rc == -ENOTSUP);
	if (rc)
		return;
	lw_past_add(&past, LW_PAST_STARTED, NOW_S, 0);
	lw_past_encode(&past, word);
	fuzz_check(!lw_past_decode(word, &again));
	lw_past_encode(&again, second);
	fuzz_check(strcmp(word, second) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how = fuzz_take(&data, &size);
	char *text = fuzz_text(data, size);

	switch (how % 6) {
	case 0:
		load_since(write_state("since", data, size));
		break;
	case 1:
		load_guarded(write_state("guarded", data, size));
		break;
	case 2:
		load_outlook(text, size);
		break;
	case 3:
		load_ended(text, size);
		break;
	case 4:
		read_past(text);
		break;
	default:
		read_word(text);
	}
	free(text);
	unlink(fuzz_path("kept.damaged-1000"));
	return 0;
}
