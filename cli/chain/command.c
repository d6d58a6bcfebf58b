/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a command of Slurm's that is run once, while its user watches. */
#include "cli/chain/command.h"

#include "base/plain.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Both ends of a pipe; -1 when closed. */
struct ends {
	int read, write;
};

static int ends_open(struct ends *ends)
{
	int fd[2];

	*ends = (struct ends){ -1, -1 };
	if (pipe2(fd, O_CLOEXEC))
		return -errno;
	*ends = (struct ends){ fd[0], fd[1] };
	return 0;
}

static void end_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int set_actions(posix_spawn_file_actions_t *actions, int out, int complaint)
{
	int rc =
		posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);

	if (!rc)
		rc = posix_spawn_file_actions_adddup2(actions, out, STDOUT_FILENO);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(actions, complaint, STDERR_FILENO);
	return rc;
}

/*
 * The command does not ignore what we ignore: SIGPIPE, so that it ends when its output is not
 * read, and SIGXFSZ.
 */
static int set_signals(posix_spawnattr_t *attr)
{
	sigset_t defaults;
	int rc;

	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGXFSZ);
	rc = posix_spawnattr_setsigdefault(attr, &defaults);
	return rc ? rc : posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGDEF);
}

static int command_start(const char *const *argv, int out, int complaint, pid_t *ret_pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int rc = posix_spawn_file_actions_init(&actions);

	if (rc)
		return -rc;
	rc = posix_spawnattr_init(&attr);
	if (!rc) {
		rc = set_actions(&actions, out, complaint);
		if (!rc)
			rc = set_signals(&attr);
		if (!rc)
			rc = posix_spawnp(ret_pid, argv[0], &actions, &attr,
					  (char *const *)(uintptr_t)argv, environ);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&actions);
	return -rc;
}

/* Read once from FD, which has something; false at its end. What does not fit is passed over. */
static bool take_some(int fd, struct lw_strbuf *text)
{
	char buf[4096];
	ssize_t got = read(fd, buf, sizeof(buf));
	size_t room = LW_COMMAND_OUTPUT_MAX + 1 - text->len;

	if (got > 0)
		lw_strbuf_add_bytes(text, buf, (size_t)got < room ? (size_t)got : room);
	return got > 0 || (got < 0 && errno == EINTR);
}

/* Let the user see the complaint beyond *SHOWN, in whole lines unless it has ended. */
static void pass_on(const struct lw_strbuf *complaint, size_t *shown, bool ended)
{
	const char *text = lw_strbuf_text(complaint) + *shown;
	const char *last = ended ? NULL : memrchr(text, '\n', complaint->len - *shown);
	size_t size = ended ? complaint->len - *shown : last ? (size_t)(last + 1 - text) : 0;
	char *plain = size ? malloc(size) : NULL;

	if (!plain)
		return;
	memcpy(plain, text, size);
	lw_plain_lines(plain, size);
	fwrite(plain, 1, size, stderr);
	if (plain[size - 1] != '\n')
		fputc('\n', stderr);
	free(plain);
	*shown += size;
}

/* Both to their ends: a command that finds one of them full would wait for ever. */
static void listen_both(int out, int complaint, struct lw_command_said *said)
{
	struct pollfd fds[] = { { .fd = out, .events = POLLIN },
				{ .fd = complaint, .events = POLLIN } };
	size_t shown = 0;

	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		if (poll(fds, 2, -1) < 0) {
			if (errno != EINTR)
				break;
			continue;
		}
		if (fds[0].fd >= 0 && fds[0].revents && !take_some(out, &said->out))
			fds[0].fd = -1;
		if (fds[1].fd >= 0 && fds[1].revents && !take_some(complaint, &said->complaint))
			fds[1].fd = -1;
		pass_on(&said->complaint, &shown, false);
	}
	pass_on(&said->complaint, &shown, true);
}

static int wait_for(pid_t pid)
{
	int status = -1;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

/*
 * If the exec cannot be waited for, as under valgrind, the child reports that there is no such
 * command.
 */
static bool is_absent(const struct lw_command_said *said)
{
	return !said->out.len && !said->complaint.len && WIFEXITED(said->status) &&
	       WEXITSTATUS(said->status) == 127;
}

int lw_command_run(const char *const *argv, struct lw_command_said *said, struct lw_error *err)
{
	struct ends out, complaint = { -1, -1 };
	pid_t pid;
	int rc = ends_open(&out);

	*said = (struct lw_command_said){ LW_STRBUF_INIT, LW_STRBUF_INIT, -1 };
	if (!rc)
		rc = ends_open(&complaint);
	if (!rc)
		rc = command_start(argv, out.write, complaint.write, &pid);
	end_close(&out.write);
	end_close(&complaint.write);
	if (!rc) {
		listen_both(out.read, complaint.read, said);
		said->status = wait_for(pid);
		rc = is_absent(said) ? -ENOENT : 0;
	}
	end_close(&out.read);
	end_close(&complaint.read);
	if (rc == -ENOENT)
		return lw_error_set(err, rc, "there is no %s in PATH", argv[0]);
	if (rc)
		return lw_error_set(err, rc, "%s cannot be started: %s", argv[0], strerror(-rc));
	return 0;
}

void lw_command_fini(struct lw_command_said *said)
{
	lw_strbuf_fini(&said->out);
	lw_strbuf_fini(&said->complaint);
}

char *lw_command_reason(const struct lw_command_said *said)
{
	const char *text = lw_strbuf_text(&said->complaint), *end = text + said->complaint.len;
	const char *line;
	char buf[64];

	while (end > text && strchr("\n\r ", end[-1]))
		end--;
	line = end > text ? memrchr(text, '\n', (size_t)(end - text)) : NULL;
	line = line ? line + 1 : text;
	if (end > line)
		return strndup(line, (size_t)(end - line));
	if (WIFSIGNALED(said->status))
		snprintf(buf, sizeof(buf), "it was ended by signal %d", WTERMSIG(said->status));
	else
		snprintf(buf, sizeof(buf), "exit status %d", WEXITSTATUS(said->status));
	return strdup(buf);
}
