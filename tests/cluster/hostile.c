/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: requests that sbatch would not send, for hostile.t: hostile race|raw|environment */

/*
 * race: six processes ask all the time when a job that shares a GPU would start.
 * raw: jobs with fields that sbatch checks, bounds or fills in itself; prints an id or why not.
 * environment: jobs with variables that would have root run what is in /home/u1.
 * As a user's program it is compiled with the slurm.h of the cluster.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define AT_ONCE 6
#define EACH    400

static char *env[] = { "PATH=/usr/bin:/bin", "SLURM_GET_USER_ENV=0", NULL };
#define HOME "/home/u1"
#define TRAPS(prefix)                                                                            \
	prefix "LD_PRELOAD=" HOME "/trap.so", prefix "LD_AUDIT=" HOME "/trap.so",                \
		prefix "LD_LIBRARY_PATH=" HOME "/slurm",                                         \
		prefix "PATH=" HOME "/bin:/usr/bin:/bin", prefix "BASH_ENV=" HOME "/trap.sh",    \
		prefix "ENV=" HOME "/trap.sh", prefix "GCONV_PATH=" HOME "/slurm",               \
		prefix "SLURM_CONF=" HOME "/slurm/slurm.conf"

static char *traps[] = { TRAPS(""), TRAPS("SPANK_"), TRAPS("SLURM_SPANK_"),
			 TRAPS("_SLURM_SPANK_OPTION_leeway_"), NULL };
#define TRAPS_COUNT (sizeof(traps) / sizeof(traps[0]) - 1)

static void fill(job_desc_msg_t *job)
{
	slurm_init_job_desc_msg(job);
	job->name = "light";
	job->partition = "main";
	job->script = "#!/bin/sh\nsleep 1200\n";
	job->environment = env;
	job->env_size = 2;
	job->user_id = getuid();
	job->group_id = getgid();
	job->work_dir = "/";
	job->std_out = job->std_err = "/dev/null";
	job->std_in = "/dev/null";
	job->time_limit = 60;
	job->tres_per_node = "gres/gpu:1";
	job->comment = "leeway:share";
}

static void race(void)
{
	for (int k = 0; k < AT_ONCE; k++) {
		if (fork())
			continue;
		int failed = 0;

		for (int i = 0; i < EACH && failed < 3; i++) {
			job_desc_msg_t job;

			fill(&job);
			if (slurm_job_will_run(&job))
				failed++;
		}
		printf("%d without an answer\n", failed);
		fflush(stdout);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
}

static void submit(job_desc_msg_t *job)
{
	submit_response_msg_t *answer = NULL;

	if (slurm_submit_batch_job(job, &answer)) {
		printf("refused: %s\n", slurm_strerror(errno));
		return;
	}
	printf("%u\n", answer->job_id);
	slurm_free_submit_response_response_msg(answer);
}

/* A job with one field set otherwise. */
#define SEND(set)                                                                                \
	do {                                                                                     \
		job_desc_msg_t job;                                                              \
		fill(&job);                                                                      \
		set;                                                                             \
		submit(&job);                                                                    \
	} while (0)

static char *long_text(size_t size)
{
	char *text = malloc(size + 1);

	memset(text, 'x', size);
	text[size] = '\0';
	return text;
}

static void raw_numbers(void)
{
	SEND(job.min_nodes = job.max_nodes = 0xfffffffd);
	SEND((job.min_nodes = 9, job.max_nodes = 1));
	SEND(job.num_tasks = 0xfffffffd);
	SEND((job.min_cpus = 0xfffffffd, job.max_cpus = 1));
	SEND(job.cpus_per_task = 0xfffd);
	SEND(job.ntasks_per_node = 0xfffd);
	SEND(job.pn_min_memory = 0xfffffffffffffffdULL);
	SEND(job.pn_min_memory = 0x8000000000000001ULL);
	SEND(job.time_limit = 0xfffffffd);
	SEND((job.time_limit = 0, job.time_min = 0xfffffffd));
	SEND(job.begin_time = (time_t)0x7fffffffffffffffLL);
	SEND(job.deadline = (time_t)0x7fffffffffffffffLL);
	SEND((job.deadline = -1, job.begin_time = -1));
	SEND(job.priority = 0xfffffffd);
	SEND(job.nice = 0);
	SEND(job.shared = 0xfffd);
	SEND(job.het_job_offset = 7);
	SEND(job.task_dist = 0xfffffff0);
}

static void raw_texts(void)
{
	SEND(job.comment = long_text(60 << 20));
	SEND(job.name = long_text(20 << 20));
	SEND(job.tres_per_node = long_text(20 << 20));
	SEND(job.partition = long_text(20 << 20));
	SEND(job.script = long_text(60 << 20));
	SEND((job.environment = NULL, job.env_size = 0));
	SEND((job.argc = 1, job.argv = (char *[]){ "x" }, job.script = NULL));
	SEND(job.array_inx = long_text(1 << 20));
}

/* What a job must not be. */
static void raw_rights(void)
{
	SEND(job.user_id = job.group_id = 0);
	SEND((job.user_id = 2002, job.account = "a2"));
	SEND(job.admin_comment = "leeway:share=shard:1,was:gpu:4");
	SEND(job.group_id = 0);
}

/* What root must not obey. */
static void environment(void)
{
	SEND((job.environment = traps, job.env_size = TRAPS_COUNT, job.comment = NULL));
	SEND((job.spank_job_env = traps, job.spank_job_env_size = TRAPS_COUNT,
	      job.comment = NULL));
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	slurm_init(NULL);
	if (!strcmp(argv[1], "race")) {
		race();
	} else if (!strcmp(argv[1], "environment")) {
		environment();
	} else {
		raw_numbers();
		raw_texts();
		raw_rights();
	}
	return 0;
}
