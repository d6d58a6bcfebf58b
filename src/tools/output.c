/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where subcommands write to: a file, or standard output. */
#include "tools/output.h"

#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The file that PATH leads to, and the mode it shall have. False when there is a device or a
 * pipe, or a link that leads nowhere.
 */
static bool resolve(struct lw_output *output, mode_t *ret_mode)
{
	struct stat st;
	char *real;
	bool fits;

	*ret_mode = 0666;
	if (lstat(output->path, &st) && errno == ENOENT)
		return true;
	if (stat(output->path, &st) || !S_ISREG(st.st_mode) || access(output->path, W_OK))
		return false;
	*ret_mode = st.st_mode & 07777;
	real = realpath(output->path, NULL);
	fits = real && snprintf(output->path, PATH_MAX, "%s", real) < PATH_MAX;
	free(real);
	return fits;
}

/* NULL where no file can be made, as in a directory that may not be written. */
static FILE *open_beside(struct lw_output *output)
{
	FILE *to = NULL;
	mode_t mode;
	int fd;

	if (!resolve(output, &mode))
		return NULL;
	fd = lw_create_beside(output->path, mode, output->beside, PATH_MAX);
	if (fd < 0)
		return NULL;
	output->lock = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (output->lock >= 0)
		to = fdopen(fd, "w");
	if (!to) {
		unlink(output->beside);
		close(output->lock);
		close(fd);
	}
	return to;
}

int lw_output_check(const char *path, struct lw_error *err)
{
	char folder[PATH_MAX];
	struct stat st;
	int rc = 0;

	if (!path || strcmp(path, "-") == 0)
		return 0;
	if (!stat(path, &st)) {
		rc = S_ISDIR(st.st_mode) ? -EISDIR : access(path, W_OK) ? -errno : 0;
	} else {
		rc = lw_dir_of(path, folder, sizeof(folder));
		if (!rc && access(folder, W_OK | X_OK))
			rc = -errno;
	}
	return rc ? lw_error_set(err, rc, "%s: cannot write: %s", path, strerror(-rc)) : 0;
}

int lw_output_shared(const char *const *paths, size_t count, bool *ret_stdout,
		     struct lw_error *err)
{
	size_t there = 0;

	for (size_t i = 0; i < count; i++)
		there += paths[i] && strcmp(paths[i], "-") == 0;
	if (there > 1)
		return lw_error_set(err, -EINVAL, "standard output: one thing only");
	*ret_stdout = there > 0;
	return 0;
}

int lw_output_open(const char *path, struct lw_output *ret_output, struct lw_error *err)
{
	struct lw_output *output = ret_output;

	*output = (struct lw_output){ .to = stdout, .lock = -1 };
	if (!path || strcmp(path, "-") == 0) {
		snprintf(output->path, PATH_MAX, "standard output");
		return 0;
	}
	if (snprintf(output->path, PATH_MAX, "%s", path) >= PATH_MAX)
		return lw_error_set(err, -ENAMETOOLONG, "%s: the name is too long", path);
	output->to = open_beside(output);
	if (output->to)
		return 0;
	output->beside[0] = '\0';
	output->to = fopen(path, "we");
	return output->to ? 0
			  : lw_error_set(err, -errno, "%s: cannot write: %s", path,
					 strerror(errno));
}

int lw_output_close(struct lw_output *output, int rc, struct lw_error *err)
{
	bool bad = fflush(output->to) || ferror(output->to);

	if (output->to != stdout)
		bad |= fclose(output->to) != 0;
	if (bad)
		rc = lw_error_set(err, -EIO, "%s: cannot write all of it: %s", output->path,
				  strerror(errno));
	if (!output->beside[0])
		return rc;
	if (!rc && rename(output->beside, output->path))
		rc = lw_error_set(err, -errno, "%s: cannot write: %s", output->path,
				  strerror(errno));
	if (rc)
		unlink(output->beside);
	close(output->lock);
	return rc;
}

int lw_output_text(const char *path, struct lw_strbuf *text, struct lw_error *err)
{
	int rc = text->error ? lw_error_set(err, -ENOMEM, "out of memory") : 0;
	struct lw_output output;

	if (!rc)
		rc = lw_output_open(path, &output, err);
	if (!rc) {
		fputs(lw_strbuf_text(text), output.to);
		rc = lw_output_close(&output, 0, err);
	}
	lw_strbuf_fini(text);
	return rc;
}

int lw_output_json(const char *path, json_t *root, struct lw_error *err)
{
	int rc = root ? 0 : lw_error_set(err, -ENOMEM, "out of memory");
	struct lw_output output;

	if (!rc)
		rc = lw_output_open(path, &output, err);
	if (!rc) {
		rc = json_dumpf(root, output.to, JSON_INDENT(2) | JSON_REAL_PRECISION(10))
			     ? lw_error_set(err, -EIO, "cannot write the JSON")
			     : 0;
		fputc('\n', output.to);
		rc = lw_output_close(&output, rc, err);
	}
	json_decref(root);
	return rc;
}

/* Does CODE, as the UTF-8 of LEN bytes, stand for a character that XML allows? */
static bool is_character(uint32_t code, size_t len)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };

	return code >= least[len] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) &&
	       code != 0xfffe && code != 0xffff &&
	       (code >= ' ' || code == '\t' || code == '\n' || code == '\r');
}

size_t lw_output_utf8(const char *text)
{
	const unsigned char *byte = (const unsigned char *)text;
	size_t len = *byte < 0x80 ? 1 : *byte < 0xc0 ? 0 : *byte < 0xe0 ? 2 : *byte < 0xf0 ? 3 : 4;
	uint32_t code = len == 1 ? *byte : *byte & (0x7fu >> len);

	for (size_t i = 1; i < len; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (byte[i] & 0x3f);
	}
	return len && *byte < 0xf8 && is_character(code, len) ? len : 0;
}

json_t *lw_output_real(double value)
{
	return isnan(value) ? json_null() : json_real(value);
}

json_t *lw_output_string(const char *text)
{
	struct lw_strbuf sb = LW_STRBUF_INIT;
	json_t *string;

	while (*text) {
		size_t len = lw_output_utf8(text);

		lw_strbuf_add_bytes(&sb, len ? text : "?", len ? len : 1);
		text += len ? len : 1;
	}
	string = sb.error ? NULL : json_string(lw_strbuf_text(&sb));
	lw_strbuf_fini(&sb);
	return string;
}

int lw_output_flush(int rc, struct lw_error *err)
{
	if ((fflush(stdout) || ferror(stdout)) && !rc)
		rc = lw_error_set(err, -EIO, "standard output: cannot write all of it: %s",
				  strerror(errno));
	return rc;
}
