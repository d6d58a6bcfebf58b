/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: files half written, which go away with a process that is interrupted. */
#ifndef LW_CLI_COMMON_LEFTOVER_H
#define LW_CLI_COMMON_LEFTOVER_H

#include <signal.h>

/*
 * From now on PATH, which is the caller's until it is forgotten, is removed when a signal that
 * means the end (SIGINT, SIGTERM, SIGHUP and the like) comes and nobody else handles it. Beyond as
 * many as any command writes at once nothing is noted: what is left over then is taken away by the
 * next that writes the same file (base/io.h).
 */
void lw_leftover_note(const char *path);
/* PATH is renamed or removed. */
void lw_leftover_forget(const char *path);

/* Have these signals wait, until they are released. */
void lw_leftover_hold(sigset_t *ret_before);
/* They come as they did before lw_leftover_hold(). */
void lw_leftover_release(const sigset_t *before);

#endif
