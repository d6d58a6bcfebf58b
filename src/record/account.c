/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a finished job's admin_comment, which only accounting still lets us change. */
#include "record/account.h"

#include "base/words.h"
#include "record/comment.h"
#include "record/summary.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STRING(x)    #x
#define AS_STRING(x) STRING(x)
#define WORDS_MAX    16
#define TRIES_MAX    3
#define PAUSE_MS     200 /* before the second try; twice that before the third */

extern char **environ;

/* ---- a command ---- */

/* What a command writes, and what it complains of. */
struct said {
	struct lw_strbuf out, complaint;
};

static void account_said_fini(struct said *said)
{
	lw_strbuf_fini(&said->out);
	lw_strbuf_fini(&said->complaint);
}

static int account_start(char *const *argv, int out_fd, int complaint_fd, pid_t *ret_pid)
{
	posix_spawn_file_actions_t actions;
	int rc = posix_spawn_file_actions_init(&actions);

	if (rc)
		return -rc;
	rc = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, out_fd, STDOUT_FILENO);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, complaint_fd, STDERR_FILENO);
	if (!rc)
		rc = posix_spawnp(ret_pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return -rc;
}

/* Read once from FD, which has something; false at its end. One byte more than fits is kept. */
static bool account_read_some(int fd, struct lw_strbuf *text)
{
	char buf[65536];
	ssize_t got = read(fd, buf, sizeof(buf));

	if (got > 0 && text->len <= LW_ACCOUNT_OUTPUT_MAX)
		lw_strbuf_add_bytes(text, buf, (size_t)got);
	return got > 0 || (got < 0 && errno == EINTR);
}

/* Both to their ends: a command that finds one of them full would wait for ever. */
static void account_read_output(int out_fd, int complaint_fd, struct said *said)
{
	struct pollfd fds[] = { { .fd = out_fd, .events = POLLIN },
				{ .fd = complaint_fd, .events = POLLIN } };

	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return;
		if (fds[0].fd >= 0 && fds[0].revents && !account_read_some(out_fd, &said->out))
			fds[0].fd = -1;
		if (fds[1].fd >= 0 && fds[1].revents &&
		    !account_read_some(complaint_fd, &said->complaint))
			fds[1].fd = -1;
	}
}

