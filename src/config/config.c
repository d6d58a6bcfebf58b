/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the settings as a whole: defaults, the file, what changed, printing. */
#include "config/config.h"

#include "base/fold.h"
#include "base/io.h"
#include "config/keys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* columns of a comment in the printed file */
#define WRAP 78

/* The whole file, at most one byte above the largest we parse. */
static int config_read_file(const char *path, char **ret_text, size_t *ret_size,
			    struct lw_error *err)
{
	/* not blocking: a FIFO in the file's place must not hang the controller */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	char *text;
	int rc = 0;

	if (fd < 0) {
		rc = -errno;
		return lw_error_set(err, rc, "%s: cannot open: %s", path, strerror(-rc));
	}
	text = malloc(LW_CONFIG_BYTES_MAX + 1);
	if (!text)
		rc = lw_error_set(err, -ENOMEM, "%s: out of memory", path);
	else if (!fstat(fd, &st) && !S_ISREG(st.st_mode))
		rc = lw_error_set(err, -EINVAL, "%s: not a regular file", path);
	else if ((rc = lw_read_all(fd, text, LW_CONFIG_BYTES_MAX + 1, ret_size)))
		lw_error_set(err, rc, "%s: cannot read: %s", path, strerror(-rc));
	close(fd);
	if (rc) {
		free(text);
		return rc;
	}
	*ret_text = text;
	return 0;
}

/* LEN bytes of TEXT as comment lines behind INDENT. The lines of an item, "- ...", line up. */
static void config_add_paragraph(const char *indent, const char *text, size_t len,
				 struct lw_strbuf *out)
{
	bool item = !strncmp(text, "- ", 2);
	struct lw_strbuf line = LW_STRBUF_INIT;
	char more[20];

	lw_strbuf_add_bytes(&line, item ? text + 2 : text, item ? len - 2 : len);
	lw_strbuf_add(out, "%s# %s", indent, item ? "-" : "");
	snprintf(more, sizeof(more), "%s# %s", indent, item ? "  " : "");
	lw_fold(lw_strbuf_text(&line), more, WRAP, out);
	lw_strbuf_add(out, "\n");
	if (line.error)
		out->error = line.error;
	lw_strbuf_fini(&line);
}

/* TEXT as comment lines behind INDENT, broken between words and where it has newlines. */
static void config_add_comment(const char *indent, const char *text, struct lw_strbuf *out)
{
	for (;; text++) {
		size_t len = strcspn(text, "\n");

		config_add_paragraph(indent, text, len, out);
		text += len;
		if (!*text)
			return;
	}
}

static void config_print_key(const struct lw_key *key, const struct lw_config *cfg,
			     bool with_comments, struct lw_strbuf *out)
{
	struct lw_strbuf values = LW_STRBUF_INIT;

	if (with_comments) {
		lw_key_describe(key, &values);
		lw_strbuf_add(&values, ".");
		config_add_comment("  ", key->sentence, out);
		config_add_comment("  ", lw_strbuf_text(&values), out);
		lw_strbuf_fini(&values);
	}
	lw_strbuf_add(out, "  %s: ", strchr(key->path, '.') + 1);
	lw_key_print(key, cfg, out);
	lw_strbuf_add(out, "\n");
}

void lw_config_default(struct lw_config *cfg)
{
	memset(cfg, 0, sizeof(*cfg));
#define LW_KEY_BOOL(field, path, def, sentence)		      cfg->field = def;
#define LW_KEY_COUNT(field, path, def, min, max, sentence)    cfg->field = def;
#define LW_KEY_DOUBLE(field, path, def, min, max, sentence)   cfg->field = def;
#define LW_KEY_DURATION(field, path, def, min, max, sentence) cfg->field = def;
#define LW_KEY_ENUM(field, path, def, choices, sentence)      cfg->field = def;
#include "config/keys.def"
}

void lw_config_fini(struct lw_config *cfg)
{
#define LW_KEY_PATH(field, path, sentence)  free(cfg->field);
#define LW_KEY_WORDS(field, path, sentence) free(cfg->field);
#define LW_KEY_RULES(field, path, sentence) lw_rule_list_fini(&cfg->field);
#define LW_KEY_DOMAINS(field, path, sentence) lw_node_list_fini(&cfg->field);
#define LW_KEY_ISLANDS(field, path, sentence) lw_node_list_fini(&cfg->field);
#include "config/keys.def"
	memset(cfg, 0, sizeof(*cfg));
}

int lw_config_load(const char *path, struct lw_config *ret_cfg, struct lw_mistakes *mistakes,
		   struct lw_error *err)
{
	char *text = NULL;
	size_t size = 0;
	int rc = config_read_file(path, &text, &size, err);

	if (rc)
		return rc;
	rc = lw_config_parse_all(path, text, size, ret_cfg, mistakes, err);
	free(text);
	return rc;
}

unsigned lw_config_diff(const struct lw_config *before, const struct lw_config *after,
			struct lw_strbuf *out)
{
	unsigned changed = 0;
	size_t count;
	const struct lw_key *keys = lw_keys(&count);

	for (size_t i = 0; i < count; i++) {
		struct lw_strbuf old_value = LW_STRBUF_INIT, new_value = LW_STRBUF_INIT;

		lw_key_print(&keys[i], before, &old_value);
		lw_key_print(&keys[i], after, &new_value);
		if (old_value.error || new_value.error) {
			out->error = -ENOMEM;
		} else if (strcmp(lw_strbuf_text(&old_value), lw_strbuf_text(&new_value))) {
			lw_strbuf_add(out, "%s%s: %s -> %s", changed ? ", " : "", keys[i].path,
				      lw_strbuf_text(&old_value), lw_strbuf_text(&new_value));
			changed++;
		}
		lw_strbuf_fini(&old_value);
		lw_strbuf_fini(&new_value);
	}
	return changed;
}

void lw_config_print(const struct lw_config *cfg, bool with_comments, struct lw_strbuf *out)
{
	size_t section_count, key_count;
	const struct lw_section *sections = lw_sections(&section_count);
	const struct lw_key *keys = lw_keys(&key_count);

	if (with_comments)
		config_add_comment("", "leeway.yaml: the settings of Leeway; see leeway.yaml(5).",
				   out);
	for (size_t i = 0; i < section_count; i++) {
		size_t len = strlen(sections[i].name);

		if (with_comments) {
			lw_strbuf_add(out, "\n");
			config_add_comment("", sections[i].sentence, out);
		}
		lw_strbuf_add(out, "%s:\n", sections[i].name);
		for (size_t j = 0; j < key_count; j++) {
			if (!strncmp(keys[j].path, sections[i].name, len) &&
			    keys[j].path[len] == '.')
				config_print_key(&keys[j], cfg, with_comments, out);
		}
	}
}
