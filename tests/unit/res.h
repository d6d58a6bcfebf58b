/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: amounts in the tables of unit tests. */
#ifndef LW_UNIT_RES_H
#define LW_UNIT_RES_H

/* A struct lw_res of so many CPUs, so much memory and GPUs by type, nothing else. */
#define RES(c, m, ...) { .cpus = (c), .mem_mib = (m), .gpus = { __VA_ARGS__ } }

#endif
