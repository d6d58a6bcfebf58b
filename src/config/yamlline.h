/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the line on which a text is no YAML. */
#ifndef LW_CONFIG_YAMLLINE_H
#define LW_CONFIG_YAMLLINE_H

#include <stddef.h>
#include <yaml.h>

/*
 * The line, from 1, of TEXT where PARSER has failed. Of bytes that are no text its mark tells
 * nothing, but an offset does.
 */
unsigned lw_yaml_error_line(const yaml_parser_t *parser, const char *text, size_t size);

#endif
