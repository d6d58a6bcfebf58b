/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: another of Leeway's plugins in the same process. */
#ifndef LW_BASE_BESIDE_H
#define LW_BASE_BESIDE_H

/*
 * A handle for dlsym() and dlclose() of the plugin FILE that lies beside the plugin that this is
 * part of. NULL: it is not loaded. No file is touched.
 */
void *lw_beside_open(const char *file);

#endif
