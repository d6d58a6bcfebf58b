/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: a trace, a workload or what sacct knows, read as a log. */
#include "lab/analyse/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/io.h"
#include "cli/common/origin.h"
#include "cli/common/tools.h"
#include "measure/workload.h"

/* The name without folder and endings that many traces have. */
static void set_label(struct lw_ana_input *input, const char *path)
{
	static const char *const endings[] = { ".gz", ".swf", ".lw", ".txt", ".psv" };
	const char *slash = strrchr(path, '/');
	size_t len;

	snprintf(input->label, sizeof(input->label), "%s", slash ? slash + 1 : path);
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		len = strlen(input->label);
		if (len > strlen(endings[i]) &&
		    strcmp(input->label + len - strlen(endings[i]), endings[i]) == 0)
			input->label[len - strlen(endings[i])] = '\0';
	}
}

const char *lw_ana_people_word(enum lw_people_by by)
{
	static const char *const words[LW_PEOPLE_KINDS] = { "user", "account", "name",
							    "partition" };

	return words[by];
}

const char *lw_ana_input_name(const struct lw_ana_input *input, enum lw_people_by by,
			      uint32_t number)
{
	return number < input->names[by].count ? input->names[by].texts[number] : "?";
}

int lw_ana_input_add(struct lw_ana_input *input, const struct lw_joblog_job *job)
{
	struct lw_joblog *log = &input->log;

	if (lw_grow((void **)&log->jobs, &input->room, log->count + 1, sizeof(*log->jobs)))
		return -ENOMEM;
	log->jobs[log->count++] = *job;
	return 0;
}

int lw_ana_input_number(struct lw_ana_input *input, enum lw_people_by by, const char *text,
			uint32_t *ret_number)
{
	*ret_number = LW_JOBLOG_NOBODY;
	return *text ? lw_ana_names_number(&input->names[by], text, ret_number) : 0;
}

/* Local time changes by whole quarters of an hour: one conversion does for each of them. */
#define QUARTER_S 900

void lw_ana_input_clock(struct lw_ana_input *input, int64_t began_s)
{
	int64_t quarter = INT64_MIN;
	struct tm tm = { 0 };

	for (uint32_t i = 0; i < input->log.count; i++) {
		struct lw_joblog_job *job = &input->log.jobs[i];
		int64_t at_s = began_s + job->submit_s;
		time_t clock = (time_t)at_s;

		if (at_s / QUARTER_S != quarter && !localtime_r(&clock, &tm))
			return;
		quarter = at_s / QUARTER_S;
		job->hour = (uint8_t)tm.tm_hour;
		job->weekday = (uint8_t)((tm.tm_wday + 6) % 7);
	}
}

/* If no job has a user, accounts stand for users. */
static int take_accounts(struct lw_ana_input *input, bool wanted)
{
	struct lw_joblog *log = &input->log;
	bool found = false;

	for (uint32_t i = 0; i < log->count; i++)
		found |= log->jobs[i].user != LW_JOBLOG_NOBODY;
	if ((found && !wanted) || !input->names[LW_BY_ACCOUNT].count)
		return 0;
	input->accounts_as_users = true;
	lw_ana_names_fini(&input->names[LW_BY_USER]);
	for (uint32_t i = 0; i < log->count; i++) {
		struct lw_joblog_job *job = &log->jobs[i];
		const char *name =
			job->account == LW_JOBLOG_NOBODY
				? ""
				: lw_ana_input_name(input, LW_BY_ACCOUNT, job->account);

		if (lw_ana_input_number(input, LW_BY_USER, name, &job->user))
			return -ENOMEM;
	}
	return 0;
}

static int input_finish(struct lw_ana_input *input, const struct lw_ana_options *options,
			struct lw_error *err)
{
	uint32_t most = 0;

	if (!input->log.count && input->bad)
		return lw_error_set(err, -ENODATA,
				    "%s: no job to analyse: %" PRIu32
				    " bad lines skipped, the first is line %" PRIu32 ": %s",
				    input->path, input->bad, input->bad_line,
				    input->first_bad.text);
	if (!input->log.count)
		return lw_error_set(err, -ENODATA,
				    "%s: no job to analyse: none has run and ended", input->path);
	if (options->machine)
		input->log.machine = options->machine;
	for (uint32_t i = 0; i < input->log.count; i++)
		most = input->log.jobs[i].size > most ? input->log.jobs[i].size : most;
	/* the machine is as large as its largest job at least, or the header is wrong */
	if (input->log.machine && input->log.machine < most)
		return lw_error_set(err, options->machine ? -EINVAL : -EIO,
				    "%s: a job holds %" PRIu32
				    " %ss, and the machine has %" PRIu64 ": give --machine",
				    input->path, most, lw_joblog_unit_name(input->log.unit),
				    input->log.machine);
	if (take_accounts(input, options->group_as_user))
		return lw_error_set(err, -ENOMEM, "out of memory");
	return 0;
}

