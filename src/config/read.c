/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway.yaml from bytes to struct lw_config, by libyaml's events. */

/*
 * Events and not libyaml's document tree: they carry line numbers, and nothing in the
 * file can make them recurse or expand. The accepted form is a mapping of sections
 * ("sched:") to mappings of keys ("policy: easy"); a dotted key ("sched.policy: easy")
 * means the same. Aliases, lists and further documents are refused by name.
 */
#include "config/config.h"

#include "config/keys.h"
#include "config/reader.h"
#include "config/yamlline.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

unsigned lw_reader_line(const yaml_event_t *event)
{
	return (unsigned)event->start_mark.line + 1;
}

int lw_reader_fail(struct reader *r, unsigned line, const char *path, const char *what)
{
	char quoted[PATH_BYTES];

	/* a path that is no key of ours may hold anything */
	if (!lw_key_find(path) && !lw_section_find(path))
		path = lw_key_quote(path, quoted, sizeof(quoted));
	return lw_error_set(r->err, -EINVAL, "%s:%u: %s: %s", r->name, line, path, what);
}

int lw_reader_no_memory(const struct reader *r)
{
	return lw_error_set(r->err, -ENOMEM, "%s: out of memory", r->name);
}

/* Is the character the scanner stumbled over a tab? */
static bool at_tab(const struct reader *r)
{
	const yaml_mark_t *mark = &r->parser.problem_mark;
	size_t at = 0;

	for (size_t line = 0; line < mark->line && at < r->size; at++)
		line += r->text[at] == '\n';
	return at + mark->column < r->size && r->text[at + mark->column] == '\t';
}

/* What libyaml did not like. */
static int fail_syntax(struct reader *r)
{
	const char *problem = r->parser.problem ? r->parser.problem : "not YAML";
	unsigned line = lw_yaml_error_line(&r->parser, r->text, r->size);

	if (r->parser.error == YAML_MEMORY_ERROR)
		return lw_reader_no_memory(r);
	if (r->parser.error == YAML_SCANNER_ERROR && at_tab(r))
		problem = "a tab; YAML is indented with spaces";
	return lw_error_set(r->err, -EINVAL, "%s:%u: not valid YAML: %s", r->name, line, problem);
}

int lw_reader_next(struct reader *r, yaml_event_t *ret_event)
{
	return yaml_parser_parse(&r->parser, ret_event) ? 0 : fail_syntax(r);
}

int lw_reader_each(struct reader *r, yaml_event_type_t end, lw_reader_item_f item, void *arg)
{
	bool at_end = false;
	int rc = 0;

	while (!rc && !at_end) {
		yaml_event_t event;

		rc = lw_reader_next(r, &event);
		if (rc)
			break;
		at_end = event.type == end;
		if (!at_end)
			rc = item(r, &event, arg);
		yaml_event_delete(&event);
	}
	return rc;
}

/* The scalar's text, or NULL when it holds a NUL byte. */
const char *lw_reader_text(const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;

	return strlen(text) == event->data.scalar.length ? text : NULL;
}

static bool is_nothing(const yaml_event_t *event)
{
	return event->type == YAML_SCALAR_EVENT && event->data.scalar.length == 0;
}

static int once(struct reader *r, unsigned *seen, unsigned line, const char *path)
{
	char what[64];

	if (!*seen) {
		*seen = line;
		return 0;
	}
	snprintf(what, sizeof(what), "given twice, first on line %u", *seen);
	return lw_reader_fail(r, line, path, what);
}

static int fail_unknown(struct reader *r, unsigned line, const char *path)
{
	const char *nearest = lw_key_nearest(path);
	char what[PATH_BYTES];

	snprintf(what, sizeof(what), "unknown key%s%s%s", nearest ? " (did you mean " : "",
		 nearest ? nearest : "", nearest ? "?)" : "");
	return lw_reader_fail(r, line, path, what);
}

static int read_value(struct reader *r, const struct lw_key *key, const yaml_event_t *event)
{
	const char *text;
	int rc;

	if (event->type == YAML_MAPPING_START_EVENT)
		return lw_reader_fail(r, lw_reader_line(event), key->path,
				      "wants a value, not keys below it");
	if (event->type == YAML_SEQUENCE_START_EVENT)
		return lw_reader_fail(r, lw_reader_line(event), key->path,
				      "wants a value, not a list");
	if (event->type != YAML_SCALAR_EVENT)
		return lw_reader_fail(r, lw_reader_line(event), key->path,
				      "aliases are not understood");
	text = lw_reader_text(event);
	if (!text)
		return lw_reader_fail(r, lw_reader_line(event), key->path,
				      "the value holds a NUL byte");
	rc = lw_key_parse(key, text, r->cfg, r->err);
	if (rc)
		return lw_error_prefix(r->err, rc, "%s:%u: %s: ", r->name, lw_reader_line(event),
				       key->path);
	return 0;
}

static int read_key_value(struct reader *r, const struct lw_key *key, unsigned line)
{
	size_t count;
	size_t idx = (size_t)(key - lw_keys(&count));
	yaml_event_t event;
	int rc = once(r, &r->key_line[idx], line, key->path);

	if (!rc)
		rc = lw_reader_next(r, &event);
	if (rc)
		return rc;
	if (key->type == LW_KEY_TYPE_RULES && event.type == YAML_SEQUENCE_START_EVENT)
		rc = lw_reader_rules(r, key);
	else if (key->type == LW_KEY_TYPE_DOMAINS && event.type == YAML_SEQUENCE_START_EVENT)
		rc = lw_reader_domains(r, key);
	else if (key->type == LW_KEY_TYPE_ISLANDS && event.type == YAML_SEQUENCE_START_EVENT)
		rc = lw_reader_islands(r, key);
	else
		rc = read_value(r, key, &event);
	yaml_event_delete(&event);
	return rc;
}

