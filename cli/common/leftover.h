/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: files half written, which go away with a process that is interrupted. */
#ifndef LW_CLI_COMMON_LEFTOVER_H
#define LW_CLI_COMMON_LEFTOVER_H

#include <signal.h>

/*
 * From now on PATH, which is the caller's until it is forgotten, is removed when a signal to
 * terminate (SIGINT, SIGTERM, SIGHUP and others) comes that has no other handler. The number of
 * paths is bounded by what any command writes at once; further ones are not noted, and are
 * removed by the next writer of the same file (base/io.h).
 */
void lw_leftover_note(const char *path);
/* PATH is renamed or removed. */
void lw_leftover_forget(const char *path);

/* Have these signals wait, until they are released. */
void lw_leftover_hold(sigset_t *ret_before);
/* They come as they did before lw_leftover_hold(). */
void lw_leftover_release(const sigset_t *before);

#endif
