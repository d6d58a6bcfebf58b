/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: what a plugin's file says of itself. */
#include "fuzz/fuzz.h"

#include "cli/check/elf.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lw_elf_plugin plugin;
	struct lw_error err = { "" };

	if (lw_elf_read_plugin(fuzz_write("plugin.so", data, size), &plugin, &err)) {
		fuzz_check(*err.text);
		return 0;
	}
	fuzz_check(strnlen(plugin.type, LW_ELF_TEXT) < LW_ELF_TEXT);
	fuzz_check(strnlen(plugin.name, LW_ELF_TEXT) < LW_ELF_TEXT);
	return 0;
}
