/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the scheduler plugin tells our select plugin, which reads no file. */
#ifndef LW_SLURM_SELECT_LINK_H
#define LW_SLURM_SELECT_LINK_H

#include "policy/snapshot.h"
#include "slurm/islands.h"

#include <stdbool.h>

/*
 * The select plugin meant is the one that lies beside the file in which the object at OWN is.
 * Nothing happens if it is not loaded.
 */

/* Switch select.narrow on or off. */
void lw_select_link_narrow(const void *own, bool on);
/* From now on these are the locality domains; copied. Needs the locks of LW_LOCKS_ALL. */
void lw_select_link_domains(const void *own, const struct lw_domains *domains);
/* And these the islands of leeway.yaml; the same. */
void lw_select_link_islands(const void *own, const struct lw_islands *islands);
/* And this is SNAP's mix, by its GPU types; copied. Needs the same locks. */
void lw_select_link_mix(const void *own, const struct lw_snapshot *snap);

#endif
