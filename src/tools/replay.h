/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway replay: a snapshot as text in, the plan as text out. */
#ifndef LW_TOOLS_REPLAY_H
#define LW_TOOLS_REPLAY_H

/* ARGV[0] is "replay". Returns the exit code: 0, 1 on failure, 2 on wrong use. */
int lw_tool_replay(int argc, char **argv);

#endif
