/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a bar on the terminal for what takes long. */
#include "lab/cli_sim/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/duration.h"

#define BAR     30
#define AFTER_S 0.5
#define EVERY_S 0.1
#define LINE    256
/* on a terminal that cannot go back */
#define DUMB_EVERY_S 10.0
/* less is no ground to tell the rest by */
#define SHARE_MIN 0.02

double lw_progress_clock_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void lw_progress_begin(struct lw_progress *progress, const char *label)
{
	const char *term = getenv("TERM");

	*progress = (struct lw_progress){
		.on = isatty(STDERR_FILENO) == 1,
		.dumb = !term || !*term || strcmp(term, "dumb") == 0,
		.begun_s = lw_progress_clock_s(),
	};
	snprintf(progress->label, sizeof(progress->label), "%s", label);
}

/* What may stand in a line: one that wraps is not gone back to, and would fill the screen. */
static int progress_width(void)
{
	struct winsize size = { .ws_col = 0 };

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col || size.ws_col > LINE)
		return LINE - 1;
	return size.ws_col - 1;
}

void lw_progress_set_step(struct lw_progress *progress, const struct lw_progress_step *step)
{
	progress->step = *step;
}

/* ", 2m05s left", of all steps at the pace so far, or "" while that cannot be told. */
static void print_left(const struct lw_progress *progress, double share, double now_s, char *buf,
		       size_t size)
{
	const struct lw_progress_step *step = &progress->step;
	double begun_s = progress->begun_s;
	char left[32];

	if (step->count) {
		share = (step->number - 1 + share) / step->count;
		begun_s = step->begun_s;
	}
	buf[0] = '\0';
	if (share < SHARE_MIN)
		return;
	lw_duration_print((int64_t)((now_s - begun_s) * (1 - share) / share + 0.5), left,
			  sizeof(left));
	snprintf(buf, size, ", %s left", left);
}

static void print_line(const struct lw_progress *progress, double share, double now_s,
		       const char *detail, char line[LINE])
{
	const struct lw_progress_step *step = &progress->step;
	int full = (int)(share * BAR);
	char which[64] = "", left[48];

	if (step->count)
		snprintf(which, sizeof(which), "%s %" PRIu32 " of %" PRIu32 ": ", step->what,
			 step->number, step->count);
	print_left(progress, share, now_s, left, sizeof(left));
	snprintf(line, LINE, "%s%s [%.*s%*s] %3.0f %% %s%s", which, progress->label, full,
		 "##############################", BAR - full, "", 100 * share, detail, left);
}

void lw_progress_show(struct lw_progress *progress, double share, const char *detail)
{
	double every_s = progress->dumb ? DUMB_EVERY_S : EVERY_S, now_s;
	char line[LINE];

	if (!progress->on)
		return;
	now_s = lw_progress_clock_s();
	if (now_s < progress->begun_s + AFTER_S || now_s < progress->last_s + every_s)
		return;
	share = share < 0 ? 0 : share > 1 ? 1 : share;
	print_line(progress, share, now_s, detail, line);
	if (progress->dumb)
		fprintf(stderr, "%s\n", line);
	else
		fprintf(stderr, "\r\033[K%.*s", progress_width(), line);
	fflush(stderr);
	progress->last_s = now_s;
	progress->drawn = !progress->dumb;
}

void lw_progress_end(struct lw_progress *progress)
{
	if (progress->drawn)
		fputs("\r\033[K", stderr);
	progress->drawn = false;
}
