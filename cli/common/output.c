/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: where subcommands write to: a file, or standard output. */
#include "cli/common/output.h"

#include "base/io.h"
#include "cli/common/leftover.h"
#include "cli/common/origin.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As many links as the kernel follows. */
#define LINKS_MAX 40

/* Go from PATH, of PATH_MAX bytes, to what links lead to, which need not be there yet. */
static int follow(char *path)
{
	char folder[PATH_MAX], target[PATH_MAX], next[2 * PATH_MAX];

	for (int i = 0; i < LINKS_MAX; i++) {
		ssize_t len = readlink(path, target, sizeof(target) - 1);

		/* no link, or no such file: the open that follows reports it */
		if (len < 0)
			return 0;
		target[len] = '\0';
		if (lw_dir_of(path, folder, sizeof(folder)))
			return -ENAMETOOLONG;
		if (*target == '/')
			snprintf(next, sizeof(next), "%s", target);
		else
			snprintf(next, sizeof(next), "%s/%s", folder, target);
		if (snprintf(path, PATH_MAX, "%s", next) >= PATH_MAX)
			return -ENAMETOOLONG;
	}
	return -ELOOP;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Give it owner and mode of its predecessor, as far as this user may. */
static int take_after(int fd, const struct stat *old)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	/* root alone may; to others it stays theirs */
	if ((st.st_uid != old->st_uid || st.st_gid != old->st_gid) &&
	    fchown(fd, old->st_uid, old->st_gid) && errno != EPERM)
		return -errno;
	return fchmod(fd, old->st_mode & 07777) ? -errno : 0;
}

/* Begin what takes the place of OLD, or of nothing where that is NULL. 0 or -errno. */
static int open_beside(struct lw_output *output, const struct stat *old, mode_t mode)
{
	int fd, rc;

	if (old && access(output->path, W_OK))
		return -errno;
	fd = lw_create_beside(output->path, old ? 0600 : mode, output->beside, PATH_MAX);
	if (fd < 0)
		return fd;
	rc = old ? take_after(fd, old) : 0;
	output->lock = rc ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
	output->to = output->lock >= 0 ? fdopen(fd, "w") : NULL;
	if (output->to)
		return 0;
	rc = rc ? rc : -errno;
	unlink(output->beside);
	if (output->lock >= 0)
		close(output->lock);
	close(fd);
	return rc;
}

/* Could a file beside PATH be made? */
static int check_folder(const char *path)
{
	char folder[PATH_MAX];
	int rc = lw_dir_of(path, folder, sizeof(folder));

	return !rc && access(folder, W_OK | X_OK) ? -errno : rc;
}

int lw_output_check(const char *path, struct lw_error *err)
{
	char real[PATH_MAX];
	struct stat st;
	int rc = 0;

	if (!path || strcmp(path, "-") == 0)
		return 0;
	if (snprintf(real, sizeof(real), "%s", path) >= PATH_MAX)
		return lw_error_set(err, -ENAMETOOLONG, "%s: the name is too long", path);
	if (!stat(path, &st))
		rc = S_ISDIR(st.st_mode) ? -EISDIR : access(path, W_OK) ? -errno : 0;
	else
		st.st_mode = S_IFREG;
	if (!rc && S_ISREG(st.st_mode))
		rc = follow(real);
	if (!rc && S_ISREG(st.st_mode))
		rc = check_folder(real);
	return rc ? lw_error_set(err, rc, "%s: cannot write: %s", path, strerror(-rc)) : 0;
}

static const char *name_in_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Do both lead to one plain file, which is there or would be made? */
static bool lead_to_one(const char *a, const char *b)
{
	char folder_a[PATH_MAX], folder_b[PATH_MAX];
	struct stat at_a, at_b;
	bool there = !stat(a, &at_a);

	if (there != !stat(b, &at_b))
		return false;
	if (there)
		return S_ISREG(at_a.st_mode) && is_same(&at_a, &at_b);
	return !lw_dir_of(a, folder_a, sizeof(folder_a)) &&
	       !lw_dir_of(b, folder_b, sizeof(folder_b)) && !stat(folder_a, &at_a) &&
	       !stat(folder_b, &at_b) && is_same(&at_a, &at_b) &&
	       strcmp(name_in_folder(a), name_in_folder(b)) == 0;
}

int lw_output_shared(const char *const *paths, size_t count, bool *ret_stdout,
		     struct lw_error *err)
{
	size_t there = 0;

	for (size_t i = 0; i < count; i++) {
		bool is_stdout = paths[i] && strcmp(paths[i], "-") == 0;

		there += is_stdout;
		for (size_t k = 0; paths[i] && !is_stdout && k < i; k++)
			if (paths[k] && strcmp(paths[k], "-") != 0 &&
			    lead_to_one(paths[i], paths[k]))
				return lw_error_set(err, -EINVAL,
						    "%s: two outputs go there: give each a file "
						    "of its own",
						    paths[i]);
	}
	if (there > 1)
		return lw_error_set(err, -EINVAL, "standard output: one thing only");
	*ret_stdout = there > 0;
	return 0;
}

