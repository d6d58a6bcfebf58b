/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: print the example leeway.yaml and the key section of its man page. */

/*
 * Runs while building and is not installed: what an administrator reads about a key
 * comes from the same table as what the reader checks.
 */
#include "config/config.h"
#include "config/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of TEXT as roff: no escapes by accident, no requests at the start. Returns its end. */
static const char *docs_add_roff(const char *text, struct lw_strbuf *out)
{
	const char *p = text;

	if (*text == '.' || *text == '\'')
		lw_strbuf_add(out, "\\&");
	for (; *p && *p != '\n'; p++) {
		if (*p == '\\')
			lw_strbuf_add(out, "\\e");
		else if (*p == '-')
			lw_strbuf_add(out, "\\-");
		else
			lw_strbuf_add_bytes(out, p, 1);
	}
	lw_strbuf_add(out, "\n");
	return p;
}

/* TEXT below a tag: paragraphs, and items, "- ...", with bullets. */
static void docs_add_text(const char *text, struct lw_strbuf *out)
{
	bool items = false;

	for (;; text++) {
		bool item = !strncmp(text, "- ", 2);

		if (item && !items)
			lw_strbuf_add(out, ".RS\n.PD 0\n");
		if (!item && items)
			lw_strbuf_add(out, ".PD\n.RE\n.IP\n");
		if (item)
			lw_strbuf_add(out, ".IP \\(bu 2\n");
		items = item;
		text = docs_add_roff(item ? text + 2 : text, out);
		if (!*text)
			break;
	}
	lw_strbuf_add(out, items ? ".PD\n.RE\n.IP\n" : ".br\n");
}

static void docs_add_key(const struct lw_key *key, struct lw_strbuf *out)
{
	struct lw_strbuf values = LW_STRBUF_INIT;

	lw_key_describe(key, &values);
	lw_strbuf_add(out, ".TP\n.B %s\n", key->path);
	docs_add_text(key->sentence, out);
	docs_add_roff(lw_strbuf_text(&values), out);
	if (values.error)
		out->error = values.error;
	lw_strbuf_fini(&values);
}

static void docs_add_man_keys(struct lw_strbuf *out)
{
	size_t section_count, key_count;
	const struct lw_section *sections = lw_sections(&section_count);
	const struct lw_key *keys = lw_keys(&key_count);

	for (size_t i = 0; i < section_count; i++) {
		size_t len = strlen(sections[i].name);

		lw_strbuf_add(out, ".SS %s\n", sections[i].name);
		docs_add_roff(sections[i].sentence, out);
		for (size_t j = 0; j < key_count; j++) {
			if (!strncmp(keys[j].path, sections[i].name, len) &&
			    keys[j].path[len] == '.')
				docs_add_key(&keys[j], out);
		}
	}
}

int main(int argc, char **argv)
{
	struct lw_strbuf out = LW_STRBUF_INIT;
	struct lw_config cfg;
	int rc = EXIT_SUCCESS;

	if (argc == 2 && !strcmp(argv[1], "yaml")) {
		lw_config_default(&cfg);
		lw_config_print(&cfg, true, &out);
		lw_config_fini(&cfg);
	} else if (argc == 2 && !strcmp(argv[1], "man")) {
		docs_add_man_keys(&out);
	} else {
		fprintf(stderr, "usage: gen-docs yaml|man\n");
		return EXIT_FAILURE;
	}
	if (out.error || fputs(lw_strbuf_text(&out), stdout) < 0 || fflush(stdout)) {
		fprintf(stderr, "gen-docs: cannot write\n");
		rc = EXIT_FAILURE;
	}
	lw_strbuf_fini(&out);
	return rc;
}
