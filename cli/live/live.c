/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway live: write a page of the cluster again and again. */
#include "cli/live/live.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/common/leftover.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"

#define EVERY_S     60
#define EVERY_MIN_S 10
#define EVERY_MAX_S 3600

/* A page of ours is far smaller. */
#define PAGE_MAX (64 << 20)

struct request {
	const char *dir;
	const char *records; /* directory of the GPU records; NULL: the page leaves them out */
	int64_t every_s;
	bool once, no_users, users;
};

/* The page is whole, or waits for this while it is written: see lw_leftover_hold(). */
static void end_now(int signal_number)
{
	(void)signal_number;
	_exit(LW_TOOLS_OK);
}

static void listen_for_end(void)
{
	struct sigaction action = { .sa_handler = end_now };

	sigemptyset(&action.sa_mask);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
}

/* Write PAGE, and free it. Signals wait until it is there. */
static int write_page(const char *path, struct lw_strbuf *page, struct lw_error *err)
{
	sigset_t before;
	int rc;

	lw_leftover_hold(&before);
	rc = lw_output_text(path, page, err);
	lw_leftover_release(&before);
	return rc;
}

/* ---- a round that fails ---- */

/* The page that is there, if it is one of ours; "" without one. */
static int read_page(const char *path, struct lw_strbuf *page, struct lw_error *err)
{
	char buf[65536];
	size_t size;
	FILE *in = fopen(path, "re");

	if (!in)
		return 0;
	while ((size = fread(buf, 1, sizeof(buf), in)) > 0 && page->len < PAGE_MAX)
		lw_strbuf_add_bytes(page, buf, size);
	fclose(in);
	return page->error ? lw_error_set(err, -ENOMEM, "out of memory") : 0;
}

/* The last page stays, and says that it is old. */
static int keep_page(const char *path, const struct lw_live_fault *fault, struct lw_error *err)
{
	struct lw_strbuf page = LW_STRBUF_INIT, empty = LW_STRBUF_INIT, old = LW_STRBUF_INIT;
	int rc = read_page(path, &page, err);

	if (!rc && lw_live_page_old(lw_strbuf_text(&page), fault, &old)) {
		lw_live_page_empty(fault->every_s, &empty);
		lw_live_page_old(lw_strbuf_text(&empty), fault, &old);
	}
	lw_strbuf_fini(&page);
	lw_strbuf_fini(&empty);
	if (!rc)
		return write_page(path, &old, err);
	lw_strbuf_fini(&old);
	return rc;
}

/* ---- rounds ---- */

/* Numbers of squeue that cannot be were bounded: once a run, since they stay there. */
static void tell_odd(const struct live *live, bool *told)
{
	if (*told || !live->odd_count)
		return;
	*told = true;
	fprintf(stderr, "leeway live: squeue: %s", live->odd.text);
	if (live->odd_count > 1)
		fprintf(stderr, "; and %u more that cannot be", live->odd_count - 1);
	fprintf(stderr, "\n");
}

static enum lw_live_names names_of(const struct request *request)
{
	return request->no_users ? LIVE_NO_USERS
	       : request->users  ? LIVE_ALL_NAMES
				 : LIVE_BY_PRIVATE_DATA;
}

static int make_page(const struct request *request, struct lw_strbuf *page, bool *told_odd,
		     struct lw_error *err)
{
	struct live live = { .now_s = (int64_t)time(NULL), .every_s = request->every_s };
	int rc = lw_live_ask(&live, names_of(request), err);

	if (!rc && request->records)
		rc = lw_live_read_idle(&live, request->records, err);
	if (!rc)
		lw_live_page(&live, page);
	tell_odd(&live, told_odd);
	lw_live_fini(&live);
	return rc;
}

/* *RET_ASKED: 0, or why Slurm did not answer, with WHY. 0, or -errno of the page with ERR. */
static int write_round(const struct request *request, const char *path, bool *told_odd,
		       int *ret_asked, struct lw_error *why, struct lw_error *err)
{
	struct lw_live_fault fault = { .every_s = request->every_s, .why = why->text };
	struct lw_strbuf page = LW_STRBUF_INIT;

	*ret_asked = make_page(request, &page, told_odd, why);
	if (!*ret_asked)
		return write_page(path, &page, err);
	lw_strbuf_fini(&page);
	fault.now_s = (int64_t)time(NULL);
	return keep_page(path, &fault, err);
}

static int64_t clock_ms(void)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Every round begins EVERY_S after the one before, or at once where that took longer. */
static void wait_until(int64_t at_ms)
{
	int64_t left_ms;

	while ((left_ms = at_ms - clock_ms()) > 0)
		poll(NULL, 0, left_ms < 60000 ? (int)left_ms : 60000);
}

/* What is new is said once, and not every minute. */
static void tell_change(char *told, const char *text)
{
	if (strcmp(told, text) == 0)
		return;
	if (*text)
		fprintf(stderr, "leeway live: %s\n", text);
	else
		fprintf(stderr, "leeway live: Slurm answers again\n");
	snprintf(told, LW_ERROR_MAX, "%s", text);
}

static _Noreturn void run_for_ever(const struct request *request, const char *path)
{
	char told[LW_ERROR_MAX] = "";
	bool told_odd = false;

	listen_for_end();
	for (int64_t next_ms = clock_ms();;) {
		struct lw_error why = { "" }, err = { "" };
		int asked = 0;

		if (write_round(request, path, &told_odd, &asked, &why, &err))
			tell_change(told, err.text);
		else
			tell_change(told, asked ? why.text : "");
		next_ms += 1000 * request->every_s;
		if (next_ms < clock_ms())
			next_ms = clock_ms();
		wait_until(next_ms);
	}
}

static int run_once(const struct request *request, const char *path)
{
	struct lw_error why = { "" }, err = { "" };
	bool told_odd = false;
	int asked = 0;

	if (write_round(request, path, &told_odd, &asked, &why, &err))
		return lw_tools_failed("live", &err);
	return asked ? lw_tools_failed("live", &why) : LW_TOOLS_OK;
}

static int live_run(const struct request *request)
{
	struct lw_error err = { "" };
	char path[PATH_MAX];
	int rc = lw_output_folder(request->dir, &err);

	if (!rc && snprintf(path, sizeof(path), "%s/index.html", request->dir) >= PATH_MAX)
		rc = lw_error_set(&err, -ENAMETOOLONG, "%s: path too long", request->dir);
	if (!rc)
		rc = lw_output_check(path, &err);
	if (rc)
		return lw_tools_failed("live", &err);
	if (request->once)
		return run_once(request, path);
	run_for_ever(request, path);
}

/* ---- the command ---- */

static int read_options(struct request *request, int argc, char **argv, struct lw_error *err)
{
	const struct lw_option options[] = {
#include "cli/live/live_options.def"
	};
	int rc = lw_options_read(options, NULL, argc, argv, err);

	if (rc)
		return rc;
	if (argc - optind != 1)
		return lw_error_set(err, -EINVAL, "give one directory");
	if (request->every_s < EVERY_MIN_S || request->every_s > EVERY_MAX_S)
		return lw_error_set(err, -EINVAL, "--every: give 10s to 1h");
	if (request->no_users && request->users)
		return lw_error_set(err, -EINVAL, "--no-users or --users, not both");
	request->dir = argv[optind];
	return 0;
}

int lw_tools_live(int argc, char **argv)
{
	struct request request = { .every_s = EVERY_S };
	struct lw_error err = { "" };
	int rc = read_options(&request, argc, argv, &err);

	return rc ? lw_options_refused("live", rc, &err) : live_run(&request);
}
