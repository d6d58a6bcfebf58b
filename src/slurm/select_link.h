/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the scheduler plugin tells our select plugin, which reads no file. */
#ifndef LW_SLURM_SELECT_LINK_H
#define LW_SLURM_SELECT_LINK_H

#include <stdbool.h>

/*
 * Switch select.narrow on or off in the select plugin that lies beside our own file, named
 * OWN_FILE, in which the object at OWN is. Nothing happens if it is not loaded.
 */
void lw_select_link_narrow(const char *own_file, const void *own, bool on);

#endif
