/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the history on disk: what was imported, and damaged files. */
#include "base/savefile.h"
#include "unit/learning.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

FIXTURE(make, destroy);

/* As leeway history import writes it: its jobs are not learned again. */
TEST(an_imported_history_is_gone_on_with)
{
	struct lw_history *history;
	struct lw_strbuf out = LW_STRBUF_INIT;
	struct lw_error err;

	ck_assert_int_eq(lw_history_create(0, &history), 0);
	for (int64_t end_s = NOW - 500; end_s < NOW - 400; end_s += 10) {
		const struct lw_history_job job = { .user = 7,
						    .partition = lw_history_name_id("gpu"),
						    .limit_s = LIMIT,
						    .run_s = 60,
						    .end_s = end_s };

		ck_assert_int_eq(lw_history_add(history, &job), 0);
	}
	ck_assert_int_eq(lw_history_print(history, &out), 0);
	ck_assert_int_eq(lw_savefile_write(path, LW_HISTORY_FILE_KIND, LW_HISTORY_FILE_VERSION,
					   lw_strbuf_text(&out), out.len, &err),
			 0);
	lw_history_destroy(history);
	lw_strbuf_fini(&out);
	reopen();
	ck_assert_uint_eq(learned(), 10);
	lw_learn_begin(learn, NOW);
	note(ended(1, NOW - 410, 60));
	note(ended(2, NOW - 409, 60));
	ck_assert_uint_eq(lw_learn_teach(learn), 1);
	ck_assert_uint_eq(learned(), 11);
}

static const char *const damages[] = {
	"",
	"lw-history 1 5 00000000\nhallo",
	"lw-promises 1 0 00000000\n",
	"lw-history 9 0 00000000\n", /* its checksum is wrong */
	"rubbish",
};

TEST_EACH(a_damaged_file_is_set_aside, LW_COUNT_OF(damages))
{
	char aside[256], *text;

	scratch_write(FILE_NAME, damages[_i]);
	reopen();
	ck_assert_msg(strstr(last_error, "set aside as") != NULL, "said \"%s\"", last_error);
	ck_assert_uint_eq(learned(), 0);
	snprintf(aside, sizeof(aside), "%s.damaged-%d", path, NOW);
	text = scratch_read(aside);
	ck_assert_str_eq(text ? text : "", damages[_i]);
	free(text);
	lw_learn_begin(learn, NOW);
	note(ended(1, NOW - 50, 60));
	ck_assert_uint_eq(lw_learn_teach(learn), 1);
	save(NOW, true);
	reopen();
	ck_assert_uint_eq(learned(), 1);
}

/* The checksum holds, the content does not: the error names file and line. */
TEST(a_sealed_file_of_nonsense_is_set_aside)
{
	static const char text[] = "jobs 1 evicted 0\nnonsense\n";
	struct lw_error err;

	ck_assert_int_eq(lw_savefile_write(path, LW_HISTORY_FILE_KIND, LW_HISTORY_FILE_VERSION,
					   text, strlen(text), &err),
			 0);
	reopen();
	ck_assert_msg(strncmp(last_error, path, strlen(path)) == 0, "said \"%s\"", last_error);
	ck_assert_ptr_nonnull(strstr(last_error, "2"));
	ck_assert_int_ne(access(path, F_OK), 0);
}
