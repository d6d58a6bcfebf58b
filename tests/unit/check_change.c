/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of record/change.h: a comment that others write as well. */
#include "record/change.h"

#include "base/words.h"
#include "unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define WORD "leeway:gpu=n:1"

/* A slurmctld with one job. */
static struct {
	char comment[LW_COMMENT_MAX];
	unsigned reads, writes;
	int read_rc, write_rc; /* what a call says that fails */
	/* So often another writer follows ours, with a text that it made of an earlier one. */
	unsigned others;
	bool gone; /* after the first write */
} ctld;

static void setup(void)
{
	memset(&ctld, 0, sizeof(ctld));
	snprintf(ctld.comment, sizeof(ctld.comment), "mine");
}

static int read_job(void *arg, char buf[LW_COMMENT_MAX])
{
	(void)arg;
	ctld.reads++;
	if (ctld.gone && ctld.writes)
		return -ESRCH;
	strcpy(buf, ctld.comment);
	return ctld.read_rc;
}

static int write_job(void *arg, const char *comment)
{
	(void)arg;
	ctld.writes++;
	if (ctld.write_rc)
		return ctld.write_rc;
	snprintf(ctld.comment, sizeof(ctld.comment), "%s", comment);
	if (ctld.others) {
		ctld.others--;
		snprintf(ctld.comment, sizeof(ctld.comment), "mine theirs:%u", ctld.writes);
	}
	return 0;
}

static int put_word(void *arg, const char *old, char buf[LW_COMMENT_MAX])
{
	return lw_words_put(old, "leeway:gpu=", arg, buf, LW_COMMENT_MAX);
}

static int change(const char *word)
{
	const struct lw_change_calls calls = { read_job, write_job, NULL };
	char text[64];

	snprintf(text, sizeof(text), "%s", word);
	return lw_change(&calls, put_word, text);
}

FIXTURE(setup, NULL);

TEST(a_word_is_put_beside_what_is_there)
{
	ck_assert_int_eq(change(WORD), 0);
	ck_assert_str_eq(ctld.comment, "mine " WORD);
	ck_assert_uint_eq(ctld.writes, 1);
	ck_assert_uint_eq(ctld.reads, 2);
}

/* It takes our word away, and what it wrote stays when ours comes back. */
TEST_EACH(another_writer_and_ours_both_stand, LW_CHANGE_TRIES)
{
	ctld.others = (unsigned)_i;
	ck_assert_int_eq(change(WORD), 0);
	ck_assert_ptr_nonnull(strstr(ctld.comment, WORD));
	if (_i)
		ck_assert_ptr_nonnull(strstr(ctld.comment, "theirs:"));
	ck_assert_uint_eq(ctld.writes, (unsigned)_i + 1);
}

TEST(one_that_never_stops_ends_it)
{
	ctld.others = 1000;
	ck_assert_int_eq(change(WORD), -EAGAIN);
	ck_assert_uint_eq(ctld.writes, LW_CHANGE_TRIES);
}

TEST(what_fails_is_said)
{
	char word[32] = WORD;

	ctld.read_rc = -EAGAIN;
	ck_assert_int_eq(change(word), -EAGAIN);
	ck_assert_uint_eq(ctld.writes, 0);
	ctld.read_rc = 0;
	ctld.write_rc = -EACCES;
	ck_assert_int_eq(change(word), -EACCES);
	memset(ctld.comment, 'x', LW_COMMENT_MAX - 1);
	ctld.write_rc = 0;
	ck_assert_int_eq(change(word), -ENOSPC);
	/* a job that ends once it was told of has been told of */
	setup();
	ctld.gone = true;
	ck_assert_int_eq(change(word), 0);
}
