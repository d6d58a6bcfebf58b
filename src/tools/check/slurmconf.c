/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's configuration files as lines of words, read as Slurm reads them. */
#include "tools/check/slurmconf.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/grow.h"
#include "base/strbuf.h"

/* files that include each other */
#define DEPTH_MAX 8

struct reader {
	struct lw_slurmconf *conf;
	enum lw_slurmconf_form form;
	const char *root;
	char dir[PATH_MAX]; /* of the first file: what an Include is relative to */
	char cluster[256];  /* ClusterName so far, for %c */
	unsigned depth;
	struct lw_slurmconf_fault *fault;
};

static int read_file(struct reader *r, const char *path, const char *from, uint32_t from_line);

static int fail(struct reader *r, const char *file, uint32_t line, int code, const char *what)
{
	r->fault->file = file;
	r->fault->line = line;
	return lw_error_set(&r->fault->err, code, "%s", what);
}

static int out_of_memory(struct reader *r)
{
	return fail(r, "", 0, -ENOMEM, "out of memory");
}

static char *skip_blanks(char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

/* Cut TEXT at a # that no backslash protects, and take the backslash of one that is. */
static void cut_comment(char *text)
{
	char *to = text;

	for (const char *from = text; *from && *from != '#'; from++) {
		if (from[0] == '\\' && from[1] == '#')
			from++;
		*to++ = *from;
	}
	*to = '\0';
}

/* Does TEXT go on in the next line? Then without the backslash. Blanks at its end go. */
static bool cut_end(char *text)
{
	size_t len = strlen(text);

	while (len && isspace((unsigned char)text[len - 1]))
		text[--len] = '\0';
	if (!len || text[len - 1] != '\\')
		return false;
	text[len - 1] = '\0';
	return true;
}

static bool is_key(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* The end of the value at P, in quotes or up to a blank. */
static char *value_end(char *p)
{
	char *quote = *p == '"' ? strchr(p + 1, '"') : NULL;

	if (quote)
		return quote + 1;
	while (*p && !isspace((unsigned char)*p))
		p++;
	return p;
}

static int add_pair(struct lw_slurmconf_line *line, const char *key, size_t key_len,
		    const char *value, size_t value_len)
{
	struct lw_slurmconf_pair *pair;

	if (lw_grow((void **)&line->pairs, &line->pair_room, line->pair_count + 1,
		    sizeof(*line->pairs)))
		return -ENOMEM;
	if (value_len >= 2 && *value == '"' && value[value_len - 1] == '"') {
		value++;
		value_len -= 2;
	}
	pair = &line->pairs[line->pair_count];
	pair->key = strndup(key, key_len);
	pair->value = strndup(value, value_len);
	line->pair_count++;
	return pair->key && pair->value ? 0 : -ENOMEM;
}

/* One "Key=value" at *p, also "Key += value"; the first that is none becomes the stray. */
static int read_pair(struct lw_slurmconf_line *line, char **p)
{
	char *key = *p, *end = key, *equals, *value;

	while (is_key(*end))
		end++;
	equals = skip_blanks(end);
	if (*equals && strchr("+-*/", *equals) && equals[1] == '=')
		equals++;
	if (end == key || *equals != '=') {
		*p = value_end(key);
		if (!line->stray && !(line->stray = strndup(key, (size_t)(*p - key))))
			return -ENOMEM;
		return 0;
	}
	value = skip_blanks(equals + 1);
	*p = value_end(value);
	return add_pair(line, key, (size_t)(end - key), value, (size_t)(*p - value));
}

static int read_pairs(struct reader *r, struct lw_slurmconf_line *line)
{
	char *p = skip_blanks(line->text);
	const char *cluster;

	while (*p) {
		if (read_pair(line, &p))
			return out_of_memory(r);
		p = skip_blanks(p);
	}
	cluster = lw_slurmconf_value(line, "ClusterName");
	if (cluster)
		snprintf(r->cluster, sizeof(r->cluster), "%s", cluster);
	return 0;
}

/* The path that an Include of WORD means: %c is the cluster, relative to the first file. */
static int include_path(struct reader *r, const char *word, char *buf, size_t size)
{
	const char *percent = strstr(word, "%c");
	const char *slash = *word == '/' ? "" : "/";
	const char *dir = *word == '/' ? "" : r->dir;
	int len;

	if (percent)
		len = snprintf(buf, size, "%s%s%.*s%s%s", dir, slash, (int)(percent - word), word,
			       r->cluster, percent + 2);
	else
		len = snprintf(buf, size, "%s%s%s", dir, slash, word);
	return len < (int)size ? 0 : -ENAMETOOLONG;
}

/* In plugstack.conf a pattern may stand for any number of files, also none. */
static int read_matches(struct reader *r, const char *path, const char *from, uint32_t line)
{
	char pattern[PATH_MAX];
	glob_t found;
	int rc = 0;

	if (snprintf(pattern, sizeof(pattern), "%s%s", r->root, path) >= (int)sizeof(pattern))
		return fail(r, from, line, -ENAMETOOLONG, "the path of an include is too long");
	if (glob(pattern, 0, NULL, &found))
		return 0;
	for (size_t i = 0; !rc && i < found.gl_pathc; i++)
		rc = read_file(r, found.gl_pathv[i] + strlen(r->root), from, line);
	globfree(&found);
	return rc;
}

static int include(struct reader *r, const char *text, const char *from, uint32_t line)
{
	char word[PATH_MAX], path[PATH_MAX];

	if (sscanf(text, "%4095s", word) != 1)
		return fail(r, from, line, -EINVAL, "Include names no file");
	if (include_path(r, word, path, sizeof(path)))
		return fail(r, from, line, -ENAMETOOLONG, "the path of an Include is too long");
	if (r->depth == DEPTH_MAX)
		return fail(r, from, line, -ELOOP, "files include each other too deeply");
	if (r->form == LW_SLURMCONF_WORDS && strpbrk(path, "*?["))
		return read_matches(r, path, from, line);
	return read_file(r, path, from, line);
}

/* What follows "include" and a blank at the start of TEXT, or NULL. */
static const char *included(const char *text)
{
	static const char word[] = "include";

	text += strspn(text, " \t");
	if (strncasecmp(text, word, strlen(word)) || !isspace((unsigned char)text[strlen(word)]))
		return NULL;
	return text + strlen(word);
}

/* Take over TEXT, a whole line with what continues it. */
static int add_line(struct reader *r, const char *file, uint32_t number, const char *text)
{
	struct lw_slurmconf *conf = r->conf;
	struct lw_slurmconf_line *line;

	if (included(text))
		return include(r, included(text), file, number);
	if (lw_grow((void **)&conf->lines, &conf->line_room, conf->line_count + 1,
		    sizeof(*conf->lines)))
		return out_of_memory(r);
	line = &conf->lines[conf->line_count];
	memset(line, 0, sizeof(*line));
	line->file = file;
	line->number = number;
	line->text = strdup(text);
	if (!line->text)
		return out_of_memory(r);
	conf->line_count++;
	return r->form == LW_SLURMCONF_PAIRS ? read_pairs(r, line) : 0;
}

static int read_lines(struct reader *r, FILE *stream, const char *file)
{
	struct lw_strbuf joined = LW_STRBUF_INIT;
	uint32_t number = 0, first = 0;
	char *text = NULL;
	size_t room = 0;
	int rc = 0;

	while (!rc && getline(&text, &room, stream) >= 0) {
		bool more;

		number++;
		cut_comment(text);
		more = cut_end(text);
		if (!first)
			first = number;
		lw_strbuf_add(&joined, "%s", text);
		if (joined.error)
			rc = out_of_memory(r);
		else if (!more && strspn(lw_strbuf_text(&joined), " \t") < joined.len)
			rc = add_line(r, file, first, lw_strbuf_text(&joined));
		if (!more) {
			lw_strbuf_fini(&joined);
			first = 0;
		}
	}
	if (!rc && joined.len)
		rc = add_line(r, file, first, lw_strbuf_text(&joined));
	if (!rc && ferror(stream))
		rc = fail(r, file, 0, -EIO, "cannot be read");
	lw_strbuf_fini(&joined);
	free(text);
	return rc;
}

/* Keep PATH for the lines that will point to it. */
static const char *keep_name(struct lw_slurmconf *conf, const char *path)
{
	char *copy;

	if (lw_grow((void **)&conf->files, &conf->file_room, conf->file_count + 1,
		    sizeof(*conf->files)))
		return NULL;
	copy = strdup(path);
	if (copy)
		conf->files[conf->file_count++] = copy;
	return copy;
}

/* Read PATH, which line FROM_LINE of FROM includes, if any. */
static int read_file(struct reader *r, const char *path, const char *from, uint32_t from_line)
{
	const char *name = keep_name(r->conf, path);
	char real[PATH_MAX];
	FILE *stream;
	int rc;

	if (!name)
		return out_of_memory(r);
	if (snprintf(real, sizeof(real), "%s%s", r->root, path) >= (int)sizeof(real))
		return fail(r, name, 0, -ENAMETOOLONG, "the path is too long");
	stream = fopen(real, "re");
	if (!stream) {
		rc = -errno;
		fail(r, from ? from : name, from_line, rc, strerror(errno));
		return from ? lw_error_prefix(&r->fault->err, rc, "%s: ", path) : rc;
	}
	r->depth++;
	rc = read_lines(r, stream, name);
	r->depth--;
	fclose(stream);
	return rc;
}

int lw_slurmconf_read(struct lw_slurmconf *conf, enum lw_slurmconf_form form, const char *root,
		      const char *path, struct lw_slurmconf_fault *ret_fault)
{
	struct reader r = { .conf = conf, .form = form, .root = root, .fault = ret_fault };
	char *slash;

	memset(conf, 0, sizeof(*conf));
	snprintf(r.dir, sizeof(r.dir), "%s", path);
	slash = strrchr(r.dir, '/');
	if (slash)
		*slash = '\0';
	return read_file(&r, path, NULL, 0);
}

void lw_slurmconf_fini(struct lw_slurmconf *conf)
{
	for (uint32_t i = 0; i < conf->line_count; i++) {
		struct lw_slurmconf_line *line = &conf->lines[i];

		for (uint32_t j = 0; j < line->pair_count; j++) {
			free(line->pairs[j].key);
			free(line->pairs[j].value);
		}
		free(line->pairs);
		free(line->text);
		free(line->stray);
	}
	for (uint32_t i = 0; i < conf->file_count; i++)
		free(conf->files[i]);
	free(conf->lines);
	free(conf->files);
	memset(conf, 0, sizeof(*conf));
}

const char *lw_slurmconf_value(const struct lw_slurmconf_line *line, const char *key)
{
	for (uint32_t i = 0; i < line->pair_count; i++) {
		if (!strcasecmp(line->pairs[i].key, key))
			return line->pairs[i].value;
	}
	return NULL;
}
