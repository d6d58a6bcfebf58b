/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a Slurm plugin says of itself, read from its file without loading it. */
#ifndef LW_CLI_CHECK_ELF_H
#define LW_CLI_CHECK_ELF_H

#include "base/error.h"

#include <stdint.h>

#define LW_ELF_TEXT 64

struct lw_elf_plugin {
	uint16_t machine;       /* e_machine: for which processor */
	uint32_t version;       /* plugin_version, major * 65536 + minor * 256 + micro; 0: none */
	char type[LW_ELF_TEXT]; /* plugin_type, such as "sched/backfill"; "": none */
	char name[LW_ELF_TEXT]; /* plugin_name */
};

/*
 * Read the symbols plugin_version, plugin_type and plugin_name of the shared object at
 * PATH, of 64 bits and this machine's byte order. -EINVAL with ERR when it is no such
 * object or cut off; -errno of the file. What is in it is not trusted.
 */
int lw_elf_read_plugin(const char *path, struct lw_elf_plugin *ret_plugin, struct lw_error *err);

#endif
