/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what squeue and sbatch ask of a slurmctld, timed request by request. */

/*
 * The commands themselves start a process and print a table, which costs more than a quiet
 * slurmctld does; here only the request is timed.
 *
 *   client look PERIOD_MS SECONDS
 *         all jobs, as squeue asks for them
 *   client submit KIND FIRST COUNT PERIOD_MS THREADS
 *         jobs FIRST, FIRST + 1, ... of KIND, as sbatch submits them: one every PERIOD_MS
 *         and thread, or as fast as they go (0)
 *   client start KIND FIRST COUNT PERIOD_MS SECONDS
 *         the same, one every PERIOD_MS; each is followed until it has a node, SECONDS at most,
 *         and the latency is the time to that
 *
 * Kinds: "full-N", one task on N whole nodes each; "mixed" or "mixed-cpu", a queue in which
 * hardly two jobs in a row are alike, with or without GPUs; "one", one CPU each; "small", the same
 * in a partition of that name; "users", the same of a thousand users; "array", 100,000 tasks.
 *
 * A line a request: START_US look|submit|start LATENCY_US JOB_ID|0 ERROR ANSWER_US; the error is
 * "-" for none. The answer's last byte is there after ANSWER_US; what follows, unpacking it, is
 * work of the client, which is on another machine elsewhere. Exit code 1 when it cannot be set
 * up; a request that fails is a result.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { USERS = 8, MANY_USERS = 1000, FIRST_UID = 2001, FIRST_OF_MANY = 10001, THREADS_MAX = 64 };

struct submission {
	const char *kind;
	long first, count, period_ms;
	long step; /* threads: each takes every STEP-th job */
	long turn; /* of this thread among them */
	long follow_s; /* how long each job is followed; 0: it is not */
};

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static __thread int64_t received_us;

/* libslurm's calls find this one before libc's. */
ssize_t recv(int fd, void *buf, size_t size, int flags)
{
	static ssize_t (*next)(int, void *, size_t, int);
	ssize_t got;

	if (!next)
		next = (ssize_t(*)(int, void *, size_t, int))dlsym(RTLD_NEXT, "recv");
	got = next(fd, buf, size, flags);
	if (got > 0)
		received_us = now_us();
	return got;
}

/* The same NUMBER always gives the same values; they look random. */
static uint32_t scramble(uint32_t number)
{
	number = (number ^ 61) ^ (number >> 16);
	number *= 9;
	number ^= number >> 4;
	number *= 0x27d4eb2d;
	return number ^ (number >> 15);
}

/* An open loop: a slow answer does not put off the next question more than it lasts. */
static void wait_until(int64_t at_us)
{
	int64_t left_us = at_us - now_us();
	struct timespec left = { .tv_sec = left_us / 1000000,
				 .tv_nsec = left_us % 1000000 * 1000 };

	if (left_us > 0)
		nanosleep(&left, NULL);
}

static void report(const char *what, int64_t start_us, uint32_t job_id, int rc)
{
	int64_t took_us = now_us() - start_us;
	int64_t answer_us = received_us > start_us ? received_us - start_us : took_us;
	char error[64] = "-";

	if (rc) {
		snprintf(error, sizeof(error), "%s", slurm_strerror(rc));
		for (char *c = error; *c; c++)
			*c = *c == ' ' ? '_' : *c;
	}
	printf("%lld %s %lld %u %s %lld\n", (long long)start_us, what, (long long)took_us, job_id,
	       error, (long long)answer_us);
}

/*
 * Somewhere in the K-th period: were all requests at its beginning, then those of one kind
 * would fall on those of another always, or never, by how the two happened to start.
 */
static int64_t moment_in(int64_t begin_us, long k, long period_ms)
{
	int64_t period_us = (int64_t)period_ms * 1000;

	return period_us ? begin_us + k * period_us + scramble((uint32_t)k) % period_us : 0;
}

static int look(long period_ms, long seconds)
{
	int64_t begin_us = now_us(), past_us = 0;

	for (long k = 0; past_us < seconds * 1000000; past_us = now_us() - begin_us, k++) {
		job_info_msg_t *jobs = NULL;
		int64_t start_us;

		if (k < past_us / 1000 / period_ms)
			k = past_us / 1000 / period_ms;
		wait_until(moment_in(begin_us, k, period_ms));
		start_us = now_us();
		report("look", start_us, 0, slurm_load_jobs(0, &jobs, SHOW_ALL) ? errno : 0);
		slurm_free_job_info_msg(jobs);
	}
	return 0;
}

static void ask_mixed(job_desc_msg_t *job, uint32_t number, bool gpus)
{
	static char *const wishes[] = { "gres/gpu:1", "gres/gpu:2", "gres/gpu:4", "gres/gpu:8" };
	static const uint32_t widths[] = { 1, 1, 1, 2, 4, 8, 16, 64 };
	uint32_t luck = scramble(number);

	job->min_nodes = job->max_nodes = widths[luck % 8];
	job->num_tasks = job->min_nodes;
	job->ntasks_per_node = 1;
	job->cpus_per_task = (uint16_t)(1 + (luck >> 3) % 32);
	if (gpus)
		job->tres_per_node = wishes[(luck >> 8) % 4];
	job->time_limit = 30 + 5 * ((luck >> 10) % 270);
}

