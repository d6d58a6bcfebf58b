/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: files half written, which go away with a process that is interrupted. */
#include "cli/common/leftover.h"

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#define PATHS_MAX 8
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const int ends[] = { SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ };

/* Written while the signals wait. */
static const char *volatile paths[PATHS_MAX];

/* Nothing here but what is safe in a handler. The signal then does what it does without one. */
static void take_away(int signal_number)
{
	for (size_t i = 0; i < PATHS_MAX; i++) {
		if (paths[i])
			unlink(paths[i]);
	}
	raise(signal_number);
}

/* A signal that is ignored, as under nohup, stays ignored; a signal with a handler keeps it. */
static void listen_to(int signal_number)
{
	struct sigaction now, ours = { .sa_handler = take_away, .sa_flags = (int)SA_RESETHAND };

	sigemptyset(&ours.sa_mask);
	if (!sigaction(signal_number, NULL, &now) && now.sa_handler == SIG_DFL)
		sigaction(signal_number, &ours, NULL);
}

void lw_leftover_note(const char *path)
{
	size_t i = 0;

	while (i < PATHS_MAX && paths[i])
		i++;
	if (i == PATHS_MAX)
		return;
	paths[i] = path;
	for (size_t k = 0; k < COUNT_OF(ends); k++)
		listen_to(ends[k]);
}

void lw_leftover_forget(const char *path)
{
	for (size_t i = 0; i < PATHS_MAX; i++) {
		if (paths[i] == path)
			paths[i] = NULL;
	}
}

void lw_leftover_hold(sigset_t *ret_before)
{
	sigset_t held;

	sigemptyset(&held);
	for (size_t k = 0; k < COUNT_OF(ends); k++)
		sigaddset(&held, ends[k]);
	sigprocmask(SIG_BLOCK, &held, ret_before);
}

void lw_leftover_release(const sigset_t *before)
{
	sigprocmask(SIG_SETMASK, before, NULL);
}
