/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: traces of a few jobs. */
#ifndef LW_TESTS_SIM_TRACES_H
#define LW_TESTS_SIM_TRACES_H

#include "unit/scratch.h"

#include <stdio.h>

/* number submit wait run procs cpu mem reqprocs reqtime reqmem status user group app queue
 * partition preceding think */
#define LINE(number, submit, run, procs, request, user, group)                                   \
	number " " submit " -1 " run " " procs " -1 -1 " procs " " request " -1 1 " user         \
	       " " group " -1 -1 -1 -1 -1\n"

/* The second vector of check_engine.c, and one job that is too wide, one without a run. */
static const char trace_text[] = "; MaxProcs: 4\n" LINE("11", "0", "10", "3", "9", "1", "7")
	LINE("12", "1", "5", "4", "5", "2", "7") LINE("13", "2", "5", "1", "8", "1", "8")
		LINE("14", "3", "20", "1", "-1", "-1", "8")
			LINE("15", "4", "20", "5", "20", "1", "8")
				LINE("16", "4", "-1", "1", "20", "1", "8");

/* KTH's jobs in small: enough for queues, reservations and broken promises. */
static inline const char *busy_trace(void)
{
	FILE *out = fopen(scratch_path("busy.swf"), "w");
	uint32_t state = 12345;

	fputs("; MaxProcs: 16\n", out);
	for (int i = 0; i < 600; i++) {
		int limit, run, procs;

		state = state * 1664525 + 1013904223;
		limit = 600 * (1 + (int)(state >> 28));
		run = (int)((state >> 8) % (uint32_t)limit);
		procs = 1 << (state >> 12) % 5;
		fprintf(out, "%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 -1 -1 -1 -1 -1\n", i + 1,
			i * 1100, run, procs, procs, limit, (int)(state >> 20) % 7);
	}
	fclose(out);
	return scratch_path("busy.swf");
}

#endif