/* Not a plain file, or the one that standard output is: there is no other to rename to it. */
static int open_other(struct lw_output *output, const struct stat *st)
{
	struct stat out;

	if (S_ISREG(st->st_mode) && !fstat(STDOUT_FILENO, &out) && is_same(st, &out))
		return 0;
	output->to = S_ISREG(st->st_mode) ? NULL : fopen(output->path, "we");
	if (output->to)
		return 0;
	return S_ISREG(st->st_mode) ? -ENOENT : -errno;
}

/* Signals are held meanwhile: a file made beside is known to the handler, or not there. */
static int open_plain(struct lw_output *output, const struct stat *old, mode_t mode)
{
	sigset_t before;
	int rc = follow(output->path);

	if (rc)
		return rc;
	lw_leftover_hold(&before);
	rc = open_beside(output, old, mode);
	if (rc)
		output->beside[0] = '\0';
	else
		lw_leftover_note(output->beside);
	lw_leftover_release(&before);
	return rc;
}

static int open_output(const char *path, mode_t mode, struct lw_output *output,
		       struct lw_error *err)
{
	struct stat st;
	bool there;
	int rc;

	*output = (struct lw_output){ .to = stdout, .lock = -1 };
	if (!path || strcmp(path, "-") == 0) {
		snprintf(output->path, PATH_MAX, "standard output");
		return 0;
	}
	if (snprintf(output->path, PATH_MAX, "%s", path) >= PATH_MAX)
		return lw_error_set(err, -ENAMETOOLONG, "%s: the name is too long", path);
	there = !stat(path, &st);
	if (there && lw_origin_has(&st))
		return lw_error_set(err, -EEXIST,
				    "%s: it is one of the inputs, and is kept: give the output "
				    "another name",
				    path);
	rc = there ? open_other(output, &st) : -ENOENT;
	if (rc == -ENOENT)
		rc = open_plain(output, there ? &st : NULL, mode);
	if (rc == -EACCES && there && !access(path, W_OK))
		return lw_error_set(err, rc,
				    "%s: cannot write beside it, and what is there is kept", path);
	return rc ? lw_error_set(err, rc, "%s: cannot write: %s", path, strerror(-rc)) : 0;
}

int lw_output_open(const char *path, struct lw_output *ret_output, struct lw_error *err)
{
	return open_output(path, 0666, ret_output, err);
}

/* Renamed or removed; the signals that take away what is beside wait for it. */
static int end_beside(struct lw_output *output, int rc, struct lw_error *err)
{
	sigset_t before;
	int end;

	lw_leftover_hold(&before);
	end = lw_replace_by(output->path, output->beside, output->lock, true, rc);
	lw_leftover_forget(output->beside);
	lw_leftover_release(&before);
	close(output->lock);
	return rc || !end ? rc
			  : lw_error_set(err, end, "%s: cannot write: %s", output->path,
					 strerror(-end));
}

int lw_output_close(struct lw_output *output, int rc, struct lw_error *err)
{
	bool bad = fflush(output->to) || ferror(output->to);

	if (output->to != stdout)
		bad |= fclose(output->to) != 0;
	if (bad)
		rc = lw_error_set(err, -EIO, "%s: cannot write all of it: %s", output->path,
				  strerror(errno));
	return output->beside[0] ? end_beside(output, rc, err) : rc;
}

static int write_text(const char *path, mode_t mode, struct lw_strbuf *text, struct lw_error *err)
{
	int rc = text->error ? lw_error_set(err, -ENOMEM, "out of memory") : 0;
	struct lw_output output;

	if (!rc)
		rc = open_output(path, mode, &output, err);
	if (!rc) {
		fwrite(lw_strbuf_text(text), 1, text->len, output.to);
		rc = lw_output_close(&output, 0, err);
	}
	lw_strbuf_fini(text);
	return rc;
}

int lw_output_text(const char *path, struct lw_strbuf *text, struct lw_error *err)
{
	return write_text(path, 0666, text, err);
}

int lw_output_private(const char *path, struct lw_strbuf *text, struct lw_error *err)
{
	return write_text(path, 0600, text, err);
}

int lw_output_folder(const char *dir, struct lw_error *err)
{
	if (mkdir(dir, 0777) && errno != EEXIST)
		return lw_error_set(err, -errno, "%s: cannot be made: %s", dir, strerror(errno));
	return 0;
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

/*
 * Does CODE, as the UTF-8 of LEN bytes, stand for a character that XML allows, and that is no
 * command to a terminal, as DEL and those from U+0080 to U+009F are?
 */
static bool is_character(uint32_t code, size_t len)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };

	return code >= least[len] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) &&
	       code != 0xfffe && code != 0xffff && (code < 0x7f || code > 0x9f) &&
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
