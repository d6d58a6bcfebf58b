/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a bar on the terminal for what takes long. */
#include "tools/progress.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define BAR     30
#define AFTER_S 0.5
#define EVERY_S 0.1
#define LINE    256

double lw_progress_clock_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void lw_progress_begin(struct lw_progress *progress, const char *label)
{
	*progress = (struct lw_progress){
		.on = isatty(STDERR_FILENO) == 1,
		.begun_s = lw_progress_clock_s(),
	};
	snprintf(progress->label, sizeof(progress->label), "%s", label);
}

/* What may stand in a line: one that wraps is not gone back to, and would fill the screen. */
static int width(void)
{
	struct winsize size = { .ws_col = 0 };

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col || size.ws_col > LINE)
		return LINE - 1;
	return size.ws_col - 1;
}

void lw_progress_show(struct lw_progress *progress, double share, const char *detail)
{
	char line[LINE];
	double now_s;
	int full;

	if (!progress->on)
		return;
	now_s = lw_progress_clock_s();
	if (now_s < progress->begun_s + AFTER_S || now_s < progress->last_s + EVERY_S)
		return;
	share = share < 0 ? 0 : share > 1 ? 1 : share;
	full = (int)(share * BAR);
	snprintf(line, sizeof(line), "%s [%.*s%*s] %3.0f %% %s", progress->label, full,
		 "##############################", BAR - full, "", 100 * share, detail);
	fprintf(stderr, "\r\033[K%.*s", width(), line);
	fflush(stderr);
	progress->last_s = now_s;
	progress->drawn = true;
}

void lw_progress_end(struct lw_progress *progress)
{
	if (progress->drawn)
		fputs("\r\033[K", stderr);
	progress->drawn = false;
}
