/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the subcommands share. */
#include "cli/common/tools.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "base/duration.h"
#include "base/number.h"
#include "base/plain.h"
#include "cli/common/origin.h"
#include "cli/common/output.h"

/* Far above any text of ours: a reader must not take what a device or a pipe gives for ever. */
#define TEXT_MAX ((size_t)1 << 30)
/* Far above any file of settings. */
#define PLAIN_MAX (64 << 20)
/* Columns of a terminal, where it does not say, and where it is too narrow for words. */
#define WIDTH_USUAL 80
#define WIDTH_LEAST 40

const char *lw_tools_plain(const char *text)
{
	static char plain[8][512];
	static unsigned next;
	char *to = plain[next++ % 8];

	snprintf(to, sizeof(plain[0]), "%s", text);
	lw_plain_line(to);
	return to;
}

int lw_tools_failed(const char *command, const struct lw_error *err)
{
	fprintf(stderr, "leeway %s: %s\n", command, err->text);
	return LW_TOOLS_FAILED;
}

int lw_tools_usage(const char *command, const char *fmt, ...)
{
	char text[LW_ERROR_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	lw_plain_line(text);
	fprintf(stderr, "leeway %s: %s", command, text);
	fprintf(stderr, "\nTry \"leeway %s --help\".\n", command);
	return LW_TOOLS_USAGE;
}

size_t lw_tools_width(void)
{
	struct winsize size = { 0 };

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return WIDTH_USUAL;
	return size.ws_col < WIDTH_LEAST ? WIDTH_LEAST : size.ws_col;
}

int lw_tools_ended(const char *command, int rc, const struct lw_error *err)
{
	if (rc == -EINVAL)
		return lw_tools_usage(command, "%s", err->text);
	return rc ? lw_tools_failed(command, err) : LW_TOOLS_OK;
}

int lw_tools_flush(const char *command, int code)
{
	struct lw_error err = { "" };

	/* a command that reported a failure may have reported this one */
	if (code != LW_TOOLS_OK && code != LW_TOOLS_FOUND)
		return code;
	return lw_output_flush(0, &err) ? lw_tools_failed(command, &err) : code;
}

int lw_tools_read_count(const char *option, const char *text, uint32_t min, uint32_t max,
			uint32_t *ret_value, struct lw_error *err)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || value < min || value > max)
		return lw_error_set(err, -EINVAL,
				    "--%s: \"%s\" is not a whole number of %u to %u", option,
				    text, min, max);
	*ret_value = (uint32_t)value;
	return 0;
}

int lw_tools_read_duration(const char *option, const char *text, int64_t *ret_s,
			   struct lw_error *err)
{
	char why[LW_DURATION_WHY];

	if (!lw_duration_parse(text, ret_s))
		return 0;
	lw_duration_refused(text, why, sizeof(why));
	return lw_error_set(err, -EINVAL, "--%s: \"%s\" %s", option, text, why);
}

int lw_tools_read_real(const char *option, const char *text, double min, double max,
		       double *ret_value, struct lw_error *err)
{
	char *end;
	double value;

	errno = 0;
	value = strtod(text, &end);
	/* strtod() also takes blanks before it, hexadecimals, and words for what is no number */
	if (end == text || *end || text[strspn(text, "0123456789.+-eE")] || errno ||
	    !(value >= min && value <= max))
		return lw_error_set(err, -EINVAL, "--%s: \"%s\" is not a number of %g to %g",
				    option, text, min, max);
	*ret_value = value;
	return 0;
}

static int read_stream(FILE *stream, const char *name, struct lw_strbuf *text,
		       struct lw_error *err)
{
	char buf[65536];
	size_t size;

	while ((size = fread(buf, 1, sizeof(buf), stream)) > 0) {
		if (text->len > TEXT_MAX)
			return lw_error_set(err, -EFBIG, "%s: larger than %zu MiB", name,
					    TEXT_MAX >> 20);
		if (memchr(buf, '\0', size))
			return lw_error_set(err, -EINVAL, "%s: not a text", name);
		lw_strbuf_add_bytes(text, buf, size);
	}
	if (ferror(stream))
		return lw_error_set(err, -EIO, "%s: cannot read: %s", name, strerror(errno));
	if (text->error)
		return lw_error_set(err, text->error, "%s: out of memory", name);
	return 0;
}

