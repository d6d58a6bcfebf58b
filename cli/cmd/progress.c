/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway progress: a job says how far it is. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "base/pace.h"
#include "base/words.h"
#include "cli/common/options.h"
#include "cli/common/slurmcall.h"
#include "cli/common/tools.h"
#include "record/account.h"

#define PROGRESS_EVERY_S 300
/* What a Comment may hold. */
#define PROGRESS_COMMENT_MAX 4096
/* No time is beyond. */
#define PROGRESS_TIME_MAX_S UINT64_C(1000000000000)

struct request {
	uint32_t every_s, now_s;
	uint64_t step, of;
};

/*
 * What the job said before, in a file of its user's on this node. It spares slurmctld: that is
 * told at most once in every_s.
 */
struct memory {
	uint64_t run; /* SLURM_RESTART_COUNT */
	uint64_t from, since_s;
	uint64_t sent_s; /* 0: not yet */
};

/* "12", or "12_3" of an array: of its number alone Slurm would change all tasks. */
static bool find_job(char *job, size_t size)
{
	const char *array = getenv("SLURM_ARRAY_JOB_ID"), *task = getenv("SLURM_ARRAY_TASK_ID");
	const char *id = getenv("SLURM_JOB_ID");
	uint64_t number;

	if (array && task && lw_number_read(array, UINT32_MAX, &number) &&
	    lw_number_read(task, UINT32_MAX, &number)) {
		snprintf(job, size, "%s_%s", array, task);
		return true;
	}
	if (!id || !lw_number_read(id, UINT32_MAX, &number))
		return false;
	snprintf(job, size, "%s", id);
	return true;
}

/* Of many tasks, or of many processes that a launcher began, the first one speaks. */
static bool is_first(void)
{
	static const char *const ranks[] = { "SLURM_PROCID", "RANK" };

	for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
		const char *rank = getenv(ranks[i]);

		if (rank && *rank && strcmp(rank, "0") != 0)
			return false;
	}
	return true;
}

/* ---- what was said before ---- */

/* A file that another user put there is not used. */
static int open_memory(const char *job, struct lw_error *err)
{
	const char *dir = getenv("TMPDIR");
	char path[PATH_MAX];
	struct stat st;
	int fd;

	if (snprintf(path, sizeof(path), "%s/leeway-progress-%s-%u", dir && *dir ? dir : "/tmp",
		     job, (unsigned)geteuid()) >= (int)sizeof(path))
		return lw_error_set(err, -ENAMETOOLONG, "TMPDIR is too long");
	fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	if (fd < 0)
		return lw_error_set(err, -errno, "%s: %s", path, strerror(errno));
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_nlink == 1)
		return fd;
	close(fd);
	return lw_error_set(err, -EPERM, "%s: it is no file of yours; set TMPDIR", path);
}

/* Nothing, or what cannot be read, is as if nothing was said. */
static struct memory read_memory(int fd)
{
	static const uint64_t most[] = { UINT32_MAX, LW_PACE_STEP_MAX, PROGRESS_TIME_MAX_S,
					 PROGRESS_TIME_MAX_S };
	uint64_t value[4];
	char text[128];
	const char *at = text;
	ssize_t size = pread(fd, text, sizeof(text) - 1, 0);

	text[size > 0 ? size : 0] = '\0';
	if (!lw_number_take_row(&at, most, 4, value) || strcmp(at, "\n") != 0)
		return (struct memory){ 0 };
	return (struct memory){ value[0], value[1], value[2], value[3] };
}

static int write_memory(int fd, const struct memory *memory, struct lw_error *err)
{
	char text[128];
	int len =
		snprintf(text, sizeof(text), " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
			 memory->run, memory->from, memory->since_s, memory->sent_s);

	if (ftruncate(fd, 0) || pwrite(fd, text, (size_t)len, 0) != len)
		return lw_error_set(err, -EIO, "cannot keep what was said: %s", strerror(errno));
	return 0;
}

/* A run that began anew, or went back to an earlier step, is measured from there. */
static void begin_anew(const struct request *request, int64_t now_s, struct memory *memory)
{
	uint64_t run = lw_number_begins(getenv("SLURM_RESTART_COUNT"), UINT32_MAX, 0);

	if (memory->since_s && memory->run == run && memory->from <= request->step &&
	    memory->since_s <= (uint64_t)now_s)
		return;
	memory->from = request->step;
	memory->since_s = (uint64_t)now_s;
	if (memory->run != run)
		memory->sent_s = 0;
	memory->run = run;
}

