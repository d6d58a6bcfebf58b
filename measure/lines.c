/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a text file, plain or gzip, line by line. */
#include "measure/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define CHUNK           (1u << 20)
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* What is read: bytes as they are, or what gzip made of them. */
struct source {
	int fd;
	bool begun, gzip, ended; /* ended: a member of gzip's is */
	z_stream z;
	struct sha256_ctx sha; /* of the bytes themselves */
	unsigned char in[CHUNK / 16];
};

/* Read more, at least two bytes if there are, by which gzip is known. 0, or -errno. */
static int lines_fill(struct source *source)
{
	size_t n = 0;

	while (n < 2) {
		ssize_t got = read(source->fd, source->in + n, sizeof(source->in) - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		n += (size_t)got;
	}
	lw_sha256_add(&source->sha, source->in, n);
	source->z.next_in = source->in;
	source->z.avail_in = (uInt)n;
	if (!source->begun)
		source->gzip = n >= 2 && source->in[0] == 0x1f && source->in[1] == 0x8b;
	source->begun = true;
	return 0;
}

static int lines_copy(struct source *source, char *text)
{
	uInt n = source->z.avail_in;

	memcpy(text, source->z.next_in, n);
	source->z.avail_in = 0;
	return (int)n;
}

/* What follows a member is another one; what is none goes unread, as gzip has it. */
static int unpack(struct source *source, char *text)
{
	z_stream *z = &source->z;
	int code;

	if (source->ended && *z->next_in != 0x1f) {
		z->avail_in = 0;
		return 0;
	}
	if (source->ended && inflateReset(z) != Z_OK)
		return -EIO;
	z->next_out = (unsigned char *)text;
	z->avail_out = CHUNK;
	code = inflate(z, Z_NO_FLUSH);
	source->ended = code == Z_STREAM_END;
	if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
		return code == Z_MEM_ERROR ? -ENOMEM : -EIO;
	return (int)(CHUNK - z->avail_out);
}

/* At most CHUNK bytes of text. 0: there are no more; or -errno. */
static int read_some(struct source *source, char *text)
{
	int n = 0;

	while (n == 0) {
		int rc = source->z.avail_in ? 0 : lines_fill(source);

		if (rc)
			return rc;
		if (!source->z.avail_in)
			return source->gzip && !source->ended ? -EIO : 0;
		n = source->gzip ? unpack(source, text) : lines_copy(source, text);
	}
	return n;
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

static int read_all(struct source *source, char **ret_text)
{
	char *text = NULL;
	size_t room = 0, size = 0;
	int n, rc;

	do {
		rc = n = grow_text(&text, &room, size);
		if (!rc)
			rc = n = read_some(source, text + size);
		/* a device of zeros has no end, and no text goes on behind one */
		if (n > 0 && memchr(text + size, '\0', (size_t)n))
			rc = -EINVAL;
		else if (n > 0 && size > LW_LINES_MAX)
			rc = -EFBIG;
		size += n > 0 ? (size_t)n : 0;
	} while (rc > 0);
	if (rc) {
		free(text);
		return rc;
	}
	text[size] = '\0';
	*ret_text = text;
	return 0;
}

static int read_file(int fd, struct lw_lines *lines)
{
	struct source *source = calloc(1, sizeof(*source));
	int rc = source ? 0 : -ENOMEM;

	if (!rc) {
		source->fd = fd;
		sha256_init(&source->sha);
		/* 32: it tells gzip by its header; 15: any window */
		rc = inflateInit2(&source->z, 15 + 32) == Z_OK ? 0 : -ENOMEM;
	}
	if (!rc) {
		rc = read_all(source, &lines->text);
		inflateEnd(&source->z);
	}
	if (!rc)
		lw_sha256_text(&source->sha, lines->sha256);
	free(source);
	return rc;
}

int lw_lines_open(struct lw_lines *lines, const char *path, struct lw_error *err)
{
	int fd, rc;

	memset(lines, 0, sizeof(*lines));
	fd = strcmp(path, "-") != 0 ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
	if (fd < 0) {
		rc = -errno;
		return lw_error_set(err, rc, "%s: cannot open: %s", path, strerror(-rc));
	}
	rc = lw_lines_of_fd(lines, fd, path, err);
	close(fd);
	return rc;
}

int lw_lines_of_fd(struct lw_lines *lines, int fd, const char *path, struct lw_error *err)
{
	int rc;

	memset(lines, 0, sizeof(*lines));
	rc = read_file(fd, lines);
	if (rc == -EIO)
		return lw_error_set(err, rc, "%s: gzip data damaged or cut short", path);
	if (rc == -EINVAL)
		return lw_error_set(err, rc, "%s: not a text file", path);
	if (rc)
		return lw_error_set(err, rc, "%s: cannot read: %s", path, strerror(-rc));
	/* editors of Windows put it before what is UTF-8 */
	lines->next = lines->text;
	if (strncmp(lines->next, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0)
		lines->next += strlen(BYTE_ORDER_MARK);
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
