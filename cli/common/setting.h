/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where a setting stands in leeway.yaml. */
#ifndef LW_CLI_COMMON_SETTING_H
#define LW_CLI_COMMON_SETTING_H

#include <stdint.h>

/*
 * The line of the file PATH that sets KEY, "slack", "gpu_types" or "size.mode", from 1; 0: none
 * does. For messages on what only turns out once the file is read.
 */
uint32_t lw_setting_line(const char *path, const char *key);

#endif
