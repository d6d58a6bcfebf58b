/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the line on which a text stops being YAML. */
#ifndef LW_CONFIG_YAMLLINE_H
#define LW_CONFIG_YAMLLINE_H

#include <stddef.h>
#include <yaml.h>

/*
 * The line of TEXT, from 1, where PARSER failed. For bytes that are no text its mark says
 * nothing, but its offset does.
 */
unsigned lw_yaml_error_line(const yaml_parser_t *parser, const char *text, size_t size);

#endif