int lw_ana_input_read(struct lw_ana_input *input, const char *path,
		      const struct lw_ana_options *options, struct lw_error *err)
{
	struct lw_lines lines;
	int rc;

	memset(input, 0, sizeof(*input));
	input->path = path;
	set_label(input, path);
	rc = lw_lines_open(&lines, path, err);
	if (rc)
		return rc;
	lw_origin_add(path, lines.sha256);
	if (lw_workload_is(&lines))
		rc = lw_ana_read_workload(input, &lines, options, err);
	else
		rc = lw_ana_read_swf(input, &lines, options, err);
	lw_lines_fini(&lines);
	if (!rc)
		rc = input_finish(input, options, err);
	if (rc)
		lw_ana_input_fini(input);
	return rc;
}

/* All of FROM into a file in memory, since a pipe can be read once only; the file, or -errno. */
static int input_spool(int from)
{
	char bytes[65536];
	size_t got;
	int rc, to = memfd_create("sacct", MFD_CLOEXEC);

	if (to < 0)
		return -errno;
	do {
		rc = lw_read_all(from, bytes, sizeof(bytes), &got);
		if (!rc)
			rc = lw_write_all(to, bytes, got);
	} while (!rc && got == sizeof(bytes));
	if (!rc && lseek(to, 0, SEEK_SET))
		rc = -errno;
	if (rc)
		close(to);
	return rc ? rc : to;
}

/* PATH, "-" for standard input, open where it can be read twice; or -errno with ERR. */
static int input_open_again(const char *path, struct lw_error *err)
{
	struct stat st;
	int fd = strcmp(path, "-") != 0 ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
	int rc = fd < 0 ? -errno : fd;

	if (fd >= 0 && !fstat(fd, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
		rc = input_spool(fd);
		close(fd);
	}
	return rc < 0 ? lw_error_set(err, rc, "%s: cannot open: %s", path, strerror(-rc)) : rc;
}

/* What INPUT->fd has, which is closed with INPUT. */
static int read_accounts(struct lw_ana_input *input, const struct lw_ana_options *options,
			 struct lw_error *err)
{
	int rc = lw_ana_read_sacct(input, input->fd, options, err);

	if (!rc)
		rc = input_finish(input, options, err);
	if (rc)
		lw_ana_input_fini(input);
	return rc;
}

int lw_ana_input_sacct(struct lw_ana_input *input, const char *path,
		       const struct lw_ana_options *options, struct lw_error *err)
{
	int fd = input_open_again(path, err);

	*input = (struct lw_ana_input){ .path = path, .fd = fd };
	if (fd < 0)
		return fd;
	input->form = ANA_SACCT;
	set_label(input, path);
	return read_accounts(input, options, err);
}

int lw_ana_input_cluster(struct lw_ana_input *input, int fd, const struct lw_ana_options *options,
			 struct lw_error *err)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	*input = (struct lw_ana_input){ .path = "sacct", .fd = own };
	if (own < 0)
		return lw_error_set(err, -errno, "sacct: %s", strerror(errno));
	input->form = ANA_SACCT;
	set_label(input, "this cluster");
	return read_accounts(input, options, err);
}

void lw_ana_input_fini(struct lw_ana_input *input)
{
	free(input->log.jobs);
	if (input->form == ANA_SACCT)
		close(input->fd);
	for (uint32_t by = 0; by < LW_PEOPLE_KINDS; by++)
		lw_ana_names_fini(&input->names[by]);
	memset(input, 0, sizeof(*input));
}

void lw_ana_input_print_notes(const struct lw_ana_input *input)
{
	const struct {
		uint32_t count;
		const char *what;
	} lines[] = {
		{ input->unknown, "left out for want of processors or run time" },
		{ input->never_ran, "left out as cancelled before they ran" },
		{ input->unfinished, "left out as they have not ended" },
		{ input->shifted, "end an hour after what End says, for local time was set back" },
		{ input->bad, "bad lines skipped" },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].count)
			fprintf(stderr, "%s: %s: %" PRIu32 "\n", lw_tools_plain(input->path),
				lines[i].what, lines[i].count);
	if (input->bad)
		fprintf(stderr, "%s:%" PRIu32 ": %s\n", lw_tools_plain(input->path),
			input->bad_line, input->first_bad.text);
	if (input->accounts_as_users)
		fprintf(stderr, "%s: accounts stand for users\n", lw_tools_plain(input->path));
}
