/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a finished job's admin_comment, which only accounting still lets us change. */
#include "record/account.h"

#include "base/words.h"
#include "record/comment.h"
#include "record/summary.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STRING(x)    #x
#define AS_STRING(x) STRING(x)
#define WORDS_MAX    16
#define OUTPUT_MAX   (4 * 1024 * 1024)
#define TRIES_MAX    3
#define PAUSE_MS     200 /* before the second try; twice that before the third */

extern char **environ;

/* ---- a command ---- */

static int start(char *const *argv, int out_fd, pid_t *ret_pid)
{
	posix_spawn_file_actions_t actions;
	int rc = posix_spawn_file_actions_init(&actions);

	if (rc)
		return -rc;
	rc = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, out_fd, STDOUT_FILENO);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, out_fd, STDERR_FILENO);
	if (!rc)
		rc = posix_spawnp(ret_pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return -rc;
}

static void read_output(int fd, struct lw_strbuf *out)
{
	char buf[4096];
	ssize_t got;

	while ((got = read(fd, buf, sizeof(buf))) > 0 || (got < 0 && errno == EINTR))
		if (got > 0 && out->len < OUTPUT_MAX)
			lw_strbuf_add_bytes(out, buf, (size_t)got);
}

/* The status of a child, -1 when somebody else has reaped it. */
static int reap(pid_t pid)
{
	int status = -1;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

/* Run ARGV whole; its exit status in *ret_status, its words in OUT. */
static int run(char *const *argv, struct lw_strbuf *out, int *ret_status)
{
	int pair[2], rc;
	pid_t pid;

	if (pipe2(pair, O_CLOEXEC))
		return -errno;
	rc = start(argv, pair[1], &pid);
	close(pair[1]);
	if (!rc) {
		read_output(pair[0], out);
		*ret_status = reap(pid);
	}
	close(pair[0]);
	return rc;
}

static int tell_failure(const char *program, int status, const struct lw_strbuf *said,
			struct lw_error *err)
{
	const char *text = lw_strbuf_text(said);

	if (WIFEXITED(status) && WEXITSTATUS(status) == 124)
		return lw_error_set(err, -EIO, "%s did not answer in %d s", program,
				    LW_ACCOUNT_LIMIT_S);
	text += strspn(text, " \n");
	if (!*text)
		text = "it said nothing";
	return lw_error_set(err, -EIO, "%s failed: %.*s", program, (int)strcspn(text, "\n"),
			    text);
}

/*
 * Slurm's commands say why they fail. One that says nothing was killed, as by the SIGPIPE of
 * a munged or slurmdbd that hung up on it, and is worth another try.
 */
static bool was_killed(int status, const struct lw_strbuf *said)
{
	return status && !said->len && !(WIFEXITED(status) && WEXITSTATUS(status) == 124);
}

static int run_until_it_speaks(char *const *argv, struct lw_strbuf *out, int *ret_status)
{
	int rc = run(argv, out, ret_status);

	for (int tries = 1; !rc && tries < TRIES_MAX && was_killed(*ret_status, out); tries++) {
		poll(NULL, 0, tries * PAUSE_MS);
		rc = run(argv, out, ret_status);
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
	struct lw_strbuf said = LW_STRBUF_INIT;
	int status = 0, rc;

	snprintf(program, sizeof(program), "%s%s%s", bin, *bin ? "/" : "", argv[0]);
	for (int i = 1; argv[i] && i < WORDS_MAX; i++)
		words[3 + i] = (char *)(uintptr_t)argv[i];
	rc = run_until_it_speaks(words, &said, &status);
	if (rc)
		lw_error_set(err, rc, "%s cannot be started: %s", argv[0], strerror(-rc));
	else if (status)
		rc = tell_failure(argv[0], status, &said, err);
	else if (out)
		lw_strbuf_add_bytes(out, lw_strbuf_text(&said), said.len);
	lw_strbuf_fini(&said);
	return rc;
}

/* ---- a job ---- */

/* Take what stands before the next bar of *LINE; false without one. */
static bool take_field(const char **line, const char *stop, char *buf, size_t size)
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

/* A line "RAW|NAME|END|COMMENT"; the comment may have bars of its own. */
static bool read_row(const char *line, size_t len, uint32_t job_id, struct lw_account_job *job)
{
	const char *stop = line + len;
	char raw[16], end[64], *rest;

	if (!take_field(&line, stop, raw, sizeof(raw)) || strtoul(raw, &rest, 10) != job_id ||
	    *rest || !take_field(&line, stop, job->name, sizeof(job->name)) || !*job->name ||
	    !take_field(&line, stop, end, sizeof(end)))
		return false;
	job->ended = *end && strcmp(end, "Unknown") != 0;
	job->comment = strndup(line, (size_t)(stop - line));
	return true;
}

int lw_account_find(const char *text, uint32_t job_id, struct lw_account_job *ret_job)
{
	struct lw_account_job job = { .comment = NULL };

	while (*text) {
		size_t len = strcspn(text, "\n");

		if (read_row(text, len, job_id, &job)) {
			if (!job.comment)
				return -ENOMEM;
			*ret_job = job;
			return 0;
		}
		text += len + (text[len] == '\n');
	}
	return -ENOENT;
}

static int ask(const char *bin, uint32_t job_id, struct lw_account_job *ret_job,
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
	rc = lw_account_run(bin, argv, &said, err);
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
static int writes_small(const char *bin, bool *ret_small, struct lw_error *err)
{
	const char *argv[] = { "sacctmgr", "--version", NULL };
	struct lw_strbuf said = LW_STRBUF_INIT;
	unsigned year = 0, month = 0;
	int rc = lw_account_run(bin, argv, &said, err);

	if (!rc && sscanf(lw_strbuf_text(&said), "%*s %u.%u", &year, &month) != 2)
		rc = lw_error_set(err, -EIO, "sacctmgr --version says no release: %s",
				  lw_strbuf_text(&said));
	lw_strbuf_fini(&said);
	if (!rc)
		*ret_small = year * 100 + month < FIRST_WITH_CAPITALS;
	return rc;
}

/* Whether there are capitals but in our own summary, which is read in small letters, too. */
static bool has_capitals(const char *comment)
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
static int can_carry(const char *bin, const struct lw_account_job *job, bool *js1,
		     struct lw_error *err)
{
	bool capitals = has_capitals(job->comment), small = false;
	int rc;

	if (strpbrk(job->comment, "'\"`\\\n"))
		return lw_error_set(err, -EINVAL,
				    "the AdminComment of job %s has a quotation mark, which "
				    "sacctmgr cannot carry",
				    job->name);
	if (!capitals && !*js1)
		return 0;
	rc = writes_small(bin, &small, err);
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
static int change_comment(const char *bin, const struct lw_account_job *job, const char *comment,
			  struct lw_error *err)
{
	char where[sizeof(job->name) + 8], set[LW_COMMENT_MAX + 16];
	const char *argv[] = {
		"sacctmgr", "-i", "modify", "job", "where", where, "set", set, NULL
	};

	snprintf(where, sizeof(where), "jobid=%s", job->name);
	snprintf(set, sizeof(set), "AdminComment=%s", comment);
	return lw_account_run(bin, argv, NULL, err);
}

static int make_comment(const struct lw_account_job *job, struct lw_record *const *records,
			uint32_t count, bool js1, char *comment, struct lw_error *err)
{
	int rc = lw_comment_make(job->comment, records, count, js1, comment, LW_COMMENT_MAX);

	return rc ? lw_error_set(err, rc, "no new AdminComment for job %s: %s", job->name,
				 strerror(-rc))
		  : 0;
}

int lw_account_put(const char *bin, struct lw_record *const *records, uint32_t count, bool js1,
		   bool change, char **ret_comment, struct lw_error *err)
{
	struct lw_account_job job;
	char comment[LW_COMMENT_MAX];
	int rc = ask(bin, records[0]->head.job_id, &job, err);

	if (rc)
		return rc;
	if (!job.ended)
		rc = lw_error_set(err, -EAGAIN, "accounting has not heard of the end of job %s",
				  job.name);
	else
		rc = can_carry(bin, &job, &js1, err);
	if (!rc)
		rc = make_comment(&job, records, count, js1, comment, err);
	if (!rc && change && strcmp(job.comment, comment))
		rc = change_comment(bin, &job, comment, err);
	if (!rc && ret_comment) {
		*ret_comment = strdup(comment);
		rc = *ret_comment ? 0 : lw_error_set(err, -ENOMEM, "out of memory");
	}
	free(job.comment);
	return rc;
}