static void ask(job_desc_msg_t *job, const char *kind, uint32_t number)
{
	job->time_limit = 60 + 7 * (number % 180);
	job->min_nodes = job->max_nodes = job->num_tasks = 1;
	if (!strcmp(kind, "small"))
		job->partition = "small";
	if (!strcmp(kind, "array"))
		job->array_inx = "0-99999";
	if (!strncmp(kind, "full-", 5)) {
		job->min_nodes = job->max_nodes = (uint32_t)strtoul(kind + 5, NULL, 10);
		job->num_tasks = job->min_nodes;
		job->ntasks_per_node = 1;
		job->shared = 0;
	} else if (!strncmp(kind, "mixed", 5)) {
		ask_mixed(job, number, strcmp(kind, "mixed-cpu"));
	}
}

static uint32_t user_of(const char *kind, long number)
{
	if (!strcmp(kind, "users"))
		return (uint32_t)(FIRST_OF_MANY + number % MANY_USERS);
	return (uint32_t)(FIRST_UID + number % USERS);
}

static bool waits(uint32_t job_id)
{
	job_info_msg_t *jobs = NULL;
	bool answer = true;

	if (!slurm_load_job(&jobs, job_id, SHOW_ALL) && jobs->record_count)
		answer = (jobs->job_array[0].job_state & JOB_STATE_BASE) == JOB_PENDING;
	slurm_free_job_info_msg(jobs);
	return answer;
}

/* Until JOB_ID has a node; false: not within FOLLOW_S. Later on it is asked less often. */
static bool has_started(uint32_t job_id, long follow_s)
{
	int64_t begin_us = now_us();

	while (waits(job_id)) {
		int64_t past_us = now_us() - begin_us;

		if (past_us > follow_s * 1000000)
			return false;
		wait_until(now_us() + (past_us < 2000000 ? 10000 : 200000));
	}
	return true;
}

static void submit_one(const char *kind, long number, long follow_s)
{
	char *environment[] = { "PATH=/usr/bin:/bin", NULL };
	char name[32];
	submit_response_msg_t *answer = NULL;
	job_desc_msg_t job;
	int64_t start_us;
	int rc;

	slurm_init_job_desc_msg(&job);
	snprintf(name, sizeof(name), "%s-%ld", kind, number);
	job.name = name;
	job.user_id = user_of(kind, number);
	job.group_id = job.user_id;
	job.script = "#!/bin/sh\nsleep 60\n";
	job.environment = environment;
	job.env_size = 1;
	job.work_dir = "/tmp";
	job.std_out = job.std_err = job.std_in = "/dev/null";
	ask(&job, kind, (uint32_t)number);
	start_us = now_us();
	rc = slurm_submit_batch_job(&job, &answer) ? errno : 0;
	report("submit", start_us, answer ? answer->job_id : 0, rc);
	if (answer && follow_s)
		report("start", start_us, answer->job_id,
		       has_started(answer->job_id, follow_s) ? 0 : ETIMEDOUT);
	if (answer)
		slurm_free_submit_response_response_msg(answer);
}

static void *submit(void *arg)
{
	const struct submission *todo = arg;
	long period_ms = todo->period_ms / todo->step;
	int64_t begin_us = now_us();

	for (long i = 0; i < todo->count; i += todo->step) {
		wait_until(moment_in(begin_us, todo->turn + i, period_ms));
		submit_one(todo->kind, todo->first + i, todo->follow_s);
	}
	return NULL;
}

static int submit_all(struct submission todo)
{
	pthread_t threads[THREADS_MAX];
	struct submission parts[THREADS_MAX];
	long count = todo.step < 1 ? 1 : todo.step > THREADS_MAX ? THREADS_MAX : todo.step;

	for (long t = 0; t < count; t++) {
		parts[t] = todo;
		parts[t].step = count;
		parts[t].turn = t;
		parts[t].first += t;
		parts[t].count -= t;
		if (pthread_create(&threads[t], NULL, submit, &parts[t]))
			return 1;
	}
	for (long t = 0; t < count; t++)
		pthread_join(threads[t], NULL);
	return 0;
}

static long number(const char *text)
{
	return strtol(text, NULL, 10);
}

int main(int argc, char **argv)
{
	slurm_init(NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc == 4 && !strcmp(argv[1], "look"))
		return look(number(argv[2]), number(argv[3]));
	if (argc == 7 && !strcmp(argv[1], "submit"))
		return submit_all((struct submission){ .kind = argv[2],
						       .first = number(argv[3]),
						       .count = number(argv[4]),
						       .period_ms = number(argv[5]),
						       .step = number(argv[6]) });
	if (argc == 7 && !strcmp(argv[1], "start"))
		return submit_all((struct submission){ .kind = argv[2],
						       .first = number(argv[3]),
						       .count = number(argv[4]),
						       .period_ms = number(argv[5]) *
								    number(argv[4]),
						       .step = number(argv[4]),
						       .follow_s = number(argv[6]) });
	fprintf(stderr, "usage: client look PERIOD_MS SECONDS\n"
			"       client submit KIND FIRST COUNT PERIOD_MS THREADS\n"
			"       client start KIND FIRST COUNT PERIOD_MS SECONDS\n");
	return 2;
}
