/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the text format of Prometheus, as node_exporter's textfiles have it. */
#ifndef LW_BASE_PROM_H
#define LW_BASE_PROM_H

#include "base/strbuf.h"

/*
 * A family is its two lines of comment and all its values behind them: no other value comes in
 * between, and no family twice.
 */

/* The two lines of NAME, a "counter" or "gauge" as TYPE says. */
void lw_prom_family(struct lw_strbuf *out, const char *name, const char *type, const char *help);

/* LABEL="TEXT", whatever is in TEXT: a user may be called DOMAIN\user. */
void lw_prom_label(struct lw_strbuf *out, const char *label, const char *text);

#endif
