/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what one look-up costs in a directory that has the records of many other jobs. */
/*
 * record_spool DIR JOBS flat|jobs: DIR, made with JOBS empty records when it is not there, as
 * releases before folders kept them, or as this one does.
 */
#include "record/file.h"
#include "record/list.h"
#include "record/neighbours.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS  5
#define OUR_JOB 4000000

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int make_records(const char *dir, unsigned jobs, bool flat)
{
	char path[4096];

	if (mkdir(dir, 0755))
		return 0;
	snprintf(path, sizeof(path), "%s/jobs", dir);
	if (!flat && mkdir(path, 0755))
		return -1;
	for (unsigned job = 1; job <= jobs; job++) {
		int len = snprintf(path, sizeof(path), flat ? "%s/" : "%s/jobs/%u", dir, job);
		int fd;

		if (!flat && mkdir(path, 0755))
			return -1;
		snprintf(path + len, sizeof(path) - (size_t)len,
			 flat ? "%u.n1.gpu" : "/%u.n1.gpu", job);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd < 0)
			return -1;
		close(fd);
	}
	return 0;
}

static void is_live(const char *dir)
{
	lw_record_job_is_live(dir, OUR_JOB);
}

static void read_one(const char *dir)
{
	struct lw_record_list list;

	if (!lw_record_list_read(&dir, 1, OUR_JOB, &list, NULL))
		lw_record_list_fini(&list);
}

static void look_around(const char *dir)
{
	const struct lw_record_head head = { .job_id = OUR_JOB, .node = "n1" };
	struct lw_neighbours neighbours = { 0 };

	lw_neighbours_look(&neighbours, dir, &head, "GPU-0");
}

static void settle(const char *dir)
{
	lw_record_settle(dir, OUR_JOB, "n1", NULL);
}

static const struct {
	const char *name;
	void (*call)(const char *dir);
} calls[] = {
	{ "is a job live (polled at its end)", is_live },
	{ "records of a job", read_one },
	{ "jobs beside ours (each 10 s)", look_around },
	{ "settle a job", settle },
};

int main(int argc, char **argv)
{
	if (argc != 4 || make_records(argv[1], (unsigned)strtoul(argv[2], NULL, 10),
				      !strcmp(argv[3], "flat"))) {
		fprintf(stderr, "usage: record_spool DIR JOBS flat|jobs\n");
		return 1;
	}
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		double best = 1e9;

		for (int round = 0; round < ROUNDS; round++) {
			double from = now_ms();

			calls[i].call(argv[1]);
			if (now_ms() - from < best)
				best = now_ms() - from;
		}
		printf("%-36s %9.3f ms\n", calls[i].name, best);
	}
	return 0;
}
