/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Slurm's configuration files as lines of words, read as Slurm reads them. */
#include "cli/common/slurmconf.h"

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
#include "cli/common/origin.h"
#include "cli/common/tools.h"

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

static int conf_fail(struct reader *r, const char *file, uint32_t line, int code,
		     const char *what)
{
	r->fault->file = file;
	r->fault->line = line;
	return lw_error_set(&r->fault->err, code, "%s", what);
}

static int out_of_memory(struct reader *r)
{
	return conf_fail(r, "", 0, -ENOMEM, "out of memory");
}

static char *skip_blanks(char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

/* Cut TEXT at a # that no backslash protects; a backslash may itself be protected by one. */
static void cut_comment(char *text)
{
	bool protected = false;

	for (; *text && (*text != '#' || protected); text++)
	protected = *text == '\\' && !protected;
	*text = '\0';
}

static void cut_blanks(char *text)
{
	size_t len = strlen(text);

	while (len && isspace((unsigned char)text[len - 1]))
		text[--len] = '\0';
}

/* Does TEXT go on in the next line? Then without the backslash. Blanks at its end go. */
static bool cut_end(char *text)
{
	size_t len, begin;

	cut_blanks(text);
	len = strlen(text);
	for (begin = len; begin && text[begin - 1] == '\\'; begin--)
		;
	if ((len - begin) % 2 == 0)
		return false;
	text[len - 1] = '\0';
	return true;
}

/* Take the backslashes that protect something, also where there was nothing to protect. */
static void cut_escapes(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		if (*from == '\\' && !*++from)
			break;
		*to++ = *from;
	}
	*to = '\0';
}

/* Take from TEXT, a line of the file, what is not read. Does it go on in the next line? */
static bool cut_line(enum lw_slurmconf_form form, char *text)
{
	if (form == LW_SLURMCONF_PAIRS) {
		cut_comment(text);
		return cut_end(text);
	}
	/* plugstack.conf knows no backslash */
	text[strcspn(text, "#")] = '\0';
	cut_blanks(text);
	return false;
}