/* ---- telling it ---- */

static int tell_slurm(const char *job, const struct lw_pace *progress, struct lw_error *err)
{
	static const char set[] = "Comment=";
	char name[64], change[PROGRESS_COMMENT_MAX], word[LW_PACE_WORD_MAX];
	const char *update[] = { "scontrol", "update", name, change, NULL };
	struct lw_strbuf comment = LW_STRBUF_INIT;
	int rc = lw_slurm_comment(job, &comment, NULL, err);

	lw_pace_word(progress, word);
	snprintf(name, sizeof(name), "JobId=%s", job);
	memcpy(change, set, sizeof(set));
	if (!rc && lw_words_put(lw_strbuf_text(&comment), LW_PACE_START, word,
				change + strlen(set), sizeof(change) - strlen(set)))
		rc = lw_error_set(err, -EIO, "job %s: its Comment is full", job);
	if (!rc)
		rc = lw_account_run("", update, NULL, err);
	lw_strbuf_fini(&comment);
	return rc;
}

/* It is noted first: a slurmctld that does not answer is not asked sooner either. */
static int report_through(int fd, const char *job, const struct request *request, int64_t now_s,
			  struct lw_error *err)
{
	struct memory memory = read_memory(fd);
	struct lw_pace progress = { request->step, request->of, 0, now_s, 0 };
	int rc;

	begin_anew(request, now_s, &memory);
	progress.from = memory.from;
	progress.since_s = (int64_t)memory.since_s;
	if (memory.sent_s && now_s >= (int64_t)memory.sent_s &&
	    now_s - (int64_t)memory.sent_s < request->every_s)
		return write_memory(fd, &memory, err);
	memory.sent_s = (uint64_t)now_s;
	rc = write_memory(fd, &memory, err);
	return rc ? rc : tell_slurm(job, &progress, err);
}

/* While another process of the job says it, nothing is to be done. */
static int report(const char *job, const struct request *request, struct lw_error *err)
{
	int64_t now_s = request->now_s ? request->now_s : (int64_t)time(NULL);
	int fd = open_memory(job, err), rc = 0;

	if (fd < 0)
		return fd;
	if (!flock(fd, LOCK_EX | LOCK_NB))
		rc = report_through(fd, job, request, now_s, err);
	close(fd);
	return rc;
}

static bool read_step(const char *text, uint64_t least, uint64_t *ret_step)
{
	return lw_number_read(text, LW_PACE_STEP_MAX, ret_step) && *ret_step >= least;
}

/* STEP and OF; 0, or the exit code. */
static int read_steps(struct request *request, int argc, char **argv)
{
	if (optind >= argc || argc - optind > 2)
		return lw_tools_usage("progress", "give STEP, or STEP and OF");
	if (!read_step(argv[optind], 0, &request->step))
		return lw_tools_usage("progress", "\"%s\": no whole number",
				      lw_tools_plain(argv[optind]));
	if (argc - optind == 2 && !read_step(argv[optind + 1], 1, &request->of))
		return lw_tools_usage("progress", "\"%s\": no whole number above 0",
				      lw_tools_plain(argv[optind + 1]));
	if (request->of && request->of < request->step)
		return lw_tools_usage("progress", "STEP is beyond OF");
	return 0;
}

int lw_tools_progress(int argc, char **argv)
{
	struct request request = { .every_s = PROGRESS_EVERY_S };
	const struct lw_option options[] = {
#include "cli/cmd/progress_options.def"
	};
	struct lw_error err = { "" };
	char job[48];
	int rc = lw_options_read(options, &request, argc, argv, &err);

	if (rc)
		return lw_options_refused("progress", rc, &err);
	rc = read_steps(&request, argc, argv);
	if (rc)
		return rc;
	if (!find_job(job, sizeof(job)))
		return lw_tools_usage("progress", "this is for use in a job: SLURM_JOB_ID is not "
						  "set");
	rc = is_first() ? report(job, &request, &err) : 0;
	return lw_tools_ended("progress", rc == -EINVAL ? -EIO : rc, &err);
}