/* The status of a child, -1 if other code has reaped it. */
static int account_reap(pid_t pid)
{
	int status = -1;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

/* Run ARGV whole; its exit status in *ret_status, its words in SAID. */
static int account_run(char *const *argv, struct said *said, int *ret_status)
{
	int out[2], complaint[2], rc;
	pid_t pid;

	if (pipe2(out, O_CLOEXEC))
		return -errno;
	if (pipe2(complaint, O_CLOEXEC)) {
		rc = -errno;
		close(out[0]);
		close(out[1]);
		return rc;
	}
	rc = account_start(argv, out[1], complaint[1], &pid);
	close(out[1]);
	close(complaint[1]);
	if (!rc) {
		account_read_output(out[0], complaint[0], said);
		*ret_status = account_reap(pid);
	}
	close(out[0]);
	close(complaint[0]);
	return rc;
}

/* What timeout says of a program that it could not run, in whatever language. */
static bool account_is_missing(int status, const char *text)
{
	return (status == 126 || status == 127) && strncmp(text, "timeout: ", 9) == 0;
}

static int account_tell_failure(const char *program, const char *path, int status,
				const struct said *said, struct lw_error *err)
{
	const char *text = lw_strbuf_text(&said->complaint), *end = text + said->complaint.len;
	const char *line;

	if (WIFEXITED(status) && WEXITSTATUS(status) == 124)
		return lw_error_set(err, -EIO, "%s did not answer in %d s", program,
				    LW_ACCOUNT_LIMIT_S);
	if (WIFEXITED(status) && account_is_missing(WEXITSTATUS(status), text))
		return lw_error_set(err, -EIO, "%s: %s: is Slurm installed here?", path,
				    strerror(WEXITSTATUS(status) == 127 ? ENOENT : EACCES));
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	line = end > text ? memrchr(text, '\n', (size_t)(end - text)) : NULL;
	line = line ? line + 1 : text;
	if (end > line)
		return lw_error_set(err, -EIO, "%s failed: %.*s", program, (int)(end - line),
				    line);
	if (WIFSIGNALED(status))
		return lw_error_set(err, -EIO, "%s was ended by signal %d", program,
				    WTERMSIG(status));
	return lw_error_set(err, -EIO, "%s failed: exit status %d", program, WEXITSTATUS(status));
}

/*
 * Slurm's commands say why they fail. One that says nothing was killed, as by the SIGPIPE of
 * a munged or slurmdbd that hung up on it, and is worth another try.
 */
static bool account_was_killed(int status, const struct said *said)
{
	return status && !said->out.len && !said->complaint.len &&
	       !(WIFEXITED(status) && WEXITSTATUS(status) == 124);
}

static int account_run_until_it_speaks(char *const *argv, struct said *said, int *ret_status)
{
	int rc = account_run(argv, said, ret_status);

	for (int tries = 1; !rc && tries < TRIES_MAX && account_was_killed(*ret_status, said);
	     tries++) {
		poll(NULL, 0, tries * PAUSE_MS);
		rc = account_run(argv, said, ret_status);
	}
	return rc;
}

int lw_account_run(const char *bin, const char *const *argv, struct lw_strbuf *out,
		   struct lw_error *err)
{
	char program[PATH_MAX], *words[WORDS_MAX + 4] = {
		"timeout",
		"-k5",
		AS_STRING(LW_ACCOUNT_LIMIT_S),
		program,
	};
	struct said said = { LW_STRBUF_INIT, LW_STRBUF_INIT };
	int status = 0, rc;

	snprintf(program, sizeof(program), "%s%s%s", bin, *bin ? "/" : "", argv[0]);
	for (int i = 1; argv[i] && i < WORDS_MAX; i++)
		words[3 + i] = (char *)(uintptr_t)argv[i];
	rc = account_run_until_it_speaks(words, &said, &status);
	if (rc)
		lw_error_set(err, rc, "%s cannot be started: %s", argv[0], strerror(-rc));
	else if (status)
		rc = account_tell_failure(argv[0], program, status, &said, err);
	else if (said.out.error || said.out.len > LW_ACCOUNT_OUTPUT_MAX)
		rc = lw_error_set(err, -EFBIG, "%s printed more than %d MiB: ask it for less",
				  argv[0], LW_ACCOUNT_OUTPUT_MAX >> 20);
	else if (out)
		lw_strbuf_add_bytes(out, lw_strbuf_text(&said.out), said.out.len);
	account_said_fini(&said);
	return rc;
}

/* ---- a job ---- */

/* Take what stands before the next bar of *LINE; false without one. */
static bool account_take_field(const char **line, const char *stop, char *buf, size_t size)
{
	const char *bar = memchr(*line, '|', (size_t)(stop - *line));
	size_t len = bar ? (size_t)(bar - *line) : 0;

	if (!bar || len >= size)
		return false;
	memcpy(buf, *line, len);
	buf[len] = '\0';
	*line = bar + 1;
	return true;
}

/* Step over the number of a job at the begin of a row; false when none begins there. */
static bool account_take_number(const char **line, const char *stop, uint32_t *ret_job)
{
	char raw[16], *rest;
	unsigned long number;

	if (!isdigit((unsigned char)**line) || !account_take_field(line, stop, raw, sizeof(raw)))
		return false;
	number = strtoul(raw, &rest, 10);
	*ret_job = (uint32_t)number;
	return !*rest && number <= UINT32_MAX;
}

/* A line "RAW|NAME|END|COMMENT"; *LINE is then at the comment. */
static bool account_read_row(const char **line, const char *stop, uint32_t *ret_raw,
			     struct lw_account_job *job)
{
	char end[64];

	if (!account_take_number(line, stop, ret_raw) ||
	    !account_take_field(line, stop, job->name, sizeof(job->name)) || !*job->name ||
	    !account_take_field(line, stop, end, sizeof(end)))
		return false;
	job->ended = *end && strcmp(end, "Unknown") != 0;
	return true;
}

static const char *account_end_of_line(const char *text)
{
	return text + strcspn(text, "\n");
}

/* Where the comment at TEXT ends: it may have bars, and lines, of its own. */
static const char *account_end_of_comment(const char *text)
{
	const char *stop = account_end_of_line(text);

	while (*stop && stop[1]) {
		const char *line = stop + 1;
		struct lw_account_job next;
		uint32_t raw;

		if (account_read_row(&line, account_end_of_line(line), &raw, &next))
			break;
		stop = account_end_of_line(stop + 1);
	}
	return stop;
}

int lw_account_find(const char *text, uint32_t job_id, struct lw_account_job *ret_job)
{
	struct lw_account_job job = { .comment = NULL };
	uint32_t raw = 0;

	while (*text) {
		const char *line = text, *stop = account_end_of_line(text);

		if (account_read_row(&line, stop, &raw, &job) && raw == job_id) {
			job.comment =
				strndup(line, (size_t)(account_end_of_comment(line) - line));
			if (!job.comment)
				return -ENOMEM;
			*ret_job = job;
			return 0;
		}
		text = stop + (*stop == '\n');
	}
	return -ENOENT;
}

/* What sacct says where accounting is not kept; no other command of ours is asked before it. */
#define NO_ACCOUNTING "accounting storage is disabled"

static int account_ask_sacct(const char *bin, const char *const *argv, struct lw_strbuf *said,
			     struct lw_error *err)
{
	struct lw_error why = { "" };
	int rc = lw_account_run(bin, argv, said, &why);

	if (!rc)
		return 0;
	return lw_error_set(err, strstr(why.text, NO_ACCOUNTING) ? -ENOTSUP : rc, "%s", why.text);
}

static int account_ask(const char *bin, uint32_t job_id, struct lw_account_job *ret_job,
		       struct lw_error *err)
{
	char id[16];
	/* the time range, since a job's own may lie outside of what sacct takes for now */
	const char *argv[] = { "sacct", "-X",
			       "-n",    "-P",
			       "-S",    "1970-01-02",
			       "-E",    "now+3650days",
			       "-o",    "JobIDRaw,JobID,End,AdminComment",
			       "-j",    id,
			       NULL };
	struct lw_strbuf said = LW_STRBUF_INIT;
	int rc;

	snprintf(id, sizeof(id), "%" PRIu32, job_id);
	rc = account_ask_sacct(bin, argv, &said, err);
	if (!rc) {
		rc = lw_account_find(lw_strbuf_text(&said), job_id, ret_job);
		if (rc)
			lw_error_set(err, rc, "accounting does not know job %s", id);
	}
	lw_strbuf_fini(&said);
	return rc;
}

/* ---- what sacctmgr can carry ---- */

/* The first release known to leave a comment's capitals as they are. */
#define FIRST_WITH_CAPITALS 2411

/* Whether this sacctmgr ("slurm-wlm 22.05.8") writes all of a comment in small letters. */
static int account_writes_small(const char *bin, bool *ret_small, struct lw_error *err)
{
	const char *argv[] = { "sacctmgr", "--version", NULL };
	struct lw_strbuf said = LW_STRBUF_INIT;
	unsigned year = 0, month = 0;
	int rc = lw_account_run(bin, argv, &said, err);

	if (!rc && sscanf(lw_strbuf_text(&said), "%*s %4u.%2u", &year, &month) != 2)
		rc = lw_error_set(err, -EIO, "sacctmgr --version says no release: %s",
				  lw_strbuf_text(&said));
	lw_strbuf_fini(&said);
	if (!rc)
		*ret_small = year * 100 + month < FIRST_WITH_CAPITALS;
	return rc;
}

/* Whether there are capitals but in our own summary, which is read in small letters, too. */
static bool account_has_capitals(const char *comment)
{
	static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t own = 0;
	const char *summary = lw_words_find(comment, LW_SUMMARY_PREFIX, &own);
	const char *first = strpbrk(comment, capitals);

	if (first && summary && first >= summary && first < summary + own)
		first = strpbrk(summary + own, capitals);
	return first != NULL;
}

/* Refuse what would not arrive as it is; *JS1 becomes false where that form would not. */
static int account_can_carry(const char *bin, const struct lw_account_job *job, bool *js1,
			     struct lw_error *err)
{
	bool capitals = account_has_capitals(job->comment), small = false;
	int rc;

	if (strpbrk(job->comment, "'\"`\\\n"))
		return lw_error_set(err, -EINVAL,
				    "the AdminComment of job %s has a quotation mark or a "
				    "second line, which sacctmgr cannot carry",
				    job->name);
	if (!capitals && !*js1)
		return 0;
	rc = account_writes_small(bin, &small, err);
	if (!rc && small && capitals)
		rc = lw_error_set(err, -EINVAL,
				  "the AdminComment of job %s has capital letters, which "
				  "sacctmgr before 24.11 makes small",
				  job->name);
	*js1 = *js1 && !small;
	return rc;
}

/*
 * The name, since sacctmgr takes a raw id for the array or the het job of that id too, and
 * would change all of it.
 */
static int account_change_comment(const char *bin, const struct lw_account_job *job,
				  const char *comment, struct lw_error *err)
{
	char where[sizeof(job->name) + 8], set[LW_COMMENT_MAX + 16];
	const char *argv[] = {
		"sacctmgr", "-i", "modify", "job", "where", where, "set", set, NULL
	};

	snprintf(where, sizeof(where), "jobid=%s", job->name);
	snprintf(set, sizeof(set), "AdminComment=%s", comment);
	return lw_account_run(bin, argv, NULL, err);
}

static int account_make_comment(const struct lw_account_job *job,
				struct lw_record *const *records, uint32_t count, bool js1,
				char *comment, struct lw_error *err)
{
	int rc = lw_comment_make(job->comment, records, count, js1, comment, LW_COMMENT_MAX);

	return rc ? lw_error_set(err, rc, "no new AdminComment for job %s: %s", job->name,
				 strerror(-rc))
		  : 0;
}

int lw_account_put(const struct lw_account_how *how, struct lw_record *const *records,
		   uint32_t count, char **ret_comment, struct lw_error *err)
{
	bool js1 = how->js1;
	struct lw_account_job job;
	char comment[LW_COMMENT_MAX];
	int rc = account_ask(how->bin, records[0]->head.job_id, &job, err);

	if (rc)
		return rc;
	if (!job.ended)
		rc = lw_error_set(err, -EAGAIN, "accounting has not heard of the end of job %s",
				  job.name);
	else
		rc = account_can_carry(how->bin, &job, &js1, err);
	if (!rc)
		rc = account_make_comment(&job, records, count, js1, comment, err);
	if (!rc && how->change && strcmp(job.comment, comment))
		rc = account_change_comment(how->bin, &job, comment, err);
	if (!rc && ret_comment) {
		*ret_comment = strdup(comment);
		rc = *ret_comment ? 0 : lw_error_set(err, -ENOMEM, "out of memory");
	}
	free(job.comment);
	return rc;
}
