/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a page, an image or a JSON was made with: version, command line, inputs. */
#include "cli/common/origin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/plain.h"
#include "measure/sha256.h"
#include "cli/common/output.h"

/* More would be a list, and no origin. */
#define INPUTS 64

static struct {
	struct lw_strbuf command;
	struct {
		char *file;
		char sha256[LW_SHA256_TEXT]; /* "": not known */
	} inputs[INPUTS];
	uint32_t count, left_out;
} origin;

/*
 * What would not print as it is, a command to a terminal or a line break: as bash, ksh and zsh take
 * it, byte by byte.
 */
static void add_escaped(struct lw_strbuf *sb, const char *word)
{
	lw_strbuf_add(sb, " $'");
	for (; *word; word++) {
		unsigned char byte = (unsigned char)*word;

		if (byte == '\'' || byte == '\\')
			lw_strbuf_add(sb, "\\%c", byte);
		else if (byte < ' ' || byte >= 0x7f)
			lw_strbuf_add(sb, "\\%03o", byte);
		else
			lw_strbuf_add(sb, "%c", byte);
	}
	lw_strbuf_add(sb, "'");
}

void lw_origin_add_word(struct lw_strbuf *sb, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_=+:,./@%";

	if (*word && !word[strspn(word, plain)]) {
		lw_strbuf_add(sb, " %s", word);
		return;
	}
	if (!lw_plain_is_line(word)) {
		add_escaped(sb, word);
		return;
	}
	lw_strbuf_add(sb, " '");
	for (; *word; word++)
		lw_strbuf_add(sb, *word == '\'' ? "'\\''" : "%c", *word);
	lw_strbuf_add(sb, "'");
}

void lw_origin_begin(int argc, char **argv)
{
	for (uint32_t i = 0; i < origin.count; i++)
		free(origin.inputs[i].file);
	lw_strbuf_fini(&origin.command);
	memset(&origin, 0, sizeof(origin));
	lw_strbuf_add(&origin.command, "leeway");
	for (int i = 0; i < argc; i++)
		lw_origin_add_word(&origin.command, argv[i]);
}

void lw_origin_add(const char *file, const char *sha256)
{
	char *copy = NULL;

	for (uint32_t i = 0; i < origin.count; i++)
		if (strcmp(origin.inputs[i].file, file) == 0)
			return;
	if (origin.count < INPUTS)
		copy = strdup(file);
	if (!copy) {
		origin.left_out++;
		return;
	}
	origin.inputs[origin.count].file = copy;
	snprintf(origin.inputs[origin.count++].sha256, LW_SHA256_TEXT, "%s",
		 sha256 ? sha256 : "");
}

void lw_origin_add_text(const char *file, const char *text, size_t size)
{
	char sum[LW_SHA256_TEXT];
	struct sha256_ctx sha;

	sha256_init(&sha);
	lw_sha256_add(&sha, text, size);
	lw_sha256_text(&sha, sum);
	lw_origin_add(file, sum);
}

void lw_origin_add_file(const char *file)
{
	char bytes[8192], text[LW_SHA256_TEXT];
	struct sha256_ctx sha;
	struct stat st;
	FILE *in = !stat(file, &st) && S_ISREG(st.st_mode) ? fopen(file, "re") : NULL;
	size_t n;

	if (!in)
		return;
	sha256_init(&sha);
	while ((n = fread(bytes, 1, sizeof(bytes), in)) > 0)
		lw_sha256_add(&sha, bytes, n);
	lw_sha256_text(&sha, text);
	lw_origin_add(file, ferror(in) ? NULL : text);
	fclose(in);
}

bool lw_origin_has(const struct stat *st)
{
	struct stat at;

	for (uint32_t i = 0; S_ISREG(st->st_mode) && i < origin.count; i++)
		if (!stat(origin.inputs[i].file, &at) && at.st_dev == st->st_dev &&
		    at.st_ino == st->st_ino)
			return true;
	return false;
}

void lw_origin_describe(struct lw_strbuf *sb)
{
	lw_strbuf_add(sb, "leeway %s\n%s\n", PACKAGE_VERSION, lw_strbuf_text(&origin.command));
	for (uint32_t i = 0; i < origin.count; i++)
		lw_strbuf_add(sb, "sha256 %s  %s\n",
			      *origin.inputs[i].sha256 ? origin.inputs[i].sha256 : "-",
			      origin.inputs[i].file);
	if (origin.left_out)
		lw_strbuf_add(sb, "and %u more files\n", origin.left_out);
}

static json_t *make_inputs(void)
{
	json_t *inputs = json_array();

	for (uint32_t i = 0; i < origin.count; i++)
		json_array_append_new(inputs,
				      json_pack("{s:o, s:o}", "file",
						lw_output_string(origin.inputs[i].file), "sha256",
						*origin.inputs[i].sha256
							? json_string(origin.inputs[i].sha256)
							: json_null()));
	return inputs;
}

json_t *lw_origin_json(void)
{
	return json_pack("{s:s, s:o, s:o}", "version", PACKAGE_VERSION, "command",
			 lw_output_string(lw_strbuf_text(&origin.command)), "inputs",
			 make_inputs());
}
