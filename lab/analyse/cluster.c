/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse --cluster: what sacct says of the cluster it is called on. */
#include "lab/analyse/cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/common/rows.h"

extern char **environ;

static int not_there(const char *program, int why, struct lw_error *err)
{
	return lw_error_set(err, -why, "%s: %s: is Slurm installed here?", program,
			    strerror(why));
}

static int wait_for(pid_t pid, const char *program, struct lw_error *err)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return lw_error_set(err, -errno, "sacct: %s", strerror(errno));
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	/*
	 * the exit status of a child that could not become sacct, where this is not known at
	 * once
	 */
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return not_there(program, ENOENT, err);
	return lw_error_set(err, -EIO,
			    WIFEXITED(status) ? "sacct ended with exit status %d; does the "
						"cluster keep accounts in slurmdbd?"
					      : "sacct was ended by signal %d",
			    WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

static int cluster_run(const char *program, char *const *argv, int fd, struct lw_error *err)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int rc = posix_spawn_file_actions_init(&actions);

	if (rc)
		return lw_error_set(err, -rc, "sacct: %s", strerror(rc));
	rc = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, fd, STDOUT_FILENO);
	if (!rc)
		rc = posix_spawnp(&pid, program, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return rc ? not_there(program, rc, err) : wait_for(pid, program, err);
}

int lw_ana_cluster_ask(struct lw_ana_cluster *cluster, const char *bin, int64_t since_s,
		       struct lw_error *err)
{
	char program[PATH_MAX], since[48];
	char *const argv[] = {
		(char *)"sacct",
		(char *)"--allusers",
		(char *)"--allocations",
		(char *)"--noconvert",
		(char *)"--parsable2",
		since,
		(char *)"--endtime=now",
		(char *)"--format=" LW_ROWS_FORMAT,
		NULL
	};
	int rc;

	snprintf(program, sizeof(program), "%s%ssacct", bin, *bin ? "/" : "");
	snprintf(since, sizeof(since), "--starttime=now-%" PRId64 "minutes", since_s / 60);
	cluster->fd = memfd_create("sacct", MFD_CLOEXEC);
	if (cluster->fd < 0)
		return lw_error_set(err, -errno, "sacct: %s", strerror(errno));
	rc = cluster_run(program, argv, cluster->fd, err);
	if (!rc && lseek(cluster->fd, 0, SEEK_SET))
		rc = lw_error_set(err, -errno, "sacct: %s", strerror(errno));
	if (rc)
		lw_ana_cluster_fini(cluster);
	return rc;
}

void lw_ana_cluster_fini(struct lw_ana_cluster *cluster)
{
	if (cluster->fd >= 0)
		close(cluster->fd);
	cluster->fd = -1;
}
