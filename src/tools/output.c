/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where subcommands write to: a file, or standard output. */
#include "tools/output.h"

#include <errno.h>
#include <string.h>

FILE *lw_output_open(const char *path, struct lw_error *err)
{
	FILE *out;

	if (!path || strcmp(path, "-") == 0)
		return stdout;
	out = fopen(path, "we");
	if (!out)
		lw_error_set(err, -errno, "%s: cannot write: %s", path, strerror(errno));
	return out;
}

int lw_output_close(FILE *out, const char *path, int rc, struct lw_error *err)
{
	int bad = fflush(out) || ferror(out);

	if (out != stdout)
		bad |= fclose(out);
	if (bad && !rc)
		rc = lw_error_set(err, -EIO, "%s: cannot write all of it: %s",
				  path ? path : "standard output", strerror(errno));
	return rc;
}

int lw_output_text(const char *path, struct lw_strbuf *text, struct lw_error *err)
{
	int rc = text->error ? lw_error_set(err, -ENOMEM, "out of memory") : 0;
	FILE *out = rc ? NULL : lw_output_open(path, err);

	if (out) {
		fputs(lw_strbuf_text(text), out);
		rc = lw_output_close(out, path, 0, err);
	}
	lw_strbuf_fini(text);
	return out || rc ? rc : -EIO;
}

int lw_output_json(const char *path, json_t *root, struct lw_error *err)
{
	FILE *out = root ? lw_output_open(path, err) : NULL;
	int rc = root ? -EIO : lw_error_set(err, -ENOMEM, "out of memory");

	if (out) {
		rc = json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(10))
			     ? lw_error_set(err, -EIO, "cannot write the JSON")
			     : 0;
		fputc('\n', out);
		rc = lw_output_close(out, path, rc, err);
	}
	json_decref(root);
	return rc;
}
