/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of lab/sim/pool.h: work in several processes is as in one. */
#include "lab/sim/pool.h"

#include "unit/unit.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECES 20

/* What pieces find, in shared memory, and the order in which they were begun and ended. */
struct desk {
	uint32_t *found, *process;
	uint32_t begun, ended, most_open;
	uint32_t fails, killed; /* which piece; PIECES: none */
	int held;               /* by each that works, until it has ended */
};

static int begin(void *arg, uint32_t piece)
{
	struct desk *desk = arg;

	ck_assert_uint_eq(piece, desk->begun++);
	if (desk->begun - desk->ended > desk->most_open)
		desk->most_open = desk->begun - desk->ended;
	return 0;
}

/* The first of each four takes longest, so that those behind it have ended before. */
static int work(void *arg, uint32_t piece)
{
	struct desk *desk = arg;
	uint32_t value = piece;

	for (uint32_t i = 0; i < (piece % 4 ? 100 : 2000000); i++)
		value = value * 1664525 + 1013904223;
	if (piece == desk->killed)
		raise(SIGKILL);
	if (piece == desk->fails)
		return -EDOM;
	desk->found[piece] = value;
	desk->process[piece] = (uint32_t)getpid();
	return 0;
}

static int end(void *arg, uint32_t piece)
{
	struct desk *desk = arg;

	ck_assert_uint_eq(piece, desk->ended++);
	ck_assert_uint_ne(desk->process[piece], 0);
	return 0;
}

static struct desk desk;
static struct lw_error err;

static void setup(void)
{
	const size_t size = PIECES * sizeof(uint32_t);

	desk = (struct desk){ lw_pool_room(size), lw_pool_room(size), .fails = PIECES,
			      .killed = PIECES };
}

static void teardown(void)
{
	const size_t size = PIECES * sizeof(uint32_t);

	/* none is left to be waited for */
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
	lw_pool_room_free(desk.found, size);
	lw_pool_room_free(desk.process, size);
}

FIXTURE(setup, teardown);

static int run(uint32_t at_once)
{
	const struct lw_pool pool = { .count = PIECES,
				      .at_once = at_once,
				      .begin = begin,
				      .work = work,
				      .end = end,
				      .arg = &desk };

	return lw_pool_run(&pool, &err);
}

static const uint32_t crews[] = { 0, 1, 2, 3, PIECES, 100 };

TEST_EACH(all_is_done_in_order, LW_COUNT_OF(crews))
{
	uint32_t here = (uint32_t)getpid(), alone[PIECES];

	ck_assert_int_eq(run(1), 0);
	memcpy(alone, desk.found, sizeof(alone));
	memset(desk.found, 0, sizeof(alone));
	desk.begun = desk.ended = desk.most_open = 0;
	ck_assert_int_eq(run(crews[_i]), 0);
	ck_assert_uint_eq(desk.ended, PIECES);
	ck_assert_mem_eq(desk.found, alone, sizeof(alone));
	for (uint32_t i = 0; i < PIECES; i++)
		ck_assert_int_eq(desk.process[i] == here, crews[_i] < 2);
	ck_assert_uint_le(desk.most_open, crews[_i] < 2 ? 1 : 2 * crews[_i]);
}

TEST_EACH(one_that_fails_ends_all, 2)
{
	desk.fails = 7;
	ck_assert_int_eq(run(_i ? 4 : 1), -EDOM);
	ck_assert_str_eq(err.text, strerror(EDOM));
	ck_assert_uint_le(desk.ended, 7);
}

TEST(one_that_is_killed_is_told)
{
	desk.killed = 5;
	ck_assert_int_eq(run(2), -ECHILD);
	ck_assert_msg(strstr(err.text, "was ended by signal 9"), "%s", err.text);
	ck_assert_msg(strstr(err.text, "memory for 2 at once"), "%s", err.text);
	ck_assert_uint_le(desk.ended, 5);
}

/* Says that it works, and would do so for ever. */
static int work_on(void *arg, uint32_t piece)
{
	const struct desk *at = arg;

	(void)piece;
	if (write(at->held, "", 1) == 1)
		for (;;)
			pause();
	return -EIO;
}

static const int ends[] = { SIGINT, SIGTERM, SIGKILL };

/* Each holds a pipe open as long as it lives. */
TEST_EACH(none_is_left_by_one_that_is_ended, LW_COUNT_OF(ends))
{
	const struct lw_pool pool = { 3, 3, .work = work_on, .arg = &desk };
	char byte;
	pid_t pid;
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	desk.held = fds[1];
	pid = fork();
	if (!pid) {
		signal(ends[_i], SIG_DFL);
		_exit(lw_pool_run(&pool, NULL) != 0);
	}
	close(fds[1]);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(read(fds[0], &byte, 1), 1);
	ck_assert_int_eq(kill(pid, ends[_i]), 0);
	ck_assert_int_eq(read(fds[0], &byte, 1), 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	close(fds[0]);
}
