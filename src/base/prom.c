/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the text format of Prometheus, as in node_exporter's text files. */
#include "base/prom.h"

#include <string.h>

/* With a backslash before each of ESCAPED, and before the n of a line's end. */
static void prom_add_escaped(struct lw_strbuf *out, const char *text, const char *escaped)
{
	for (; *text; text++) {
		if (*text == '\n')
			lw_strbuf_add(out, "\\n");
		else
			lw_strbuf_add(out, "%s%c", strchr(escaped, *text) ? "\\" : "", *text);
	}
}

void lw_prom_family(struct lw_strbuf *out, const char *name, const char *type, const char *help)
{
	lw_strbuf_add(out, "# HELP %s ", name);
	prom_add_escaped(out, help, "\\");
	lw_strbuf_add(out, "\n# TYPE %s %s\n", name, type);
}

void lw_prom_label(struct lw_strbuf *out, const char *label, const char *text)
{
	lw_strbuf_add(out, "%s=\"", label);
	prom_add_escaped(out, text, "\\\"");
	lw_strbuf_add(out, "\"");
}
