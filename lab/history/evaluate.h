/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway history evaluate, of which the rest is in cli/history. */
#ifndef LW_LAB_HISTORY_EVALUATE_H
#define LW_LAB_HISTORY_EVALUATE_H

/* ARGV is "history", "evaluate" and words that cli/history has found no fault with. */
int lw_lab_history(int argc, char **argv);

#endif
