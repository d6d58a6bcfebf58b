/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the line on which a text stops being YAML. */
#include "config/yamlline.h"

unsigned lw_yaml_error_line(const yaml_parser_t *parser, const char *text, size_t size)
{
	unsigned line = 1;

	if (parser->error != YAML_READER_ERROR)
		return (unsigned)parser->problem_mark.line + 1;
	for (size_t i = 0; i < size && i < parser->problem_offset; i++)
		line += text[i] == '\n';
	return line;
}
