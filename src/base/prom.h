/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the text format of Prometheus, as in node_exporter's text files. */
#ifndef LW_BASE_PROM_H
#define LW_BASE_PROM_H

#include "base/strbuf.h"

/*
 * A family is its two lines of comment and all its values after them: no other value may come
 * between, and no family twice.
 */

/* Write the two lines of NAME, a "counter" or "gauge" by TYPE. */
void lw_prom_family(struct lw_strbuf *out, const char *name, const char *type, const char *help);

/* Write LABEL="TEXT", whatever TEXT contains: a user may be called DOMAIN\user. */
void lw_prom_label(struct lw_strbuf *out, const char *label, const char *text);

#endif