/* Join "sched" and the key's own word; false when it is no text or far too long. */
static bool path_of(const char *section, const yaml_event_t *event, char *path, size_t size)
{
	const char *word = lw_reader_text(event);

	path[0] = '\0';
	if (!word)
		return false;
	return snprintf(path, size, "%s%s%s", section ? section : "", section ? "." : "", word) <
	       (int)size;
}

static int read_pair(struct reader *r, const yaml_event_t *event, void *arg);

/* Pairs up to the end of the mapping. Goes one level down at most: SECTION has none. */
static int read_mapping(struct reader *r, const char *section)
{
	return lw_reader_each(r, YAML_MAPPING_END_EVENT, read_pair, (void *)section);
}

static int read_section(struct reader *r, const struct lw_section *section, unsigned line)
{
	size_t count;
	size_t idx = (size_t)(section - lw_sections(&count));
	yaml_event_t event;
	int rc = once(r, &r->section_line[idx], line, section->name);

	if (!rc)
		rc = lw_reader_next(r, &event);
	if (rc)
		return rc;
	if (event.type == YAML_MAPPING_START_EVENT)
		rc = read_mapping(r, section->name);
	else if (!is_nothing(&event)) /* all its keys may be commented out */
		rc = lw_reader_fail(r, lw_reader_line(&event), section->name,
				    "wants keys below it, not a value");
	yaml_event_delete(&event);
	return rc;
}

/* One "key: value", the key being in EVENT and the value still to come. */
static int read_pair(struct reader *r, const yaml_event_t *event, void *arg)
{
	const char *section = arg;
	unsigned line = lw_reader_line(event);
	const struct lw_section *below;
	const struct lw_key *key;
	char path[PATH_BYTES];

	if (event->type != YAML_SCALAR_EVENT)
		return lw_error_set(r->err, -EINVAL, "%s:%u: a key must be a word", r->name,
				    line);
	if (!path_of(section, event, path, sizeof(path)))
		return lw_reader_fail(r, line, path, "unknown key");
	below = section ? NULL : lw_section_find(path);
	if (below)
		return read_section(r, below, line);
	key = lw_key_find(path);
	if (key)
		return read_key_value(r, key, line);
	return fail_unknown(r, line, path);
}

static int read_root(struct reader *r, const yaml_event_t *event)
{
	if (event->type == YAML_MAPPING_START_EVENT)
		return read_mapping(r, NULL);
	if (is_nothing(event))
		return 0;
	return lw_error_set(r->err, -EINVAL, "%s:%u: wants keys such as \"sched:\" here", r->name,
			    lw_reader_line(event));
}

/* All events of the stream; an empty file has no document, and two are one too many. */
static int read_stream(struct reader *r)
{
	unsigned documents = 0;
	yaml_event_t event;
	bool end = false;
	int rc = 0;

	while (!rc && !end) {
		rc = lw_reader_next(r, &event);
		if (rc)
			break;
		end = event.type == YAML_STREAM_END_EVENT;
		if (event.type == YAML_DOCUMENT_START_EVENT) {
			if (documents++)
				rc = lw_error_set(r->err, -EINVAL, "%s:%u: a second document",
						  r->name, lw_reader_line(&event));
		} else if (!end && event.type != YAML_STREAM_START_EVENT &&
			   event.type != YAML_DOCUMENT_END_EVENT) {
			rc = read_root(r, &event);
		}
		yaml_event_delete(&event);
	}
	return rc;
}

static int read_parse(const char *name, const char *text, size_t size, size_t max,
		      struct lw_config *ret_cfg, struct lw_error *err)
{
	struct reader r = { .name = name, .text = text, .size = size, .err = err };
	struct lw_config cfg;
	size_t count;
	int rc;

	lw_keys(&count);
	if (count > KEYS_MAX)
		return lw_error_set(err, -E2BIG, "%s: more keys than the reader holds", name);
	if (size > max)
		return lw_error_set(err, -EFBIG, "%s: larger than %zu bytes", name, max);
	if (!yaml_parser_initialize(&r.parser))
		return lw_error_set(err, -ENOMEM, "%s: out of memory", name);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, size);
	lw_config_default(&cfg);
	r.cfg = &cfg;
	rc = read_stream(&r);
	yaml_parser_delete(&r.parser);
	if (rc) {
		lw_config_fini(&cfg);
		return rc;
	}
	*ret_cfg = cfg;
	return 0;
}

int lw_config_parse(const char *name, const char *text, size_t size, struct lw_config *ret_cfg,
		    struct lw_error *err)
{
	return read_parse(name, text, size, LW_CONFIG_BYTES_MAX, ret_cfg, err);
}

int lw_config_parse_printed(const char *name, const char *text, size_t size,
			    struct lw_config *ret_cfg, struct lw_error *err)
{
	return read_parse(name, text, size, LW_CONFIG_KEPT_MAX, ret_cfg, err);
}