static bool is_key(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* The quote that ends the value at P, or NULL: a blank ends it. */
static char *quote_end(char *p)
{
	char *quote = *p == '"' ? strchr(p + 1, '"') : NULL;

	return quote && (!quote[1] || isspace((unsigned char)quote[1])) ? quote : NULL;
}

static char *value_end(char *p)
{
	char *quote = quote_end(p);

	if (quote)
		return quote + 1;
	while (*p && !isspace((unsigned char)*p))
		p++;
	return p;
}

static int add_pair(struct lw_slurmconf_line *line, const char *key, size_t key_len, char *value)
{
	size_t value_len = (size_t)(value_end(value) - value);
	struct lw_slurmconf_pair *pair;

	if (lw_grow((void **)&line->pairs, &line->pair_room, line->pair_count + 1,
		    sizeof(*line->pairs)))
		return -ENOMEM;
	if (quote_end(value)) {
		value++;
		value_len -= 2;
	}
	pair = &line->pairs[line->pair_count];
	pair->key = strndup(key, key_len);
	pair->value = strndup(value, value_len);
	line->pair_count++;
	return pair->key && pair->value ? 0 : -ENOMEM;
}

/* The first word that Slurm does not understand is kept. */
static int set_stray(struct lw_slurmconf_line *line, const char *word, size_t len)
{
	if (!line->stray)
		line->stray = strndup(word, len);
	return line->stray ? 0 : -ENOMEM;
}

/*
 * One "Key=value" at *p, also "Key += value"; the first that is none becomes the stray, also one
 * without a value.
 */
static int read_pair(struct lw_slurmconf_line *line, char **p)
{
	char *key = *p, *end = key, *equals, *value;

	while (is_key(*end))
		end++;
	equals = skip_blanks(end);
	if (*equals && strchr("+-*/", *equals) && equals[1] == '=')
		equals++;
	value = *equals == '=' ? skip_blanks(equals + 1) : equals;
	if (end == key || *equals != '=' || !*value) {
		*p = value_end(key);
		return set_stray(line, key, (size_t)(*p - key));
	}
	*p = value_end(value);
	return add_pair(line, key, (size_t)(end - key), value);
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
	for (char *c = r->cluster; cluster && *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return 0;
}

/* The path that an Include of WORD means: %c is the cluster, relative to the first file. */
static int include_path(struct reader *r, const char *word, char *buf, size_t size)
{
	size_t len = 0;

	if (*word != '/')
		len = (size_t)snprintf(buf, size, "%s/", r->dir);
	for (; *word && len < size; word++) {
		bool cluster = word[0] == '%' && word[1] == 'c';

		len += (size_t)snprintf(buf + len, size - len, "%.*s", cluster ? (int)size : 1,
					cluster ? r->cluster : word);
		word += cluster;
	}
	return len < size ? 0 : -ENAMETOOLONG;
}

/* In plugstack.conf a pattern may stand for any number of files, also none. */
static int read_matches(struct reader *r, const char *path, const char *from, uint32_t line)
{
	char pattern[PATH_MAX];
	glob_t found;
	int rc = 0;

	if (snprintf(pattern, sizeof(pattern), "%s%s", r->root, path) >= (int)sizeof(pattern))
		return conf_fail(r, from, line, -ENAMETOOLONG,
				 "the path of an include is too long");
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
		return conf_fail(r, from, line, -EINVAL, "Include names no file");
	if (include_path(r, word, path, sizeof(path)))
		return conf_fail(r, from, line, -ENAMETOOLONG,
				 "the path of an Include is too long");
	if (r->depth == DEPTH_MAX)
		return conf_fail(r, from, line, -ELOOP, "files include each other too deeply");
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

/* A line of its own for TEXT; NULL: out of memory. */
static struct lw_slurmconf_line *new_line(struct reader *r, const char *file, uint32_t number,
					  const char *text)
{
	struct lw_slurmconf *conf = r->conf;
	struct lw_slurmconf_line *line;

	if (lw_grow((void **)&conf->lines, &conf->line_room, conf->line_count + 1,
		    sizeof(*conf->lines)))
		return NULL;
	line = &conf->lines[conf->line_count];
	memset(line, 0, sizeof(*line));
	line->file = file;
	line->number = number;
	line->text = strdup(text);
	conf->line_count += line->text != NULL;
	return line->text ? line : NULL;
}

/*
 * What Slurm does not understand of TEXT, an Include in a file of pairs: that there are blanks
 * before it, and a word behind its file. It is kept as a stray, and the file is read all the
 * same.
 */
static int check_include(struct reader *r, const char *file, uint32_t number, const char *text)
{
	const char *word = included(text), *stray = isspace((unsigned char)*text) ? text : NULL;
	struct lw_slurmconf_line *line;

	word += strspn(word, " \t");
	word += strcspn(word, " \t");
	word += strspn(word, " \t");
	if (!stray && *word)
		stray = word;
	if (!stray || r->form != LW_SLURMCONF_PAIRS)
		return 0;
	stray += strspn(stray, " \t");
	line = new_line(r, file, number, text);
	return line && !set_stray(line, stray, strcspn(stray, " \t")) ? 0 : out_of_memory(r);
}

/* Take over TEXT, a whole line with what continues it. */
static int add_line(struct reader *r, const char *file, uint32_t number, char *text)
{
	struct lw_slurmconf_line *line;
	int rc;

	if (r->form == LW_SLURMCONF_PAIRS)
		cut_escapes(text);
	if (included(text)) {
		rc = check_include(r, file, number, text);
		return rc ? rc : include(r, included(text), file, number);
	}
	line = new_line(r, file, number, text);
	if (!line)
		return out_of_memory(r);
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
		more = cut_line(r->form, text);
		if (!first)
			first = number;
		lw_strbuf_add(&joined, "%s", text);
		if (joined.error)
			rc = out_of_memory(r);
		else if (!more && strspn(lw_strbuf_text(&joined), " \t") < joined.len)
			rc = add_line(r, file, first, joined.text);
		if (!more) {
			lw_strbuf_fini(&joined);
			first = 0;
		}
	}
	if (!rc && joined.len)
		rc = add_line(r, file, first, joined.text);
	if (!rc && ferror(stream))
		rc = conf_fail(r, file, 0, -EIO, "cannot be read");
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

/* Go on without PATH, which line FROM_LINE of FROM includes: there may be more to be said. */
static int add_absent(struct reader *r, const char *path, const char *from, uint32_t from_line,
		      int why)
{
	struct lw_slurmconf_line *line = new_line(r, from, from_line, "");

	if (line) {
		line->absent = strdup(path);
		line->why = why;
	}
	return line && line->absent ? 0 : out_of_memory(r);
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
		return conf_fail(r, name, 0, -ENAMETOOLONG, "the path is too long");
	rc = lw_tools_open_plain(real, &stream);
	if (rc && from)
		return add_absent(r, path, from, from_line, rc);
	if (rc)
		return conf_fail(r, name, 0, rc, rc == -EINVAL ? "is no file" : strerror(-rc));
	r->depth++;
	rc = read_lines(r, stream, name);
	r->depth--;
	fclose(stream);
	lw_origin_add_file(real);
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
		free(line->absent);
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