int lw_tools_read_text(const char *name, struct lw_strbuf *text, struct lw_error *err)
{
	bool is_stdin = strcmp(name, "-") == 0;
	FILE *stream = is_stdin ? stdin : fopen(name, "re");
	size_t before = text->len;
	int rc;

	if (!stream)
		return lw_error_set(err, -errno, "%s: %s", name, strerror(errno));
	rc = read_stream(stream, is_stdin ? "(standard input)" : name, text, err);
	if (!is_stdin)
		fclose(stream);
	if (!rc)
		lw_origin_add_text(name, lw_strbuf_text(text) + before, text->len - before);
	return rc;
}

int lw_tools_open_plain(const char *path, FILE **ret_stream)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), rc = 0;
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		rc = -errno;
	else if (!S_ISREG(st.st_mode) && !(S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3)))
		rc = -EINVAL;
	else if (st.st_size > PLAIN_MAX)
		rc = -EFBIG;
	else if (!(*ret_stream = fdopen(fd, "r")))
		rc = -errno;
	if (rc && fd >= 0)
		close(fd);
	return rc;
}

bool lw_tools_is_row(const char *line)
{
	size_t digits = strspn(line, "0123456789");

	return digits && line[digits] && strchr("|_+.[", line[digits]) && strchr(line, '|');
}

bool lw_tools_is_no_limit(const char *text)
{
	return !*text || strcmp(text, "UNLIMITED") == 0 || strcmp(text, "Partition_Limit") == 0;
}

char *lw_tools_cut_line(char *line)
{
	char *end = strchr(line, '\n'), *stop = end ? end : line + strlen(line);

	if (stop > line && stop[-1] == '\r')
		stop--;
	*stop = '\0';
	return end ? end + 1 : NULL;
}

/* strptime() takes any month to have 31 days, and mktime() makes a day of the next one of it. */
static bool is_day(const struct tm *tm)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int year = tm->tm_year + 1900;
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return tm->tm_mday <= days[tm->tm_mon] + (leap && tm->tm_mon == 1);
}

int lw_tools_read_clock(const char *text, int64_t *ret_s)
{
	struct tm tm = { .tm_isdst = -1 };
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	int64_t at_s;

	if (!rest || *rest || !is_day(&tm))
		return -EINVAL;
	at_s = (int64_t)mktime(&tm);
	if (at_s < 0)
		return -EINVAL;
	*ret_s = at_s;
	return 0;
}

const char *lw_tools_user_name(uint32_t user)
{
	const struct passwd *passwd = getpwuid((uid_t)user);
	static char digits[16];

	if (passwd)
		return passwd->pw_name;
	snprintf(digits, sizeof(digits), "%" PRIu32, user);
	return digits;
}

int lw_tools_find_user(const char *text, uint32_t *ret_user, struct lw_error *err)
{
	const struct passwd *passwd = getpwnam(text);

	if (passwd) {
		*ret_user = passwd->pw_uid;
		return 0;
	}
	if (!lw_tools_read_count("user", text, 0, UINT32_MAX - 1, ret_user, NULL))
		return 0;
	if (*text && !text[strspn(text, "0123456789")])
		return lw_error_set(err, -EINVAL,
				    "--user: \"%s\" is no user's number, which is one of 0 to %u",
				    text, UINT32_MAX - 1);
	return lw_error_set(err, -EINVAL, "--user: \"%s\" is no user here: give the number",
			    text);
}

const char *lw_tools_list(const char *words, const char *conjunction, char buf[LW_TOOLS_LIST])
{
	size_t used = 0;

	buf[0] = '\0';
	while (*words && used < LW_TOOLS_LIST) {
		size_t len = strcspn(words, " ");
		bool last = !strchr(words, ' ');

		used += (size_t)snprintf(buf + used, LW_TOOLS_LIST - used, "%s%s%s%.*s",
					 last && used ? " "
					 : used       ? ", "
						      : "",
					 last && used ? conjunction : "", last && used ? " " : "",
					 (int)len, words);
		words += len;
		words += strspn(words, " ");
	}
	return buf;
}
