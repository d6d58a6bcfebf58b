/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a text file, plain or gzip, line by line. */
#include "sim/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define CHUNK (1u << 20)

static gzFile open_file(const char *path)
{
	int fd;
	gzFile file;

	if (strcmp(path, "-") != 0)
		return gzopen(path, "rb");
	fd = dup(STDIN_FILENO);
	if (fd < 0)
		return NULL;
	file = gzdopen(fd, "rb");
	if (!file)
		close(fd);
	return file;
}

static int grow_text(char **text, size_t *room, size_t size)
{
	char *bigger;

	if (*room - size > CHUNK)
		return 0;
	bigger = realloc(*text, *room * 2 + CHUNK + 1);
	if (!bigger)
		return -ENOMEM;
	*text = bigger;
	*room = *room * 2 + CHUNK;
	return 0;
}

/* Reads to the end; zlib passes plain text through. */
static int read_file(gzFile file, char **ret_text, size_t *ret_size)
{
	char *text = NULL;
	size_t room = 0, size = 0;
	int n, code, rc;

	for (;;) {
		rc = grow_text(&text, &room, size);
		if (rc)
			break;
		n = gzread(file, text + size, CHUNK);
		/* a device of zeros has no end, and no text goes on behind one */
		rc = n > 0 && memchr(text + size, '\0', (size_t)n) ? -EINVAL
		     : n > 0 && size > LW_LINES_MAX		     ? -EFBIG
								     : 0;
		if (rc)
			break;
		if (n > 0) {
			size += (size_t)n;
			continue;
		}
		/* a cut gzip file ends "well" but for this code */
		gzerror(file, &code);
		rc = code == Z_OK || code == Z_STREAM_END ? 0
		     : code == Z_ERRNO                    ? -errno
							  : -EIO;
		break;
	}
	if (rc) {
		free(text);
		return rc;
	}
	text[size] = '\0';
	*ret_text = text;
	*ret_size = size;
	return 0;
}

int lw_lines_open(struct lw_lines *lines, const char *path, struct lw_error *err)
{
	size_t size = 0;
	gzFile file;
	int rc;

	memset(lines, 0, sizeof(*lines));
	errno = 0;
	file = open_file(path);
	if (!file) {
		rc = errno ? -errno : -ENOMEM;
		return lw_error_set(err, rc, "%s: cannot open: %s", path, strerror(-rc));
	}
	rc = read_file(file, &lines->text, &size);
	gzclose(file);
	if (rc == -EIO)
		return lw_error_set(err, rc, "%s: gzip data damaged or cut short", path);
	if (rc == -EINVAL)
		return lw_error_set(err, rc, "%s: not a text file", path);
	if (rc)
		return lw_error_set(err, rc, "%s: cannot read: %s", path, strerror(-rc));
	lines->next = lines->text;
	return 0;
}

void lw_lines_fini(struct lw_lines *lines)
{
	free(lines->text);
	memset(lines, 0, sizeof(*lines));
}

char *lw_lines_next(struct lw_lines *lines)
{
	char *line = lines->next, *end;

	if (!line || !*line)
		return NULL;
	end = strchrnul(line, '\n');
	lines->next = *end ? end + 1 : end;
	*end = '\0';
	if (end > line && end[-1] == '\r')
		end[-1] = '\0';
	lines->number++;
	return line;
}

uint32_t lw_lines_split(char *line, char separator, char **ret_fields, uint32_t max)
{
	uint32_t n = 0;
	char *end;

	for (;;) {
		if (n < max)
			ret_fields[n] = line;
		n++;
		end = strchr(line, separator);
		if (!end)
			return n;
		*end = '\0';
		line = end + 1;
	}
}
