/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: select_cons_tres.so: stock's, with narrower candidates for GPU jobs. */
#ifndef LW_SLURM_SELECT_H
#define LW_SLURM_SELECT_H

/*
 * Open stock's plugin, check that it has every op of this release, and start it. 0, or -1 if it
 * cannot serve: Slurm then uses stock's plugin directly.
 */
int lw_select_start(void);
void lw_select_stop(void);

#endif
