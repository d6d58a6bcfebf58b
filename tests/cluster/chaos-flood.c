/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: many submissions in a short time, of many users: chaos-flood COUNT FIRST-UID USERS */

/*
 * So many small jobs called flood, each user's by a process with its uid, eight of them at a time.
 * Each asks for eight whole nodes. Prints how many were acknowledged. As a user's program it is
 * compiled with the slurm.h of the cluster.
 */
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define AT_ONCE 8

static int submit(uid_t uid)
{
	char *env[] = { "PATH=/usr/bin:/bin", "SLURM_GET_USER_ENV=0", NULL };
	submit_response_msg_t *answer = NULL;
	job_desc_msg_t job;
	int rc;

	slurm_init_job_desc_msg(&job);
	job.name = "flood";
	job.script = "#!/bin/sh\ntrue\n";
	job.environment = env;
	job.env_size = 2;
	job.user_id = uid;
	job.group_id = uid;
	job.work_dir = "/";
	job.std_out = job.std_err = "/dev/null";
	job.std_in = "/dev/null";
	job.min_nodes = job.max_nodes = 8;
	job.shared = 0;
	job.time_limit = 5;
	rc = slurm_submit_batch_job(&job, &answer);
	if (!rc)
		slurm_free_submit_response_response_msg(answer);
	return !rc;
}

/* The jobs of every AT_ONCE-th user, from FIRST on; prints how many of them came. */
static void work(int count, int first_uid, int users, int first, int out)
{
	for (int user = first; user < users; user += AT_ONCE) {
		pid_t child = fork();

		if (!child) {
			int done = 0;

			if (setgroups(0, NULL) || setgid((gid_t)(first_uid + user)) ||
			    setuid((uid_t)(first_uid + user)))
				_exit(1);
			slurm_init(NULL);
			for (int k = 0; k < count / users; k++)
				done += submit((uid_t)(first_uid + user));
			_exit(write(out, &done, sizeof(done)) != sizeof(done));
		}
		waitpid(child, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	int pipes[2], done, sum = 0;

	if (argc != 4 || pipe(pipes))
		return 2;
	for (int k = 0; k < AT_ONCE; k++) {
		if (fork())
			continue;
		close(pipes[0]);
		work(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]), k, pipes[1]);
		_exit(0);
	}
	close(pipes[1]);
	while (read(pipes[0], &done, sizeof(done)) == sizeof(done))
		sum += done;
	printf("%d\n", sum);
	return 0;
}
