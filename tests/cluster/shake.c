/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: for slurmctld's LD_PRELOAD: our plugin takes its time whenever it gives up the locks. */

/*
 * What others do between two holds of the locks is then done in a moment that lasts, so that a
 * test need not try for ever: LW_SHAKE_MS of real time, 5 unless set.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int is_ours(void)
{
	char name[16] = "";

	return !prctl(PR_GET_NAME, name, NULL, NULL, NULL) && !strcmp(name, "leeway");
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
	const char *text = getenv("LW_SHAKE_MS");
	long ms = text ? strtol(text, NULL, 10) : 5;
	struct timespec time = *wanted;

	if (is_ours())
		time = (struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
	return (int)syscall(SYS_nanosleep, &time, left);
}
