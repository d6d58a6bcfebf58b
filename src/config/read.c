/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway.yaml from bytes to struct lw_config, by libyaml's events. */

/*
 * Events and not libyaml's document tree: they carry line numbers, and nothing in the
 * file can make them recurse or expand. The accepted form is a mapping of sections
 * ("sched:") to mappings of keys ("policy: easy"); a dotted key ("sched.policy: easy")
 * means the same. Aliases, lists and further documents are refused by name.
 */
#include "config/config.h"

#include "base/plain.h"
#include "config/keys.h"
#include "config/reader.h"
#include "config/watts.h"
#include "config/yamlline.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

unsigned lw_reader_line(const yaml_event_t *event)
{
	return (unsigned)event->start_mark.line + 1;
}

void lw_reader_mistake(struct reader *r, unsigned line, const char *fmt, ...)
{
	char what[LW_ERROR_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	lw_plain_line(what);
	if (!r->refused)
		lw_error_set(r->err, -EINVAL, "%s:%u: %s", r->name, line, what);
	r->refused = true;
	lw_mistakes_add(r->mistakes, line, false, what);
}

void lw_reader_wrong(struct reader *r, unsigned line, const char *path, const char *what)
{
	char quoted[PATH_BYTES];

	/* a path that is no key of ours may hold anything */
	if (!lw_key_find(path) && !lw_section_find(path))
		path = lw_key_quote(path, quoted, sizeof(quoted));
	lw_reader_mistake(r, line, "%s: %s", path, what);
}

int lw_reader_no_memory(const struct reader *r)
{
	return lw_error_set(r->err, -ENOMEM, "%s: out of memory", r->name);
}

/* Is the character the scanner stumbled over a tab? */
static bool read_at_tab(const struct reader *r)
{
	const yaml_mark_t *mark = &r->parser.problem_mark;
	size_t at = 0;

	for (size_t line = 0; line < mark->line && at < r->size; at++)
		line += r->text[at] == '\n';
	return at + mark->column < r->size && r->text[at + mark->column] == '\t';
}

/* What libyaml did not like. */
static int read_fail_syntax(struct reader *r)
{
	const char *problem = r->parser.problem ? r->parser.problem : "not YAML";
	unsigned line = lw_yaml_error_line(&r->parser, r->text, r->size);

	if (r->parser.error == YAML_MEMORY_ERROR)
		return lw_reader_no_memory(r);
	if (r->parser.error == YAML_SCANNER_ERROR && read_at_tab(r))
		problem = "a tab; YAML is indented with spaces";
	lw_reader_mistake(r, line, "not valid YAML: %s", problem);
	return -EINVAL;
}

int lw_reader_next(struct reader *r, yaml_event_t *ret_event)
{
	return yaml_parser_parse(&r->parser, ret_event) ? 0 : read_fail_syntax(r);
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

int lw_reader_skip(struct reader *r, const yaml_event_t *event)
{
	int depth = event->type == YAML_MAPPING_START_EVENT ||
		    event->type == YAML_SEQUENCE_START_EVENT;
	int rc = 0;

	while (!rc && depth > 0) {
		yaml_event_t inner;

		rc = lw_reader_next(r, &inner);
		if (rc)
			break;
		depth += inner.type == YAML_MAPPING_START_EVENT ||
			 inner.type == YAML_SEQUENCE_START_EVENT;
		depth -= inner.type == YAML_MAPPING_END_EVENT ||
			 inner.type == YAML_SEQUENCE_END_EVENT;
		yaml_event_delete(&inner);
	}
	return rc;
}

int lw_reader_skip_value(struct reader *r)
{
	yaml_event_t event;
	int rc = lw_reader_next(r, &event);

	if (rc)
		return rc;
	rc = lw_reader_skip(r, &event);
	yaml_event_delete(&event);
	return rc;
}

const char *lw_reader_text(const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;

	return strlen(text) == event->data.scalar.length ? text : NULL;
}

static bool read_is_nothing(const yaml_event_t *event)
{
	return event->type == YAML_SCALAR_EVENT && event->data.scalar.length == 0;
}

/* Is it there for the first time? */
static bool read_once(struct reader *r, unsigned *seen, unsigned line, const char *path)
{
	char what[64];

	if (!*seen) {
		*seen = line;
		return true;
	}
	snprintf(what, sizeof(what), "given twice, first on line %u", *seen);
	lw_reader_wrong(r, line, path, what);
	return false;
}

/* What was kept by an earlier release may have settings that are gone. */
static void read_tell_unknown(struct reader *r, unsigned line, const char *path)
{
	const char *nearest = lw_key_nearest(path), *gone = lw_key_gone(path, NULL);
	char what[PATH_BYTES];

	if (gone && r->printed)
		return;
	if (gone) {
		lw_reader_wrong(r, line, path, gone);
		return;
	}
	snprintf(what, sizeof(what), "unknown key%s%s%s", nearest ? " (did you mean " : "",
		 nearest ? nearest : "", nearest ? "?)" : "");
	lw_reader_wrong(r, line, path, what);
}

/* What a key wants that has EVENT instead; NULL: it may be right. */
static const char *read_misfit(const yaml_event_t *event)
{
	if (event->type == YAML_MAPPING_START_EVENT)
		return "wants a value, not keys below it";
	if (event->type == YAML_SEQUENCE_START_EVENT)
		return "wants a value, not a list";
	if (event->type != YAML_SCALAR_EVENT)
		return "aliases are not understood";
	return lw_reader_text(event) ? NULL : "the value holds a NUL byte";
}

static int read_read_value(struct reader *r, const struct lw_key *key, const yaml_event_t *event)
{
	const char *what = read_misfit(event), *gone;
	struct lw_error err;
	int rc;

	if (what) {
		lw_reader_wrong(r, lw_reader_line(event), key->path, what);
		return lw_reader_skip(r, event);
	}
	rc = lw_key_parse(key, lw_reader_text(event), r->cfg, &err);
	if (rc == -ENOMEM)
		return lw_reader_no_memory(r);
	gone = rc ? lw_key_gone(key->path, lw_reader_text(event)) : NULL;
	if (rc)
		lw_reader_wrong(r, lw_reader_line(event), key->path, gone ? gone : err.text);
	return 0;
}

static int read_key_value(struct reader *r, const struct lw_key *key, unsigned line)
{
	size_t count;
	size_t idx = (size_t)(key - lw_keys(&count));
	yaml_event_t event;
	int rc;

	if (!read_once(r, &r->key_line[idx], line, key->path))
		return lw_reader_skip_value(r);
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
		rc = read_read_value(r, key, &event);
	yaml_event_delete(&event);
	return rc;
}

/* Join "sched" and the key's own word; false when it is no text or far too long. */
static bool read_path_of(const char *section, const yaml_event_t *event, char *path, size_t size)
{
	const char *word = lw_reader_text(event);

	path[0] = '\0';
	if (!word)
		return false;
	return snprintf(path, size, "%s%s%s", section ? section : "", section ? "." : "", word) <
	       (int)size;
}

static int read_read_pair(struct reader *r, const yaml_event_t *event, void *arg);

/* Pairs up to the end of the mapping. Goes one level down at most: SECTION has none. */
static int read_mapping(struct reader *r, const char *section)
{
	return lw_reader_each(r, YAML_MAPPING_END_EVENT, read_read_pair, (void *)section);
}

static int read_section(struct reader *r, const struct lw_section *section, unsigned line)
{
	size_t count;
	size_t idx = (size_t)(section - lw_sections(&count));
	yaml_event_t event;
	int rc;

	/* there may be mistakes below the second one, too */
	(void)read_once(r, &r->section_line[idx], line, section->name);
	rc = lw_reader_next(r, &event);
	if (rc)
		return rc;
	if (event.type == YAML_MAPPING_START_EVENT) {
		rc = read_mapping(r, section->name);
	} else if (!read_is_nothing(&event)) { /* all its keys may be commented out */
		lw_reader_wrong(r, lw_reader_line(&event), section->name,
				"wants keys below it, not a value");
		rc = lw_reader_skip(r, &event);
	}
	yaml_event_delete(&event);
	return rc;
}

/* One "key: value", the key being in EVENT and the value still to come. */
static int read_read_pair(struct reader *r, const yaml_event_t *event, void *arg)
{
	const char *section = arg;
	unsigned line = lw_reader_line(event);
	const struct lw_section *below;
	const struct lw_key *key;
	char path[PATH_BYTES];
	int rc = 0;

	if (event->type != YAML_SCALAR_EVENT) {
		lw_reader_mistake(r, line, "a key must be a word");
		rc = lw_reader_skip(r, event);
	} else if (!read_path_of(section, event, path, sizeof(path))) {
		lw_reader_wrong(r, line, path, "unknown key");
	} else if ((below = section ? NULL : lw_section_find(path))) {
		return read_section(r, below, line);
	} else if ((key = lw_key_find(path))) {
		return read_key_value(r, key, line);
	} else {
		read_tell_unknown(r, line, path);
	}
	return rc ? rc : lw_reader_skip_value(r);
}

static int read_root(struct reader *r, const yaml_event_t *event)
{
	if (event->type == YAML_MAPPING_START_EVENT)
		return read_mapping(r, NULL);
	if (read_is_nothing(event))
		return 0;
	lw_reader_mistake(r, lw_reader_line(event), "wants keys such as \"sched:\" here");
	return lw_reader_skip(r, event);
}

/* One event between documents; an empty file has none, and two are one too many. */
static int read_outside(struct reader *r, const yaml_event_t *event, void *arg)
{
	unsigned *documents = arg;

	if (event->type == YAML_STREAM_START_EVENT || event->type == YAML_DOCUMENT_END_EVENT)
		return 0;
	if (event->type != YAML_DOCUMENT_START_EVENT)
		return read_root(r, event);
	if (!(*documents)++)
		return 0;
	lw_reader_mistake(r, lw_reader_line(event), "a second document");
	return -EINVAL;
}

/* The line on which the setting PATH was given; 0: it was not. */
static unsigned read_line_of(const struct reader *r, const char *path)
{
	size_t count;

	return r->key_line[lw_key_find(path) - lw_keys(&count)];
}

/* What is right by itself may not go together with the rest. */
static void read_check_together(struct reader *r)
{
	struct lw_error why;
	const char *path;
	unsigned line;

	if (!lw_gpu_watts_check(r->cfg, &path, &why))
		return;
	line = read_line_of(r, path);
	/* or else the other one of the two was, too low */
	lw_reader_wrong(r, line ? line : read_line_of(r, "energy.gpu_busy_w"), path, why.text);
}

static int read_stream(struct reader *r)
{
	unsigned documents = 0;
	int rc = lw_reader_each(r, YAML_STREAM_END_EVENT, read_outside, &documents);

	/* beside a mistake a default may stand */
	if (!rc && !r->refused)
		read_check_together(r);
	if (r->mistakes->error)
		return lw_reader_no_memory(r);
	return rc || !r->refused ? rc : -EINVAL;
}

static int read_parse(struct reader *r, size_t max, struct lw_config *ret_cfg)
{
	struct lw_config cfg;
	size_t count;
	int rc;

	lw_keys(&count);
	if (count > KEYS_MAX)
		return lw_error_set(r->err, -E2BIG, "%s: more keys than the reader holds",
				    r->name);
	if (r->size > max)
		return lw_error_set(r->err, -EFBIG, "%s: larger than %zu bytes", r->name, max);
	if (!yaml_parser_initialize(&r->parser))
		return lw_reader_no_memory(r);
	yaml_parser_set_input_string(&r->parser, (const unsigned char *)r->text, r->size);
	lw_config_default(&cfg);
	r->cfg = &cfg;
	rc = read_stream(r);
	yaml_parser_delete(&r->parser);
	if (rc)
		lw_config_fini(&cfg);
	else
		*ret_cfg = cfg;
	return rc;
}

int lw_config_parse_all(const char *name, const char *text, size_t size,
			struct lw_config *ret_cfg, struct lw_mistakes *mistakes,
			struct lw_error *err)
{
	struct reader r = { .name = name, .text = text, .size = size, .err = err,
			    .mistakes = mistakes };

	return read_parse(&r, LW_CONFIG_BYTES_MAX, ret_cfg);
}

int lw_config_parse(const char *name, const char *text, size_t size, struct lw_config *ret_cfg,
		    struct lw_error *err)
{
	struct lw_mistakes mistakes = { .count = 0 };
	int rc = lw_config_parse_all(name, text, size, ret_cfg, &mistakes, err);

	lw_mistakes_fini(&mistakes);
	return rc;
}

int lw_config_parse_printed(const char *name, const char *text, size_t size,
			    struct lw_config *ret_cfg, struct lw_error *err)
{
	struct lw_mistakes mistakes = { .count = 0 };
	struct reader r = { .name = name,
			    .text = text,
			    .size = size,
			    .err = err,
			    .mistakes = &mistakes,
			    .printed = true };
	int rc = read_parse(&r, LW_CONFIG_KEPT_MAX, ret_cfg);

	lw_mistakes_fini(&mistakes);
	return rc;
}
